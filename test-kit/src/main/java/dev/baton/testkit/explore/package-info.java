/** Looks for races and failures by itself: draws programs from seeds, plays them, and shrinks those that break an invariant. */
@org.jspecify.annotations.NullMarked
package dev.baton.testkit.explore;
