/* Blocked assembly and factorisation gives the system of assembly followed by factorisation. */
#include "math/vec3.h"
#include "solve/problem.h"
#include "support/scenes.h"
#include "support/sliding.h"
#include "support/splines.h"
#include "support/test.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SPANS = 300, EACH = 40 };

static cord_strand spline(cord_world *w, int vertices, const double *x, bool closed, bool elastic)
{
    cord_strand_def def = splines_def(vertices, x);
    def.closed = closed;
    if (elastic) def.stretch = CORD_STRETCH_ELASTIC;
    return scene_strand(w, &def);
}

static cord_strand long_rope(cord_world *w, double y, bool elastic)
{
    double x[3 * (SPANS + 1)];
    splines_line(SPANS + 1, 0.05 * SPANS, x);
    for (int i = 0; i <= SPANS; i++) x[3 * i + 1] = y;
    return spline(w, SPANS + 1, x, false, elastic);
}

static void hang_objects(cord_world *w, cord_strand rope)
{
    double length = scene_length(w, rope);
    for (int i = 0; i < EACH; i++) {
        double at = length * (i + 0.5) / EACH, apart = length / EACH;
        cord_point_def pearl = sliding_def(rope, at);
        pearl.inertia = 0.02;
        sliding_keyhole(w, rope, at - 0.3 * apart, 0.05, NULL);
        sliding_pearl(w, sliding_point(w, rope, at - 0.1 * apart, 0), 0.01, NULL);
        scene_add_point(w, &pearl);
    }
}

/* Two ropes with many objects, coupled at several points, also far apart; and a ring on the
 * first. */
static cord_world *make(const integration *by)
{
    cord_world *w = scene_world_under(by, 9.81);
    cord_strand rope = long_rope(w, 0, true), other = long_rope(w, 0.1, false);
    double ring[3 * 40], length = scene_length(w, rope);
    for (int i = 0; i < 40; i++) {
        double angle = 2 * 3.14159265358979 * i / 40;
        ring[3 * i] = 0.5 * cos(angle) + 0.5, ring[3 * i + 1] = 0;
        ring[3 * i + 2] = 0.5 * sin(angle);
    }
    cord_strand round = spline(w, 40, ring, true, false);
    scene_hang(w, rope, 0);
    scene_hang(w, rope, length);
    scene_hang(w, other, 0);
    hang_objects(w, rope);
    hang_objects(w, other);
    for (int i = 1; i < 6; i++) {
        cord_constraint_def def = cord_constraint_def_default();
        def.kind = CORD_DISTANCE;
        def.first = scene_point(w, rope, length * i / 6);
        def.second = scene_point(w, other, length * (6 - i) / 6);
        def.side = i % 2 ? CORD_EQUAL : CORD_AT_MOST;
        if (i > 2) def.friction = 0.3;
        scene_relate(w, &def);
    }
    scene_push(w, sliding_point(w, rope, 0.3 * length, 0.2), 0.5);
    cord_load pulled;
    cord_load_def pull = cord_load_def_default();
    pull.point = scene_point(w, other, 0.7 * length);
    v3_set(pull.force, 0, 0.3, 0.1);
    v3_set(pull.torque, 0, 0.02, -0.01);
    assert_fine(w, cord_world_add_load(w, &pull, &pulled));
    scene_constraint(w, CORD_DISTANCE, scene_point(w, round, 0.1), scene_point(w, rope, 0.9));
    return w;
}

static double largest(int n, const double *x)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/* Corrections, multipliers, residuals and pivots at the current state. */
static void same_system(void **given)
{
    cord_world *w = make(*given);
    scene_advance(w, 2e-3, 5);
    problem *p = &w->problem;
    cluster *s = w->partition.cluster;
    const double h = 2e-3;
    stage t = {
        .time = p->now.time, .force_time = p->now.time, .c_a = 1 / (h * h), .c_v = 1 / h, .c_k = 1};
    int n = s->unknowns, columns = p->v_count;
    double *kept = malloc((size_t)(n + 2 * columns) * sizeof *kept), *r = kept + n,
           *d = r + columns;
    assert_non_null(kept);
    assert_int_equal(w->partition.clusters, 1);
    assert_true(s->cache_blocking.count > 5);
    for (int c = 0; c < columns; c++)
        p->trial.a[c] += sin(c); /* so that the correction is nonzero */
    cord__refresh(p, s, p->trial.q, p->cache);
    assert_true(cord__solve_cache_blocked(p, s, &t));
    int negative = s->negative;
    memcpy(kept, s->x, (size_t)n * sizeof *kept);
    memcpy(r, p->r, (size_t)columns * sizeof *r);
    memcpy(d, p->delta, (size_t)columns * sizeof *d);
    cord__assemble(p, s, &t, true);
    assert_true(cord__factor_and_solve(p, s));
    assert_int_equal(s->negative, negative);
    assert_true(largest(columns, p->delta) > 1e-7);
    assert_all_close(r, p->r, columns, 1e-12 * largest(columns, r));
    assert_all_close(d, p->delta, columns, 1e-9 * largest(columns, d));
    assert_all_close(kept, s->x, n, 1e-8 * largest(n, kept));
    free(kept);
    cord_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {BY_INTEGRATION(same_system, "tr_bdf2", TR_BDF2),
                                       BY_INTEGRATION(same_system, "linearised", LINEARISED)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
