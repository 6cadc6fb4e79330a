/* Options as the user writes them behind the path: name=value, separated by commas. */
#include "reference.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t JOINED = BATON_CAN_PREPARE_EARLY | BATON_CAN_LAUNCH_JOINED | BATON_CAN_HOST_BUILD;
static const uint32_t PROFILE_BITS = BATON_CAN_PREPARE_EARLY | BATON_CAN_LAUNCH_JOINED | BATON_CAN_HOST_BUILD;

static void defaults(struct options *o) {
    memset(o, 0, sizeof *o);
    o->memory = 64u << 20;
    o->alignment = 64;
    o->depth = 4;
    o->flags = JOINED | BATON_CAN_PROVE_RESET;
    o->view = true;
}

static void bit(struct options *o, uint32_t flag, bool on) {
    o->flags = on ? o->flags | flag : o->flags & ~flag;
}

static int32_t profile(struct options *o, const char *name) {
    o->flags &= ~PROFILE_BITS;
    if (strcmp(name, "joined") == 0) {
        o->flags |= JOINED;
    } else if (strcmp(name, "prepare-only") == 0) {
        o->flags |= BATON_CAN_PREPARE_EARLY | BATON_CAN_HOST_BUILD;
    } else if (strcmp(name, "no-build") == 0) {
        o->flags |= BATON_CAN_PREPARE_EARLY | BATON_CAN_LAUNCH_JOINED;
    } else if (strcmp(name, "serial") == 0) {
        o->flags |= BATON_CAN_HOST_BUILD;
        o->depth = 1;
    } else {
        return reference_fail(BATON_ERROR, "option profile=%s: known are joined, prepare-only, no-build, serial", name);
    }
    return BATON_OK;
}

#define KNOWN \
    "profile, memory, alignment, bad-alignment, depth, kernel-nanos, view, attach, nonblocking, cancels, reset-proof"

static bool known(const char *name) {
    static const char *const NAMES[] = {"memory", "alignment", "bad-alignment", "depth", "kernel-nanos", "view", "attach",
        "nonblocking", "cancels", "reset-proof"};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        if (strcmp(NAMES[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static int32_t set(struct options *o, const char *name, const char *value) {
    if (strcmp(name, "profile") == 0) {
        return profile(o, value);
    }
    if (!known(name)) {
        return reference_fail(BATON_ERROR, "unknown option %s; known are " KNOWN, name);
    }
    char *end;
    unsigned long long n = strtoull(value, &end, 10);
    if (*value == 0 || *end != 0) {
        return reference_fail(BATON_ERROR, "option %s=%s: a number is needed", name, value);
    }
    if (strcmp(name, "memory") == 0) {
        o->memory = n;
    } else if (strcmp(name, "alignment") == 0) {
        o->alignment = n;
    } else if (strcmp(name, "bad-alignment") == 0) {
        o->bad_alignment = n != 0;
    } else if (strcmp(name, "depth") == 0) {
        o->depth = (uint32_t) n;
    } else if (strcmp(name, "kernel-nanos") == 0) {
        o->kernel_nanos = n;
    } else if (strcmp(name, "view") == 0) {
        o->view = n != 0;
    } else if (strcmp(name, "attach") == 0) {
        bit(o, BATON_NEEDS_THREAD_ATTACH, n != 0);
    } else if (strcmp(name, "nonblocking") == 0) {
        bit(o, BATON_NON_BLOCKING, n != 0);
    } else if (strcmp(name, "cancels") == 0) {
        bit(o, BATON_CANCELS_BEHIND_FAILURE, n != 0);
    } else {
        bit(o, BATON_CAN_PROVE_RESET, n != 0);
    }
    return BATON_OK;
}

int32_t reference_options(const char *text, struct options *options) {
    defaults(options);
    char copy[MAX_SENTENCE];
    if (strlen(text) >= sizeof copy) {
        return reference_fail(BATON_ERROR, "the options are longer than %d bytes", (int) sizeof copy - 1);
    }
    strcpy(copy, text);
    char *rest = NULL;
    for (char *item = strtok_r(copy, ",", &rest); item != NULL; item = strtok_r(NULL, ",", &rest)) {
        char *value = strchr(item, '=');
        if (value == NULL) {
            return reference_fail(BATON_ERROR, "option %s has no value; write %s=...", item, item);
        }
        *value++ = 0;
        int32_t status = set(options, item, value);
        if (status != BATON_OK) {
            return status;
        }
    }
    if (options->alignment == 0 || (options->alignment & (options->alignment - 1)) != 0 || options->memory == 0 || options->depth == 0) {
        return reference_fail(BATON_ERROR, "options: memory and depth must be positive, alignment a power of two");
    }
    return BATON_OK;
}
