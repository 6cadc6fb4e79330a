package dev.baton.testkit.failure;

import dev.baton.testkit.failure.Way.Facts;
import dev.baton.testkit.failure.Way.Profile;
import java.util.ArrayList;
import java.util.List;

/** The failure table of docs/RULES.md in code: each row with the ways in which it comes about. */
final class FailureTable {
    private static final String EXECUTE_F = "\"hold\": [\"execute\"]";
    private static final String ABANDON = "{\"do\": \"abandon\", \"run\": \"A\"}";
    private static final String CRASH = "{\"do\": \"crash\", \"actor\": \"slot:A\"}";

    private final List<Way> ways = new ArrayList<>();

    private FailureTable() {}

    static List<Way> ways() {
        FailureTable t = new FailureTable();
        t.beforeLaunch();
        t.abandoned();
        t.onTheDevice();
        t.unproven();
        t.slots();
        t.poisoned();
        t.deviceWide();
        return t.ways;
    }

    private Way way(String row, String name, String answer, String lane, Facts facts) {
        Way w = new Way(row, name, answer, lane, facts);
        ways.add(w);
        return w;
    }

    private Way open(String row, String name, String reason) {
        return way(row, name, failed(reason), "OPEN", Facts.PROVEN);
    }

    private Way lost(String row, String name, String reason) {
        return way(row, name, failed(reason), "POISONED", Facts.UNPROVEN);
    }

    private static String failed(String reason) {
        return "{\"failed\": \"" + reason + "\"}";
    }

    private static String advance(int ms) {
        return "{\"do\": \"advance\", \"ms\": " + ms + "}";
    }

    private void beforeLaunch() {
        String row = "build failed by itself";
        open(row, "reported", "BUILD_FAILED")
                .run("\"build\": [{\"hold\": \"h\"}, {\"fail\": \"own\"}]")
                .go("h");
        open(row, "thrown", "BUILD_FAILED")
                .run("\"build\": [{\"hold\": \"h\"}, {\"throw\": \"own\"}]")
                .go("h");
        row = "prepare failed";
        open(row, "at the front", "PREPARE_FAILED")
                .run("\"hold\": [\"prepare\"], \"fail\": {\"prepare\": \"error\"}")
                .go("prepare");
        open(row, "early", "PREPARE_FAILED").behindAnother().run("\"fail\": {\"prepare\": \"error\"}");
        row = "clean-up failed";
        lost(row, "after build", "CLEANUP_FAILED")
                .run("\"build\": [{\"hold\": \"h\"}, {\"fail\": \"own\"}], \"fail\": {\"cleanup\": \"error\"}")
                .go("h");
        lost(row, "after prepare", "CLEANUP_FAILED")
                .run("\"hold\": [\"prepare\"], \"fail\": {\"prepare\": \"error\", \"cleanup\": \"error\"}")
                .go("prepare");
        lost(row, "after incompatible", "CLEANUP_FAILED")
                .behindAnother()
                .run("\"hold\": [\"prepare\"], \"fail\": {\"prepare\": \"incompatible\", \"cleanup\": \"error\"}")
                .go("prepare")
                .only(Profile.PREPARED, Profile.BEHIND);
        lost(row, "after a wait", "CLEANUP_FAILED")
                .behindAnother()
                .reads("f")
                .run("\"build\": [{\"hold\": \"h\"}, {\"read\": [0, 0], \"as\": \"v\"}],"
                        + " \"fail\": {\"cleanup\": \"error\"}")
                .go("h")
                .only(Profile.PREPARED, Profile.BEHIND);
        row = "launch failed";
        open(row, "launch", "LAUNCH_FAILED")
                .run("\"hold\": [\"launch\"], \"fail\": {\"launch\": \"error\"}")
                .go("launch");
    }

    private void abandoned() {
        String row = "abandoned, or its queue deadline passed";
        open(row, "abandoned, held", "ABANDONED").run("\"held\": true").trigger(ABANDON);
        open(row, "abandoned, being prepared", "ABANDONED")
                .run("\"hold\": [\"prepare\"]")
                .trigger(ABANDON)
                .go("prepare");
        open(row, "abandoned behind another", "ABANDONED")
                .behindAnother()
                .run("\"held\": true")
                .trigger(ABANDON);
        open(row, "deadline, held", "DEADLINE_EXCEEDED")
                .run("\"held\": true, \"queueMs\": 10")
                .trigger(advance(10));
        open(row, "deadline, being prepared", "DEADLINE_EXCEEDED")
                .run("\"queueMs\": 10, \"hold\": [\"prepare\"]")
                .trigger(advance(10))
                .go("prepare");
        open(row, "deadline behind another", "DEADLINE_EXCEEDED")
                .behindAnother()
                .run("\"held\": true, \"queueMs\": 10")
                .trigger(advance(10));
    }

    private void onTheDevice() {
        open("the device reports failure", "execute", "EXECUTION_FAILED")
                .executing("\"execute\": \"error\"")
                .go("execute");
        Way voids = open("it read void bytes", "void", "PREDECESSOR_FAILED").reads("f");
        voids.before(
                        "{\"do\": \"submit\", \"as\": \"P\", \"call\": \"fill\", \"args\": [{\"out\": \"f\"}, {\"scalar\": 1}], "
                                + EXECUTE_F + ", \"fail\": {\"execute\": \"error\"}}")
                .trigger("{\"do\": \"go\", \"run\": \"P\", \"at\": \"execute\"}");
        voids.moreDepth++;
        way(
                        "asking for completion failed, or its execution deadline passed",
                        "poll",
                        failed("COMPLETION_UNKNOWN"),
                        "POISONED",
                        Facts.PROVEN)
                .executing("\"poll\": \"error\"")
                .go("execute");
    }

    private void unproven() {
        String row = "finalize failed";
        lost(row, "after its work", "UNPROVEN")
                .executing("\"finalize\": \"error\"")
                .go("execute");
        lost(row, "after failed work", "UNPROVEN")
                .executing("\"execute\": \"error\", \"finalize\": \"error\"")
                .go("execute");
        lost(row, "after a failed launch", "UNPROVEN")
                .run("\"hold\": [\"launch\"], \"fail\": {\"launch\": \"error\", \"finalize\": \"error\"}")
                .go("launch");
        lost(row, "after its execution deadline", "UNPROVEN").executing("").trigger(advance(10));
        Way deadline = ways.get(ways.size() - 1);
        deadline.run += ", \"runMs\": 10";
        lost(row, "after an abandon", "UNPROVEN")
                .behindAnother()
                .run("\"held\": true, \"fail\": {\"finalize\": \"error\"}")
                .trigger("{\"do\": \"await\", \"run\": \"A\", \"until\": \"prepared\"}")
                .trigger(ABANDON)
                .only(Profile.PREPARED, Profile.BEHIND);
    }

    private void slots() {
        String row = "a slot's actor died after prepare began";
        for (String at : List.of("prepare", "launch", "finalize")) {
            lost(row, "in " + at, "INTERNAL").run("\"hold\": [\"" + at + "\"]").trigger(CRASH);
        }
        lost(row, "in execute", "INTERNAL").executing("").trigger(CRASH);
        open("a slot's actor died before that", "held", "INTERNAL")
                .run("\"held\": true")
                .trigger(CRASH);
    }

    private void poisoned() {
        String by = "{\"failed\": \"POISONED\", \"by\": \"P\"}";
        String first =
                "{\"do\": \"submit\", \"as\": \"P\", \"call\": \"fill\", \"args\": [{\"out\": \"f\"}, {\"scalar\": 1}], "
                        + EXECUTE_F + ", \"fail\": {\"finalize\": \"error\"}}";
        String goes = "{\"do\": \"go\", \"run\": \"P\", \"at\": \"execute\"}";
        String row = "queued, deferred, being prepared or prepared when poisoned";
        way(row, "waiting", by, "POISONED", Facts.PROVEN)
                .before(first)
                .trigger(goes)
                .successor(by)
                .only(Profile.QUEUED, Profile.IN_SLOT, Profile.PREPARED);
        way(row, "being prepared", by, "POISONED", Facts.PROVEN)
                .before(first)
                .run("\"hold\": [\"prepare\"]")
                .trigger(goes)
                .trigger("{\"do\": \"pending\", \"run\": \"A\"}")
                .go("prepare")
                .successor(by)
                .only(Profile.PREPARED, Profile.BEHIND);
        way(row, "deferred", by, "POISONED", Facts.PROVEN)
                .before(
                        "{\"do\": \"submit\", \"as\": \"P\", \"call\": \"copy\", \"args\": [{\"in\": \"z\"}, {\"out\": \"f\"}], "
                                + EXECUTE_F + ", \"fail\": {\"poll\": \"error\"}}")
                .reads("f")
                .run("\"build\": [{\"read\": [0, 0], \"as\": \"v\"}]")
                .trigger("{\"do\": \"await\", \"run\": \"A\", \"until\": \"deferred\"}")
                .trigger(goes)
                .successor(by)
                .only(Profile.PREPARED, Profile.BEHIND);
        Way behind = way("launched behind the poison", "behind", by, "POISONED", Facts.PROVEN)
                .before(first)
                .trigger("{\"do\": \"await\", \"run\": \"A\", \"until\": \"launched\"}")
                .trigger(goes)
                .successor(by)
                .only(Profile.BEHIND);
        behind.moreDepth++;
        Way ahead = way("launched, poisoned by a run behind", "ahead", "\"COMPLETED\"", "POISONED", Facts.COMPLETED)
                .run(EXECUTE_F)
                .trigger(
                        "{\"do\": \"submit\", \"as\": \"K\", \"call\": \"fill\", \"args\": [{\"out\": \"f\"}, {\"scalar\": 1}]}")
                .trigger("{\"do\": \"await\", \"run\": \"K\", \"until\": \"launched\"}")
                .trigger("{\"do\": \"crash\", \"actor\": \"slot:K\"}")
                .go("execute")
                .successor("\"COMPLETED\"")
                .only(Profile.BEHIND);
        ahead.moreDepth++;
    }

    private void deviceWide() {
        for (String actor : List.of("ledger", "lane", "context", "io")) {
            way("ledger, lane, context or DeviceIo died", actor, failed("INTERNAL"), "FAILED", Facts.DEVICE_FAILED)
                    .executing("")
                    .trigger("{\"do\": \"crash\", \"actor\": \"" + actor + "\"}")
                    .successor(failed("INTERNAL"));
        }
        for (String phase : List.of("\"held\": true", "\"hold\": [\"prepare\"]", EXECUTE_F)) {
            way("owed when reset", phase.replace("\"", ""), failed("RESET"), "OPEN", Facts.STALE_BUFFER)
                    .run(phase)
                    .trigger("{\"do\": \"reset\"}")
                    .successor(failed("RESET"));
        }
        for (String phase : List.of("prepare", "launch", "finalize")) {
            way("owed when closed without waiting", "in " + phase, failed("CLOSED"), "CLOSED", Facts.CLOSED)
                    .device("\"closeMs\": 10")
                    .run("\"hold\": [\"" + phase + "\"]")
                    .trigger("{\"do\": \"close\", \"as\": \"c\"}")
                    .trigger(advance(10))
                    .trigger(advance(1000))
                    .successor("{\"oneOf\": [{\"failed\": \"CLOSED\"}, {\"failed\": \"POISONED\", \"by\": \"A\"}]}");
        }
    }
}
