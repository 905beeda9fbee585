/* Shared by the examples: errors end the program with the message of the world. */
#ifndef CORDAGE_EXAMPLE_H
#define CORDAGE_EXAMPLE_H

#include <cordage/cordage.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static inline void must(const cord_world *world, cord_status status)
{
    if (status == CORD_OK) return;
    fprintf(stderr, "%s: %s\n", cord_status_text(status), cord_world_get_error(world));
    exit(1);
}

/* Prints a result beside its closed form; the exit code of the program. */
static inline int compare(const char *what, double got, double expected, double tolerance)
{
    printf("%s: %.6g, closed form %.6g\n", what, got, expected);
    return fabs(got - expected) <= tolerance ? 0 : 1;
}

#endif
