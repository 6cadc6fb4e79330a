/**
 * Baton for hosts: {@link dev.baton.embedding.Baton} opens devices, {@link dev.baton.embedding.DeviceClient} speaks to one with
 * {@link java.util.concurrent.CompletionStage} methods named like the commands of the protocol.
 */
@NullMarked
package dev.baton.embedding;

import org.jspecify.annotations.NullMarked;
