/**
 * The driver SPI (DESIGN section 7): what a driver implements, and what it may count on.
 *
 * <p>Threads: memory calls come from one I/O thread, calls of one run from its slot's thread, {@code reset} and
 * {@code close} from a thread of their own, {@code interrupt} from any thread. Each thread is attached first where
 * {@link dev.baton.protocol.driver.Capabilities#threadAttach} asks for it (R41). Calls of different runs, and memory
 * calls, may overlap one another; calls of one run never do, but for {@code interrupt}.
 */
@org.jspecify.annotations.NullMarked
package dev.baton.protocol.driver;
