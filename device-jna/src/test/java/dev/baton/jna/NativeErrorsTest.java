package dev.baton.jna;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.protocol.driver.DriverException;
import dev.baton.runtime.ThreadRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong with a library is told with file and symbol (R42, R43), and other devices stay usable. */
class NativeErrorsTest {
    private final ThreadRuntime runtime = new ThreadRuntime();

    @AfterEach
    void close() {
        runtime.close();
    }

    private void fails(String path, String options, String... parts) {
        assertThatThrownBy(() -> new NativeDriver(path, options).open(runtime))
                .isInstanceOf(DriverException.class)
                .message()
                .contains(parts);
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        fails("/nowhere/libnone.so", "", "/nowhere/libnone.so");
    }

    @Test
    void aFileThatIsNoLibraryIsNamed(@TempDir Path folder) throws IOException {
        Path text = Files.writeString(folder.resolve("libtext.so"), "this is no library");
        fails(text.toString(), "", text.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"baton_abi_version", "baton_launch", "baton_finalize"})
    void aMissingMandatorySymbolIsNamedWithItsFile(String symbol) {
        String library = ReferenceRuntime.without(symbol);
        fails(library, "", library, symbol);
    }

    @Test
    void anotherVersionIsToldWithBothNumbers() {
        String library = ReferenceRuntime.library(List.of("-DREFERENCE_WRONG_VERSION"));
        fails(library, "", library, "version 2", "version 1");
    }

    @Test
    void aBadCapabilityIsTold() {
        fails(ReferenceRuntime.library(), "bad-alignment=1", ReferenceRuntime.library(), "alignment=3");
    }

    @Test
    void aPromiseWithoutItsFunctionIsTold() {
        fails(ReferenceRuntime.without("baton_attach_thread"), "attach=1", "threadAttach", "baton_attach_thread");
        fails(ReferenceRuntime.without("baton_set_completion"), "nonblocking=1", "nonBlocking", "baton_set_completion");
    }

    @Test
    void theLibrarysOwnReasonIsHandedOn() {
        fails(ReferenceRuntime.library(), "colour=blue", "colour", "profile, memory");
        fails(ReferenceRuntime.library(), "memory=lots", "memory=lots", "number");
    }

    @Test
    void aLibraryThatDoesNotLoadLeavesOthersUsable() throws DriverException {
        NativeDevice good = new NativeDriver(ReferenceRuntime.library()).open(runtime);
        fails("/nowhere/libnone.so", "", "libnone");
        long at = good.allocate("x", 16);
        assertThat(good.freeBytes()).hasValue(good.capabilities().memoryBytes() - 64);
        good.free("x", at);
        good.close();
        assertThatThrownBy(() -> good.allocate("y", 1)).hasMessageContaining("closed");
    }
}
