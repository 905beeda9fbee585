/* Loose overhand knots under tension: trefoil and cinquefoil.
 *
 * A rod of radius a and bending stiffness B, pulled by T, forms a loop of radius R and a braid. For ε = √(a/R) → 0 the loop is
 * a circle with T = B/2R², and the contact forces of the braid add up to P = σ B/(R²ε). While the knot is tightened, friction
 * μP acts on it: T = B/2R² + μP [Audoly, Clauvelin and Neukirch 2007]. */
#include "math/vec3.h"
#include "validation/contact/contact.h"
#include "validation/contact/scenes.h"
#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;
static const double tension = 50, tail = 0.45, step = 5e-4; /* B = 1, so that R is about 0.1 */
enum { FINE = 20000, STEPS = 160, AVERAGED = 40 };

typedef struct knot {
    const char *name;
    int crossings;
    double braid;        /* half its initial length */
    double sigma;        /* P R²ε/B at ε = 0 */
    double radius, edge; /* of the rod */
} knot;

/* A point of the initial curve, 0 ≤ u ≤ 1 in each of five parts: tail, strand of the braid, loop, other strand, tail. */
static void initial_point(const knot *k, int part, double u, double x[3])
{
    const double b = k->braid, a = 1.5 * k->radius, R = sqrt(0.5 / tension), length = pi * R;
    const double angle = k->crossings * pi * u * u * (3 - 2 * u), side = part == 3 ? -1 : 1;
    double s = u * (2 * length + 2 * b);
    switch (part) {
    case 0: v3_set(x, -b - tail * (1 - u), a, 0); return;
    case 1:
    case 3: v3_set(x, -b + 2 * b * u, side * a * cos(angle), side * a * sin(angle)); return;
    case 4: v3_set(x, b + tail * u, a, 0); return;
    default: break;
    }
    if (s < length)
        v3_set(x, b + R * sin(s / R), -a - R + R * cos(s / R), 0);
    else if (s < length + 2 * b)
        v3_set(x, b - (s - length), -a - 2 * R, 0);
    else
        v3_set(x, -b - R * sin((s - 2 * b - length) / R),
               -a - R - R * cos((s - 2 * b - length) / R), 0);
}

/* Vertices on that curve, an edge apart. Returns their number; `x` may be NULL. */
static int lay_knot(const knot *k, double *x)
{
    double last[3], now[3];
    int count = 1;
    initial_point(k, 0, 0, last);
    if (x) v3_copy(x, last);
    for (int part = 0; part < 5; part++)
        for (int i = 1; i <= FINE; i++) {
            initial_point(k, part, (double)i / FINE, now);
            if (v3_distance(last, now) < k->edge) continue;
            v3_sub(now, now, last);
            v3_axpy(last, k->edge / v3_norm(now), now);
            if (x) v3_copy(x + 3 * count, last);
            count++;
        }
    return count;
}

typedef struct tied {
    rod r;
    cord_load pull[2];
} tied;

static cord_status pull_end(tied *t, int end)
{
    cord_load_def load = cord_load_def_default();
    cord_point_def on = cord_point_def_default();
    on.source = CORD_SOURCE_STRAND, on.strand = t->r.strand, on.s = end * t->r.length;
    load.force[0] = end ? tension : -tension;
    cord_status status = cord_world_add_point(t->r.world, &on, &load.point);
    return status == CORD_OK ? cord_world_add_load(t->r.world, &load, &t->pull[end]) : status;
}

/* Without friction a knot moves freely along the rod: the middle of the loop is pinned, which needs no force. */

static cord_status tie(const knot *k, double friction, tied *t)
{
    const int vertices = lay_knot(k, NULL), edges = vertices - 1;
    rod_plan p = rod_plan_unit(edges, edges * k->edge);
    double *x = malloc(6 * (size_t)vertices * sizeof *x);
    if (!x) return CORD_ERROR_MEMORY;
    double *natural = x + 3 * vertices;
    lay_knot(k, x);
    for (int i = 0; i < vertices; i++) v3_set(natural + 3 * i, k->edge * i, 0, 0);
    p.shape = x;
    p.strand.natural_positions = natural;
    p.world.scheme = CORD_BACKWARD_EULER;
    p.strand.section.mass = 0.01;
    p.strand.drag = 2;
    cord_status status = rod_make(&p, &t->r);
    free(x);
    if (status == CORD_OK) status = rod_pin(&t->r, 0.5 * t->r.length, NULL, NULL);
    for (int i = 0; status == CORD_OK && i < 2; i++) status = pull_end(t, i);
    if (status == CORD_OK) status = contact_set_law(t->r.world, friction, 1e-6);
    return status == CORD_OK ? contact_add_surface(t->r.world, t->r.strand, k->radius, true)
                             : status;
}

/* The curvature in the middle of the loop, which is the middle of the rod, over a quarter of it. */
static double loop_curvature(const rod *r)
{
    const double edge = r->length / r->edges, R = sqrt(0.5 / tension);
    const int middle = r->vertices / 2, reach = (int)lround(0.25 * pi * R / edge);
    double turn = 0;
    for (int i = middle - reach; i < middle + reach; i++) {
        double a[3], b[3], c[3];
        v3_sub(a, r->x + 3 * i, r->x + 3 * i - 3);
        v3_sub(b, r->x + 3 * i + 3, r->x + 3 * i);
        v3_cross(c, a, b);
        turn += atan2(v3_norm(c), v3_dot(a, b));
    }
    return turn / (2 * reach * edge);
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

/* A knot at rest: ε, T R²/B and P R²ε/B, means over the last steps. */
typedef struct knot_state {
    double epsilon, tension, contact;
} knot_state;

static bool relax(validation *v, const knot *k, double friction, knot_state *out,
                  coulomb_audit *audit)
{
    tied t = {0};
    double R = 0, P = 0;
    cord_status status = tie(k, friction, &t);
    for (int i = 1; status == CORD_OK && i <= STEPS; i++) {
        status = cord_world_step(t.r.world, step);
        if (status == CORD_OK) status = contact_audit(t.r.world, audit);
        if (status == CORD_OK) status = rod_read(&t.r);
        if (i <= STEPS - AVERAGED) continue;
        R += 1 / loop_curvature(&t.r) / AVERAGED;
        P += normal_forces(t.r.world) / AVERAGED;
    }
    bool ok = validation_ok(v, t.r.world, status, k->name);
    out->epsilon = sqrt(k->radius / R);
    out->tension = tension * R * R;
    out->contact = P * R * R * out->epsilon;
    rod_free(&t.r);
    return ok;
}

static double line(double x, double x0, double y0, double x1, double y1)
{
    return y0 + (x - x0) * (y1 - y0) / (x1 - x0);
}

/* Two radii give both terms of expansions in ε. With friction the equilibrium is where tightening ended. */
static void check_knot(validation *v, const knot k[2], double friction)
{
    knot_state at[3] = {{0}};
    coulomb_audit audit = {.friction = friction, .velocity = 1, .radius = k[0].radius};
    coulomb_audit smooth = {.velocity = 1, .radius = k[1].radius};
    for (int i = 0; i < 2; i++)
        if (!relax(v, k + i, 0, at + i, &smooth)) return;
    if (!relax(v, k, friction, at + 2, &audit)) return;
    const knot_state *a = at, *b = at + 1, *c = at + 2;
    double T = line(0, a->epsilon, a->tension, b->epsilon, b->tension);
    double P = line(0, a->epsilon, a->contact, b->epsilon, b->contact);
    double without = line(c->epsilon, a->epsilon, a->tension, b->epsilon, b->tension);
    validation_row(v, k->name, "T R²/B without friction, at ε = 0", T, 0.5, 0.04);
    validation_row(v, k->name, "contact forces P R²ε/B, at ε = 0", P, k->sigma,
                   (validation_quick(v) ? 0.15 : 0.1) * k->sigma);
    validation_row(v, k->name, validation_text(v, "(T − T without friction)/μP, μ = %g", friction),
                   (c->tension - without) * c->epsilon / (friction * c->contact), 1, 0.1);
    contact_audit_rows(v, k->name, &audit, 1e-3);
}

/* Edges follow √a, as the length of the braid does. The quick form extrapolates over a shorter range, which multiplies errors
 * by 3.4 instead of 2. */
void check_loose_knots(validation *v)
{
    const bool quick = validation_quick(v);
    const double thin = quick ? 5e-4 : 2.5e-4, edge = quick ? 0.00707 : 0.005;
    const knot trefoil[2] = {{"trefoil", 3, 0.06, 0.492, 1e-3, 0.01},
                             {"trefoil", 3, 0.06, 0.492, thin, edge}};
    const knot cinquefoil[2] = {{"cinquefoil", 5, 0.1, 0.863, 1e-3, 0.01},
                                {"cinquefoil", 5, 0.1, 0.863, thin, edge}};
    check_knot(v, trefoil, 0.02);
    if (!quick) check_knot(v, cinquefoil, 0.02);
}
