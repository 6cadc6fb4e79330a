/**
 * The actors of one epoch and the messages between them (DESIGN section 2): thin shells around the plain decisions of
 * {@code dev.baton.ledger}, {@code dev.baton.lane} and {@code dev.baton.build}.
 *
 * <p>Context, ledger and lane never block and share their device's one thread; slots and I/O may block and have threads of their
 * own, and are never children of the former.
 */
@org.jspecify.annotations.NullMarked
package dev.baton.context;
