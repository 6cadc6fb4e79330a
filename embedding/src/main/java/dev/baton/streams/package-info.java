/** Devices in Pekko Streams: runs, events and large inputs, with backpressure and no unbounded buffer. */
@NullMarked
package dev.baton.streams;

import org.jspecify.annotations.NullMarked;
