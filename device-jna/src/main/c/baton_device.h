/*
 * baton_device.h: what a device's runtime library exports so that Baton can schedule work on it. ABI version 1.
 *
 * Licensed under the Apache License, Version 2.0.
 *
 * A library that exports these functions can be opened by Baton with no Java code. The functions marked MANDATORY must be there; those
 * marked OPTIONAL may be missing, if the capabilities do not promise what needs them.
 *
 * Conventions
 *
 * - Little-endian machines with 64-bit pointers. All structures have the C layout of such a machine; there is no packing.
 * - Every function but those that return something else returns a status, BATON_OK or one of the errors. The sentence that says why is
 *   asked for right after, on the same thread, with baton_last_error.
 * - Strings are UTF-8 and end with a zero byte. They are never NULL.
 * - A device is a pointer; it is valid from baton_open to baton_close. A run is a number, minted by baton_begin, never 0 and never
 *   used again by this process: a late call finds nothing and returns BATON_STALE instead of touching memory that is gone.
 * - What a plan or a task points to stays valid and unchanged until the run was finalized or aborted, or the device was reset with proof
 *   or closed. A library needs no copies of it.
 * - "May block" means that the call may wait for the device. All others must return soon.
 *
 * Threads
 *
 * - Memory calls (baton_allocate to baton_fill, baton_register, baton_unregister) come one at a time, in order. They may overlap calls
 *   of runs and may come from different threads.
 * - Calls of one run come one at a time, from one thread. Calls of different runs may overlap.
 * - baton_reset may overlap every other call, and makes those that stand return.
 * - The completion callback may be called from any thread, also inside baton_launch. It only notes that a run may have ended; it never
 *   calls back into the library.
 */
#ifndef BATON_DEVICE_H
#define BATON_DEVICE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define BATON_EXPORT __attribute__((visibility("default")))
#else
#define BATON_EXPORT
#endif

/* The version of this header. A library returns the version it was built with from baton_abi_version. */
#define BATON_ABI_VERSION 1u

/* Status of a call. */
enum {
    BATON_OK = 0,
    BATON_ERROR = 1,         /* the call failed and changed nothing, unless said otherwise */
    BATON_OUT_OF_MEMORY = 2, /* baton_allocate, baton_scratch: it does not fit */
    BATON_INCOMPATIBLE = 3,  /* baton_prepare of an early run: not beside the runs that are live; baton_abort follows */
    BATON_STALE = 4          /* the run is not known: it has ended, or the device was reset */
};

/* Element types. */
enum {
    BATON_F16 = 1,
    BATON_BF16 = 2,
    BATON_F32 = 3,
    BATON_F64 = 4,
    BATON_I8 = 5,
    BATON_I16 = 6,
    BATON_I32 = 7,
    BATON_I64 = 8,
    BATON_U8 = 9
};

/* What a callable does with an argument. */
enum {
    BATON_IN = 1,    /* reads a tensor */
    BATON_OUT = 2,   /* writes a tensor without reading it */
    BATON_INOUT = 3, /* reads and writes a tensor */
    BATON_SCALAR = 4 /* takes a value */
};

/* What a device can do: bits of baton_capabilities.flags. */
enum {
    BATON_CAN_PREPARE_EARLY = 1u << 0,  /* a run can be prepared while another executes */
    BATON_CAN_LAUNCH_JOINED = 1u << 1,  /* a run can be launched behind one that still executes, and waits on the device */
    BATON_CAN_HOST_BUILD = 1u << 2,     /* the host composes a run's tasks with baton_emit */
    BATON_NEEDS_THREAD_ATTACH = 1u << 3, /* each thread calls baton_attach_thread first (OPTIONAL function, then needed) */
    BATON_NON_BLOCKING = 1u << 4,       /* no call of a run blocks; needs baton_set_completion */
    BATON_CANCELS_BEHIND_FAILURE = 1u << 5, /* work launched behind failed work is dropped */
    BATON_CAN_PROVE_RESET = 1u << 6     /* a reset can prove that the device is quiet */
};

typedef struct baton_device baton_device;
typedef uint64_t baton_run;

/* What a device can do; constant from baton_open on. */
typedef struct {
    uint32_t size;         /* bytes of this structure as the caller knows it; set by the caller, later versions may append */
    uint32_t flags;        /* BATON_CAN_..., BATON_NEEDS_..., ... */
    uint32_t max_depth;    /* most runs that may be in preparation, prepared or launched at once; at least 1 */
    uint32_t reserved;     /* 0 */
    uint64_t alignment;    /* of allocations in bytes, a power of two */
    uint64_t memory_bytes; /* size of the device's memory */
    char name[64];         /* of the driver, for people */
    char version[32];      /* of the driver */
} baton_capabilities;

/* One parameter of a callable. */
typedef struct {
    uint32_t role; /* BATON_IN ... BATON_SCALAR */
    uint32_t type; /* BATON_F32 ...; 0 if any goes */
} baton_parameter;

/* A callable: registered code with a signature. */
typedef struct {
    const char *name;   /* unique on its device */
    const char *kernel; /* the library's own name of the code */
    uint32_t parameter_count;
    uint32_t reserved;
    const baton_parameter *parameters;
} baton_callable;

/* Kinds of a run's arguments. */
enum {
    BATON_DEVICE_TENSOR = 1, /* memory of this device */
    BATON_HOST_TENSOR = 2,   /* host memory: goes to the device in baton_prepare, comes back in baton_finalize */
    BATON_VALUE = 3          /* a scalar */
};

/* A piece of host memory. */
typedef struct {
    void *address;
    uint64_t bytes;
} baton_host_piece;

/* One argument of a run. */
typedef struct {
    uint32_t kind; /* BATON_DEVICE_TENSOR, BATON_HOST_TENSOR, BATON_VALUE */
    uint32_t role; /* BATON_IN ... BATON_SCALAR */
    uint32_t type; /* BATON_F32 ... */
    uint32_t rank; /* number of dimensions; 0 for a value */
    const int64_t *shape;   /* elements along each dimension */
    const int64_t *strides; /* in elements; NULL means row-major */
    uint64_t address;       /* device tensor: of the first element */
    uint64_t span_address;  /* device tensor: first byte of the covering range */
    uint64_t span_bytes;    /* device tensor: bytes of the covering range */
    uint64_t bits;          /* value: its bits in the low end, integers sign-extended, U8 zero-extended */
    const baton_host_piece *pieces; /* host tensor: row-major bytes; each piece but the last has the same size */
    uint64_t piece_count;
} baton_argument;

/* Bits of baton_plan.flags. */
enum {
    BATON_RUN_EXCLUSIVE = 1u << 0, /* diagnostics are on: nothing runs beside it */
    BATON_RUN_EARLY = 1u << 1      /* other runs are live beside it */
};

/* What the library is told of a run when an attempt to prepare it begins. */
typedef struct {
    const char *name;     /* the client's name of the run, for logs */
    const char *callable; /* name of a registered callable */
    const char *kernel;   /* its kernel */
    uint32_t attempt;     /* counted from 1 */
    uint32_t flags;       /* BATON_RUN_... */
    uint32_t argument_count;
    uint32_t reserved;
    const baton_argument *arguments;
} baton_plan;

/* Kinds of a task's arguments. */
enum {
    BATON_TASK_ARGUMENT_OF_RUN = 1, /* the run's argument of that index, whole */
    BATON_TASK_VALUE = 2,
    BATON_TASK_SCRATCH = 3 /* memory of baton_scratch of this run */
};

typedef struct {
    uint32_t kind;    /* BATON_TASK_... */
    uint32_t index;   /* of the run's argument */
    uint32_t type;    /* value: BATON_F32 ... */
    uint32_t reserved;
    uint64_t bits;    /* value: as in baton_argument */
    uint64_t address; /* scratch */
    uint64_t bytes;   /* scratch */
} baton_task_argument;

/* One kernel to execute. The tasks of a run execute one after the other, in the order they were emitted. */
typedef struct {
    const char *kernel;
    const char *scope; /* where in its build it was emitted, for people; "" outside all scopes */
    uint32_t argument_count;
    uint32_t grid_rank; /* 0 lets the library choose */
    const baton_task_argument *arguments;
    const int64_t *grid; /* work items along each dimension */
} baton_task;

/* How far a launched run is. */
enum {
    BATON_RUNNING = 0,
    BATON_ENDED = 1,
    BATON_FAILED = 2 /* the run's work failed; baton_last_error says why */
};

/* What a finalize came to. */
enum {
    BATON_COMPLETED = 0,
    BATON_FAILED_BUT_DRAINED = 1, /* the run's work failed; the device is finished with it */
    BATON_UNPROVEN = 2,           /* the device may still touch the run's memory: the library keeps all it holds for it */
    BATON_STILL_EXECUTING = 3     /* the limit passed; the run is not finalized, and may be asked again or left for a reset */
};

/* Hears that a run may have ended. */
typedef void (*baton_completion)(void *user, baton_run run);

/* ---- Library */

/* MANDATORY. BATON_ABI_VERSION of the header that the library was built with. */
BATON_EXPORT uint32_t baton_abi_version(void);

/* MANDATORY. The sentence of the last call on this thread that did not return BATON_OK or told BATON_FAILED, BATON_FAILED_BUT_DRAINED
 * or BATON_UNPROVEN; valid until the next call on this thread. Never NULL. */
BATON_EXPORT const char *baton_last_error(void);

/* ---- Device */

/* MANDATORY. Opens a device. May block. Opening twice gives two independent devices.
 * options: what the user wrote behind the library's path; its form is the library's own, "" if nothing. */
BATON_EXPORT int32_t baton_open(const char *options, baton_device **device);

/* MANDATORY. Destroys a device; called once, when nothing runs on it. Also takes back what is still allocated. May block. */
BATON_EXPORT int32_t baton_close(baton_device *device);

/* MANDATORY. Fills in the capabilities; writes no more than capabilities->size bytes. */
BATON_EXPORT int32_t baton_get_capabilities(baton_device *device, baton_capabilities *capabilities);

/* MANDATORY. Ends everything: drops queued work, stops executing work, makes every call in progress return, takes all memory and all runs
 * back. Callables stay registered. May block. *proven is 1 if nothing from before will ever touch memory again; the device is then as if
 * just opened. Else it is 0 and baton_last_error says why. Memory shown by baton_host_view stays mapped until baton_close. */
BATON_EXPORT int32_t baton_reset(baton_device *device, int32_t *proven);

/* OPTIONAL. Makes the calling thread fit for calls; called once by each thread if BATON_NEEDS_THREAD_ATTACH. */
BATON_EXPORT int32_t baton_attach_thread(baton_device *device);

/* OPTIONAL. Who hears that runs end; called once, before the first run; user is handed on. Without it Baton asks with baton_wait. */
BATON_EXPORT int32_t baton_set_completion(baton_device *device, baton_completion completion, void *user);

/* OPTIONAL. Bytes that are free, and bytes in all. */
BATON_EXPORT int32_t baton_memory_info(baton_device *device, uint64_t *free_bytes, uint64_t *total_bytes);

/* ---- Memory. May block; has happened when it returns. label: the client's name, for logs. */

/* MANDATORY. bytes is at least 1. The address is a multiple of the alignment, not 0, and overlaps nothing allocated. */
BATON_EXPORT int32_t baton_allocate(baton_device *device, const char *label, uint64_t bytes, uint64_t *address);

/* MANDATORY. If it fails, the memory is never handed out again and never freed again. */
BATON_EXPORT int32_t baton_free(baton_device *device, const char *label, uint64_t address);

/* MANDATORY. Host to device. */
BATON_EXPORT int32_t baton_write(baton_device *device, const char *label, uint64_t to, const void *from, uint64_t bytes);

/* MANDATORY. Device to host. */
BATON_EXPORT int32_t baton_read(baton_device *device, const char *label, uint64_t from, void *to, uint64_t bytes);

/* MANDATORY. Device to device; the ranges do not overlap. */
BATON_EXPORT int32_t baton_copy(baton_device *device, const char *label, uint64_t from, uint64_t to, uint64_t bytes);

/* MANDATORY. Repeats the low pattern_bytes (1, 2, 4 or 8) of pattern, little-endian, count times. */
BATON_EXPORT int32_t baton_fill(baton_device *device, const char *label, uint64_t to, uint64_t pattern, uint32_t pattern_bytes, uint64_t count);

/* OPTIONAL. Where the host sees these bytes of the device, or NULL. Never blocks. Stays mapped until baton_close. */
BATON_EXPORT int32_t baton_host_view(baton_device *device, uint64_t address, uint64_t bytes, void **view);

/* ---- Callables. May block. */

/* MANDATORY. An unknown kernel is named in the error. */
BATON_EXPORT int32_t baton_register(baton_device *device, const baton_callable *callable);

/* MANDATORY. No live run uses it. */
BATON_EXPORT int32_t baton_unregister(baton_device *device, const char *name);

/* ---- Preparing a run */

/* MANDATORY. Begins an attempt. It ends by one baton_prepare that succeeds or one baton_abort. May block. */
BATON_EXPORT int32_t baton_begin(baton_device *device, const baton_plan *plan, baton_run *run);

/* MANDATORY. Adds a task. What can be checked (kernel, number and kinds of arguments) is checked here. */
BATON_EXPORT int32_t baton_emit(baton_device *device, baton_run run, const baton_task *task);

/* MANDATORY. Device memory owned by the run; finalize and abort give it back. */
BATON_EXPORT int32_t baton_scratch(baton_device *device, baton_run run, uint64_t bytes, uint64_t *address);

/* MANDATORY. Makes the run ready; takes the bytes of host tensors, those of BATON_OUT too (a build may have written some). May block.
 * If it fails, baton_abort follows. */
BATON_EXPORT int32_t baton_prepare(baton_device *device, baton_run run);

/* MANDATORY. Ends an attempt and gives back what it took. May block. If it fails, nobody knows what the device still does. */
BATON_EXPORT int32_t baton_abort(baton_device *device, baton_run run);

/* ---- Executing a run */

/* MANDATORY. Host bytes into device memory that the run names, right before its launch; has happened when it returns. */
BATON_EXPORT int32_t baton_run_write(baton_device *device, baton_run run, uint64_t to, const void *from, uint64_t bytes);

/* MANDATORY. Gives the run to the device, behind all that was launched before. Must not wait for the device. If it fails, the run did
 * not reach the device, and baton_finalize follows. */
BATON_EXPORT int32_t baton_launch(baton_device *device, baton_run run);

/* MANDATORY. How far the run is, at once. A failure of the call itself means that nobody knows. */
BATON_EXPORT int32_t baton_poll(baton_device *device, baton_run run, int32_t *state);

/* MANDATORY. The same, waiting for the end at most limit_nanos. */
BATON_EXPORT int32_t baton_wait(baton_device *device, baton_run run, uint64_t limit_nanos, int32_t *state);

/* MANDATORY. Ends the library's part of the run: takes it off the device if it has not started (a launched run has started when all
 * that was launched before it has ended), waits at most limit_nanos for its end if it executes, gives back what it took and, if it completed, has written its host tensors (OUT and INOUT). Any outcome but
 * BATON_STILL_EXECUTING ends the run. A call that fails means BATON_UNPROVEN. */
BATON_EXPORT int32_t baton_finalize(baton_device *device, baton_run run, uint64_t limit_nanos, int32_t *outcome);

#ifdef __cplusplus
}
#endif

#endif
