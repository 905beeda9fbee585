/* The product of one row of W with forces as a kernel. */
#ifndef CORDAGE_SOLVE_CONE_CONE_PRODUCT_H
#define CORDAGE_SOLVE_CONE_CONE_PRODUCT_H

#include "math/lanes.h"
#include "math/vec3.h"
#include "solve/cone/cone_system.h"

/* Rows of blocks times forces, lane by lane, and the sums over three lanes at the end. Columns ascend, so that after all but the
 * last block of a row, and after their forces, there is at least one more double, which is loaded and not used. */
INLINE void product(const cone_system *s, const double *p, int contact, double *u)
{
    const cone_problem *w = s->problem;
    const double *own = p + 3 * contact, *shift = s->shift + 3 * contact;
    const int last = w->row_start[contact + 1] - 1;
    lanes x = {0}, y = {0}, z = {0};
    for (int k = w->row_start[contact]; k < last; k++) {
        const double *W = w->block + 9 * (size_t)k;
        const lanes q = l_load(p + 3 * w->column[k]);
        x += l_load(W) * q;
        y += l_load(W + 3) * q;
        z += l_load(W + 6) * q;
    }
    v3_set(u, shift[0] * own[0] + x[0] + x[1] + x[2], shift[1] * own[1] + y[0] + y[1] + y[2],
           shift[2] * own[2] + z[0] + z[1] + z[2]);
    if (last < w->row_start[contact]) return;
    const double *W = w->block + 9 * (size_t)last, *q = p + 3 * w->column[last];
    for (int axis = 0; axis < 3; axis++) u[axis] += v3_dot(W + 3 * axis, q);
}

#endif
