/* A rope that is fed slowly through a vertical guide and coils on the floor.
 *
 * Without inertia, twisting torque and self-contact, the hanging part is a heavy elastica in a frame that rotates by Ω = U/R: with the
 * tangent t, the bending moment m and the force n of the upper part on the lower one, along the arc length from the floor,
 *     r' = t,   t' = m × t/B,   m' = −t × n,   n' = w e_z.
 * At the floor it continues the circle of radius R that is laid down, r = (R, 0, 0), t = e_y, m = (B/R) e_z; at the guide r = (0, 0, H) and t = e_z.
 * Five conditions at the guide determine R, n and the length. In units of (B/w)^⅓, R is a function of H: R = 0.681 H for small heights, where
 * weight has no effect, and it grows slowly above. Habibi, Ribe and Bonn (2007) have these regimes, and others with inertia. */
#include "math/vec3.h"
#include "validation/contact/contact.h"
#include "validation/contact/scenes.h"
#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
enum { STATE = 12, UNKNOWNS = 5, STEPS = 1000, MOST_VERTICES = 600 };

/* ---- the boundary-value problem, B = w = 1 ----------------------------------------------------------- */

/* R, n at the floor, and the length of the hanging part. */
typedef struct hanging {
    double u[UNKNOWNS];
    double curve[STEPS + 1][3]; /* from the floor to the guide */
} hanging;

static void derivative(const double y[STATE], double d[STATE])
{
    v3_copy(d, y + 3);
    v3_cross(d + 3, y + 6, y + 3);
    v3_cross(d + 6, y + 9, y + 3);
    v3_set(d + 9, 0, 0, 1);
}

static void runge_kutta(double y[STATE], double h)
{
    double k[4][STATE], z[STATE];
    const double at[4] = {0, 0.5, 0.5, 1};
    memcpy(z, y, sizeof z);
    for (int stage = 0; stage < 4; stage++) {
        if (stage > 0)
            for (int i = 0; i < STATE; i++) z[i] = y[i] + at[stage] * h * k[stage - 1][i];
        derivative(z, k[stage]);
    }
    for (int i = 0; i < STATE; i++) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

static void shoot(hanging *b, double height, double residual[UNKNOWNS])
{
    const double *u = b->u;
    double y[STATE] = {u[0], 0, 0, 0, 1, 0, 0, 0, 1 / u[0], u[1], u[2], u[3]};
    for (int i = 0; i <= STEPS; i++) {
        v3_copy(b->curve[i], y);
        if (i < STEPS) runge_kutta(y, u[4] / STEPS);
    }
    const double r[UNKNOWNS] = {y[0], y[1], y[2] - height, y[3], y[4]};
    memcpy(residual, r, sizeof r);
}

/* Gauß elimination with pivots; a has the right-hand side as its last column, which becomes the solution. */
static void eliminate(double a[UNKNOWNS][UNKNOWNS + 1])
{
    for (int i = 0; i < UNKNOWNS; i++) {
        int pivot = i;
        for (int j = i + 1; j < UNKNOWNS; j++)
            if (fabs(a[j][i]) > fabs(a[pivot][i])) pivot = j;
        for (int k = 0; k <= UNKNOWNS; k++) {
            const double swap = a[i][k];
            a[i][k] = a[pivot][k], a[pivot][k] = swap;
        }
        for (int j = 0; j < UNKNOWNS; j++) {
            const double factor = a[j][i] / a[i][i];
            for (int k = i; j != i && k <= UNKNOWNS; k++) a[j][k] -= factor * a[i][k];
        }
    }
    for (int i = 0; i < UNKNOWNS; i++) a[i][UNKNOWNS] /= a[i][i];
}

/* Newton's method from a solution for a neighbouring height. */
static bool solve_at(hanging *b, double height)
{
    double residual[UNKNOWNS], shifted[UNKNOWNS], a[UNKNOWNS][UNKNOWNS + 1];
    for (int iteration = 0; iteration < 30; iteration++) {
        double norm = 0;
        shoot(b, height, residual);
        for (int i = 0; i < UNKNOWNS; i++) norm = fmax(norm, fabs(residual[i]));
        if (norm < 1e-9) return true;
        for (int k = 0; k < UNKNOWNS; k++) {
            const double kept = b->u[k], step = 1e-6 * (1 + fabs(kept));
            b->u[k] = kept + step;
            shoot(b, height, shifted);
            b->u[k] = kept;
            for (int i = 0; i < UNKNOWNS; i++) a[i][k] = (shifted[i] - residual[i]) / step;
        }
        for (int i = 0; i < UNKNOWNS; i++) a[i][UNKNOWNS] = -residual[i];
        eliminate(a);
        for (int i = 0; i < UNKNOWNS; i++) b->u[i] += a[i][UNKNOWNS];
    }
    return false;
}

/* From the solution at H = 1, which was found by shooting from random starts, in small changes of the height. */
static bool solve(hanging *b, double height)
{
    const double start[UNKNOWNS] = {0.620378, 2.9188, -2.5983, -4.5233, 1.71408};
    const int changes = 1 + (int)(20 * fabs(log(height)));
    memcpy(b->u, start, sizeof start);
    double last = 1;
    for (int i = 0; i <= changes; i++) {
        const double now = pow(height, (double)i / changes);
        b->u[4] += now - last;
        last = now;
        if (!solve_at(b, now)) return false;
    }
    return true;
}

/* ---- the rope ---------------------------------------------------------------------------------------- */

/* A small mass in a large field: inertia, U²/gR, does not count. */
static const double mass = 5e-3, gravity = 200, speed = 1, laid = 0.5, turns = 1.3;

typedef struct coiling {
    rod rope;
    hanging shape;
    double height, edge, surface; /* H, the length of edges, the radius of the surface */
    double feed;                  /* length above the guide at the start */
} coiling;

/* The initial shape at the arc length s from the top: the feed, the hanging part, and a part of the first coil. */
static void initial_point(const coiling *c, double s, double x[3])
{
    const double R = c->shape.u[0], L = c->shape.u[4];
    if (s < c->feed)
        v3_set(x, 0, 0, c->height + c->feed - s);
    else if (s < c->feed + L) {
        const double at = (1 - (s - c->feed) / L) * STEPS;
        const int i = (int)fmin(at, STEPS - 1);
        v3_combine(x, i + 1 - at, c->shape.curve[i], at - i, c->shape.curve[i + 1]);
    } else {
        const double angle = (s - c->feed - L) / R;
        v3_set(x, R * cos(angle), -R * sin(angle), 0);
    }
    x[2] += c->surface;
}

static int lay(const coiling *c, double *x)
{
    const double end = c->feed + c->shape.u[4] + laid * 2 * pi * c->shape.u[0], ds = c->edge / 50;
    int count = 1;
    initial_point(c, 0, x);
    for (double s = 0; s < end && count < MOST_VERTICES; s += ds) {
        const double *last = x + 3 * (count - 1);
        double now[3];
        initial_point(c, s, now);
        if (v3_distance(last, now) < c->edge) continue;
        v3_sub(now, now, last);
        v3_combine(x + 3 * count, 1, last, c->edge / v3_norm(now), now);
        count++;
    }
    return count;
}

/* The rope slides through the guide, along the vertical. */
static cord_status add_guide(coiling *c)
{
    cord_point_def at = cord_point_def_default(), on = cord_point_def_default();
    cord_point guide, hole;
    cord_constraint constraint;
    cord_world *w = c->rope.world;
    on.source = CORD_SOURCE_SLIDING;
    on.strand = c->rope.strand;
    on.s = c->feed;
    v3_set(at.position, 0, 0, c->height + c->surface);
    cord_status status = cord_world_add_point(w, &on, &hole);
    if (status == CORD_OK) status = cord_world_add_point(w, &at, &guide);
    for (int i = 0; status == CORD_OK && i < 2; i++) {
        cord_constraint_def def = cord_constraint_def_default();
        def.kind = i == 0 ? CORD_COINCIDE : CORD_PARALLEL;
        def.first = hole, def.second = guide;
        v3_set(def.direction, 0, 0, -1);
        v3_set(def.first_direction, 1, 0, 0);
        status = cord_world_add_constraint(w, &def, &constraint);
    }
    return status;
}

static cord_status make(coiling *c)
{
    static double x[3 * MOST_VERTICES], natural[3 * MOST_VERTICES];
    const int vertices = lay(c, x);
    const double times[2] = {0, 1e3}, path[6] = {0, 0, 0, 0, 0, -1e3 * speed};
    rod_plan p = rod_plan_unit(vertices - 1, (vertices - 1) * c->edge);
    cord_point_def script = cord_point_def_default();
    for (int i = 0; i < vertices; i++) v3_set(natural + 3 * i, 0, 0, -i * c->edge);
    p.shape = x;
    p.strand.natural_positions = natural;
    p.strand.section.mass = mass;
    p.strand.drag = 2e-3;
    p.strand.damping = 2e-3;
    v3_set(p.world.gravity, 0, 0, -gravity);
    cord_status status = rod_make(&p, &c->rope);
    if (status != CORD_OK) return status;
    script.motion = (cord_keys){.count = 2, .times = times, .values = path};
    status = cord_world_clamp_strand(c->rope.world, c->rope.strand, 0, &script, NULL, NULL, NULL);
    if (status == CORD_OK) status = add_guide(c);
    if (status == CORD_OK) status = contact_set_law(c->rope.world, 1, 1e-4);
    if (status == CORD_OK)
        status = contact_add_surface(c->rope.world, c->rope.strand, c->surface, false);
    return status == CORD_OK ? contact_add_floor(c->rope.world) : status;
}

/* The azimuth of the rope at half the height of the guide. */
static double azimuth(const coiling *c)
{
    const double z = c->surface + 0.5 * c->height;
    const double *x = c->rope.x;
    int i = 0;
    while (i < c->rope.edges - 1 && x[3 * i + 5] > z) i++;
    const double *a = x + 3 * i, *b = a + 3, share = (a[2] - z) / (a[2] - b[2]);
    return atan2(a[1] + share * (b[1] - a[1]), a[0] + share * (b[0] - a[0]));
}

/* The mean rate of the azimuth after the first 0.3 turns, in which the polygon of the rope comes to its motion. */
static bool measure(validation *v, coiling *c, double *rate)
{
    const double R = c->shape.u[0], h = R / 24 / speed;
    const int steps = (int)(turns * 2 * pi * R / speed / h), first = (int)(0.3 / turns * steps);
    double angle = 0, last = 0;
    cord_status status = make(c);
    for (int i = 0; status == CORD_OK && i <= steps; i++) {
        status = cord_world_step(c->rope.world, h);
        if (status == CORD_OK) status = rod_read(&c->rope);
        const double now = azimuth(c);
        if (i > first) angle += remainder(now - last, 2 * pi);
        last = now;
    }
    *rate = fabs(angle) / ((steps - first) * h);
    bool ok = validation_ok(v, c->rope.world, status, "coiling");
    rod_free(&c->rope);
    return ok;
}

void check_coiling(validation *v)
{
    static coiling c;
    const double heights[] = {1.5, 2.5, 4};
    for (int i = validation_quick(v) ? 1 : 0; i < (validation_quick(v) ? 2 : 3); i++) {
        const char *name = validation_text(v, "H = %g (B/w)^⅓", heights[i]);
        double rate;
        c = (coiling){.height = heights[i]};
        if (!solve(&c.shape, c.height)) {
            validation_fail(v, name, "the boundary-value problem has no solution");
            continue;
        }
        const double R = c.shape.u[0];
        c.edge = R / 9;
        c.surface = R / 50;
        c.feed = 1.1 * turns * 2 * pi * R;
        if (!measure(v, &c, &rate)) continue;
        validation_row(v, name, "U/Ω, (B/w)^⅓", speed / rate, R, 0.03 * R);
    }
}
