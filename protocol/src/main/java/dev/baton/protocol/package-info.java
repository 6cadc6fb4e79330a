/**
 * What a client of a device says and hears: commands, replies, events, and the values they carry.
 *
 * <p>Everything here is immutable. What travels between machines survives Jackson CBOR; what carries code is a family of
 * its own, {@link dev.baton.protocol.LocalCommand}, that never leaves the process.
 */
@org.jspecify.annotations.NullMarked
package dev.baton.protocol;
