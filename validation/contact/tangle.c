/* Guarantee mode: strands that tumble in a box for many steps, with a test of passages that shares no code with the library. */
#include "math/vec3.h"
#include "validation/contact/contact.h"
#include "validation/contact/scenes.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double radius = 4e-3, half_width = 0.08, period = 1.5;
enum { STRANDS = 20, MOST_EDGES = 8, MOST_VERTICES = MOST_EDGES + 1 };
/* Chords of an edge, by which the test takes the smooth curve of a strand. */
enum { PARTS = 4, MOST_CHORDS = MOST_EDGES * PARTS };

typedef double snapshot[STRANDS][3 * MOST_VERTICES];
typedef double polygons[STRANDS][MOST_CHORDS + 1][3];

typedef struct tangle {
    const char *name;
    cord_integrator integrator;
    int edges, steps; /* of h */
    double h;
    bool reports;
    cord_world *world;
    cord_strand strand[STRANDS];
    snapshot before, after;
    struct {
        polygons before, after;
        double low[STRANDS * MOST_CHORDS][3], high[STRANDS * MOST_CHORDS][3]; /* of their paths */
    } chords;
    coulomb_audit audit;
    int done, passages, outside, fewest; /* contacts after the first fall */
    cord_status status;
} tangle;

/* ---- the world --------------------------------------------------------------------------------------- */

static cord_status add_walls(cord_world *w)
{
    cord_status status = CORD_OK;
    for (int side = 0; status == CORD_OK && side < 6; side++) {
        cord_obstacle_def def = cord_obstacle_def_default();
        cord_obstacle wall;
        const int axis = side / 2;
        const double sign = side % 2 ? 1 : -1;
        for (int k = 0; k < 9; k++) def.frame[k] = 0;
        def.position[axis] = sign * half_width;
        def.frame[6 + axis] = -sign; /* the normal points inwards */
        def.frame[(axis + 1) % 3] = 1;
        v3_cross(def.frame + 3, def.frame + 6, def.frame);
        status = cord_world_add_obstacle(w, &def, &wall);
    }
    return status;
}

/* Loops of 3/4 of a circle, in layers of four, in different directions. */
static cord_status add_strand(tangle *t, int i)
{
    cord_strand_def def = cord_strand_def_default();
    double x[3 * MOST_VERTICES];
    const double R = 0.03, z = -0.06 + 0.028 * (i / 4), turned = 1.7 * i;
    const double cx = i % 2 ? 0.037 : -0.037, cy = i / 2 % 2 ? 0.037 : -0.037;
    for (int k = 0; k <= t->edges; k++) {
        const double along = (double)k / t->edges, angle = turned + 1.5 * pi * along;
        v3_set(x + 3 * k, cx + R * cos(angle), cy + R * sin(angle), z + 0.008 * along);
    }
    def.positions = x;
    def.vertex_count = t->edges + 1;
    def.section = (cord_section){.kind = CORD_SECTION_CIRCLE, .radius = radius};
    def.material = (cord_material){.density = 1000, .young = 2e5, .poisson = 0.5};
    def.damping = 5e-3;
    cord_status status = cord_world_add_strand(t->world, &def, &t->strand[i]);
    return status == CORD_OK ? contact_add_surface(t->world, t->strand[i], 0, true) : status;
}

static cord_status make(tangle *t)
{
    cord_world_def def = cord_world_def_default();
    cord_contact_def law = cord_contact_def_default();
    def.threads = 1;
    def.integrator = t->integrator;
    law.guarantee = true;
    law.tolerance = 1e-4;
    cord_status status = cord_world_create(&def, &t->world);
    if (status == CORD_OK) status = cord_world_set_contact(t->world, &law);
    if (status == CORD_OK) status = add_walls(t->world);
    for (int i = 0; status == CORD_OK && i < STRANDS; i++) status = add_strand(t, i);
    return status;
}

/* ---- the test ---------------------------------------------------------------------------------------- */

/* Four points that move in straight lines: ends of an edge and of another. */
typedef struct moving {
    double from[4][3], to[4][3];
} moving;

static void at_time(const moving *m, double t, double x[4][3])
{
    for (int i = 0; i < 4; i++) v3_combine(x[i], 1 - t, m->from[i], t, m->to[i]);
}

/* Six times the volume of the tetrahedron: zero where both edges are in a plane. */
static double volume(const moving *m, double t)
{
    double x[4][3], a[3], b[3], c[3], n[3];
    at_time(m, t, x);
    v3_sub(a, x[1], x[0]);
    v3_sub(b, x[2], x[0]);
    v3_sub(c, x[3], x[0]);
    v3_cross(n, a, b);
    return v3_dot(n, c);
}

/* Whether two edges in a plane cross: the ends of each are on both sides of the line through the other. */
static bool cross_in_plane(const moving *m, double t)
{
    double x[4][3], a[3], b[3], n[3], p[3], q[3], u[3];
    at_time(m, t, x);
    v3_sub(a, x[1], x[0]);
    v3_sub(b, x[3], x[2]);
    v3_cross(n, a, b);
    double side[4];
    for (int i = 0; i < 2; i++) {
        v3_sub(p, x[2 + i], x[0]);
        v3_cross(u, a, p);
        side[i] = v3_dot(u, n);
        v3_sub(q, x[i], x[2]);
        v3_cross(u, b, q);
        side[2 + i] = v3_dot(u, n);
    }
    return side[0] * side[1] < 0 && side[2] * side[3] < 0;
}

/* The volume is a cubic polynomial of time. Between the zeros of its derivative, found from four values, it has one zero at most. */
static bool passes(const moving *m)
{
    const double v0 = volume(m, 0), v1 = volume(m, 1.0 / 3), v2 = volume(m, 2.0 / 3),
                 v3 = volume(m, 1);
    const double c1 = -5.5 * v0 + 9 * v1 - 4.5 * v2 + v3,
                 c2 = 9 * v0 - 22.5 * v1 + 18 * v2 - 4.5 * v3,
                 c3 = -4.5 * v0 + 13.5 * v1 - 13.5 * v2 + 4.5 * v3;
    double bound[4] = {0, 1, 1, 1};
    int parts = 1;
    const double square = c2 * c2 - 3 * c1 * c3, root = square > 0 ? sqrt(square) : 0;
    for (int k = -1; k <= 1 && fabs(c3) > 0; k += 2) {
        double t = (-c2 + k * copysign(root, c3)) / (3 * c3);
        if (t > bound[parts - 1] && t < 1) bound[parts++] = t;
    }
    if (!(fabs(c3) > 0) && fabs(c2) > 0) {
        double t = -c1 / (2 * c2);
        if (t > 0 && t < 1) bound[parts++] = t;
    }
    bound[parts] = 1;
    for (int i = 0; i < parts; i++) {
        double low = bound[i], high = bound[i + 1], at_low = volume(m, low);
        if (!(at_low * volume(m, high) < 0)) continue;
        for (int k = 0; k < 50; k++) {
            double middle = 0.5 * (low + high);
            *(volume(m, middle) * at_low > 0 ? &low : &high) = middle;
        }
        if (cross_in_plane(m, low)) return true;
    }
    return false;
}

/* Boxes about the paths of all chords. */
static void bound_paths(tangle *t)
{
    const int chords = t->edges * PARTS;
    for (int c = 0; c < STRANDS * chords; c++)
        for (int k = 0; k < 3; k++) {
            double low = t->chords.before[c / chords][c % chords][k], high = low;
            for (int end = 0; end < 2; end++) {
                const double from = t->chords.before[c / chords][c % chords + end][k];
                const double to = t->chords.after[c / chords][c % chords + end][k];
                low = fmin(low, fmin(from, to));
                high = fmax(high, fmax(from, to));
            }
            t->chords.low[c][k] = low;
            t->chords.high[c][k] = high;
        }
}

static bool apart(const tangle *t, int a, int b)
{
    for (int k = 0; k < 3; k++)
        if (t->chords.low[a][k] > t->chords.high[b][k] ||
            t->chords.low[b][k] > t->chords.high[a][k])
            return true;
    return false;
}

/* The parabola through a vertex and its neighbours; edges are equally long, f is in edges from the vertex. */
static void parabola(const double *x, int vertex, double f, double out[3])
{
    for (int k = 0; k < 3; k++) {
        const double before = x[3 * (vertex - 1) + k], at = x[3 * vertex + k],
                     after = x[3 * (vertex + 1) + k];
        out[k] = at + 0.5 * f * (after - before) + 0.5 * f * f * (before - 2 * at + after);
    }
}

/* The curve on which contact acts (docs/contact.md): along an edge the parabola at its start goes over into that at its end with the
 * weight 3f² − 2f³; at the ends of a strand there is one alone. */
static void point_on(const double *x, int edges, int edge, double f, double out[3])
{
    double start[3], end[3];
    const double weight = edge == 0 ? 1 : edge + 1 == edges ? 0 : (3 - 2 * f) * f * f;
    parabola(x, edge > 0 ? edge : 1, edge > 0 ? f : f - 1, start);
    parabola(x, edge + 1 < edges ? edge + 1 : edge, edge + 1 < edges ? f - 1 : f, end);
    v3_combine(out, 1 - weight, start, weight, end);
}

static void inscribe(double (*x)[3 * MOST_VERTICES], int edges, polygons out)
{
    for (int i = 0; i < STRANDS; i++)
        for (int k = 0; k <= edges * PARTS; k++) {
            const int edge = k < edges * PARTS ? k / PARTS : edges - 1;
            point_on(x[i], edges, edge, (double)(k - edge * PARTS) / PARTS, out[i][k]);
        }
}

/* Passages of chords through each other; neighbours share a point. */
static int count_passages(tangle *t)
{
    int count = 0;
    const int chords = t->edges * PARTS;
    inscribe(t->before, t->edges, t->chords.before);
    inscribe(t->after, t->edges, t->chords.after);
    bound_paths(t);
    for (int a = 0; a < STRANDS * chords; a++)
        for (int b = a + 1; b < STRANDS * chords; b++) {
            if (apart(t, a, b) || (a / chords == b / chords && b - a < 2)) continue;
            moving m = {0};
            for (int i = 0; i < 4; i++) {
                const int chord = i < 2 ? a : b, end = chord % chords + i % 2;
                v3_copy(m.from[i], t->chords.before[chord / chords][end]);
                v3_copy(m.to[i], t->chords.after[chord / chords][end]);
            }
            count += passes(&m);
        }
    return count;
}

/* Vertices beyond a wall. */
static int count_outside(const tangle *t)
{
    int count = 0;
    for (int i = 0; i < STRANDS; i++)
        for (int k = 0; k < 3 * (t->edges + 1); k++) count += fabs(t->after[i][k]) > half_width;
    return count;
}

static cord_status read(const tangle *t, snapshot x)
{
    cord_status status = CORD_OK;
    for (int i = 0; status == CORD_OK && i < STRANDS; i++)
        status = cord_strand_get_positions(t->world, t->strand[i], x[i]);
    return status;
}

/* The test itself: of two edges that cross within a step it finds one passage, and none where they stop before. */
static void check_test(validation *v)
{
    moving m = {{{-1, 0, 0}, {1, 0, 0}, {0, -1, 1}, {0, 1, 1}},
                {{-1, 0, 0}, {1, 0, 0}, {0, -1, -1}, {0, 1, -1}}};
    bool found = passes(&m);
    m.to[2][2] = m.to[3][2] = 0.1;
    validation_row(v, "test", "finds a passage, and none where there is none",
                   (found ? 1 : 0) + (passes(&m) ? 2 : 0), 1, 0.5);
}

static void print_progress(const tangle *t)
{
    if (!t->reports || t->done % 10000 != 0) return;
    cord_counters counters = {0};
    cord_world_get_counters(t->world, &counters);
    fprintf(stderr,
            "%s: %d steps, %d passages, %d vertices outside, %lld steps shortened, %.1f "
            "contacts\n",
            t->name, t->done, t->passages, t->outside, (long long)counters.halvings,
            (double)t->audit.contacts / t->done);
}

/* Gravity turns about an oblique axis, so that the strands tumble. */
static cord_status drive(const tangle *t)
{
    const double angle = 2 * pi * t->done * t->h / period, g = 9.81;
    const double gravity[3] = {g * sin(angle), 0.4 * g * sin(0.37 * angle), -g * cos(angle)};
    return cord_world_set_gravity(t->world, gravity);
}

static cord_status step_and_test(tangle *t)
{
    cord_status status = drive(t);
    if (status == CORD_OK) status = cord_world_step(t->world, t->h);
    if (status == CORD_OK) status = read(t, t->after);
    const int contacts = t->audit.contacts;
    if (status == CORD_OK) status = contact_audit(t->world, &t->audit);
    if (status != CORD_OK) return status;
    if (t->done * t->h > period) t->fewest = (int)fmin(t->fewest, t->audit.contacts - contacts);
    t->passages += count_passages(t);
    t->outside += count_outside(t);
    memcpy(t->before, t->after, sizeof t->before);
    t->done++;
    print_progress(t);
    return CORD_OK;
}

static void run(tangle *t)
{
    t->audit =
        (coulomb_audit){.friction = -1, .velocity = 9.81 * t->h, .radius = radius, .least = 1e-2};
    t->fewest = INT_MAX;
    t->status = make(t);
    if (t->status == CORD_OK) t->status = read(t, t->before);
    while (t->status == CORD_OK && t->done < t->steps) t->status = step_and_test(t);
}

static void report(validation *v, const tangle *t)
{
    const char *name = validation_text(v, "%s, %d steps of %d strands of %d edges", t->name,
                                       t->steps, STRANDS, t->edges);
    validation_row(v, name, "steps taken", t->done, t->steps, 0.5);
    validation_row(v, name, "chords that passed through others", t->passages, 0, 0.5);
    validation_row(v, name, "vertices beyond a wall", t->outside, 0, 0.5);
    validation_row_above(v, name, "contacts in a step, at most", t->audit.most, STRANDS);
    if (!validation_ok(v, t->world, t->status, t->name)) return;
    validation_row_above(v, name, "contacts in a step, mean", (double)t->audit.contacts / t->done,
                         STRANDS);
    if (t->steps * t->h > period)
        validation_row_above(v, name, "contacts in a step, fewest after the first fall", t->fewest,
                             1);
}

static void check(validation *v, const tangle *of)
{
    tangle *t = malloc(sizeof *t);
    if (!t) return;
    *t = *of;
    run(t);
    report(v, t);
    cord_world_destroy(t->world);
    free(t);
}

/* A million steps are those of strands with few edges, in short steps. */
void check_tangle(validation *v)
{
    const bool quick = validation_quick(v), complete = validation_complete(v);
    check_test(v);
    check(v, &(tangle){.name = "implicit",
                       .integrator = CORD_IMPLICIT,
                       .edges = 8,
                       .h = 5e-3,
                       .steps = quick ? 150 : 5000});
    check(v, &(tangle){.name = "symplectic",
                       .integrator = CORD_SYMPLECTIC,
                       .edges = 4,
                       .h = 1e-3,
                       .steps = quick      ? 400
                                : complete ? 1000000
                                           : 20000,
                       .reports = complete});
}
