/* A rope that is fed through a vertical guide and coils on the floor.
 *
 * Without twisting torque and self-contact, the hanging part is a heavy elastica that is at rest in a frame that rotates by Ω = U/R,
 * through which the rope moves downwards with the speed U: with the tangent t, the bending moment m and the force n of the upper part
 * on the lower one, along the arc length from the floor,
 *     r' = t,   t' = m × t/B,   m' = −t × n,   n' = w e_z + (w U²/g) (e_z × (e_z × r)/R² − 2 e_z × t/R + t').
 * At the floor it continues the circle of radius R that is laid down, r = (R, 0, 0), t = e_y, m = (B/R) e_z; at the guide r = (0, 0, H) and t = e_z.
 * Five conditions at the guide determine R, n and the length. In units of (B/w)^⅓, R is a function of H and of the inertia U²/g. Without
 * inertia R = 0.681 H for small heights, the elastic regime, where weight has no effect, and it grows slowly above, where gravity
 * counts [Habibi, Ribe and Bonn 2007; Mahadevan and Keller 1996].
 *
 * In the elastic regime the rope is pushed through the guide, with about 3.5 B/H², and pushes the floor sideways, with up to 1.015 of the normal force.
 * Its fed part is kept straight, and μ is larger than that. The coils have the moment B/R, which friction holds only where the laid part
 * is longer than √(2B/(μwR)): the end of a shorter one springs open. */
#include "math/vec3.h"
#include "validation/contact/contact.h"
#include "validation/contact/scenes.h"
#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
enum {
    STATE = 12,
    UNKNOWNS = 5,
    STEPS = 1000,
    INERTIA_CHANGES = 40,
    MOST_VERTICES = 600,
    MOST_KEPT = 100
};

/* ---- the boundary-value problem, B = w = 1 ----------------------------------------------------------- */

typedef struct hanging {
    double inertia;             /* U²/g */
    double u[UNKNOWNS];         /* R, n at the floor, and the length of the hanging part */
    double curve[STEPS + 1][3]; /* from the floor to the guide */
} hanging;

static void derivative(const hanging *b, const double y[STATE], double d[STATE])
{
    const double R = b->u[0], *r = y, *t = y + 3;
    v3_copy(d, t);
    v3_cross(d + 3, y + 6, t);
    v3_cross(d + 6, y + 9, t);
    const double acceleration[3] = {-r[0] / (R * R) + 2 * t[1] / R + d[3],
                                    -r[1] / (R * R) - 2 * t[0] / R + d[4], d[5]};
    v3_set(d + 9, 0, 0, 1);
    v3_axpy(d + 9, b->inertia, acceleration);
}

static void runge_kutta(const hanging *b, double y[STATE], double h)
{
    double k[4][STATE], z[STATE];
    const double at[4] = {0, 0.5, 0.5, 1};
    memcpy(z, y, sizeof z);
    for (int stage = 0; stage < 4; stage++) {
        if (stage > 0)
            for (int i = 0; i < STATE; i++) z[i] = y[i] + at[stage] * h * k[stage - 1][i];
        derivative(b, z, k[stage]);
    }
    for (int i = 0; i < STATE; i++) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

static void shoot(hanging *b, double height, double residual[UNKNOWNS])
{
    const double *u = b->u;
    double y[STATE] = {u[0], 0, 0, 0, 1, 0, 0, 0, 1 / u[0], u[1], u[2], u[3]};
    for (int i = 0; i <= STEPS; i++) {
        v3_copy(b->curve[i], y);
        if (i < STEPS) runge_kutta(b, y, u[4] / STEPS);
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

/* From the solution at H = 1 without inertia, which was found by shooting from random starts, in small changes of the height, then of the
 * inertia. */
static bool solve(hanging *b, double height, double inertia)
{
    const double start[UNKNOWNS] = {0.620378, 2.9188, -2.5983, -4.5233, 1.71408};
    const int changes = 1 + (int)(20 * fabs(log(height)));
    memcpy(b->u, start, sizeof start);
    b->inertia = 0;
    double last = 1;
    for (int i = 0; i <= changes; i++) {
        const double now = pow(height, (double)i / changes);
        b->u[4] += now - last;
        last = now;
        if (!solve_at(b, now)) return false;
    }
    for (int i = 1; i <= INERTIA_CHANGES; i++) {
        b->inertia = inertia * i / INERTIA_CHANGES;
        if (!solve_at(b, height)) return false;
    }
    return b->u[0] > 0 && b->u[4] > height;
}

/* ---- the rope ---------------------------------------------------------------------------------------- */

/* B = w = U = 1, so that mass and inertia are the same number. */
static const double speed = 1, friction = 2;
/* Of the inertia where it does not count. */
static const double slow = 5e-3;
/* Turns that are laid at the start, and over which the rate is measured. */
static const double laid = 0.5, measured = 1;

typedef struct coiling {
    double height, inertia;
    double settling; /* turns before the measurement */
    rod rope;
    hanging shape;
    double edge, surface; /* the length of edges, the radius of the surface */
    double feed, down;    /* length above the guide, and on the floor, at the start */
    cord_constraint kept[MOST_KEPT];
    double kept_at[MOST_KEPT]; /* descending; `keeps` are left */
    int keeps;
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
    const double end = c->feed + c->shape.u[4] + c->down, ds = c->edge / 50;
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

/* A point of the fed part stays on the axis of the guide. */
static cord_status keep_straight(coiling *c, double s)
{
    cord_point_def axis = cord_point_def_default(), on = cord_point_def_default();
    cord_constraint_def def = cord_constraint_def_default();
    on.source = CORD_SOURCE_STRAND;
    on.strand = c->rope.strand;
    on.s = s;
    def.kind = CORD_AXIS;
    v3_set(def.direction, 0, 0, 1);
    cord_status status = cord_world_add_point(c->rope.world, &on, &def.first);
    if (status == CORD_OK) status = cord_world_add_point(c->rope.world, &axis, &def.second);
    c->kept_at[c->keeps] = s;
    return status == CORD_OK ? cord_world_add_constraint(c->rope.world, &def, c->kept + c->keeps++)
                             : status;
}

/* At distances of half the height the fed part bears eleven times the force of the elastic regime before it buckles. */
static cord_status keep_feed_straight(coiling *c)
{
    cord_status status = CORD_OK;
    const double apart = 0.5 * c->height, last = c->feed - 0.5 * apart;
    c->keeps = 0;
    for (double s = apart; status == CORD_OK && s < last && c->keeps < MOST_KEPT; s += apart)
        status = keep_straight(c, s);
    return status;
}

/* Points that are about to pass the guide are free. */
static cord_status release_feed(coiling *c, double fed)
{
    cord_status status = CORD_OK;
    while (status == CORD_OK && c->keeps > 0 &&
           c->kept_at[c->keeps - 1] + fed > c->feed - 0.1 * c->height)
        status = cord_constraint_set_attached(c->rope.world, c->kept[--c->keeps], false);
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
    p.strand.section.mass = c->inertia;
    p.strand.drag = 2e-3;
    p.strand.damping = 2e-3;
    v3_set(p.world.gravity, 0, 0, -1 / c->inertia);
    cord_status status = rod_make(&p, &c->rope);
    if (status != CORD_OK) return status;
    script.motion = (cord_keys){.count = 2, .times = times, .values = path};
    status = cord_world_clamp_strand(c->rope.world, c->rope.strand, 0, &script, NULL, NULL, NULL);
    if (status == CORD_OK) status = add_guide(c);
    if (status == CORD_OK) status = keep_feed_straight(c);
    if (status == CORD_OK) status = contact_set_law(c->rope.world, friction, 1e-4);
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

/* The mean rate of the azimuth over a turn. */
static bool measure(validation *v, coiling *c, double *rate)
{
    const double turn = 2 * pi * c->shape.u[0] / speed, h = turn / 150;
    const int first = (int)(c->settling * 150), steps = first + (int)(measured * 150);
    double angle = 0, last = 0;
    cord_status status = make(c);
    for (int i = 0; status == CORD_OK && i <= steps; i++) {
        status = release_feed(c, (i + 1) * h * speed);
        if (status == CORD_OK) status = cord_world_step(c->rope.world, h);
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

static void check_height(validation *v, double height, double inertia, double settling)
{
    static coiling c;
    const bool fast = inertia > slow;
    const char *name = fast ? validation_text(v, "H = %g (B/w)^⅓, U²/g = %g", height, inertia)
                            : validation_text(v, "H = %g (B/w)^⅓", height);
    double rate;
    c = (coiling){.height = height, .inertia = inertia, .settling = settling};
    if (!solve(&c.shape, height, inertia)) {
        validation_fail(v, name, "the boundary-value problem has no solution");
        return;
    }
    const double R = c.shape.u[0];
    c.edge = R / 9;
    c.surface = R / 50;
    c.feed = 1.1 * (settling + measured) * 2 * pi * R;
    c.down = fmax(laid * 2 * pi * R, 1.5 * sqrt(2 / (friction * R)));
    if (!measure(v, &c, &rate)) return;
    validation_row(v, name, "U/Ω, (B/w)^⅓", speed / rate, R, 0.03 * R);
}

/* The first 0.3 turns bring the polygon of the rope to its motion. In the elastic regime a part of the first turn slips, and
 * inertia adds vibrations. */
void check_coiling(validation *v)
{
    check_height(v, 2.5, slow, 0.3);
    if (validation_quick(v)) return;
    check_height(v, 0.5, slow, 1.3);
    check_height(v, 1.5, slow, 0.3);
    check_height(v, 4, slow, 0.3);
    check_height(v, 2.5, 1, 1.3);
}
