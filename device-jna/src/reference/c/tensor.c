/* Elements of tensors of any type and strides. */
#include "reference.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

uint64_t type_bytes(uint32_t type) {
    switch (type) {
        case BATON_F16: case BATON_BF16: case BATON_I16: return 2;
        case BATON_F32: case BATON_I32: return 4;
        case BATON_F64: case BATON_I64: return 8;
        case BATON_I8: case BATON_U8: return 1;
        default: return 0;
    }
}

static float float_of(uint32_t bits) {
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static uint32_t bits_of(float f) {
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static double half_value(uint16_t half) {
    uint32_t exponent = (half >> 10) & 0x1f;
    uint32_t fraction = half & 0x3ff;
    double magnitude = exponent == 0x1f ? (fraction != 0 ? NAN : INFINITY)
            : exponent == 0             ? ldexp(fraction, -24)
                                        : ldexp(1024.0 + fraction, (int) exponent - 25);
    return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

static uint16_t half_bits(double value) {
    float f = (float) value;
    uint32_t bits = bits_of(f);
    uint16_t sign = (uint16_t) ((bits >> 16) & 0x8000);
    float magnitude = fabsf(f);
    if (isnan(f)) {
        return sign | 0x7e00;
    }
    if (magnitude >= 65520.0f) {
        return sign | 0x7c00;
    }
    if (magnitude < 0x1p-14f) {
        return sign | (uint16_t) rintf(magnitude * 0x1p24f);
    }
    uint32_t body = (bits & 0x7fffffffu) - (112u << 23);
    return sign | (uint16_t) ((body + 0xfff + ((body >> 13) & 1)) >> 13);
}

static uint16_t brain_bits(double value) {
    uint32_t bits = bits_of((float) value);
    return isnan((float) value) ? (uint16_t) ((bits >> 16) | 0x40) : (uint16_t) ((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

double value_of(uint32_t type, uint64_t bits) {
    double f64;
    switch (type) {
        case BATON_F16: return half_value((uint16_t) bits);
        case BATON_BF16: return float_of((uint32_t) bits << 16);
        case BATON_F32: return float_of((uint32_t) bits);
        case BATON_F64: memcpy(&f64, &bits, sizeof f64); return f64;
        case BATON_I8: return (int8_t) bits;
        case BATON_I16: return (int16_t) bits;
        case BATON_I32: return (int32_t) bits;
        case BATON_I64: return (double) (int64_t) bits;
        default: return (uint8_t) bits;
    }
}

/* As Java converts: towards zero, NaN is zero, too large is the largest. */
static int64_t whole(double value) {
    if (isnan(value)) {
        return 0;
    }
    if (value >= 0x1p63) {
        return INT64_MAX;
    }
    return value <= -0x1p63 ? INT64_MIN : (int64_t) value;
}

static uint64_t bits_for(uint32_t type, double value) {
    uint64_t bits;
    switch (type) {
        case BATON_F16: return half_bits(value);
        case BATON_BF16: return brain_bits(value);
        case BATON_F32: return bits_of((float) value);
        case BATON_F64: memcpy(&bits, &value, sizeof bits); return bits;
        default: return (uint64_t) whole(value);
    }
}

bool tensor_plain(const struct tensor *t) {
    if (t->strides != NULL) {
        int64_t step = 1;
        for (uint32_t i = t->rank; i-- > 0;) {
            if (t->strides[i] != step && t->shape[i] != 1) {
                return false;
            }
            step *= t->shape[i];
        }
    }
    return true;
}

static uint64_t address_of(const struct tensor *t, uint64_t index) {
    if (tensor_plain(t)) {
        return t->address + index * type_bytes(t->type);
    }
    int64_t offset = 0;
    for (uint32_t i = t->rank; i-- > 0;) {
        int64_t size = t->shape[i];
        offset += (int64_t) (index % (uint64_t) size) * t->strides[i];
        index /= (uint64_t) size;
    }
    return t->address + (uint64_t) (offset * (int64_t) type_bytes(t->type));
}

/* Whether all elements lie in bytes that may be touched. */
bool tensor_inside(const struct tensor *t, char *sentence, size_t size) {
    if (t->count == 0) {
        return true;
    }
    int64_t low = 0;
    int64_t high = 0;
    for (uint32_t i = 0; i < t->rank; i++) {
        int64_t step = 1;
        if (t->strides != NULL) {
            step = t->strides[i];
        } else {
            for (uint32_t j = i + 1; j < t->rank; j++) {
                step *= t->shape[j];
            }
        }
        int64_t reach = step * (t->shape[i] - 1);
        low += reach < 0 ? reach : 0;
        high += reach > 0 ? reach : 0;
    }
    int64_t bytes = (int64_t) type_bytes(t->type);
    uint64_t first = t->address + (uint64_t) (low * bytes);
    uint64_t last = t->address + (uint64_t) ((high + 1) * bytes);
    bool inside = first >= t->low && last <= t->high;
    if (!inside) {
        snprintf(sentence, size, "run %s, argument %u touches 0x%llx to 0x%llx, which is not allocated", t->run, t->argument,
                (unsigned long long) first, (unsigned long long) last);
    }
    return inside;
}

double tensor_get(const struct tensor *t, uint64_t index) {
    uint64_t bits = 0;
    memcpy(&bits, (const void *) (uintptr_t) address_of(t, index), type_bytes(t->type));
    return value_of(t->type, bits);
}

void tensor_set(const struct tensor *t, uint64_t index, double value) {
    uint64_t bits = bits_for(t->type, value);
    memcpy((void *) (uintptr_t) address_of(t, index), &bits, type_bytes(t->type));
}
