/* One evaluation of a cluster's equations: blocks, loads and terms, into the band of a single block or into the
 * cluster's sparse matrix.
 *
 * Newton's system is, with y = −dλ,
 *
 *     [ A  Bᵀ ] [ δ ]   [ −r ]
 *     [ B  −C ] [ y ] = [ −g ].
 *
 * Prescribed (Dirichlet) dofs have a known δ (zero, or the remaining prescribed motion), which replaces their
 * equations. The residuals of the replaced equations are the reactions. */
#include "math/band.h"
#include "math/rotation.h"
#include "solve/problem.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

double cord__seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

cord_status cord__cancel_cluster(cluster *s)
{
    return cord__set_failure(s, CORD_ERROR_CANCELLED, "cancelled", s->block[0], -1);
}

cord_status cord__set_failure(cluster *s, cord_status status, const char *cause, int block_index,
                              int constraint_index)
{
    s->report.status = status;
    s->report.failure_cause = cause;
    s->report.failed_block = block_index;
    s->report.failed_constraint = constraint_index;
    return status;
}

static void copy_ranges(const index_ranges *r, const double *from, double *to)
{
    for (int i = 0; i < r->count; i++) {
        int first = r->range[i].first;
        memcpy(to + first, from + first, (size_t)(r->range[i].end - first) * sizeof *to);
    }
}

void cord__copy_motion(const cluster *s, const state *from, state *to)
{
    copy_ranges(&s->q, from->q, to->q);
    copy_ranges(&s->dofs, from->v, to->v);
    copy_ranges(&s->inertial, from->inertial_v, to->inertial_v);
    copy_ranges(&s->multipliers, from->lambda, to->lambda);
    copy_ranges(&s->side, from->side, to->side);
}

void cord__copy_state(const cluster *s, const state *from, state *to)
{
    cord__copy_motion(s, from, to);
    copy_ranges(&s->dofs, from->a, to->a);
    copy_ranges(&s->inertial, from->inertial_a, to->inertial_a);
}

void cord__start_step(problem *w, const cluster *s)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (!b->ops->memory) continue;
        environment env = cord__environment(w, b, w->now.time);
        b->ops->memory->start_step(b->model, &env, w->cache + b->cache0, w->trial.v + b->v0,
                                   w->requested_step, w->trial.side + b->side0);
    }
    for (int k = 0; k < s->terms; k++) {
        const term *x = w->term[s->term[k]];
        for (int side = 0; side < 2; side++) {
            point *p = x->point[side] >= 0 ? w->point[x->point[side]] : NULL;
            const block *b = p && p->frame_attached && p->block >= 0 ? w->block[p->block] : NULL;
            if (b && b->ops->start_attachment)
                b->ops->start_attachment(b->model, w->cache + b->cache0, &p->frame_attachment);
        }
    }
}

void cord__refresh(problem *w, const cluster *s, const double *q, double *cache)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        b->ops->refresh(b->model, q + b->q0, cache + b->cache0);
    }
}

void cord__refresh_rows(problem *w, const cluster *s, const double *q, double *cache)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        const block_ops *ops = b->ops;
        (ops->refresh_rows ? ops->refresh_rows : ops->refresh)(b->model, q + b->q0,
                                                               cache + b->cache0);
    }
}

void cord__refresh_to_assemble(problem *w, const cluster *s, const double *q, double *cache)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        const block_ops *ops = b->ops;
        (b->shape.assembles_from_rows_cache ? ops->refresh_rows : ops->refresh)(b->model, q + b->q0,
                                                                                cache + b->cache0);
    }
}

double cord__assemble_rows(problem *w, cluster *s, const stage *t)
{
    row_system *x = &s->row_system;
    double worst = 0;
    int at = 0;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (!BLOCK_HAS(b, projection, row_jacobian))
            b->ops->refresh(b->model, w->trial.q + b->q0, w->cache + b->cache0);
        if (b->shape.rows == 0) continue;
        double error = b->ops->projection->row_jacobian(b->model, w->trial.q + b->q0, w->g + b->l0,
                                                        x->entry + x->first[at]);
        if (!(error <= worst)) worst = error;
        memset(x->compliance + at, 0, (size_t)b->shape.rows * sizeof *x->compliance);
        memcpy(x->y + at, w->g + b->l0, (size_t)b->shape.rows * sizeof *x->y);
        at += b->shape.rows;
    }
    for (int k = 0; k < s->terms; k++) {
        term *own = w->term[s->term[k]];
        if (!own->ops->project) continue;
        double error = own->ops->project(w, s, t, own, x, at);
        if (error > worst || isnan(error)) worst = error;
        at += own->projected_rows;
    }
    return worst;
}

/* ---- prescribed dofs ------------------------------------------------------------------------- */

/* The remaining motion of prescribing constraints, into w->delta. */
double cord__prescribed_motion_from(problem *w, const cluster *s, const double *q, double time)
{
    double largest = 0;
    for (int k = 0; k < s->eliminated_count; k++) {
        const constraint *r = w->constraint[s->eliminated[k]];
        if (r->welded) continue;
        const point *p = w->point[r->term.point[0]];
        const block *b = w->block[p->block];
        bool position = r->ops->needs[0] & NEEDS_POSITION;
        const attachment *at = position ? &p->position_attachment : &p->frame_attachment;
        double drive[CONSTRAINT_ROWS], *out = w->delta + b->v0 + at->unit, J[9];
        pose second, wanted;
        point_jacobian j = {.J = J};
        cord__pose(w, r->term.point[1], NEEDS_POSITION | NEEDS_FRAME, NULL, NULL, time, &second);
        cord__constraint_drive(r, time, drive, NULL);
        r->ops->target(&r->def.params, &second, drive, &wanted);
        b->ops->point_jacobian(b->model, q + b->q0, NULL, at,
                               position ? MEASURE_POSITION : MEASURE_FRAME, &j);
        if (position) {
            v3_sub(out, wanted.position, j.value);
        } else {
            double inverse[9], rotation[9];
            for (int c = 0; c < 3; c++)
                for (int i = 0; i < 3; i++) inverse[3 * c + i] = j.value[3 * i + c];
            m3_multiply(rotation, wanted.frame, inverse);
            cord__rotation_log(out, rotation);
        }
        for (int c = 0; c < 3; c++) largest = fmax(largest, fabs(out[c]) / b->scale[at->unit + c]);
    }
    return largest;
}

void cord__prescribed_motion(problem *w, const cluster *s, const stage *t)
{
    cord__prescribed_motion_from(w, s, w->trial.q, t->time);
}

/* The frame without inertia of a welded pair, the frame it is aligned to, and the rotation from the second to the
 * first. */
static const point *welded_frame(const problem *w, const constraint *r, const point **carrier)
{
    const point *first = w->point[r->term.point[0]], *second = w->point[r->term.point[1]];
    const block *b = w->block[first->block];
    bool follows = b->alias_block[first->frame_attachment.unit] >= 0;
    *carrier = follows ? second : first;
    return follows ? first : second;
}

void cord__update_welds(problem *w, const cluster *s, double *q)
{
    for (int k = 0; k < s->eliminated_count; k++) {
        const constraint *r = w->constraint[s->eliminated[k]];
        if (!r->welded) continue;
        const point *carrier, *p = welded_frame(w, r, &carrier);
        const block *b = w->block[p->block], *c = w->block[carrier->block];
        double J[9], wanted[9], rotation[9], inverse[9], by[3];
        point_jacobian own = {.J = J}, from = {.J = J};
        c->ops->point_jacobian(c->model, q + c->q0, NULL, &carrier->frame_attachment, MEASURE_FRAME,
                               &from);
        b->ops->point_jacobian(b->model, q + b->q0, NULL, &p->frame_attachment, MEASURE_FRAME,
                               &own);
        if (p == w->point[r->term.point[0]]) {
            m3_multiply(wanted, from.value, r->def.params.relative);
        } else { /* F₁ = F₂ relative */
            for (int i = 0; i < 9; i++) inverse[i] = r->def.params.relative[3 * (i % 3) + i / 3];
            m3_multiply(wanted, from.value, inverse);
        }
        for (int i = 0; i < 9; i++) inverse[i] = own.value[3 * (i % 3) + i / 3];
        m3_multiply(rotation, wanted, inverse);
        cord__rotation_log(by, rotation);
        b->ops->frames->rotate(b->model, q + b->q0, p->frame_attachment.unit, by);
    }
    for (int k = 0; s->has_shared_dofs && k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int i = 0; i < b->shared_count; i++) {
            const shared_dofs *on = b->shared + i;
            shared_dofs_read(on, w->block[on->parent_block], q + w->block[on->parent_block]->q0,
                             q + b->q0 + on->q);
        }
    }
}

/* The reactions of prescribed dofs are the residuals of their replaced equations. */
void cord__read_reactions(problem *w, const cluster *s)
{
    for (int k = 0; k < s->eliminated_count; k++) {
        const constraint *r = w->constraint[s->eliminated[k]];
        const point *p = w->point[r->term.point[0]], *carrier;
        double sign = 1;
        if (r->welded) { /* the residual of the frame without inertia acts on the other frame */
            p = welded_frame(w, r, &carrier);
            if (p != w->point[r->term.point[0]]) sign = -1;
        }
        const attachment *at =
            r->ops->needs[0] & NEEDS_POSITION ? &p->position_attachment : &p->frame_attachment;
        int dof = w->block[p->block]->v0 + at->unit;
        for (int i = 0; i < 3; i++) w->trial.lambda[r->l0 + i] = sign * w->r[dof + i];
    }
}

void cord__set_prescribed_velocities(problem *w, const cluster *s, double time, double *v)
{
    for (int k = 0; k < s->eliminated_count; k++) {
        const constraint *r = w->constraint[s->eliminated[k]];
        if (r->welded) continue;
        const point *p = w->point[r->term.point[0]];
        const point *second = r->term.point[1] >= 0 ? w->point[r->term.point[1]] : NULL;
        bool position = r->ops->needs[0] & NEEDS_POSITION;
        double linear[3] = {0, 0, 0}, angular[3] = {0, 0, 0};
        double value[CONSTRAINT_ROWS], rate[CONSTRAINT_ROWS];
        if (second) cord__point_scripted_rate(second, time, linear, angular);
        cord__constraint_drive(r, time, value, rate);
        const attachment *at = position ? &p->position_attachment : &p->frame_attachment;
        double *out = v + w->block[p->block]->v0 + at->unit;
        for (int i = 0; i < 3; i++) out[i] = (position ? linear[i] : angular[i]) + rate[i];
    }
}

/* ---- assembly -------------------------------------------------------------------------------- */

void cord__assemble_loads(problem *w, const cluster *s, const stage *t, bool matrix)
{
    for (int k = 0; k < s->loads; k++) {
        const force_term *f = w->load[s->load[k]];
        f->ops->apply(w, s, t, f, matrix);
    }
}

/* The factor of the mass matrix of a block with inertial coordinates, in statics. */
static double inertial_metric(const stage *t, const block *b)
{
    if (!b->shape.inertial_count) return 0;
    double floor = b->stiffness_over_metric > 0 ? 0 : t->floor;
    return t->metric + (t->proximal + floor) * b->proximal_ratio;
}

static block_eval evaluation_of(const problem *w, const cluster *s, const stage *t, const block *b,
                                const environment *env)
{
    return (block_eval){.environment = env,
                        .q = (t->midpoint ? w->q_half : w->trial.q) + b->q0,
                        .cache = w->cache + b->cache0,
                        .v = w->trial.v + b->v0,
                        .a = w->trial.a + b->v0,
                        .inertial_v = w->trial.inertial_v + b->inertial0,
                        .inertial_a = w->trial.inertial_a + b->inertial0,
                        .lambda = w->trial.lambda + b->l0,
                        .side = w->trial.side + b->side0,
                        .work = s->work,
                        .prescribed = b->prescribed,
                        .c_a = t->c_a + inertial_metric(t, b),
                        .c_v = b->shape.coordinate.is_one ? t->c_v + t->rate_factor : t->c_v,
                        .c_k = t->c_k,
                        .proximal = t->proximal,
                        /* Rows of blocks with memory may be one-sided. */
                        .row_start = t->relative && !b->ops->memory ? w->g_end + b->l0 : NULL,
                        .rows_only = t->rows_only,
                        .rowless = t->rowless,
                        .augmented = t->again};
}

/* Of a block with memory. */
static bool chooses_other_set(problem *w, const stage *t, const block *b, const block_eval *in)
{
    const double *rows = (t->midpoint ? w->cache_end : w->cache) + b->cache0;
    return b->ops->memory->choose_active_set(b->model, in, rows, w->trial.side + b->side0);
}

bool cord__blocks_choose(problem *w, cluster *s, const stage *t)
{
    bool any = false;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (!b->ops->memory) continue;
        const environment env = cord__environment(w, b, t->force_time);
        const block_eval in = evaluation_of(w, s, t, b, &env);
        any = chooses_other_set(w, t, b, &in) || any;
    }
    return any;
}

/* `part`: the part of the block, -1: all. */
static void assemble_block(problem *w, cluster *s, const stage *t, const block *b, int part,
                           bool matrix)
{
    if (t->rows_only && !matrix && b->shape.rows == 0) { /* the block adds no equation */
        memset(w->r + b->v0, 0, (size_t)b->shape.dofs * sizeof *w->r);
        return;
    }
    const environment env = cord__environment(w, b, t->force_time);
    const block_eval in = evaluation_of(w, s, t, b, &env);
    local_matrix local = b->matrix;
    const bool chooses =
        (matrix || t->again) && !t->rows_only && !t->active_set_fixed && !t->two_sided_only;
    if (chooses && b->ops->memory && chooses_other_set(w, t, b, &in)) s->active_set_changed = true;
    double *r = w->r + b->v0, *g = w->g + b->l0;
    local_matrix *to = matrix ? &local : NULL;
    if (part >= 0) {
        b->ops->parts->assemble(b->model, &in, part, r, g, to);
    } else if (t->midpoint && b->ops->midpoint) {
        midpoint_step step = {w->cache_start + b->cache0, w->cache_end + b->cache0, w->d + b->v0};
        b->ops->midpoint->assemble(b->model, &in, &step, r, g, to);
    } else if (t->explicit_terms && b->ops->semi_implicit) {
        semi_implicit_step step = {w->now.v + b->v0, w->d + b->v0, t->velocity_terms};
        b->ops->semi_implicit->assemble(b->model, &in, &step, r, g, to);
    } else {
        b->ops->assemble(b->model, &in, r, g, to);
    }
    for (int i = 0; in.row_start && i < b->shape.rows; i++) g[i] -= in.row_start[i];
}

void cord__assemble_part(problem *w, cluster *s, const stage *t, const block *b, int part)
{
    assemble_block(w, s, t, b, part, true);
}

/* `midpoint`: a dof without inertia is in equilibrium at the end of a step, not on average (where it would oscillate
 * from step to step). Half its residual at the end is added, with the matrix at the midpoint. The work that the
 * discrete gradient has for this dof is given to the dofs with inertia, by a force along their motion, so that the
 * energy is conserved exactly. */
static void settle_quasistatic_dofs(problem *w, const cluster *s, const stage *t, const block *b)
{
    environment env = cord__environment(w, b, t->time);
    block_eval in = {.environment = &env,
                     .q = w->trial.q + b->q0,
                     .cache = w->cache_end + b->cache0,
                     .v = w->trial.v + b->v0,
                     .a = w->trial.a + b->v0,
                     .lambda = w->trial.lambda + b->l0,
                     .prescribed = b->prescribed,
                     .work = s->work};
    double *r = w->r + b->v0, *end = w->r_end + b->v0, work = 0, moved = 0;
    const double *d = w->d + b->v0;
    b->ops->assemble(b->model, &in, end, w->g_end + b->l0, NULL);
    for (int c = 0; c < b->shape.dofs; c++) {
        if (b->quasistatic[c]) {
            work += r[c] * d[c];
            r[c] = 0.5 * end[c];
        } else if (!b->prescribed[c]) {
            moved += b->mass[c] * d[c] * d[c];
        }
    }
    /* This force is third order in the step, and far below inertia. Where it is not, the angles jump to their
     * equilibrium while the dofs with inertia hardly move, and no motion could take up the work. */
    if (!(fabs(work) < 0.01 * t->c_a * moved)) return;
    for (int c = 0; c < b->shape.dofs; c++)
        if (!b->quasistatic[c] && !b->prescribed[c]) r[c] += work / moved * b->mass[c] * d[c];
}

/* The diagonal of the blocks alone, for row_stiffness(): if constraints were included, the stiffnesses of several
 * constraints on the same dofs would increase each other. Sliding coordinates have no other diagonal than that of
 * constraints. */
static void note_diagonals(const problem *w, const cluster *s)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        int first = s->offset[k];
        int end = first + b->shape.dofs + b->shape.rows + (b->shape.unused_position >= 0);
        for (int u = first; u < end; u++)
            s->diagonal[u] = b->shape.dofs == 1 ? NAN : s->values[s->map.diagonal[u]];
    }
}

static void clear_matrix(const problem *w, cluster *s)
{
    const block_shape *first = &w->block[s->block[0]]->shape;
    if (s->private_solve) return; /* assemble() sets it */
    if (s->banded) {
        const size_t stride = (size_t)BAND_STRIDE(first->band_width);
        const bool set = first->sets_band && !w->block[s->block[0]]->matrix.low;
        const size_t from = set ? (size_t)first->band_count * stride : 0;
        memset(s->band + from, 0,
               (band_size(first->band_count, first->band_width) - from) * sizeof(double));
    } else
        cord__sparse_clear(&s->factor);
}

void cord__equations(problem *w, cluster *s, const stage *t, bool matrix)
{
    if (matrix) clear_matrix(w, s);
    for (int k = 0; k < s->blocks; k++) {
        block *b = w->block[s->block[k]];
        memset(w->delta + b->v0, 0, (size_t)b->shape.dofs * sizeof(double));
        assemble_block(w, s, t, b, -1, matrix);
        if (t->midpoint && b->mass) settle_quasistatic_dofs(w, s, t, b);
    }
    if (!t->rows_only) cord__assemble_loads(w, s, t, matrix);
    if (matrix && !s->banded) note_diagonals(w, s);
    for (int k = 0; k < s->terms; k++) {
        term *x = w->term[s->term[k]];
        x->ops->assemble(w, s, t, x, matrix);
    }
}

void cord__assemble(problem *w, cluster *s, const stage *t, bool matrix)
{
    double began = cord__seconds();
    cord__equations(w, s, t, matrix);
    cord__prescribed_motion(w, s, t);
    s->report.seconds_forces += cord__seconds() - began;
}
