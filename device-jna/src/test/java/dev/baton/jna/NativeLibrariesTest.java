package dev.baton.jna;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.jna.NativeLibrary;
import dev.baton.protocol.driver.DriverException;
import java.util.List;
import org.junit.jupiter.api.Test;

class NativeLibrariesTest {
    @Test
    void theFirstNameThatLoadsIsTaken() throws DriverException {
        NativeLibrary c = NativeLibraries.open(List.of("libnot-there.so.9", "c"));
        assertThat(NativeLibraries.symbol(c, "abs").invokeInt(new Object[] {-5}))
                .isEqualTo(5);
    }

    @Test
    void theErrorListsAllThatWasTried() {
        assertThatThrownBy(() -> NativeLibraries.open(List.of("libnot-there.so.9", "libneither.so")))
                .isInstanceOf(DriverException.class)
                .hasMessageContaining("libnot-there.so.9")
                .hasMessageContaining("libneither.so");
    }

    @Test
    void aMissingSymbolIsNamedWithItsFile() throws DriverException {
        NativeLibrary c = NativeLibraries.open(List.of("c"));
        assertThatThrownBy(() -> NativeLibraries.symbol(c, "baton_no_such_symbol"))
                .isInstanceOf(DriverException.class)
                .hasMessageContaining("baton_no_such_symbol");
        assertThat(NativeLibraries.symbol(c, "abs")).isNotNull();
    }
}
