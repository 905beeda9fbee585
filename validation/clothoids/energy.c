/* Energy of undamped motions at large steps [SSC 2013, sec. 8.1, Fig. 8]. */
#include "validation/clothoids/chains.h"
#include "validation/clothoids/clothoids.h"
#include <math.h>
#include <string.h>

enum { MODELS = 3, SCHEMES = 6, MOST_SAMPLES = 128 };

static const chain_kind kinds[MODELS] = {{"clothoid", CORD_MODEL_CLOTHOID, false},
                                         {"helix", CORD_MODEL_HELIX, false},
                                         {"der", CORD_MODEL_DER, false}};
static const int elements[MODELS] = {8, 8, 50};

typedef struct scheme {
    const char *name;
    cord_integrator integrator;
    cord_scheme scheme;
    bool chains_only, dissipates; /* the energy cannot grow */
} scheme;

static const scheme schemes[SCHEMES] = {
    {"tr-bdf2", CORD_IMPLICIT, CORD_TR_BDF2, false, true},
    {"backward-euler", CORD_IMPLICIT, CORD_BACKWARD_EULER, false, true},
    {"linearised", CORD_IMPLICIT, CORD_LINEARISED, false, false},
    {"semi-implicit", CORD_IMPLICIT, CORD_SEMI_IMPLICIT, true, false},
    {"semi-implicit-velocity", CORD_IMPLICIT, CORD_SEMI_IMPLICIT_VELOCITY, true, false},
    {"midpoint", CORD_MIDPOINT, CORD_TR_BDF2, false, false},
};
enum { DEFAULT = 0, PAPER = 3, PAPER_VELOCITY = 4, MIDPOINT = 5 };

typedef struct trial {
    bool curled;
    double young;   /* of the straight rod */
    double damping; /* s */
    double step, duration;
    int max_halvings; /* 0: the default */
} trial;

/* Energies relative to the convertible energy: initial minus equilibrium potential energy. */
typedef struct outcome {
    double initial, scale;
    bool lost; /* the step failed, or the energy rose by more than the convertible energy */
    double time, gain, end; /* reached; largest and last (total − initial)/scale */
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
    if (s->integrator == CORD_MIDPOINT) world.tolerance = 1e-11;
    if (t->max_halvings > 0) world.max_halvings = t->max_halvings;
    if (t->curled) {
        curl c = curl_default();
        c.damping = t->damping;
        return curl_make(&c, &kinds[model], elements[model], 8, &world, r);
    }
    plan.world = world;
    plan.strand.material.young = t->young;
    plan.strand.damping = t->damping;
    chain_of(&plan, &kinds[model], elements[model], 8);
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
        o->lost = status != CORD_OK || !(change < 10);
        o->time = cord_world_get_time(r.world);
        if (o->lost) break;
        o->end = change, o->gain = fmax(o->gain, change);
        if (i % every == 0) o->t[o->samples] = o->time, o->e[o->samples++] = change;
    }
    if (cord_world_get_counters(r.world, &counters) == CORD_OK && counters.steps > 0)
        o->halvings = (double)counters.halvings / steps;
    rod_free(&r);
    return true;
}

/* ---- ten seconds at 11 ms -------------------------------------------------------------------- */

/* States the loss of a scheme; a dissipative scheme must lose energy and not gain any. The midpoint
 * rule conserves energy up to the tolerance of the iteration. */
static void state_swing(validation *v, const char *rod_name, int model, const scheme *s,
                        const outcome *o)
{
    const char *name = validation_text(v, "%s, %s, %s", rod_name, kinds[model].name, s->name);
    if (o->lost) {
        validation_row_below(v, name, "lost control after, s", o->time, INFINITY);
        return;
    }
    validation_row_below(v, name, "part of the energy lost in 10 s", -o->end, 1);
    if (s->dissipates) validation_row_below(v, name, "largest gain", o->gain, 1e-9);
    if (s == &schemes[MIDPOINT])
        validation_row_below(v, name, "largest |ΔE|", fmax(o->gain, fabs(o->end)), 1e-6);
    if (!s->dissipates && s != &schemes[MIDPOINT])
        validation_row_below(v, name, "largest gain", o->gain, INFINITY);
}

static void swing(validation *v, const char *rod_name, double young, outcome *all)
{
    plot_series series[MODELS * SCHEMES];
    int count = 0;
    const trial t = {.young = young, .step = 0.011, .duration = 10};
    for (int model = 0; model < MODELS; model++)
        for (int i = 0; i < SCHEMES; i++) {
            outcome *o = &all[model * SCHEMES + i];
            if (strcmp(kinds[model].model, CORD_MODEL_DER) == 0 && schemes[i].chains_only) continue;
            if (!run(v, &t, model, &schemes[i], o)) continue;
            state_swing(v, rod_name, model, &schemes[i], o);
            if (o->lost) continue;
            series[count++] =
                (plot_series){validation_text(v, "%s, %s", kinds[model].name, schemes[i].name),
                              o->samples, o->t, o->e, PLOT_LINE};
        }
    validation_plot(v, &(plot){validation_text(v, "Energy of the %s swinging rod, 11 ms", rod_name),
                               "time, s", "(E − E₀)/convertible", false, false, count, series});
}

void check_swing_energy(validation *v)
{
    static outcome soft[MODELS * SCHEMES], stiff[MODELS * SCHEMES];
    swing(v, "soft", 1e6, soft);
    swing(v, "stiff", 1e8, stiff);
    /* The super-helices of the paper are unstable at this step. */
    validation_row_below(v, "soft, helix, the paper's step", "in control for, s",
                         soft[SCHEMES + PAPER].time, 9.9);
    validation_row_above(v, "soft, helix, default integrator", "in control for, s",
                         soft[SCHEMES + DEFAULT].time, 10);
    validation_row_above(v, "soft, clothoid, default integrator", "in control for, s",
                         soft[DEFAULT].time, 10);
    validation_row_above(v, "stiff, clothoid, the paper's step", "in control for, s",
                         stiff[PAPER].time, 10);
    /* The loss of the discrete rod over that of clothoids, both by the default integrator. */
    validation_row_above(v, "soft, der over clothoid, tr-bdf2", "loss",
                         soft[2 * SCHEMES + DEFAULT].end / soft[DEFAULT].end, 1);
}

/* ---- a minute at 33 ms ----------------------------------------------------------------------- */

static void endure(validation *v, const char *name, const trial *t)
{
    static const int tried[] = {DEFAULT, MIDPOINT};
    for (int model = 0; model < 2; model++)
        for (int i = 0; i < 2; i++) {
            const scheme *s = &schemes[tried[i]];
            static outcome o;
            if (!run(v, t, model, s, &o)) continue;
            const char *row = validation_text(v, "%s, %s, %s", name, kinds[model].name, s->name);
            validation_row_above(v, row, "in control for, s", o.time, t->duration);
            validation_row_below(v, row, "largest gain of energy", o.gain, 1e-5);
            validation_row_below(v, row, "halvings per step", o.halvings, 1);
        }
}

void check_endurance(validation *v)
{
    endure(v, "swinging", &(trial){.young = 1e6, .step = 0.033, .duration = 60});
    /* Conserved energy flows into the spin of the thin section, whose inertia is 1e-4 of that of
     * the curl: the midpoint rule needs ever shorter steps, and fails somewhat later with all
     * twelve halvings. A little damping helps: below. */
    endure(v, "unwinding",
           &(trial){.curled = true, .step = 0.033, .duration = 60, .max_halvings = 8});
    endure(v, "unwinding, damped by 5 ms",
           &(trial){.curled = true, .damping = 5e-3, .step = 0.033, .duration = 60});
}
