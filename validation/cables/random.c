/* Machines at random that nothing drives: their energy never grows. */
#include "validation/bodies/parts.h"
#include "validation/cables/cables.h"
#include "validation/cables/machines.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MACHINES = 200, QUICK_MACHINES = 50, MOST_WAYPOINTS = 16 };

/* Growth that a run may have, of the energy that it exchanges: errors of rounding and of the iteration with
 * `midpoint`, which conserves energy; of truncation with `tr-bdf2`. */
static const double ROUND_OFF = 1e-9; /* of the potential energy, of machines that cannot move */
static const double MIDPOINT_GROWTH = 1e-4, IMPLICIT_GROWTH = 1e-2;

typedef struct builder {
    machine m;
    unsigned long long seed;
    cord_waypoint waypoint[MOST_WAYPOINTS];
    int count;
    double x;         /* of the next waypoint */
    char letters[64]; /* names the machine in a report */
} builder;

static double between(builder *b, double least, double most)
{
    return least + (most - least) * machine_chance(&b->seed);
}

static bool happens(builder *b, double probability)
{
    return machine_chance(&b->seed) < probability;
}

/* Uniform in the logarithm. */
static double decades(builder *b, double least, double most)
{
    return exp(between(b, log(least), log(most)));
}

static void name(builder *b, const char *letters)
{
    size_t used = strlen(b->letters);
    snprintf(b->letters + used, sizeof b->letters - used, "%s%s", used > 0 ? " " : "", letters);
}

static cord_waypoint *next(builder *b, cord_waypoint_kind kind)
{
    cord_waypoint *w = b->waypoint + b->count++;
    *w = (cord_waypoint){.kind = kind};
    if (happens(b, 0.15)) w->parts = 2 + (int)between(b, 0, 3);
    return w;
}

static void push(builder *b, cord_body body)
{
    const double linear[3] = {between(b, -1, 1), happens(b, 0.3) ? between(b, -0.3, 0.3) : 0,
                              between(b, -1, 2)};
    if (b->m.status == CORD_OK)
        b->m.status = cord_body_set_velocity(b->m.world, body, linear, (double[]){0, 0, 0});
}

/* ---- ends -------------------------------------------------------------------------------------- */

static cord_point flywheel(builder *b, cord_point bearing, double radius)
{
    cord_point made = {0};
    cord_point_def def = cord_point_def_default();
    def.source = CORD_SOURCE_FLYWHEEL;
    def.inertia = radius * radius * decades(b, 1e-3, 10);
    def.friction = happens(b, 0.2) ? decades(b, 1e-4, 1e-2) : 0;
    def.reference = bearing;
    if (b->m.status == CORD_OK) b->m.status = cord_world_add_point(b->m.world, &def, &made);
    return made;
}

static void add_end(builder *b)
{
    double pick = machine_chance(&b->seed), z = between(b, -1, -0.3);
    if (pick < 0.5) {
        cord_body weight = machine_weight(&b->m, decades(b, 0.03, 30), b->x, z);
        bool guided = happens(b, 0.3);
        if (guided) machine_guide(&b->m, weight);
        if (!guided && happens(b, 0.3)) push(b, weight);
        name(b, guided ? "guided" : "weight");
        next(b, CORD_WAYPOINT_ANCHOR)->point = machine_on(&b->m, weight, 0, 0);
    } else if (pick < 0.65) {
        name(b, "world");
        next(b, CORD_WAYPOINT_ANCHOR)->point = machine_point(&b->m, b->x, between(b, -0.5, 0.5));
    } else if (pick < 0.8) {
        name(b, "drum");
        cord_waypoint *w = next(b, CORD_WAYPOINT_DRUM);
        w->point = machine_point(&b->m, b->x, between(b, -0.5, 0.5));
        w->radius = between(b, 0.04, 0.1), w->side = happens(b, 0.6) ? -1 : 1, w->turns = 3;
        w->rotation = flywheel(b, w->point, w->radius);
        w->loose = happens(b, 0.3);
    } else {
        name(b, "free");
        cord_waypoint *w = next(b, CORD_WAYPOINT_FREE);
        w->position[0] = b->x, w->position[2] = z;
    }
    b->x += between(b, 0.35, 0.5);
}

/* ---- waypoints between them -------------------------------------------------------------------- */

/* The centre of a pulley or an eyelet: in the world, or on a body that is guided, free or hinged beside it. */
static cord_point add_centre(builder *b, int *side)
{
    double pick = machine_chance(&b->seed), z = between(b, -0.1, 0.3), mass = decades(b, 0.1, 30);
    *side = happens(b, 0.7) ? -1 : 1;
    if (pick < 0.55) return machine_point(&b->m, b->x, z);
    if (pick < 0.85) {
        bool guided = pick < 0.7;
        *side = 1;
        name(b, guided ? "guided" : "hanging");
        cord_body block = machine_weight(&b->m, mass, b->x, between(b, -0.7, -0.3));
        if (guided) machine_guide(&b->m, block);
        return machine_on(&b->m, block, 0, guided ? 0 : 0.1);
    }
    name(b, "hinged");
    cord_body arm = machine_weight(&b->m, mass, b->x, z);
    if (b->m.status == CORD_OK)
        b->m.status = part_bearing(b->m.world, arm, (double[]){0, 1, 0}, false);
    return machine_on(&b->m, arm, between(b, -0.1, 0.1), between(b, -0.1, 0.1));
}

static void add_pulley(builder *b)
{
    int side;
    cord_point centre = add_centre(b, &side);
    cord_waypoint *w = next(b, CORD_WAYPOINT_PULLEY);
    w->point = centre, w->side = side, w->radius = between(b, 0.03, 0.1);
    double pick = machine_chance(&b->seed);
    if (pick > 0.4) {
        w->friction_law = pick < 0.7 ? CORD_WRAP_NO_SLIP : CORD_WRAP_CAPSTAN;
        if (pick >= 0.7) w->friction = between(b, 0.05, 0.6);
        if (happens(b, 0.75)) w->rotation = flywheel(b, centre, w->radius);
    }
    name(b, pick <= 0.4 ? "pulley" : pick < 0.7 ? "no-slip" : "capstan");
}

static void add_bead(builder *b)
{
    cord_body bead = machine_weight(&b->m, decades(b, 0.03, 3), b->x, between(b, -0.5, 0));
    for (int k = 0; k < 2; k++)
        next(b, CORD_WAYPOINT_EYELET)->point = machine_on(&b->m, bead, k ? 0.03 : -0.03, 0);
    b->waypoint[b->count - 2].parts = 0;
    name(b, "bead");
}

static void add_middle(builder *b)
{
    double pick = machine_chance(&b->seed);
    if (pick < 0.75) {
        add_pulley(b);
    } else if (pick < 0.9) {
        int side;
        cord_point at = add_centre(b, &side);
        next(b, CORD_WAYPOINT_EYELET)->point = at;
        name(b, "eyelet");
    } else {
        add_bead(b);
    }
    b->x += between(b, 0.35, 0.5);
}

/* ---- a machine --------------------------------------------------------------------------------- */

static cord_strand add_cable(builder *b)
{
    cord_strand made = {0};
    cord_cable_def def = cord_cable_def_default();
    def.density = decades(b, 1e-3, 1);
    def.waypoints = b->waypoint, def.waypoint_count = b->count;
    if (happens(b, 0.5)) {
        def.stretching = decades(b, 1e3, 1e6);
        def.damping = happens(b, 0.3) ? decades(b, 1e-4, 1e-2) : 0;
        def.tension = happens(b, 0.5) ? decades(b, 1, 100) : 0;
        name(b, "elastic");
    }
    if (b->m.status == CORD_OK) b->m.status = cord_world_add_cable(b->m.world, &def, &made);
    return made;
}

static cord_strand make(builder *b, int number, cord_integrator integrator)
{
    *b = (builder){.m = machine_make(integrator, 9.81), .seed = (unsigned long long)number};
    for (int i = 0; i < 6; i++) machine_chance(&b->seed);
    int middle = 1 + (int)between(b, 0, 6);
    add_end(b);
    for (int i = 0; i < middle; i++) add_middle(b);
    add_end(b);
    return add_cable(b);
}

/* ---- a run ------------------------------------------------------------------------------------- */

/* Whether a segment between two waypoints is so short that the next step may end it: bodies and pulleys do not
 * collide, and the run ends there. Free ends run on. */
static bool is_drawn_in(builder *b, cord_strand cable, double h)
{
    int nodes = 0;
    machine *m = &b->m;
    cord_node_state last = {0}, now = {0};
    if (m->status == CORD_OK) m->status = cord_cable_get_node_count(m->world, cable, &nodes);
    for (int i = 0; i < nodes && m->status == CORD_OK; i++, last = now) {
        m->status = cord_cable_get_node(m->world, cable, i, &now);
        bool end = i == 1 || i == nodes - 1, free = now.guide < 0 || last.guide < 0;
        bool inside =
            i > 0 && !free && now.body.index == last.body.index && now.body.generation > 0;
        if (i == 0 || inside || (now.guide >= 0 && now.guide == last.guide && !end)) continue;
        if (end && free) continue;
        if (now.s - last.s < 0.03 + 2 * h * fabs(now.rate - last.rate)) return true;
    }
    return false;
}

typedef struct outcome {
    double growth; /* the largest since any earlier time, of the exchanged energy */
    double time;   /* of the largest growth, or of the end */
    bool failed;
} outcome;

static outcome run(builder *b, cord_strand cable, double h, double duration)
{
    outcome out = {0};
    double least = INFINITY, exchanged = 0, grown = 0;
    cord_energy first = {0}, now = {0};
    machine *m = &b->m;
    machine_run(m, 1e-5, 1); /* the first step makes the velocities of the cable consistent */
    if (m->status == CORD_OK) m->status = cord_world_get_energy(m->world, &first);
    double largest[2] = {first.kinetic, 0};
    least = first.total;
    for (int k = 0; k < (int)lround(duration / h) && m->status == CORD_OK; k++) {
        if (is_drawn_in(b, cable, h)) break;
        machine_run(m, h, 1);
        if (m->status != CORD_OK) break;
        m->status = cord_world_get_energy(m->world, &now);
        largest[0] = fmax(largest[0], now.kinetic);
        largest[1] = fmax(largest[1], fabs(now.gravity - first.gravity));
        exchanged = largest[0] + largest[1] + first.stretching + ROUND_OFF * fabs(first.gravity);
        if (now.total - least > grown) grown = now.total - least, out.time = (k + 1) * h;
        least = fmin(least, now.total);
    }
    out.failed = m->status != CORD_OK;
    out.growth = exchanged > 0 ? grown / exchanged : 0;
    return out;
}

void check_random_energy(validation *v)
{
    static const struct {
        const char *name;
        cord_integrator by;
        double h;
    } runs[] = {{"midpoint, 1 ms", CORD_MIDPOINT, 1e-3},  {"midpoint, 5 ms", CORD_MIDPOINT, 5e-3},
                {"midpoint, 20 ms", CORD_MIDPOINT, 2e-2}, {"tr-bdf2, 1 ms", CORD_IMPLICIT, 1e-3},
                {"tr-bdf2, 5 ms", CORD_IMPLICIT, 5e-3},   {"tr-bdf2, 20 ms", CORD_IMPLICIT, 2e-2}};
    int machines = validation_quick(v) ? QUICK_MACHINES : MACHINES;
    for (size_t r = 0; r < sizeof runs / sizeof *runs; r++) {
        double limit = runs[r].by == CORD_MIDPOINT ? MIDPOINT_GROWTH : IMPLICIT_GROWTH, most = 0;
        int bad = 0;
        for (int i = 0; i < machines; i++) {
            builder b;
            cord_strand cable = make(&b, i, runs[r].by);
            outcome out = run(&b, cable, runs[r].h, 1);
            const char *title =
                validation_text(v, "machine %d, %s: %s", i, runs[r].name, b.letters);
            validation_ok(v, b.m.world, b.m.status, title);
            if (out.growth > limit)
                validation_row_below(v, title, validation_text(v, "growth until %.3f s", out.time),
                                     out.growth, limit);
            bad += out.failed || out.growth > limit;
            most = fmax(most, out.growth);
            cord_world_destroy(b.m.world);
        }
        const char *title = validation_text(v, "%d machines at random, %s", machines, runs[r].name);
        validation_row_below(v, title, "machines that gain energy or fail", bad, 0);
        validation_row_below(v, title, "largest growth, of the exchanged energy", most, limit);
    }
}
