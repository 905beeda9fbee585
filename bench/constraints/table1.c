/* [MICADO 2008, Table 1]: its six scenes, with at least its numbers of constraints, in its step
 * (linearised backward Euler over displacements, one solve). Its times are for a 2 GHz Centrino
 * Duo. It gives neither sizes nor numbers of control points; those here are no fewer than its
 * figures show. Splines are elastic, as in the paper, and so are the discrete rods, with as many
 * vertices as the splines have control points. */
#include "bench/constraints/constraints.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

typedef struct vector {
    double x[3];
} vector;

/* A rope bridge: two ropes to walk on and two to hold, joined at seven stations by a plank between
 * the lower ones and a rope up to either rail: 21 distances. */
static void sagging(const void *parameters, double u, double at[3])
{
    const double *from = parameters;
    at[0] = 8 * u, at[1] = from[1], at[2] = from[2] - 2 * u * (1 - u);
}

static void make_bridge(tied *t)
{
    static const vector from[4] = {{{0, 0, 0}}, {{0, 1, 0}}, {{0, -0.2, 1}}, {{0, 1.2, 1}}};
    static const int pairs[3][2] = {{0, 1}, {0, 2}, {1, 3}};
    cord_strand rope[4];
    for (int i = 0; i < 4; i++) {
        rope[i] = tied_rope(t, 20, sagging, from[i].x, 0.02);
        tied_pin(t, rope[i], 0);
        tied_pin(t, rope[i], tied_length(t, rope[i]));
    }
    double length = tied_length(t, rope[0]);
    for (int k = 1; k <= 7; k++)
        for (int i = 0; i < 3; i++)
            tied_constrain(t, CORD_DISTANCE, tied_on(t, rope[pairs[i][0]], length * k / 8),
                           tied_on(t, rope[pairs[i][1]], length * k / 8));
}

/* Ten pearls (sliding point masses) on a string that hangs between two points. */
static void hanging(const void *parameters, double u, double at[3])
{
    (void)parameters;
    at[0] = 0.2 * u, at[1] = 0, at[2] = -0.4 * u * (1 - u);
}

static void make_necklace(tied *t)
{
    cord_strand string = tied_rope(t, 20, hanging, NULL, 1e-3);
    double length = tied_length(t, string);
    tied_pin(t, string, 0);
    tied_pin(t, string, length);
    for (int i = 1; i <= 10; i++) tied_pearl(t, string, length * i / 11, 4e-3);
}

/* A bow that is drawn, and then shoots: limbs clamped at the handle, the string attached to their tips,
 * the arrow on the string and through a keyhole of the limbs at the handle. As in the paper there are
 * 11 absolute rows (the clamp, the fingers, the guide of the limbs) and 16 relative ones. After the
 * release the string pushes the arrow by a one-sided constraint. */
static void limbs(const void *parameters, double u, double at[3])
{
    (void)parameters;
    at[0] = 0.8 * u * (1 - u), at[1] = 0, at[2] = 1.6 * u - 0.8;
}

static cord_constraint constrain(tied *t, cord_constraint_def def, const char *kind,
                                 cord_point first, cord_point second)
{
    cord_constraint made = {0};
    def.kind = kind;
    def.first = first, def.second = second;
    if (t->status == CORD_OK) t->status = cord_world_add_constraint(t->world, &def, &made);
    return made;
}

static void release(tied *t, cord_constraint c)
{
    if (t->status == CORD_OK) t->status = cord_constraint_set_attached(t->world, c, false);
}

static struct bow {
    cord_point nock;      /* of the arrow */
    cord_point on_string; /* where it is nocked */
    cord_constraint drawn, nocked;
} bow;

/* The fingers draw the string by 30 cm within 0.2 s. */
static cord_point add_fingers(tied *t)
{
    static const double times[2] = {0, 0.2}, drawn[6] = {0, 0, 0, -0.3, 0, 0};
    cord_point_def hand = cord_point_def_default();
    cord_point fingers = {0};
    hand.motion = (cord_keys){2, times, drawn, CORD_EASE_SMOOTH};
    if (t->status == CORD_OK) t->status = cord_world_add_point(t->world, &hand, &fingers);
    return fingers;
}

static void add_arrow(tied *t, cord_strand limb, double middle, cord_strand string)
{
    static const double nock[3] = {0, 0, 0}, head[3] = {0.7, 0, 0};
    cord_strand arrow = tied_line(t, 12, nock, head, 4e-3);
    cord_point_def hole = cord_point_def_default();
    cord_point through = {0};
    bow.nock = tied_on(t, arrow, 0);
    bow.on_string = tied_on(t, string, 0.8);
    bow.nocked =
        constrain(t, cord_constraint_def_default(), CORD_COINCIDE, bow.nock, bow.on_string);
    hole.source = CORD_SOURCE_SLIDING;
    hole.strand = arrow;
    hole.s = 0.2;
    hole.end = CORD_END_RELEASE;
    if (t->status == CORD_OK) t->status = cord_world_add_point(t->world, &hole, &through);
    tied_constrain(t, CORD_COINCIDE, through, tied_on(t, limb, middle));
}

static void make_bow(tied *t)
{
    static const double low[3] = {0, 0, -0.8}, high[3] = {0, 0, 0.8};
    t->young = 1e10; /* of wood */
    cord_strand limb = tied_rope(t, 12, limbs, NULL, 0.01),
                string = tied_line(t, 12, low, high, 2e-3);
    double length = tied_length(t, limb), at[3] = {0, 0, 0};
    tied_clamp(t, limb, length / 2);
    bow.drawn = constrain(t, cord_constraint_def_default(), CORD_COINCIDE, tied_on(t, string, 0.8),
                          add_fingers(t));
    cord_point guided = tied_on(t, limb, length / 2 + 0.1);
    if (t->status == CORD_OK) t->status = cord_point_get_pose(t->world, guided, at, NULL);
    tied_constrain(t, CORD_AXIS, guided, tied_point(t, at));
    cord_point tips[2] = {tied_on(t, limb, 0), tied_on(t, limb, length)},
               ends[2] = {tied_on(t, string, 0), tied_on(t, string, 1.6)};
    for (int i = 0; i < 2; i++) {
        tied_constrain(t, CORD_COINCIDE, ends[i], tips[i]);
        tied_constrain(t, CORD_PARALLEL, ends[i], tips[i]);
    }
    add_arrow(t, limb, length / 2, string);
}

/* From now on the string only pushes; it leaves the nock at a distance of 1 cm. */
static void shoot(tied *t)
{
    cord_constraint_def push = cord_constraint_def_default(), nock = push;
    push.direction[0] = nock.direction[0] = 1, push.direction[2] = nock.direction[2] = 0;
    push.side = CORD_AT_MOST;
    nock.release_distance = 0.01;
    release(t, bow.drawn);
    release(t, bow.nocked);
    constrain(t, push, CORD_PLANE, bow.on_string, bow.nock);
    constrain(t, nock, CORD_AXIS, bow.on_string, bow.nock);
}

/* A bundle of cables: a trunk clamped at both ends, four branches, and one from the trunk to the
 * first branch, fused (position and frame) where they meet: 36 rows. */
static void make_bundle(tied *t)
{
    static const double start[3] = {0, 0, 0}, end[3] = {1, 0, 0};
    cord_strand trunk = tied_line(t, 12, start, end, 5e-3), branch[5];
    tied_clamp(t, trunk, 0);
    tied_clamp(t, trunk, 1);
    vector first_end = {{0}};
    for (int i = 0; i < 5; i++) {
        double s = 0.15 * (i + 1), angle = 2.2 * i;
        vector from = {{s, 0, 0}}, to = {{s + 0.3, 0.4 * cos(angle), 0.4 * sin(angle)}};
        if (i == 0) first_end = to;
        branch[i] = tied_line(t, 12, from.x, i == 4 ? first_end.x : to.x, 5e-3);
        cord_point a = tied_on(t, branch[i], 0), b = tied_on(t, trunk, s);
        tied_constrain(t, CORD_COINCIDE, a, b);
        tied_constrain(t, CORD_ALIGN, a, b);
    }
    cord_point a = tied_on(t, branch[4], tied_length(t, branch[4])),
               b = tied_on(t, branch[0], tied_length(t, branch[0]));
    tied_constrain(t, CORD_COINCIDE, a, b);
    tied_constrain(t, CORD_ALIGN, a, b);
}

/* A spider's net: eight radial threads joined at the hub, pinned at the rim, and 49 distance
 * constraints between neighbours. */
static void make_net(tied *t)
{
    enum { THREADS = 8, LATERAL = 49 };
    cord_strand thread[THREADS];
    for (int i = 0; i < THREADS; i++) {
        double angle = 2 * pi * i / THREADS;
        vector hub = {{0, 0, 0}}, rim = {{0.5 * cos(angle), 0, 0.5 * sin(angle)}};
        thread[i] = tied_line(t, 16, hub.x, rim.x, 1e-3);
        tied_pin(t, thread[i], 0.5);
        if (i > 0)
            tied_constrain(t, CORD_COINCIDE, tied_on(t, thread[i], 0), tied_on(t, thread[0], 0));
    }
    for (int k = 0; k < LATERAL; k++) { /* a spiral */
        double s = 0.1 + 0.35 * k / LATERAL;
        tied_constrain(t, CORD_DISTANCE, tied_on(t, thread[k % THREADS], s),
                       tied_on(t, thread[(k + 1) % THREADS], s));
    }
}

/* Two helices, two turns each, with 32 bonds of fixed length. */
static void helix(const void *parameters, double u, double at[3])
{
    const double *phase = parameters;
    double angle = 4 * pi * u + *phase;
    at[0] = 0.1 * cos(angle), at[1] = 0.1 * sin(angle), at[2] = -0.7 * u;
}

static void make_dna(tied *t)
{
    const double phase[2] = {0, 0.8 * pi};
    cord_strand strand[2];
    for (int i = 0; i < 2; i++) {
        strand[i] = tied_rope(t, 40, helix, phase + i, 0.01);
        tied_clamp(t, strand[i], 0);
    }
    double length = tied_length(t, strand[0]);
    for (int k = 1; k <= 32; k++)
        tied_constrain(t, CORD_DISTANCE, tied_on(t, strand[0], length * k / 33),
                       tied_on(t, strand[1], length * k / 33));
}

static const struct scene {
    const char *name;
    void (*make)(tied *t);
    double paper; /* ms per step */
} scenes[] = {
    {"bridge", make_bridge, 1.7}, {"necklace", make_necklace, 0.4},
    {"bow", make_bow, 0.56},      {"bundle", make_bundle, 1},
    {"net", make_net, 4},         {"DNA", make_dna, 1.1},
};

static bool list_cost(bench *b, const tied *t, const char *name, const tied_cost *c, double paper)
{
    if (!bench_ok(b, t->world, t->status, name)) return false;
    bench_bar(b, name, "step", c->step * 1e3, "ms", paper / 10);
    bench_row(b, name, "the paper over this", paper / (c->step * 1e3), "");
    bench_row(b, name, "unknowns", c->unknowns, "");
    bench_row(b, name, "rows", c->rows, "");
    bench_row(b, name, "forces and assembly", c->forces * 1e3, "ms");
    bench_row(b, name, "factor and solve", c->solve * 1e3, "ms");
    bench_row(b, name, "matrices", c->newton, "per step");
    bench_row(b, name, "solves to post-stabilise", c->projections, "per step");
    if (c->halvings > 0) bench_row(b, name, "halvings", c->halvings, "per step");
    if (c->crossings > 0) {
        bench_row(b, name, "steps that cross an element boundary", 100 * c->crossings, "%");
        bench_row(b, name, "step that crosses", c->crossing * 1e3, "ms");
    }
    return true;
}

/* The drawn bow is released: the string pushes the arrow, which leaves it and the keyhole. */
static void time_shot(bench *b, tied *t, const char *model, double paper)
{
    enum { STEPS = 20 };
    const double h = 2e-3;
    double from[3] = {0}, to[3] = {0};
    const char *name = bench_text(b, "bow released, %s", model);
    tied_cost c;
    shoot(t);
    tied_time(t, h, 0, 5, STEPS, &c);
    if (t->status == CORD_OK) t->status = cord_point_get_pose(t->world, bow.nock, from, NULL);
    for (int i = 0; t->status == CORD_OK && i < STEPS; i++)
        t->status = cord_world_step(t->world, h);
    if (t->status == CORD_OK) t->status = cord_point_get_pose(t->world, bow.nock, to, NULL);
    if (list_cost(b, t, name, &c, paper))
        bench_row(b, name, "speed of the arrow", (to[0] - from[0]) / (STEPS * h), "m/s");
}

static void time_scene(bench *b, const struct scene *s, const char *model)
{
    tied t = tied_begin(model);
    tied_cost c;
    s->make(&t);
    tied_time(&t, 2e-3, 20, bench_quick(b) ? 5 : 20, 20, &c);
    bool timed = list_cost(b, &t, bench_text(b, "%s, %s", s->name, model), &c, s->paper);
    if (timed && s->make == make_bow) time_shot(b, &t, model, s->paper);
    cord_world_destroy(t.world);
}

void bench_scenes(bench *b)
{
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        time_scene(b, scenes + i, CORD_MODEL_SPLINE);
        time_scene(b, scenes + i, CORD_MODEL_DER);
    }
}
