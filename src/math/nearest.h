/* Suggestion for a misspelt name, by edit distance: "did you mean ...?" */
#ifndef CORDAGE_MATH_NEAREST_H
#define CORDAGE_MATH_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

/* The closest candidate so far. */
typedef struct nearest {
    const char *word, *best;
    int distance;
} nearest;

nearest cord__nearest_begin(const char *word);
void cord__nearest_offer(nearest *n, const char *candidate);

/* The closest name of a NULL-terminated list. */
nearest cord__nearest_of(const char *word, const char *const *names);

/* The best one itself; NULL when none is close. */
const char *cord__nearest_name(const char *word, const char *const *names);

/* " (did you mean \"x\"?)", or "" when nothing is close. */
const char *cord__nearest_hint(const nearest *n, char *buffer, size_t size);

#endif
