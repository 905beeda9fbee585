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

/* The start of a stage, of all dofs (solve/newton.h). Predictor terms, with the increment d, v₀ at the start of the step, and v and a
 * of the trial:
 *
 *     v̂ = v_d d + v_v v₀,      â = a_d d + a_v v₀ + a_a a + a_stage v,
 *
 * and the first guess of the unknowns: h v + of_a a, or in the lanes of `extrapolated`
 *
 *     (a* − â)/c_a − d,        a* = a + trend (a − a₀);
 *
 * of dofs without mass h v. */
typedef struct batch_start {
    const double *d, *v0, *a0, *v, *a;
    double v_d, v_v, a_d, a_v, a_a, a_stage;
    double h, of_a, trend, c_a;
    unsigned extrapolated;
    const int *unknown; /* per dof; negative: it has none */
    const double *mass; /* per dof, or NULL: all have some */
} batch_start;
void cord__batch_start(int count, const batch_start *s, double *v_predictor, double *a_predictor,
                       double *x);
/* v = c_v d + v̂ and a = c_a d + â. */
void cord__batch_rates(int count, double c_v, double c_a, const double *d,
                       const double *v_predictor, const double *a_predictor, double *v, double *a);
/* v[c] += from[index[c]], vectors of lanes, where the index is not negative. */
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
enum { BATCH_FRONT = 64 + 8 };

/* Eliminates `count` groups after those that left `front` (zeros before the first), and x = L⁻¹ b of these groups. Where a pivot is zero or
 * not finite the solution is not finite. */
void cord__batch_eliminate(int group, int count, const double *columns, double *front,
                           double *factor, const double *b, double *x);
/* x = L⁻¹ b, of all groups, and then x = (L D)⁻ᵀ x: together x = A⁻¹ b. */
void cord__batch_solve_forward(int group, int groups, const double *factor, const double *b,
                               double *x);
void cord__batch_solve_backward(int group, int groups, const double *factor, double *x);

/* Values of the lanes whose bit is not set are copied from `from` to `to`, `count` of each. */
void cord__batch_keep(unsigned set, int count, const double *from, double *to);

#endif
