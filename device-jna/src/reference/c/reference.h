/*
 * The reference runtime: a small device in plain C that exports baton_device.h. It has real memory, a worker thread, the kernels of the
 * simulated device and faults on demand, and shows a library's author what is asked.
 *
 * One lock guards everything of a device but the bytes of its memory. Whoever copies bytes or computes is counted in `busy` instead, and a
 * reset waits until nobody is busy: that is its proof.
 */
#ifndef BATON_REFERENCE_H
#define BATON_REFERENCE_H

#include "../../main/c/baton_device.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { MAX_NAME = 128, MAX_SENTENCE = 512, MAX_TASK_ARGUMENTS = 256, MAX_RANK = 16 };

/* What memory is for. */
enum block_kind { BLOCK_FREE, BLOCK_CLIENT, BLOCK_SCRATCH, BLOCK_QUARANTINED };

/* A piece of the arena; all pieces in order of address, without gaps. */
struct block {
    uint64_t address;
    uint64_t bytes;
    enum block_kind kind;
    baton_run owner; /* of scratch */
    struct block *next;
};

enum run_state { RUN_PREPARING, RUN_PREPARED, RUN_QUEUED, RUN_EXECUTING, RUN_ENDED, RUN_OFF };

struct run {
    baton_run handle;
    const baton_plan *plan;
    const baton_task **tasks;
    uint32_t task_count;
    void **stages; /* copies of host tensors, by argument */
    enum run_state state;
    bool launched;
    bool failed;
    char failure[MAX_SENTENCE];
    struct run *next;   /* of all runs */
    struct run *behind; /* in the queue */
};

/* A hold or a fault that a test asked for. */
struct wish {
    char run[MAX_NAME];
    char what[16];
    struct wish *next;
};

struct callable {
    char name[MAX_NAME];
    struct callable *next;
};

struct options {
    uint64_t memory;
    uint64_t alignment;
    uint32_t depth;
    uint32_t flags;
    uint64_t kernel_nanos;
    bool view;
    bool bad_alignment; /* declares an alignment that is no power of two: to test that it is refused */
};

struct baton_device {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t worker;
    uint64_t serial;
    struct options options;
    unsigned char *arena;
    struct block *blocks;
    struct run *runs;
    struct run *queue;
    struct run *executing;
    uint64_t generation; /* raised by reset */
    uint32_t busy;
    bool closing;
    baton_completion completion;
    void *completion_user;
    struct wish *wishes;
    struct callable *callables;
    char complaint[MAX_SENTENCE]; /* the first misuse that was seen, or "" */
};

/* error.c */
int32_t reference_fail(int32_t status, const char *format, ...) __attribute__((format(printf, 2, 3)));
void reference_sentence(const char *text);
void reference_complain(baton_device *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* options.c */
int32_t reference_options(const char *text, struct options *options);

/* memory.c; inside the lock */
int32_t memory_open(baton_device *d);
void memory_close(baton_device *d);
void memory_reset(baton_device *d);
int32_t memory_take(baton_device *d, enum block_kind kind, baton_run owner, uint64_t bytes, uint64_t *address);
void memory_give_scratch(baton_device *d, baton_run owner);
struct block *memory_find(baton_device *d, uint64_t address, uint64_t bytes);

/* faults.c; inside the lock */
bool wish_is(baton_device *d, const char *run, const char *what);
bool wish_take(baton_device *d, const char *run, const char *what);
void wishes_clear(baton_device *d);

/* kernels.c */
const char *kernel_shape(const char *kernel); /* t for a tensor, s for a scalar; NULL if there is no such kernel */
const char *kernel_names(void);
/* Executes one task; false and a sentence if it must not. */
bool kernel_execute(baton_device *d, struct run *run, const baton_task *task, char *sentence, size_t size);

/* tensor.c */
struct tensor {
    const char *run;
    uint32_t argument;
    uint32_t role;
    uint32_t type;
    uint32_t rank;
    const int64_t *shape;
    const int64_t *strides;
    uint64_t count;
    uint64_t address;
    uint64_t low; /* bytes that may be touched: from here */
    uint64_t high; /* to here, exclusive */
};
uint64_t type_bytes(uint32_t type);
double tensor_get(const struct tensor *t, uint64_t index);
void tensor_set(const struct tensor *t, uint64_t index, double value);
double value_of(uint32_t type, uint64_t bits);
bool tensor_plain(const struct tensor *t);
bool tensor_inside(const struct tensor *t, char *sentence, size_t size);

/* runs.c; inside the lock */
struct run *run_find(baton_device *d, baton_run handle);
void run_forget(baton_device *d, struct run *run);
void runs_clear(baton_device *d);
bool deadline_wait(baton_device *d, const struct timespec *until);
struct timespec deadline_after(uint64_t nanos);

/* worker.c */
void *worker_main(void *device);
void worker_start(baton_device *d);
void worker_take_off(baton_device *d, struct run *run);

#endif
