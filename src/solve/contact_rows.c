/* Rows of contacts at the trial: positions, normals and gaps, and the Jacobians of both sides. */
#include "math/parallel.h"
#include "math/vec3.h"
#include "solve/contact_columns.h"
#include "solve/contacts.h"
#include "solve/integrator.h"

#include <math.h>
#include <string.h>

/* A correction, over the size of elements, after which contacts stay where they are. */
static const double SMALL_CORRECTION = 1e-3;

/* A normal that rotates farther within a step belongs to strands that move past each other: its cosine. */
static const double LEAST_COSINE = 0.5;

/* Of the radius: the overlap at the start of a step that one step may remove. */
static const double REMOVED_OVERLAP = 0.1;
/* Of the distance along a strand within which points are neighbours. */
static const double LONG_SINCE_NEIGHBOURS = 2;

/* Of the radius: an overlap that a converged iteration may leave. */
static const double SMALL_OVERLAP = 1e-3;

/* Of an edge: contacts nearer along both strands are the same, and those that are not retained beside one that was found. */
static const double SAME_CONTACT = 0.05, RETAINED = 0.499;

/* Searches for missed contacts in one step. */
enum { SEARCHES = 6 };

/* Solves at a converged trial, each with a smaller ε. */
enum { REPETITIONS = 3 };
static const double SMALLER_PROXIMAL = 0.1;

static const block *block_of(const problem *w, const contact *c, int side)
{
    const contact_set *k = w->contacts;
    if (c->segment[side] >= 0) return k->context[k->segment[c->segment[side]].block].block;
    int on = k->carrier[c->obstacle[side]].block;
    return on >= 0 ? w->block[on] : NULL;
}

/* The radius of the first side; two solids have none. */
static double size_of(const contact_set *k, const contact *c)
{
    return c->segment[0] >= 0 ? k->segment[c->segment[0]].radius : k->margin;
}

static double radius_of(const contact_set *k, const contact *c)
{
    double sum = 0;
    for (int side = 0; side < 2; side++)
        if (c->segment[side] >= 0) sum += k->segment[c->segment[side]].radius;
    return sum - c->taper;
}

/* ---- contacts of the pairs ------------------------------------------------------------------------ */

static int all_contacts(const contact_set *k, const contact_pair *x, double margin, contact *out)
{
    if (x->segment[0] < 0)
        return cord__solid_contacts(k->obstacle, x->obstacle[0], x->obstacle[1], margin, out);
    if (x->segment[1] < 0) /* near a joint the least gap may be elsewhere than the least distance */
        return (cord__near_joint(k, x) ? cord__obstacle_ends : cord__obstacle_contacts)(
            k->curve, k->segment, x->segment[0], k->obstacle, x->obstacle[1], margin, out);
    const contact_candidate pair = {x->segment[0], x->segment[1]};
    return cord__pair_contacts(k->curve, k->segment, pair, margin, out);
}

int cord__contacts_of_pair(const contact_set *k, const contact_pair *x, double margin, contact *out)
{
    int kept = 0, count = all_contacts(k, x, margin, out);
    for (int i = 0; i < count; i++)
        if (cord__taper(k, out + i)) out[kept++] = out[i];
    return kept;
}

bool cord__is_of_pair(const contact_pair *x, const contact *c)
{
    return memcmp(x->segment, c->segment, sizeof x->segment) == 0 &&
           memcmp(x->obstacle, c->obstacle, sizeof x->obstacle) == 0;
}

/* A row of a contact that was found at the present positions. */
static void set_contact(const contact_set *k, contact_row *r, int pair, const contact *c)
{
    r->at = *c;
    r->pair = pair;
    r->has_jacobian = false;
    for (int side = 0; c->segment[0] < 0 && side < 2; side++) {
        const obstacle *o = k->obstacle + c->obstacle[side];
        double from[3];
        v3_sub(from, c->x[side], o->x);
        m3_apply_transposed(r->fixed[side], o->R, from);
    }
}

static void begin_row(const contact_set *k, contact_row *r, int pair, const contact *c)
{
    memset(r, 0, sizeof *r);
    set_contact(k, r, pair, c);
    r->live = -1;
    r->friction = k->frictionless ? 0 : k->pair[pair].law.friction;
}

/* Pairs and contacts are both in the order of keys. */
static void make_rows(contact_set *k, island_contacts *of, int count)
{
    int pair = of->first_pair;
    for (int i = 0; i < count; i++) {
        const contact *c = k->found + of->first_row + i;
        if (of->rows == of->row_room) {
            of->overflow = true;
            return;
        }
        while (!cord__is_of_pair(k->pair + pair, c)) pair++;
        begin_row(k, k->row + of->first_row + of->rows++, pair, c);
    }
}

/* Of the last correction: contacts that are farther apart stay so in the next one, or are found when the iteration has come near
 * its end. Of the radius: those that are rows in any case. */
static const double REACH_OF_MOTION = 10, LEAST_REACH = 0.05;

/* The gap up to which contacts of a pair are rows. */
static bool reach_of_rows(const contact_set *k, const island_contacts *of, const contact_pair *x,
                          double *margin)
{
    *margin = 0.5 * cord__pair_margin(k, x);
    if (x->segment[0] < 0 || !(of->moved > 0 && of->moved < 1)) return true;
    const double *s = k->segment[x->segment[0]].s;
    const double reach =
        LEAST_REACH * cord__pair_scale(k, x) + REACH_OF_MOTION * of->moved * (s[1] - s[0]);
    *margin = fmin(*margin, reach);
    return true;
}

static bool reach_of_solids(const contact_set *k, const island_contacts *of, const contact_pair *x,
                            double *margin)
{
    return x->segment[0] < 0 && reach_of_rows(k, of, x, margin);
}

static bool overlapping(const contact_set *k, const island_contacts *of, const contact_pair *x,
                        double *margin)
{
    (void)k, (void)of, (void)x;
    *margin = 0;
    return true;
}

/* Another normal, and tangents that turn with it. */
static void set_axes(contact *c, const double normal[3])
{
    v3_copy(c->normal, normal);
    v3_axpy(c->tangent[0], -v3_dot(c->tangent[0], normal), normal);
    v3_normalize(c->tangent[0], c->tangent[0]);
    v3_cross(c->tangent[1], normal, c->tangent[0]);
}

static void follow_solids(const contact_set *k, contact_row *r)
{
    contact *c = &r->at;
    double between[3];
    for (int side = 0; side < 2; side++) {
        const obstacle *o = k->obstacle + c->obstacle[side];
        m3_apply(c->x[side], o->R, r->fixed[side]);
        v3_add(c->x[side], c->x[side], o->x);
    }
    v3_sub(between, c->x[0], c->x[1]);
    c->gap = v3_dot(between, c->normal);
}

/* The gap at the same material points along the same normal. */
static void follow(contact_set *k, contact_row *r)
{
    if (r->at.segment[0] < 0) {
        follow_solids(k, r);
        return;
    }
    contact *c = &r->at;
    curve_point p;
    double between[3], normal[3];
    for (int side = 0; side < 2; side++) {
        if (c->segment[side] < 0) continue;
        const contact_segment *g = k->segment + c->segment[side];
        cord__curve_point(k->curve + g->block, g, c->s[side], &p);
        v3_copy(c->x[side], p.r);
    }
    if (c->segment[1] >= 0) {
        v3_sub(between, c->x[0], c->x[1]);
        c->gap = v3_dot(between, c->normal) - radius_of(k, c);
    } else {
        double distance = cord__obstacle_distance(k->obstacle + c->obstacle[1], c->x[0], normal);
        c->gap = distance - radius_of(k, c);
        v3_copy(c->x[1], c->x[0]);
        v3_axpy(c->x[1], -distance, normal);
        if (k->statics) set_axes(c, normal);
    }
}

/* Whether contacts are nearer along a side than a fraction of an edge. */
static bool near_along(const contact_set *k, const contact *a, const contact *b, int side,
                       double fraction)
{
    if (a->segment[0] < 0) return a->key == b->key;
    if (a->segment[side] < 0 || b->segment[side] < 0)
        return a->obstacle[side] == b->obstacle[side] && a->segment[side] == b->segment[side];
    const contact_segment *g = k->segment + a->segment[side], *h = k->segment + b->segment[side];
    return g->block == h->block && fabs(a->s[side] - b->s[side]) < fraction * (g->s[1] - g->s[0]);
}

/* The normal of a contact of strands becomes the direction between its material points. */
static void rotate_normal(contact_row *r)
{
    double between[3], normal[3];
    v3_sub(between, r->at.x[0], r->at.x[1]);
    v3_copy(normal, between);
    if (!(v3_normalize(normal, normal) > 0) || v3_dot(normal, r->at.normal) < LEAST_COSINE) return;
    r->at.gap += v3_dot(between, normal) - v3_dot(between, r->at.normal);
    set_axes(&r->at, normal);
}

/* Moves rows of strands that bear a force to the end of the room, where `count` new ones leave some. Their number. */
static int stash_bearing(contact_set *k, const island_contacts *of, int count)
{
    contact_row *row = k->row + of->first_row;
    int number = 0;
    for (int i = of->rows - 1; of->retains && i >= 0; i--) {
        const int to = of->row_room - number - 1;
        if (to < count || to <= i) break;
        if (row[i].force[0] > 0 && row[i].at.segment[0] >= 0) row[to] = row[i], number++;
    }
    return number;
}

/* The first of the rows that were found whose first side is not before a segment. */
static int first_row_at(const contact_row *row, int found, uint32_t segment)
{
    int low = 0, high = found;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (cord__key_side(row[middle].at.key, 0) < segment)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_found(const contact_set *k, const contact_row *row, int found, const contact *c)
{
    const uint32_t own = cord__key_side(c->key, 0);
    for (int i = first_row_at(row, found, own > 0 ? own - 1 : 0); i < found; i++) {
        const contact *other = &row[i].at;
        if (cord__key_side(other->key, 0) > own + 1) break;
        if (near_along(k, other, c, 0, RETAINED) && near_along(k, other, c, 1, RETAINED))
            return true;
    }
    return false;
}

/* Those of them that are far from all that were found stay, at their material points. */
static void retain_rows(contact_set *k, island_contacts *of, int number)
{
    contact_row *row = k->row + of->first_row;
    const int found = of->rows;
    for (int i = of->row_room - number; i < of->row_room; i++) {
        if (is_found(k, row, found, &row[i].at)) continue;
        contact_row *r = row + of->rows++;
        *r = row[i];
        r->has_jacobian = false;
        follow(k, r);
        if (r->at.segment[1] >= 0) rotate_normal(r);
    }
}

/* `solids`: rows of strands stay. */
static void find_rows(const problem *w, island_contacts *of, bool solids)
{
    contact_set *k = w->contacts;
    int count = cord__search_contacts(w, of, solids ? reach_of_solids : reach_of_rows), kept = 0;
    count = cord__merge_contacts(k->curve, k->segment, k->found + of->first_row, count);
    const int stashed = stash_bearing(k, of, count);
    cord__keep_forces(k, of);
    for (int i = 0; solids && i < of->rows; i++)
        if (k->row[of->first_row + i].at.segment[0] >= 0)
            k->row[of->first_row + kept++] = k->row[of->first_row + i];
    of->rows = kept;
    make_rows(k, of, count);
    cord__recall_forces(k, of, kept);
    retain_rows(k, of, stashed);
}

/* ---- Jacobians ------------------------------------------------------------------------------------ */

/* Whether a side moves as its centreline does, which is a weighted sum of points. */
static bool moves_with_points(const problem *w, const block *b, const contact_row *r, int side)
{
    return r->at.segment[side] >= 0 && b->ops->contact->points &&
           (w->contacts->statics || !b->ops->contact->spins(b->model));
}

static void find_points(const contact_set *k, const block *b, const contact_row *r, int side,
                        contact_columns *to)
{
    int first[CURVE_POINTS];
    const int segment = k->segment[r->at.segment[side]].segment;
    to->points = b->ops->contact->points(b->model, segment, r->at.s[side], first, to->weight);
    to->count = 3 * to->points;
    for (int i = 0; i < to->count; i++) to->dof[i] = first[i / 3] + i % 3;
}

/* The surface point of a strand is offset from its centreline along the normal. */
static int strand_jacobian(const problem *w, const block *b, const contact_row *r, int side,
                           int *dof, double *J, double *centre, double *work)
{
    const contact *c = &r->at;
    double offset[3];
    v3_scale(offset, (side ? 1 : -1) * w->contacts->segment[c->segment[side]].radius, r->axis[0]);
    return cord__surface_jacobian(b, w->trial.q + b->q0, w->cache + b->cache0, c->s[side],
                                  !w->contacts->statics && b->ops->contact->spins(b->model) ? offset
                                                                                            : NULL,
                                  dof, J, centre, work);
}

/* J becomes H, along the axes of the row. */
static void rotate_columns(const contact_row *r, contact_columns *on, int side)
{
    for (int i = 0; i < on->points; i++)
        for (int j = 0; j < 9; j++)
            on->H[9 * i + j] = (side ? -1 : 1) * on->weight[i] * r->axis[j % 3][j / 3];
    for (int i = 0; on->points == 0 && i < on->count; i++) {
        double *H = on->H + 3 * i, J[3];
        v3_scale(J, side ? -1 : 1, H);
        for (int axis = 0; axis < 3; axis++) H[axis] = v3_dot(r->axis[axis], J);
    }
}

static void fill_side(problem *w, const stage *t, contact_row *r, int side, const cluster *in,
                      double *work)
{
    const block *b = block_of(w, &r->at, side);
    contact_columns *to = r->side + side;
    const contact *c = &r->at;
    double *centre = work + SURFACE_WORK * b->shape.contact_dofs;
    const bool deviates = !r->has_jacobian && cord__contact_deviates(w, t, r, side, work);
    to->points = 0;
    if (!deviates && moves_with_points(w, b, r, side))
        find_points(w->contacts, b, r, side, to);
    else if (r->at.segment[side] >= 0)
        to->count = strand_jacobian(w, b, r, side, to->dof, to->H, deviates ? centre : NULL, work);
    else
        to->count = cord__body_jacobian(b, w->trial.q + b->q0, w->cache + b->cache0, c->x[side],
                                        to->dof, to->H);
    if (deviates) cord__set_deviation(w, t, r, side, centre);
    rotate_columns(r, to, side);
    for (int i = 0; i < to->count; i++) {
        to->unknown[i] = cord__unknown(w, b, to->dof[i]);
        to->response[i] = cord__free_response(in, to->unknown[i]);
        to->dof[i] += b->v0;
    }
}

/* Whether a contact of a strand with itself is so near along it that its sides were neighbours when they came to overlap, or nearly. */
static bool was_of_neighbours(const contact_set *k, const contact *c)
{
    if (c->segment[0] < 0 || c->segment[1] < 0) return false;
    return cord__along_ratio(k->curve, k->segment + c->segment[0], k->segment + c->segment[1],
                             c->s) < LONG_SINCE_NEIGHBOURS;
}

/* The gap at the end of the step: 0, or less where there was an overlap at its start, of the pair or of the material points of the
 * contact. A part of it is removed. An overlap that came about while both sides were neighbours, too strongly bent, is left to the
 * stiffness of the strand: to remove it would do work. */
static double wanted_gap(const contact_set *k, const contact_pair *x, const contact *c,
                         double start_gap)
{
    const double scale = cord__pair_scale(k, x), start = fmin(x->start_gap, start_gap);
    if (k->statics || !(start < 0)) return 0;
    if (was_of_neighbours(k, c)) return start;
    return fmin(0, start + REMOVED_OVERLAP * scale);
}

/* Of the material points of a contact; 0 of two solids, and where the start of the step is not marked. */
static double start_gap_of(const problem *w, const contact *c)
{
    const bool marked = !w->contacts->statics && !w->integrator->explicit_forces;
    return marked && c->segment[0] >= 0 ? cord__gap_at_start(w, c) : 0;
}

/* The same in a step of `symplectic`, after the relative motion `moved` along the normal: the overlap at the start is that of
 * the same material points, since a contact that begins to replace another of its pair has one, too. The motion that removes
 * it is part of the velocity, and steps are short, so that they remove a fraction; of a large overlap a small one, or more. */
static double wanted_gap_by_parts(const problem *w, const contact_row *r, double moved)
{
    const double start = r->at.gap - moved, size = size_of(w->contacts, &r->at);
    const double h = r->side[r->side[0].cluster ? 0 : 1].cluster->newton.h;
    const double excess = fmin(-start - LARGE_OVERLAP * size, SMALL_OVERLAP * size);
    const double removed = fmax(-REMOVED_OVERLAP * start, excess * fmin(1, h / w->requested_step));
    return start < 0 ? start + removed : 0;
}

static void fill_constants(const problem *w, const stage *t, contact_row *r)
{
    const contact_set *k = w->contacts;
    const bool by_parts = w->integrator->explicit_forces && !k->statics && r->at.segment[0] >= 0;
    cord__contact_motion(w, t, r, r->c);
    r->c[0] = r->at.gap - (by_parts ? wanted_gap_by_parts(w, r, r->c[0])
                                    : wanted_gap(k, k->pair + r->pair, &r->at, r->start_gap));
}

static void fill_jacobian(problem *w, const stage *t, const island_contacts *of, int index,
                          double *work)
{
    contact_set *k = w->contacts;
    contact_row *r = k->row + index;
    if (!r->has_jacobian || k->statics) cord__set_contact_axes(k, r, of->mean_axes);
    for (int side = 0; side < 2; side++) {
        const block *b = block_of(w, &r->at, side);
        const size_t first = (size_t)(2 * index + side) * (size_t)k->columns;
        contact_columns *to = r->side + side;
        to->dof = k->index + 3 * first;
        to->unknown = to->dof + k->columns;
        to->response = to->unknown + k->columns;
        to->H = k->numbers + 3 * first;
        to->count = 0;
        to->cluster = b ? k->cluster + b->cluster : NULL;
        if (b) fill_side(w, t, r, side, to->cluster, work ? work : to->cluster->work);
    }
    r->has_jacobian = true;
}

/* In a projection, whose motion has no bound. Segments that are bent much have contacts with several normals: those of the material
 * points of the contact count where the normal of the pair was another one. */
static bool rotated_too_far(const contact_set *k, const contact_row *r, bool by_projection)
{
    const contact *c = &r->at;
    if (k->statics || !by_projection) return false;
    if (c->segment[0] < 0 || c->segment[1] < 0 || c->gap > 0.5 * radius_of(k, c)) return false;
    return v3_dot(c->normal, k->pair[r->pair].start_normal) < LEAST_COSINE &&
           !(cord__normal_cosine(k, c) >= LEAST_COSINE);
}

/* The largest overlap of pairs of solids, whose contacts do not stay at material points. */
static double solids_overlap(const contact_set *k, const island_contacts *of)
{
    double worst = 0;
    contact found[SOLID_CONTACTS];
    for (int i = 0; i < of->pairs; i++) {
        const contact_pair *pair = k->pair + of->first_pair + i;
        if (pair->segment[0] >= 0) continue;
        for (int j = cord__contacts_of_pair(k, pair, 0, found) - 1; j >= 0; j--)
            worst = fmax(worst, (wanted_gap(k, pair, found + j, 0) - found[j].gap) / k->margin);
    }
    return worst;
}

double cord__contact_gaps(problem *w, const island *of)
{
    contact_set *k = w->contacts;
    const island_contacts *x = of->contacts;
    for (int i = 0; i < of->clusters; i++)
        cord__contacts_locate(w, of->cluster[i], w->trial.q, w->cache);
    double worst = x->has_solids ? solids_overlap(k, x) : 0;
    for (int i = 0; i < x->rows; i++) {
        contact_row *r = k->row + x->first_row + i;
        if (r->at.segment[0] < 0) continue;
        follow(k, r);
        fill_constants(w, NULL, r);
        worst = fmax(worst, -r->c[0] / size_of(k, &r->at));
    }
    return worst;
}

void cord__follow_contacts(problem *w, const island *of)
{
    const island_contacts *x = of->contacts;
    cord__locate_trial(w, of);
    for (int i = 0; i < x->rows; i++) follow(w->contacts, w->contacts->row + x->first_row + i);
}

/* Whether the last correction of Newton's iteration moved contacts so little that they are where they would be found anew. */
static bool stays(const problem *w, const island *of)
{
    return !w->integrator->explicit_forces && of->contacts->moved < SMALL_CORRECTION;
}

/* A row at the trial. */
typedef struct row_filling {
    problem *w;
    island_contacts *of;
    const stage *stage;
    bool fixed, strands_fixed;
} row_filling;

static void fill_row(void *context, int index, int thread)
{
    const row_filling *x = context;
    contact_set *k = x->w->contacts;
    contact_row *r = k->row + x->of->first_row + index;
    if (r->at.segment[0] >= 0 ? x->strands_fixed : x->fixed) follow(k, r);
    r->failed = rotated_too_far(k, r, x->w->integrator->explicit_forces);
    if (r->failed) return;
    if (!r->has_jacobian && x->stage) r->start_gap = start_gap_of(x->w, &r->at);
    /* Of a contact without a force that has not been found anew, that of the last iteration serves: it tells whether
     * the contact is about to close. */
    if (x->of->refreshed || k->statics || r->live >= 0 || !r->has_jacobian)
        fill_jacobian(x->w, x->stage, x->of, x->of->first_row + index,
                      x->w->threads > 1 ? k->thread_work + thread * THREAD_ROOM(k->columns) : NULL);
    fill_constants(x->w, x->stage, r);
}

const contact_row *cord__contact_rows(problem *w, const island *of)
{
    contact_set *k = w->contacts;
    island_contacts *x = of->contacts;
    const bool strands_fixed =
        k->statics ? x->fixed : x->refreshes >= CONTACT_REFRESHES || stays(w, of);
    const bool fixed =
        x->has_solids && !k->statics ? x->refreshes >= SOLID_REFRESHES : strands_fixed;
    const stage *stage_of =
        w->integrator->explicit_forces || k->statics ? NULL : &of->cluster[0]->newton.stage;
    for (int i = 0; !(stage_of && x->located) && i < of->clusters; i++)
        cord__contacts_locate(w, of->cluster[i], w->trial.q, w->cache);
    if (!fixed) find_rows(w, x, strands_fixed);
    x->refreshed = !fixed;
    /* Along one strand errors of friction multiply: loose forces made the capstan's ratio 0.3 % wrong at three turns. */
    if (!w->integrator->explicit_forces)
        x->loose = !fixed && !k->statics && of->clusters > 1 &&
                   of->cluster[0]->newton.limits.iterations > 1;
    x->refreshes++;
    cord__parallel_for(w->threads, x->rows, fill_row,
                       &(row_filling){w, x, stage_of, fixed, strands_fixed});
    for (int i = 0; i < x->rows; i++)
        if (k->row[x->first_row + i].failed) return k->row + x->first_row + i;
    return NULL;
}

/* ---- contacts that the rows do not have ------------------------------------------------------------ */

/* A contact at which the trial overlaps: the row next to it moves there, or it becomes a row. */
static void add_missed(contact_set *k, island_contacts *of, int pair, const contact *c)
{
    for (int i = 0; i < of->rows; i++) {
        contact_row *r = k->row + of->first_row + i;
        if (!near_along(k, &r->at, c, 0, SAME_CONTACT) ||
            !near_along(k, &r->at, c, 1, SAME_CONTACT))
            continue;
        set_contact(k, r, pair, c);
        return;
    }
    if (of->rows < of->row_room)
        begin_row(k, k->row + of->first_row + of->rows++, pair, c);
    else
        of->overflow = true;
}

double cord__overlap(problem *w, const island *of, bool add)
{
    contact_set *k = w->contacts;
    island_contacts *x = of->contacts;
    double most = 0;
    cord__locate_trial(w, of);
    const int count = cord__search_contacts(w, x, overlapping);
    int pair = x->first_pair;
    for (int i = 0; i < count; i++) {
        const contact *c = k->found + x->first_row + i;
        while (!cord__is_of_pair(k->pair + pair, c)) pair++;
        const double scale = cord__pair_scale(k, k->pair + pair);
        const double start = x->in_force ? start_gap_of(w, c) : 0;
        const double overlap = wanted_gap(k, k->pair + pair, c, start) - c->gap;
        most = fmax(most, overlap / scale);
        if (add && overlap > SMALL_OVERLAP * scale) add_missed(k, x, pair, c);
    }
    return most;
}

void cord__contacts_begin_step(const island *of, bool by_scheme)
{
    if (!of->contacts) return;
    of->contacts->by_scheme = by_scheme;
    of->contacts->rows = 0;
    of->contacts->closes = of->contacts->across = of->contacts->located = false;
    of->contacts->by_passes = false;
}

void cord__contacts_begin_stage(problem *w, const island *of, const double *q)
{
    of->contacts->refreshes = of->contacts->searches = of->contacts->repetitions = 0;
    of->contacts->searched = of->contacts->located = false;
    of->contacts->moved = INFINITY;
    cord__island_locate(w, of, q);
    cord__contacts_mark(w, of, q);
    cord__contacts_mark_stage(w, of, q);
}

/* Of the radius, per step: slower approaches are no impacts. They are frequent where a line of contact grows. */
static const double SLOW_APPROACH = 2e-3;

/* The velocity of approach of a contact that closed in a step h; 0: there was no impact. */
static double impact_of(const problem *w, const contact_row *r, double h)
{
    double approach = 0;
    if (!(r->force[0] > 0) || r->previous[0] > 0) return 0;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < r->side[side].count; i++)
            approach -= r->side[side].H[3 * i] * w->now.v[r->side[side].dof[i]];
    double slow = SLOW_APPROACH * cord__pair_scale(w->contacts, w->contacts->pair + r->pair) / h;
    return approach > slow ? approach : 0;
}

void cord__contacts_end_stage(const problem *w, const island *of, double h)
{
    island_contacts *x = of->contacts;
    for (int i = 0; i < x->rows; i++) {
        contact_row *r = w->contacts->row + x->first_row + i;
        r->approach = impact_of(w, r, h);
        bool impact = r->approach > 0;
        x->closes = x->closes || impact;
        if (impact)
            r->age = 0;
        else if (!(r->previous[0] > 0))
            r->age = x->quiet;
    }
    /* An impact, also one that has opened by the end of the step, makes impulses of all forces. */
    for (int i = 0; x->closes && i < x->rows; i++) w->contacts->row[x->first_row + i].age = 0;
}

bool cord__contacts_change(const island *of)
{
    return of->contacts->refreshed;
}

bool cord__misses_contacts(problem *w, const island *of, bool converged)
{
    island_contacts *x = of->contacts;
    if (x->searches == SEARCHES) return false;
    if (!converged && (x->searched || x->refreshed)) return false;
    bool any = cord__overlap(w, of, true) > SMALL_OVERLAP;
    x->searched = !any;
    x->searches += any;
    if (any) x->refreshes = most_refreshes(x);
    return any;
}

bool cord__contacts_drift(const problem *w, const island *of)
{
    island_contacts *x = of->contacts;
    const double tolerance = w->contacts->def.tolerance;
    if (x->live == 0 || x->report.residual > tolerance || !(x->proximal_error > tolerance))
        return false;
    if (x->repetitions++ == REPETITIONS) return false;
    x->refreshes = most_refreshes(x);
    x->proximal *= SMALLER_PROXIMAL;
    return true;
}

cord_status cord__check_overlap(problem *w, const island *of, double most)
{
    if (cord__overlap(w, of, false) <= most && !of->contacts->overflow) return CORD_OK;
    return cord__set_failure(of->cluster[0], CORD_ERROR_NOT_CONVERGED,
                             "objects in contact overlap at the end of a step",
                             of->cluster[0]->block[0], -1);
}
