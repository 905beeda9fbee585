/* LU factorisation, without pivoting, of a matrix with a symmetric profile: row and column k have no entries beyond last[k], which
 * does not decrease, so that fill stays within it. For matrices that differ little from positive definite ones. */
#ifndef CORDAGE_MATH_PROFILE_LU_H
#define CORDAGE_MATH_PROFILE_LU_H

#include <stdbool.h>
#include <stddef.h>

typedef struct profile_matrix {
    int n;
    int *last;  /* n */
    int *start; /* n: a[start[i] + j] is the entry in row i and column j */
    double *a;
} profile_matrix;

enum { PROFILE_PADDING = 3 }; /* zeros after each row, as kernels take whole vectors */

static inline double *profile_row(const profile_matrix *m, int i)
{
    return m->a + m->start[i];
}

/* From `last`, which it increases by pairs of rows, finds where rows start. Returns the length of `a`; 0: it is beyond `most`. */
size_t cord__profile_layout(const profile_matrix *m, size_t most);

/* In place. False where a pivot is zero or not finite. */
bool cord__profile_factor(const profile_matrix *m);

/* With the factors: x, n doubles, becomes the solution. */
void cord__profile_solve(const profile_matrix *m, double *x);

#endif
