package dev.baton.testkit.failure;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** One way in which a row of the failure table comes about: what is done to run A, and what must come of it. */
final class Way {
    /** What the device supports decides how far a successor has come when A fails. */
    enum Profile {
        /** It waits in the queue. */
        QUEUED("\"depth\": %d", 1),
        /** It holds a slot and is not prepared. */
        IN_SLOT("\"depth\": %d, \"concurrentPrepare\": false, \"joinedLaunch\": false", 2),
        /** It is prepared. */
        PREPARED("\"depth\": %d, \"joinedLaunch\": false", 2),
        /** It is launched behind A. */
        BEHIND("\"depth\": %d", 2);

        private final String device;
        private final int depth;

        Profile(String device, int depth) {
            this.device = device;
            this.depth = depth;
        }

        String device(int more) {
            return String.format(device, depth + more);
        }
    }

    /** What the ledger keeps of A. */
    enum Facts {
        /** Both facts dropped; the bytes it declared are void. */
        PROVEN,
        /** Marks. */
        UNPROVEN,
        /** Dropped, and the bytes are good. */
        COMPLETED,
        /** Nobody can tell: all is refused. */
        DEVICE_FAILED,
        STALE_BUFFER,
        CLOSED
    }

    final String row;
    final String name;
    final String answer;
    final String lane;
    final Facts facts;
    String device = "";
    int moreDepth;
    String input = "x";
    String run = "";
    boolean executing;
    /** How the successor ends; by default that follows from A's end. */
    String successor = "";

    Set<Profile> profiles = EnumSet.allOf(Profile.class);
    final List<String> before = new ArrayList<>();
    final List<String> trigger = new ArrayList<>();

    Way(String row, String name, String answer, String lane, Facts facts) {
        this.row = row;
        this.name = name;
        this.answer = answer;
        this.lane = lane;
        this.facts = facts;
    }

    /** More keys of A's submit. */
    Way run(String keys) {
        run = ", " + keys;
        return this;
    }

    /** A executes when it happens. */
    Way executing(String moreFaults) {
        executing = true;
        return run("\"hold\": [\"execute\"]" + (moreFaults.isEmpty() ? "" : ", \"fail\": {" + moreFaults + "}"));
    }

    Way device(String keys) {
        device = ", " + keys;
        return this;
    }

    /** A step before A's submit. */
    Way before(String step) {
        before.add(step);
        return this;
    }

    /** A launched run ahead of A that has nothing to do with it; it goes on after all triggers. */
    Way behindAnother() {
        moreDepth++;
        return before("{\"do\": \"submit\", \"as\": \"F\", \"call\": \"fill\", \"args\": [{\"out\": \"f\"}, "
                + "{\"scalar\": 1}], \"hold\": [\"execute\"]}");
    }

    Way trigger(String step) {
        trigger.add(step);
        return this;
    }

    Way go(String at) {
        return trigger("{\"do\": \"go\", \"run\": \"A\", \"at\": \"" + at + "\"}");
    }

    Way reads(String buffer) {
        input = buffer;
        return this;
    }

    Way only(Profile first, Profile... more) {
        profiles = EnumSet.of(first, more);
        return this;
    }

    Way successor(String end) {
        successor = end;
        return this;
    }

    // ---- the scenario

    String scenario(Profile profile, boolean withSuccessor, boolean declares) {
        List<String> s = new ArrayList<>();
        for (String buffer : List.of("x", "y", "z", "f")) {
            s.add("{\"do\": \"alloc\", \"as\": \"" + buffer + "\", \"f32\": [2]}");
        }
        s.addAll(before);
        String out = declares ? "\"y\"" : "{\"host\": 1}";
        s.add("{\"do\": \"submit\", \"as\": \"A\", \"call\": \"copy\", \"args\": [{\"in\": \"" + input
                + "\"}, {\"out\": " + out + "}]" + run + "}");
        if (withSuccessor) {
            s.add("{\"do\": \"submit\", \"as\": \"B\", \"call\": \"copy\", \"args\": [{\"in\": \"y\"}, "
                    + "{\"out\": \"z\"}]}");
            if (executing) {
                s.add(phaseOfSuccessor(profile));
            }
        }
        s.addAll(trigger);
        if (before.stream().anyMatch(b -> b.contains("\"as\": \"F\""))) {
            s.add("{\"do\": \"go\", \"run\": \"F\", \"at\": \"execute\"}");
        }
        s.add(await("A", answer));
        if (withSuccessor) {
            s.add(await("B", endOfSuccessor(declares)));
        }
        s.addAll(factsOf(declares));
        return "{\"name\": \"" + name + "\", \"device\": {" + profile.device(moreDepth) + device + "}, \"steps\": [\n  "
                + String.join(",\n  ", s) + "]}";
    }

    private static String await(String run, String expect) {
        return "{\"do\": \"await\", \"run\": \"" + run + "\", \"until\": \"finished\", \"expect\": " + expect + "}";
    }

    private static String phaseOfSuccessor(Profile profile) {
        return switch (profile) {
            case QUEUED -> "{\"do\": \"status\", \"expect\": {\"queued\": 1, \"inSlots\": 1}}";
            case IN_SLOT -> "{\"do\": \"status\", \"expect\": {\"queued\": 0, \"inSlots\": 2}}";
            case PREPARED -> "{\"do\": \"await\", \"run\": \"B\", \"until\": \"prepared\"}";
            case BEHIND -> "{\"do\": \"await\", \"run\": \"B\", \"until\": \"launched\"}";
        };
    }

    private String endOfSuccessor(boolean declares) {
        if (!successor.isEmpty()) {
            return successor;
        } else if (lane.equals("POISONED")) {
            return "{\"failed\": \"POISONED\", \"by\": \"A\"}";
        }
        return declares ? "{\"failed\": \"PREDECESSOR_FAILED\", \"by\": \"A\"}" : "\"COMPLETED\"";
    }

    private List<String> factsOf(boolean declares) {
        String state = "{\"do\": \"status\", \"expect\": {\"lane\": \"" + lane + "\"%s}}";
        String buffers = ", \"buffers\": {\"" + input
                + "\": {\"borrowers\": [], \"unreleasable\": %1$b}, \"y\": {\"writers\": [], \"unreleasable\": %2$b,"
                + " \"unreadable\": %2$b, \"void\": %3$b}}";
        String read = "{\"do\": \"read\", \"buffer\": \"y\", \"count\": 1, \"expect\": %s}";
        String free = "{\"do\": \"free\", \"buffer\": \"" + input + "\", \"expect\": %s}";
        return switch (facts) {
            case PROVEN ->
                List.of(
                        String.format(state, String.format(buffers, false, false, declares)),
                        String.format(
                                read,
                                declares ? "{\"refused\": \"PREDECESSOR_FAILED\", \"by\": \"A\"}" : "{\"f32\": [2]}"),
                        String.format(free, "\"RELEASED\""));
            case UNPROVEN ->
                List.of(
                        String.format(state, String.format(buffers, true, declares, declares)),
                        String.format(
                                read, declares ? "{\"refused\": \"UNREADABLE\", \"by\": \"A\"}" : "{\"f32\": [2]}"),
                        String.format(free, "{\"refused\": \"UNPROVEN\", \"by\": [\"A\"]}"));
            case COMPLETED ->
                List.of(
                        String.format(state, String.format(buffers, false, false, false)),
                        String.format(read, "{\"f32\": [2]}"),
                        String.format(free, "\"RELEASED\""));
            default ->
                List.of(
                        String.format(state, ""),
                        String.format(read, "{\"refused\": \"" + facts + "\"}"),
                        String.format(free, "{\"refused\": \"" + facts + "\"}"));
        };
    }
}
