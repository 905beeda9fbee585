/* What the forces of a relation do to the matrix as its points move: K = Σ λ ∂²g over its columns. */
#include "math/lanes.h"
#include "math/vec3.h"
#include "solve/problem.h"

/* K += Jᵀ H J of two parts, from second derivatives over the poses; row ≤ column. Columns of a jet are
 * often along one axis. */
INLINE void part_curvature(relation *r, int pa, int pb, double h[12][12])
{
    enum { MOST = 32 };
    const relation_part *a = r->part + pa, *b = r->part + pb;
    for (int from = b->first, count; from < b->first + b->count; from += count) {
        double hJ[3][MOST];
        count = b->first + b->count - from < MOST ? b->first + b->count - from : MOST;
        for (int x = 0; x < 3; x++)
            for (int j = 0; j < count; j++)
                hJ[x][j] = v3_dot(h[3 * pa + x] + 3 * pb, r->jets + 3 * (from + j));
        for (int i = a->first; i < a->first + a->count; i++) {
            double *K = r->K + i * r->columns + from;
            int first = pa == pb && i > from ? i - from : 0;
            for (int x = 0; x < 3; x++) {
                double u = r->jets[3 * i + x];
                if (u == 0) continue;
                for (int j = first; j < count; j++) K[j] += u * hJ[x][j];
            }
        }
    }
}

INLINE void relation_curvature(relation *r, const pose poses[2], const double *lambda)
{
    double h[12][12] = {{0}};
    r->ops->curvature(&r->params, poses, poses + 1, lambda, h);
    for (int pa = 0; pa < RELATION_PARTS; pa++)
        for (int pb = pa; pb < RELATION_PARTS; pb++)
            if (r->part[pa].block >= 0 && r->part[pb].block >= 0) part_curvature(r, pa, pb, h);
}

WIDE_VARIANT(cord__relation_curvature, relation_curvature,
             (relation * r, const pose poses[2], const double *lambda), (r, poses, lambda))

/* Whether it has second derivatives at all. */
static bool is_curved(const relation *r)
{
    bool curved = r->ops->curvature || r->ops->rows == 0;
    for (int part = 0; part < RELATION_PARTS; part++)
        curved = curved || (r->part[part].block >= 0 && r->part[part].slider >= 0);
    return curved;
}

void cord__add_curvature(const relation *r, double c, const double *rho, double *a,
                         const int **slot)
{
    int columns = r->columns, rows = r->ops->rows;
    const int *at = *slot;
    bool plain = !r->repeats;
    for (int row = 0; row < rows; row++) plain = plain && rho[row] == 0;
    if (plain) {
        *slot += columns * (columns + 1) / 2;
        for (int i = 0; is_curved(r) && i < columns; at += columns - i, i++) {
            const double *K = r->K + i * columns + i;
            for (int k = 0; k < columns - i; k++) a[at[k]] += c * K[k];
        }
        return;
    }
    for (int i = 0; i < columns; i++, at += columns - i + 1) {
        const double *K = r->K + i * columns + i, *B = r->B + i;
        /* Off-diagonal pairs of equal unknowns (both points on one vertex) count twice. */
        for (int k = 1; r->repeats && k < columns - i; k++) {
            if (r->unknown[i + k] != r->unknown[i]) continue;
            a[at[k]] += c * K[k];
            for (int row = 0; row < rows; row++)
                a[at[k]] += rho[row] * B[row * columns] * B[row * columns + k];
        }
        double first = rho[0] * B[0];
        if (rows <= 1) {
            for (int k = 0; k < columns - i; k++) a[at[k]] += c * K[k] + first * B[k];
            continue;
        }
        const double *B1 = B + columns, *B2 = B + (rows - 1) * columns;
        double second = rho[1] * B1[0], third = rows == 3 ? rho[2] * B2[0] : 0;
        for (int k = 0; k < columns - i; k++)
            a[at[k]] += c * K[k] + first * B[k] + second * B1[k] + third * B2[k];
    }
    *slot = at;
}
