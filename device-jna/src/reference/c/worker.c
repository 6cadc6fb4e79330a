/* The thread that executes what was launched, one run at a time, in order. */
#include "reference.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

void worker_take_off(baton_device *d, struct run *run) {
    for (struct run **at = &d->queue; *at != NULL; at = &(*at)->behind) {
        if (*at == run) {
            *at = run->behind;
            run->state = RUN_OFF;
            return;
        }
    }
}

static void fail(struct run *run, const char *sentence) {
    run->failed = true;
    snprintf(run->failure, sizeof run->failure, "%s", sentence);
}

/* Work that failed has written something, and not what was asked. */
static void scribble(baton_device *d, const struct run *run) {
    for (uint32_t i = 0; i < run->plan->argument_count; i++) {
        const baton_argument *a = &run->plan->arguments[i];
        if (a->kind == BATON_DEVICE_TENSOR && a->role == BATON_OUT && memory_find(d, a->span_address, a->span_bytes) != NULL
                && a->strides == NULL) {
            memset((void *) (uintptr_t) a->span_address, 0xa5, a->span_bytes);
        }
    }
}

/* Computes outside the lock; true and nothing, or false and why. */
static bool compute(baton_device *d, struct run *run, char *sentence, size_t size) {
    for (uint32_t i = 0; i < run->task_count; i++) {
        char why[MAX_SENTENCE];
        if (!kernel_execute(d, run, run->tasks[i], why, sizeof why)) {
            const char *scope = run->tasks[i]->scope;
            snprintf(sentence, size, "%s%s%s%.400s", scope[0] ? "in scope " : "", scope, scope[0] ? ": " : "", why);
            return false;
        }
    }
    return true;
}

/* Spends the time of a kernel; inside the lock, which waiting gives up. False if the run is gone. */
static bool stand(baton_device *d, const struct run *run, uint64_t generation) {
    char name[MAX_NAME];
    snprintf(name, sizeof name, "%s", run->plan->name);
    while (d->generation == generation && !d->closing && wish_is(d, name, "hold")) {
        pthread_cond_wait(&d->changed, &d->lock);
    }
    uint64_t nanos = d->options.kernel_nanos * (run->task_count == 0 ? 1 : run->task_count);
    if (nanos > 0 && d->generation == generation) {
        struct timespec until = deadline_after(nanos);
        while (d->generation == generation && !d->closing && deadline_wait(d, &until)) {
        }
    }
    return d->generation == generation && !d->closing;
}

static void end(baton_device *d, struct run *run) {
    run->state = RUN_ENDED;
    if (d->completion != NULL) {
        baton_completion completion = d->completion;
        void *user = d->completion_user;
        baton_run handle = run->handle;
        pthread_cond_broadcast(&d->changed);
        pthread_mutex_unlock(&d->lock);
        completion(user, handle);
        pthread_mutex_lock(&d->lock);
    }
}

static void drop_behind(baton_device *d, const char *failed, uint64_t generation) {
    char name[MAX_NAME];
    snprintf(name, sizeof name, "%s", failed);
    while (d->generation == generation && d->queue != NULL) {
        struct run *behind = d->queue;
        d->queue = behind->behind;
        char sentence[MAX_SENTENCE];
        snprintf(sentence, sizeof sentence, "it was dropped because run %s failed before it", name);
        fail(behind, sentence);
        end(d, behind);
    }
}

/* The next run has started as soon as it is the next: only what stands behind another can be taken off. */
void worker_start(baton_device *d) {
    if (d->executing == NULL && d->queue != NULL) {
        d->executing = d->queue;
        d->queue = d->executing->behind;
        d->executing->behind = NULL;
        d->executing->state = RUN_EXECUTING;
    }
}

static void execute(baton_device *d, struct run *run) {
    uint64_t generation = d->generation;
    d->busy++;
    bool alive = stand(d, run, generation);
    if (alive) {
        char sentence[MAX_SENTENCE] = "";
        bool good = !wish_is(d, run->plan->name, "execute");
        if (good) {
            pthread_mutex_unlock(&d->lock);
            good = compute(d, run, sentence, sizeof sentence);
            pthread_mutex_lock(&d->lock);
        } else {
            scribble(d, run);
            snprintf(sentence, sizeof sentence, "run %.200s: failure on demand while executing", run->plan->name);
        }
        alive = d->generation == generation;
        if (alive && !good) {
            fail(run, sentence);
        }
    }
    d->executing = NULL;
    d->busy--;
    if (alive) {
        bool dropping = run->failed && (d->options.flags & BATON_CANCELS_BEHIND_FAILURE) != 0;
        char name[MAX_NAME];
        snprintf(name, sizeof name, "%s", run->plan->name);
        if (!dropping) {
            worker_start(d);
        }
        end(d, run);
        if (dropping) {
            drop_behind(d, name, generation);
            worker_start(d);
        }
    }
    pthread_cond_broadcast(&d->changed);
}

void *worker_main(void *device) {
    baton_device *d = device;
    pthread_mutex_lock(&d->lock);
    while (!d->closing) {
        if (d->executing == NULL) {
            pthread_cond_wait(&d->changed, &d->lock);
        } else {
            execute(d, d->executing);
        }
    }
    pthread_mutex_unlock(&d->lock);
    return NULL;
}
