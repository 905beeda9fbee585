/* The cases of [DER 2008, Table 1] with rods welded to bodies, with its numbers of vertices and
 * time steps: Wilberforce's pendulum (Fig. 11), the torque transducer (Fig. 6) and the tree in the
 * wind (Fig. 12). The geometry is that of the gallery scenes of those names (the spring with three
 * turns); the paper gives neither masses nor sizes, so the stiffness is chosen such that its
 * explicit step is half of the stable one.
 *
 * Two steps are timed: the paper's (`symplectic`) and one linearised solve. The faster one counts.
 * The paper's times are for one thread of a 2.66 GHz Core 2 Duo. */
#include "bench/constraints/constraints.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

typedef struct rod_kind {
    double mass, radius; /* kg/m; m, for drawing */
    double damping, drag;
    bool straight; /* natural shape */
    double step;   /* s */
} rod_kind;

/* Stiffness from ½ l² √(mass/bending) = 2 step, the stable step for edges of length l. */
static cord_strand add_rod(tied *t, int vertices, tied_curve curve, const void *parameters,
                           const rod_kind *k)
{
    cord_strand rod = {0};
    double *x = calloc(6 * (size_t)vertices, sizeof *x), edge = 0;
    if (!x) {
        t->status = CORD_ERROR_MEMORY;
        return rod;
    }
    double *line = x + 3 * (size_t)vertices;
    for (int i = 0; i < vertices; i++) {
        curve(parameters, (double)i / (vertices - 1), x + 3 * i);
        double *at = x + 3 * i, *before = at - 3;
        if (i > 0) edge = hypot(hypot(at[0] - before[0], at[1] - before[1]), at[2] - before[2]);
        line[3 * i] = i * edge;
    }
    double stiff = k->mass * edge * edge * edge * edge / (16 * k->step * k->step);
    cord_strand_def def = cord_strand_def_default();
    def.vertex_count = vertices;
    def.positions = x;
    def.natural_positions = k->straight ? line : NULL;
    def.section = (cord_section){.kind = CORD_SECTION_EXPLICIT,
                                 .mass = k->mass,
                                 .bending = {stiff, stiff},
                                 .twisting = 0.77 * stiff,
                                 .radius = k->radius};
    def.damping = k->damping;
    def.quadratic_drag = k->drag;
    if (t->status == CORD_OK) t->status = cord_world_add_strand(t->world, &def, &rod);
    free(x);
    return rod;
}

static cord_body add_body(tied *t, const cord_body_def *def)
{
    cord_body made = {0};
    if (t->status == CORD_OK) t->status = cord_world_add_body(t->world, def, &made);
    return made;
}

static cord_point on_body(tied *t, cord_body body, double height)
{
    cord_point_def def = cord_point_def_default();
    cord_point made = {0};
    def.source = CORD_SOURCE_BODY;
    def.body = body;
    def.position[2] = height;
    if (t->status == CORD_OK) t->status = cord_world_add_point(t->world, &def, &made);
    return made;
}

static void weld(tied *t, cord_strand rod, bool end, cord_body body, double height)
{
    cord_point at = tied_on(t, rod, end ? tied_length(t, rod) : 0), on = on_body(t, body, height);
    tied_constrain(t, CORD_COINCIDE, at, on);
    tied_constrain(t, CORD_ALIGN, at, on);
}

/* ---- Wilberforce's pendulum -------------------------------------------------------------------- */

static void spring(const void *parameters, double u, double at[3])
{
    double turn = 6 * pi * u;
    (void)parameters;
    at[0] = 0.02 * cos(turn), at[1] = 0.02 * sin(turn), at[2] = -0.05 * u;
}

static void make_wilberforce(tied *t)
{
    static const rod_kind thin = {.mass = 9e-3, .radius = 0.6e-3, .step = 1e-3};
    cord_strand wire = add_rod(t, 20, spring, NULL, &thin);
    cord_body_def def = cord_body_def_default();
    def.shape = (cord_shape){.kind = CORD_SHAPE_CYLINDER, .radius = 0.02, .length = 0.03};
    def.mass = 0.02;
    def.position[0] = 0.02, def.position[2] = -0.065;
    def.velocity[2] = -0.02;
    cord_body weight = add_body(t, &def);
    tied_clamp(t, wire, 0);
    weld(t, wire, true, weight, 0.015);
}

/* ---- the torque transducer --------------------------------------------------------------------- */

static void half_circle(const void *parameters, double u, double at[3])
{
    (void)parameters;
    at[0] = -0.15 * cos(pi * u), at[1] = 0, at[2] = 0.15 * sin(pi * u);
}

static cord_body add_wheel(tied *t, double x, double radius, double inertia, double spin)
{
    cord_body_def def = cord_body_def_default();
    def.shape = (cord_shape){.kind = CORD_SHAPE_CYLINDER, .radius = radius, .length = 0.02};
    def.mass = 2 * inertia / (radius * radius);
    def.position[0] = x, def.position[2] = -0.01;
    def.angular_velocity[2] = spin;
    cord_body wheel = add_body(t, &def);
    cord_point center = on_body(t, wheel, 0), bearing = tied_point(t, def.position);
    tied_constrain(t, CORD_COINCIDE, center, bearing);
    tied_constrain(t, CORD_PARALLEL, center, bearing);
    return wheel;
}

static void make_transducer(tied *t)
{
    static const rod_kind isotropic = {
        .mass = 0.014, .radius = 2e-3, .straight = true, .step = 2e-3};
    cord_strand rod = add_rod(t, 200, half_circle, NULL, &isotropic);
    cord_body heavy = add_wheel(t, -0.15, 0.08, 1.6e-3, 2 * pi),
              light = add_wheel(t, 0.15, 0.05, 0.4e-3, 0);
    weld(t, rod, false, heavy, 0.01);
    weld(t, rod, true, light, 0.01);
}

/* ---- the tree ---------------------------------------------------------------------------------- */

typedef struct limb {
    double from[3], to[3];
} limb;

static void straight(const void *parameters, double u, double at[3])
{
    const limb *l = parameters;
    for (int k = 0; k < 3; k++) at[k] = (1 - u) * l->from[k] + u * l->to[k];
}

/* A rod from a fork, with another fork at its end if `radius` > 0. */
static cord_body grow(tied *t, cord_body fork, limb *l, double length, double slope, double turn,
                      double thickness, double radius)
{
    const rod_kind wood = {.mass = 700 * pi * thickness * thickness,
                           .radius = thickness,
                           .drag = 0.05,
                           .step = 0.1e-3};
    cord_body_def def = cord_body_def_default();
    cord_body end = {0};
    l->to[0] = l->from[0] + length * sin(slope) * cos(turn);
    l->to[1] = l->from[1] + length * sin(slope) * sin(turn);
    l->to[2] = l->from[2] + length * cos(slope);
    bool trunk = slope == 0;
    cord_strand rod = add_rod(t, trunk ? 49 : 37, straight, l, &wood);
    if (trunk)
        tied_clamp(t, rod, 0);
    else
        weld(t, rod, false, fork, 0);
    if (!(radius > 0)) return end;
    def.shape = (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = radius};
    def.density = 700;
    for (int k = 0; k < 3; k++) def.position[k] = l->to[k];
    end = add_body(t, &def);
    weld(t, rod, true, end, 0);
    return end;
}

/* A trunk, 3 boughs, 9 branches and 45 twigs. */
static void make_tree(tied *t)
{
    const double degree = pi / 180;
    limb trunk = {{0, 0, 0}, {0, 0, 0}};
    cord_body crotch = grow(t, (cord_body){0}, &trunk, 1.1, 0, 0, 0.025, 0.03);
    for (int i = 0; i < 3; i++) {
        limb bough = {{trunk.to[0], trunk.to[1], trunk.to[2]}, {0, 0, 0}};
        cord_body fork = grow(t, crotch, &bough, 0.8, 40 * degree, 120 * i * degree, 0.015, 0.018);
        for (int j = 0; j < 3; j++) {
            limb branch = {{bough.to[0], bough.to[1], bough.to[2]}, {0, 0, 0}};
            double slope = (15 + 40 * (j - 1) * (j - 1)) * degree;
            cord_body knot =
                grow(t, fork, &branch, 0.5, slope, (120 * i + 60 * (j - 1)) * degree, 9e-3, 11e-3);
            for (int k = 0; k < 5; k++) {
                limb twig = {{branch.to[0], branch.to[1], branch.to[2]}, {0, 0, 0}};
                grow(t, knot, &twig, 0.4, (35 + 25 * sin(4 * k + j)) * degree,
                     (120 * i + 60 * j + 72 * k) * degree, 5e-3, 0);
            }
        }
    }
    cord_wind_def wind = cord_wind_def_default();
    wind.velocity[0] = 2;
    if (t->status == CORD_OK) t->status = cord_world_set_wind(t->world, &wind);
}

/* ---- timing ------------------------------------------------------------------------------------ */

static const struct rods {
    const char *name;
    void (*make)(tied *t);
    double step, paper; /* s; ms per step */
    double speed_up;    /* required speed-up over the paper */
    int steps;          /* in a batch */
} cases[] = {
    {"Wilberforce's pendulum", make_wilberforce, 1e-3, 0.027, 5, 50},
    {"torque transducer", make_transducer, 2e-3, 1.0, 10, 20},
    {"tree in the wind", make_tree, 0.1e-3, 22, 10, 5},
};

static bool time_one(bench *b, const struct rods *c, bool symplectic, tied_cost *cost)
{
    cord_world_def def = cord_world_def_default();
    def.integrator = symplectic ? CORD_SYMPLECTIC : CORD_IMPLICIT;
    def.scheme = CORD_LINEARISED;
    def.threads = 1;
    tied t = {.model = CORD_MODEL_DER};
    memset(def.gravity, 0, sizeof def.gravity); /* rods this soft would collapse */
    t.status = cord_world_create(&def, &t.world);
    c->make(&t);
    tied_time(&t, c->step, 10, bench_quick(b) ? 4 : 160, c->steps, cost);
    bool ok = bench_ok(b, t.world, t.status, c->name);
    cord_world_destroy(t.world);
    return ok;
}

void bench_rods(bench *b)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct rods *c = cases + i;
        tied_cost symplectic_cost, solve;
        if (!time_one(b, c, true, &symplectic_cost) || !time_one(b, c, false, &solve)) continue;
        bool faster = symplectic_cost.step < solve.step;
        const tied_cost *best = faster ? &symplectic_cost : &solve;
        bench_row(b, c->name, "symplectic step", symplectic_cost.step * 1e3, "ms");
        bench_row(b, c->name, "projections", symplectic_cost.projections, "per step");
        bench_row(b, c->name, "linearised step", solve.step * 1e3, "ms");
        bench_row(b, c->name, "solves to post-stabilise", solve.projections, "per step");
        bench_row(b, c->name, "unknowns", best->unknowns, "");
        bench_bar(b, c->name, faster ? "step (symplectic)" : "step (linearised)", best->step * 1e3,
                  "ms", c->paper / c->speed_up);
        bench_row(b, c->name, "the paper over this", c->paper / (best->step * 1e3), "");
        if (symplectic_cost.halvings > 0)
            bench_row(b, c->name, "halvings, symplectic", symplectic_cost.halvings, "per step");
        if (solve.halvings > 0)
            bench_row(b, c->name, "halvings, linearised", solve.halvings, "per step");
    }
}
