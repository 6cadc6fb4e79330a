/* Holds and faults on demand. Exported for tests; not part of the ABI. */
#include "reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct wish **place(baton_device *d, const char *run, const char *what) {
    struct wish **at = &d->wishes;
    while (*at != NULL && (strcmp((*at)->run, run) != 0 || strcmp((*at)->what, what) != 0)) {
        at = &(*at)->next;
    }
    return at;
}

bool wish_is(baton_device *d, const char *run, const char *what) {
    return *place(d, run, what) != NULL;
}

bool wish_take(baton_device *d, const char *run, const char *what) {
    struct wish **at = place(d, run, what);
    struct wish *w = *at;
    if (w != NULL) {
        *at = w->next;
        free(w);
    }
    return w != NULL;
}

void wishes_clear(baton_device *d) {
    while (d->wishes != NULL) {
        struct wish *w = d->wishes;
        d->wishes = w->next;
        free(w);
    }
}

/*
 * Asks for a fault or a hold. what: "hold" (the run stands on the device while it executes), "prepare", "incompatible", "abort", "launch",
 * "execute", "ask", "finalize" of a run; with run "" the next "allocate", "free", "read", "write".
 */
BATON_EXPORT void baton_reference_wish(baton_device *d, const char *run, const char *what) {
    struct wish *w = calloc(1, sizeof *w);
    snprintf(w->run, sizeof w->run, "%s", run);
    snprintf(w->what, sizeof w->what, "%s", what);
    pthread_mutex_lock(&d->lock);
    w->next = d->wishes;
    d->wishes = w;
    pthread_mutex_unlock(&d->lock);
}

/* Lets a held run go on. */
BATON_EXPORT void baton_reference_go(baton_device *d, const char *run) {
    pthread_mutex_lock(&d->lock);
    while (wish_take(d, run, "hold")) {
    }
    pthread_cond_broadcast(&d->changed);
    pthread_mutex_unlock(&d->lock);
}

/* The first misuse that was seen, or "". */
BATON_EXPORT void baton_reference_complaint(baton_device *d, char *to, uint64_t size) {
    pthread_mutex_lock(&d->lock);
    snprintf(to, size, "%s", d->complaint);
    pthread_mutex_unlock(&d->lock);
}
