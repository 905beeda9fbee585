#include "record/snapshot.h"

#include "math/rotation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the block ------------------------------------------------------------------------------ */

static size_t quantity_size(const snapshot_layout *l, int what)
{
    const quantity_info *q = &cord__quantities[what];
    return (q->per_edge ? l->edge_count : l->vertex_count) * (size_t)q->columns;
}

static size_t body_quantity_size(const snapshot_layout *l, int what)
{
    return (size_t)l->body_count * (size_t)cord__body_quantities[what].columns;
}

/* The block ends with room for the second directors of one strand, which the query of frames writes and
 * which are then dropped. */
size_t cord__snapshot_size(const snapshot_layout *l)
{
    size_t size = 1 + ENERGY_COUNT + l->probe_size + POINT_SIZE * (size_t)l->point_count +
                  (size_t)l->constraint_count;
    for (int q = 0; q < BODY_QUANTITY_COUNT; q++) size += body_quantity_size(l, q);
    for (int q = 0; q < QUANTITY_COUNT; q++) size += quantity_size(l, q);
    return size + 3 * l->longest;
}

static double *next_part(double **at, size_t size)
{
    double *part = *at;
    *at += size;
    return part;
}

/* Frames are last, before that room. */
frame_snapshot cord__snapshot_in(const snapshot_layout *l, double *numbers)
{
    double *at = numbers;
    frame_snapshot s = {.layout = l, .numbers = numbers};
    s.time = next_part(&at, 1);
    s.energies = next_part(&at, ENERGY_COUNT);
    s.probes = next_part(&at, l->probe_size);
    s.points = next_part(&at, POINT_SIZE * (size_t)l->point_count);
    s.attached = next_part(&at, (size_t)l->constraint_count);
    for (int q = 0; q < BODY_QUANTITY_COUNT; q++)
        s.bodies[q] = next_part(&at, body_quantity_size(l, q));
    for (int q = 0; q < QUANTITY_COUNT; q++) {
        if (q != QUANTITY_FRAMES) s.strands[q] = next_part(&at, quantity_size(l, q));
    }
    s.strands[QUANTITY_FRAMES] = at;
    return s;
}

double *cord__snapshot_strand(const frame_snapshot *s, int strand, quantity what)
{
    const quantity_info *q = &cord__quantities[what];
    const snapshot_strand *of = &s->layout->strands[strand];
    return s->strands[what] +
           (q->per_edge ? of->first_edge : of->first_vertex) * (size_t)q->columns;
}

double *cord__snapshot_body(const frame_snapshot *s, int body, body_quantity what)
{
    return s->bodies[what] + (ptrdiff_t)body * cord__body_quantities[what].columns;
}

double *cord__snapshot_probe(const frame_snapshot *s, int probe)
{
    return s->probes + s->layout->probes[probe].first;
}

static bool is_point(const snapshot_layout *l, int a, int b)
{
    return b >= 0 && l->points[a].index == l->points[b].index;
}

bool cord__snapshot_anchor_released(const frame_snapshot *s, int i)
{
    const snapshot_layout *l = s->layout;
    bool released = false;
    for (int k = 0; k < l->constraint_count; k++) {
        const snapshot_constraint *c = &l->constraints[k];
        if (!is_point(l, i, c->first) && !is_point(l, i, c->second)) continue;
        if (s->attached[k] != 0) return false;
        released = true;
    }
    return released;
}

void cord__snapshot_body_frame(const frame_snapshot *s, int body, double frame[9])
{
    q4_matrix(frame, cord__snapshot_body(s, body, BODY_ROTATION));
}

void cord__snapshot_body_point(const frame_snapshot *s, int body, const double own[3],
                               double out[3])
{
    double frame[9];
    v3_copy(out, own);
    if (body < 0) return;
    cord__snapshot_body_frame(s, body, frame);
    m3_apply(out, frame, own);
    v3_add(out, out, cord__snapshot_body(s, body, BODY_POSITION));
}

/* ---- from a live world ---------------------------------------------------------------------- */

cord_status cord__query_strand(const cord_world *world, cord_strand strand, quantity what,
                               double *values)
{
    switch (what) {
    case QUANTITY_POSITIONS: return cord_strand_get_positions(world, strand, values);
    case QUANTITY_VELOCITIES: return cord_strand_get_velocities(world, strand, values);
    case QUANTITY_FRAMES: return cord_strand_get_frames(world, strand, values);
    case QUANTITY_TENSIONS: return cord_strand_get_tensions(world, strand, values);
    case QUANTITY_CURVATURES: return cord_strand_get_curvatures(world, strand, values);
    case QUANTITY_COUNT: break;
    }
    return CORD_ERROR_UNSUPPORTED;
}

/* The second director is the product of the others. */
static void drop_second_directors(int edge_count, double *frames)
{
    for (ptrdiff_t e = 0; e < edge_count; e++) {
        memmove(frames + 6 * e, frames + 9 * e, 6 * sizeof *frames);
    }
}

const char *cord__failure_text(const cord_simulation *sim, cord_status status)
{
    const cord_world *world = cord_simulation_get_world(sim);
    const char *text = world && status != CORD_ERROR_MEMORY ? cord_world_get_error(world) : "";
    return *text ? text : cord_status_text(status);
}

typedef struct taking {
    frame_snapshot *s;
    cord_simulation *sim;
    cord_status status; /* the first failure */
    char *error;
} taking;

/* Values that cannot be measured are NaN, and the first failure is reported. */
static bool taken(taking *t, cord_status status, const char *kind, const char *name, double *values,
                  ptrdiff_t count)
{
    if (status == CORD_OK) return true;
    for (ptrdiff_t k = 0; k < count; k++) values[k] = NAN;
    if (t->status != CORD_OK) return false;
    t->status = status;
    snprintf(t->error, SNAPSHOT_ERROR, "%s %.80s cannot be measured: %s", kind, name ? name : "",
             cord__failure_text(t->sim, status));
    return false;
}

cord_strand cord__snapshot_handle(const cord_simulation *sim, const snapshot_strand *s)
{
    const cord_world *world = cord_simulation_get_world(sim);
    const cord_strand first = cord_simulation_get_strand(sim, s->scene_strand);
    int breaks = 0, number = 0;
    if (s->fragment == 0) return first;
    if (cord_strand_get_break_count(world, first, &breaks) != CORD_OK) breaks = 0;
    for (int i = 0; i < breaks; i++) {
        cord_break b;
        if (cord_strand_get_break(world, first, i, &b) != CORD_OK) break;
        if (b.fragment.index != first.index && ++number == s->fragment) return b.fragment;
    }
    return (cord_strand){0};
}

/* How many rows of a quantity the strand has now; 0: it does not exist, or has more than were reserved. */
static ptrdiff_t present_rows(const taking *t, cord_strand handle, const quantity_info *q,
                              ptrdiff_t rows)
{
    cord_strand_info info;
    if (!handle.index || cord_strand_get_info(cord_simulation_get_world(t->sim), handle, &info))
        return 0;
    ptrdiff_t present = q->per_edge ? info.edge_count : info.vertex_count;
    return present <= rows ? present : 0;
}

/* Fills the unused rows: with the last one, of a closed strand with the first, and of a fragment that does not exist yet
 * with the last one of its strand. */
static void fill_rows(const taking *t, int strand, quantity what, ptrdiff_t present, ptrdiff_t rows)
{
    const snapshot_strand *s = &t->s->layout->strands[strand];
    const int columns = cord__quantities[what].columns;
    double *values = cord__snapshot_strand(t->s, strand, what);
    const double *of = cord__snapshot_strand(t->s, s->scene_strand, what);
    cord_strand_info info = {.closed = false};
    if (s->opens)
        cord_strand_get_info(cord_simulation_get_world(t->sim), cord__snapshot_handle(t->sim, s),
                             &info);
    const double *last = present == 0  ? of + (rows - 1) * columns
                         : info.closed ? values
                                       : values + (present - 1) * columns;
    for (ptrdiff_t row = present; row < rows; row++)
        memmove(values + row * columns, last, (size_t)columns * sizeof *values);
}

/* Strands are taken in their order: the second directors that one has written are overwritten by the
 * frames of the next. */
static void take_quantity(taking *t, quantity what)
{
    const cord_world *world = cord_simulation_get_world(t->sim);
    const quantity_info *q = &cord__quantities[what];
    for (int i = 0; i < t->s->layout->strand_count; i++) {
        const snapshot_strand *strand = &t->s->layout->strands[i];
        double *values = cord__snapshot_strand(t->s, i, what);
        ptrdiff_t rows = q->per_edge ? strand->edge_count : strand->vertex_count;
        if (!strand->has[what]) {
            for (ptrdiff_t k = 0; k < rows * q->columns; k++) values[k] = NAN;
            continue;
        }
        const cord_strand handle = cord__snapshot_handle(t->sim, strand);
        const ptrdiff_t present = present_rows(t, handle, q, rows);
        if (present == 0 && strand->fragment > 0) {
            fill_rows(t, i, what, 0, rows);
            continue;
        }
        cord_status status = cord__query_strand(world, handle, what, values);
        if (!taken(t, status, "strand", strand->name, values, rows * q->columns)) continue;
        if (what == QUANTITY_FRAMES) drop_second_directors((int)present, values);
        fill_rows(t, i, what, present, rows);
    }
}

static void take_bodies(taking *t)
{
    frame_snapshot *s = t->s;
    for (int i = 0; i < s->layout->body_count; i++) {
        double frame[9], *position = cord__snapshot_body(s, i, BODY_POSITION);
        cord_status status = cord_simulation_get_solid_motion(
            t->sim, i, position, frame, cord__snapshot_body(s, i, BODY_VELOCITY),
            cord__snapshot_body(s, i, BODY_ANGULAR_VELOCITY));
        if (taken(t, status, "body", s->layout->bodies[i].name, position, 3))
            cord__rotation_quaternion(cord__snapshot_body(s, i, BODY_ROTATION), frame);
    }
}

static void take_probes(taking *t)
{
    for (int i = 0; i < t->s->layout->probe_count; i++) {
        const snapshot_probe *p = &t->s->layout->probes[i];
        double *values = cord__snapshot_probe(t->s, i);
        taken(t, cord_simulation_sample(t->sim, i, values), "probe", p->name, values,
              (ptrdiff_t)p->items * p->columns);
    }
}

static void take_points(taking *t)
{
    const cord_world *world = cord_simulation_get_world(t->sim);
    double *to = t->s->points;
    for (int i = 0; i < t->s->layout->point_count; i++, to += POINT_SIZE) {
        double frame[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        cord_status status = cord_point_get_pose(world, t->s->layout->points[i], to, frame);
        taken(t, status, "a point", "", to, 3);
        memcpy(to + 3, frame, 6 * sizeof *to);
    }
}

static void take_constraints(taking *t)
{
    const cord_world *world = cord_simulation_get_world(t->sim);
    for (int i = 0; i < t->s->layout->constraint_count; i++) {
        const snapshot_constraint *c = &t->s->layout->constraints[i];
        bool attached = false;
        cord_status status = cord_constraint_get_attached(world, c->handle, &attached);
        if (taken(t, status, "constraint", c->name, t->s->attached + i, 1))
            t->s->attached[i] = attached;
    }
}

cord_status cord__snapshot_take(frame_snapshot *s, cord_simulation *sim, char error[SNAPSHOT_ERROR])
{
    taking t = {.s = s, .sim = sim, .error = error};
    const cord_world *world = cord_simulation_get_world(sim);
    cord_energy energy;
    if (taken(&t, cord_world_get_energy(world, &energy), "the energy", "", s->energies,
              ENERGY_COUNT))
        cord__energy_values(&energy, s->energies);
    s->time[0] = cord_world_get_time(world);
    for (int q = 0; q < QUANTITY_COUNT; q++) take_quantity(&t, (quantity)q);
    take_bodies(&t);
    take_probes(&t);
    take_points(&t);
    take_constraints(&t);
    taken(&t, cord__contact_records(sim, &s->contacts, &s->contact_count), "the contacts", "", NULL,
          0);
    return t.status;
}
