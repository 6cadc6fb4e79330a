package dev.baton.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** Where a tensor lies: in an allocation that Baton recorded, or at a raw device address (L10). */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
@JsonSubTypes({
    @JsonSubTypes.Type(value = BufferHandle.class, name = "buffer"),
    @JsonSubTypes.Type(value = RawAddress.class, name = "raw")
})
public sealed interface Location permits BufferHandle, RawAddress {}
