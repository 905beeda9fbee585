/* Two bodies that twist the rod between them [DER 2008, Fig. 6]. */
#include "validation/bodies/bodies.h"
#include "validation/bodies/parts.h"
#include "validation/clothoids/chains.h"
#include <math.h>
#include <stdlib.h>

enum { KINDS = 2, EXCHANGES = 20, STEPS = 100, SAMPLES = EXCHANGES * STEPS };

static const double pi = 3.14159265358979323846;
static const chain_kind kinds[KINDS] = {{"der", CORD_MODEL_DER, false},
                                        {"clothoid", CORD_MODEL_CLOTHOID, false}};

/* One body has four times the inertia of the other; the rod is one metre long. It is twisted by at
 * most two radians; a clamped rod would buckle at nine times EI/GJ. */
static const double light = 1e-3, heavy = 4e-3, twisting = 0.01, length = 1, most = 2;

typedef struct exchange {
    double t[SAMPLES], light[SAMPLES], heavy[SAMPLES], rod[SAMPLES], total[SAMPLES]; /* s, J */
    double twist_rate[SAMPLES]; /* of the rod, rad/s */
} exchange;

static double exact_frequency(void)
{
    return sqrt(twisting / length * (1 / light + 1 / heavy));
}

static cord_status make(const chain_kind *kind, rod *r, cord_body body[2])
{
    static const double axis[3] = {1, 0, 0};
    rod_plan p = rod_plan_unit(6, length);
    p.world.integrator = CORD_MIDPOINT;
    cord_section *s = &p.strand.section;
    s->mass = 1e-2, s->rotary_inertia = 1e-8;
    s->bending[0] = s->bending[1] = 0.01, s->twisting = twisting;
    chain_of(&p, kind, 6, 6);
    cord_status status = chain_make(&p, r);
    for (int i = 0; status == CORD_OK && i < 2; i++) {
        double inertia = i ? heavy : light;
        status = part_body(r->world, i ? 4 : 1, (double[]){inertia, inertia, inertia},
                           (double[]){i * length, 0, 0}, &body[i]);
        if (status == CORD_OK) status = part_weld(r, i * length, body[i]);
        if (status == CORD_OK) status = part_bearing(r->world, body[i], axis, i == 1);
    }
    /* The lighter body starts to spin: the twist of the rod has the amplitude ω₀/ω. */
    if (status == CORD_OK)
        status = cord_body_set_velocity(r->world, body[0], (double[]){0, 0, 0},
                                        (double[]){most * exact_frequency(), 0, 0});
    return status;
}

static cord_status look(rod *r, const cord_body body[2], int i, exchange *e)
{
    cord_energy first, second, all;
    double spin[2][3];
    cord_status status = cord_body_get_energy(r->world, body[0], &first);
    if (status == CORD_OK) status = cord_body_get_energy(r->world, body[1], &second);
    if (status == CORD_OK) status = cord_world_get_energy(r->world, &all);
    for (int k = 0; status == CORD_OK && k < 2; k++)
        status = cord_body_get_velocity(r->world, body[k], NULL, spin[k]);
    if (status != CORD_OK) return status;
    e->t[i] = cord_world_get_time(r->world);
    e->light[i] = first.total, e->heavy[i] = second.total, e->total[i] = all.total;
    e->rod[i] = all.total - first.total - second.total;
    e->twist_rate[i] = spin[1][0] - spin[0][0];
    return status;
}

/* ω from the times at which the twist rate vanishes. */
static double frequency(const exchange *e)
{
    double first = NAN, last = NAN;
    int crossings = 0;
    for (int i = 1; i < SAMPLES; i++) {
        double a = e->twist_rate[i - 1], b = e->twist_rate[i];
        if (a * b >= 0) continue;
        last = e->t[i - 1] + (e->t[i] - e->t[i - 1]) * a / (a - b);
        if (crossings++ == 0) first = last;
    }
    return pi * (crossings - 1) / (last - first);
}

static void judge(validation *v, const char *name, const exchange *e)
{
    double start = 0.5 * light * pow(most * exact_frequency(), 2), drift = 0;
    double most_stored = 0, most_passed = 0, least = INFINITY;
    for (int i = 0; i < SAMPLES; i++) {
        drift = fmax(drift, fabs(e->total[i] / start - 1));
        most_stored = fmax(most_stored, e->rod[i] / start);
        most_passed = fmax(most_passed, e->heavy[i] / start);
        least = fmin(least, e->light[i] / start);
    }
    /* Momentum and energy: the spins at zero twist are those of an elastic collision. */
    double sum = light + heavy;
    validation_row(v, name, "exchange frequency over √(GJ/l (1/I₁ + 1/I₂))",
                   frequency(e) / exact_frequency(), 1, 2e-3);
    validation_row_below(v, name, "largest |ΔE|/E over 20 exchanges", drift, 1e-3);
    validation_row(v, name, "largest share of the rod, I₂/(I₁ + I₂)", most_stored, heavy / sum,
                   5e-3);
    validation_row(v, name, "largest share of the heavy body, 4I₁I₂/(I₁ + I₂)²", most_passed,
                   4 * light * heavy / (sum * sum), 5e-3);
    validation_row(v, name, "smallest share of the light body", least, 0, 5e-3);
}

void check_transducer(validation *v)
{
    exchange *e = calloc(1, sizeof *e);
    double h = 2 * pi / exact_frequency() / STEPS;
    if (e == NULL) {
        validation_fail(v, "transducer", "out of memory");
        return;
    }
    for (int kind = 0; kind < KINDS; kind++) {
        rod r = {0};
        cord_body body[2];
        cord_status status = make(&kinds[kind], &r, body);
        for (int i = 0; status == CORD_OK && i < SAMPLES; i++) {
            status = cord_world_step(r.world, h);
            if (status == CORD_OK) status = look(&r, body, i, e);
        }
        bool ok = validation_ok(v, r.world, status, kinds[kind].name);
        rod_free(&r);
        if (!ok) continue;
        judge(v, kinds[kind].name, e);
        int shown = 4 * STEPS;
        plot_series s[] = {{"light body", shown, e->t, e->light, PLOT_LINE},
                           {"heavy body", shown, e->t, e->heavy, PLOT_LINE},
                           {"rod", shown, e->t, e->rod, PLOT_LINE},
                           {"total", shown, e->t, e->total, PLOT_DASHED}};
        validation_plot(v, &(plot){validation_text(v, "Torque transducer, %s", kinds[kind].name),
                                   "time, s", "energy, J", false, false, 4, s});
    }
    free(e);
}
