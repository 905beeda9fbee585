/* A rope that slides over an edge: through frictionless keyholes on a half circle, both ends
 * hanging. */
#include "validation/constraints/constraints.h"
#include "validation/constraints/wires.h"
#include <math.h>

static const double pi = 3.14159265358979323846, gravity = 9.81;

enum { EDGES = 240, HOLES = 9, MOST_STEPS = 400 };
static const double length = 1, radius = 0.06, start = 0.08, density = 0.1, step = 2e-3;

typedef struct rope {
    rig r;
    cord_point hole[HOLES];
    double s[HOLES]; /* material coordinates at the start */
} rope;

typedef struct slide_result {
    double off;     /* largest error relative to the closed form */
    double energy;  /* largest change over the final kinetic energy */
    double across;  /* fraction of the final kinetic energy that is not in sliding */
    double between; /* change of the rope between the outermost holes, m */
    int count;
    double t[MOST_STEPS], y[MOST_STEPS], exact[MOST_STEPS], kinetic[MOST_STEPS];
} slide_result;

/* The position of the rope at s from the top. */
static void rope_position(double s, double x[3])
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
        rope_position(s - (0.5 - start) * length, x + 3 * i);
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

/* Keyholes from one side of the half circle to the other. */
static void add_holes(rope *w)
{
    rig *r = &w->r;
    for (int i = 0; i < HOLES; i++) {
        double x[3], s = (0.5 - start) * length + pi * radius * ((double)i / (HOLES - 1) - 0.5);
        w->hole[i] = rig_sliding(r, 0, s / length, 0);
        w->s[i] = wire_coordinate(r, w->hole[i], NULL);
        rig_where(r, w->hole[i], x);
        /* not under test: more than the capacity of a rig */
        rig_support(r, CORD_COINCIDE, w->hole[i], rig_world_point(r, x));
    }
}

/* By the mean speed over the last steps, corrected for growth as cosh at this rate. */
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

/* With y half the difference of the hanging lengths, ÿ = 2gy/L for any edge: y = y₀ cosh(t
 * √(2g/L)). */
static void run(rope *w, slide_result *out)
{
    rig *r = &w->r;
    const double rate = sqrt(2 * gravity / length);
    double first = 0, last = 0;
    cord_energy e = {0};
    for (int i = 0; i < MOST_STEPS && r->status == CORD_OK; i++) {
        double t = (i + 1) * step, exact = start * cosh(t * rate);
        if (exact > 0.3) break;
        rig_step(r, step, 1);
        double y = start + w->s[HOLES / 2] - wire_coordinate(r, w->hole[HOLES / 2], NULL);
        if (r->status == CORD_OK) r->status = cord_world_get_energy(r->world, &e);
        if (i == 0) first = e.total; /* the first step moves the rope into the keyholes */
        out->t[i] = t, out->y[i] = y, out->exact[i] = exact, out->kinetic[i] = e.kinetic;
        out->count = i + 1;
        out->off = fmax(out->off, fabs(y / exact - 1));
        last = fmax(last, fabs(e.total - first));
    }
    double lying =
        wire_coordinate(r, w->hole[HOLES - 1], NULL) - wire_coordinate(r, w->hole[0], NULL);
    out->between = fabs(lying - (w->s[HOLES - 1] - w->s[0]));
    out->energy = last / e.kinetic;
    out->across = part_across(out, rate);
}

static bool slide(validation *v, const carrier *kind, int elements, double bending,
                  slide_result *out)
{
    cord_world_def def = cord_world_def_default();
    def.threads = 1;
    def.integrator = CORD_MIDPOINT;
    rope w = {.r = rig_make(&def)};
    *out = (slide_result){0};
    add_rope(&w.r, kind, elements, bending);
    add_holes(&w);
    run(&w, out);
    bool ok = validation_ok(v, w.r.world, w.r.status, kind->name);
    rig_free(&w.r);
    return ok;
}

/* A rope of rigid bars with little stiffness jerks from hole to hole. Energy is conserved all the
 * same; the sliding has an error of some per cent while the bars are longer than the distance of
 * the holes, 24 mm. */
static void kinks(validation *v)
{
    static const int bars[2] = {40, 60};
    static const double allowed[2] = {0.1, 0.01};
    slide_result out;
    for (int i = 0; i < 2; i++) {
        if (!slide(v, &carriers[1], bars[i], 1e-6, &out)) return;
        const char *name =
            validation_text(v, "limp bars of %.0f mm", 1e3 * length / (double)bars[i]);
        validation_row_below(v, name, "relative energy change", out.energy, 1e-6);
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
        validation_row_below(v, name, "relative energy change", out[i].energy, 1e-6);
        validation_row_below(v, name, "energy in swinging", out[i].across, 1.5e-2);
        validation_row_below(v, name, "change of the length on the edge, m", out[i].between, 5e-4);
        s[lines++] = (plot_series){carriers[i].name, out[i].count, out[i].t, out[i].y, PLOT_LINE};
    }
    s[lines++] = (plot_series){"exact", out[0].count, out[0].t, out[0].exact, PLOT_DASHED};
    validation_plot(v, &(plot){"A rope slides off an edge", "time, s",
                               "half the difference of the hanging lengths, m", false, false, lines,
                               s});
    if (!validation_quick(v)) kinks(v);
}
