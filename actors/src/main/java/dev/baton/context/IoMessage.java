package dev.baton.context;

import dev.baton.ledger.IoCall;
import org.apache.pekko.actor.typed.ActorRef;

/** What the I/O actor hears: memory calls, one at a time, in order. */
public record IoMessage(long call, IoCall what, ActorRef<ContextMessage> replyTo) {}
