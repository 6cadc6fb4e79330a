/* From begin to finalize. */
#include "reference.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static atomic_uint_fast64_t handles = 1;

struct timespec deadline_after(uint64_t nanos) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    uint64_t seconds = nanos / 1000000000u;
    t.tv_sec += (time_t) (seconds > 1000000000u ? 1000000000u : seconds);
    t.tv_nsec += (long) (nanos % 1000000000u);
    if (t.tv_nsec >= 1000000000) {
        t.tv_sec++;
        t.tv_nsec -= 1000000000;
    }
    return t;
}

/* Waits for a change; false if the time has passed. */
bool deadline_wait(baton_device *d, const struct timespec *until) {
    return pthread_cond_timedwait(&d->changed, &d->lock, until) != ETIMEDOUT;
}

struct run *run_find(baton_device *d, baton_run handle) {
    for (struct run *r = d->runs; r != NULL; r = r->next) {
        if (r->handle == handle) {
            return r;
        }
    }
    return NULL;
}

static void run_free(struct run *run) {
    for (uint32_t i = 0; i < run->plan->argument_count; i++) {
        free(run->stages[i]);
    }
    free(run->stages);
    free(run->tasks);
    free(run);
}

void run_forget(baton_device *d, struct run *run) {
    for (struct run **at = &d->runs; *at != NULL; at = &(*at)->next) {
        if (*at == run) {
            *at = run->next;
            break;
        }
    }
    memory_give_scratch(d, run->handle);
    run_free(run);
}

void runs_clear(baton_device *d) {
    while (d->runs != NULL) {
        struct run *r = d->runs;
        d->runs = r->next;
        run_free(r);
    }
    d->queue = NULL;
}

static int32_t stale(baton_run handle) {
    return reference_fail(BATON_STALE, "run %llu is not known: it has ended, or the device was reset", (unsigned long long) handle);
}

static int32_t misused(baton_device *d, const struct run *run, const char *call) {
    reference_complain(d, "%s of run %.200s in a wrong state (%d)", call, run->plan->name, run->state);
    return reference_fail(BATON_ERROR, "%s of run %.200s in a wrong state (%d)", call, run->plan->name, run->state);
}

int32_t baton_begin(baton_device *d, const baton_plan *plan, baton_run *handle) {
    struct run *run = calloc(1, sizeof *run);
    run->plan = plan;
    run->stages = calloc(plan->argument_count + 1, sizeof *run->stages);
    run->handle = atomic_fetch_add(&handles, 1);
    *handle = run->handle;
    pthread_mutex_lock(&d->lock);
    run->next = d->runs;
    d->runs = run;
    pthread_mutex_unlock(&d->lock);
    return BATON_OK;
}

static bool is_scalar(const struct run *run, const baton_task_argument *a) {
    return a->kind == BATON_TASK_VALUE
            || (a->kind == BATON_TASK_ARGUMENT_OF_RUN && run->plan->arguments[a->index].kind == BATON_VALUE);
}

static int32_t check_task(baton_device *d, const struct run *run, const baton_task *task) {
    const char *shape = kernel_shape(task->kernel);
    if (shape == NULL) {
        return reference_fail(BATON_ERROR, "unknown kernel %s; known are %s", task->kernel, kernel_names());
    }
    if (strlen(shape) != task->argument_count) {
        return reference_fail(BATON_ERROR, "kernel %s takes %d arguments, not %u", task->kernel, (int) strlen(shape), task->argument_count);
    }
    for (uint32_t i = 0; i < task->argument_count; i++) {
        const baton_task_argument *a = &task->arguments[i];
        if (a->kind == BATON_TASK_ARGUMENT_OF_RUN && a->index >= run->plan->argument_count) {
            return reference_fail(BATON_ERROR, "run %s has no argument %u", run->plan->name, a->index);
        }
        if (is_scalar(run, a) != (shape[i] == 's')) {
            return reference_fail(BATON_ERROR, "kernel %s: argument %u must be a %s", task->kernel, i, shape[i] == 's' ? "scalar" : "tensor");
        }
        if (a->kind == BATON_TASK_SCRATCH) {
            struct block *b = memory_find(d, a->address, a->bytes);
            if (b == NULL || b->kind != BLOCK_SCRATCH || b->owner != run->handle) {
                return reference_fail(BATON_ERROR, "kernel %s: %llu bytes at 0x%llx are no scratch memory of run %s", task->kernel,
                        (unsigned long long) a->bytes, (unsigned long long) a->address, run->plan->name);
            }
        }
    }
    return BATON_OK;
}

int32_t baton_emit(baton_device *d, baton_run handle, const baton_task *task) {
    pthread_mutex_lock(&d->lock);
    struct run *run = run_find(d, handle);
    int32_t status = run == NULL ? stale(handle) : run->state != RUN_PREPARING ? misused(d, run, "emit") : check_task(d, run, task);
    if (status == BATON_OK) {
        run->tasks = realloc(run->tasks, (run->task_count + 1) * sizeof *run->tasks);
        run->tasks[run->task_count++] = task;
    }
    pthread_mutex_unlock(&d->lock);
    return status;
}

int32_t baton_scratch(baton_device *d, baton_run handle, uint64_t bytes, uint64_t *address) {
    pthread_mutex_lock(&d->lock);
    struct run *run = run_find(d, handle);
    int32_t status = run == NULL ? stale(handle)
            : run->state != RUN_PREPARING ? misused(d, run, "scratch")
                                          : memory_take(d, BLOCK_SCRATCH, handle, bytes, address);
    pthread_mutex_unlock(&d->lock);
    return status;
}

/* Host tensors go to the device in one piece. */
static void stage(struct run *run) {
    for (uint32_t i = 0; i < run->plan->argument_count; i++) {
        const baton_argument *a = &run->plan->arguments[i];
        if (a->kind != BATON_HOST_TENSOR) {
            continue;
        }
        uint64_t bytes = 0;
        for (uint64_t p = 0; p < a->piece_count; p++) {
            bytes += a->pieces[p].bytes;
        }
        unsigned char *to = malloc(bytes + 1);
        run->stages[i] = to;
        for (uint64_t p = 0; p < a->piece_count; p++) {
            memcpy(to, a->pieces[p].address, a->pieces[p].bytes);
            to += a->pieces[p].bytes;
        }
    }
}

static void unstage(const struct run *run) {
    for (uint32_t i = 0; i < run->plan->argument_count; i++) {
        const baton_argument *a = &run->plan->arguments[i];
        if (a->kind == BATON_HOST_TENSOR && (a->role == BATON_OUT || a->role == BATON_INOUT)) {
            const unsigned char *from = run->stages[i];
            for (uint64_t p = 0; p < a->piece_count; p++) {
                memcpy(a->pieces[p].address, from, a->pieces[p].bytes);
                from += a->pieces[p].bytes;
            }
        }
    }
}

int32_t baton_prepare(baton_device *d, baton_run handle) {
    pthread_mutex_lock(&d->lock);
    struct run *run = run_find(d, handle);
    int32_t status = BATON_OK;
    if (run == NULL) {
        status = stale(handle);
    } else if (run->state != RUN_PREPARING) {
        status = misused(d, run, "prepare");
    } else if (wish_is(d, run->plan->name, "prepare")) {
        status = reference_fail(BATON_ERROR, "run %.200s: failure on demand of prepare", run->plan->name);
    } else if ((run->plan->flags & BATON_RUN_EARLY) != 0 && wish_is(d, run->plan->name, "incompatible")) {
        status = reference_fail(BATON_INCOMPATIBLE, "run %.200s can't be prepared beside others", run->plan->name);
    } else {
        stage(run);
        run->state = RUN_PREPARED;
    }
    pthread_mutex_unlock(&d->lock);
    return status;
}

int32_t baton_abort(baton_device *d, baton_run handle) {
    pthread_mutex_lock(&d->lock);
    struct run *run = run_find(d, handle);
    int32_t status = BATON_OK;
    if (run == NULL) {
        status = stale(handle);
    } else if (run->state != RUN_PREPARING) {
        status = misused(d, run, "abort");
    } else if (wish_is(d, run->plan->name, "abort")) {
        status = reference_fail(BATON_ERROR, "run %.200s: failure on demand of abort", run->plan->name);
    } else {
        run_forget(d, run);
    }
    pthread_mutex_unlock(&d->lock);
    return status;
}

int32_t baton_run_write(baton_device *d, baton_run handle, uint64_t to, const void *from, uint64_t bytes) {
    pthread_mutex_lock(&d->lock);
    struct run *run = run_find(d, handle);
    int32_t status = BATON_OK;
    if (run == NULL) {
        status = stale(handle);
    } else if (run->state != RUN_PREPARED || run->launched) {
        status = misused(d, run, "write");
    } else if (bytes > 0 && memory_find(d, to, bytes) == NULL) {
        status = reference_fail(BATON_ERROR, "run %.200s: the %llu bytes at 0x%llx are not allocated", run->plan->name,
                (unsigned long long) bytes, (unsigned long long) to);
    } else {
        memcpy((void *) (uintptr_t) to, from, bytes);
    }
    pthread_mutex_unlock(&d->lock);
    return status;
}

int32_t baton_launch(baton_device *d, baton_run handle) {
    pthread_mutex_lock(&d->lock);
    struct run *run = run_find(d, handle);
    int32_t status = BATON_OK;
    if (run == NULL) {
        status = stale(handle);
    } else if (run->state != RUN_PREPARED || run->launched) {
        status = misused(d, run, "launch");
    } else {
        run->launched = true;
        if (wish_is(d, run->plan->name, "launch")) {
            status = reference_fail(BATON_ERROR, "run %.200s: failure on demand of launch", run->plan->name);
        } else {
            run->state = RUN_QUEUED;
            struct run **at = &d->queue;
            while (*at != NULL) {
                at = &(*at)->behind;
            }
            *at = run;
            worker_start(d);
            pthread_cond_broadcast(&d->changed);
        }
    }
    pthread_mutex_unlock(&d->lock);
    return status;
}

/* Waits for the end of a run; it may be gone afterwards. */
static struct run *settle(baton_device *d, baton_run handle, uint64_t limit_nanos) {
    struct timespec until = deadline_after(limit_nanos);
    struct run *run = run_find(d, handle);
    while (limit_nanos > 0 && run != NULL && (run->state == RUN_QUEUED || run->state == RUN_EXECUTING)) {
        bool in_time = deadline_wait(d, &until);
        run = run_find(d, handle);
        if (!in_time) {
            break;
        }
    }
    return run;
}

int32_t baton_wait(baton_device *d, baton_run handle, uint64_t limit_nanos, int32_t *state) {
    pthread_mutex_lock(&d->lock);
    struct run *run = settle(d, handle, limit_nanos);
    int32_t status = BATON_OK;
    if (run == NULL) {
        status = stale(handle);
    } else if (run->state == RUN_QUEUED || run->state == RUN_EXECUTING) {
        *state = BATON_RUNNING;
    } else if (run->state != RUN_ENDED) {
        status = reference_fail(BATON_ERROR, "run %.200s is not on the device", run->plan->name);
    } else if (wish_is(d, run->plan->name, "ask")) {
        status = reference_fail(BATON_ERROR, "run %.200s: failure on demand of asking", run->plan->name);
    } else {
        *state = run->failed ? BATON_FAILED : BATON_ENDED;
        if (run->failed) {
            reference_sentence(run->failure);
        }
    }
    pthread_mutex_unlock(&d->lock);
    return status;
}

int32_t baton_poll(baton_device *d, baton_run handle, int32_t *state) {
    return baton_wait(d, handle, 0, state);
}

int32_t baton_finalize(baton_device *d, baton_run handle, uint64_t limit_nanos, int32_t *outcome) {
    pthread_mutex_lock(&d->lock);
    struct run *run = run_find(d, handle);
    int32_t status = BATON_OK;
    *outcome = BATON_UNPROVEN;
    if (run == NULL) {
        status = stale(handle);
    } else if (run->state == RUN_PREPARING) {
        status = misused(d, run, "finalize");
    } else if (wish_is(d, run->plan->name, "finalize")) {
        worker_take_off(d, run);
        reference_fail(BATON_ERROR, "run %.200s: failure on demand of finalize", run->plan->name);
    } else {
        worker_take_off(d, run);
        run = settle(d, handle, limit_nanos);
        if (run == NULL) {
            status = stale(handle);
        } else if (run->state == RUN_EXECUTING) {
            *outcome = BATON_STILL_EXECUTING;
        } else {
            *outcome = run->failed ? BATON_FAILED_BUT_DRAINED : BATON_COMPLETED;
            if (run->failed) {
                reference_sentence(run->failure);
            } else if (run->state == RUN_ENDED) {
                unstage(run);
            }
            run_forget(d, run);
        }
    }
    pthread_mutex_unlock(&d->lock);
    return status;
}
