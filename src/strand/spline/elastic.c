/* Splines: energies, forces and the matrix of Newton's method.
 *
 *     E = ∫ ½ EA (|x'|/s̄' − 1)² + ½ Σ B_a (κ_a − κ̄_a)² + ½ GJ (m − m̄)² ds̄
 *
 * by Gauss's rule for bending and twisting, and at stations for stretching. The parts of spans are in
 * strain.c. */
#include "math/band.h"
#include "math/vec3.h"
#include "strand/spline/spline.h"

#include <string.h>

/* ---- forces and matrix ------------------------------------------------------------------------- */

void cord__spline_scatter(const spline *s, int span, double h[SPLINE_LOCAL][SPLINE_LOCAL],
                          local_matrix *matrix)
{
    int column[SPLINE_LOCAL], location[SPLINE_LOCAL], behind[SPLINE_LOCAL];
    spline_local_dofs(s, span, column);
    for (int k = 0; k < SPLINE_LOCAL; k++) {
        location[k] = s->position[column[spline_ascending[k]]];
        behind[k] = spline_behind(s, location[k], location[0]);
    }
    UNROLLED
    for (int c = 0; c < SPLINE_LOCAL; c++) {
        UNROLLED
        for (int k = c; k < SPLINE_LOCAL; k++) {
            int row = spline_ascending[k], col = spline_ascending[c];
            *matrix_entry(matrix, location[c], behind[k] - behind[c]) +=
                row > col ? h[row][col] : h[col][row];
        }
    }
}

static void second_weights(const spline *s, const spline_gauss *gauss, double *weight)
{
    weight[0] = gauss->weight * s->section.bending[0];
    weight[1] = gauss->weight * s->section.bending[1];
    weight[2] = gauss->weight * s->section.twisting;
}

/* Add k, a 3 × 3 matrix over Σ w_j x_j. */
static void add_block(double h[SPLINE_LOCAL][SPLINE_LOCAL], const double *w, double k[3][3])
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int r = 0; r < 3; r++)
                for (int c = 0; c < 3; c++) h[3 * i + r][3 * j + c] += w[i] * w[j] * k[r][c];
}

static void add_force(double *force, const double *w, double scale, const double *f)
{
    for (int j = 0; j < 4; j++) v3_axpy(force + 3 * j, w[j] * scale, f);
}

/* −f = (c + c₂|w|) w per natural length, w relative to the air. */
static void assemble_drag(const spline *s, const block_eval *in, int span, const double *v,
                          double *force, double h[SPLINE_LOCAL][SPLINE_LOCAL])
{
    const spline_drag *own = s->dragged + span;
    for (int i = 0; i < SPLINE_MASSES; i++) {
        double x[3], w[3], air[3] = {0, 0, 0}, k[3][3];
        spline_sum(w, own->b[i], v, 0);
        if (in->environment->wind) {
            spline_sum(x, own->b[i], in->q, span);
            cord__wind_at(in->environment->wind, in->environment->time, x, air);
        }
        v3_sub(w, w, air);
        double speed = v3_norm(w), c = own->weight[i] * (s->drag + s->quadratic_drag * speed);
        add_force(force, own->b[i], c, w);
        if (!h) continue;
        double rotation = speed > 0 ? own->weight[i] * s->quadratic_drag / speed : 0;
        for (int r = 0; r < 3; r++)
            for (int col = 0; col < 3; col++)
                k[r][col] = in->c_v * ((r == col ? c : 0) + rotation * w[r] * w[col]);
        add_block(h, own->b[i], k);
    }
}

/* Rotary inertia acts at knots. Proximal term: 10⁻¹⁰ of the twisting stiffness keeps the matrix
 * regular for a straight strand with free frames, as in der/elastic.c. */
static void assemble_turns(const spline *s, const block_eval *in, int first, int end, double *r,
                           local_matrix *matrix)
{
    double stiffness = in->c_k != 0
                           ? fabs(in->c_k) * s->section.twisting / s->spacing
                           : in->c_a * s->section.mass * s->spacing * s->spacing * s->spacing;
    for (int k = first; k < end; k++) {
        int column = spline_angle_dof(s, k);
        if (!in->rows_only) r[column] += s->knot_inertia[k] * in->a[column];
        if (matrix)
            *matrix_entry(matrix, s->position[column], 0) +=
                in->c_a * s->knot_inertia[k] + 1e-10 * stiffness;
    }
}

/* Gyroscopic force of a cross-section with the spin rate θ̇: on x' at its knot, −I θ̇ (t ×
 * ẋ')/|x'|². It does no work; its derivative is small and is omitted from the matrix. */
static void assemble_spin(const spline *s, const block_eval *in, int first, int end, double *r)
{
    const spline_knot *knot = spline_knots(in->cache);
    for (int k = first; k < end; k++) {
        int span = k < s->spans ? k : k - 1;
        const double *w = k < s->spans ? s->span[span].start : s->span[span].end;
        double rate[3], force[3], inverse = knot[k].inverse;
        spline_sum_columns(s, rate, w, in->v, span);
        v3_cross(force, knot[k].t, rate);
        double size = s->knot_inertia[k] * in->v[spline_angle_dof(s, k)] * inverse * inverse;
        for (int j = 0; j < 4; j++) v3_axpy(r + spline_dof(s, span + j), -size * w[j], force);
    }
}

/* A span with drag or rows, or across the seam of the band: one SIMD lane of many. */
static void assemble_rest(const spline *s, const block_eval *in, const midpoint_step *step,
                          int span, int lane, const spline_many *many, double *r, double *g,
                          local_matrix *matrix)
{
    int column[SPLINE_LOCAL];
    double force[SPLINE_LOCAL], v[SPLINE_LOCAL], h[SPLINE_LOCAL][SPLINE_LOCAL];
    double(*target)[SPLINE_LOCAL] = matrix ? h : NULL;
    spline_local_dofs(s, span, column);
    for (int k = 0; k < SPLINE_LOCAL; k++) {
        force[k] = many->force[k][lane];
        v[k] = in->v[column[k]];
    }
    for (int c = 0; matrix && c < SPLINE_LOCAL; c++)
        for (int k = c; k < SPLINE_LOCAL; k++) {
            int row = spline_ascending[k], column_of = spline_ascending[c];
            h[row][column_of] = h[column_of][row] = many->h[lane][c][k - c];
        }
    if (!in->rows_only && s->dragged) assemble_drag(s, in, span, v, force, target);
    const spline_span *own = s->span + span;
    for (int i = own->station; s->inextensible && i < own->station + own->stations; i++)
        cord__spline_assemble_row(s, in, step, i, force, g, target, matrix);
    for (int k = 0; k < SPLINE_LOCAL; k++) r[column[k]] += force[k];
    if (matrix) cord__spline_scatter(s, span, h, matrix);
}

/* Entries below each other in the band. */
INLINE void add_entries(const local_matrix *matrix, int column, int below, int count,
                        const double *a)
{
    const size_t at = (size_t)column * (size_t)matrix->stride + (size_t)below;
    const int *slot = matrix->slot;
    double *values = matrix->values;
    for (int i = 0; i < count; i++)
        values[slot ? (size_t)slot[at + (size_t)i] : at + (size_t)i] += a[i];
}

/* The same for spans with neither, whose positions in the band are their dofs. Between the coordinates of the first control point
 * and the next ones there may be the angle of the knot before. */
INLINE void add_span(const spline *s, int span, int lane, const spline_many *many, double *r,
                     local_matrix *matrix)
{
    const double(*h)[SPLINE_PADDED] = many->h[lane];
    int first = spline_dof(s, span), next = spline_dof(s, span + 1);
    UNROLLED
    for (int k = 0; k < SPLINE_LOCAL; k++)
        r[k < 3 ? first + k : next + k - 3] += many->force[spline_ascending[k]][lane];
    if (!matrix) return;
    UNROLLED
    for (int c = 0; c < 3; c++) {
        add_entries(matrix, first + c, 0, 3 - c, h[c]);
        add_entries(matrix, first + c, next - first - c, SPLINE_LOCAL - 3, h[c] + 3 - c);
    }
    UNROLLED
    for (int c = 3; c < SPLINE_LOCAL; c++)
        add_entries(matrix, next + c - 3, 0, SPLINE_LOCAL - c, h[c]);
}

static void spans_of_part(const spline *s, int part, int *first, int *end)
{
    *first = SPLINE_PART * part;
    *end = *first + SPLINE_PART < s->spans ? *first + SPLINE_PART : s->spans;
}

int cord__spline_part_unknowns(const void *model, int part, int *unknowns)
{
    const spline *s = model;
    int first, end, count = 0;
    spans_of_part(s, part, &first, &end);
    for (int i = first; i < end + 3; i++)
        for (int k = 0; k < 3; k++) unknowns[count++] = spline_dof(s, i) + k;
    for (int i = first; i <= end; i++) unknowns[count++] = spline_angle_dof(s, i);
    for (int i = first; s->inextensible && i < end; i++)
        for (int k = 0; k < s->span[i].stations; k++)
            unknowns[count++] = spline_dofs(s) + s->span[i].station + k;
    return count;
}

/* Adds spans begin .. end − 1, and the rotary inertia of their knots, to r, g and the matrix. */
static void add_spans(const spline *s, const block_eval *in, const midpoint_step *step, int begin,
                      int end, double *r, double *g, local_matrix *matrix)
{
    enum { BATCHES = 4 };
    spline_many many;
    spline_reduced reduced[BATCHES];
    bool rest = s->inextensible || s->closed || s->dragged;
    if (in->rows_only && !matrix && !s->inextensible) return;
    for (int first = begin, batch = 0; first < end; first += LANES, batch = (batch + 1) % BATCHES) {
        for (int k = 0; batch == 0 && k < BATCHES && first + k * LANES < end; k++)
            if (in->rows_only)
                memset(reduced + k, 0, sizeof *reduced);
            else
                cord__spline_strains(s, in, step, first + k * LANES, matrix != NULL, reduced + k);
        cord__spline_spans(s, in, first, matrix != NULL, reduced + batch, &many);
        for (int lane = 0; lane < LANES && first + lane < end; lane++)
            if (rest)
                assemble_rest(s, in, step, first + lane, lane, &many, r, g, matrix);
            else
                add_span(s, first + lane, lane, &many, r, matrix);
    }
    int knots = end < s->spans ? end : spline_turns(s);
    assemble_turns(s, in, begin, knots, r, matrix);
    if (s->dynamic_twist && !in->rows_only) assemble_spin(s, in, begin, knots, r);
}

void cord__spline_assemble_part(const void *model, const block_eval *in, int part, double *r,
                                double *g, local_matrix *matrix)
{
    const spline *s = model;
    int begin, end;
    spans_of_part(s, part, &begin, &end);
    add_spans(s, in, NULL, begin, end, r, g, matrix);
}

void cord__spline_assemble_midpoint(const void *model, const block_eval *in,
                                    const midpoint_step *step, double *r, double *g,
                                    local_matrix *matrix)
{
    const spline *s = model;
    memset(r, 0, (size_t)spline_dofs(s) * sizeof *r);
    add_spans(s, in, step, 0, s->spans, r, g, matrix);
}

void cord__spline_assemble(const void *model, const block_eval *in, double *r, double *g,
                           local_matrix *matrix)
{
    cord__spline_assemble_midpoint(model, in, NULL, r, g, matrix);
}

/* ---- energy ------------------------------------------------------------------------------------ */

static void span_motion(const spline *s, int span, const double *gravity, const double *q,
                        const double *v, block_energy *e)
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            double m = s->span[span].mass[i][j], h[3];
            const double *x = q + 3 * (span + i), *vi = v + spline_dof(s, span + i);
            const double *vj = v + spline_dof(s, span + j);
            e->kinetic += 0.5 * m * v3_dot(vi, vj);
            e->gravity -= m * v3_dot(gravity, x);
            v3_axpy(e->linear, m, vj);
            v3_cross(h, x, vj);
            v3_axpy(e->angular, m, h);
        }
}

void cord__spline_energy(const void *model, const environment *env, const double *q,
                         const double *cache, const double *v, const double *inertial_v,
                         block_energy *e)
{
    const spline *s = model;
    const spline_knot *knot = spline_knots(cache);
    const spline_state *state = spline_states(s, cache);
    const spline_stretch *stretch = spline_stretches(s, cache);
    (void)inertial_v;
    memset(e, 0, sizeof *e);
    for (int span = 0; span < s->spans; span++) span_motion(s, span, env->gravity, q, v, e);
    for (int i = 0; i < SPLINE_GAUSS * s->spans; i++) {
        double weight[SPLINE_STRAINS], part[SPLINE_STRAINS];
        second_weights(s, s->gauss + i, weight);
        for (int a = 0; a < SPLINE_STRAINS; a++) {
            double strain = state[i].strain[a] - s->gauss[i].natural[a];
            part[a] = 0.5 * weight[a] * strain * strain;
        }
        e->bending += part[0] + part[1];
        e->twisting += part[2];
    }
    for (int i = 0; !s->inextensible && i < s->stations; i++)
        e->stretching += 0.5 * s->section.stretching * s->station[i].weight * stretch[i].strain *
                         stretch[i].strain;
    for (int k = 0; k < spline_turns(s); k++) {
        double spin = v[spline_angle_dof(s, k)], inertia = s->knot_inertia[k];
        e->kinetic += 0.5 * inertia * spin * spin;
        v3_axpy(e->angular, inertia * spin, knot[k].t);
    }
}
