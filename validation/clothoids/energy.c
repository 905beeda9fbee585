/* Energy of undamped motions at large steps [SSC 2013, sec. 8.1, Fig. 8]. */
#include "validation/clothoids/curl.h"
#include "validation/clothoids/clothoids.h"
#include <math.h>
#include <string.h>

enum { MODELS = 3, SCHEMES = 6, MOST_SAMPLES = 128, HALVINGS = 12 };
enum { CLOTHOID, HELIX, DER, SEGMENT, KINDS };

static const chain_kind kinds[KINDS] = {{"clothoid", CORD_MODEL_CLOTHOID, false},
                                        {"helix", CORD_MODEL_HELIX, false},
                                        {"der", CORD_MODEL_DER, false},
                                        {"segment", CORD_MODEL_SEGMENT, false}};

typedef struct scheme {
    const char *name;
    cord_integrator integrator;
    cord_scheme scheme;
    bool chains_only;
    double loss; /* at most this part of the loss by backward Euler */
} scheme;

static const scheme schemes[SCHEMES] = {
    {"tr-bdf2", CORD_IMPLICIT, CORD_TR_BDF2, false, 0.9},
    {"backward-euler", CORD_IMPLICIT, CORD_BACKWARD_EULER, false, 1},
    {"linearised", CORD_IMPLICIT, CORD_LINEARISED, false, 1.05},
    {"semi-implicit", CORD_IMPLICIT, CORD_SEMI_IMPLICIT, true, 0.95},
    {"semi-implicit-velocity", CORD_IMPLICIT, CORD_SEMI_IMPLICIT_VELOCITY, true, 0.95},
    {"midpoint", CORD_MIDPOINT, CORD_TR_BDF2, false, 1e-6},
};
enum { DEFAULT, EULER, LINEARISED, SEMI, VELOCITY, MIDPOINT };

typedef struct trial {
    bool curled;
    double young;   /* of the straight rod */
    double damping; /* s */
    double step, duration;
    int max_halvings;
    int elements[KINDS];
    bool default_tolerance;
} trial;

/* Energies relative to the convertible energy: initial minus equilibrium potential energy. */
typedef struct outcome {
    double initial, scale;
    bool lost;              /* the step failed */
    double time, gain, end; /* reached; largest and last (total − initial)/scale */
    double soon;            /* the same after the first second */
    double halvings;        /* per step */
    int samples;
    double t[MOST_SAMPLES], e[MOST_SAMPLES];
} outcome;

static cord_status release(const trial *t, int model, const scheme *s, rod *r)
{
    rod_plan plan = rod_plan_common(1);
    cord_world_def world = plan.world;
    world.integrator = s->integrator, world.scheme = s->scheme;
    /* An omitted Newton correction acts as a force and does work. */
    if (s->integrator == CORD_MIDPOINT && !t->default_tolerance) world.tolerance = 1e-11;
    world.max_halvings = t->max_halvings;
    if (t->curled) {
        curl c = curl_default();
        c.damping = t->damping;
        return curl_make(&c, &kinds[model], t->elements[model], 8, &world, r);
    }
    plan.world = world;
    plan.strand.material.young = t->young;
    plan.strand.damping = t->damping;
    if (model == DER) plan.strand.stretch = CORD_STRETCH_ELASTIC;
    chain_of(&plan, &kinds[model], t->elements[model], 8);
    cord_status status = chain_make(&plan, r);
    return status == CORD_OK ? rod_clamp_first(r, NULL, NULL) : status;
}

static bool begin(validation *v, const trial *t, int model, outcome *o)
{
    rod r = {0};
    cord_energy at_start = {0}, at_rest = {0};
    cord_status status = release(t, model, &schemes[DEFAULT], &r);
    if (status == CORD_OK) status = cord_world_get_energy(r.world, &at_start);
    if (status == CORD_OK) status = cord_world_find_equilibrium(r.world, NULL, NULL);
    if (status == CORD_OK) status = cord_world_get_energy(r.world, &at_rest);
    bool ok = chain_ok(v, &r, status, "what can be converted");
    *o = (outcome){.initial = at_start.total, .scale = at_start.total - at_rest.total};
    rod_free(&r);
    return ok;
}

static bool run(validation *v, const trial *t, int model, const scheme *s, outcome *o)
{
    rod r = {0};
    cord_counters counters = {0};
    int steps = (int)ceil(t->duration / t->step), every = steps / MOST_SAMPLES + 1;
    if (!begin(v, t, model, o)) return false;
    if (!chain_ok(v, &r, release(t, model, s, &r), s->name)) {
        rod_free(&r);
        return false;
    }
    for (int i = 0; i < steps && !o->lost; i++) {
        cord_energy energy = {0};
        cord_status status = cord_world_step(r.world, t->step);
        if (status == CORD_OK) status = cord_world_get_energy(r.world, &energy);
        double change = (energy.total - o->initial) / o->scale;
        o->lost = status != CORD_OK;
        o->time = cord_world_get_time(r.world);
        if (o->lost) break;
        o->end = change, o->gain = fmax(o->gain, change);
        if (o->time <= 1) o->soon = change;
        if (i % every == 0) o->t[o->samples] = o->time, o->e[o->samples++] = change;
    }
    if (cord_world_get_counters(r.world, &counters) == CORD_OK && counters.steps > 0)
        o->halvings = (double)counters.halvings / steps;
    rod_free(&r);
    return true;
}

/* ---- ten seconds at 11 ms -------------------------------------------------------------------- */

/* Fig. 8a of the paper: 5 clothoids, as drawn there, 6 helices with as many unknowns, 50 edges; undamped,
 * released horizontally. The paper does not state the material: see check_swing_stability(). */
static trial swinging(double young, double step)
{
    return (trial){.young = young, .step = step, .duration = 10, .elements = {5, 6, 50}};
}

/* The midpoint rule conserves energy up to the tolerance of the iteration; no other scheme may gain any. */
static void state_swing(validation *v, int model, int i, const outcome *all)
{
    const scheme *s = &schemes[i];
    const outcome *o = &all[i];
    const char *name = validation_text(v, "%s, %s", kinds[model].name, s->name);
    if (i == SEMI) { /* these forces are explicit, and the rod is soft */
        validation_row_below(v, name, "lost after, s", o->time, 9.9);
        return;
    }
    validation_row_above(v, name, "in control for, s", o->time, 10);
    validation_row_below(v, name, "largest gain", o->gain, i == MIDPOINT ? 1e-6 : 1e-9);
    if (i != EULER)
        validation_row_below(v, name, "loss over that by backward Euler",
                             fabs(o->end / all[EULER].end), s->loss);
}

void check_swing_energy(validation *v)
{
    static outcome all[MODELS][SCHEMES];
    plot_series series[MODELS * SCHEMES];
    int count = 0;
    trial t = swinging(6e6, 0.011);
    for (int model = 0; model < MODELS; model++) {
        outcome *o = all[model];
        for (int i = 0; i < SCHEMES; i++) {
            if (model == DER && schemes[i].chains_only) continue;
            t.max_halvings = i == MIDPOINT ? HALVINGS : 0;
            if (!run(v, &t, model, &schemes[i], &o[i])) return;
            series[count++] =
                (plot_series){validation_text(v, "%s, %s", kinds[model].name, schemes[i].name),
                              o[i].samples, o[i].t, o[i].e, PLOT_LINE};
        }
        for (int i = 0; i < SCHEMES; i++)
            if (model != DER || !schemes[i].chains_only) state_swing(v, model, i, o);
    }
    /* "The motion generated by DER is more damped than ours", from the beginning on. */
    const outcome *der = &all[DER][EULER], *ours = &all[CLOTHOID][VELOCITY];
    validation_row_above(v, "der, backward-euler over clothoid, semi-implicit-velocity",
                         "loss in 1 s", der->soon / ours->soon, 2);
    validation_row_above(v, "der, backward-euler over clothoid, semi-implicit-velocity",
                         "loss in 10 s", der->end / ours->end, 1);
    validation_plot(v, &(plot){"Energy of the swinging rod, 11 ms", "time, s",
                               "(E − E₀)/convertible", false, false, count, series});
}

/* ---- who is stable at which step --------------------------------------------------------------- */

enum { MODULI = 9, COMPARED = 4, CLAIMS = 6 };
static const double moduli[MODULI] = {3e5, 1e6, 2e6, 3e6, 4e6, 5e6, 6e6, 8e6, 2e7};
static const struct {
    int model, scheme;
} compared[COMPARED] = {{CLOTHOID, VELOCITY}, {HELIX, SEMI}, {CLOTHOID, SEMI}, {HELIX, VELOCITY}};
static const struct {
    int step, modulus; /* 0: 11 ms, 1: 33 ms; index of `moduli` */
} claims[CLAIMS] = {{0, 3}, {0, 4}, {0, 5}, {0, 6}, {1, 6}, {1, 7}};

/* For how long each of `compared` runs, over the modulus. */
static bool endured(validation *v, double step, double time[COMPARED][MODULI])
{
    static outcome o;
    plot_series series[COMPARED];
    for (int k = 0; k < COMPARED; k++) {
        const scheme *s = &schemes[compared[k].scheme];
        for (int i = 0; i < MODULI; i++) {
            const trial t = swinging(moduli[i], step);
            if (!run(v, &t, compared[k].model, s, &o)) return false;
            time[k][i] = o.time;
        }
        const char *name = validation_text(v, "%s, %s", kinds[compared[k].model].name, s->name);
        series[k] = (plot_series){name, MODULI, moduli, time[k], PLOT_LINE};
    }
    validation_plot(v, &(plot){validation_text(v, "Stability at %.0f ms", 1e3 * step),
                               "Young's modulus, Pa", "time until the step fails, s", true, false,
                               COMPARED, series});
    return true;
}

/* The step that stretching allows an explicit scheme: 2/ω = ē √(ρ/E), ω the highest frequency on the mesh. */
static void explicit_step(validation *v)
{
    const trial t = swinging(6e6, 0.011);
    rod r = {0};
    cord_strand_info info = {0};
    cord_status status = release(&t, DER, &schemes[DEFAULT], &r);
    if (status == CORD_OK) status = cord_strand_get_info(r.world, r.strand, &info);
    if (chain_ok(v, &r, status, "the explicit step"))
        validation_row(v, "6 MPa, der, explicit", "longest stable step, ms", 1e3 * info.stable_step,
                       1e3 / 50 * sqrt(1000 / 6e6), 1e-3);
    rod_free(&r);
}

/* Where the paper's statement is true, each model with the step its authors give it; and the same rods with the steps
 * exchanged. Other numbers of elements have exceptions: see the text of the check. */
void check_swing_stability(validation *v)
{
    double time[2][COMPARED][MODULI];
    if (!endured(v, 0.011, time[0]) || !endured(v, 0.033, time[1])) return;
    for (int i = 0; i < CLAIMS; i++) {
        double(*reached)[MODULI] = time[claims[i].step];
        int at = claims[i].modulus;
        const char *subject =
            validation_text(v, "%.0f MPa, %d ms", 1e-6 * moduli[at], claims[i].step ? 33 : 11);
        validation_row_above(v, validation_text(v, "%s, clothoid, its step", subject),
                             "in control for, s", reached[0][at], 10);
        validation_row_below(v, validation_text(v, "%s, helix, its step", subject), "lost after, s",
                             reached[1][at], 9.9);
        validation_row_below(v, validation_text(v, "%s, clothoid, the helix's step", subject),
                             "lost after, s", reached[2][at], 9.9);
        validation_row_above(v, validation_text(v, "%s, helix, the clothoid's step", subject),
                             "in control for, s", reached[3][at], 10);
    }
    for (int k = 0; k < COMPARED; k++) {
        const char *name = validation_text(v, "%s, %s", kinds[compared[k].model].name,
                                           schemes[compared[k].scheme].name);
        validation_row_below(v, name, "0.3 MPa, 11 ms: lost after, s", time[0][k][0], 9.9);
        validation_row_above(v, name, "20 MPa, 33 ms: in control for, s", time[1][k][MODULI - 1],
                             10);
    }
    static outcome o;
    for (int k = 0; k < 2; k++) {
        const trial t = swinging(6e6, k ? 0.033 : 0.011);
        if (!run(v, &t, DER, &schemes[EULER], &o)) return;
        validation_row_above(v, validation_text(v, "6 MPa, %d ms, der, implicit", k ? 33 : 11),
                             "in control for, s", o.time, 10);
    }
    explicit_step(v);
}

/* ---- a minute at 33 ms ----------------------------------------------------------------------- */

static void endure(validation *v, const char *name, const trial *t)
{
    static const int tried[] = {DEFAULT, MIDPOINT};
    for (int model = 0; model < KINDS; model++)
        for (int i = 0; i < 2; i++) {
            if (model == DER) continue;
            const scheme *s = &schemes[tried[i]];
            static outcome o;
            if (!run(v, t, model, s, &o)) continue;
            const char *row = validation_text(v, "%s, %s, %s", name, kinds[model].name, s->name);
            validation_row_above(v, row, "in control for, s", o.time, t->duration);
            validation_row_below(v, row, "largest gain of energy", o.gain, 1e-5);
            if (tried[i] == MIDPOINT && t->damping == 0)
                validation_row_below(v, row, "change of energy at the end", fabs(o.end), 1e-5);
            validation_row_below(v, row, "halvings per step", o.halvings, 1);
        }
}

void check_endurance(validation *v)
{
    trial t = {.young = 1e6, .step = 0.033, .duration = 60, .elements = {8, 8, 0, 8}};
    t.max_halvings = HALVINGS, t.default_tolerance = true;
    endure(v, "swinging", &t);
    t.curled = true;
    endure(v, "unwinding", &t);
    t.damping = 5e-3;
    endure(v, "unwinding, damped by 5 ms", &t);
}
