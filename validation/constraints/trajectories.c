/* Points constrained to paths: their trajectories against closed forms. */
#include "math/vec3.h"
#include "validation/constraints/constraints.h"
#include "validation/constraints/wires.h"
#include <math.h>

static const double gravity = 9.81, pi = 3.14159265358979323846;

enum { PATH_POINTS = 601, STEPS = 100, PLOTTED = STEPS + 1 };

typedef struct trajectory {
    const char *name;
    double until;                         /* s */
    bool rotates;                         /* the path is on a turntable, without gravity */
    double start;                         /* coordinate at the start, m */
    void (*trace)(double u, double x[3]); /* the path, u from 0 to 1 */
    void (*exact)(double t, double x[3]); /* the trajectory */
    void (*velocity)(double v[3]);        /* at the start */
} trajectory;

/* ---- the cycloid: s = 4r sin(θ/2) from its lowest point, ω² = g/4r ---------------------------------- */

static const double rolling = 0.1, widest = 2.8, amplitude = 2.4; /* m, rad, rad */

static void cycloid_at(double theta, double x[3])
{
    v3_set(x, rolling * (theta + sin(theta)), 0, -rolling * (1 + cos(theta)));
}

static void cycloid(double u, double x[3])
{
    cycloid_at((2 * u - 1) * widest, x);
}

static void swing(double t, double x[3])
{
    double s = sin(0.5 * amplitude) * cos(t * sqrt(gravity / (4 * rolling)));
    cycloid_at(-2 * asin(s), x);
}

/* ---- the helix: s = ½ g sin α t² --------------------------------------------------------------------- */

static const double helix_radius = 0.2, lead = 0.15; /* lead: the descent per turn, m */
enum { TURNS = 3 };

static void helix(double u, double x[3])
{
    double angle = 2 * pi * TURNS * u;
    v3_set(x, helix_radius * cos(angle), helix_radius * sin(angle), -lead * TURNS * u);
}

/* From half a turn on: the curvature of a path is zero at its ends. */
static void descend(double t, double x[3])
{
    double turn = hypot(2 * pi * helix_radius, lead);
    helix((0.5 + 0.5 * gravity * lead / turn * t * t / turn) / TURNS, x);
}

/* ---- the groove: r = r₀ cosh ωt ---------------------------------------------------------------------- */

static const double inner = 0.1, rate = 2;

static void groove(double u, double x[3])
{
    v3_set(x, 2 * u, 0, 0);
}

static void fly_out(double t, double x[3])
{
    double r = inner * cosh(rate * t);
    v3_set(x, r * cos(rate * t), r * sin(rate * t), 0);
}

static void carried(double v[3])
{
    v3_set(v, 0, rate * inner, 0);
}

static void at_rest(double v[3])
{
    v3_set(v, 0, 0, 0);
}

/* ---- a world ------------------------------------------------------------------------------------------ */

static cord_body add_turntable(rig *r)
{
    static const double times[2] = {0, 10}, turns[6] = {0, 0, 0, 0, 0, 10 * rate};
    cord_body_def def = cord_body_def_default();
    cord_point_def script = cord_point_def_default();
    cord_body table = {0};
    def.shape = (cord_shape){.kind = CORD_SHAPE_CYLINDER, .radius = 2, .length = 0.02};
    script.rotation = (cord_keys){2, times, turns, CORD_EASE_LINEAR};
    if (r->status == CORD_OK) r->status = cord_world_add_body(r->world, &def, &table);
    if (r->status == CORD_OK)
        r->status = cord_world_clamp_body(r->world, table, &script, NULL, NULL, NULL);
    return table;
}

/* The point at the start of the trajectory. */
static cord_point add_path_point(rig *r, const trajectory *on)
{
    static double x[3 * PATH_POINTS];
    cord_path_def def = cord_path_def_default();
    cord_point_def point = cord_point_def_default();
    cord_point made = {0};
    for (int i = 0; i < PATH_POINTS; i++) on->trace((double)i / (PATH_POINTS - 1), x + 3 * i);
    def.point_count = PATH_POINTS;
    def.points = x;
    if (on->rotates) def.body = add_turntable(r);
    if (r->status == CORD_OK) r->status = cord_world_add_path(r->world, &def, &point.path);
    point.source = CORD_SOURCE_PATH;
    point.s = on->start;
    if (r->status == CORD_OK) r->status = cord_world_add_point(r->world, &point, &made);
    return made;
}

static rig make_world(const trajectory *on, const scheme *by)
{
    cord_world_def def = cord_world_def_default();
    def.threads = 1;
    def.integrator = by->integrator;
    def.scheme = by->scheme;
    def.gravity[2] = on->rotates ? 0 : -gravity;
    return rig_make(&def);
}

typedef struct deviation {
    double largest; /* distance from the closed form, m */
    double off;     /* the path, m */
    double t[PLOTTED], x[PLOTTED], exact[PLOTTED];
} deviation;

/* Follows a point of the rig that is constrained to the path. */
static void follow(rig *r, const trajectory *on, cord_point moves, int steps, deviation *d)
{
    *d = (deviation){0};
    for (int i = 0; i <= steps && r->status == CORD_OK; i++) {
        double t = on->until * i / steps, x[3], exact[3];
        if (i > 0) rig_step(r, on->until / steps, 1);
        rig_where(r, moves, x);
        on->exact(t, exact);
        d->largest = fmax(d->largest, v3_distance(x, exact));
        int k = i * STEPS / steps;
        d->t[k] = t, d->x[k] = x[0], d->exact[k] = exact[0];
    }
    d->off = rig_residual(r);
}

/* ---- balls ------------------------------------------------------------------------------------------- */

static bool run_ball(validation *v, const trajectory *on, const scheme *by, int steps, deviation *d)
{
    rig r = make_world(on, by);
    cord_body_def ball = cord_body_def_default();
    cord_body body = {0};
    cord_point on_path = add_path_point(&r, on);
    ball.shape = (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = 0.01};
    ball.mass = 0.1;
    rig_where(&r, on_path, ball.position);
    on->velocity(ball.velocity);
    if (r.status == CORD_OK) r.status = cord_world_add_body(r.world, &ball, &body);
    cord_point centre = rig_on_body(&r, body, (double[]){0, 0, 0});
    rig_tie(&r, CORD_COINCIDE, centre, on_path);
    follow(&r, on, centre, steps, d);
    bool ok = validation_ok(v, r.world, r.status, validation_text(v, "%s, %s", on->name, by->name));
    rig_free(&r);
    return ok;
}

static void check_ball(validation *v, const trajectory *on, const scheme *by, deviation *out)
{
    deviation coarse;
    if (!run_ball(v, on, by, 4 * STEPS, &coarse) || !run_ball(v, on, by, 8 * STEPS, out)) return;
    const char *name = validation_text(v, "%s, %s", on->name, by->name);
    validation_row_below(v, name, "largest distance from the closed form, m", out->largest,
                         by->order == 2 ? 3e-5 : 2e-2);
    validation_row(v, name, "order", log2(coarse.largest / out->largest), by->order, 0.15);
    validation_row_below(v, name, "off the path, m", out->off, 1e-8);
}

/* ---- strands ----------------------------------------------------------------------------------------- */

/* A stiff strand along y follows the path with its start, which does not rotate: it translates, and
 * moves like the ball. It sags by less than 1e-7 m. */
static bool run_strand(validation *v, const trajectory *on, const scheme *by, const carrier *kind,
                       deviation *d)
{
    rig r = make_world(on, by);
    cord_point on_path = add_path_point(&r, on);
    wire_plan plan = {kind, 8, {0}, {0}, 0.05, 5e3, 5e3};
    rig_where(&r, on_path, plan.from);
    v3_copy(plan.to, plan.from);
    plan.to[1] += 0.2;
    wire_add(&r, &plan);
    cord_point start = rig_point(&r, 0, 0);
    rig_tie(&r, CORD_COINCIDE, start, on_path);
    rig_support(&r, CORD_ALIGN, start, (cord_point){0});
    follow(&r, on, start, 8 * STEPS, d);
    bool ok =
        validation_ok(v, r.world, r.status, validation_text(v, "%s, %s", kind->name, by->name));
    rig_free(&r);
    return ok;
}

static void check_strands(validation *v, const trajectory *on)
{
    deviation d;
    for (int i = 0; i < STRAND_MODELS; i++)
        for (int k = 0; k < 2; k++) {
            if (!run_strand(v, on, &rig_schemes[k], &carriers[i], &d)) continue;
            const char *name = validation_text(v, "%s on a %s, %s", carriers[i].name, on->name,
                                               rig_schemes[k].name);
            validation_row_below(v, name, "largest distance from the closed form, m", d.largest,
                                 3e-5);
            validation_row_below(v, name, "off the path, m", d.off, 1e-8);
        }
}

void check_path_trajectories(validation *v)
{
    const double period = 2 * pi * sqrt(4 * rolling / gravity);
    const double turn = hypot(2 * pi * helix_radius, lead);
    const trajectory all[] = {
        {"cycloid", period, false, 4 * rolling * (sin(0.5 * widest) - sin(0.5 * amplitude)),
         cycloid, swing, at_rest},
        {"helix", 1, false, 0.5 * turn, helix, descend, at_rest},
        {"groove", 1, true, inner, groove, fly_out, carried},
    };
    static deviation of[3];
    plot_series lines[2 * 3];
    int count = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < SCHEMES; k++) {
            deviation d;
            check_ball(v, &all[i], &rig_schemes[k], &d);
            if (k > 0) continue;
            of[i] = d;
            lines[count++] = (plot_series){all[i].name, PLOTTED, of[i].t, of[i].x, PLOT_LINE};
            lines[count++] = (plot_series){"exact", PLOTTED, of[i].t, of[i].exact, PLOT_DASHED};
        }
    check_strands(v, &all[0]);
    validation_plot(
        v, &(plot){"Balls on paths, by tr-bdf2", "time, s", "x, m", false, false, count, lines});
}
