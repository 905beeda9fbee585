/* Every kind of constraint on every model: do its rows hold while things move, do things move by the
 * forces it reports, and are its derivatives derivatives. */
#include "math/rotation.h"
#include "validation/fit.h"
#include "validation/constraints/balance.h"
#include "validation/constraints/constraints.h"
#include <math.h>
#include <string.h>

/* What the second point is on. */
typedef enum other { IN_WORLD, ON_STRAND, ON_CABLE, ON_BODY, OTHERS } other;

/* Of which point a tangent, as cables have it, will not do. */
enum { FIRST = 1, SECOND = 2, BOTH = 3 };

typedef struct constraint_case {
    const char *name;
    const char *kind[2];
    bool slides;      /* the first point, which then coincides with the second as well */
    bool chains_only; /* that have a curvature at a point */
    bool own_points;  /* it needs no other point than the carrier's own, or makes them */
    bool frame;       /* of the carrier's point; a tangent has corners where it slides on a cable */
    int whole;        /* FIRST, SECOND: whose frame must be more than a tangent */
    double length;    /* of those that are others with one */
    double friction;  /* of the first kind */
    void (*build)(rig *r, const struct constraint_case *c);
} constraint_case;

static const double axis[3] = {0.3, -0.5, 0.8};
static const double balance_step = 2e-4; /* s */

/* A direction of a thing's point; cables have but one. */
static void set_direction(double direction[3], const carrier *on, const double wanted[3])
{
    static const double tangent[3] = {1, 0, 0};
    memcpy(direction, on && on->cable ? tangent : wanted, sizeof tangent);
}

static void relate(rig *r, const constraint_case *c, cord_point first, cord_point second)
{
    static const double own[3] = {0.7, 0.4, -0.2};
    for (int k = 0; k < 2 && c->kind[k]; k++) {
        cord_constraint_def def = cord_constraint_def_default();
        def.kind = c->kind[k];
        def.first = first, def.second = second;
        set_direction(def.direction, r->object[1].kind, axis);
        bool cone = strcmp(def.kind, CORD_PARALLEL) == 0 && c->length > 0;
        if (cone || strcmp(def.kind, CORD_PERPENDICULAR) == 0)
            set_direction(def.first_direction, r->object[0].kind, own);
        if (c->length > 0) def.length = c->length;
        if (c->length > 0) cord__rotation_exp(def.relative_frame, (double[]){0.4, 0.6, -0.3});
        if (k == 0) def.friction = c->friction;
        rig_relate(r, &def);
    }
}

/* A ball that slides on the strand. */
static cord_body add_ball(rig *r, cord_point at)
{
    cord_body_def def = cord_body_def_default();
    cord_body ball = {0};
    def.shape = (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = 0.02};
    rig_where(r, at, def.position);
    if (r->status == CORD_OK) r->status = cord_world_add_body(r->world, &def, &ball);
    return ball;
}

static void build_pearl(rig *r, const constraint_case *c)
{
    (void)c;
    cord_point p = rig_sliding(r, 0, 0.55, 0.01);
    rig_tie(r, CORD_COINCIDE, p, rig_on_body(r, add_ball(r, p), (double[]){0, 0, 0}));
}

/* It turns about the strand with the strand's frame there. */
static void build_turning_pearl(rig *r, const constraint_case *c)
{
    (void)c;
    cord_point p = rig_sliding(r, 0, 0.55, 0.01),
               ball = rig_on_body(r, add_ball(r, p), (double[]){0, 0, 0});
    cord_constraint_def def = cord_constraint_def_default();
    rig_tie(r, CORD_COINCIDE, ball, p);
    def.kind = CORD_ANGLE;
    def.first = ball, def.second = p;
    memcpy(def.direction, (double[]){1, 0, 0}, sizeof def.direction);
    rig_relate(r, &def);
}

/* Two pearls a fixed way apart. */
static void build_gap(rig *r, const constraint_case *c)
{
    (void)c;
    cord_point p[2];
    for (int i = 0; i < 2; i++) {
        p[i] = rig_sliding(r, 0, 0.55 + 0.1 * i, 0.01);
        rig_tie(r, CORD_COINCIDE, p[i], rig_on_body(r, add_ball(r, p[i]), (double[]){0, 0, 0}));
    }
    rig_tie(r, CORD_SLIDE, p[1], p[0]);
}

/* The end runs along the strand itself, at the distance it is at. */
static void build_slip_knot(rig *r, const constraint_case *c)
{
    (void)c;
    rig_tie(r, CORD_COINCIDE, rig_sliding(r, 0, 0.45, 0.01), rig_point(r, 0, 1));
}

/* A wheel in a bearing that turns against the carrier's point, or as far as that goes. */
static void build_gear(rig *r, const constraint_case *c)
{
    cord_body_def def = cord_body_def_default();
    cord_body wheel = {0};
    def.shape = (cord_shape){.kind = CORD_SHAPE_CYLINDER, .radius = 0.1, .length = 0.05};
    def.position[1] = 0.5;
    if (r->status == CORD_OK) r->status = cord_world_add_body(r->world, &def, &wheel);
    cord_point hub = rig_on_body(r, wheel, (double[]){0, 0, 0}),
               bearing = rig_place(r, def.position);
    rig_hold(r, CORD_COINCIDE, hub, bearing);
    rig_hold(r, CORD_PARALLEL, hub, bearing);
    bool rack = strcmp(c->name, "rack") == 0;
    cord_constraint_def gear = cord_constraint_def_default();
    gear.kind = CORD_SLIDE;
    gear.first = rig_gauge(r, rack ? CORD_SOURCE_PRISMATIC : CORD_SOURCE_REVOLUTE,
                           rig_point(r, 0, 0.6), (double[]){0, 0, 1});
    gear.second = rig_gauge(r, CORD_SOURCE_REVOLUTE, hub, (double[]){0, 0, 1});
    gear.ratio = rack ? 0.1 : -2;
    rig_relate(r, &gear);
}

/* An axis begins apart here, and what it is off by has no meaning in the axes of a tangent. */
static const constraint_case cases[] = {
    {.name = "coincide", .kind = {CORD_COINCIDE}},
    {.name = "align", .kind = {CORD_ALIGN}, .whole = BOTH, .frame = true},
    {.name = "fusion", .kind = {CORD_COINCIDE, CORD_ALIGN}, .whole = BOTH, .frame = true},
    {.name = "plane", .kind = {CORD_PLANE}},
    {.name = "axis", .kind = {CORD_AXIS}, .whole = SECOND},
    {.name = "distance", .kind = {CORD_DISTANCE}},
    {.name = "circle", .kind = {CORD_PLANE, CORD_DISTANCE}},
    {.name = "parallel", .kind = {CORD_PARALLEL}, .frame = true},
    {.name = "perpendicular", .kind = {CORD_PERPENDICULAR}, .frame = true},
    {.name = "angle", .kind = {CORD_ANGLE}, .whole = SECOND, .frame = true},
    {.name = "curvature", .kind = {CORD_CURVATURE}, .chains_only = true},
    {.name = "sphere", .kind = {CORD_COINCIDE}, .length = 0.1},
    {.name = "cylinder", .kind = {CORD_AXIS}, .length = 0.1},
    {.name = "cone", .kind = {CORD_PARALLEL}, .frame = true, .length = 0.1},
    {.name = "turned", .kind = {CORD_ALIGN}, .whole = BOTH, .frame = true, .length = 0.1},
    {.name = "bent", .kind = {CORD_CURVATURE}, .chains_only = true, .length = 0.1},
    {.name = "coincide, rubbing", .kind = {CORD_COINCIDE}, .frame = true, .friction = 0.002},
    {.name = "align, rubbing",
     .kind = {CORD_ALIGN},
     .whole = BOTH,
     .frame = true,
     .friction = 0.05},
    {.name = "plane, rubbing", .kind = {CORD_PLANE}, .whole = SECOND, .friction = 0.05},
    {.name = "axis, rubbing", .kind = {CORD_AXIS}, .whole = SECOND, .friction = 0.05},
    {.name = "distance, rubbing", .kind = {CORD_DISTANCE}, .whole = SECOND, .friction = 0.05},
    {.name = "parallel, rubbing",
     .kind = {CORD_PARALLEL},
     .whole = BOTH,
     .frame = true,
     .friction = 0.002},
    {.name = "perpendicular, rubbing",
     .kind = {CORD_PERPENDICULAR},
     .frame = true,
     .friction = 0.002},
    {.name = "angle, rubbing",
     .kind = {CORD_ANGLE},
     .whole = SECOND,
     .frame = true,
     .friction = 0.002},
    {.name = "sphere, rubbing",
     .kind = {CORD_COINCIDE},
     .whole = SECOND,
     .length = 0.1,
     .friction = 0.05},
    {.name = "cylinder, rubbing",
     .kind = {CORD_AXIS},
     .whole = SECOND,
     .length = 0.1,
     .friction = 0.05},
    {.name = "cone, rubbing",
     .kind = {CORD_PARALLEL},
     .frame = true,
     .length = 0.1,
     .friction = 0.002},
    {.name = "turned, rubbing",
     .kind = {CORD_ALIGN},
     .whole = BOTH,
     .frame = true,
     .length = 0.1,
     .friction = 0.002},
    {.name = "keyhole", .kind = {CORD_COINCIDE}, .slides = true},
    {.name = "oriented keyhole",
     .kind = {CORD_COINCIDE, CORD_PARALLEL},
     .frame = true,
     .slides = true},
    {.name = "slot",
     .kind = {CORD_COINCIDE, CORD_ALIGN},
     .whole = BOTH,
     .frame = true,
     .slides = true},
    {.name = "slot for a director",
     .kind = {CORD_COINCIDE, CORD_PERPENDICULAR},
     .frame = true,
     .slides = true},
    {.name = "pearl that turns with the strand",
     .frame = true,
     .slides = true,
     .own_points = true,
     .build = build_turning_pearl},
    {.name = "keyhole at an angle",
     .kind = {CORD_COINCIDE, CORD_ANGLE},
     .whole = SECOND,
     .frame = true,
     .slides = true},
    {.name = "slide", .kind = {CORD_COINCIDE, CORD_SLIDE}, .slides = true},
    {.name = "pearl", .slides = true, .own_points = true, .build = build_pearl},
    {.name = "gap", .slides = true, .own_points = true, .build = build_gap},
    {.name = "slip knot", .slides = true, .own_points = true, .build = build_slip_knot},
    {.name = "gear", .own_points = true, .frame = true, .build = build_gear},
    {.name = "rack", .own_points = true, .build = build_gear},
};
enum { CASES = sizeof cases / sizeof *cases };

static bool is_chain(const carrier *on)
{
    return on->model && !on->cable && strcmp(on->model, CORD_MODEL_DER) &&
           strcmp(on->model, CORD_MODEL_SPLINE);
}

static bool makes_sense(const constraint_case *c, const carrier *on, other second)
{
    if (c->slides && !on->model) return false;
    if (on->cable && ((c->whole & FIRST) || (c->frame && c->slides))) return false;
    if (second == ON_CABLE && (on->cable || (c->whole & SECOND) || c->chains_only)) return false;
    if (c->chains_only && !(is_chain(on) && second != ON_BODY)) return false;
    if (c->own_points) return second == IN_WORLD;
    return true;
}

/* The model after this one: then every one is second to another. */
static const carrier *next_model(const carrier *on)
{
    if (on->planar) return on;
    return &carriers[on->model ? ((int)(on - carriers) + 1) % STRAND_MODELS : 0];
}

static void build(rig *r, const constraint_case *c, const carrier *on, other second)
{
    const double place[3] = {0.6, 0.1, 0.2};
    rig_add(r, 0, on, place, true);
    if (c->build) {
        c->build(r, c);
        return;
    }
    double x[3];
    cord_point other_point = {0};
    cord_point p = c->slides ? rig_sliding(r, 0, 0.6, 0.02) : rig_point(r, 0, 0.6);
    rig_where(r, p, x);
    /* what is a length apart, or is to push across, is not where the first is */
    bool apart = (strcmp(c->kind[0], CORD_COINCIDE) || c->length > 0) && !c->slides;
    for (int k = 0; apart && k < 3; k++) x[k] += (double[]){0.1, -0.15, 0.2}[k];
    if (second == IN_WORLD) {
        if (!c->chains_only) other_point = rig_place(r, x);
    } else {
        rig_add(r, 1,
                second == ON_BODY    ? &carriers[CARRIERS - 1]
                : second == ON_CABLE ? &carriers[CARRIERS - 2]
                : c->chains_only     ? on
                                     : next_model(on),
                x, true);
        other_point = rig_point(r, 1, 0.55);
    }
    if (c->kind[1] && strcmp(c->kind[1], CORD_SLIDE) == 0) { /* at its place along the strand */
        rig_tie(r, CORD_COINCIDE, p, other_point);
        rig_tie(r, CORD_SLIDE, p, (cord_point){0});
    } else {
        relate(r, c, p, other_point);
    }
}

typedef struct figures {
    double residual, balance, derivatives;
} figures;

static bool measure(validation *v, const constraint_case *c, const carrier *on, other second,
                    figures *worst)
{
    static const char *const where[OTHERS] = {"in the world", "on a strand", "on a cable",
                                              "on a body"};
    cord_world_def def = cord_world_def_default();
    def.threads = 1;
    def.tolerance = 1e-10;
    rig r = rig_make(&def);
    build(&r, c, on, second);
    figures f = {0};
    for (int i = 0; i < 60; i++) {
        rig_step(&r, 2e-3, 1);
        f.residual = fmax(f.residual, rig_residual(&r));
    }
    rig_step(&r, balance_step, 20); /* what the change of step has stirred up dies away */
    f.balance = rig_balance(&r, balance_step);
    f.derivatives = rig_derivatives(&r);
    bool ok =
        validation_ok(v, r.world, r.status,
                      validation_text(v, "%s on %s, second %s", c->name, on->name, where[second]));
    rig_free(&r);
    worst->residual = fmax(worst->residual, f.residual);
    worst->balance = fmax(worst->balance, f.balance);
    worst->derivatives = fmax(worst->derivatives, f.derivatives);
    return ok;
}

/* What is lacking after the things have swung for a while, then gone on in small steps for 8.4 ms. */
static double lacking(validation *v, const constraint_case *c, const carrier *on, double h)
{
    cord_world_def def = cord_world_def_default();
    def.threads = 1;
    def.tolerance = 1e-12;
    rig r = rig_make(&def);
    build(&r, c, on, IN_WORLD);
    rig_step(&r, 2e-3, 60);
    rig_step(&r, h, (int)lround(8.4e-3 / h));
    double worst = rig_balance(&r, h);
    bool ok = validation_ok(v, r.world, r.status, on->name);
    rig_free(&r);
    return ok ? worst : NAN;
}

void check_force_order(validation *v)
{
    enum { SIZES = 3 };
    static const double step[SIZES] = {6e-4, 3e-4, 1.5e-4};
    double rate[SIZES], error[CARRIERS][SIZES];
    plot_series s[CARRIERS];
    const constraint_case *c = cases;
    while (strcmp(c->name, CORD_DISTANCE)) c++;
    for (int i = 0; i < CARRIERS; i++) {
        for (int k = 0; k < SIZES; k++) {
            rate[k] = 1 / step[k];
            error[i][k] = lacking(v, c, &carriers[i], step[k]);
        }
        validation_row_above(v, carriers[i].name, "order", fit_order(SIZES, rate, error[i]), 1.8);
        s[i] = (plot_series){carriers[i].name, SIZES, rate, error[i], PLOT_BOTH};
    }
    validation_plot(v, &(plot){"Force lacking, of a distance to a place", "steps per second",
                               "of the greatest force", true, true, CARRIERS, s});
}

/* A kind that nobody has put into the table above is not checked: say so. */
static bool every_kind_is_here(validation *v)
{
    for (const char *const *name = cord_constraint_names(); *name; name++) {
        bool found = false;
        for (int i = 0; i < CASES; i++)
            for (int k = 0; k < 2; k++)
                found = found || (cases[i].kind[k] && strcmp(cases[i].kind[k], *name) == 0);
        if (!found) validation_fail(v, *name, "no case has this constraint");
        if (!found) return false;
    }
    return true;
}

static bool every_model_is_here(validation *v)
{
    for (const char *const *name = cord_model_names(); *name; name++) {
        bool found = false;
        for (int i = 0; i < STRAND_MODELS; i++) found |= strcmp(carriers[i].model, *name) == 0;
        if (!found) validation_fail(v, *name, "no carrier has this model");
        if (!found) return false;
    }
    return true;
}

void check_constraint_kinds(validation *v)
{
    if (!every_kind_is_here(v) || !every_model_is_here(v)) return;
    for (int i = 0; i < CASES; i++)
        for (int k = 0; k < CARRIERS; k++) {
            figures worst = {0};
            int count = 0;
            for (other second = IN_WORLD; second < OTHERS; second++)
                if (makes_sense(&cases[i], &carriers[k], second))
                    count += measure(v, &cases[i], &carriers[k], second, &worst);
            if (count == 0) continue;
            const char *name = validation_text(v, "%s, %s", cases[i].name, carriers[k].name);
            validation_row_below(v, name, "rows off, m or rad", worst.residual, 1e-9);
            /* in proportion to the square of the step; see the next check */
            validation_row_below(v, name, "force lacking", worst.balance, 2e-3);
            validation_row_below(v, name, "derivatives off", worst.derivatives, 1e-7);
        }
}
