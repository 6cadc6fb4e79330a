/**
 * One attempt of a host build: what it may not read yet (fence), its first failure (latch), and its writes (overlay); DESIGN
 * section 5. Plain classes; the latch and the outcomes of a fence are the two cells that threads share.
 */
@org.jspecify.annotations.NullMarked
package dev.baton.build;
