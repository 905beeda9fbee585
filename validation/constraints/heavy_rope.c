/* A bead that slides without friction along a heavy rope between two supports, at rest.
 *
 * The bead leaves the tension T unchanged, and the horizontal force H is the same everywhere, so that
 * both arcs have the same slope at the bead: tan φ = W/2H. With a = H/μg both are arcs of the
 * catenary z = a cosh(x/a), each from x₀ = a asinh(W/2H) on, as far as its support:
 *     left to x₀ + b, right to x₀ + D − b,
 *     a (sinh((x₀ + b)/a) + sinh((x₀ + D − b)/a) − 2 sinh(x₀/a)) = L,
 *     a (cosh((x₀ + D − b)/a) − cosh((x₀ + b)/a)) = rise.
 *
 * The corner of a limp polygon, or spline, catches the bead at a vertex: inside an edge the rope has no
 * corner and the bead is higher, and refinement does not change the force that this takes. Strands
 * therefore have a bending stiffness that rounds the corner over several elements. */
#include "validation/constraints/constraints.h"
#include "validation/constraints/wires.h"
#include <cordage/cable.h>
#include <math.h>

static const double gravity = 9.81, length = 1, density = 0.1; /* m/s², m, kg/m */
static const double span = 0.7, rise = 0.15;                   /* of the supports, m */
static const double bend = 0.02;                               /* l = √(EI/T) at the bead, m */

enum { ELEMENTS = 150 };

/* The closed form for a bead of the weight `load`. */
typedef struct arcs {
    double a, x0, left; /* left: the horizontal distance of the bead from the left support */
    double s;           /* of the corner */
    double bead, z;     /* the bead's coordinate and height */
    double tension;     /* at the bead */
    double force[3];    /* of the left support on the rope */
} arcs;

/* The distance of the bead from the left support at which the supports have their height. */
static double find_left(double a, double x0)
{
    double low = 0, high = span;
    for (int i = 0; i < 100; i++) {
        double b = 0.5 * (low + high);
        double height = a * (cosh((x0 + span - b) / a) - cosh((x0 + b) / a));
        *(height > rise ? &low : &high) = b;
    }
    return low;
}

static arcs solve_string(double load, double total)
{
    double low = 0.01, high = 100;
    arcs r = {0};
    for (int i = 0; i < 200; i++) {
        r.a = sqrt(low * high);
        double slope = load / (2 * density * gravity * r.a);
        r.x0 = r.a * asinh(slope);
        r.left = find_left(r.a, r.x0);
        double begin = r.a * slope, one = r.a * sinh((r.x0 + r.left) / r.a) - begin;
        double other = r.a * sinh((r.x0 + span - r.left) / r.a) - begin;
        *(one + other > total ? &low : &high) = r.a;
        r.s = one;
    }
    r.force[0] = -density * gravity * r.a;
    r.force[2] = density * gravity * r.a * sinh((r.x0 + r.left) / r.a);
    r.z = r.a * (cosh(r.x0 / r.a) - cosh((r.x0 + r.left) / r.a));
    r.tension = density * gravity * r.a * cosh(r.x0 / r.a);
    r.bead = r.s;
    return r;
}

/* A rope with the bending stiffness EI = T l² at the bead bends within some l of it. About the angle
 * φ of the string there, tan((φ − θ)/4) = tan(φ/4) e^(−s/l), so that the bead is n = 2l sin(φ/2) off
 * the arcs of the string, n/cos φ above their corner; and from there the rope is shorter than the
 * string by n tan φ − 2l (1 − cos(φ/2)) on either side. */
static arcs solve_arcs(double load, double l)
{
    double cut = 0;
    arcs r = {0};
    for (int i = 0; i < 50; i++) {
        r = solve_string(load, length + 2 * cut);
        double phi = atan(load / (2 * density * gravity * r.a)), n = 2 * l * sin(0.5 * phi);
        cut = n * tan(phi) - 2 * l * (1 - cos(0.5 * phi));
        r.bead = r.s - cut;
        r.z = r.a * (cosh(r.x0 / r.a) - cosh((r.x0 + r.left) / r.a)) + n / cos(phi);
    }
    return r;
}

/* The string at arc length s. */
static void rope_position(const arcs *r, double s, double x[3])
{
    double begin = r->a * sinh(r->x0 / r->a), from_bead = fabs(s - r->s);
    double at = r->a * asinh((begin + from_bead) / r->a), end = (r->x0 + r->left) / r->a;
    x[0] = r->left + copysign(at - r->x0, s - r->s);
    x[1] = 0;
    x[2] = r->a * (cosh(at / r->a) - cosh(end));
}

/* ---- the ropes --------------------------------------------------------------------------------------- */

typedef struct rest {
    double s, x[3], force[3]; /* of the bead; of the left support */
} rest;

static rig make_world(void)
{
    cord_world_def def = cord_world_def_default();
    def.threads = 1;
    return rig_make(&def);
}

/* Hangs as it does without the bead. */
static void add_strand(rig *r, const carrier *kind, double bending)
{
    static double x[3 * (ELEMENTS + 1)], natural[3 * (ELEMENTS + 1)];
    cord_strand_def def = cord_strand_def_default();
    cord_strand_info info = {0};
    arcs alone = solve_string(0, length);
    for (int i = 0; i <= ELEMENTS; i++) {
        natural[3 * i] = length * i / ELEMENTS;
        rope_position(&alone, natural[3 * i], x + 3 * i);
    }
    def.model = kind->model;
    def.vertex_count = ELEMENTS + 1;
    def.positions = x;
    def.natural_positions = natural;
    def.element_count = ELEMENTS;
    def.section = (cord_section){.kind = CORD_SECTION_EXPLICIT,
                                 .mass = density,
                                 .bending = {bending, bending},
                                 .twisting = bending,
                                 .radius = 1e-3};
    r->object[0].kind = kind;
    if (r->status == CORD_OK)
        r->status = cord_world_add_strand(r->world, &def, &r->object[0].strand);
    if (r->status == CORD_OK)
        r->status = cord_strand_get_info(r->world, r->object[0].strand, &info);
    r->object[0].length = info.length;
}

/* From 0.3 of the length on. */
static rig hang_strand(const carrier *kind, double bending, double load, rest *out)
{
    double x[3];
    rig r = make_world();
    add_strand(&r, kind, bending);
    for (int i = 0; i < 2; i++) {
        cord_point end = rig_point(&r, 0, i);
        rig_where(&r, end, x);
        rig_tie(&r, CORD_COINCIDE, end, rig_world_point(&r, x));
    }
    cord_point bead = wire_bead(&r, 0.3 * length, load / gravity, 0, NULL);
    if (r.status == CORD_OK) r.status = cord_world_find_equilibrium(r.world, NULL, NULL);
    out->s = wire_coordinate(&r, bead, NULL);
    rig_where(&r, bead, out->x);
    if (r.status == CORD_OK)
        r.status = cord_constraint_get_force(r.world, r.constraint[0], out->force, NULL);
    return r;
}

/* A cable without bending stiffness through an eyelet, the bead; straight at the start, 0.3 of its length on
 * the left side. */
static rig hang_cable(double load, int parts, rest *out)
{
    const double one = 0.3 * length, other = length - one, apart = hypot(span, rise);
    double along = (one * one - other * other + apart * apart) / (2 * apart);
    double below = sqrt(one * one - along * along), c = span / apart, s = rise / apart;
    rig r = make_world();
    cord_body_def ball = cord_body_def_default();
    cord_body body = {0};
    ball.shape = (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = 0.01};
    ball.mass = load / gravity;
    ball.position[0] = along * c + below * s, ball.position[2] = along * s - below * c;
    if (r.status == CORD_OK) r.status = cord_world_add_body(r.world, &ball, &body);
    cord_point bead = rig_on_body(&r, body, (double[]){0, 0, 0});
    const cord_waypoint waypoints[] = {
        {.kind = CORD_WAYPOINT_ANCHOR,
         .point = rig_world_point(&r, (double[]){0, 0, 0}),
         .parts = parts},
        {.kind = CORD_WAYPOINT_EYELET, .point = bead, .parts = parts},
        {.kind = CORD_WAYPOINT_ANCHOR, .point = rig_world_point(&r, (double[]){span, 0, rise})},
    };
    cord_cable_def def = cord_cable_def_default();
    def.density = density;
    def.waypoints = waypoints, def.waypoint_count = 3;
    if (r.status == CORD_OK) r.status = cord_world_add_cable(r.world, &def, &r.object[0].strand);
    if (r.status == CORD_OK) r.status = cord_world_find_equilibrium(r.world, NULL, NULL);
    rig_where(&r, bead, out->x);
    return r;
}

/* ---- against the closed form ------------------------------------------------------------------------- */

static void check_position(validation *v, const char *name, const arcs *exact, const rest *r,
                           double along, double height)
{
    validation_row(v, name, "x of the bead, m", r->x[0], exact->left, along);
    validation_row(v, name, "z of the bead, m", r->x[2], exact->z, height);
}

/* The closed form with the rounded corner leaves out terms of the order l². */
static void check_strand(validation *v, const carrier *kind, double weight)
{
    double load = weight * density * gravity * length;
    arcs exact = solve_arcs(load, bend);
    rest found = {0};
    rig r = hang_strand(kind, exact.tension * bend * bend, load, &found);
    const char *name = validation_text(v, "%s, bead of %g of the rope", kind->name, weight);
    if (validation_ok(v, r.world, r.status, name)) {
        validation_row(v, name, "coordinate of the bead, m", found.s, exact.bead, 0.1 * bend);
        check_position(v, name, &exact, &found, 0.1 * bend, 0.03 * bend);
        for (int k = 0; k < 3; k += 2)
            validation_row(v, name, k ? "vertical force of a support, N" : "horizontal force, N",
                           found.force[k], exact.force[k], 0.015 * fabs(exact.force[k]));
    }
    rig_free(&r);
}

/* The error of the bead's position with so many segments on either side, m. */
static double cable_error(validation *v, double weight, int parts, bool listed)
{
    double load = weight * density * gravity * length, tension = 0;
    arcs exact = solve_string(load, length);
    rest found = {0};
    rig r = hang_cable(load, parts, &found);
    const char *name =
        validation_text(v, "cable of %d parts, bead of %g of the rope", 2 * parts, weight);
    if (r.status == CORD_OK)
        r.status = cord_cable_get_tension(r.world, r.object[0].strand, 0, 0, &tension);
    if (validation_ok(v, r.world, r.status, name) && listed) {
        check_position(v, name, &exact, &found, 1e-4, 5e-5);
        double expected = hypot(exact.force[0], exact.force[2]);
        validation_row(v, name, "tension at a support, N", tension, expected, 1e-4 * expected);
    }
    rig_free(&r);
    return hypot(found.x[0] - exact.left, found.x[2] - exact.z);
}

static void check_cable(validation *v, double weight)
{
    double coarse = cable_error(v, weight, 20, false), fine = cable_error(v, weight, 40, true);
    validation_row(v, validation_text(v, "cable, bead of %g of the rope", weight), "order",
                   log2(coarse / fine), 2, 0.1);
}

void check_bead_on_a_heavy_rope(validation *v)
{
    static const double weights[3] = {1, 0.1, 10};
    for (int k = 0; k < (validation_quick(v) ? 1 : 3); k++) {
        for (int i = 0; i < STRAND_MODELS; i++) check_strand(v, &carriers[i], weights[k]);
        check_cable(v, weights[k]);
    }
}
