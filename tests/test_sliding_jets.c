/* Curves that points slide along: their jets against differences, on every model. */
#include "math/vec3.h"
#include "support/numbers.h"
#include "support/scenes.h"
#include "support/sliding.h"
#include "support/test.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

static const double gravity = 9.81;
static const integration tr_bdf2 = {"tr_bdf2", CORD_IMPLICIT, CORD_TR_BDF2};

typedef struct probe {
    cord_world *w;
    const block *b;
    const double *q;
    double *cache;
} probe;

static probe probe_strand(const sliding_kind *k)
{
    probe p = {.w = scene_world_under(&tr_bdf2, gravity)};
    cord_strand rope = sliding_strand(p.w, k, 1e7);
    if (!k->closed) scene_hang(p.w, rope, 0);
    scene_advance(p.w, 1e-3, 30); /* away from symmetry */
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
    double L = ((const sliding_kind *)*k)->closed ? 1.3 : 1.1;
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
    const sliding_kind *k = *given;
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
    const sliding_kind *k = *given;
    cord_world *w = scene_world_under(&tr_bdf2, gravity);
    cord_strand rope = sliding_strand(w, k, 1e7);
    double L = scene_length(w, rope);
    for (int i = 0; i <= 24; i++) {
        double s = L * i / (k->closed ? 25 : 24), fixed[3], slid[3];
        cord_point a = scene_point(w, rope, s), b = sliding_point(w, rope, s, 0);
        assert_fine(w, cord_point_place(w, a, fixed, NULL));
        assert_fine(w, cord_point_place(w, b, slid, NULL));
        assert_all_close(fixed, slid, 3,
                         strcmp(k->model, "der") == 0 ? 2e-4
                         : k->elements == 12          ? 3e-3
                                                      : 1e-12);
    }
    cord_world_destroy(w);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        ON_EVERY(jets_are_derivatives),
        ON_EVERY(pieces_join),
        ON_EVERY(the_curve_is_the_strand),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
