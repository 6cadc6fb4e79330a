/* The arena: blocks in order of address, first fit, neighbours joined again. */
#include "reference.h"

#include <stdlib.h>
#include <string.h>

static uint64_t round_up(uint64_t bytes, uint64_t to) {
    return (bytes + to - 1) / to * to;
}

int32_t memory_open(baton_device *d) {
    uint64_t alignment = d->options.alignment < 64 ? 64 : d->options.alignment;
    d->arena = aligned_alloc(alignment, round_up(d->options.memory, alignment));
    d->blocks = NULL;
    if (d->arena == NULL) {
        return reference_fail(BATON_ERROR, "the host has no %llu bytes for the device's memory", (unsigned long long) d->options.memory);
    }
    memory_reset(d);
    return BATON_OK;
}

static void forget_blocks(baton_device *d) {
    while (d->blocks != NULL) {
        struct block *b = d->blocks;
        d->blocks = b->next;
        free(b);
    }
}

void memory_close(baton_device *d) {
    forget_blocks(d);
    free(d->arena);
}

void memory_reset(baton_device *d) {
    forget_blocks(d);
    struct block *all = calloc(1, sizeof *all);
    all->address = (uint64_t) (uintptr_t) d->arena;
    all->bytes = d->options.memory;
    all->kind = BLOCK_FREE;
    d->blocks = all;
}

int32_t memory_take(baton_device *d, enum block_kind kind, baton_run owner, uint64_t bytes, uint64_t *address) {
    if (bytes == 0) {
        return reference_fail(BATON_ERROR, "zero bytes can't be allocated");
    }
    uint64_t most = 0;
    if (bytes <= d->options.memory) {
        uint64_t whole = round_up(bytes, d->options.alignment);
        for (struct block *b = d->blocks; b != NULL; b = b->next) {
            if (b->kind != BLOCK_FREE) {
                continue;
            }
            if (b->bytes >= bytes) {
                if (b->bytes > whole) {
                    struct block *rest = calloc(1, sizeof *rest);
                    rest->address = b->address + whole;
                    rest->bytes = b->bytes - whole;
                    rest->kind = BLOCK_FREE;
                    rest->next = b->next;
                    b->next = rest;
                    b->bytes = whole;
                }
                b->kind = kind;
                b->owner = owner;
                *address = b->address;
                return BATON_OK;
            }
            most = b->bytes > most ? b->bytes : most;
        }
    }
    return reference_fail(BATON_OUT_OF_MEMORY, "%llu bytes do not fit; the largest free piece has %llu of %llu bytes",
            (unsigned long long) bytes, (unsigned long long) most, (unsigned long long) d->options.memory);
}

static void join_free(baton_device *d) {
    for (struct block *b = d->blocks; b != NULL; b = b->next) {
        while (b->kind == BLOCK_FREE && b->next != NULL && b->next->kind == BLOCK_FREE) {
            struct block *next = b->next;
            b->bytes += next->bytes;
            b->next = next->next;
            free(next);
        }
    }
}

void memory_give_scratch(baton_device *d, baton_run owner) {
    for (struct block *b = d->blocks; b != NULL; b = b->next) {
        if (b->kind == BLOCK_SCRATCH && b->owner == owner) {
            b->kind = BLOCK_FREE;
        }
    }
    join_free(d);
}

/* The allocated block that holds all these bytes. */
struct block *memory_find(baton_device *d, uint64_t address, uint64_t bytes) {
    for (struct block *b = d->blocks; b != NULL; b = b->next) {
        if (address >= b->address && address - b->address < b->bytes) {
            bool inside = bytes <= b->bytes - (address - b->address);
            return inside && b->kind != BLOCK_FREE ? b : NULL;
        }
    }
    return NULL;
}

int32_t baton_allocate(baton_device *d, const char *label, uint64_t bytes, uint64_t *address) {
    pthread_mutex_lock(&d->lock);
    int32_t status = wish_take(d, "", "allocate") ? reference_fail(BATON_ERROR, "failure on demand of allocating %s", label)
                                                  : memory_take(d, BLOCK_CLIENT, 0, bytes, address);
    pthread_mutex_unlock(&d->lock);
    return status;
}

int32_t baton_free(baton_device *d, const char *label, uint64_t address) {
    pthread_mutex_lock(&d->lock);
    int32_t status = BATON_OK;
    struct block *b = memory_find(d, address, 1);
    if (b == NULL || b->address != address || b->kind != BLOCK_CLIENT) {
        reference_complain(d, "free of %s: 0x%llx is not allocated", label, (unsigned long long) address);
        status = reference_fail(BATON_ERROR, "%s: 0x%llx is not allocated", label, (unsigned long long) address);
    } else if (wish_take(d, "", "free")) {
        b->kind = BLOCK_QUARANTINED;
        status = reference_fail(BATON_ERROR, "failure on demand of freeing %s", label);
    } else {
        b->kind = BLOCK_FREE;
        join_free(d);
    }
    pthread_mutex_unlock(&d->lock);
    return status;
}

/* Begins to touch bytes outside the lock; a reset waits until they are left. */
static int32_t enter(baton_device *d, const char *what, const char *label, uint64_t address, uint64_t bytes) {
    int32_t status = BATON_OK;
    pthread_mutex_lock(&d->lock);
    if (wish_take(d, "", what)) {
        status = reference_fail(BATON_ERROR, "failure on demand: %s %s", what, label);
    } else if (bytes > 0 && memory_find(d, address, bytes) == NULL) {
        status = reference_fail(BATON_ERROR, "%s %s: the %llu bytes at 0x%llx are not allocated", what, label,
                (unsigned long long) bytes, (unsigned long long) address);
    } else {
        d->busy++;
    }
    pthread_mutex_unlock(&d->lock);
    return status;
}

static int32_t leave(baton_device *d) {
    pthread_mutex_lock(&d->lock);
    d->busy--;
    pthread_cond_broadcast(&d->changed);
    pthread_mutex_unlock(&d->lock);
    return BATON_OK;
}

static void *at(uint64_t address) {
    return (void *) (uintptr_t) address;
}

int32_t baton_write(baton_device *d, const char *label, uint64_t to, const void *from, uint64_t bytes) {
    int32_t status = enter(d, "write", label, to, bytes);
    if (status != BATON_OK) {
        return status;
    }
    memcpy(at(to), from, bytes);
    return leave(d);
}

int32_t baton_read(baton_device *d, const char *label, uint64_t from, void *to, uint64_t bytes) {
    int32_t status = enter(d, "read", label, from, bytes);
    if (status != BATON_OK) {
        return status;
    }
    memcpy(to, at(from), bytes);
    return leave(d);
}

int32_t baton_copy(baton_device *d, const char *label, uint64_t from, uint64_t to, uint64_t bytes) {
    int32_t status = enter(d, "write", label, to, bytes);
    if (status != BATON_OK) {
        return status;
    }
    pthread_mutex_lock(&d->lock);
    bool there = bytes == 0 || memory_find(d, from, bytes) != NULL;
    pthread_mutex_unlock(&d->lock);
    if (there) {
        memmove(at(to), at(from), bytes);
    }
    leave(d);
    return there ? BATON_OK
                 : reference_fail(BATON_ERROR, "copy %s: the %llu bytes at 0x%llx are not allocated", label,
                           (unsigned long long) bytes, (unsigned long long) from);
}

int32_t baton_fill(baton_device *d, const char *label, uint64_t to, uint64_t pattern, uint32_t pattern_bytes, uint64_t count) {
    if ((pattern_bytes != 1 && pattern_bytes != 2 && pattern_bytes != 4 && pattern_bytes != 8) || count > UINT64_MAX / pattern_bytes) {
        return reference_fail(BATON_ERROR, "fill %s: a pattern of %u bytes, %llu times", label, pattern_bytes, (unsigned long long) count);
    }
    int32_t status = enter(d, "write", label, to, count * pattern_bytes);
    if (status != BATON_OK) {
        return status;
    }
    unsigned char *out = at(to);
    for (uint64_t i = 0; i < count; i++) {
        memcpy(out + i * pattern_bytes, &pattern, pattern_bytes);
    }
    return leave(d);
}

int32_t baton_host_view(baton_device *d, uint64_t address, uint64_t bytes, void **view) {
    pthread_mutex_lock(&d->lock);
    *view = d->options.view && memory_find(d, address, bytes) != NULL ? at(address) : NULL;
    pthread_mutex_unlock(&d->lock);
    return BATON_OK;
}

int32_t baton_memory_info(baton_device *d, uint64_t *free_bytes, uint64_t *total_bytes) {
    pthread_mutex_lock(&d->lock);
    *free_bytes = 0;
    for (struct block *b = d->blocks; b != NULL; b = b->next) {
        *free_bytes += b->kind == BLOCK_FREE ? b->bytes : 0;
    }
    *total_bytes = d->options.memory;
    pthread_mutex_unlock(&d->lock);
    return BATON_OK;
}
