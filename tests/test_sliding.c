/* Sliding points: their jets, keyholes, pearls, slip knots, stops and releases, on every model. */
#include "math/vec3.h"
#include "strand/cable.h"
#include "support/failing_allocator.h"
#include "support/numbers.h"
#include "support/scenes.h"
#include "support/test.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846, gravity = 9.81;
static const double none[3] = {0, 0, 0};
static const integration tr_bdf2 = {"tr_bdf2", CORD_IMPLICIT, CORD_TR_BDF2},
                         euler = {"euler", CORD_IMPLICIT, CORD_BACKWARD_EULER},
                         midpoint = {"midpoint", CORD_MIDPOINT, CORD_TR_BDF2};

/* Models, and whether their curves have a tangent and a curvature everywhere. */
typedef struct kind {
    const char *model;
    bool closed, tangent, curvature;
    int elements;
} kind;
static const kind kinds[] = {
    {"der", false, true, false, 0},      {"der", true, true, false, 0},
    {"segment", false, true, false, 12}, {"helix", false, true, false, 8},
    {"clothoid", false, true, true, 8},  {"spline", false, true, true, 16},
    {"spline", true, true, true, 0},     {"cable", false, false, false, 0}};
enum { VERTICES = 25 };

static cord_world *world_of(const integration *by, double downwards)
{
    cord_world *w;
    cord_world_def def = cord_world_def_default();
    def.threads = 1;
    def.integrator = by->integrator, def.scheme = by->scheme;
    def.gravity[2] = -downwards;
    assert_int_equal(cord_world_create(&def, &w), CORD_OK);
    return w;
}

/* With nodes at the vertices: its pieces meet at corners. */
static cord_strand cable_through(cord_world *w, const double *x, double young)
{
    cord_cable_def def = cord_cable_def_default();
    cord_cable_node nodes[VERTICES];
    cord_strand rope;
    for (int i = 0; i < VERTICES; i++) {
        nodes[i] = (cord_cable_node){.guide = -1, .s = i > 0 ? nodes[i - 1].s : 0};
        if (i > 0) nodes[i].s += v3_distance(x + 3 * i, x + 3 * i - 3);
        v3_copy(nodes[i].at, x + 3 * i);
    }
    def.density = 1000 * pi * 9e-6;
    def.bending = young * 0.25 * pi * 81e-12;
    def.nodes = nodes, def.node_count = def.vertex_count = VERTICES;
    assert_fine(w, cord_world_add_cable(w, &def, &rope));
    return rope;
}

/* A curved strand: sagging between (0, 0, 0) and (1, 0, 0), or, when closed, a bent ring. */
static cord_strand curved(cord_world *w, const kind *k, double young)
{
    cord_strand_def def = cord_strand_def_default();
    cord_strand rope;
    double x[3 * VERTICES];
    for (int i = 0; i < VERTICES; i++) {
        double t = k->closed ? 2 * pi * i / VERTICES : (double)i / (VERTICES - 1);
        if (k->closed)
            v3_set(x + 3 * i, 0.2 * cos(t), 0.2 * sin(t), 0.05 * cos(2 * t));
        else
            v3_set(x + 3 * i, t, 0.05 * sin(2 * pi * t), -0.25 * sin(pi * t));
    }
    if (strcmp(k->model, "cable") == 0) return cable_through(w, x, young);
    def.model = k->model;
    def.closed = k->closed;
    def.vertex_count = VERTICES;
    def.positions = x;
    def.element_count = k->elements;
    def.section.radius = 3e-3;
    def.material.young = young;
    assert_fine(w, cord_world_add_strand(w, &def, &rope));
    return rope;
}

static double length_of(cord_world *w, cord_strand rope)
{
    cord_strand_info info;
    assert_fine(w, cord_strand_get_info(w, rope, &info));
    return info.length;
}

static cord_point_def sliding_def(cord_strand rope, double s)
{
    cord_point_def def = cord_point_def_default();
    def.source = CORD_SOURCE_SLIDING;
    def.strand = rope;
    def.s = s;
    return def;
}

static cord_point add_point(cord_world *w, const cord_point_def *def)
{
    cord_point made;
    assert_fine(w, cord_world_add_point(w, def, &made));
    return made;
}

static cord_point slides(cord_world *w, cord_strand rope, double s, double friction)
{
    cord_point_def def = sliding_def(rope, s);
    def.friction = friction;
    return add_point(w, &def);
}

static double coordinate(cord_world *w, cord_point p, double *rate)
{
    double s;
    assert_fine(w, cord_point_coordinate(w, p, &s, rate));
    return s;
}

static cord_point place_of(cord_world *w, cord_point p)
{
    double x[3];
    assert_fine(w, cord_point_place(w, p, x, NULL));
    return scene_place(w, x[0], x[1], x[2]);
}

/* A sliding point at s, held in the world where it is. */
static cord_point keyhole(cord_world *w, cord_strand rope, double s, double friction,
                          cord_relation *hold)
{
    cord_point p = slides(w, rope, s, friction);
    cord_relation made = scene_relation(w, CORD_COINCIDE, p, place_of(w, p));
    if (hold) *hold = made;
    return p;
}

/* A ball whose centre is a sliding point. */
static cord_body pearl(cord_world *w, cord_point p, double radius, cord_relation *hold)
{
    cord_body_def def = cord_body_def_default();
    cord_body body;
    def.shape.kind = CORD_SHAPE_SPHERE;
    def.shape.radius = radius;
    def.density = 2000;
    assert_fine(w, cord_point_place(w, p, def.position, NULL));
    assert_fine(w, cord_world_add_body(w, &def, &body));
    cord_point_def center = cord_point_def_default();
    center.source = CORD_SOURCE_BODY;
    center.body = body;
    cord_relation made = scene_relation(w, CORD_COINCIDE, p, add_point(w, &center));
    if (hold) *hold = made;
    return body;
}

/* What the rows lack. Where a point has just gone round a corner of a strand that has them, it is
 * made good in the next step. */
static double gap(cord_world *w, cord_relation r)
{
    int rows;
    double g[3], largest = 0;
    assert_fine(w, cord_relation_residual(w, r, &rows, g));
    for (int i = 0; i < rows; i++) largest = fmax(largest, fabs(g[i]));
    return largest;
}

static cord_energy energy_of(cord_world *w)
{
    cord_energy e;
    assert_fine(w, cord_world_energy(w, &e));
    return e;
}

static void advance(cord_world *w, double h, int steps)
{
    for (int i = 0; i < steps; i++) assert_fine(w, cord_world_step(w, h));
}

/* ---- jets ------------------------------------------------------------------------------------ */

typedef struct probe {
    cord_world *w;
    const block *b;
    const double *q;
    double *cache;
} probe;

static probe probe_strand(const kind *k)
{
    probe p = {.w = world_of(&tr_bdf2, gravity)};
    cord_strand rope = curved(p.w, k, 1e7);
    if (!k->closed) scene_hang(p.w, rope, 0);
    advance(p.w, 1e-3, 30); /* away from symmetry */
    p.b = p.w->problem.block[0];
    p.q = p.w->problem.now.q + p.b->q0;
    p.cache = p.w->problem.cache + p.b->cache0;
    p.b->ops->refresh(p.b->model, p.q, p.cache);
    return p;
}

static slide_jet jet_at(const probe *p, const double *q, double *cache, int piece, double s,
                        double *J, double *slope)
{
    slide_jet j = {.J = J, .slope = slope};
    p->b->ops->refresh(p->b->model, q, cache);
    p->b->ops->slide(p->b->model, q, cache, piece, s, &j);
    return j;
}

static void apply(const slide_jet *j, const double *matrix, const double *d, double out[3])
{
    v3_set(out, 0, 0, 0);
    for (int run = 0, c = 0; run < j->runs; run++)
        for (int i = 0; i < j->run[run].count; i++, c++)
            v3_axpy(out, d[j->run[run].first + i], matrix + 3 * c);
}

/* Fourth-order differences along the strand and along a motion of it. */
static void check_jet(const probe *p, int piece, double s)
{
    enum { MOST = 3 * JET_COLUMNS_MOST };
    static const int at[4] = {-2, -1, 1, 2};
    static const double weight[4] = {1 / 12.0, -8 / 12.0, 8 / 12.0, -1 / 12.0};
    const block *b = p->b;
    int columns = b->shape.columns, count = b->shape.q_count;
    /* beyond its piece an element is known as well as its quadrature is */
    double slack = piece == b->ops->piece(b->model, p->q, s) ? 1 : 100;
    double *d = calloc((size_t)columns, sizeof *d), *step = calloc((size_t)columns, sizeof *step);
    double *q = calloc((size_t)count, sizeof *q);
    double *cache = calloc((size_t)b->shape.cache_count, sizeof *cache);
    assert_true(d && step && q && cache);
    double J[MOST], slope[MOST], other[MOST], unused[MOST];
    slide_jet j = jet_at(p, p->q, cache, piece, s, J, slope);
    double along[3][3] = {{0}}, moved[2][3] = {{0}}, curled[3] = {0}, expected[3];
    double curl[MOST], spin[JET_COLUMNS_MOST];
    j.curl = curl, j.spin = spin;
    b->ops->slide(b->model, p->q, cache, piece, s, &j);
    uint64_t random = 7;
    random_vector(&random, columns, d);
    if (b->ops->follow) b->ops->follow(b->model, cache, d);
    const double h = 1e-4;
    for (int k = 0; k < 4; k++) {
        slide_jet n = jet_at(p, p->q, cache, piece, s + h * at[k], other, unused);
        v3_axpy(along[0], weight[k] / h, n.value);
        v3_axpy(along[1], weight[k] / h, n.tangent);
        v3_axpy(along[2], weight[k] / h, n.bend);
        apply(&n, unused, d, expected);
        v3_axpy(curled, weight[k] / h, expected);
    }
    for (int k = 0; k < 4; k++) {
        for (int c = 0; c < columns; c++) step[c] = at[k] * 1e-3 * d[c];
        memcpy(q, p->q, (size_t)count * sizeof *q);
        b->ops->retract(b->model, q, step);
        slide_jet n = jet_at(p, q, cache, piece, s, other, unused);
        v3_axpy(moved[0], weight[k] / 1e-3, n.value);
        v3_axpy(moved[1], weight[k] / 1e-3, n.tangent);
    }
    assert_all_close(j.tangent, along[0], 3, 1e-9);
    assert_all_close(j.bend, along[1], 3, 1e-7);
    assert_all_close(j.third, along[2], 3, 1e-5);
    apply(&j, curl, d, expected);
    assert_all_close(expected, curled, 3, slack * 1e-5);
    apply(&j, J, d, expected);
    assert_all_close(expected, moved[0], 3, slack * 1e-7);
    apply(&j, slope, d, expected);
    assert_all_close(expected, moved[1], 3, slack * 1e-6);
    free(d), free(step), free(q), free(cache);
}

static void jets_are_derivatives(void **k)
{
    probe p = probe_strand(*k);
    double L = ((const kind *)*k)->closed ? 1.3 : 1.1;
    for (int i = 1; i < 12; i++) {
        double s = L * i / 12 + 1e-3;
        int piece = p.b->ops->piece(p.b->model, p.q, s);
        check_jet(&p, piece, s);
        if (piece > 0) check_jet(&p, piece - 1, s); /* gone beyond, forwards */
        check_jet(&p, piece, s - 0.03);             /* and backwards */
    }
    cord_world_destroy(p.w);
}

/* Where one piece ends and the next begins: found by bisection. */
static double border(const probe *p, int piece, double low, double high)
{
    while (high - low > 1e-15) {
        double middle = 0.5 * (low + high);
        if (middle == low || middle == high) break;
        if (p->b->ops->piece(p->b->model, p->q, middle) > piece)
            high = middle;
        else
            low = middle;
    }
    return high;
}

static void pieces_join(void **given)
{
    const kind *k = *given;
    probe p = probe_strand(k);
    cord_strand_info info;
    ((const strand_ops *)p.b->ops)->info(p.b->model, &info);
    enum { MOST = 3 * JET_COLUMNS_MOST };
    double J[MOST], slope[MOST], s = 0;
    int last = p.b->ops->piece(p.b->model, p.q, info.length * (k->closed ? 1.2 : 1));
    assert_true(last >= 7);
    for (int piece = 0; piece < last; piece++) {
        s = border(&p, piece, s, info.length * 1.5);
        slide_jet a = jet_at(&p, p.q, p.cache, piece, s, J, slope);
        slide_jet b = jet_at(&p, p.q, p.cache, piece + 1, s, J, slope);
        assert_all_close(a.value, b.value, 3, 1e-12);
        if (k->tangent) assert_all_close(a.tangent, b.tangent, 3, 1e-11);
        if (k->curvature) assert_all_close(a.bend, b.bend, 3, 1e-9);
    }
    cord_world_destroy(p.w);
}

/* At vertices it is the strand itself. */
static void the_curve_is_the_strand(void **given)
{
    const kind *k = *given;
    cord_world *w = world_of(&tr_bdf2, gravity);
    cord_strand rope = curved(w, k, 1e7);
    double L = length_of(w, rope);
    for (int i = 0; i <= 24; i++) {
        double s = L * i / (k->closed ? 25 : 24), fixed[3], slid[3];
        cord_point a = scene_point(w, rope, s), b = slides(w, rope, s, 0);
        assert_fine(w, cord_point_place(w, a, fixed, NULL));
        assert_fine(w, cord_point_place(w, b, slid, NULL));
        assert_all_close(fixed, slid, 3,
                         strcmp(k->model, "der") == 0 ? 2e-4
                         : k->elements == 12          ? 3e-3
                                                      : 1e-12);
    }
    cord_world_destroy(w);
}

/* ---- keyholes and pearls --------------------------------------------------------------------- */

/* A rope falls through a hole in the world. */
static void keyholes_keep_energy(void **given)
{
    const kind *k = *given;
    cord_world *w = world_of(k->tangent ? &midpoint : &tr_bdf2, k->closed ? 0 : gravity);
    cord_strand rope = curved(w, k, 1e6);
    double L = length_of(w, rope), worst = 0, low = L, high = 0, v[3 * VERTICES];
    for (int i = 0; k->closed && i < VERTICES; i++) /* a ring runs round through the hole */
        v3_set(v + 3 * i, -sin(2 * pi * i / VERTICES), cos(2 * pi * i / VERTICES), 0);
    if (k->closed) assert_fine(w, cord_strand_set_velocities(w, rope, v));
    cord_relation hold;
    cord_point p = keyhole(w, rope, 0.395 * L, 0, &hold);
    advance(w, 1e-3, 1); /* velocities are brought in line first */
    cord_energy e0 = energy_of(w);
    int pieces = 0, last = -1;
    for (int i = 0; i < 220; i++) {
        advance(w, 1e-3, 1);
        double s = coordinate(w, p, NULL);
        int piece = (int)floor(s / L * (k->elements ? k->elements : VERTICES - 1));
        pieces += piece != last;
        last = piece;
        low = fmin(low, s), high = fmax(high, s);
        if (!k->closed && (s < 0.02 * L || s > 0.95 * L)) break;
        cord_energy e = energy_of(w);
        worst = fmax(worst, fabs(e.total - e0.total) / (fabs(e0.kinetic) + fabs(e.kinetic)));
        if (k->tangent) assert_true(gap(w, hold) < (k->elements ? 1e-7 : 1e-12));
    }
    print_message("%s%s: %d pieces, %g of %g m, energy %.1e\n", k->model, k->closed ? " ring" : "",
                  pieces, high - low, L, worst);
    assert_true(pieces > (strcmp(k->model, "segment") == 0 ? 0 : 1));
    /* a helix takes a step in curvature where elements meet; what goes round a corner loses some */
    assert_true(worst < (!k->tangent ? 2e-3 : strcmp(k->model, "helix") == 0 ? 5e-6 : 1e-9));
    cord_world_destroy(w);
}

/* A ball runs along a hanging rope, and back. */
static void pearls_keep_energy(void **given)
{
    const kind *k = *given;
    cord_world *w = world_of(&midpoint, gravity);
    cord_strand rope = curved(w, k, 1e6);
    double L = length_of(w, rope), worst = 0, low = L, high = 0;
    scene_hang(w, rope, 0);
    scene_hang(w, rope, k->closed ? 0.5 * L : L);
    cord_relation hold;
    cord_point p = slides(w, rope, 0.2 * L, 0);
    pearl(w, p, 0.012, &hold);
    cord_energy e0 = energy_of(w), e;
    double span = 0;
    for (int i = 0; i < 400; i++) {
        advance(w, 1e-3, 1);
        double s = coordinate(w, p, NULL);
        low = fmin(low, s), high = fmax(high, s);
        e = energy_of(w);
        span = fmax(span, e.kinetic);
        worst = fmax(worst, fabs(e.total - e0.total));
        if (k->tangent) assert_true(gap(w, hold) < (k->elements ? 1e-7 : 1e-12));
    }
    print_message("%s%s: pearl over %g m, energy %.1e of %g J\n", k->model,
                  k->closed ? " ring" : "", high - low, worst / span, span);
    assert_true(high - low > (k->closed ? 0.05 : 0.15) * L);
    assert_true(worst < (k->elements ? 5e-6 : 1e-9) * span);
    cord_world_destroy(w);
}

/* Free in space: a rope with a pearl that slides on it. */
static void pearls_keep_momentum(void **given)
{
    const kind *k = *given;
    cord_world *w = world_of(&tr_bdf2, 0);
    cord_strand rope = curved(w, k, 1e6);
    cord_point p = slides(w, rope, 0.3, 0);
    cord_body ball = pearl(w, p, 0.01, NULL);
    assert_fine(w, cord_body_set_velocity(w, ball, (const double[3]){0.4, 0.1, -0.3}, none));
    advance(w, 5e-4, 1);
    cord_momentum m0, m;
    assert_fine(w, cord_world_momentum(w, &m0));
    double s0 = coordinate(w, p, NULL);
    advance(w, 5e-4, 200);
    assert_fine(w, cord_world_momentum(w, &m));
    assert_true(fabs(coordinate(w, p, NULL) - s0) > 0.02);
    double size = v3_norm(m0.linear);
    assert_true(size > 1e-3);
    assert_all_close(m.linear, m0.linear, 3, 1e-3 * size);
    assert_all_close(m.angular, m0.angular, 3, 1e-3 * size);
    cord_world_destroy(w);
}

/* Along the strand there is only friction. */
static void friction_is_the_only_force_along(void **given)
{
    const kind *k = *given;
    for (int rough = 0; rough < 2; rough++) {
        double friction = rough ? 0.05 : 0;
        cord_world *w = world_of(&euler, gravity);
        cord_strand rope = curved(w, k, 1e6);
        cord_relation hold;
        cord_point p = keyhole(w, rope, 0.3, friction, &hold);
        advance(w, 5e-4, 200);
        double before = coordinate(w, p, NULL), F[3], rate;
        double tangent[3], J[3 * JET_COLUMNS_MOST], slope[3 * JET_COLUMNS_MOST];
        advance(w, 1e-4, 1);
        double s = coordinate(w, p, &rate);
        assert_fine(w, cord_relation_force(w, hold, F, NULL));
        const point *own = w->points.item[p.index - 1];
        const block *b = w->problem.block[own->block];
        slide_jet j = {.J = J, .slope = slope};
        b->ops->slide(b->model, w->problem.now.q + b->q0, w->problem.cache + b->cache0, own->piece,
                      s, &j);
        v3_copy(tangent, j.tangent);
        assert_true(v3_norm(F) > 0.02 && (k->closed || fabs(rate) > 0.005));
        assert_close(v3_dot(F, tangent), friction * (s - before) / 1e-4, 1e-6 * v3_norm(F));
        cord_world_destroy(w);
    }
}

/* What midpoint loses is friction × rate², exactly. */
static void friction_takes_its_work(void **given)
{
    const kind *k = *given;
    if (k->closed) return;
    cord_world *w = world_of(&midpoint, gravity);
    cord_strand rope = curved(w, k, 1e6);
    const double friction = 0.05, h = 1e-3;
    cord_point p = keyhole(w, rope, 0.35, friction, NULL);
    advance(w, h, 1);
    double e0 = energy_of(w).total, lost = 0, s = coordinate(w, p, NULL), kinetic = 0;
    for (int i = 0; i < 200; i++) {
        advance(w, h, 1);
        double next = coordinate(w, p, NULL);
        lost += friction * (next - s) * (next - s) / h;
        s = next;
        kinetic = fmax(kinetic, energy_of(w).kinetic);
    }
    assert_true(lost > 0.01 * kinetic);
    if (k->tangent) assert_close(e0 - energy_of(w).total, lost, 2e-6 * kinetic);
    cord_world_destroy(w);
}

/* ---- closed forms ---------------------------------------------------------------------------- */

/* A limp rope over a pulley, which is so many smooth holes round a half circle: with y the half
 * difference of the hanging lengths, ÿ = 2 g y / L, as a chain slides off a table with twice the
 * gravity: y = y₀ cosh(t √(2g/L)). */
static void rope_over_a_pulley(void **given)
{
    (void)given;
    enum { EDGES = 120, HOLES = 13 };
    const double L = 1, r = 0.08, y0 = 0.08, h = 1e-3, arc = pi * r;
    double x[3 * EDGES + 3], natural[3 * EDGES + 3] = {0};
    for (int i = 0; i <= EDGES; i++) { /* s from the top */
        double s = L * i / EDGES - (0.5 - y0) * L, a = s / r;
        natural[3 * i] = L * i / EDGES;
        if (fabs(s) <= 0.5 * arc)
            v3_set(x + 3 * i, r * sin(a), 0, r * cos(a));
        else
            v3_set(x + 3 * i, s > 0 ? r : -r, 0, 0.5 * arc - fabs(s));
    }
    cord_world *w = world_of(&midpoint, gravity);
    cord_strand_def def = cord_strand_def_default();
    cord_strand rope;
    def.vertex_count = EDGES + 1;
    def.positions = x;
    def.natural_positions = natural;
    def.section = (cord_section){.kind = CORD_SECTION_EXPLICIT,
                                 .mass = 0.1,
                                 .bending = {1e-5, 1e-5},
                                 .twisting = 1e-5,
                                 .radius = 1e-3};
    assert_fine(w, cord_world_add_strand(w, &def, &rope));
    double length = length_of(w, rope), rate = sqrt(2 * gravity / length), worst = 0, last = 0;
    cord_point p = {0};
    for (int i = 0; i < HOLES; i++) {
        double s = (0.5 - y0) * L + arc * ((double)i / (HOLES - 1) - 0.5);
        cord_point one = keyhole(w, rope, s, 0, NULL);
        if (i == HOLES / 2) p = one;
    }
    double e0 = 0, start = coordinate(w, p, NULL);
    cord_energy e = {0};
    for (int i = 1; y0 * cosh(i * h * rate) < 0.3; i++) {
        advance(w, h, 1);
        last = y0 * cosh(i * h * rate);
        worst = fmax(worst, fabs(y0 + start - coordinate(w, p, NULL) - last));
        e = energy_of(w);
        if (i == 1) e0 = e.total; /* the first step makes chords of the arc as long as they are */
    }
    print_message("pulley: to %g L, off by %.1e L, energy %.1e of %g J\n", last, worst,
                  fabs(e.total - e0) / e.kinetic, e.kinetic);
    assert_true(last > 0.28);
    assert_true(worst < 0.01);
    assert_true(fabs(e.total - e0) < 1e-9 * e.kinetic);
    cord_world_destroy(w);
}

/* A bead on the middle of a taut string: with k = ω/c, 2 T k cot(k L/2) = m ω². */
static void bead_on_a_string(void **given)
{
    (void)given;
    enum { EDGES = 40 };
    const double L = 1, T = 5, mass = 0.05, EA = 1e5;
    double x[3 * EDGES + 3] = {0}, natural[3 * EDGES + 3] = {0};
    for (int i = 0; i <= EDGES; i++) {
        x[3 * i] = L * i / EDGES;
        natural[3 * i] = x[3 * i] / (1 + T / EA);
    }
    cord_world *w = world_of(&midpoint, 0);
    cord_strand_def def = cord_strand_def_default();
    cord_strand string;
    def.vertex_count = EDGES + 1;
    def.positions = x;
    def.natural_positions = natural;
    def.stretch = CORD_STRETCH_ELASTIC;
    def.section = (cord_section){.kind = CORD_SECTION_EXPLICIT,
                                 .mass = 0.02,
                                 .stretching = EA,
                                 .bending = {1e-6, 1e-6},
                                 .twisting = 1e-6,
                                 .radius = 1e-3};
    assert_fine(w, cord_world_add_strand(w, &def, &string));
    scene_hang(w, string, 0);
    scene_hang(w, string, length_of(w, string));
    cord_point p = slides(w, string, 0.5 * length_of(w, string), 0);
    double radius = cbrt(3 * mass / (4 * pi * 2000));
    cord_body ball = pearl(w, p, radius, NULL);
    double low = 1e-3, high = pi / L, c = sqrt(T / 0.02);
    while (high - low > 1e-12) {
        double k = 0.5 * (low + high);
        if (2 * T * k / tan(k * L / 2) > mass * k * k * c * c)
            low = k;
        else
            high = k;
    }
    double omega = low * c, h = 2 * pi / omega / 400, at[3], before = 0;
    /* started in the shape of the mode: sin(k x) up to the middle */
    double v[3 * EDGES + 3] = {0};
    for (int i = 0; i <= EDGES; i++)
        v[3 * i + 2] = 1e-3 * sin(low * fmin(x[3 * i], L - x[3 * i])) / sin(low * L / 2);
    assert_fine(w, cord_strand_set_velocities(w, string, v));
    assert_fine(w, cord_body_set_velocity(w, ball, (const double[3]){0, 0, 1e-3}, none));
    int crossings = 0;
    double when[6];
    for (int i = 1; crossings < 6 && i < 4000; i++) {
        advance(w, h, 1);
        assert_fine(w, cord_point_place(w, p, at, NULL));
        if (before * at[2] < 0) when[crossings++] = (i - at[2] / (at[2] - before)) * h;
        before = at[2];
    }
    assert_int_equal(crossings, 6);
    double measured = 5 * pi / (when[5] - when[0]);
    print_message("bead: ω %.6f, %.6f expected\n", measured, omega);
    assert_close(measured, omega, 1e-3 * omega);
    assert_close(coordinate(w, p, NULL), 0.5 * length_of(w, string), 1e-6);
    cord_world_destroy(w);
}

/* ---- slip knot ------------------------------------------------------------------------------- */

/* The end of a rope runs along the rope itself; pulled, the loop closes. */
static void slip_knot(void **given)
{
    (void)given;
    enum { EDGES = 48 };
    double x[3 * EDGES + 3], circle = 0.6 / (2 * pi);
    for (int i = 0; i <= EDGES; i++) { /* straight to 0.4 m, then once round */
        double s = 1.0 * i / EDGES, a = (s - 0.4) / circle;
        if (s < 0.4)
            v3_set(x + 3 * i, s, 0, 0);
        else
            v3_set(x + 3 * i, 0.4 + circle * sin(a), circle * (1 - cos(a)), 0);
    }
    for (int flies = 0; flies < 2; flies++) {
        cord_world *w = world_of(flies ? &midpoint : &tr_bdf2, 0);
        cord_strand_def def = cord_strand_def_default();
        cord_strand rope;
        def.vertex_count = EDGES + 1;
        def.positions = x;
        def.section.radius = 2e-3;
        def.material.young = 1e6;
        assert_fine(w, cord_world_add_strand(w, &def, &rope));
        cord_point end = scene_point(w, rope, length_of(w, rope));
        cord_point p = slides(w, rope, 0.4, 0);
        cord_relation knot = scene_relation(w, CORD_COINCIDE, p, end);
        if (!flies) { /* pulled at the start, steadily */
            double times[2] = {0, 0.5}, by[6] = {0, 0, 0, -0.15, 0, 0};
            cord_point_def hand = cord_point_def_default();
            hand.motion = (cord_keys){2, times, by, CORD_EASE_SMOOTH};
            scene_relation(w, CORD_COINCIDE, scene_point(w, rope, 0), add_point(w, &hand));
            scene_hang(w, rope, 0.7); /* the far side of the loop stays */
            advance(w, 1e-3, 500);
            assert_true(coordinate(w, p, NULL) > 0.4 + 0.1); /* the loop is smaller */
        } else {
            double v[3 * EDGES + 3] = {0};
            for (int i = 0; i < 10; i++) v[3 * i] = -0.5;
            assert_fine(w, cord_strand_set_velocities(w, rope, v));
            advance(w, 1e-3, 1);
            cord_momentum m0, m;
            double e0 = energy_of(w).total;
            assert_fine(w, cord_world_momentum(w, &m0));
            advance(w, 1e-3, 150);
            assert_fine(w, cord_world_momentum(w, &m));
            assert_true(fabs(coordinate(w, p, NULL) - 0.4) > 0.02);
            assert_all_close(m.linear, m0.linear, 3, 1e-5 * v3_norm(m0.linear));
            assert_close(energy_of(w).total, e0, 1e-6 * e0);
        }
        assert_true(gap(w, knot) < 1e-12);
        cord_world_destroy(w);
    }
}

/* ---- ends, gaps, drives, loads ---------------------------------------------------------------- */

static cord_strand taut(cord_world *w, double x, double z)
{
    double length = hypot(x, z);
    cord_strand rope =
        scene_rope(w, NULL, "taut", 20, (const double[3]){0, 0, 0}, (const double[3]){x, 0, z});
    scene_hang(w, rope, 0);
    scene_hang(w, rope, length);
    return rope;
}

/* Pearls on a vertical wire come to rest on each other, the lowest at the end. */
static void pearls_pile_up(void **given)
{
    (void)given;
    const integration *by[2] = {&tr_bdf2, &midpoint};
    for (int i = 0; i < 2; i++) {
        cord_world *w = world_of(by[i], gravity);
        cord_strand wire = taut(w, 0, -1);
        cord_point p[3];
        cord_relation between[2];
        cord_body_info info;
        for (int k = 0; k < 3; k++) {
            p[k] = slides(w, wire, 0.8 - 0.2 * k, 0.01);
            cord_body ball = pearl(w, p[k], 0.02, NULL);
            assert_fine(w, cord_body_get_info(w, ball, &info));
        }
        for (int k = 0; k < 2; k++) {
            cord_relation_def def = cord_relation_def_default();
            def.kind = CORD_SLIDE;
            def.first = p[k], def.second = p[k + 1]; /* the lower has the greater coordinate */
            def.length = 0.04;
            def.side = CORD_AT_LEAST;
            between[k] = scene_relate(w, &def);
        }
        cord_counters counters;
        assert_fine(w, cord_world_counters(w, &counters));
        assert_int_equal(counters.relations, 7); /* stops are the library's own */
        advance(w, 2e-3, 400);
        double weight = info.mass * gravity, rate;
        for (int k = 0; k < 3; k++) {
            assert_close(coordinate(w, p[k], &rate), 1 - 0.04 * k, 1e-9);
            assert_close(rate, 0, 1e-6);
        }
        for (int k = 0; k < 2; k++) {
            double F[3];
            assert_fine(w, cord_relation_force(w, between[k], F, NULL));
            assert_close(F[0], (2 - k) * weight, 5e-3 * weight);
        }
        cord_world_destroy(w);
    }
}

/* A pearl thrown to either end stops there, and comes back when thrown the other way. */
static void points_stop_at_both_ends(void **given)
{
    (void)given;
    cord_world *w = world_of(&tr_bdf2, 0);
    cord_strand wire = taut(w, 1, 0);
    cord_point p = slides(w, wire, 0.5, 0);
    cord_body ball = pearl(w, p, 0.02, NULL);
    for (int i = 0; i < 4; i++) {
        double v[3] = {i % 2 ? -2.0 : 2.0, 0, 0};
        assert_fine(w, cord_body_set_velocity(w, ball, v, none));
        for (int k = 0; k < 700; k++) {
            advance(w, 1e-3, 1);
            double s = coordinate(w, p, NULL);
            assert_true(s > -1e-12 && s < 1 + 1e-12);
        }
        assert_close(coordinate(w, p, NULL), i % 2 ? 0 : 1, 1e-4);
    }
    cord_world_destroy(w);
}

/* With release it goes on in free flight, and the strand is as without it. */
static void points_slip_off(void **given)
{
    (void)given;
    for (int way = -1; way <= 1; way += 2) {
        cord_world *w = world_of(&tr_bdf2, 0);
        cord_strand wire = taut(w, 1, 0);
        cord_point_def def = sliding_def(wire, 0.5);
        def.end = CORD_END_RELEASE;
        cord_point p = add_point(w, &def);
        cord_relation hold;
        cord_body ball = pearl(w, p, 0.02, &hold);
        const double v[3] = {2.0 * way, 0, 0};
        assert_fine(w, cord_body_set_velocity(w, ball, v, none));
        bool released;
        double x[3], F[3], speed[3];
        advance(w, 1e-3, 200);
        assert_fine(w, cord_point_released(w, p, &released));
        assert_false(released);
        advance(w, 1e-3, 300);
        assert_fine(w, cord_point_released(w, p, &released));
        assert_true(released);
        cord_counters counters;
        assert_fine(w, cord_world_counters(w, &counters));
        assert_int_equal(counters.released, 1);
        assert_fine(w, cord_body_pose(w, ball, x, NULL));
        assert_close(x[0], 0.5 + way * 2.0 * 0.5, 1e-6);
        assert_fine(w, cord_body_velocity(w, ball, speed, NULL));
        assert_all_close(speed, v, 3, 1e-6);
        assert_fine(w, cord_relation_force(w, hold, F, NULL));
        assert_close(v3_norm(F), 0, 0);
        assert_close(coordinate(w, p, NULL), way > 0 ? 1 : 0, 0);
        assert_fine(w, cord_world_remove_point(w, p));
        advance(w, 1e-3, 10);
        cord_world_destroy(w);
    }
}

/* A strand drawn through a hole: it goes as told, and the drive's work is the energy it gains. */
static void strands_are_drawn_through(void **given)
{
    const kind *k = *given;
    cord_world *w = world_of(&midpoint, k->closed ? 0 : gravity);
    cord_strand rope = curved(w, k, 1e6);
    double times[2] = {0, 1}, values[2] = {0, 0.5}, h = 1e-3;
    cord_relation hold;
    cord_point p = keyhole(w, rope, 0.3, 0, &hold);
    cord_relation_def def = cord_relation_def_default();
    def.kind = CORD_SLIDE;
    def.first = p;
    def.drive = (cord_keys){2, times, values, CORD_EASE_LINEAR};
    cord_relation drive = scene_relate(w, &def);
    advance(w, h, 1);
    double e0 = energy_of(w).total, work = 0, kinetic = 0;
    for (int i = 1; i < 150; i++) {
        double F[3];
        advance(w, h, 1);
        assert_close(coordinate(w, p, NULL), 0.3 + 0.5 * (i + 1) * h, 1e-12);
        assert_fine(w, cord_relation_force(w, drive, F, NULL));
        work += F[0] * 0.5 * h;
        kinetic = fmax(kinetic, energy_of(w).kinetic);
    }
    assert_true(fabs(work) > 1e-3 * kinetic);
    if (k->tangent) assert_close(energy_of(w).total - e0, work, 1e-5 * kinetic);
    assert_true(gap(w, hold) < 1e-12);
    cord_world_destroy(w);
}

/* A force on a point that rubs: rate = force along / friction. Without friction it is a force on the
 * strand where it is. */
static void loads_push_points_along(void **given)
{
    (void)given;
    cord_world *w = world_of(&tr_bdf2, 0);
    cord_strand wire = taut(w, 1, 0);
    cord_load_def pull = cord_load_def_default();
    cord_load made;
    cord_point rough = slides(w, wire, 0.2, 4), smooth = slides(w, wire, 0.7, 0);
    pull.force[0] = 2;
    pull.point = rough;
    assert_fine(w, cord_world_add_load(w, &pull, &made));
    pull.point = smooth;
    assert_fine(w, cord_world_add_load(w, &pull, &made));
    advance(w, 1e-3, 400);
    double rate;
    assert_close(coordinate(w, rough, &rate), 0.2 + 0.5 * 0.4, 5e-4);
    assert_close(rate, 0.5, 1e-6);
    assert_close(coordinate(w, smooth, &rate), 0.7, 0);
    advance(w, 1e-3, 2000);
    assert_close(coordinate(w, rough, NULL), 1, 1e-9); /* and stops at the end */
    cord_world_destroy(w);
}

/* A rope hung from a rope by a ring comes to rest at the lowest place, also by statics. */
static void statics_finds_the_lowest_place(void **given)
{
    (void)given;
    cord_world *w = world_of(&tr_bdf2, gravity);
    cord_strand rope = curved(w, &kinds[0], 1e5);
    double L = length_of(w, rope), x[3];
    scene_hang(w, rope, 0);
    scene_hang(w, rope, L);
    cord_point p = slides(w, rope, 0.4 * L, 0);
    assert_fine(w, cord_point_place(w, p, x, NULL));
    cord_strand hanger =
        scene_rope(w, NULL, "hanger", 4, x, (const double[3]){x[0], x[1], x[2] - 0.3});
    scene_relation(w, CORD_COINCIDE, p, scene_point(w, hanger, 0));
    assert_fine(w, cord_world_find_equilibrium(w, NULL, NULL));
    double s = coordinate(w, p, NULL);
    assert_close(s, 0.5 * L, 0.05 * L);
    advance(w, 1e-3, 20);
    assert_close(coordinate(w, p, NULL), s, 1e-6); /* it stays */
    cord_world_destroy(w);
}

/* A ball on a beam without weight, kept in its place along it by a spring: ω = 1/√(c m), beside the motions
 * that nothing resists. */
static void frequencies_of_what_slides(void **given)
{
    (void)given;
    cord_world *w = world_of(&tr_bdf2, 0);
    cord_strand beam = taut(w, 1, 0);
    cord_point p = slides(w, beam, 0.4, 0.3);
    cord_body_info ball;
    assert_fine(w, cord_body_get_info(w, pearl(w, p, 0.02, NULL), &ball));
    cord_relation_def spring = cord_relation_def_default();
    spring.kind = CORD_SLIDE;
    spring.first = p;
    spring.compliance = 80;
    scene_relate(w, &spring);
    double omega[8], expected = 1 / sqrt(spring.compliance * ball.mass), off = INFINITY;
    assert_fine(w, cord_world_frequencies(w, 8, omega));
    for (int i = 0; i < 8; i++) off = fmin(off, fabs(omega[i] / expected - 1));
    assert_true(off < 1e-6);
    cord_world_destroy(w);
}

/* ---- bookkeeping ------------------------------------------------------------------------------ */

static void removing_the_point_removes_its_slider(void **given)
{
    (void)given;
    cord_world *w = world_of(&tr_bdf2, gravity);
    cord_strand rope = curved(w, &kinds[0], 1e6);
    scene_hang(w, rope, 0);
    advance(w, 1e-3, 1);
    cord_counters before, with, after;
    assert_fine(w, cord_world_counters(w, &before));
    cord_point p = keyhole(w, rope, 0.5, 0, NULL);
    advance(w, 1e-3, 3);
    assert_fine(w, cord_world_counters(w, &with));
    assert_int_equal(with.unknowns, before.unknowns + 1);
    assert_int_equal(with.relations, before.relations + 1);
    assert_fine(w, cord_world_remove_point(w, p));
    advance(w, 1e-3, 3);
    assert_fine(w, cord_world_counters(w, &after));
    assert_int_equal(after.unknowns, before.unknowns);
    assert_int_equal(after.relations, before.relations);
    double s;
    assert_int_equal(cord_point_coordinate(w, p, &s, NULL), CORD_ERROR_HANDLE);
    p = keyhole(w, rope, 0.5, 0, NULL);
    assert_fine(w, cord_world_remove_strand(w, rope));
    assert_int_equal(w->sliders.used, 0);
    advance(w, 1e-3, 1);
    cord_world_destroy(w);
}

static cord_world *falling(const integration *by, const kind *k, cord_point *p, int threads)
{
    cord_world *w;
    cord_world_def def = cord_world_def_default();
    def.integrator = by->integrator, def.scheme = by->scheme;
    def.threads = threads;
    assert_int_equal(cord_world_create(&def, &w), CORD_OK);
    for (int i = 0; i < 2; i++) { /* two islands */
        cord_strand_def own = cord_strand_def_default();
        cord_strand rope;
        double x[3 * VERTICES];
        for (int n = 0; n < VERTICES; n++) /* falls, not quite straight down */
            v3_set(x + 3 * n, 0.2 * n / VERTICES, i, -1.0 * n / VERTICES);
        own.model = k->model;
        own.vertex_count = VERTICES;
        own.positions = x;
        own.element_count = k->elements;
        own.section.radius = 3e-3;
        own.material.young = 1e7;
        assert_fine(w, cord_world_add_strand(w, &own, &rope));
        cord_point_def slider = sliding_def(rope, 0.25);
        slider.end = CORD_END_RELEASE;
        cord_point q = add_point(w, &slider);
        scene_relation(w, CORD_COINCIDE, q, place_of(w, q));
        if (i == 0) *p = q;
    }
    return w;
}

/* At every crossing of a piece, and after slipping off, a copy goes on bit for bit. */
static void checkpoints_are_exact(void **given)
{
    const kind *k = *given;
    const integration *by[2] = {&tr_bdf2, &midpoint};
    for (int i = 0; !k->closed && i < 2; i++) {
        cord_point p, q;
        cord_world *w = falling(by[i], k, &p, 1);
        int copies = 0, last = -1;
        bool released = false;
        for (int step = 0; step < 150 && copies < 12; step++) {
            advance(w, 2e-3, 1);
            bool now;
            assert_fine(w, cord_point_released(w, p, &now));
            const point *own = w->points.item[p.index - 1];
            if (own->piece == last && now == released) continue;
            last = own->piece, released = now;
            size_t size;
            assert_fine(w, cord_world_state_size(w, &size));
            void *bytes = malloc(size), *later = malloc(size);
            assert_true(bytes && later);
            assert_fine(w, cord_world_get_state(w, bytes));
            cord_world *copy = falling(by[i], k, &q, 1);
            advance(copy, 2e-3, copies % 3); /* wherever it was */
            assert_fine(copy, cord_world_set_state(copy, bytes, size));
            assert_int_equal(scene_hash(copy), scene_hash(w));
            assert_fine(copy, cord_world_get_state(copy, later));
            assert_memory_equal(bytes, later, size);
            advance(copy, 2e-3, 5);
            cord_world *again = falling(by[i], k, &q, 1);
            assert_fine(again, cord_world_set_state(again, bytes, size));
            advance(again, 2e-3, 5);
            assert_int_equal(scene_hash(copy), scene_hash(again));
            assert_fine(again, cord_world_set_state(again, bytes, size)); /* back again */
            for (int n = 0; n < 3; n++) advance(again, 2e-3, 1);
            free(bytes), free(later);
            cord_world_destroy(copy), cord_world_destroy(again);
            copies++;
        }
        assert_true(copies > 2 && released);
        cord_world_destroy(w);
    }
}

/* The run itself, against one that was taken over by a copy in the middle of it. */
static void interrupted_runs_are_the_same(void **given)
{
    const kind *k = *given;
    if (k->closed) return;
    cord_point p, q;
    cord_world *w = falling(&tr_bdf2, k, &p, 1), *copy = falling(&tr_bdf2, k, &q, 1);
    int last = -1;
    for (int step = 0; step < 150; step++) {
        const point *own = w->points.item[p.index - 1];
        if (own->piece != last) {
            size_t size;
            last = own->piece;
            assert_fine(w, cord_world_state_size(w, &size));
            void *bytes = malloc(size);
            assert_non_null(bytes);
            assert_fine(w, cord_world_get_state(w, bytes));
            assert_fine(copy, cord_world_set_state(copy, bytes, size));
            free(bytes);
        }
        advance(w, 2e-3, 1), advance(copy, 2e-3, 1);
        assert_int_equal(scene_hash(w), scene_hash(copy));
    }
    bool released;
    assert_fine(w, cord_point_released(w, p, &released));
    assert_true(released);
    cord_world_destroy(w), cord_world_destroy(copy);
}

static void threads_do_not_matter(void **given)
{
    cord_point p;
    uint64_t hash[2];
    for (int i = 0; i < 2; i++) {
        cord_world *w = falling(&tr_bdf2, *given, &p, 1 + i);
        advance(w, 2e-3, 60);
        hash[i] = scene_hash(w);
        cord_world_destroy(w);
    }
    assert_int_equal(hash[0], hash[1]);
}

static void errors_are_told(void **given)
{
    (void)given;
    cord_world *w = world_of(&tr_bdf2, gravity);
    cord_strand rope = curved(w, &kinds[0], 1e6);
    cord_point_def def = sliding_def(rope, 0.5);
    cord_point p;
    bool released;
    def.friction = -1;
    assert_int_equal(cord_world_add_point(w, &def, &p), CORD_ERROR_ARGUMENT);
    def.friction = NAN;
    assert_int_equal(cord_world_add_point(w, &def, &p), CORD_ERROR_ARGUMENT);
    def.friction = 0;
    def.end = (cord_end)7;
    assert_int_equal(cord_world_add_point(w, &def, &p), CORD_ERROR_ARGUMENT);
    def.end = CORD_END_STOP;
    def.s = 3;
    assert_int_equal(cord_world_add_point(w, &def, &p), CORD_ERROR_ARGUMENT);
    def.s = 0.5;
    def.strand.generation++;
    assert_int_equal(cord_world_add_point(w, &def, &p), CORD_ERROR_HANDLE);
    def.strand = rope;
    assert_fine(w, cord_world_add_point(w, &def, &p));
    cord_relation_def r = cord_relation_def_default();
    cord_relation made;
    r.first = p;
    r.kind = CORD_ALIGN;
    assert_int_equal(cord_world_add_relation(w, &r, &made), CORD_ERROR_UNSUPPORTED);
    r.kind = CORD_SLIDE;
    r.first = scene_point(w, rope, 0.1);
    assert_int_equal(cord_world_add_relation(w, &r, &made), CORD_ERROR_ARGUMENT);
    r.second = scene_place(w, 0, 0, 0);
    r.first = p;
    assert_int_equal(cord_world_add_relation(w, &r, &made), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_point_released(w, p, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_point_coordinate(w, p, NULL, NULL), CORD_ERROR_ARGUMENT);
    assert_fine(w, cord_world_remove_point(w, p));
    assert_int_equal(cord_point_released(w, p, &released), CORD_ERROR_HANDLE);
    assert_int_equal(w->sliders.used, 0);
    cord_world_destroy(w);

    integration symplectic = {"symplectic", CORD_SYMPLECTIC, CORD_TR_BDF2};
    w = world_of(&symplectic, gravity);
    rope = curved(w, &kinds[0], 1e6);
    keyhole(w, rope, 0.5, 0, NULL);
    assert_int_equal(cord_world_step(w, 1e-3), CORD_ERROR_UNSUPPORTED);
    assert_non_null(strstr(cord_world_error(w), "nothing slides with the symplectic"));
    cord_world_destroy(w);
}

static const strand_ops *without_sliding(void)
{
    static strand_ops ops;
    ops = *cord__strand_find(CORD_MODEL_DER);
    ops.block.slide = NULL;
    ops.block.name = "stiff";
    return &ops;
}

static void models_may_refuse(void **given)
{
    (void)given;
    cord_world *w = world_of(&tr_bdf2, gravity);
    cord_strand rope = scene_rope(w, without_sliding(), "rope", 10, (const double[3]){0, 0, 0},
                                  (const double[3]){1, 0, 0});
    cord_point_def def = sliding_def(rope, 0.5);
    cord_point p;
    assert_int_equal(cord_world_add_point(w, &def, &p), CORD_ERROR_UNSUPPORTED);
    assert_non_null(strstr(cord_world_error(w), "stiff"));
    cord_world_destroy(w);
}

/* From a vertex on, too: a point there is not a vertex that is held. */
static void points_slide_from_vertices(void **given)
{
    (void)given;
    cord_world *w = world_of(&tr_bdf2, gravity);
    cord_strand rope =
        scene_rope(w, NULL, "rope", 16, (const double[3]){0, 0, 0}, (const double[3]){0, 0, -1});
    cord_point p = keyhole(w, rope, 0.25, 0, NULL); /* vertex 4 */
    advance(w, 1e-3, 100);
    assert_close(coordinate(w, p, NULL), 0.25 - 0.5 * gravity * 0.01, 1e-6); /* it falls through */
    cord_world_destroy(w);
}

/* ---- memory ------------------------------------------------------------------------------------ */

static cord_status small_program(cord_world *w)
{
    cord_status status;
    cord_strand_def def = cord_strand_def_default();
    cord_strand rope;
    cord_point p, at;
    cord_relation r;
    const double x[12] = {0, 0, 0, 0.1, 0, 0, 0.2, 0, -0.05, 0.3, 0, -0.1};
    def.vertex_count = 4;
    def.positions = x;
    if ((status = cord_world_add_strand(w, &def, &rope))) return status;
    cord_point_def slider = sliding_def(rope, 0.08);
    if ((status = cord_world_add_point(w, &slider, &p))) return status;
    cord_point_def hole = cord_point_def_default();
    if ((status = cord_point_place(w, p, hole.position, NULL))) return status;
    if ((status = cord_world_add_point(w, &hole, &at))) return status;
    cord_relation_def hold = cord_relation_def_default();
    hold.first = p, hold.second = at;
    if ((status = cord_world_add_relation(w, &hold, &r))) return status;
    for (int i = 0; i < 40; i++)
        if ((status = cord_world_step(w, 2e-3))) return status;
    return cord_world_remove_point(w, p);
}

static void memory_may_run_out(void **given)
{
    (void)given;
    for (int k = 0;; k++) {
        failing_allocator heap = {.fail_at = k};
        cord_world_def def = cord_world_def_default();
        cord_world *w;
        def.threads = 1;
        def.allocator = failing_allocator_ops(&heap);
        cord_status status = cord_world_create(&def, &w);
        if (status == CORD_OK) {
            status = small_program(w);
            if (heap.failed) {
                int live = w->sliders.used;
                assert_true(live <= 1);
                if (w->strands.used && status == CORD_ERROR_MEMORY) {
                    cord_status later = cord_world_step(w, 1e-3); /* memory is back */
                    assert_int_equal(later, CORD_OK);
                }
            }
            cord_world_destroy(w);
        }
        assert_int_equal(heap.live, 0);
        if (!heap.failed) {
            assert_int_equal(status, CORD_OK);
            assert_true(k > 100);
            break;
        }
        assert_int_equal(status, CORD_ERROR_MEMORY);
    }
}

/* Under the sanitizers, which make everything ten times slower, a rod and a chain stand for all. */
#ifdef __SANITIZE_ADDRESS__
#define ON_EVERY(test)                                                                             \
    cmocka_unit_test_prestate(test, (void *)&kinds[0]),                                            \
        cmocka_unit_test_prestate(test, (void *)&kinds[4])
#define ON_STRANDS ON_EVERY
#else
#define ON_STRANDS(test)                                                                           \
    cmocka_unit_test_prestate(test, (void *)&kinds[0]),                                            \
        cmocka_unit_test_prestate(test, (void *)&kinds[1]),                                        \
        cmocka_unit_test_prestate(test, (void *)&kinds[2]),                                        \
        cmocka_unit_test_prestate(test, (void *)&kinds[3]),                                        \
        cmocka_unit_test_prestate(test, (void *)&kinds[4]),                                        \
        cmocka_unit_test_prestate(test, (void *)&kinds[5]),                                        \
        cmocka_unit_test_prestate(test, (void *)&kinds[6])
/* And on a cable. */
#define ON_EVERY(test) ON_STRANDS(test), cmocka_unit_test_prestate(test, (void *)&kinds[7])
#endif

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        ON_EVERY(jets_are_derivatives),
        ON_EVERY(pieces_join),
        ON_EVERY(the_curve_is_the_strand),
        ON_EVERY(keyholes_keep_energy),
        ON_EVERY(pearls_keep_energy),
        ON_EVERY(pearls_keep_momentum),
        ON_EVERY(friction_is_the_only_force_along),
        ON_EVERY(friction_takes_its_work),
        cmocka_unit_test(rope_over_a_pulley),
        cmocka_unit_test(bead_on_a_string),
        cmocka_unit_test(slip_knot),
        cmocka_unit_test(pearls_pile_up),
        cmocka_unit_test(points_stop_at_both_ends),
        cmocka_unit_test(points_slip_off),
        ON_EVERY(strands_are_drawn_through),
        cmocka_unit_test(loads_push_points_along),
        cmocka_unit_test(statics_finds_the_lowest_place),
        cmocka_unit_test(frequencies_of_what_slides),
        cmocka_unit_test(removing_the_point_removes_its_slider),
        ON_STRANDS(checkpoints_are_exact),
        ON_STRANDS(interrupted_runs_are_the_same),
        ON_STRANDS(threads_do_not_matter),
        cmocka_unit_test(errors_are_told),
        cmocka_unit_test(models_may_refuse),
        cmocka_unit_test(points_slide_from_vertices),
        cmocka_unit_test(memory_may_run_out),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
