/* Discrete elastic rods: the quasistatic material frame [DER 2008, sec. 5, eq. 4].
 *
 * At a fixed centreline the angles minimise the energy. A rotation of edge j by δ rotates its
 * curvature components at both its joints and changes the twist there:
 *
 *     ∂E/∂θ_j = Σ joints of j  W₁(ε₁ − ε̄₁) ε₂ − W₂(ε₂ − ε̄₂) ε₁  ± W₅(m − m̄)            [DER 2008, eq. 7]
 *
 * The Hessian is tridiagonal. An isotropic, naturally straight rod has uniform twist between
 * prescribed frames [DER 2008, eq. 5]. */
#include "math/tridiagonal.h"
#include "math/trig.h"
#include "math/vec3.h"
#include "math/multiversion.h"
#include "strand/der/der.h"

#include <string.h>

/* ---- isotropic ------------------------------------------------------------------------------ */

/* A joint of a run between prescribed frames: its twist, natural twist and cell. */
typedef struct twist_joint {
    double *twist;
    double natural, cell;
} twist_joint;

/* Joint k of the run from vertex `first` to vertex `last` (both vertex frames or ends): k = 0 is
 * the joint of the first vertex frame with the edge after it, and so on. */
static bool run_joint(const der *d, double *q, int first, int last, int k, twist_joint *out)
{
    int vertex = first + k;
    if (vertex >= d->n) vertex -= d->n; /* closed */
    int frame = d->frame_at[vertex];
    if (k == 0 || (first + k == last && frame >= 0)) {
        if (frame < 0) return false;
        int side = k == 0; /* at the start of the run the edge follows the vertex frame */
        int edge = side ? der_edge_after(d, vertex) : der_edge_before(d, vertex);
        if (edge < 0) return false;
        out->twist = q + der_vertex_frame_offset(d, frame) + 9 + side;
        out->natural = d->frame[frame].natural[side][4];
        out->cell = d->rest[edge];
        return true;
    }
    if (!der_has_joint(d, vertex)) return false;
    out->twist = q + der_twist_offset(d) + vertex;
    out->natural = d->natural[STRAINS * vertex + 4];
    out->cell = d->cell[vertex];
    return true;
}

/* Returns the vertex of the next vertex frame after `first`, at most n further on. */
static int run_end(const der *d, int first)
{
    int limit = d->closed ? first + d->n : d->n - 1;
    for (int i = first + 1; i < limit; i++)
        if (d->frame_at[i % d->n] >= 0) return i;
    return limit;
}

/* Rotate the frame of an edge by an angle with cosine c and sine s, in q and in the cache. */
static void rotate_edge(double *m1, der_edge *edge, double c, double s)
{
    v3_combine(m1, c, edge->m1, s, edge->m2);
    v3_combine(edge->m2, c, edge->m2, -s, edge->m1);
    v3_copy(edge->m1, m1);
}

/* Uniform twist [DER 2008, eq. 5]: distribute the twist of a run in proportion to its cells;
 * without vertex frames at both ends it relaxes to the natural twist. */
static void spread_run(const der *d, double *q, der_edge *edge, int first, int last, bool clamped)
{
    double *m1 = q + der_m1_offset(d), total = 0, cells = 0, turned = 0;
    twist_joint j;
    for (int k = 0; first + k <= last; k++) {
        if (!run_joint(d, q, first, last, k, &j)) continue;
        total += *j.twist - j.natural;
        cells += j.cell;
    }
    double rate = clamped && cells > 0 ? total / cells : 0;
    /* Edge first + k rotates by the sum of the changes of the joints before it. In a run with a
     * free start the sum begins at its end, where the frame is prescribed. */
    bool backward = d->frame_at[first % d->n] < 0 && !d->closed && d->frame_at[last % d->n] >= 0;
    for (int step = 0; first + step <= last; step++) {
        int k = backward ? last - first - step : step;
        double change = 0;
        if (run_joint(d, q, first, last, k, &j)) {
            double wanted = j.natural + rate * j.cell;
            change = wanted - *j.twist;
            *j.twist = wanted;
        }
        turned += backward ? -change : change;
        int next = backward ? first + k - 1 : first + k;
        if (next < first || next >= last) continue;
        next %= d->n;
        double s, c;
        sin_cos(turned, &s, &c);
        rotate_edge(m1 + 3 * next, edge + next, c, s);
    }
}

static void relax_isotropic(const der *d, double *q, double *cache)
{
    der_edge *edge = (der_edge *)cache;
    if (d->frame_count == 0) {
        /* No frame is prescribed. A closed rod conserves its total twist. */
        spread_run(d, q, edge, 0, d->closed ? d->n : d->n - 1, d->closed);
        return;
    }
    int start = 0;
    if (d->closed)
        while (d->frame_at[start] < 0) start++;
    int end = d->closed ? start + d->n : d->n - 1;
    while (start < end) {
        int last = run_end(d, start % d->n) + (start - start % d->n);
        bool clamped = d->frame_at[start % d->n] >= 0 && d->frame_at[last % d->n] >= 0;
        spread_run(d, q, edge, start, last, clamped);
        start = last;
    }
}

/* ---- general -------------------------------------------------------------------------------- */

typedef struct twist_system {
    double *diagonal, *off, *step, *bending, *third, *cyclic;
    double corner;
    double energy;
} twist_system;

/* One joint: `a` and `b` are its edges (either may be -1: a vertex frame). */
static void add_joint(const der *d, twist_system *s, const double *strain, const double *natural,
                      joint_cells cell, int a, int b)
{
    double w1 = d->section.bending[0] / cell.bending, w2 = d->section.bending[1] / cell.bending;
    double wt = 2 * d->section.twisting / cell.twisting, stress = wt * (strain[4] - natural[4]);
    s->energy += 0.5 * stress * (strain[4] - natural[4]);
    for (int side = 0; side < 2; side++) {
        int edge = side ? b : a;
        const double *k = strain + 2 * side, *k0 = natural + 2 * side;
        double s1 = w1 * (k[0] - k0[0]), s2 = w2 * (k[1] - k0[1]);
        s->energy += 0.5 * (s1 * (k[0] - k0[0]) + s2 * (k[1] - k0[1]));
        if (edge < 0) continue;
        double slope = s1 * k[1] - s2 * k[0];
        s->step[edge] -= slope + (side ? stress : -stress);
        s->diagonal[edge] += wt;
        s->third[edge] += 3 * (w2 - w1) * k[0] * k[1] - slope;
        s->bending[edge] += w1 * k[1] * k[1] + w2 * k[0] * k[0] - s1 * k[0] - s2 * k[1];
    }
    if (a < 0 || b < 0) return;
    if (b == a + 1)
        s->off[a] -= wt;
    else
        s->corner -= wt;
}

static void build_system(const der *d, const double *q, double *cache, twist_system *s)
{
    (void)q;
    size_t bytes = (size_t)d->edges * sizeof(double);
    memset(s->diagonal, 0, bytes);
    memset(s->off, 0, bytes);
    memset(s->step, 0, bytes);
    memset(s->bending, 0, bytes);
    memset(s->third, 0, bytes);
    s->corner = s->energy = 0;
    const double *strain = der_strains(d, cache), *frame = der_vertex_frame_strains(d, cache);
    for (int i = 0; i < d->n; i++)
        if (der_has_joint(d, i))
            add_joint(d, s, strain + STRAINS * i, d->natural + STRAINS * i, der_joint_cells(d, i),
                      der_edge_before(d, i), i);
    for (int p = 0; p < d->frame_count; p++) {
        int before = der_edge_before(d, d->frame[p].vertex);
        int after = der_edge_after(d, d->frame[p].vertex);
        const double *own = frame + 2 * STRAINS * p;
        if (before >= 0)
            add_joint(d, s, own, d->frame[p].natural[0], der_frame_cells(d, p, 0, before), before,
                      -1);
        if (after >= 0)
            add_joint(d, s, own + STRAINS, d->frame[p].natural[1], der_frame_cells(d, p, 1, after),
                      -1, after);
    }
}

/* The Newton direction. Where the bending part makes the Hessian indefinite only its positive part
 * is used, which gives a descent direction. */
static void solve_system(const der *d, twist_system *s, double *work)
{
    int n = d->edges;
    size_t bytes = (size_t)n * sizeof(double);
    double *diagonal = work, *off = work + n, *rhs = work + 2 * n;
    for (int attempt = 0; attempt < 2; attempt++) {
        memcpy(off, s->off, bytes);
        memcpy(rhs, s->step, bytes);
        /* Proximal term: a straight rod without prescribed frames has a free rotation, in which the
         * matrix is singular and the gradient zero. 10⁻¹² of the stiffness keeps the matrix
         * regular. */
        for (int j = 0; j < n; j++)
            diagonal[j] =
                s->diagonal[j] * (1 + 1e-12) + (attempt ? fmax(s->bending[j], 0) : s->bending[j]);
        int bad = d->closed ? cord__cyclic_solve(n, diagonal, off, s->corner, rhs, s->cyclic)
                            : cord__tridiagonal_solve(n, diagonal, off, rhs);
        if (bad == 0) break;
    }
    memcpy(s->step, rhs, bytes);
}

/* Rotate curvature components with their frame: m1 ← c m1 + s m2. */
static void rotate_components(double *k, double c, double s)
{
    double k1 = c * k[0] + s * k[1];
    k[1] = c * k[1] - s * k[0];
    k[0] = k1;
}

/* Rotate every edge j by scale·step_j: frames, curvature components and twists. */
static void rotate_edges(const der *d, double *q, double *cache, const double *step, double scale)
{
    der_edge *edge = (der_edge *)cache;
    double *strain = cache + der_strain_offset(d),
           *frame_strain = cache + der_vertex_frame_strain_offset(d);
    double *twist = q + der_twist_offset(d), *m1 = q + der_m1_offset(d);
    for (int j = 0; j < d->edges; j++) {
        double angle = scale * step[j], c, s;
        sin_cos(angle, &s, &c);
        rotate_edge(m1 + 3 * j, edge + j, c, s);
        for (int side = 0; side < 2; side++) { /* the edge's joint at its start, at its end */
            int vertex = side ? der_next(d, j) : j, frame = d->frame_at[vertex];
            double sign =
                side ? -angle : angle; /* it is frame 1 of the one, frame 0 of the other */
            double *k;
            if (frame >= 0) {
                /* the joint of the vertex frame with the edge before it, after it */
                int own = side ? 0 : 1;
                k = frame_strain + STRAINS * (2 * frame + own);
                q[der_vertex_frame_offset(d, frame) + 9 + own] += sign;
            } else if (der_has_joint(d, vertex)) {
                k = strain + STRAINS * vertex;
                twist[vertex] += sign;
            } else {
                continue;
            }
            k[4] += sign;
            rotate_components(k + (side ? 0 : 2), c, s);
        }
    }
}

/* The error e that a Newton step s leaves: H e = ½ E‴ s², where E‴ is the third derivative of the bending energy by the
 * angle of an edge. H is the second derivative E″ of bending and a matrix whose rows have sums of zero or more: where
 * E″ > 0, |e| ≤ max ½ |E‴| s²/E″. INFINITY: not known. */
static double error_left(const twist_system *s, int edges)
{
    double most = 0;
    for (int j = 0; j < edges; j++) {
        const double error = 0.5 * fabs(s->third[j]) * s->step[j] * s->step[j];
        if (error > most * s->bending[j])
            most = s->bending[j] > 0 ? error / s->bending[j] : INFINITY;
    }
    return most;
}

/* rad: an error of the twist changes forces by as much, relative to them. */
static const double ERROR_OF_TWIST = 1e-9;

static cord_status relax_general(const der *d, double *q, double *cache, double *work)
{
    int n = d->edges;
    twist_system s = {.diagonal = work,
                      .off = work + n,
                      .step = work + 2 * n,
                      .bending = work + 3 * n,
                      .third = work + 4 * n,
                      .cyclic = work + 5 * n};
    double *scratch = work + 6 * n;
    double before = 0;
    for (int iteration = 0; iteration < 50; iteration++) {
        build_system(d, q, cache, &s);
        before = s.energy;
        solve_system(d, &s, scratch);
        double largest = 0;
        for (int j = 0; j < n; j++) {
            if (!isfinite(s.step[j])) return CORD_ERROR_NOT_FINITE;
            largest = fmax(largest, fabs(s.step[j]));
        }
        rotate_edges(d, q, cache, s.step, 1);
        /* Newton's error after a step of 1e-6 rad is of the order 1e-12 rad. */
        if (largest < 1e-6 || error_left(&s, n) < ERROR_OF_TWIST) return CORD_OK;
        if (largest < 0.1) continue; /* well inside the basin of convergence: no line search */
        memcpy(scratch, s.step, (size_t)n * sizeof(double));
        double scale = 1;
        for (int halving = 0; halving < 20; halving++) {
            build_system(d, q, cache, &s);
            if (s.energy <= before * (1 + 1e-14)) break; /* rounding of the sum */
            rotate_edges(d, q, cache, scratch, -0.5 * scale);
            scale *= 0.5;
        }
    }
    return CORD_ERROR_NOT_CONVERGED;
}

static inline cord_status relax(const void *model, double *q, double *cache, double *work)
{
    const der *d = model;
    if (d->dynamic_twist) return CORD_OK;
    if (!d->isotropic) return relax_general(d, q, cache, work);
    relax_isotropic(d, q, cache);
    cord__der_strains_of(d, q, cache);
    return CORD_OK;
}

MULTIVERSION_RETURNING(cord_status, cord__der_relax, relax,
                       (const void *model, double *q, double *cache, double *work),
                       (model, q, cache, work))
