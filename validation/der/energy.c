/* The undamped swinging rod: its energy and its edge lengths. */
#include "validation/der/der.h"
#include "validation/der/schemes.h"
#include <math.h>

/* Few elements, so that 100,000 steps take seconds; the step is a fortieth of the stable one. */
enum { EDGES = 12, SAMPLES = 200 };
static const double step = 1e-3;

typedef struct history {
    double initial, scale;                  /* J: initial total; convertible energy */
    double t[SAMPLES];                      /* the end of each two-hundredth of the run, s */
    double largest[SAMPLES], last[SAMPLES]; /* (total − initial)/scale in it */
    double stretch[SAMPLES];                /* largest |e·e/ē·ē − 1| in it */
    double drift;                           /* largest |total − initial|/scale of all */
} history;

static bool total_energy(validation *v, const rod *r, double *total)
{
    cord_energy energy;
    bool ok = rod_ok(v, r, cord_world_get_energy(r->world, &energy), "energy");
    *total = ok ? energy.total : NAN;
    return ok;
}

static cord_status release(rod *r, const scheme *s)
{
    rod_plan plan = rod_plan_common(EDGES);
    plan.world.integrator = s->integrator;
    plan.world.scheme = s->scheme;
    /* An omitted Newton correction acts as a force: at the default 1e-8 the work of a hundred
     * thousand of them would dominate. Projection keeps its tolerance, 1e-6. */
    plan.world.tolerance = 1e-11;
    cord_status status = rod_make(&plan, r);
    return status == CORD_OK ? rod_clamp_first(r, NULL, NULL) : status;
}

/* Convertible energy: initial minus equilibrium potential energy. */
static bool convertible(validation *v, history *h)
{
    rod r = {0};
    double rest;
    bool ok = rod_ok(v, &r, release(&r, &schemes[0]), "make the rod") &&
              total_energy(v, &r, &h->initial) &&
              rod_ok(v, &r, cord_world_find_equilibrium(r.world, NULL, NULL), "hang it") &&
              total_energy(v, &r, &rest);
    if (ok) h->scale = h->initial - rest;
    rod_free(&r);
    return ok;
}

static double length_error(const rod *r)
{
    double natural = r->length / r->edges, worst = 0;
    for (int i = 0; i < r->edges; i++) {
        double square = 0;
        for (int k = 0; k < 3; k++) square += pow(r->x[3 * (i + 1) + k] - r->x[3 * i + k], 2);
        worst = fmax(worst, fabs(square / (natural * natural) - 1));
    }
    return worst;
}

static bool swing(validation *v, const scheme *s, int steps, history *h)
{
    rod r = {0};
    bool ok = rod_ok(v, &r, release(&r, s), s->name);
    h->drift = 0;
    for (int i = 0; ok && i < SAMPLES; i++) {
        h->largest[i] = -INFINITY, h->stretch[i] = 0;
        for (int k = 0; ok && k < steps / SAMPLES; k++) {
            double total;
            ok = rod_ok(v, &r, cord_world_step(r.world, step), s->name) &&
                 total_energy(v, &r, &total) && rod_ok(v, &r, rod_read(&r), s->name);
            if (!ok) break;
            h->last[i] = (total - h->initial) / h->scale;
            h->largest[i] = fmax(h->largest[i], h->last[i]);
            h->drift = fmax(h->drift, fabs(h->last[i]));
            h->stretch[i] = fmax(h->stretch[i], length_error(&r));
        }
        h->t[i] = cord_world_get_time(r.world);
    }
    rod_free(&r);
    return ok;
}

/* The largest total in any later tenth minus the largest in the first. */
static double growth(const history *h)
{
    double first = -INFINITY, later = -INFINITY;
    for (int i = 0; i < SAMPLES; i++) {
        double *which = i < SAMPLES / 10 ? &first : &later;
        *which = fmax(*which, h->largest[i]);
    }
    return later - first;
}

static void judge(validation *v, const scheme *s, const history *h, int steps)
{
    const char *name = validation_text(v, "energy %s", s->name);
    if (s->integrator == CORD_MIDPOINT) {
        validation_row(v, name, validation_text(v, "largest |ΔE| in %d steps", steps), h->drift, 0,
                       1e-8);
        return;
    }
    /* 1e-9: the rounding of a hundred thousand sums of this size. */
    validation_row_below(v, name, "growth of the tenths' maximum", growth(h), 1e-9);
    validation_row_above(v, name, validation_text(v, "lost in %d steps", steps),
                         -h->last[SAMPLES - 1], 0);
}

void check_energy(validation *v)
{
    int steps = validation_quick(v) ? 10000 : 100000;
    history h[SCHEMES];
    plot_series series[SCHEMES];
    int count = 0;
    if (!convertible(v, &h[0])) return;
    for (int i = 0; i < SCHEMES; i++) {
        h[count].initial = h[0].initial, h[count].scale = h[0].scale;
        if (!swing(v, &schemes[i], steps, &h[count])) continue;
        judge(v, &schemes[i], &h[count], steps);
        series[count] =
            (plot_series){schemes[i].name, SAMPLES, h[count].t, h[count].last, PLOT_LINE};
        count++;
    }
    validation_plot(v, &(plot){"Energy of the undamped swinging rod", "time, s",
                               "(E − E₀)/convertible", false, false, count, series});
}

/* 1e-6 is the tolerance of fast projection; the implicit schemes satisfy lengths within Newton. */
void check_inextensibility(validation *v)
{
    history h[SCHEMES];
    plot_series series[SCHEMES];
    int count = 0;
    if (!convertible(v, &h[0])) return;
    for (int i = 0; i < SCHEMES; i++) {
        h[count].initial = h[0].initial, h[count].scale = h[0].scale;
        if (!swing(v, &schemes[i], 2000, &h[count])) continue;
        double worst = 0;
        for (int k = 0; k < SAMPLES; k++) worst = fmax(worst, h[count].stretch[k]);
        validation_row(v, validation_text(v, "inextensibility %s", schemes[i].name),
                       "largest |e·e/ē·ē − 1|", worst, 0, 1e-6);
        series[count] =
            (plot_series){schemes[i].name, SAMPLES, h[count].t, h[count].stretch, PLOT_LINE};
        count++;
    }
    validation_plot(v, &(plot){"Edge lengths during the swing", "time, s", "largest |e·e/ē·ē − 1|",
                               false, true, count, series});
}
