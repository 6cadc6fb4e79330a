package dev.baton.jna;

import com.sun.jna.Callback;
import com.sun.jna.Library;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.LongByReference;
import com.sun.jna.ptr.PointerByReference;
import java.util.List;

/**
 * The functions of {@code baton_device.h}, version 1: signatures only. What each means is told in the header, which this module's jar
 * carries as {@code include/baton_device.h}. Not direct mapping: that binds a class to one library, and several may be open at once.
 */
interface BatonAbi extends Library {
    /** The version that this class was written for. */
    int VERSION = 1;

    int OK = 0;
    int OUT_OF_MEMORY = 2;
    int INCOMPATIBLE = 3;
    int STALE = 4;

    int RUNNING = 0;
    int ENDED = 1;

    int COMPLETED = 0;
    int FAILED_BUT_DRAINED = 1;
    int STILL_EXECUTING = 3;

    /** Functions that a library must export, in the order of the header. */
    List<String> MANDATORY = List.of(
            "baton_abi_version",
            "baton_last_error",
            "baton_open",
            "baton_close",
            "baton_get_capabilities",
            "baton_reset",
            "baton_allocate",
            "baton_free",
            "baton_write",
            "baton_read",
            "baton_copy",
            "baton_fill",
            "baton_register",
            "baton_unregister",
            "baton_begin",
            "baton_emit",
            "baton_scratch",
            "baton_prepare",
            "baton_abort",
            "baton_run_write",
            "baton_launch",
            "baton_poll",
            "baton_wait",
            "baton_finalize");

    /** Hears that a run may have ended, on any thread. */
    interface Completion extends Callback {
        void ended(Pointer user, long run);
    }

    int baton_abi_version();

    String baton_last_error();

    int baton_open(String options, PointerByReference device);

    int baton_close(Pointer device);

    int baton_get_capabilities(Pointer device, Pointer capabilities);

    int baton_reset(Pointer device, IntByReference proven);

    int baton_attach_thread(Pointer device);

    int baton_set_completion(Pointer device, Completion completion, Pointer user);

    int baton_memory_info(Pointer device, LongByReference freeBytes, LongByReference totalBytes);

    int baton_allocate(Pointer device, String label, long bytes, LongByReference address);

    int baton_free(Pointer device, String label, long address);

    int baton_write(Pointer device, String label, long to, Pointer from, long bytes);

    int baton_read(Pointer device, String label, long from, Pointer to, long bytes);

    int baton_copy(Pointer device, String label, long from, long to, long bytes);

    int baton_fill(Pointer device, String label, long to, long pattern, int patternBytes, long count);

    int baton_host_view(Pointer device, long address, long bytes, PointerByReference view);

    int baton_register(Pointer device, Pointer callable);

    int baton_unregister(Pointer device, String name);

    int baton_begin(Pointer device, Pointer plan, LongByReference run);

    int baton_emit(Pointer device, long run, Pointer task);

    int baton_scratch(Pointer device, long run, long bytes, LongByReference address);

    int baton_prepare(Pointer device, long run);

    int baton_abort(Pointer device, long run);

    int baton_run_write(Pointer device, long run, long to, Pointer from, long bytes);

    int baton_launch(Pointer device, long run);

    int baton_poll(Pointer device, long run, IntByReference state);

    int baton_wait(Pointer device, long run, long limitNanos, IntByReference state);

    int baton_finalize(Pointer device, long run, long limitNanos, IntByReference outcome);
}
