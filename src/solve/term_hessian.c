/* Second derivatives of a term by its dofs, and their indices in the matrix: K = Σ λ ∂²g of a constraint, or the
 * tangent matrix of a force; row ≤ column. */
#include "math/lanes.h"
#include "math/vec3.h"
#include "solve/problem.h"

typedef double unaligned __attribute__((vector_size(8 * LANES), aligned(8), may_alias));

/* K += Jᵀ h J of two parts, h over the poses; row ≤ column. Columns of a Jacobian are often along one axis. At the
 * end of a row of K the kernel adds zeros to the values after it (HESSIAN_PADDING). */
INLINE void part_hessian(term *x, int pa, int pb, double h[12][12])
{
    enum { MOST = 32 };
    const term_part *a = x->part + pa, *b = x->part + pb;
    for (int from = b->first, count; from < b->first + b->count; from += count) {
        double hJ[3][MOST + HESSIAN_PADDING];
        count = b->first + b->count - from < MOST ? b->first + b->count - from : MOST;
        for (int axis = 0; axis < 3; axis++) {
            for (int j = 0; j < count; j++)
                hJ[axis][j] = v3_dot(h[3 * pa + axis] + 3 * pb, x->jacobians + 3 * (from + j));
            for (int j = 0; j < HESSIAN_PADDING; j++) hJ[axis][count + j] = 0;
        }
        for (int i = a->first; i < a->first + a->count; i++) {
            double *K = x->K + i * x->dofs + from;
            int first = pa == pb && i > from ? i - from : 0;
            const double *u = x->jacobians + 3 * i;
            if (u[0] != 0 && u[1] != 0 && u[2] != 0) {
                for (int j = first; j < count; j += LANES)
                    *(unaligned *)(K + j) = *(const unaligned *)(K + j) +
                                            u[0] * *(const unaligned *)(hJ[0] + j) +
                                            u[1] * *(const unaligned *)(hJ[1] + j) +
                                            u[2] * *(const unaligned *)(hJ[2] + j);
                continue;
            }
            for (int axis = 0; axis < 3; axis++) {
                if (u[axis] == 0) continue;
                for (int j = first; j < count; j += LANES)
                    *(unaligned *)(K + j) += u[axis] * *(const unaligned *)(hJ[axis] + j);
            }
        }
    }
}

/* HESSIAN_COMPRESSED: where column c of every Jacobian is w_c along one axis, K_ij = w_i w_j h_ij with h of the parts and
 * axes of i and j. Stored is w_j h_ij for the three axes of every part, in row 3·part + axis. */
INLINE void compressed_hessian(term *x, double h[12][12])
{
    for (int pa = 0; pa < TERM_PARTS; pa++)
        for (int pb = 0; x->part[pa].block >= 0 && pb < TERM_PARTS; pb++) {
            const term_part *b = x->part + pb;
            for (int axis = 0; b->block >= 0 && axis < 3; axis++) {
                double *row = x->K + (3 * pa + axis) * x->dofs;
                const double *h_row = h[3 * pa + axis] + 3 * pb;
                for (int c = b->first; c < b->first + b->count; c += 3) {
                    double weight = x->jacobians[3 * c];
                    row[c] = weight * h_row[0], row[c + 1] = weight * h_row[1];
                    row[c + 2] = weight * h_row[2];
                }
            }
        }
}

INLINE void term_hessian(term *x, double h[12][12])
{
    if (x->hessian == HESSIAN_COMPRESSED) {
        compressed_hessian(x, h);
        return;
    }
    for (int pa = 0; pa < TERM_PARTS; pa++)
        for (int pb = pa; pb < TERM_PARTS; pb++)
            if (x->part[pa].block >= 0 && x->part[pb].block >= 0) part_hessian(x, pa, pb, h);
}

MULTIVERSION(cord__term_hessian, term_hessian, (term * x, double h[12][12]), (x, h))

/* The columns of a row of K, and the factor of the row. */
typedef struct hessian_row {
    const double *K;
    double factor;
} hessian_row;

/* `from`: a part that i does not come before. */
static inline hessian_row row_of(const term *x, int i, int *from)
{
    int part = *from;
    if (x->hessian == HESSIAN_FULL) return (hessian_row){x->K + i * x->dofs, 1};
    if (x->hessian == HESSIAN_ZERO) return (hessian_row){x->B, 0};
    while (x->part[part].block < 0 || i >= x->part[part].first + x->part[part].count) part++;
    *from = part;
    int axis = (i - x->part[part].first) % 3;
    return (hessian_row){x->K + (3 * part + axis) * x->dofs, x->jacobians[3 * i + axis]};
}

double cord__hessian_entry(const term *x, int i, int k)
{
    int from = 0;
    hessian_row row = row_of(x, i < k ? i : k, &from);
    return row.factor * row.K[i < k ? k : i];
}

/* Adds a run, unless it is empty, after the previous ones. */
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

int cord__active_dofs(const term *x, const stage *t, dof_run runs[TERM_RUNS])
{
    int count = 0;
    if (t->midpoint) { /* the discrete gradients depend on all dofs */
        runs[0] = (dof_run){0, x->dofs};
        return 1;
    }
    for (int part = 0; part < TERM_PARTS; part++) {
        const term_part *p = x->part + part;
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

/* Adds `factor` times a run of row i of K, and of ρ BᵀB, at the indices `at` of the columns. */
INLINE void add_row(const term *x, int i, dof_run run, double factor, const double *K,
                    const double *rho, double *a, const int *at)
{
    int rows = x->rows;
    const double *B = x->B, *B1 = B + x->dofs, *B2 = B + (rows - 1) * x->dofs;
    double first = rho[0] * B[i];
    if (rows <= 1) {
        for (int k = run.first; k < run.end; k++) a[at[k]] += factor * K[k] + first * B[k];
        return;
    }
    double second = rho[1] * B1[i], third = rows == 3 ? rho[2] * B2[i] : 0;
    for (int k = run.first; k < run.end; k++)
        a[at[k]] += factor * K[k] + first * B[k] + second * B1[k] + third * B2[k];
}

/* Off-diagonal pairs of equal unknowns (both points on one vertex) count twice. */
INLINE void add_repeats(const term *x, int i, double factor, const double *K, const double *rho,
                        double *a, const int *at)
{
    for (int k = i + 1; k < x->dofs; k++) {
        if (x->unknown[k] != x->unknown[i]) continue;
        a[at[k]] += factor * K[k];
        for (int row = 0; row < x->rows; row++)
            a[at[k]] += rho[row] * x->B[row * x->dofs + i] * x->B[row * x->dofs + k];
    }
}

INLINE void add_hessian(const term *x, double c, const double *rho, const dof_run *runs, int count,
                        double *a, const int *slot)
{
    bool plain = !x->has_repeated_dofs;
    for (int row = 0; row < x->rows; row++) plain = plain && rho[row] == 0;
    int part = 0; /* of the row: dofs are in the order of the parts */
    if (plain && x->hessian == HESSIAN_ZERO) return;
    for (int from = 0; from < count; from++)
        for (int i = runs[from].first; i < runs[from].end; i++) {
            /* Indexed by the column among all of them. */
            const int *at = slot + i * x->dofs - i * (i - 1) / 2 - i;
            hessian_row row = row_of(x, i, &part);
            const double *K = row.K;
            double factor = c * row.factor;
            if (x->has_repeated_dofs) add_repeats(x, i, factor, K, rho, a, at);
            for (int to = from; to < count; to++) {
                dof_run run = {to == from ? i : runs[to].first, runs[to].end};
                if (!plain) {
                    add_row(x, i, run, factor, K, rho, a, at);
                    continue;
                }
                for (int k = run.first; k < run.end; k++) a[at[k]] += factor * K[k];
            }
        }
}

MULTIVERSION(cord__add_hessian, add_hessian,
             (const term *x, double c, const double *rho, const dof_run *runs, int count, double *a,
              const int *slot),
             (x, c, rho, runs, count, a, slot))

void cord__add_force_matrix(const cluster *s, const stage *t, const term *x)
{
    static const double none[CONSTRAINT_ROWS] = {0};
    dof_run runs[TERM_RUNS];
    int count = cord__active_dofs(x, t, runs);
    cord__add_hessian(x, 1, none, runs, count, s->factor.a, s->slot + x->entries);
}
