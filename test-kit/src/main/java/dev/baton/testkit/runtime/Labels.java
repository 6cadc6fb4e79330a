package dev.baton.testkit.runtime;

import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;
import org.apache.pekko.dispatch.Mailbox;

/**
 * Names for steps that are the same in every run of a program: actor paths, in which what Pekko counts for the life of a system or
 * of the JVM (anonymous actors, streams, everything numbered below {@code /system}) is counted from the beginning of the program
 * instead, in the order of first sight. Touched only by the thread that has the turn.
 */
final class Labels {
    private static final String SYSTEM = "/system/";

    /** Materializers of actors: their number, and what they number, counts for the JVM. */
    private static final String STREAMS = "StreamSupervisor-";

    private final WeakHashMap<Mailbox, String> byMailbox = new WeakHashMap<>();
    private final Map<String, String> byPath = new HashMap<>();
    private final Map<String, Integer> counts = new HashMap<>();
    private String prefix = "";
    private boolean withSystem;

    /** Begins a program; a prefix of actor paths is left out of labels. */
    void begin(String pathPrefix) {
        byMailbox.clear();
        byPath.clear();
        counts.clear();
        prefix = pathPrefix;
    }

    /** From now on labels say which system, since there are several. */
    void tellSystemsApart() {
        withSystem = true;
        begin(prefix);
    }

    String of(Mailbox mailbox) {
        String known = byMailbox.get(mailbox);
        if (known != null) {
            return known;
        }
        String path = mailbox.actor().self().path().toStringWithoutAddress();
        String label;
        if (path.equals(prefix)) {
            label = "/";
        } else if (!prefix.isEmpty() && path.startsWith(prefix) && path.charAt(prefix.length()) == '/') {
            label = relative(path.substring(prefix.length()), false);
        } else {
            label = relative(path, path.startsWith(SYSTEM));
        }
        if (withSystem) {
            label = mailbox.actor().self().path().address().system() + label;
        }
        byMailbox.put(mailbox, label);
        return label;
    }

    private String relative(String path, boolean numbered) {
        if (!numbered && path.indexOf('$') < 0 && !path.contains(STREAMS)) {
            return path;
        }
        String known = byPath.get(path);
        if (known != null) {
            return known;
        }
        int cut = path.lastIndexOf('/');
        String name = path.substring(cut + 1);
        String parent = cut <= 0 ? "" : relative(path.substring(0, cut), numbered);
        boolean counted = numbered || path.contains(STREAMS);
        String stem = stem(name, counted);
        String label = parent + "/" + stem;
        if (!stem.equals(name)) {
            label += counts.merge(label, 1, Integer::sum);
        }
        byPath.put(path, label);
        return label;
    }

    /** The name without what is counted: {@code $a} gives {@code $}, {@code flow-3-0-map} gives {@code flow-N-N-map~}. */
    private static String stem(String name, boolean counted) {
        if (name.startsWith("$$")) {
            return "$$";
        }
        if (name.startsWith("$")) {
            return "$";
        }
        if (!counted) {
            return name;
        }
        StringBuilder stem = new StringBuilder();
        boolean digits = false;
        boolean any = false;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean digit = c >= '0' && c <= '9';
            if (!digit) {
                stem.append(c);
            } else if (!digits) {
                stem.append('N');
            }
            digits = digit;
            any |= digit;
        }
        return any ? stem.append('~').toString() : name;
    }
}
