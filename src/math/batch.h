/* Several systems of equal shape at once, one in each lane of a vector: factor and solve of bands (batch_front.h), and the
 * arrays that they are in. In an interleaved array the values of all lanes stand one after the other: value i of
 * lane l is at i × BATCH_LANES + l.
 *
 * There are four lanes with every processor: eight, with the instructions of AVX-512, took 6 to 11 % longer. */
#ifndef CORDAGE_MATH_BATCH_H
#define CORDAGE_MATH_BATCH_H

#include <stdbool.h>
#include <stddef.h>

enum { BATCH_LANES = 4 };

/* `count` values of each lane, from as many arrays into an interleaved one, and back. */
void cord__batch_gather(int count, const double *const *from, double *to);
void cord__batch_scatter(int count, const double *from, double *const *to);

/* Vectors of lanes by index, where it is not negative: to[index[c]] = of_v[c] v[c] + of_a[c] a[c], and v[c] += from[index[c]]. */
void cord__batch_guess(int count, const int *index, const double *of_v, const double *v,
                       const double *of_a, const double *a, double *to);
void cord__batch_add(int count, const int *index, const double *from, double *v);
/* Sets the bits of the lanes in which all of `count` values are finite. */
void cord__batch_finite(int count, const double *from, unsigned *set);

/* Columns come in groups of 5 that end 8 rows below the last of them, or of 4 and 7: the bands of rods, without padding. */
static inline bool batch_has_band(int width, int group)
{
    return (group == 5 && width == 12) || (group == 4 && width == 10);
}
/* Doubles per lane of a group of columns, of one of the factor, and of the front between two of them. */
static inline int batch_column_count(int group)
{
    return group == 5 ? 5 * 13 : 4 * 11;
}
static inline int batch_factor_count(int group)
{
    return group == 5 ? 55 : 38;
}
enum { BATCH_FRONT = 64 };

/* Eliminates `count` groups after those that left `front` (zeros before the first). Where a pivot is zero or not finite the
 * solution is not finite. */
void cord__batch_eliminate(int group, int count, const double *columns, double *front,
                           double *factor);
/* x = A⁻¹ b, of all groups. */
void cord__batch_solve(int group, int groups, const double *factor, const double *b, double *x);

/* Values of the lanes whose bit is not set are copied from `from` to `to`, `count` of each. */
void cord__batch_keep(unsigned set, int count, const double *from, double *to);

#endif
