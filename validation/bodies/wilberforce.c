/* Wilberforce's pendulum: a body on a helical spring with vertical and torsional motion in
 * resonance [DER 2008, Fig. 11]. */
#include "validation/bodies/bodies.h"
#include "validation/bodies/parts.h"
#include "validation/clothoids/chains.h"
#include "validation/csv.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 3 };

static const double pi = 3.14159265358979323846;

typedef struct spring {
    double bending, twisting, radius, slope, turns, length; /* N m², m, rad */
    double mass, inertia, line_mass;                        /* kg, kg m², kg/m */
    double f[2], beat, height,
        turned; /* expected: Hz, s; at rest: m, rad from the unloaded state */
} spring;

static const char der[] = CORD_MODEL_DER;
static const struct {
    chain_kind kind;
    double per_turn; /* elements */
    /* Integrator of the run. The midpoint rule preserves the fast motions of a finely resolved
     * wire, and so needs small steps. */
    cord_integrator integrator;
    double near; /* relative tolerance of the frequencies and the beat of small motions */
    double loss; /* relative energy loss in 0.9 of a beat */
} kinds[KINDS] = {{{"der", der, false}, 96, CORD_IMPLICIT, 0.015, 0.01},
                  {{"helix", CORD_MODEL_HELIX, false}, 2, CORD_MIDPOINT, 0.005, 1e-3},
                  {{"clothoid", CORD_MODEL_CLOTHOID, false}, 1, CORD_MIDPOINT, 0.01, 1e-3}};

static bool read_spring(validation *v, const char *row, spring *s)
{
    csv t;
    if (!csv_open(v, "10_wilberforce.csv", &t)) return false;
    const struct {
        const char *column;
        double *value;
    } take[] = {{"B", &s->bending},   {"C", &s->twisting},    {"R", &s->radius},
                {"alpha", &s->slope}, {"N", &s->turns},       {"length", &s->length},
                {"m", &s->mass},      {"I", &s->inertia},     {"lam", &s->line_mass},
                {"f1", &s->f[0]},     {"f2", &s->f[1]},       {"Tbeat", &s->beat},
                {"z_eq", &s->height}, {"dPhi_eq", &s->turned}};
    bool found = false;
    for (int i = 0; i < t.rows; i++) {
        if (strcmp(csv_text(&t, i, 0), row) != 0) continue;
        found = true;
        for (size_t k = 0; k < sizeof take / sizeof *take; k++)
            *take[k].value = csv_number(&t, i, csv_column(&t, take[k].column));
    }
    csv_close(&t);
    if (!found) validation_fail(v, row, "no such row");
    return found;
}

/* ---- the pendulum ---------------------------------------------------------------------------- */

/* A helix down about −z from (radius, 0, 0): frames rotate by `rate` per length. */
typedef struct helix {
    double rate, slope, radius;
} helix;

static helix helix_of(const spring *p, double height, double angle)
{
    double slope = asin(height / p->length);
    return (helix){angle / p->length, slope, p->length * cos(slope) / angle};
}

static void tangent(const void *user, double s, double t[3])
{
    const helix *h = user;
    t[0] = -cos(h->slope) * sin(h->rate * s);
    t[1] = -cos(h->slope) * cos(h->rate * s);
    t[2] = -sin(h->slope);
}

static cord_status make_der(const helix *natural, const helix *now, rod_plan *plan, rod *r)
{
    int edges = plan->edges, points = 3 * (edges + 1);
    double step = plan->length / edges, *work = calloc(2 * (size_t)(points + edges), sizeof *work);
    if (work == NULL) return CORD_ERROR_MEMORY;
    for (int k = 0; k < 2; k++) {
        const helix *h = k ? now : natural;
        double *x = work + k * points, *twist = work + 2 * points + k * edges;
        double *director = k ? plan->strand.director : plan->strand.natural_director;
        x[0] = h->radius;
        rod_trace(edges, plan->length, NULL, tangent, h, x);
        /* Outwards at the first edge; the screw rotates frames relative to parallel transport. */
        director[0] = cos(0.5 * h->rate * step), director[1] = -sin(0.5 * h->rate * step);
        director[2] = 0;
        for (int i = 0; i < edges; i++)
            twist[i] = i * 2 * atan(sin(h->slope) * tan(0.5 * h->rate * step));
    }
    plan->strand.natural_positions = work;
    plan->shape = work + points;
    plan->strand.natural_twist = work + 2 * points;
    plan->strand.twist = work + 2 * points + edges;
    cord_status status = rod_make(plan, r);
    free(work);
    return status;
}

static cord_status make_chain(const helix *natural, const helix *now, rod_plan *plan, rod *r)
{
    int elements = plan->strand.element_count, knots = 3 * (elements + 1);
    double *kappa = calloc((size_t)(knots + 6 * elements), sizeof *kappa);
    if (kappa == NULL) return CORD_ERROR_MEMORY;
    for (int i = 0; i < knots + 6 * elements; i += 3) {
        const helix *h = i < knots ? now : natural;
        kappa[i] = h->rate * cos(h->slope);
        kappa[i + 2] = h->rate * sin(h->slope);
    }
    /* Directors: normal to the tangent and the radius, and outwards. */
    double c = cos(now->slope), d = sin(now->slope);
    const double frame[9] = {0, -c, -d, 0, d, -c, 1, 0, 0};
    memcpy(plan->strand.base_frame, frame, sizeof frame);
    plan->strand.base_position[0] = now->radius;
    plan->strand.curvatures = kappa;
    plan->strand.natural_curvatures = kappa + knots;
    cord_status status = rod_make(plan, r);
    free(kappa);
    return status;
}

static cord_status make_spring(const spring *p, int kind, bool runs, rod *r)
{
    int elements = (int)lround(kinds[kind].per_turn * p->turns);
    rod_plan plan = rod_plan_unit(elements, p->length);
    helix natural = helix_of(p, p->length * sin(p->slope), 2 * pi * p->turns);
    helix now = helix_of(p, p->height, 2 * pi * p->turns + p->turned);
    cord_section *s = &plan.strand.section;
    if (runs) plan.world.integrator = kinds[kind].integrator;
    plan.world.gravity[2] = -9.81;
    s->mass = p->line_mass > 0 ? p->line_mass : 1e-6;
    s->rotary_inertia = s->mass * 1.25e-7; /* of a wire of a millimetre */
    s->bending[0] = s->bending[1] = p->bending, s->twisting = p->twisting;
    chain_of(&plan, &kinds[kind].kind, elements, elements);
    return kinds[kind].kind.model == der ? make_der(&natural, &now, &plan, r)
                                         : make_chain(&natural, &now, &plan, r);
}

/* The wire starts as the loaded helix of the reference, an equilibrium of a light wire, and is
 * clamped with that slope. The body is welded to its end, its centre on the axis, along and about
 * which it moves: otherwise it would also swing, at 0.6 Hz. */
static cord_status make(const spring *p, int kind, bool runs, rod *r, cord_body *body)
{
    cord_status status = make_spring(p, kind, runs, r);
    if (status == CORD_OK) status = rod_clamp_first(r, NULL, NULL);
    if (status == CORD_OK) status = rod_read(r);
    if (status != CORD_OK) return status;
    const double moments[3] = {p->inertia, p->inertia, p->inertia};
    status = part_body(r->world, p->mass, moments, (double[]){0, 0, rod_tip(r)[2]}, body);
    if (status == CORD_OK) status = part_weld(r, p->length, *body);
    if (status == CORD_OK) status = part_bearing(r->world, *body, (double[]){0, 0, 1}, true);
    return status == CORD_OK ? cord_world_find_equilibrium(r->world, NULL, NULL) : status;
}

/* ---- frequencies ----------------------------------------------------------------------------- */

static void compare(validation *v, const spring *p, int kind, const char *name)
{
    rod r = {0};
    cord_body body;
    double omega[2], x[3], near = kinds[kind].near;
    cord_status status = make(p, kind, false, &r, &body);
    if (status == CORD_OK) status = cord_body_get_pose(r.world, body, x, NULL);
    if (status == CORD_OK) status = cord_world_find_frequencies(r.world, 2, omega);
    if (validation_ok(v, r.world, status, name)) {
        validation_row(v, name, "height at rest, m", -x[2], p->height, near * p->height);
        for (int i = 0; i < 2; i++)
            validation_row(v, name, validation_text(v, "frequency %d, Hz", i + 1),
                           omega[i] / (2 * pi), p->f[i], near * p->f[i]);
        validation_row(v, name, "beat period, s", 2 * pi / (omega[1] - omega[0]), p->beat,
                       near * p->beat);
    }
    rod_free(&r);
}

void check_wilberforce_frequencies(validation *v)
{
    static const char *const rows[2] = {"steel_resonant", "steel_resonant_spring_mass"};
    spring p;
    for (int i = 0; i < 2; i++)
        for (int kind = 0; kind < KINDS; kind++)
            if (read_spring(v, rows[i], &p))
                compare(v, &p, kind,
                        validation_text(v, "%s spring, %s", i ? "heavy" : "light",
                                        kinds[kind].kind.name));
}

/* ---- the beat -------------------------------------------------------------------------------- */

/* Duration of 0.9 beats; a step is 1/36 of the mean period, over which energies are averaged. */
enum { WINDOW = 36, MOST = 600 };

typedef struct history {
    int count;
    double t[MOST], bobbing[MOST], turning[MOST]; /* s; kinetic energies, J */
    double drift;                                 /* largest |ΔE| of the world, J */
} history;

static cord_status swing(rod *r, cord_body body, const spring *p, double h, history *out)
{
    cord_energy start = {0}, now;
    double x[3], w[3];
    cord_status status = cord_world_get_energy(r->world, &start);
    out->count = (int)(0.9 * p->beat / h);
    for (int i = 0; status == CORD_OK && i < out->count; i++) {
        status = cord_world_step(r->world, h);
        if (status == CORD_OK) status = cord_body_get_velocity(r->world, body, x, w);
        if (status == CORD_OK) status = cord_world_get_energy(r->world, &now);
        if (status != CORD_OK) return status;
        out->t[i] = h * (i + 1);
        out->bobbing[i] = 0.5 * p->mass * x[2] * x[2];
        out->turning[i] = 0.5 * p->inertia * w[2] * w[2];
        out->drift = fmax(out->drift, fabs(now.total - start.total));
    }
    return status;
}

/* Moving average over a period, in place, assigned to its middle. */
static void average(history *e)
{
    int count = e->count - WINDOW + 1;
    for (int i = 0; i < count; i++) {
        double sum[2] = {0};
        for (int k = 0; k < WINDOW; k++) sum[0] += e->bobbing[i + k], sum[1] += e->turning[i + k];
        e->bobbing[i] = sum[0] / WINDOW, e->turning[i] = sum[1] / WINDOW;
        e->t[i] = 0.5 * (e->t[i] + e->t[i + WINDOW - 1]);
    }
    e->count = count;
}

/* Both energies are equal at a quarter and at three quarters of the beat. */
static double beat_of(const history *e)
{
    double crossing[2] = {NAN, NAN};
    int found = 0;
    for (int i = 1; i < e->count && found < 2; i++) {
        double a = e->bobbing[i - 1] - e->turning[i - 1], b = e->bobbing[i] - e->turning[i];
        if (a * b < 0) crossing[found++] = e->t[i - 1] + (e->t[i] - e->t[i - 1]) * a / (a - b);
    }
    return 2 * (crossing[1] - crossing[0]);
}

static void judge(validation *v, int kind, const spring *p, const history *e)
{
    const char *name = kinds[kind].kind.name;
    double most = 0, energy = 0;
    for (int i = 0; i < e->count; i++) {
        most = fmax(most, e->turning[i] / (e->turning[i] + e->bobbing[i]));
        energy = fmax(energy, 2 * (e->turning[i] + e->bobbing[i]));
    }
    validation_row(v, name, "beat seen in a run, s", beat_of(e), p->beat, 0.015 * p->beat);
    validation_row_above(v, name, "largest share of the rotation", most, 0.97);
    validation_row_below(v, name, "largest |ΔE| over the motion's", e->drift / energy,
                         kinds[kind].loss);
}

/* Two per cent more weight during the search for the equilibrium: released a centimetre too low. */
static cord_status pull(rod *r)
{
    cord_status status = rod_set_gravity(r, 0, 0, -1.02 * 9.81);
    if (status == CORD_OK) status = cord_world_find_equilibrium(r->world, NULL, NULL);
    return status == CORD_OK ? rod_set_gravity(r, 0, 0, -9.81) : status;
}

void check_wilberforce_beat(validation *v)
{
    static history e[KINDS];
    plot_series s[2 * KINDS];
    spring p;
    int shown = 0;
    if (!read_spring(v, "steel_resonant_spring_mass", &p)) return;
    double h = 2 / (p.f[0] + p.f[1]) / WINDOW;
    for (int kind = 0; kind < KINDS; kind++) {
        rod r = {0};
        cord_body body;
        const char *name = kinds[kind].kind.name;
        e[kind] = (history){0};
        cord_status status = make(&p, kind, true, &r, &body);
        if (status == CORD_OK) status = pull(&r);
        if (status == CORD_OK) status = swing(&r, body, &p, h, &e[kind]);
        bool ok = validation_ok(v, r.world, status, name);
        rod_free(&r);
        if (!ok) continue;
        average(&e[kind]);
        judge(v, kind, &p, &e[kind]);
        s[shown++] = (plot_series){validation_text(v, "bobbing, %s", name), e[kind].count,
                                   e[kind].t, e[kind].bobbing, PLOT_LINE};
        s[shown++] = (plot_series){validation_text(v, "turning, %s", name), e[kind].count,
                                   e[kind].t, e[kind].turning, PLOT_DASHED};
    }
    validation_plot(v, &(plot){"Wilberforce's pendulum: exchange of energy", "time, s",
                               "kinetic energy, mean of a period, J", false, false, shown, s});
}
