/* What the forces of a constraint do to the matrix as its points move: K = Σ λ ∂²g over its columns, row ≤ column. */
#include "math/lanes.h"
#include "math/vec3.h"
#include "solve/problem.h"

typedef double unaligned __attribute__((vector_size(8 * LANES), aligned(8), may_alias));

/* K += Jᵀ H J of two parts, from second derivatives over the poses; row ≤ column. Columns of a jet are
 * often along one axis. Where a row of K ends zeros are added to what comes after it. */
INLINE void part_curvature(constraint *r, int pa, int pb, double h[12][12])
{
    enum { MOST = 32 };
    const constraint_part *a = r->part + pa, *b = r->part + pb;
    for (int from = b->first, count; from < b->first + b->count; from += count) {
        double hJ[3][MOST + HESSIAN_PADDING];
        count = b->first + b->count - from < MOST ? b->first + b->count - from : MOST;
        for (int x = 0; x < 3; x++) {
            for (int j = 0; j < count; j++)
                hJ[x][j] = v3_dot(h[3 * pa + x] + 3 * pb, r->jacobians + 3 * (from + j));
            for (int j = 0; j < HESSIAN_PADDING; j++) hJ[x][count + j] = 0;
        }
        for (int i = a->first; i < a->first + a->count; i++) {
            double *K = r->K + i * r->dofs + from;
            int first = pa == pb && i > from ? i - from : 0;
            for (int x = 0; x < 3; x++) {
                double u = r->jacobians[3 * i + x];
                if (u == 0) continue;
                for (int j = first; j < count; j += LANES)
                    *(unaligned *)(K + j) += u * *(const unaligned *)(hJ[x] + j);
            }
        }
    }
}

/* Where all jets are weights, K_ij is w_i w_j h_ij with h of the parts and axes of i and j: w_j h_ij for the three
 * axes of every part is all that is kept, row 3·part + axis. */
INLINE void weighed_curvature(constraint *r, double h[12][12])
{
    for (int pa = 0; pa < CONSTRAINT_PARTS; pa++)
        for (int pb = 0; r->part[pa].block >= 0 && pb < CONSTRAINT_PARTS; pb++) {
            const constraint_part *b = r->part + pb;
            for (int x = 0; b->block >= 0 && x < 3; x++) {
                double *row = r->K + (3 * pa + x) * r->dofs;
                const double *own = h[3 * pa + x] + 3 * pb;
                for (int c = b->first; c < b->first + b->count; c += 3) {
                    double weight = r->jacobians[3 * c];
                    row[c] = weight * own[0], row[c + 1] = weight * own[1];
                    row[c + 2] = weight * own[2];
                }
            }
        }
}

INLINE void constraint_curvature(constraint *r, const pose poses[2], const double *lambda)
{
    double h[12][12] = {{0}};
    r->ops->curvature(&r->params, poses, poses + 1, lambda, h);
    if (r->axis_aligned) {
        weighed_curvature(r, h);
        return;
    }
    for (int pa = 0; pa < CONSTRAINT_PARTS; pa++)
        for (int pb = pa; pb < CONSTRAINT_PARTS; pb++)
            if (r->part[pa].block >= 0 && r->part[pb].block >= 0) part_curvature(r, pa, pb, h);
}

MULTIVERSION(cord__constraint_hessian, constraint_curvature,
             (constraint * r, const pose poses[2], const double *lambda), (r, poses, lambda))

/* A row of K, by columns, and by what it is to be multiplied. */
typedef struct curvature_row {
    const double *K;
    double by;
} curvature_row;

static curvature_row row_of(const constraint *r, int i)
{
    int part = 0;
    if (!r->axis_aligned || r->ops->rows == 0) return (curvature_row){r->K + i * r->dofs, 1};
    if (!r->ops->curvature) return (curvature_row){r->B, 0};
    while (r->part[part].block < 0 || i >= r->part[part].first + r->part[part].count) part++;
    int axis = (i - r->part[part].first) % 3;
    return (curvature_row){r->K + (3 * part + axis) * r->dofs, r->jacobians[3 * i + axis]};
}

double cord__hessian_entry(const constraint *r, int i, int k)
{
    curvature_row row = row_of(r, i < k ? i : k);
    return row.by * row.K[i < k ? k : i];
}

/* One more run, where there is anything in it, after those before. */
static int add_run(dof_run *runs, int count, int first, int end)
{
    if (first >= end) return count;
    if (count > 0 && runs[count - 1].end == first) {
        runs[count - 1].end = end;
        return count;
    }
    runs[count] = (dof_run){first, end};
    return count + 1;
}

int cord__active_dofs(const constraint *r, dof_run runs[CONSTRAINT_RUNS])
{
    int count = 0;
    for (int part = 0; part < CONSTRAINT_PARTS; part++) {
        const constraint_part *p = r->part + part;
        int end = p->first + p->count;
        if (p->block < 0) continue;
        if (p->slider < 0) {
            count = add_run(runs, count, p->first, end);
            continue;
        }
        count = add_run(runs, count, p->first + p->active, p->first + p->active_end);
        count = add_run(runs, count, end - 1, end);
    }
    return count;
}

/* Whether it has second derivatives at all. */
static bool is_curved(const constraint *r)
{
    return r->ops->curvature || r->ops->rows == 0 || !r->axis_aligned;
}

/* Row i of K from column `from` on, `by` times; and of ρ BᵀB. `at` is where its columns go. */
INLINE void add_row(const constraint *r, int i, dof_run run, double by, const double *K,
                    const double *rho, double *a, const int *at)
{
    int rows = r->ops->rows;
    const double *B = r->B, *B1 = B + r->dofs, *B2 = B + (rows - 1) * r->dofs;
    double first = rho[0] * B[i];
    if (rows <= 1) {
        for (int k = run.first; k < run.end; k++) a[at[k]] += by * K[k] + first * B[k];
        return;
    }
    double second = rho[1] * B1[i], third = rows == 3 ? rho[2] * B2[i] : 0;
    for (int k = run.first; k < run.end; k++)
        a[at[k]] += by * K[k] + first * B[k] + second * B1[k] + third * B2[k];
}

/* Off-diagonal pairs of equal unknowns (both points on one vertex) count twice. */
INLINE void add_repeats(const constraint *r, int i, double by, const double *K, const double *rho,
                        double *a, const int *at)
{
    for (int k = i + 1; k < r->dofs; k++) {
        if (r->unknown[k] != r->unknown[i]) continue;
        a[at[k]] += by * K[k];
        for (int row = 0; row < r->ops->rows; row++)
            a[at[k]] += rho[row] * r->B[row * r->dofs + i] * r->B[row * r->dofs + k];
    }
}

INLINE void add_curvature(const constraint *r, double c, const double *rho, const dof_run *runs,
                          int count, double *a, const int *slot)
{
    bool plain = !r->has_repeated_dofs;
    for (int row = 0; row < r->ops->rows; row++) plain = plain && rho[row] == 0;
    if (plain && !is_curved(r)) return;
    for (int from = 0; from < count; from++)
        for (int i = runs[from].first; i < runs[from].end; i++) {
            /* So that a column's number is its index in all of them. */
            const int *at = slot + i * r->dofs - i * (i - 1) / 2 - i;
            curvature_row own = row_of(r, i);
            const double *K = own.K;
            double by = c * own.by;
            if (r->has_repeated_dofs) add_repeats(r, i, by, K, rho, a, at);
            for (int to = from; to < count; to++) {
                dof_run run = {to == from ? i : runs[to].first, runs[to].end};
                if (plain)
                    for (int k = run.first; k < run.end; k++) a[at[k]] += by * K[k];
                else
                    add_row(r, i, run, by, K, rho, a, at);
            }
        }
}

MULTIVERSION(cord__add_hessian, add_curvature,
             (const constraint *r, double c, const double *rho, const dof_run *runs, int count,
              double *a, const int *slot),
             (r, c, rho, runs, count, a, slot))
