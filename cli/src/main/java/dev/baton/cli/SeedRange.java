package dev.baton.cli;

/** Seeds from one to another, both included. */
record SeedRange(long from, long to) {
    static SeedRange parse(String text) {
        String[] ends = text.split("\\.\\.", -1);
        try {
            long from = Long.parseLong(ends[0].trim());
            long to = ends.length == 1 ? from : Long.parseLong(ends[1].trim());
            if (ends.length > 2 || to < from) {
                throw new UserError("--seeds " + text + ": a range is A..B with A at most B");
            }
            return new SeedRange(from, to);
        } catch (NumberFormatException e) {
            throw new UserError("--seeds " + text + ": a range is A..B, two whole numbers");
        }
    }

    boolean one() {
        return from == to;
    }
}
