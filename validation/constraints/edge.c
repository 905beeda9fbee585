/* A rope that slides over an edge: through smooth holes round a half circle, both ends hanging. */
#include "validation/constraints/constraints.h"
#include "validation/constraints/wires.h"
#include <math.h>

static const double pi = 3.14159265358979323846, gravity = 9.81;

enum { EDGES = 240, HOLES = 9, MOST_STEPS = 400 };
static const double length = 1, radius = 0.06, start = 0.08, density = 0.1, step = 2e-3;

typedef struct rope {
    rig r;
    cord_point hole[HOLES];
    double s[HOLES]; /* where they are on it at the start */
} rope;

typedef struct slide_result {
    double off;     /* the farthest from the closed form, over it */
    double energy;  /* its largest change, over the kinetic energy in the end */
    double across;  /* the part of the kinetic energy that is not of the motion along, in the end */
    double between; /* change of the rope between the outermost holes, m */
    int count;
    double t[MOST_STEPS], y[MOST_STEPS], exact[MOST_STEPS], kinetic[MOST_STEPS];
} slide_result;

/* The rope's place at s from the top. */
static void place_at(double s, double x[3])
{
    double half = 0.5 * pi * radius, a = s / radius;
    bool round = fabs(s) <= half;
    x[0] = round ? radius * sin(a) : copysign(radius, s);
    x[1] = 0;
    x[2] = round ? radius * cos(a) : half - fabs(s);
}

static void add_rope(rig *r, const carrier *kind, int elements, double bending)
{
    static double x[3 * (EDGES + 1)], natural[3 * (EDGES + 1)];
    cord_strand_def def = cord_strand_def_default();
    cord_strand_info info = {0};
    for (int i = 0; i <= EDGES; i++) {
        double s = length * i / EDGES;
        place_at(s - (0.5 - start) * length, x + 3 * i);
        natural[3 * i] = s;
    }
    def.model = kind->model;
    def.vertex_count = EDGES + 1;
    def.positions = x;
    def.natural_positions = natural;
    def.element_count = elements;
    def.control_point_count = elements;
    def.section = (cord_section){.kind = CORD_SECTION_EXPLICIT,
                                 .mass = density,
                                 .bending = {bending, bending},
                                 .twisting = bending,
                                 .radius = 1e-3};
    r->object[0].kind = kind;
    if (r->status == CORD_OK)
        r->status = cord_world_add_strand(r->world, &def, &r->object[0].strand);
    if (r->status == CORD_OK)
        r->status = cord_strand_get_info(r->world, r->object[0].strand, &info);
    r->object[0].length = info.length;
}

/* Holes from one side of the half circle to the other. */
static void add_holes(rope *own)
{
    rig *r = &own->r;
    for (int i = 0; i < HOLES; i++) {
        double x[3], s = (0.5 - start) * length + pi * radius * ((double)i / (HOLES - 1) - 0.5);
        own->hole[i] = rig_sliding(r, 0, s / length, 0);
        own->s[i] = wire_coordinate(r, own->hole[i], NULL);
        rig_where(r, own->hole[i], x);
        /* not a constraint under test: there are more of them than a rig has room for */
        rig_hold(r, CORD_COINCIDE, own->hole[i], rig_place(r, x));
    }
}

/* By the mean speed over the last steps, in which a cosh of this rate is taken into account. */
static double part_across(const slide_result *out, double rate)
{
    enum { HALF = 15 };
    int middle = out->count - 1 - HALF;
    if (middle < HALF) return INFINITY;
    double span = HALF * step, speed = (out->y[middle + HALF] - out->y[middle - HALF]) / (2 * span);
    double mean = 0;
    for (int i = -HALF; i <= HALF; i++)
        mean += out->kinetic[middle + i] / (2 * HALF + 1) / cosh(2 * rate * i * step);
    speed *= rate * span / sinh(rate * span);
    return 1 - 0.5 * density * length * speed * speed / mean;
}

/* With y half the difference of the hanging lengths, ÿ = 2gy/L, whatever lies on the edge:
 * y = y₀ cosh(t √(2g/L)). */
static void run(rope *own, slide_result *out)
{
    rig *r = &own->r;
    const double rate = sqrt(2 * gravity / length);
    double first = 0, last = 0;
    cord_energy e = {0};
    for (int i = 0; i < MOST_STEPS && r->status == CORD_OK; i++) {
        double t = (i + 1) * step, exact = start * cosh(t * rate);
        if (exact > 0.3) break;
        rig_step(r, step, 1);
        double y = start + own->s[HOLES / 2] - wire_coordinate(r, own->hole[HOLES / 2], NULL);
        if (r->status == CORD_OK) r->status = cord_world_get_energy(r->world, &e);
        if (i == 0) first = e.total; /* the first step brings the rope's curve into the holes */
        out->t[i] = t, out->y[i] = y, out->exact[i] = exact, out->kinetic[i] = e.kinetic;
        out->count = i + 1;
        out->off = fmax(out->off, fabs(y / exact - 1));
        last = fmax(last, fabs(e.total - first));
    }
    double lying =
        wire_coordinate(r, own->hole[HOLES - 1], NULL) - wire_coordinate(r, own->hole[0], NULL);
    out->between = fabs(lying - (own->s[HOLES - 1] - own->s[0]));
    out->energy = last / e.kinetic;
    out->across = part_across(out, rate);
}

static bool slide(validation *v, const carrier *kind, int elements, double bending,
                  slide_result *out)
{
    cord_world_def def = cord_world_def_default();
    def.threads = 1;
    def.integrator = CORD_MIDPOINT;
    rope own = {.r = rig_make(&def)};
    *out = (slide_result){0};
    add_rope(&own.r, kind, elements, bending);
    add_holes(&own);
    run(&own, out);
    bool ok = validation_ok(v, own.r.world, own.r.status, kind->name);
    rig_free(&own.r);
    return ok;
}

/* A rope of rigid bars with hardly any stiffness jerks from hole to hole. The energy is kept all the
 * same; the sliding is off by some per cent while the bars are longer than the holes are apart, 24 mm,
 * and not when they are shorter. */
static void kinks(validation *v)
{
    static const int bars[2] = {40, 60};
    static const double allowed[2] = {0.1, 0.01};
    slide_result out;
    for (int i = 0; i < 2; i++) {
        if (!slide(v, &carriers[1], bars[i], 1e-6, &out)) return;
        const char *name =
            validation_text(v, "limp bars of %.0f mm", 1e3 * length / (double)bars[i]);
        validation_row_below(v, name, "energy gained or lost", out.energy, 1e-6);
        validation_row_below(v, name, "off the closed form", out.off, allowed[i]);
    }
}

void check_rope_over_an_edge(validation *v)
{
    static const int elements[STRAND_MODELS] = {EDGES, 80, 80, 60, 80};
    static slide_result out[STRAND_MODELS];
    plot_series s[STRAND_MODELS + 1];
    int lines = 0;
    for (int i = 0; i < STRAND_MODELS; i++) {
        if (!slide(v, &carriers[i], elements[i], 5e-5, &out[i])) continue;
        const char *name = validation_text(v, "%s, %d elements", carriers[i].name, elements[i]);
        validation_row_below(v, name, "off the closed form", out[i].off, 5e-3);
        validation_row_below(v, name, "energy gained or lost", out[i].energy, 1e-6);
        validation_row_below(v, name, "energy in swinging", out[i].across, 1.5e-2);
        validation_row_below(v, name, "more or less rope on the edge, m", out[i].between, 5e-4);
        s[lines++] = (plot_series){carriers[i].name, out[i].count, out[i].t, out[i].y, PLOT_LINE};
    }
    s[lines++] = (plot_series){"exact", out[0].count, out[0].t, out[0].exact, PLOT_DASHED};
    validation_plot(v, &(plot){"A rope slides off an edge", "time, s",
                               "half the difference of the hanging lengths, m", false, false, lines,
                               s});
    if (!validation_quick(v)) kinks(v);
}
