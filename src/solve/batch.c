/* The step of a batch: the schemes of implicit.c and Newton's iteration of newton.c, over interleaved arrays. */
#include "solve/batch.h"

#include "math/combine.h"
#include "solve/contacts.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* ---- forming batches ----------------------------------------------------------------------------- */

/* Shapes are compared with as many before them. */
enum { SHAPES_COMPARED = 16 };

/* Lengths that change move inertial coordinates, of which a batch has those at the start of the step. */
static bool has_constant_coordinates(const block *b)
{
    return !b->schedule || b->schedule->length.count == 0 || b->shape.inertial_count == 0;
}

/* Forces at positions that are linear in the dofs are constant in a stage. */
static bool has_constant_loads(const problem *w, const cluster *s)
{
    const block *b = w->block[s->block[0]];
    bool all = s->loads == 0 || !b->ops->add_geometric_stiffness;
    for (int k = 0; all && k < s->loads; k++) {
        const force_term *f = w->load[s->load[k]];
        all = !(f->term.needs[0] & NEEDS_FRAME) && w->point[f->term.point[0]]->slider_block < 0;
    }
    return all;
}

static bool may_be_batched(const problem *w, const cluster *s)
{
    const block *b = w->block[s->block[0]];
    if (!b->ops->batch || !s->banded || !has_constant_coordinates(b) || b->momentum ||
        b->shape.side_count > 0 || s->forces > 0 || !has_constant_loads(w, s))
        return false;
    const bool solves = b->ops->batch->correct != NULL;
    if (solves != s->private_solve || solves != (b->shape.inertial_count > 0)) return false;
    if (!solves && !batch_has_band(b->shape.band_width, b->shape.band_group)) return false;
    for (int k = 0; k < s->constraints; k++) {
        const constraint *r = w->constraint[s->constraint[k]];
        if (!r->eliminated || r->welded) return false;
    }
    return b->ops->batch->supports(b->model);
}

static bool have_equal_shape(const problem *w, const cluster *first, const cluster *second)
{
    const block *a = w->block[first->block[0]], *b = w->block[second->block[0]];
    return a->ops == b->ops && a->shape.dofs == b->shape.dofs && a->shape.rows == b->shape.rows &&
           a->shape.q_count == b->shape.q_count && a->shape.band_count == b->shape.band_count &&
           a->shape.inertial_count == b->shape.inertial_count &&
           memcmp(a->prescribed, b->prescribed, (size_t)a->shape.dofs) == 0 &&
           a->ops->batch->equal(a->model, b->model);
}

void cord__find_batch_shapes(partition *p, const problem *w)
{
    const cluster *last[SHAPES_COMPARED];
    p->batch_shapes = 0;
    for (int i = 0; i < p->clusters; i++) {
        cluster *s = p->cluster + i;
        s->batch_shape = -1;
        if (!may_be_batched(w, s)) continue;
        const int known = p->batch_shapes < SHAPES_COMPARED ? p->batch_shapes : SHAPES_COMPARED;
        for (int k = 0; s->batch_shape < 0 && k < known; k++)
            if (have_equal_shape(w, last[k], s)) s->batch_shape = last[k]->batch_shape;
        if (s->batch_shape >= 0) continue;
        s->batch_shape = p->batch_shapes++;
        last[s->batch_shape % SHAPES_COMPARED] = s;
    }
}

static bool steps_in_batches(const problem *w)
{
    return w->batches && !w->integrator->solve && !w->integrator->scheme && w->scheme->plan &&
           !w->damped;
}

/* A strand that is free and spins rotates with its base before the first guess (section_spin.c), which batches do not. */
static bool rotates_with_base(const problem *w, const cluster *s, double h)
{
    return s->constraints == 0 && cord__spins_fast(w, w->block[s->block[0]], h);
}

void cord__form_batches(partition *p, const problem *w, double h)
{
    const bool together = steps_in_batches(w);
    p->batches = 0;
    for (int k = 0; k < p->batch_shapes; k++) p->open_batch[k] = -1;
    for (int i = 0; i < p->islands; i++) {
        const island *of = p->island + i;
        const cluster *s = of->cluster[0];
        const bool joins = together && of->clusters == 1 && !of->contacts && s->batch_shape >= 0 &&
                           !rotates_with_base(w, s, h);
        const int shape = joins ? s->batch_shape : -1;
        int *open = shape >= 0 ? p->open_batch + shape : NULL;
        if (open && *open >= 0) {
            island_batch *to = p->batch + *open;
            to->island[to->count++] = i;
            if (to->count == BATCH_LANES) *open = -1;
            continue;
        }
        if (open) *open = p->batches;
        p->batch[p->batches++] = (island_batch){.count = 1, .island = {i}};
    }
}

/* ---- the arrays of a step ------------------------------------------------------------------------ */

typedef struct batch_step {
    problem *w;
    double h;
    int count, unknowns;
    int groups, group; /* of the matrix, and their columns; none where the blocks have a solver */
    const block_shape *shape;
    const batch_ops *ops;
    cluster *cluster[BATCH_LANES];
    block *block[BATCH_LANES];
    environment environment[BATCH_LANES];
    batch_lanes b;
    double *v_start, *a_start, *a; /* at the start of the step; of the trial */
    double *inertial_v_start, *inertial_a_start;
    int *unknown;                       /* per dof: -1: it is prescribed */
    int prescribed_from, prescribed_to; /* range of the prescribed unknowns */
    double *load;                       /* of loads, per unknown, in r of a stage */
    double *columns, *front, *factor, *spare;
    unsigned driven;    /* lanes whose prescribed dofs may move in the step */
    unsigned scheduled; /* lanes with parameters that may change */
    unsigned loaded;    /* lanes with loads */
    unsigned spinning;  /* lanes with sections that spin fast */
    unsigned alive;     /* lanes that have not failed */
    unsigned moving;    /* and whose iteration goes on */
    batch_size size;
} batch_step;

static int group_count(const block_shape *shape)
{
    return (shape->band_count + shape->band_group - 1) / shape->band_group;
}

/* Sets the arrays, one after the other in `workspace`; the doubles that they take. */
static size_t lay_out(batch_step *x, double *workspace)
{
    const block_shape *is = x->shape;
    const size_t dofs = (size_t)is->dofs, unknowns = (size_t)x->unknowns;
    const size_t inertial = (size_t)is->inertial_count;
    const size_t columns =
        x->groups > 0 ? (size_t)(BATCH_GROUPS * batch_column_count(x->group)) : 0;
    const size_t factor = (size_t)(x->groups * batch_factor_count(x->group));
    const struct {
        double **array;
        size_t count;
    } list[] = {{&x->b.q, (size_t)is->q_count},
                {&x->b.v, dofs},
                {&x->b.d, dofs},
                {&x->b.v_predictor, dofs},
                {&x->b.a_predictor, dofs},
                {&x->b.lambda, (size_t)is->rows},
                {&x->b.rhs, unknowns},
                {&x->b.x, unknowns},
                {&x->b.own, (size_t)x->ops->count(x->b.model[0])},
                {&x->b.given, dofs},
                {&x->b.inertial_x, inertial},
                {&x->b.inertial_x0, inertial},
                {&x->b.inertial_v, inertial},
                {&x->b.inertial_a, inertial},
                {&x->b.inertial_v_predictor, inertial},
                {&x->b.inertial_a_predictor, inertial},
                {&x->inertial_v_start, inertial},
                {&x->inertial_a_start, inertial},
                {&x->v_start, dofs},
                {&x->a, dofs},
                {&x->a_start, dofs},
                {&x->load, unknowns},
                {&x->columns, columns},
                {&x->front, BATCH_FRONT},
                {&x->factor, factor},
                {&x->spare, factor}};
    size_t used = 0;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        *list[i].array = workspace ? workspace + used : NULL;
        used += (list[i].count * (size_t)BATCH_LANES + 7) / 8 * 8;
    }
    x->unknown = workspace ? (int *)(void *)(workspace + used) : NULL;
    return used + (dofs + 15) / 16 * 8;
}

static void describe(batch_step *x, problem *w, const block *first)
{
    const bool solves = first->ops->batch->correct != NULL;
    *x = (batch_step){.w = w,
                      .shape = &first->shape,
                      .ops = first->ops->batch,
                      .groups = solves ? 0 : group_count(&first->shape),
                      .group = first->shape.band_group,
                      .b = {.model = {first->model}, .prescribed = first->prescribed}};
    x->unknowns = solves ? first->shape.band_count : x->groups * x->group;
}

size_t cord__batch_workspace(const partition *p, const problem *w)
{
    size_t most = 0;
    int *seen = p->open_batch;
    for (int k = 0; k < p->batch_shapes; k++) seen[k] = 0;
    for (int i = 0; i < p->clusters; i++) {
        batch_step x;
        const int shape = p->cluster[i].batch_shape;
        if (shape < 0 || ++seen[shape] != 2) continue; /* one alone needs none */
        describe(&x, NULL, w->block[p->cluster[i].block[0]]);
        size_t size = lay_out(&x, NULL);
        if (size > most) most = size;
    }
    return most;
}

static void each_lane(const batch_step *x, int kind, const double **from)
{
    const state *now = &x->w->now;
    for (int l = 0; l < BATCH_LANES; l++) {
        const block *b = x->block[l];
        from[l] = kind == 0   ? now->q + b->q0
                  : kind == 1 ? now->v + b->v0
                  : kind == 2 ? now->a + b->v0
                  : kind == 3 ? now->lambda + b->l0
                  : kind == 4 ? now->inertial_v + b->inertial0
                              : now->inertial_a + b->inertial0;
    }
}

static void gather_state(batch_step *x)
{
    const double *from[BATCH_LANES];
    const block_shape *is = x->shape;
    each_lane(x, 0, from), cord__batch_gather(is->q_count, from, x->b.q);
    each_lane(x, 1, from), cord__batch_gather(is->dofs, from, x->v_start);
    each_lane(x, 2, from), cord__batch_gather(is->dofs, from, x->a_start);
    each_lane(x, 3, from), cord__batch_gather(is->rows, from, x->b.lambda);
    each_lane(x, 4, from), cord__batch_gather(is->inertial_count, from, x->b.inertial_v);
    each_lane(x, 5, from), cord__batch_gather(is->inertial_count, from, x->b.inertial_a);
    for (int c = 0; c < is->dofs; c++) {
        const block *b = x->block[0];
        x->unknown[c] = b->prescribed[c] || b->order[c] >= is->band_count ? -1 : b->order[c];
    }
    memset(x->b.d, 0, (size_t)(is->dofs * BATCH_LANES) * sizeof(double));
    memset(x->b.given, 0, (size_t)(is->dofs * BATCH_LANES) * sizeof(double));
    memset(x->b.rhs, 0, (size_t)(x->unknowns * BATCH_LANES) * sizeof(double));
}

/* The inertial coordinates and their rates at the start of the step. */
static void begin_inertial(batch_step *x)
{
    const size_t bytes = (size_t)(x->shape->inertial_count * BATCH_LANES) * sizeof(double);
    if (!x->ops->coordinates) return;
    memcpy(x->inertial_v_start, x->b.inertial_v, bytes);
    memcpy(x->inertial_a_start, x->b.inertial_a, bytes);
    x->ops->coordinates(&x->b, false);
    memcpy(x->b.inertial_x0, x->b.inertial_x, bytes);
}

static void scatter_state(const batch_step *x)
{
    const state *trial = &x->w->trial;
    const block_shape *is = x->shape;
    double *q[BATCH_LANES] = {0}, *v[BATCH_LANES] = {0}, *a[BATCH_LANES] = {0},
           *lambda[BATCH_LANES] = {0}, *inertial_v[BATCH_LANES] = {0},
           *inertial_a[BATCH_LANES] = {0};
    for (int l = 0; l < x->count; l++) {
        const block *b = x->block[l];
        if (!(x->alive & 1u << l)) continue;
        q[l] = trial->q + b->q0, lambda[l] = trial->lambda + b->l0;
        v[l] = trial->v + b->v0, a[l] = trial->a + b->v0;
        inertial_v[l] = trial->inertial_v + b->inertial0;
        inertial_a[l] = trial->inertial_a + b->inertial0;
    }
    cord__batch_scatter(is->q_count, x->b.q, q);
    cord__batch_scatter(is->dofs, x->b.v, v);
    cord__batch_scatter(is->dofs, x->a, a);
    cord__batch_scatter(is->rows, x->b.lambda, lambda);
    cord__batch_scatter(is->inertial_count, x->b.inertial_v, inertial_v);
    cord__batch_scatter(is->inertial_count, x->b.inertial_a, inertial_a);
}

static void begin(batch_step *x, partition *p, const island_batch *of)
{
    x->count = of->count;
    for (int l = 0; l < BATCH_LANES; l++) {
        const int used = l < of->count ? l : 0;
        cluster *s = p->island[of->island[used]].cluster[0];
        x->cluster[l] = s;
        x->block[l] = x->w->block[s->block[0]];
        x->b.model[l] = x->block[l]->model;
        x->b.environment[l] = x->environment + l;
        s->report.status = CORD_OK;
        s->impact_time = INFINITY;
        s->active_set_changed = s->had_impact = false;
        s->predicts_acceleration = true;
    }
    x->alive = (1u << of->count) - 1;
}

static bool is_scripted(const problem *w, const cluster *s)
{
    bool any = false;
    for (int k = 0; !any && k < s->constraints; k++) {
        const constraint *r = w->constraint[s->constraint[k]];
        const point *to = cord__point_of(w, &r->term, 1);
        any = cord__constraint_is_driven(r) ||
              (to && (to->motion.count > 0 || to->rotation.count > 0));
    }
    return any;
}

static void find_driven_lanes(batch_step *x)
{
    problem *w = x->w;
    for (int l = 0; l < x->count; l++) {
        cluster *s = x->cluster[l];
        const bool moves =
            is_scripted(w, s) ||
            cord__prescribed_motion_from(w, s, w->now.q, w->now.time + x->h) > w->small_correction;
        if (moves) x->driven |= 1u << l;
        if (x->block[l]->schedule) x->scheduled |= 1u << l;
        if (s->loads > 0) x->loaded |= 1u << l;
        if (cord__spins_fast(w, x->block[l], x->h)) x->spinning |= 1u << l;
    }
}

/* ---- a stage ------------------------------------------------------------------------------------- */

static void set_environment(batch_step *x, double time)
{
    for (int l = 0; l < BATCH_LANES; l++)
        x->environment[l] = cord__environment(x->w, x->block[l], time);
    x->ops->set_environment(&x->b);
}

/* Inertial coordinates are from here on relative to the start. */
static void set_inertial_predictor(batch_step *x, const predictor *f)
{
    if (!x->ops->coordinates) return;
    const int count = x->shape->inertial_count * BATCH_LANES;
    double *moved = x->b.inertial_x;
    const double *const of[4] = {moved, x->inertial_v_start, x->inertial_a_start, x->b.inertial_v};
    cord__combine(count, (const double[4]){1, -1},
                  (const double *const[4]){moved, x->b.inertial_x0}, moved);
    cord__combine(count, (const double[4]){f->v_d, f->v_v}, (const double *const[4]){of[0], of[1]},
                  x->b.inertial_v_predictor);
    cord__combine(count, (const double[4]){f->a_d, f->a_v, f->a_a, f->a_stage}, of,
                  x->b.inertial_a_predictor);
}

/* A value of one lane: index i of an interleaved array. */
static double *of_lane(double *array, int i, int lane)
{
    return array + (size_t)i * BATCH_LANES + lane;
}

/* Sections that spin have predictor terms of their own, after set_inertial_predictor(). */
static void follow_spin_of_lane(batch_step *x, int l, const stage_plan *plan, double before)
{
    problem *w = x->w;
    const batch_lanes *b = &x->b;
    const int at = x->block[l]->inertial0, count = x->shape->inertial_count;
    for (int i = 0; i < count; i++) {
        const double x0 = *of_lane(b->inertial_x0, i, l);
        w->inertial_x0[at + i] = x0;
        w->inertial_x[at + i] = x0 + *of_lane(b->inertial_x, i, l);
        w->trial.inertial_v[at + i] = *of_lane(b->inertial_v, i, l);
        w->inertial_v_predictor[at + i] = *of_lane(b->inertial_v_predictor, i, l);
        w->inertial_a_predictor[at + i] = *of_lane(b->inertial_a_predictor, i, l);
    }
    cord__follow_fast_spin(w, x->cluster[l], &plan->stage, &plan->terms, x->h, before,
                           plan->duration);
    for (int i = 0; i < count; i++) {
        *of_lane(b->inertial_v_predictor, i, l) = w->inertial_v_predictor[at + i];
        *of_lane(b->inertial_a_predictor, i, l) = w->inertial_a_predictor[at + i];
    }
}

static void follow_spin(batch_step *x, const stage_plan *plan, bool first)
{
    for (int l = 0; l < x->count; l++)
        if (x->spinning & 1u << l)
            follow_spin_of_lane(x, l, plan, first ? 0 : x->h - plan->duration);
}

/* ẋ and ẍ at the end of a stage. */
static void set_inertial_rates(batch_step *x)
{
    const int count = x->shape->inertial_count * BATCH_LANES;
    const batch_lanes *b = &x->b;
    const double c_v[4] = {b->c_v, -b->c_v, 1}, c_a[4] = {b->c_a, -b->c_a, 1};
    if (!x->ops->coordinates) return;
    x->ops->coordinates(b, true);
    const double *const of_v[4] = {b->inertial_x, b->inertial_x0, b->inertial_v_predictor};
    const double *const of_a[4] = {b->inertial_x, b->inertial_x0, b->inertial_a_predictor};
    cord__combine(count, c_v, of_v, b->inertial_v);
    cord__combine(count, c_a, of_a, b->inertial_a);
}

/* At the end of a stage. */
static void set_rates(batch_step *x)
{
    const batch_lanes *b = &x->b;
    cord__batch_rates(x->shape->dofs, b->c_v, b->c_a, b->d, b->v_predictor, b->a_predictor, b->v,
                      x->a);
    set_inertial_rates(x);
}

static bool is_all(const batch_step *x, unsigned lanes)
{
    return (lanes & x->alive) == x->alive;
}

static unsigned extrapolating_lanes(const batch_step *x, const acceleration_weight *weight)
{
    unsigned set = 0;
    for (int l = 0; x->block[0]->mass && l < BATCH_LANES; l++)
        if (cord__extrapolates(x->w, x->cluster[l], weight)) set |= 1u << l;
    return set;
}

/* set_predictor() of implicit.c and cord__predict(): prescribed dofs do not move, and those without inertia have no acceleration
 * of their own. */
static void predict(batch_step *x, const stage_plan *plan, bool first)
{
    const block *b = x->block[0];
    const predictor *f = &plan->terms;
    const acceleration_weight *weight = &plan->acceleration;
    const double of_a = cord__factor_of_acceleration(x->w, x->cluster[0], weight);
    const batch_start start = {.d = x->b.d,
                               .v0 = x->v_start,
                               .a0 = x->a_start,
                               .v = first ? x->v_start : x->b.v,
                               .a = first ? x->a_start : x->a,
                               .v_d = f->v_d,
                               .v_v = f->v_v,
                               .a_d = f->a_d,
                               .a_v = f->a_v,
                               .a_a = f->a_a,
                               .a_stage = f->a_stage,
                               .h = plan->duration,
                               .of_a = of_a * plan->duration * plan->duration,
                               .trend = weight->trend,
                               .c_a = plan->stage.c_a,
                               .extrapolated = extrapolating_lanes(x, weight),
                               .unknown = x->unknown,
                               .mass = b->mass};
    double fraction[BATCH_LANES];
    memset(x->b.x, 0, (size_t)(x->unknowns * BATCH_LANES) * sizeof(double));
    cord__batch_start(x->shape->dofs, &start, x->b.v_predictor, x->b.a_predictor, x->b.x);
    set_inertial_predictor(x, f);
    follow_spin(x, plan, first);
    x->ops->measure(&x->b, &x->size);
    for (int l = 0; l < BATCH_LANES; l++) fraction[l] = 1 / fmax(1, x->size.nonlinearity[l]);
    x->ops->move(&x->b, x->alive, fraction);
}

/* The remaining motion of prescribed dofs, all of it at once. The retraction of a frame may miss a rotation by its cube:
 * then it is repeated. */
static void move_prescribed_lane(batch_step *x, int l, double time)
{
    problem *w = x->w;
    const block *b = x->block[l];
    double *q = w->trial.q + b->q0, *delta = w->delta + b->v0;
    for (int i = 0; i < x->shape->q_count; i++) q[i] = *of_lane(x->b.q, i, l);
    for (int pass = 0; pass < 3; pass++) {
        memset(delta, 0, (size_t)x->shape->dofs * sizeof *delta);
        if (cord__prescribed_motion_from(w, x->cluster[l], w->trial.q, time) == 0) break;
        b->ops->retract(b->model, q, delta);
        for (int c = 0; c < x->shape->dofs; c++) *of_lane(x->b.d, c, l) += delta[c];
    }
    for (int i = 0; i < x->shape->q_count; i++) *of_lane(x->b.q, i, l) = q[i];
}

static void move_prescribed(batch_step *x, double time)
{
    for (int l = 0; l < x->count; l++)
        if (x->driven & 1u << l) move_prescribed_lane(x, l, time);
    if (x->driven) x->ops->begin(&x->b); /* the cache */
}

static void set_prescribed_velocities(batch_step *x)
{
    problem *w = x->w;
    for (int l = 0; l < x->count; l++) {
        const block *b = x->block[l];
        if (!(x->driven & 1u << l)) continue;
        cord__set_prescribed_velocities(w, x->cluster[l], w->now.time + x->h, w->trial.v);
        for (int c = 0; c < x->shape->dofs; c++)
            if (b->prescribed[c]) *of_lane(x->b.v, c, l) = w->trial.v[b->v0 + c];
    }
}

/* Rows and columns of prescribed unknowns in the columns of groups first … end become unit ones; `next`: the entry to begin
 * with, and then that of the next groups. */
static void eliminate_prescribed(const batch_step *x, int first, int end, int *next)
{
    const unknown_map *map = &x->cluster[0]->map;
    const int group = x->group, rows = batch_column_count(group) / group;
    for (; *next < map->entries && map->entry[*next].column < end * group; ++*next) {
        const prescribed_entry *e = map->entry + *next;
        const int column = e->column - first * group, row = e->row - e->column + column % group;
        double *at = x->columns + (column * rows + row) * BATCH_LANES;
        for (int l = 0; row < rows && l < BATCH_LANES; l++) at[l] = e->row == e->column;
    }
}

/* Prescribed unknowns of groups first … end have no increment. */
static void clear_prescribed(const batch_step *x, int first, int end)
{
    const unknown_map *map = &x->cluster[0]->map;
    const size_t bytes = (size_t)BATCH_LANES * sizeof(double);
    if (end * x->group <= x->prescribed_from || first * x->group >= x->prescribed_to) return;
    for (int i = 0; i < map->prescribed_count; i++) {
        const int unknown = map->prescribed[i].unknown;
        if (unknown >= first * x->group && unknown < end * x->group)
            memset(x->b.rhs + unknown * BATCH_LANES, 0, bytes);
    }
}

static void find_prescribed(batch_step *x)
{
    const unknown_map *map = &x->cluster[0]->map;
    x->prescribed_from = INT_MAX, x->prescribed_to = 0;
    for (int i = 0; i < map->prescribed_count; i++) {
        const int unknown = map->prescribed[i].unknown;
        if (unknown < x->prescribed_from) x->prescribed_from = unknown;
        if (unknown >= x->prescribed_to) x->prescribed_to = unknown + 1;
    }
}

static void set_loads(batch_step *x, const stage *t)
{
    problem *w = x->w;
    if (!x->loaded) return;
    memset(x->load, 0, (size_t)(x->unknowns * BATCH_LANES) * sizeof *x->load);
    for (int l = 0; l < x->count; l++) {
        const cluster *s = x->cluster[l];
        const double *r = w->r + x->block[l]->v0;
        if (!(x->loaded & 1u << l)) continue;
        memset(w->r + x->block[l]->v0, 0, (size_t)x->shape->dofs * sizeof *r);
        cord__assemble_loads(w, s, t, false);
        for (int c = 0; c < x->shape->dofs; c++)
            if (x->unknown[c] >= 0) *of_lane(x->load, x->unknown[c], l) = r[c];
    }
}

static void assemble_groups(const batch_step *x, int first, int end, double *columns)
{
    const int from = first * x->group * BATCH_LANES, to = end * x->group * BATCH_LANES;
    x->ops->assemble(&x->b, first, end - first, columns);
    for (int i = from; x->loaded && i < to; i++) x->b.rhs[i] -= x->load[i];
    clear_prescribed(x, first, end);
}

static int block_end(const batch_step *x, int first)
{
    return first + BATCH_GROUPS < x->groups ? first + BATCH_GROUPS : x->groups;
}

static void assemble(batch_step *x)
{
    for (int first = 0; first < x->groups; first += BATCH_GROUPS)
        assemble_groups(x, first, block_end(x, first), NULL);
    cord__batch_solve_forward(x->group, x->groups, x->factor, x->b.rhs, x->b.x);
}

/* Lanes of `fresh` get a new factor, in cache blocks of a few groups. */
static void assemble_and_factor(batch_step *x, unsigned fresh)
{
    const int size = batch_factor_count(x->group);
    const bool all = is_all(x, fresh);
    int next = 0;
    double *factor = all ? x->factor : x->spare;
    memset(x->front, 0, (size_t)(BATCH_FRONT * BATCH_LANES) * sizeof(double));
    for (int first = 0; first < x->groups; first += BATCH_GROUPS) {
        const int end = block_end(x, first), at = first * x->group * BATCH_LANES;
        assemble_groups(x, first, end, x->columns);
        eliminate_prescribed(x, first, end, &next);
        cord__batch_eliminate(x->group, end - first, x->columns, x->front,
                              factor + (size_t)first * (size_t)(size * BATCH_LANES), x->b.rhs + at,
                              x->b.x + at);
    }
    if (all) return;
    cord__batch_keep(fresh, x->groups * size, x->factor, factor);
    x->spare = x->factor, x->factor = factor;
    cord__batch_solve_forward(x->group, x->groups, x->factor, x->b.rhs, x->b.x);
}

static void drop(batch_step *x, unsigned lanes)
{
    x->alive &= ~lanes;
    x->moving &= ~lanes;
}

static unsigned fresh_lanes(const batch_step *x)
{
    unsigned set = 0;
    for (int l = 0; l < x->count; l++)
        if (x->moving & 1u << l && !x->cluster[l]->newton.reuse) set |= 1u << l;
    return set;
}

/* The equations at the trial, and their solution. */
static void correct(batch_step *x)
{
    const unsigned fresh = fresh_lanes(x);
    if (x->ops->correct) {
        x->ops->correct(&x->b, fresh, is_all(x, fresh));
        return;
    }
    if (fresh)
        assemble_and_factor(x, fresh);
    else
        assemble(x);
    cord__batch_solve_backward(x->group, x->groups, x->factor, x->b.x);
}

static void iterate_once(batch_step *x)
{
    double fraction[BATCH_LANES] = {0};
    correct(x);
    x->ops->measure(&x->b, &x->size);
    for (int l = 0; l < x->count; l++) {
        cluster *s = x->cluster[l];
        if (!(x->moving & 1u << l)) continue;
        if (cord__measured_in_batch(s, x->size.largest[l], x->size.nonlinearity[l]) != CORD_OK)
            drop(x, 1u << l);
        fraction[l] = s->newton.fraction;
    }
    x->ops->move(&x->b, x->moving, fraction);
    for (int l = 0; l < x->count; l++) {
        cluster *s = x->cluster[l];
        if (!(x->moving & 1u << l)) continue;
        cord__moved_in_batch(x->w, s, x->size.row_error[l]);
        if (cord__newton.settled(x->w, s)) {
            x->moving &= ~(1u << l);
            if (!s->newton.foreseen && x->size.row_error[l] > CONTRADICTION) drop(x, 1u << l);
        } else if (cord__newton.proceed(x->w, s) != CORD_OK) {
            drop(x, 1u << l);
        }
    }
}

/* Parameters that change may also change the code path: lanes of another one than the first are stepped alone. */
static void set_parameters(batch_step *x, const stage *t)
{
    if (!x->scheduled) return;
    for (int l = 0; l < x->count; l++)
        if (x->scheduled & 1u << l)
            cord__set_parameters(x->w, x->cluster[l], t->force_time, t->time);
    for (int l = 1; l < x->count; l++)
        if (!x->ops->equal(x->b.model[0], x->b.model[l])) drop(x, 1u << l);
    x->ops->begin(&x->b);
}

static void solve_stage(batch_step *x, const stage_plan *plan, bool first)
{
    const newton_limits limits = cord__stage_limits(x->w);
    set_parameters(x, &plan->stage);
    set_environment(x, plan->stage.force_time);
    set_loads(x, &plan->stage);
    predict(x, plan, first);
    move_prescribed(x, plan->stage.time);
    x->b.c_a = plan->stage.c_a, x->b.c_v = plan->stage.c_v;
    for (int l = 0; l < x->count; l++) {
        cord__begin_iteration(x->cluster[l], &plan->stage, &limits, x->h);
        x->cluster[l]->newton.in_contact = false;
    }
    x->moving = x->alive;
    while (x->moving && !cord__cancelled()) iterate_once(x);
    set_rates(x);
}

/* cord__end_step(): velocities onto the rows, with the last factor. */
static void project(batch_step *x, const stage *last)
{
    const int dofs = x->shape->dofs;
    set_prescribed_velocities(x);
    if (x->ops->end_step) {
        x->ops->end_step(&x->b, last->projects_momenta ? last->c_a : 0);
    } else {
        x->ops->row_rates(&x->b);
        cord__batch_solve_forward(x->group, x->groups, x->factor, x->b.rhs, x->b.x);
        cord__batch_solve_backward(x->group, x->groups, x->factor, x->b.x);
        cord__batch_add(dofs, x->unknown, x->b.x, x->b.v);
    }
    unsigned finite = 0;
    cord__batch_finite(dofs, x->b.v, &finite);
    x->alive &= finite;
}

/* As keep_mean_acceleration() of implicit.c. */
static void set_mean_acceleration(batch_step *x)
{
    const double factor[4] = {1 / x->h, -1 / x->h};
    cord__combine(x->shape->dofs * BATCH_LANES, factor,
                  (const double *const[4]){x->b.v, x->v_start}, x->a);
}

/* Lanes whose curvature is beyond every quadrature fail, as in integrator.c. */
static void drop_unbounded(batch_step *x)
{
    for (int l = 0; l < x->count; l++) {
        const block *b = x->block[l];
        if (x->alive & 1u << l && b->ops->quadrature &&
            b->ops->quadrature->fit(b->model, x->w->trial.q + b->q0) == QUADRATURE_UNBOUNDED)
            drop(x, 1u << l);
    }
}

static void step(batch_step *x, partition *p, const island_batch *of, double *workspace)
{
    const scheme_ops *scheme = x->w->scheme;
    const double began = cord__seconds();
    begin(x, p, of);
    lay_out(x, workspace);
    find_driven_lanes(x);
    find_prescribed(x);
    gather_state(x);
    x->ops->begin(&x->b);
    begin_inertial(x);
    stage last = {0};
    for (int i = 0; x->alive && i < scheme->stages; i++) {
        const stage_plan plan = scheme->plan(x->w, x->h, i);
        solve_stage(x, &plan, i == 0);
        last = plan.stage;
    }
    if (cord__cancelled()) return;
    project(x, &last);
    if (x->ops->correct) set_mean_acceleration(x);
    scatter_state(x);
    drop_unbounded(x);
    x->cluster[0]->report.seconds_solve += cord__seconds() - began;
}

void cord__batch_step(problem *w, partition *p, const island_batch *of, double h, double *workspace)
{
    batch_step x;
    if (of->count == 1) {
        cord__island_step(w, p->island + of->island[0], h);
        return;
    }
    describe(&x, w, w->block[p->island[of->island[0]].cluster[0]->block[0]]);
    x.h = h;
    step(&x, p, of, workspace);
    for (int l = 0; l < of->count; l++) {
        if (cord__cancelled())
            cord__cancel_cluster(x.cluster[l]);
        else if (!(x.alive & 1u << l))
            cord__island_step(w, p->island + of->island[l], h);
        else
            x.cluster[l]->report.batched_steps++;
    }
}
