package dev.baton.testkit.explore;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Draws a device: its slots and bounds, what its driver can do, and its limits of time. */
final class DeviceMaker {
    private static final List<Integer> QUEUES = List.of(0, 1, 2, 3, 4, 6, 8, 16);

    private final Dice dice;
    private final boolean hostile;
    private boolean closes;
    private boolean inline;
    private boolean builds = true;
    private int depth;

    DeviceMaker(Dice dice, boolean hostile) {
        this.dice = dice;
        this.hostile = hostile;
    }

    /** Writes down the device and draws its early timers. */
    void make(ObjectNode top) {
        ObjectNode device = top.putObject("device");
        depth = dice.between(1, 4);
        device.put("depth", depth);
        device.put("queue", dice.of(QUEUES));
        device.put("concurrentPrepare", dice.percent(85));
        device.put("joinedLaunch", dice.percent(75));
        device.put("memory", dice.percent(20) ? 1024 : 65536);
        if (dice.percent(20)) {
            device.put("pendingCopies", dice.between(1, 4));
        }
        capabilities(device);
        // a close without a limit waits for ever for a run that hangs, and nothing but time ends it
        closes = hostile && dice.percent(60);
        if (closes) {
            device.put("closeMs", dice.between(10, 500));
        }
        if (hostile && dice.percent(25)) {
            device.put("callMs", dice.between(10, 500));
        }
        top.put("early", dice.percent(10));
    }

    private void capabilities(ObjectNode device) {
        if (dice.percent(15)) {
            inline = true;
            device.put("nonBlocking", true);
        }
        if (dice.percent(15)) {
            device.put("cancelsBehindFailure", true);
        }
        if (dice.percent(15)) {
            device.put("hostView", false);
        }
        if (dice.percent(8)) {
            device.put("threadAttach", true);
        }
        if (dice.percent(8)) {
            builds = false;
            device.put("hostBuild", false);
        }
        if (hostile && dice.percent(5)) {
            device.put("resetProof", false);
        }
    }

    /** Whether a close can end. */
    boolean closes() {
        return closes;
    }

    /** Whether driver calls are made where nothing may stand. */
    boolean inline() {
        return inline;
    }

    /** Whether runs may be built on the host. */
    boolean builds() {
        return builds;
    }

    int depth() {
        return depth;
    }
}
