/* Strands for the tests of contact detection. */
#ifndef CORDAGE_TESTS_CONTACT_STRANDS_H
#define CORDAGE_TESTS_CONTACT_STRANDS_H

#include "contact/contact.h"
#include "math/vec3.h"
#include "support/numbers.h"

#define ANY_CURVE .self = true, .group = 1, .mask = 1

/* The segments of a polygon of n + 1 vertices (closed: of n, which then has n segments), from segment `at` of the list on. */
static inline void set_strand(contact_segment *list, int at, int block, int n, bool closed,
                              const double (*x)[3], double radius)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        contact_segment *g = list + at + i;
        *g = (contact_segment){.radius = radius, .block = block, .segment = i};
        v3_copy(g->x[0], x[i]);
        v3_copy(g->x[1], x[closed && i == n - 1 ? 0 : i + 1]);
        g->s[0] = s;
        g->s[1] = s += v3_distance(g->x[0], g->x[1]);
        g->before = i > 0 ? at + i - 1 : closed ? at + n - 1 : -1;
        g->after = i < n - 1 ? at + i + 1 : closed ? at : -1;
    }
}

/* One segment on its own. */
static inline contact_segment single_segment(const double a[3], const double b[3], double radius,
                                             int block)
{
    contact_segment g = {.radius = radius, .block = block, .before = -1, .after = -1};
    v3_copy(g.x[0], a);
    v3_copy(g.x[1], b);
    g.s[1] = v3_distance(a, b);
    return g;
}

#endif
