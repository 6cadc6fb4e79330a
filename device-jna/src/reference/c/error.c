/* The sentence of the last failure, one for each thread. */
#include "reference.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static __thread char last[MAX_SENTENCE];

int32_t reference_fail(int32_t status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(last, sizeof last, format, arguments);
    va_end(arguments);
    return status;
}

void reference_sentence(const char *text) {
    snprintf(last, sizeof last, "%s", text);
}

/* Keeps the first misuse for the tests. */
void reference_complain(baton_device *d, const char *format, ...) {
    if (d->complaint[0] == 0) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(d->complaint, sizeof d->complaint, format, arguments);
        va_end(arguments);
    }
}

const char *baton_last_error(void) {
    return last;
}
