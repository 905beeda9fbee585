/* Messages of failed clusters: the objects and constraints, the time, the residual and its place, the usual cause and a
 * remedy. Rows that contradict each other are searched for only here (solve/row_conflict.h). */
#include "math/vec3.h"
#include "solve/newton.h"
#include "solve/row_conflict.h"
#include "world/world.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- text ---------------------------------------------------------------------------------------- */

typedef struct text {
    char is[1024];
    size_t used;
} text;

static void add(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(text *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int count = vsnprintf(t->is + t->used, sizeof t->is - t->used, format, arguments);
    va_end(arguments);
    if (count > 0) t->used += (size_t)count;
    if (t->used >= sizeof t->is) t->used = sizeof t->is - 1;
}

/* A coordinate has no name: a constraint that reads it has one. */
static const constraint *constraint_on_coordinate(const cord_world *w, int block_index)
{
    const constraint *found = NULL;
    for (int i = 0; !found && i < w->problem.constraints; i++) {
        const constraint *r = w->problem.constraint[i];
        for (int side = 0; side < 2 && r->name && !r->def.internal; side++) {
            const point *p = cord__point_of(&w->problem, &r->term, side);
            if (p && p->slider_block == block_index) found = r;
        }
    }
    return found;
}

static void add_object(text *t, const cord_world *w, int block_index)
{
    char label[128];
    add(t, "%s", cord__object_label(w, block_index, label, sizeof label));
    if (cord__object_of(w->problem.block[block_index])->kind != OBJECT_SLIDER) return;
    const constraint *r = constraint_on_coordinate(w, block_index);
    if (r) add(t, " of constraint '%s'", r->name);
}

static void add_constraint(text *t, const cord_world *w, const constraint *r)
{
    const point *p = cord__point_of(&w->problem, &r->term, 0);
    if (r->name)
        add(t, "'%s'", r->name);
    else if (p && p->source == CORD_SOURCE_STRAND)
        add(t, "an unnamed %s at %.4g m", r->ops->name, p->s);
    else
        add(t, "an unnamed %s", r->ops->name);
}

/* "'a', 'b' and 'c'" */
static void add_constraints(text *t, const cord_world *w, const row_conflict *of)
{
    for (int i = 0; i < of->constraints; i++) {
        add(t, "%s", i == 0 ? "" : i + 1 < of->constraints ? ", " : " and ");
        add_constraint(t, w, w->problem.constraint[of->constraint[i]]);
    }
}

/* The objects that constraints act on, each once. */
static void add_objects(text *t, const cord_world *w, const row_conflict *of)
{
    int named[2 * CONFLICT_MEMBERS], total = 0;
    for (int i = 0; i < 2 * of->constraints; i++) {
        const term *x = &w->problem.constraint[of->constraint[i / 2]]->term;
        int block_index = cord__block_of(&w->problem, x, i % 2);
        bool known = block_index < 0;
        for (int k = 0; k < total; k++) known = known || named[k] == block_index;
        if (known) continue;
        if (total > 0) add(t, " and ");
        add_object(t, w, block_index);
        named[total++] = block_index;
    }
}

/* ---- the place of the residual ------------------------------------------------------------------- */

/* A position along a strand of a dof: the first vertex that moves with it. -1: none does. */
static int vertex_of_dof(cord_world *w, const object *o, int dof, int *count)
{
    problem *p = &w->problem;
    cord_strand_info info = {0};
    o->ops->info(o->block.model, &info);
    double *v = NEW(&w->memory, double, o->block.shape.dofs);
    double *moved = NEW(&w->memory, double, 3 * info.vertex_count);
    int found = -1;
    if (v && moved && o->ops->get_velocities) {
        v[dof] = 1;
        o->ops->get_velocities(o->block.model, p->trial.q + o->block.q0, p->cache + o->block.cache0,
                               v, moved);
        for (int i = 0; found < 0 && i < info.vertex_count; i++)
            if (v3_norm(moved + 3 * i) > 1e-6) found = i;
    }
    *count = info.vertex_count;
    cord__release(&w->memory, v);
    cord__release(&w->memory, moved);
    return found;
}

static const object *object_at(const cord_world *w, int block_index)
{
    return cord__object_of(w->problem.block[block_index]);
}

static void add_location(text *t, cord_world *w, int block_index, int dof)
{
    const object *o = object_at(w, block_index);
    int count, vertex = o->ops ? vertex_of_dof(w, o, dof, &count) : -1;
    text label = {0};
    add_object(&label, w, block_index);
    if (vertex >= 0)
        add(t, "vertex %d of %d of %s", vertex, count, label.is);
    else if (o->ops)
        add(t, "the twist of %s", label.is);
    else if (o->kind == OBJECT_BODY)
        add(t, "the %s of %s", dof < 3 ? "position" : "rotation", label.is);
    else
        add(t, "%s", label.is);
}

static const char *unit_of_force(const cord_world *w, int block_index, int dof)
{
    const object *o = object_at(w, block_index);
    if (o->ops && o->ops->traits.has_elements) return "N m^2";
    bool rotation = o->kind == OBJECT_BODY ? dof >= 3 : o->ops && o->block.scale[dof] == 1;
    return rotation ? "N m" : "N";
}

/* The largest unbalanced force of the last assembly, in units of a small change of its dof; its block, or -1. */
static int largest_residual(const problem *p, const cluster *s, int *dof)
{
    double largest = 0;
    int at_block = -1;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = p->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++) {
            double size = fabs(p->r[b->v0 + c]) * b->scale[c];
            if (b->prescribed[c] || b->alias_block[c] >= 0 || !(size > largest)) continue;
            largest = size, at_block = s->block[k], *dof = c;
        }
    }
    return isfinite(largest) ? at_block : -1;
}

static void add_unbalanced_force(text *t, cord_world *w, int block_index, int dof)
{
    const problem *p = &w->problem;
    text location = {0};
    if (block_index < 0) return;
    add_location(&location, w, block_index, dof);
    add(t, "; the largest unbalanced force is %.3g %s, at %s",
        fabs(p->r[p->block[block_index]->v0 + dof]), unit_of_force(w, block_index, dof),
        location.is);
}

/* The last correction of the iteration, which has to become small. */
static void add_correction(text *t, const problem *p, const cluster *s)
{
    int worst;
    double size = cord__correction_size(p, s, &worst);
    if (isfinite(size) && size > p->small_correction)
        add(t, "; the last correction is %.3g of a small change (limit %.3g)", size,
            p->small_correction);
}

/* Rows of forms with a length, and of measured coordinates, have the unit of the measure; others without a unit are sines
 * of small angles. */
static const char *unit_of(const constraint *r)
{
    if (r->ops->unit && *r->ops->unit) return r->ops->unit;
    if (r->ops->needs[0] & NEEDS_CURVATURE) return "1/m";
    return r->ops->needs[0] & NEEDS_POSITION ? "m" : "rad";
}

/* The largest violation of exact constraints at their last evaluation. */
static void add_violation(text *t, const cord_world *w, const cluster *s)
{
    const problem *p = &w->problem;
    const constraint *worst = NULL;
    double largest = p->length_tolerance;
    for (int k = 0; k < s->constraints; k++) {
        const constraint *r = p->constraint[s->constraint[k]];
        for (int row = 0; !r->eliminated && r->def.compliance == 0 && row < r->ops->rows; row++) {
            double g = r->state.active[row] ? fabs(r->work.value.g[row]) : 0;
            if (g > largest) largest = g, worst = r;
        }
    }
    if (!worst || !isfinite(largest)) return;
    text label = {0};
    add_constraint(&label, w, worst);
    add(t, "; constraint %s is violated by %.3g %s (tolerance %.3g)", label.is, largest,
        unit_of(worst), p->length_tolerance);
}

/* ---- contradictions ------------------------------------------------------------------------------ */

/* The other point of a constraint on a strand, and the coordinate of the constraint there. */
static bool hold_of_strand(const cord_world *w, const constraint *r, int block_index, double time,
                           double target[3], double *coordinate)
{
    const problem *p = &w->problem;
    for (int side = 0; side < 2; side++) {
        const point *on = cord__point_of(p, &r->term, side);
        if (!on || on->block != block_index || !(r->ops->needs[side] & NEEDS_POSITION)) continue;
        pose other;
        cord__pose(p, r->term.point[1 - side], NEEDS_POSITION, p->trial.q, p->cache, time, &other);
        v3_copy(target, other.position);
        *coordinate = point_slides(on) ? cord__coordinate_at(p, on, p->trial.q) : on->s;
        return r->ops->rows == 3;
    }
    return false;
}

/* Lengths of a strand are fixed: by rows that are part of the contradiction, or always. A cable over guides is judged by
 * its rows alone. */
static bool is_inextensible(const cord_world *w, const row_conflict *of, int block_index)
{
    const object *o = object_at(w, block_index);
    if (!o->ops) return false;
    bool known =
        o->ops->traits.has_elements || (o->block.shape.rows > 0 && !o->block.ops->topology);
    for (int k = 0; k < of->blocks; k++) known = known || of->block[k] == block_index;
    return known;
}

/* A strand between two constraints that are farther apart than it is long; whether it is. */
static bool report_taut(cord_world *w, const row_conflict *of, int first, int second, double time)
{
    const problem *p = &w->problem;
    const constraint *hold[2] = {p->constraint[first], p->constraint[second]};
    for (int side = 0; side < 2; side++) {
        int block_index = cord__block_of(p, &hold[0]->term, side);
        double x[2][3], s[2];
        if (block_index < 0 || !is_inextensible(w, of, block_index) ||
            !hold_of_strand(w, hold[0], block_index, time, x[0], s) ||
            !hold_of_strand(w, hold[1], block_index, time, x[1], s + 1))
            continue;
        cord_strand_info info = {0};
        const object *o = object_at(w, block_index);
        o->ops->info(o->block.model, &info);
        double length = fabs(s[1] - s[0]), apart = v3_distance(x[0], x[1]);
        if (info.closed) length = fmin(length, info.length - length);
        if (!(apart > length * (1 + 1e-9)) || length == 0) continue;
        text strand_label = {0}, ends[2] = {0};
        add_object(&strand_label, w, block_index);
        for (int k = 0; k < 2; k++) add_constraint(ends + k, w, hold[s[0] < s[1] ? k : 1 - k]);
        cord__fail(w, CORD_ERROR_INCONSISTENT,
                   "at t = %.9g s: %.150s is taut between constraints %.150s and %.150s: %.6g m "
                   "long, ends %.6g m apart; make it longer or elastic, make a constraint "
                   "compliant, or let its end move less",
                   p->now.time, strand_label.is, ends[0].is, ends[1].is, length, apart);
        return true;
    }
    return false;
}

static void report_contradiction(cord_world *w, const row_conflict *of)
{
    const char *unit = unit_of(w->problem.constraint[of->constraint[0]]);
    double time = w->problem.now.time;
    text constraints = {0}, objects = {0};
    add_constraints(&constraints, w, of);
    add_objects(&objects, w, of);
    if (of->constraints > 1)
        cord__fail(w, CORD_ERROR_INCONSISTENT,
                   "at t = %.9g s: constraints %.400s on %.300s contradict each other: %.6g %s "
                   "apart; remove one of them, let their points agree, or make one compliant",
                   time, constraints.is, objects.is, of->gap, unit);
    else
        cord__fail(w, CORD_ERROR_INCONSISTENT,
                   "at t = %.9g s: constraint %.400s on %.300s cannot be met: %.6g %s remain; "
                   "other constraints and lengths keep its points apart, so change those, or make "
                   "it compliant",
                   time, constraints.is, objects.is, of->gap, unit);
}

/* Rows of one strand, such as the lengths between the nodes of a cable; whether they have names. */
static bool report_rows(cord_world *w, const row_conflict *of)
{
    const block *b = w->problem.block[of->block[0]];
    if (of->rows == 0 || !BLOCK_HAS(b, rows, label)) return false;
    text rows = {0}, label = {0};
    for (int i = 0; i < of->rows; i++) {
        char row[200];
        b->ops->rows->label(b->model, of->row[i], row, sizeof row);
        add(&rows, "%s%s", i == 0 ? "" : i + 1 < of->rows ? ", " : " and ", row);
    }
    add_object(&label, w, of->block[0]);
    cord__fail(
        w, CORD_ERROR_INCONSISTENT,
        "%.150s at t = %.9g s: %.600s cannot be met%s: %.6g m remain where they are violated "
        "least; change the material coordinates of these nodes, let one of them move along "
        "its guide, or make the cable elastic",
        label.is, w->problem.now.time, rows.is, of->rows > 1 ? " together" : "", of->violation);
    return true;
}

/* Whether a constraint holds a strand at a point that does not give way: in the world, or on a prescribed body. */
static bool holds_fast(const problem *p, const constraint *r)
{
    if (r->def.compliance > 0 || r->def.side != CORD_EQUAL || cord__constraint_released(p, r))
        return false;
    for (int side = 0; side < 2; side++) {
        int block_index = cord__block_of(p, &r->term, side);
        if (block_index < 0) return true;
        const block *b = p->block[block_index];
        if (b->shape.dofs == 6 && b->prescribed[0] == PRESCRIBED) return true;
    }
    return false;
}

/* The committed configuration, with prescribed dofs where they have to be at a time, in the trial. */
static void move_prescribed(problem *p, const cluster *s, double time)
{
    stage t = {.time = time, .force_time = time};
    cord__copy_state(s, &p->now, &p->trial);
    EACH_DOF(c) p->delta[c] = 0;
    cord__prescribed_motion(p, s, &t);
    for (int k = 0; k < s->blocks; k++) {
        const block *b = p->block[s->block[k]];
        b->ops->retract(b->model, p->trial.q + b->q0, p->delta + b->v0);
    }
    cord__refresh(p, s, p->trial.q, p->cache);
}

/* The search for the least violation straightens a long strand slowly: its ends are compared without it. */
static bool find_taut(cord_world *w, const cluster *s, double time)
{
    enum { MOST = 1000 };
    const problem *p = &w->problem;
    const row_conflict none = {0};
    move_prescribed(&w->problem, s, time);
    for (int i = 1; i < s->constraints && i < MOST; i++)
        for (int j = 0; j < i && holds_fast(p, p->constraint[s->constraint[i]]); j++)
            if (holds_fast(p, p->constraint[s->constraint[j]]) &&
                report_taut(w, &none, s->constraint[j], s->constraint[i], time))
                return true;
    return false;
}

/* Whether constraints of the cluster contradict each other; then the message says which. They are tested at the end of
 * the requested step: in the shortest part of it they are hardly apart yet. */
static bool find_contradiction(cord_world *w, cluster *s, double h)
{
    problem *p = &w->problem;
    double time = p->now.time + (h > 0 ? p->requested_step : 0);
    row_conflict of;
    if (cord__find_contradiction(p, s, time, &w->memory, &of) != CORD_OK) return false;
    if (of.constraints == 0) return find_taut(w, s, time) || (of.blocks > 0 && report_rows(w, &of));
    for (int i = 1; i < of.constraints; i++)
        for (int j = 0; j < i; j++)
            if (report_taut(w, &of, of.constraint[j], of.constraint[i], time)) return true;
    report_contradiction(w, &of);
    return true;
}

/* ---- failures ------------------------------------------------------------------------------------- */

static void add_redundancy(text *t, cord_world *w, cluster *s)
{
    row_conflict of;
    cord_status status =
        cord__find_redundancy(&w->problem, s, w->problem.now.time, &w->memory, &of);
    if (status != CORD_OK || of.constraints < 2) return;
    text constraints = {0};
    add_constraints(&constraints, w, &of);
    add(t, "; constraints %s repeat each other, and one of them can be removed", constraints.is);
}

static const char REMEDY_SINGULAR[] = "give it a mass, friction or a constraint, or remove it";
static const char REMEDY_NOT_FINITE[] =
    "usually the step is too long for the stiffness or the speed, or a value of the scene is "
    "extreme: try a shorter step, or check units, masses and stiffnesses";
static const char REMEDY_NOT_CONVERGED[] =
    "usually the step is too long, a drive or load jumps, or a structure snaps: try a shorter "
    "step, more iterations or some damping";
static const char REMEDY_NO_EQUILIBRIUM[] =
    "usually something is not supported, or is so soft that it folds up: check its constraints "
    "and stiffness, begin nearer to the equilibrium, or allow more iterations";

static const char *remedy(const cord_world *w, cord_status status, double h)
{
    if (status == CORD_ERROR_SINGULAR) return REMEDY_SINGULAR;
    if (status == CORD_ERROR_NOT_FINITE) return REMEDY_NOT_FINITE;
    bool statics = h == 0 || !w->problem.integrator->dynamic;
    return statics ? REMEDY_NO_EQUILIBRIUM : REMEDY_NOT_CONVERGED;
}

/* The block of the unknown whose pivot vanished, and its dof; -1: not known. */
static int undetermined(const problem *p, const cluster *s, int *dof)
{
    bool known = s->failed_pivot >= 0 && s->failed_pivot < s->map.count;
    int source = known ? s->map.source[s->failed_pivot] : NO_SOURCE;
    for (int k = 0; source >= 0 && k < s->blocks; k++) {
        const block *b = p->block[s->block[k]];
        *dof = source - b->v0;
        if (*dof >= 0 && *dof < b->shape.dofs) return s->block[k];
    }
    return -1;
}

/* A cable that has come to an end of its route cannot meet its lengths; its own reason is better than a residual. */
static bool add_topology(text *t, cord_world *w, const cluster *s)
{
    const problem *p = &w->problem;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = p->block[s->block[k]];
        char why[256] = "";
        bool recounted;
        if (!b->ops->topology ||
            b->ops->topology->check(b->model, p->trial.q + b->q0, p->trial.side + b->side0,
                                    &recounted, why, sizeof why) == CORD_OK)
            continue;
        text label = {0};
        add_object(&label, w, s->block[k]);
        add(t, "%s at t = %.9g s: %s", label.is, p->now.time, why);
        return true;
    }
    return false;
}

/* The object that is named first: the one that is not determined, or has the largest residual, or the solver named. */
static void add_failure(text *t, cord_world *w, cluster *s, double h)
{
    const problem *p = &w->problem;
    const cluster_report *report = &s->report;
    bool singular = report->status == CORD_ERROR_SINGULAR;
    bool balanced = singular || (h > 0 && p->integrator->explicit_forces); /* r has no meaning */
    int dof = 0, pivot = singular ? undetermined(p, s, &dof) : -1;
    int force_dof = 0, loaded = balanced ? -1 : largest_residual(p, s, &force_dof);
    int first = pivot >= 0 ? pivot : loaded >= 0 ? loaded : report->failed_block;
    text label = {0}, of = {0};
    add_object(&label, w, first >= 0 ? first : s->block[0]);
    add(t, "%s at t = %.9g s: %s", label.is, p->now.time, report->failure_cause);
    if (report->failed_constraint >= 0) {
        add_constraint(&of, w, p->constraint[report->failed_constraint]);
        add(t, " (constraint %s)", of.is);
    }
    if (pivot >= 0) {
        text location = {0};
        add_location(&location, w, pivot, dof);
        add(t, ": nothing determines %s", location.is);
    }
    if (h > 0) add(t, ", even with a step of %.3g s", h);
    if (report->status == CORD_ERROR_NOT_CONVERGED && loaded >= 0) add_correction(t, p, s);
    add_unbalanced_force(t, w, loaded, force_dof);
    add_violation(t, w, s);
    if (singular) add_redundancy(t, w, s);
    add(t, "; %s", remedy(w, report->status, h));
}

static cord_status report_cluster(cord_world *w, cluster *s, double h)
{
    text message = {0};
    cord_status status = s->report.status;
    if (status == CORD_ERROR_MEMORY) return status;
    if (add_topology(&message, w, s)) return cord__fail(w, status, "%s", message.is);
    add_failure(&message, w, s, h); /* the search below uses the trial and its residuals */
    bool contradicts = find_contradiction(w, s, h);
    w->revision++; /* caches belong to the trial state */
    if (contradicts) return s->report.status = CORD_ERROR_INCONSISTENT;
    return cord__fail(w, status, "%s", message.is);
}

/* ---- the failed objects ---------------------------------------------------------------------- */

static void note_object(cord_world *w, int block_index)
{
    const object *t = object_at(w, block_index);
    uint32_t handle = (uint32_t)t->slot + 1;
    w->failure = (cord_failure){0};
    if (t->kind == OBJECT_STRAND)
        w->failure.strand = (cord_strand){handle, w->strands.generation[t->slot]};
    if (t->kind == OBJECT_BODY)
        w->failure.body = (cord_body){handle, w->bodies.generation[t->slot]};
}

static void note_failure(cord_world *w, const cluster *s)
{
    note_object(w, s->report.failed_block >= 0 ? s->report.failed_block : s->block[0]);
    if (s->report.failed_constraint < 0) return;
    int slot = w->problem.constraint[s->report.failed_constraint]->term.slot;
    w->failure.constraint = (cord_constraint){(uint32_t)slot + 1, w->terms.generation[slot]};
}

void cord__begin_failure(cord_world *w)
{
    w->failure = (cord_failure){0};
}

cord_status cord__end_failure(cord_world *w, cord_status status)
{
    w->failure.status = status;
    w->failure.time = w->problem.now.time;
    if (status == CORD_OK) cord__begin_failure(w);
    return status;
}

cord_status cord_world_get_failure(const cord_world *w, cord_failure *failure)
{
    if (!w) return CORD_ERROR_ARGUMENT;
    if (!failure) return cord__fail(w, CORD_ERROR_ARGUMENT, "the result is NULL");
    *failure = w->failure;
    return CORD_OK;
}

cord_status cord__report_islands(cord_world *w, cord_status status, double h)
{
    for (int i = 0; i < w->partition.clusters; i++) {
        if (w->partition.cluster[i].report.status != CORD_OK) {
            note_failure(w, w->partition.cluster + i);
            return report_cluster(w, w->partition.cluster + i, h);
        }
    }
    return status;
}

cord_status cord__report_gain(cord_world *w, double h)
{
    const energy_check *e = &w->energy_check;
    const problem *p = &w->problem;
    const bool has_scheme = p->integrator == cord__integrators + CORD_IMPLICIT;
    text label = {0};
    add_object(&label, w, e->fastest);
    note_object(w, e->fastest);
    return cord__fail(
        w, CORD_ERROR_NOT_CONVERGED,
        "%s at t = %.9g s: the energy grows by %.4g J, more than the %.4g J that errors explain, "
        "although nothing drives it: '%s' is unstable here, even with a step of %.3g s; the "
        "default "
        "integrator and scheme, shorter steps or internal damping usually help",
        label.is, p->now.time, e->gain, e->limit,
        has_scheme ? p->scheme->name : p->integrator->name, h);
}
