/* Loose overhand knots under tension: trefoil and cinquefoil.
 *
 * A rod of radius a and bending stiffness B, pulled by T, forms a loop of radius R and a braid. For ε = √(a/R) → 0 the loop is
 * a circle with T = B/2R², and the contact forces of the braid add up to P = σ B/(R²ε). The strands of the braid slide past each other by the
 * length that the loop gives away, so that friction adds μP to T while a knot is tightened [Audoly, Clauvelin and Neukirch 2007]. σ is
 * computed (braid.h). */
#include "math/vec3.h"
#include "validation/contact/braid.h"
#include "validation/contact/contact.h"
#include "validation/contact/scenes.h"
#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;
/* B = 1. The initial loop is drawn for this tension; what it is at rest follows from where the ends are. */
static const double tension = 50, tail = 0.4, step = 5e-4;
static const double pulled = 0.03; /* by each end, while a knot with friction tightens */
enum { PARTS = 5, SAMPLES = 2000, MOST_VERTICES = 4000, STEPS = 160, PULLING = 240, AVERAGED = 40 };

typedef struct knot {
    const char *name;
    braid braid;
    double radius; /* of the rod */
    double edge;   /* in the braid; elsewhere up to `coarse` */
} knot;

static const double coarse = 0.01;

/* ---- the initial shape ------------------------------------------------------------------------------- */

static double loop_radius(void)
{
    return sqrt(0.5 / tension);
}

static double braid_scale(const knot *k)
{
    return sqrt(2 * k->radius * loop_radius());
}

/* From the middle of the braid to where the initial shape goes on as a circle and as a tail. */
static double half_length(const knot *k)
{
    return (k->braid.interval + k->braid.gap + 0.3) * braid_scale(k);
}

/* A strand of the braid at x: the mean of both, a parabola, and half their difference. `side`: 1 of the strand that comes
 * from the tail at x < 0, −1 of the other. The braid is rotated so that the loop is at y < 0. */
static void braid_strand(const knot *k, double side, double x, double out[3], double slope[3])
{
    const double R = loop_radius(), l = braid_scale(k), a = k->radius;
    const double turned = k->braid.half_turns % 4 == 3 ? 1 : -1, sign = x < 0 ? -1 : 1;
    double u[2], d[2];
    braid_at(&k->braid, fabs(x) / l, u, d);
    v3_set(out, x, -x * x / (4 * R) + side * turned * a * sign * u[1], side * turned * a * u[0]);
    v3_set(slope, 1, -x / (2 * R) + side * turned * a / l * d[1],
           side * turned * sign * a / l * d[0]);
}

/* The tail before the braid, from far away (u = 0) on: the slope at the braid decays as that of a rod under tension. */
static void tail_point(const knot *k, double u, double x[3])
{
    double from[3], slope[3];
    const double distance = tail * (1 - u), rate = sqrt(tension);
    braid_strand(k, 1, -half_length(k), from, slope);
    v3_copy(x, from);
    v3_axpy(x, -(1 - exp(-rate * distance)) / rate, slope);
    x[0] = from[0] - distance;
}

/* A circle from one side of the braid to the other; the distance from its plane is a cubic polynomial of the angle. */
static void loop_point(const knot *k, double u, double x[3])
{
    double from[3], slope[3];
    braid_strand(k, 1, half_length(k), from, slope);
    const double phi = atan(-slope[1]), r = from[0] / sin(phi), angle = phi + 2 * (pi - phi) * u;
    const double w = 1 - 2 * u, end = -(pi - phi) * r * slope[2], cube = 0.5 * (end - from[2]);
    v3_set(x, r * sin(angle), from[1] + r * (cos(angle) - cos(phi)),
           (from[2] - cube) * w + cube * w * w * w);
}

/* A point of the initial curve, 0 ≤ u ≤ 1 in each of five parts: tail, strand of the braid, loop, other strand, tail. */
static void initial_point(const knot *k, int part, double u, double x[3])
{
    const double b = half_length(k);
    double slope[3];
    if (part == 0) tail_point(k, u, x);
    if (part == 1) braid_strand(k, 1, b * (2 * u - 1), x, slope);
    if (part == 2) loop_point(k, u, x);
    if (part == 3) braid_strand(k, -1, b * (2 * u - 1), x, slope);
    if (part != 4) return;
    tail_point(k, 1 - u, x); /* the first tail rotated about y */
    x[0] = -x[0], x[2] = -x[2];
}

/* The length of an edge there: fine in the braid and around it, where material of the braid may come from. */
static double spacing(const knot *k, int part, double u)
{
    const double loop = 2 * pi * loop_radius(), around = 0.03;
    double distance = 0;
    if (part == 0) distance = tail * (1 - u);
    if (part == 2) distance = loop * fmin(u, 1 - u);
    if (part == 4) distance = tail * u;
    return fmin(coarse, k->edge + 0.2 * fmax(distance - around, 0));
}

/* Vertices on that curve, and on a line with the same edges. Returns their number. */
static int lay_knot(const knot *k, double *x, double *natural)
{
    int count = 1;
    initial_point(k, 0, 0, x);
    v3_set(natural, 0, 0, 0);
    for (int part = 0; part < PARTS; part++)
        for (int i = 1; i <= SAMPLES && count < MOST_VERTICES; i++) {
            double now[3], u = (double)i / SAMPLES, edge = spacing(k, part, u);
            const double *last = x + 3 * (count - 1);
            initial_point(k, part, u, now);
            if (v3_distance(last, now) < edge) continue;
            v3_sub(now, now, last);
            v3_combine(x + 3 * count, 1, last, edge / v3_norm(now), now);
            v3_set(natural + 3 * count, natural[3 * (count - 1)] + edge, 0, 0);
            count++;
        }
    return count;
}

/* ---- the rod ----------------------------------------------------------------------------------------- */

typedef struct tied {
    rod r;
    cord_point end[2];
    double *tensions;
} tied;

static cord_status make_rod(const knot *k, tied *t, double *x)
{
    double *natural = x + 3 * MOST_VERTICES;
    const int vertices = lay_knot(k, x, natural);
    rod_plan p = rod_plan_unit(vertices - 1, natural[3 * (vertices - 1)]);
    p.shape = x;
    p.strand.natural_positions = natural;
    p.world.scheme = CORD_BACKWARD_EULER;
    p.strand.section.mass = 0.01;
    p.strand.drag = 2;
    t->tensions = malloc((size_t)vertices * sizeof *t->tensions);
    return t->tensions ? rod_make(&p, &t->r) : CORD_ERROR_MEMORY;
}

/* The ends stay where they are, and the middle of the rod in the plane of symmetry. With forces instead a knot without friction
 * moves freely along the rod, and it leaves the fine edges. */
static cord_status tie(const knot *k, tied *t)
{
    const double along[3] = {0, 1, 0};
    double *x = malloc(6 * (size_t)MOST_VERTICES * sizeof *x);
    cord_status status = x ? make_rod(k, t, x) : CORD_ERROR_MEMORY;
    free(x);
    if (status == CORD_OK) status = rod_constrain_to_line(&t->r, 0.5 * t->r.length, along);
    for (int i = 0; status == CORD_OK && i < 2; i++)
        status = rod_pin(&t->r, i * t->r.length, &t->end[i], NULL);
    /* With 1e-4 the tension oscillates by a tenth; with 1e-6 the forces are the same as with 1e-5. */
    if (status == CORD_OK) status = contact_set_law(t->r.world, 0, 1e-5);
    return status == CORD_OK ? contact_add_surface(t->r.world, t->r.strand, k->radius, true)
                             : status;
}

/* Moves the ends apart, each by a distance within the next step. */
static cord_status pull(tied *t, double distance)
{
    cord_status status = CORD_OK;
    for (int i = 0; status == CORD_OK && i < 2; i++) {
        double x[3];
        status = cord_point_get_pose(t->r.world, t->end[i], x, NULL);
        x[0] += i ? distance : -distance;
        if (status == CORD_OK) status = cord_point_move(t->r.world, t->end[i], x, NULL);
    }
    return status;
}

static void untie(tied *t)
{
    free(t->tensions);
    rod_free(&t->r);
}

/* ---- measurements ------------------------------------------------------------------------------------ */

/* The curvature in the middle of the loop, which is the middle of the rod, over a quarter of it. */
static double loop_curvature(const rod *r)
{
    const int middle = r->vertices / 2, reach = (int)lround(0.25 * pi * loop_radius() / coarse);
    double turn = 0, length = 0;
    for (int i = middle - reach; i < middle + reach; i++) {
        double a[3], b[3], c[3];
        v3_sub(a, r->x + 3 * i, r->x + 3 * i - 3);
        v3_sub(b, r->x + 3 * i + 3, r->x + 3 * i);
        v3_cross(c, a, b);
        turn += atan2(v3_norm(c), v3_dot(a, b));
        length += 0.5 * (v3_norm(a) + v3_norm(b));
    }
    return turn / length;
}

static double normal_forces(const cord_world *w)
{
    enum { MOST = 1000 };
    static cord_contact list[MOST];
    int count = 0;
    double sum = 0;
    if (cord_world_get_contacts(w, MOST, list, &count) != CORD_OK) return NAN;
    for (int i = 0; i < count && i < MOST; i++) sum += v3_dot(list[i].force, list[i].normal);
    return sum;
}

/* Beside the braid: drag of the tail acts before. */
static double tail_tension(const tied *t)
{
    const double before = 0.9 * tail;
    double s = 0;
    for (int i = 0; i < t->r.edges; i++) {
        s += v3_distance(t->r.x + 3 * i, t->r.x + 3 * i + 3);
        if (s > before) return t->tensions[i];
    }
    return NAN;
}

/* ε, T R²/B and P R²ε/B, from means of R, T and P over the last steps. */
typedef struct knot_state {
    double epsilon, tension, contact;
} knot_state;

/* `friction` acts from the equilibrium without it on, and the ends are then pulled apart until the knot tightens. */
static cord_status relax(const knot *k, double friction, tied *t, knot_state *out,
                         coulomb_audit *audit)
{
    const int steps = STEPS + (friction > 0 ? PULLING : 0);
    double R = 0, P = 0, T = 0;
    cord_status status = tie(k, t);
    for (int i = 1; status == CORD_OK && i <= steps; i++) {
        if (i == STEPS + 1) status = contact_set_law(t->r.world, friction, 1e-6);
        if (status == CORD_OK && i > STEPS) status = pull(t, pulled / PULLING);
        if (status == CORD_OK) status = cord_world_step(t->r.world, step);
        if (status == CORD_OK && i > steps - AVERAGED) status = contact_audit(t->r.world, audit);
        if (status == CORD_OK) status = rod_read(&t->r);
        if (status == CORD_OK)
            status = cord_strand_get_tensions(t->r.world, t->r.strand, t->tensions);
        if (status != CORD_OK || i <= steps - AVERAGED) continue;
        R += 1 / loop_curvature(&t->r) / AVERAGED;
        P += normal_forces(t->r.world) / AVERAGED;
        T += tail_tension(t) / AVERAGED;
    }
    out->epsilon = sqrt(k->radius / R);
    out->tension = T * R * R;
    out->contact = P * R * R * out->epsilon;
    return status;
}

static bool measure(validation *v, const knot *k, double friction, knot_state *out,
                    coulomb_audit *audit)
{
    tied t = {0};
    cord_status status = relax(k, friction, &t, out, audit);
    bool ok = validation_ok(v, t.r.world, status, k->name);
    untie(&t);
    return ok;
}

static double line(double x, double x0, double y0, double x1, double y1)
{
    return y0 + (x - x0) * (y1 - y0) / (x1 - x0);
}

/* (T − T₀)/μP, where T₀ at this ε follows from the equilibria a and b without friction. */
static double friction_ratio(const knot_state *c, const knot_state *a, const knot_state *b,
                             double friction)
{
    double without = line(c->epsilon, a->epsilon, a->tension, b->epsilon, b->tension);
    return (c->tension - without) * c->epsilon / (friction * c->contact);
}

enum { MOST_RADII = 3 };

/* The polynomials in ε through the states, at ε = 0. */
static knot_state extrapolate(int count, const knot_state *state)
{
    knot_state sum = {0};
    for (int i = 0; i < count; i++) {
        double weight = 1;
        for (int j = 0; j < count; j++)
            if (j != i) weight *= state[j].epsilon / (state[j].epsilon - state[i].epsilon);
        sum.tension += weight * state[i].tension;
        sum.contact += weight * state[i].contact;
    }
    return sum;
}

/* `count` radii give as many terms of expansions in ε; with two, what remains is of the order ε² = 0.01. An edge of an eighth of the
 * free part of the braid adds a few percent. With one radius, `rough`, the ratio of friction is right to the order ε. */
static void check_knot(validation *v, int count, const knot *k, int rough_count, double friction)
{
    knot_state smooth[MOST_RADII] = {{0}}, rough[MOST_RADII] = {{0}};
    const double sigma = braid_contact(&k->braid);
    coulomb_audit audit = {.friction = friction, .velocity = 1, .radius = k[0].radius};
    coulomb_audit frictionless = {.velocity = 1, .radius = k[0].radius};
    for (int i = 0; i < count; i++)
        if (!measure(v, k + i, 0, smooth + i, &frictionless)) return;
    for (int i = 0; i < rough_count; i++)
        if (!measure(v, k + i, friction, rough + i, &audit)) return;
    const knot_state limit = extrapolate(count, smooth);
    validation_row(v, k->name, "T R²/B without friction, at ε = 0", limit.tension, 0.5, 0.04);
    validation_row(v, k->name, "contact forces P R²ε/B, at ε = 0", limit.contact, sigma,
                   0.05 * sigma);
    double ratio = friction_ratio(rough, smooth, smooth + 1, friction),
           tolerance = smooth[0].epsilon;
    if (rough_count > 1) {
        double other = friction_ratio(rough + 1, smooth, smooth + 1, friction);
        ratio = line(0, rough[0].epsilon, ratio, rough[1].epsilon, other);
        tolerance = 0.05;
    }
    validation_row(v, k->name, validation_text(v, "(T − T without friction)/μP, μ = %g", friction),
                   ratio, 1, tolerance);
    contact_audit_rows(v, k->name, &audit, 1e-3);
}

/* Edges follow √a, as the length of the braid does. */
static void check_half_turns(validation *v, const char *name, int half_turns, int count,
                             int rough_count)
{
    knot k[MOST_RADII] = {{.name = name, .radius = 1e-3, .edge = 2.5e-3},
                          {.name = name, .radius = 2.5e-4, .edge = 1.25e-3},
                          {.name = name, .radius = 6.25e-5, .edge = 6.25e-4}};
    if (!braid_find(half_turns, &k[0].braid)) {
        validation_fail(v, name, "the reference has no solution");
        return;
    }
    for (int i = 1; i < MOST_RADII; i++) k[i].braid = k[0].braid;
    check_knot(v, count, k, rough_count, 0.02);
}

void check_loose_knots(validation *v)
{
    check_half_turns(v, "trefoil", 3, 2, validation_quick(v) ? 1 : 2);
    /* Its braid is three times as long: the terms of order ε and ε² are 17 and 170 times ε and ε² beside σ = 1.47. */
    if (!validation_quick(v)) check_half_turns(v, "cinquefoil", 5, 3, 1);
}
