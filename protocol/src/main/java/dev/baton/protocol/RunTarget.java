package dev.baton.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** How a command names a run: by the id that Baton minted, or by the client's own name for it. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
@JsonSubTypes({
    @JsonSubTypes.Type(value = RunId.class, name = "id"),
    @JsonSubTypes.Type(value = RunName.class, name = "name")
})
public sealed interface RunTarget permits RunId, RunName {}
