/* Rotating bodies: free rotation about the middle axis, and a top. */
#include "validation/bodies/bodies.h"
#include "validation/bodies/parts.h"
#include "validation/der/schemes.h"
#include "validation/fit.h"
#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static cord_status make_world(const scheme *by, double gravity, cord_world **world)
{
    cord_world_def def = cord_world_def_default();
    def.threads = 1;
    def.integrator = by->integrator;
    def.scheme = by->scheme;
    def.tolerance = 1e-11;
    def.gravity[2] = -gravity;
    return cord_world_create(&def, world);
}

/* ---- tumbling -------------------------------------------------------------------------------- */

enum { TUMBLING_STEPS = 10000, SAMPLES = 1000 };

typedef struct tumbling {
    double t[SAMPLES], energy[SAMPLES]; /* s; E/E₀ − 1 */
    double
        turn[SAMPLES]; /* cosine of the angle between the middle axis and its initial direction */
    double energy_drift, momentum_drift;
    int flips;
} tumbling;

static cord_status tumble(cord_world *world, double h, tumbling *out)
{
    cord_energy start = {0}, now;
    cord_momentum first = {0}, then;
    cord_body body;
    double x[3], frame[9];
    int up = 1;
    cord_status status =
        part_body(world, 1, (double[]){1e-3, 2e-3, 3e-3}, (double[]){0, 0, 0}, &body);
    if (status == CORD_OK) /* about the middle axis, perturbed by a thousandth */
        status = cord_body_set_velocity(world, body, (double[]){0, 0, 0}, (double[]){0.01, 10, 0});
    if (status == CORD_OK) status = cord_world_get_energy(world, &start);
    if (status == CORD_OK) status = cord_world_get_momentum(world, &first);
    double size = hypot(hypot(first.angular[0], first.angular[1]), first.angular[2]);
    for (int i = 0; status == CORD_OK && i < TUMBLING_STEPS; i++) {
        status = cord_world_step(world, h);
        if (status == CORD_OK) status = cord_world_get_energy(world, &now);
        if (status == CORD_OK) status = cord_world_get_momentum(world, &then);
        if (status == CORD_OK) status = cord_body_get_pose(world, body, x, frame);
        if (status != CORD_OK) return status;
        double off = 0, change = now.total / start.total - 1;
        for (int k = 0; k < 3; k++) off = hypot(off, then.angular[k] - first.angular[k]);
        out->energy_drift = fmax(out->energy_drift, fabs(change));
        out->momentum_drift = fmax(out->momentum_drift, off / size);
        if (up * frame[4] < -0.9) up = -up, out->flips++;
        int k = i / (TUMBLING_STEPS / SAMPLES);
        out->t[k] = cord_world_get_time(world), out->energy[k] = change, out->turn[k] = frame[4];
    }
    return status;
}

static void judge_tumbling(validation *v, const scheme *by, const tumbling *t)
{
    const char *name = validation_text(v, "tumbling %s", by->name);
    bool tr_bdf2 = by->integrator == CORD_IMPLICIT && by->scheme == CORD_TR_BDF2;
    if (by->integrator == CORD_MIDPOINT || tr_bdf2) {
        validation_row_below(v, name, "largest |ΔE|/E", t->energy_drift, 1e-9);
        validation_row_below(v, name, "largest |ΔL|/L", t->momentum_drift, 1e-9);
        validation_row_above(v, name, "number of flips", t->flips, 10);
        return;
    }
    double lost = -t->energy[SAMPLES - 1];
    validation_row_above(v, name, "lost of E", lost, 0);
    /* E = |L|²/2I while the axis of rotation is nearly the same. */
    validation_row(v, name, "relative loss of |L|, from that of E", t->momentum_drift,
                   1 - sqrt(1 - lost), 0.03);
}

void check_tumbling(validation *v)
{
    static tumbling t[SCHEMES];
    plot_series s[SCHEMES], turn;
    int shown = 0;
    for (int i = 0; i < SCHEMES; i++) {
        cord_world *world = NULL;
        t[i] = (tumbling){0};
        cord_status status = make_world(&schemes[i], 0, &world);
        if (status == CORD_OK) status = tumble(world, 5e-3, &t[i]);
        bool ok = validation_ok(v, world, status, schemes[i].name);
        cord_world_destroy(world);
        if (!ok) continue;
        judge_tumbling(v, &schemes[i], &t[i]);
        s[shown++] = (plot_series){schemes[i].name, SAMPLES, t[i].t, t[i].energy, PLOT_LINE};
    }
    turn = (plot_series){"midpoint", SAMPLES, t[0].t, t[0].turn, PLOT_LINE};
    validation_plot(v,
                    &(plot){"Tumbling: the energy", "time, s", "E/E₀ − 1", false, false, shown, s});
    validation_plot(v, &(plot){"Tumbling: the middle axis", "time, s",
                               "cosine with the initial direction", false, false, 1, &turn});
}

/* ---- the top --------------------------------------------------------------------------------- */

/* The tip is fixed at the origin; the axis is inclined by half a radian and precesses steadily. */
typedef struct top {
    double mass, arm, across, along; /* kg, m; moments about the centre, kg m² */
    double lean, spin;               /* rad; about the axis, rad/s */
} top;

static const top steady = {1, 0.1, 2e-3, 3e-3, 0.5, 120};
static const double gravity = 9.81;

/* (I + md²) Ω² cos θ − I₃ ω₃ Ω + m g d = 0: the slower of the two solutions [Goldstein, sec. 5.7]. */
static double precession(const top *p)
{
    double a = (p->across + p->mass * p->arm * p->arm) * cos(p->lean), b = p->along * p->spin,
           c = p->mass * gravity * p->arm;
    return 2 * c / (b + sqrt(b * b - 4 * a * c));
}

static cord_status make_top(cord_world *world, const top *p, cord_body *body)
{
    double c = cos(p->lean), s = sin(p->lean), rate = precession(p);
    cord_body_def def = cord_body_def_default();
    cord_point tip, held;
    const double frame[9] = {c, 0, -s, 0, 1, 0, s, 0, c}; /* its axis is z */
    def.mass = p->mass;
    def.inertia[0] = def.inertia[4] = p->across, def.inertia[8] = p->along;
    def.center[2] = p->arm;
    memcpy(def.frame, frame, sizeof frame);
    /* Ω z plus a spin such that the axial component is ω₃. */
    double body_spin = p->spin - rate * c;
    def.angular_velocity[0] = body_spin * s, def.angular_velocity[2] = rate + body_spin * c;
    def.velocity[1] = rate * p->arm * s;
    cord_status status = cord_world_add_body(world, &def, body);
    if (status == CORD_OK) status = part_point(world, *body, (double[]){0, 0, 0}, &tip);
    if (status == CORD_OK) status = part_world_point(world, (double[]){0, 0, 0}, &held);
    if (status == CORD_OK) status = part_constrain(world, CORD_COINCIDE, tip, held, NULL, NULL);
    return status;
}

/* A quarter of a revolution: error of the axis direction, and nutation. */
static bool precess(validation *v, const scheme *by, int steps, double *error, double *nod)
{
    const top *p = &steady;
    double rate = precession(p), h = 0.5 * pi / rate / steps, x[3], frame[9] = {0};
    cord_world *world = NULL;
    cord_body body;
    cord_status status = make_world(by, gravity, &world);
    if (status == CORD_OK) status = make_top(world, p, &body);
    *nod = 0;
    for (int i = 0; status == CORD_OK && i < steps; i++) {
        status = cord_world_step(world, h);
        if (status == CORD_OK) status = cord_body_get_pose(world, body, x, frame);
        if (status == CORD_OK) *nod = fmax(*nod, fabs(acos(frame[8]) - p->lean));
    }
    if (status == CORD_OK)
        *error = hypot(hypot(frame[6], frame[7] - sin(p->lean)), frame[8] - cos(p->lean));
    bool ok = validation_ok(v, world, status, validation_text(v, "%s, top", by->name));
    cord_world_destroy(world);
    return ok;
}

void check_top(validation *v)
{
    enum { MESHES = 6 };
    static const int steps[MESHES] = {400, 800, 1600, 3200, 6400, 12800};
    double n[MESHES], error[SCHEMES][MESHES], nod = NAN;
    plot_series s[SCHEMES];
    int shown = 0;
    for (int i = 0; i < SCHEMES; i++) {
        const scheme *by = &schemes[i];
        const char *name = validation_text(v, "top %s", by->name);
        bool ok = true;
        for (int k = 0; ok && k < MESHES; k++) {
            n[k] = steps[k];
            ok = precess(v, by, steps[k], &error[i][k], &nod);
        }
        if (!ok) continue;
        validation_row_above(v, name, "order", fit_order(2, n + MESHES - 2, error[i] + MESHES - 2),
                             by->order - 0.2);
        if (by->order == 2) {
            validation_row_below(v, name, "error of the axis after a quarter of a revolution",
                                 error[i][MESHES - 1], 1e-3);
            validation_row_below(v, name, "largest nod, rad", nod, 1e-3);
        }
        s[shown++] = (plot_series){by->name, MESHES, n, error[i], PLOT_BOTH};
    }
    validation_plot(v, &(plot){"The top after a quarter of a revolution", "steps",
                               "distance of the end of the axis", true, true, shown, s});
}
