/* Opening, capabilities, callables, reset and closing. */
#include "reference.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A reset gives up on a kernel that does not stop. */
static const uint64_t RESET_PATIENCE_NANOS = 5000000000u;

static atomic_uint_fast64_t serials = 1;

uint32_t baton_abi_version(void) {
#ifdef REFERENCE_WRONG_VERSION
    return BATON_ABI_VERSION + 1; /* a library of the future, for the tests */
#else
    return BATON_ABI_VERSION;
#endif
}

int32_t baton_open(const char *options, baton_device **device) {
    baton_device *d = calloc(1, sizeof *d);
    int32_t status = reference_options(options, &d->options);
    status = status == BATON_OK ? memory_open(d) : status;
    if (status != BATON_OK) {
        free(d);
        return status;
    }
    d->serial = atomic_fetch_add(&serials, 1);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&d->lock, NULL);
    pthread_cond_init(&d->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    if (pthread_create(&d->worker, NULL, worker_main, d) != 0) {
        memory_close(d);
        free(d);
        return reference_fail(BATON_ERROR, "the worker's thread does not start");
    }
    *device = d;
    return BATON_OK;
}

int32_t baton_close(baton_device *d) {
    pthread_mutex_lock(&d->lock);
    d->closing = true;
    pthread_cond_broadcast(&d->changed);
    pthread_mutex_unlock(&d->lock);
    pthread_join(d->worker, NULL);
    runs_clear(d);
    wishes_clear(d);
    while (d->callables != NULL) {
        struct callable *c = d->callables;
        d->callables = c->next;
        free(c);
    }
    memory_close(d);
    pthread_cond_destroy(&d->changed);
    pthread_mutex_destroy(&d->lock);
    free(d);
    return BATON_OK;
}

int32_t baton_get_capabilities(baton_device *d, baton_capabilities *to) {
    baton_capabilities c;
    memset(&c, 0, sizeof c);
    c.size = to->size;
    c.flags = d->options.flags;
    c.max_depth = d->options.depth;
    c.alignment = d->options.bad_alignment ? 3 : d->options.alignment;
    c.memory_bytes = d->options.memory;
    snprintf(c.name, sizeof c.name, "reference");
    snprintf(c.version, sizeof c.version, "1");
    memcpy(to, &c, to->size < sizeof c ? to->size : sizeof c);
    return BATON_OK;
}

int32_t baton_attach_thread(baton_device *d) {
    (void) d; /* nothing to do here; a library that needs it sets up its thread-local state */
    return BATON_OK;
}

int32_t baton_set_completion(baton_device *d, baton_completion completion, void *user) {
    pthread_mutex_lock(&d->lock);
    d->completion = completion;
    d->completion_user = user;
    pthread_mutex_unlock(&d->lock);
    return BATON_OK;
}

int32_t baton_register(baton_device *d, const baton_callable *callable) {
    const char *shape = kernel_shape(callable->kernel);
    if (shape == NULL) {
        return reference_fail(BATON_ERROR, "callable %s: unknown kernel %s; known are %s", callable->name, callable->kernel, kernel_names());
    }
    struct callable *c = calloc(1, sizeof *c);
    snprintf(c->name, sizeof c->name, "%s", callable->name);
    pthread_mutex_lock(&d->lock);
    c->next = d->callables;
    d->callables = c;
    pthread_mutex_unlock(&d->lock);
    return BATON_OK;
}

int32_t baton_unregister(baton_device *d, const char *name) {
    int32_t status = reference_fail(BATON_ERROR, "callable %s is not registered", name);
    pthread_mutex_lock(&d->lock);
    for (struct callable **at = &d->callables; *at != NULL; at = &(*at)->next) {
        if (strcmp((*at)->name, name) == 0) {
            struct callable *c = *at;
            *at = c->next;
            free(c);
            status = BATON_OK;
            break;
        }
    }
    pthread_mutex_unlock(&d->lock);
    return status;
}

int32_t baton_reset(baton_device *d, int32_t *proven) {
    *proven = 0;
    if ((d->options.flags & BATON_CAN_PROVE_RESET) == 0) {
        reference_fail(BATON_ERROR, "this device can't prove that it is quiet");
        return BATON_OK;
    }
    struct timespec until = deadline_after(RESET_PATIENCE_NANOS);
    pthread_mutex_lock(&d->lock);
    d->generation++;
    d->queue = NULL;
    pthread_cond_broadcast(&d->changed);
    bool in_time = true;
    while (d->busy > 0 && in_time) {
        in_time = deadline_wait(d, &until);
    }
    if (d->busy > 0) {
        reference_fail(BATON_ERROR, "a kernel or a copy did not stop within 5 s");
    } else {
        d->executing = NULL; /* started, and not yet seen by the worker */
        runs_clear(d);
        memory_reset(d);
        wishes_clear(d);
        *proven = 1;
    }
    pthread_cond_broadcast(&d->changed);
    pthread_mutex_unlock(&d->lock);
    return BATON_OK;
}
