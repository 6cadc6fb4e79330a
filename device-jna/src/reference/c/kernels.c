/* The seven kernels of the simulated device: out[i] = f(a[i], b[i], c) for each element of out. */
#include "reference.h"

#include <stdio.h>
#include <string.h>

enum operation { FILL, COPY, ADD_CONST, SCALE, ADD };

struct kernel {
    const char *name;
    const char *shape; /* t for a tensor, s for a scalar */
    enum operation operation;
    int a; /* argument, or -1 */
    int b;
    int out;
};

static const struct kernel KERNELS[] = {
    {"fill", "ts", FILL, -1, -1, 0},
    {"copy", "tt", COPY, 0, -1, 1},
    {"add_const", "tts", ADD_CONST, 0, -1, 1},
    {"scale", "tts", SCALE, 0, -1, 1},
    {"add", "ttt", ADD, 0, 1, 2},
    {"inc", "ts", ADD_CONST, 0, -1, 0},
    {"accumulate", "tt", ADD, 0, 1, 1},
};

static const struct kernel *find(const char *name) {
    for (size_t i = 0; i < sizeof KERNELS / sizeof KERNELS[0]; i++) {
        if (strcmp(KERNELS[i].name, name) == 0) {
            return &KERNELS[i];
        }
    }
    return NULL;
}

const char *kernel_shape(const char *kernel) {
    const struct kernel *k = find(kernel);
    return k == NULL ? NULL : k->shape;
}

const char *kernel_names(void) {
    return "accumulate, add, add_const, copy, fill, inc, scale";
}

static uint64_t count_of(uint32_t rank, const int64_t *shape) {
    uint64_t n = 1;
    for (uint32_t i = 0; i < rank; i++) {
        n *= (uint64_t) shape[i];
    }
    return n;
}

/* Where the bytes of an argument lie, and how far they may be touched. */
static bool tensor_of(baton_device *d, struct run *run, const baton_task_argument *given, uint32_t number, struct tensor *t) {
    t->run = run->plan->name;
    t->argument = given->kind == BATON_TASK_ARGUMENT_OF_RUN ? given->index : number;
    if (given->kind == BATON_TASK_SCRATCH) {
        t->role = BATON_INOUT;
        t->type = BATON_F32;
        t->rank = 0;
        t->count = given->bytes / 4;
        t->address = t->low = given->address;
        t->high = given->address + given->bytes;
        t->strides = t->shape = NULL;
        return true;
    }
    const baton_argument *a = &run->plan->arguments[given->index];
    t->role = a->role;
    t->type = a->type;
    t->rank = a->rank;
    t->shape = a->shape;
    t->strides = a->strides;
    t->count = count_of(a->rank, a->shape);
    if (a->kind == BATON_HOST_TENSOR) {
        t->address = t->low = (uint64_t) (uintptr_t) run->stages[given->index];
        t->high = t->low + t->count * type_bytes(a->type);
        return true;
    }
    t->address = a->address;
    pthread_mutex_lock(&d->lock);
    struct block *b = a->span_bytes == 0 ? NULL : memory_find(d, a->span_address, a->span_bytes);
    t->low = b == NULL ? 0 : a->span_address;
    t->high = b == NULL ? 0 : a->span_address + a->span_bytes;
    pthread_mutex_unlock(&d->lock);
    return true;
}

static double one(enum operation o, double a, double b, double c) {
    switch (o) {
        case FILL: return c;
        case COPY: return a;
        case ADD_CONST: return a + c;
        case SCALE: return a * c;
        default: return a + b;
    }
}

/* Floats that lie in a row, computed as floats. */
static void floats(enum operation o, const float *a, const float *b, float *out, float c, uint64_t n) {
    for (uint64_t i = 0; i < n; i++) {
        switch (o) {
            case FILL: out[i] = c; break;
            case COPY: out[i] = a[i]; break;
            case ADD_CONST: out[i] = a[i] + c; break;
            case SCALE: out[i] = a[i] * c; break;
            default: out[i] = a[i] + b[i]; break;
        }
    }
}

static bool fast(const struct tensor *t, uint64_t n) {
    return t->type == BATON_F32 && t->count >= n && (t->address & 3) == 0 && (t->rank == 0 || tensor_plain(t));
}

static const float *at(const struct tensor *t) {
    return (const float *) (uintptr_t) t->address;
}

bool kernel_execute(baton_device *d, struct run *run, const baton_task *task, char *sentence, size_t size) {
    const struct kernel *k = find(task->kernel);
    struct tensor tensors[3];
    double c = 0;
    for (uint32_t i = 0; i < task->argument_count; i++) {
        const baton_task_argument *given = &task->arguments[i];
        if (k->shape[i] == 's') {
            const baton_argument *a = given->kind == BATON_TASK_VALUE ? NULL : &run->plan->arguments[given->index];
            c = a == NULL ? value_of(given->type, given->bits) : value_of(a->type, a->bits);
        } else {
            tensor_of(d, run, given, i, &tensors[i]);
            if (!tensor_inside(&tensors[i], sentence, size)) {
                return false;
            }
        }
    }
    const struct tensor *out = &tensors[k->out];
    const struct tensor *a = k->a < 0 ? out : &tensors[k->a];
    const struct tensor *b = k->b < 0 ? out : &tensors[k->b];
    if (out->role == BATON_IN) {
        snprintf(sentence, size, "run %s, argument %u at 0x%llx is IN and may not be written", out->run, out->argument,
                (unsigned long long) out->address);
        return false;
    }
    uint64_t n = out->count;
    if (a->count < n || b->count < n) {
        snprintf(sentence, size, "run %s: kernel %s writes %llu elements and has fewer to read", out->run, k->name, (unsigned long long) n);
        return false;
    }
    if (fast(out, n) && fast(a, n) && fast(b, n)) {
        floats(k->operation, at(a), at(b), (float *) (uintptr_t) out->address, (float) c, n);
        return true;
    }
    for (uint64_t i = 0; i < n; i++) {
        tensor_set(out, i, one(k->operation, k->a < 0 ? 0 : tensor_get(a, i), k->b < 0 ? 0 : tensor_get(b, i), c));
    }
    return true;
}
