package dev.baton.testkit.scenario;

import java.util.ArrayList;
import java.util.List;

/** The last messages of a play, and its steps: kept as they are and put into words only if somebody asks. */
final class Correspondence {
    /** So many are kept; a power of two. */
    static final int MOST = 256;

    private static final int LONGEST = 240;

    private final String[] receivers = new String[MOST];
    private final Object[] messages = new Object[MOST];
    private long count;
    private long steps;

    /** An actor gets a message. */
    void got(String actor, Object message) {
        int at = (int) count & (MOST - 1);
        receivers[at] = actor;
        messages[at] = message;
        count++;
    }

    /** A step begins. */
    void step(String number, String what) {
        steps++;
        got("--", "step " + number + " (" + what + ")");
    }

    /** How many messages there were so far. As long as it stays the same, nothing that an actor knows changes. */
    long messages() {
        return count - steps;
    }

    /** The last ones, oldest first. */
    List<String> last() {
        List<String> lines = new ArrayList<>();
        for (long i = Math.max(0, count - MOST); i < count; i++) {
            int at = (int) i & (MOST - 1);
            lines.add(receivers[at] + (receivers[at].equals("--") ? " " : " <- ") + words(messages[at]));
        }
        return lines;
    }

    private static String words(Object message) {
        String text;
        if (message instanceof String s) {
            text = s;
        } else {
            String kind = message.getClass().getSimpleName();
            String own = String.valueOf(message);
            text = own.startsWith(kind) ? own : kind + " " + own;
        }
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
    }
}
