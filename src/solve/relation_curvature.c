/* What the forces of a relation do to the matrix as its points move: K = Σ λ ∂²g over its columns, row ≤ column. */
#include "math/lanes.h"
#include "math/vec3.h"
#include "solve/problem.h"

#include <stdlib.h>

typedef double unaligned __attribute__((vector_size(8 * LANES), aligned(8), may_alias));

/* K += Jᵀ H J of two parts, from second derivatives over the poses; row ≤ column. Columns of a jet are
 * often along one axis. Where a row of K ends zeros are added to what comes after it. */
INLINE void part_curvature(relation *r, int pa, int pb, double h[12][12])
{
    enum { MOST = 32 };
    const relation_part *a = r->part + pa, *b = r->part + pb;
    for (int from = b->first, count; from < b->first + b->count; from += count) {
        double hJ[3][MOST + CURVATURE_BEYOND];
        count = b->first + b->count - from < MOST ? b->first + b->count - from : MOST;
        for (int x = 0; x < 3; x++) {
            for (int j = 0; j < count; j++)
                hJ[x][j] = v3_dot(h[3 * pa + x] + 3 * pb, r->jets + 3 * (from + j));
            for (int j = 0; j < CURVATURE_BEYOND; j++) hJ[x][count + j] = 0;
        }
        for (int i = a->first; i < a->first + a->count; i++) {
            double *K = r->K + i * r->columns + from;
            int first = pa == pb && i > from ? i - from : 0;
            for (int x = 0; x < 3; x++) {
                double u = r->jets[3 * i + x];
                if (u == 0) continue;
                for (int j = first; j < count; j += LANES)
                    *(unaligned *)(K + j) += u * *(const unaligned *)(hJ[x] + j);
            }
        }
    }
}

/* Where all jets are weights, K_ij is w_i w_j h_ij with h of the parts and axes of i and j: w_j h_ij for the three
 * axes of every part is all that is kept, row 3·part + axis. */
INLINE void weighed_curvature(relation *r, double h[12][12])
{
    for (int pa = 0; pa < RELATION_PARTS; pa++)
        for (int pb = 0; r->part[pa].block >= 0 && pb < RELATION_PARTS; pb++) {
            const relation_part *b = r->part + pb;
            for (int x = 0; b->block >= 0 && x < 3; x++) {
                double *row = r->K + (3 * pa + x) * r->columns;
                const double *own = h[3 * pa + x] + 3 * pb;
                for (int c = b->first; c < b->first + b->count; c += 3) {
                    double weight = r->jets[3 * c];
                    row[c] = weight * own[0], row[c + 1] = weight * own[1];
                    row[c + 2] = weight * own[2];
                }
            }
        }
}

INLINE void relation_curvature(relation *r, const pose poses[2], const double *lambda)
{
    double h[12][12] = {{0}};
    r->ops->curvature(&r->params, poses, poses + 1, lambda, h);
    if (r->weighed) {
        weighed_curvature(r, h);
        return;
    }
    for (int pa = 0; pa < RELATION_PARTS; pa++)
        for (int pb = pa; pb < RELATION_PARTS; pb++)
            if (r->part[pa].block >= 0 && r->part[pb].block >= 0) part_curvature(r, pa, pb, h);
}

WIDE_VARIANT(cord__relation_curvature, relation_curvature,
             (relation * r, const pose poses[2], const double *lambda), (r, poses, lambda))

/* A row of K from its diagonal on, and by what it is to be multiplied. */
typedef struct curvature_row {
    const double *K;
    double by;
} curvature_row;

static curvature_row row_of(const relation *r, int i)
{
    int part = 0;
    if (!r->weighed || r->ops->rows == 0) return (curvature_row){r->K + i * r->columns + i, 1};
    if (!r->ops->curvature) return (curvature_row){r->B, 0};
    while (r->part[part].block < 0 || i >= r->part[part].first + r->part[part].count) part++;
    int axis = (i - r->part[part].first) % 3;
    return (curvature_row){r->K + (3 * part + axis) * r->columns + i, r->jets[3 * i + axis]};
}

double cord__curvature_entry(const relation *r, int i, int k)
{
    curvature_row row = row_of(r, i < k ? i : k);
    return row.by * row.K[abs(i - k)];
}

/* Whether it has second derivatives at all. */
static bool is_curved(const relation *r)
{
    return r->ops->curvature || r->ops->rows == 0 || !r->weighed;
}

INLINE void add_curvature(const relation *r, double c, const double *rho, double *a, const int *at)
{
    int columns = r->columns, rows = r->ops->rows;
    bool plain = !r->repeats;
    for (int row = 0; row < rows; row++) plain = plain && rho[row] == 0;
    if (plain) {
        for (int i = 0; is_curved(r) && i < columns; at += columns - i, i++) {
            curvature_row own = row_of(r, i);
            double by = c * own.by;
            for (int k = 0; k < columns - i; k++) a[at[k]] += by * own.K[k];
        }
        return;
    }
    for (int i = 0; i < columns; i++, at += columns - i + 1) {
        curvature_row own = row_of(r, i);
        const double *K = own.K, *B = r->B + i;
        double by = c * own.by;
        /* Off-diagonal pairs of equal unknowns (both points on one vertex) count twice. */
        for (int k = 1; r->repeats && k < columns - i; k++) {
            if (r->unknown[i + k] != r->unknown[i]) continue;
            a[at[k]] += by * K[k];
            for (int row = 0; row < rows; row++)
                a[at[k]] += rho[row] * B[row * columns] * B[row * columns + k];
        }
        double first = rho[0] * B[0];
        if (rows <= 1) {
            for (int k = 0; k < columns - i; k++) a[at[k]] += by * K[k] + first * B[k];
            continue;
        }
        const double *B1 = B + columns, *B2 = B + (rows - 1) * columns;
        double second = rho[1] * B1[0], third = rows == 3 ? rho[2] * B2[0] : 0;
        for (int k = 0; k < columns - i; k++)
            a[at[k]] += by * K[k] + first * B[k] + second * B1[k] + third * B2[k];
    }
}

WIDE_VARIANT(cord__add_curvature, add_curvature,
             (const relation *r, double c, const double *rho, double *a, const int *at),
             (r, c, rho, a, at))
