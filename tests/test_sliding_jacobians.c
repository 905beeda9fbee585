/* Curves that points slide along, and frames there: their Jacobians against differences, on every model. */
#include "math/rotation.h"
#include "support/numbers.h"
#include "support/scenes.h"
#include "support/sliding.h"
#include "support/test.h"
#include "strand/chain/chain.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

static const double gravity = 9.81;
static const integration tr_bdf2 = {"tr_bdf2", CORD_IMPLICIT, CORD_TR_BDF2};

typedef struct probe {
    cord_world *w;
    cord_strand rope;
    const block *b;
    const double *q;
    double *cache;
} probe;

static probe probe_strand(const sliding_kind *k)
{
    probe p = {.w = scene_world_under(&tr_bdf2, gravity)};
    p.rope = sliding_strand(p.w, k, 1e7);
    if (!k->closed) scene_hang(p.w, p.rope, 0);
    scene_advance(p.w, 1e-3, 30); /* away from symmetry */
    p.b = p.w->problem.block[0];
    p.q = p.w->problem.now.q + p.b->q0;
    p.cache = p.w->problem.cache + p.b->cache0;
    p.b->ops->refresh(p.b->model, p.q, p.cache);
    return p;
}

static sliding_jacobian jacobian_at(const probe *p, const double *q, double *cache, int element,
                                    double s, double *J, double *slope)
{
    sliding_jacobian j = {.J = J, .J_s = slope};
    p->b->ops->refresh(p->b->model, q, cache);
    p->b->ops->sliding->jacobian(p->b->model, q, cache, element, s, &j);
    return j;
}

static void apply(const sliding_jacobian *j, const double *matrix, const double *d, double out[3])
{
    v3_set(out, 0, 0, 0);
    for (int run = 0, c = 0; run < j->runs; run++)
        for (int i = 0; i < j->run[run].count; i++, c++)
            v3_axpy(out, d[j->run[run].first + i], matrix + 3 * c);
}

/* Fourth-order differences along the strand and along a motion of it. */
static void check_jacobian(const probe *p, int element, double s)
{
    enum { MOST = 3 * JACOBIAN_DOFS_MAX };
    static const int at[4] = {-2, -1, 1, 2};
    static const double weight[4] = {1 / 12.0, -8 / 12.0, 8 / 12.0, -1 / 12.0};
    const block *b = p->b;
    int dofs = b->shape.dofs, count = b->shape.q_count;
    /* beyond its end an element is extrapolated to the precision of its quadrature */
    double slack = element == b->ops->sliding->element_at(b->model, p->q, s) ? 1 : 100;
    double *d = calloc((size_t)dofs, sizeof *d), *step = calloc((size_t)dofs, sizeof *step);
    double *q = calloc((size_t)count, sizeof *q);
    double *cache = calloc((size_t)b->shape.cache_count, sizeof *cache);
    assert_true(d && step && q && cache);
    double J[MOST], slope[MOST], other[MOST], unused[MOST];
    sliding_jacobian j = jacobian_at(p, p->q, cache, element, s, J, slope);
    double along[3][3] = {{0}}, moved[2][3] = {{0}}, curled[3] = {0}, expected[3];
    double curl[MOST], spin[JACOBIAN_DOFS_MAX];
    j.J_ss = curl, j.tangent_spin = spin;
    b->ops->sliding->jacobian(b->model, p->q, cache, element, s, &j);
    uint64_t random = 7;
    random_vector(&random, dofs, d);
    if (b->ops->set_dependent_dofs) b->ops->set_dependent_dofs(b->model, cache, d);
    const double h = 1e-4;
    for (int k = 0; k < 4; k++) {
        sliding_jacobian n = jacobian_at(p, p->q, cache, element, s + h * at[k], other, unused);
        v3_axpy(along[0], weight[k] / h, n.value);
        v3_axpy(along[1], weight[k] / h, n.r_s);
        v3_axpy(along[2], weight[k] / h, n.r_ss);
        apply(&n, unused, d, expected);
        v3_axpy(curled, weight[k] / h, expected);
    }
    for (int k = 0; k < 4; k++) {
        for (int c = 0; c < dofs; c++) step[c] = at[k] * 1e-3 * d[c];
        memcpy(q, p->q, (size_t)count * sizeof *q);
        b->ops->retract(b->model, q, step);
        sliding_jacobian n = jacobian_at(p, q, cache, element, s, other, unused);
        v3_axpy(moved[0], weight[k] / 1e-3, n.value);
        v3_axpy(moved[1], weight[k] / 1e-3, n.r_s);
    }
    assert_all_close(j.r_s, along[0], 3, 1e-9);
    assert_all_close(j.r_ss, along[1], 3, 1e-7);
    assert_all_close(j.r_sss, along[2], 3, 1e-5);
    apply(&j, curl, d, expected);
    assert_all_close(expected, curled, 3, slack * 1e-5);
    apply(&j, J, d, expected);
    assert_all_close(expected, moved[0], 3, slack * 1e-7);
    apply(&j, slope, d, expected);
    assert_all_close(expected, moved[1], 3, slack * 1e-6);
    free(d), free(step), free(q), free(cache);
}

static void point_jacobians_are_derivatives(void **k)
{
    probe p = probe_strand(*k);
    double L = ((const sliding_kind *)*k)->closed ? 1.3 : 1.1;
    for (int i = 1; i < 12; i++) {
        double s = L * i / 12 + 1e-3;
        int element = p.b->ops->sliding->element_at(p.b->model, p.q, s);
        check_jacobian(&p, element, s);
        if (element > 0) check_jacobian(&p, element - 1, s); /* beyond the end, forwards */
        check_jacobian(&p, element, s - 0.03);               /* and backwards */
    }
    cord_world_destroy(p.w);
}

/* The boundary between two elements: found by bisection. */
static double border(const probe *p, int element, double low, double high)
{
    while (high - low > 1e-15) {
        double middle = 0.5 * (low + high);
        if (middle == low || middle == high) break;
        if (p->b->ops->sliding->element_at(p->b->model, p->q, middle) > element)
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
    enum { MOST = 3 * JACOBIAN_DOFS_MAX };
    double J[MOST], slope[MOST], s = 0;
    int last = p.b->ops->sliding->element_at(p.b->model, p.q, info.length * (k->closed ? 1.2 : 1));
    assert_true(last >= 7);
    for (int element = 0; element < last; element++) {
        s = border(&p, element, s, info.length * 1.5);
        sliding_jacobian a = jacobian_at(&p, p.q, p.cache, element, s, J, slope);
        sliding_jacobian b = jacobian_at(&p, p.q, p.cache, element + 1, s, J, slope);
        assert_all_close(a.value, b.value, 3, 1e-12);
        if (k->tangent) assert_all_close(a.r_s, b.r_s, 3, 1e-11);
        if (k->curvature) assert_all_close(a.r_ss, b.r_ss, 3, 1e-9);
    }
    cord_world_destroy(p.w);
}

/* At vertices it is the strand's own position. */
static void the_curve_is_the_strand(void **given)
{
    const sliding_kind *k = *given;
    cord_world *w = scene_world_under(&tr_bdf2, gravity);
    cord_strand rope = sliding_strand(w, k, 1e7);
    double L = scene_length(w, rope);
    for (int i = 0; i <= 24; i++) {
        double s = L * i / (k->closed ? 25 : 24), prescribed[3], slid[3];
        cord_point a = scene_point(w, rope, s), b = sliding_point(w, rope, s, 0);
        assert_fine(w, cord_point_get_pose(w, a, prescribed, NULL));
        assert_fine(w, cord_point_get_pose(w, b, slid, NULL));
        assert_all_close(prescribed, slid, 3,
                         strcmp(k->model, "der") == 0 ? 2e-4
                         : k->elements == 12          ? 3e-3
                                                      : 1e-12);
    }
    cord_world_destroy(w);
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* Bent and twisted: a configuration other than the initial one; a ring with a closing twist. */
static probe probe_twisted(const sliding_kind *k, double *q)
{
    probe p = probe_strand(k);
    uint64_t random = 5;
    int dofs = p.b->shape.dofs;
    double *d = calloc((size_t)dofs, sizeof *d);
    assert_non_null(d);
    if (k->closed) assert_fine(p.w, cord_strand_set_closing_twist(p.w, p.rope, 0.7));
    random_vector(&random, dofs, d);
    for (int c = 0; c < dofs; c++) d[c] *= 0.01;
    if (p.b->ops->set_dependent_dofs) p.b->ops->set_dependent_dofs(p.b->model, p.cache, d);
    memcpy(q, p.q, (size_t)p.b->shape.q_count * sizeof *q);
    p.b->ops->retract(p.b->model, q, d);
    p.b->ops->refresh(p.b->model, q, p.cache);
    p.q = q;
    free(d);
    return p;
}

typedef struct framed_jacobian {
    sliding_jacobian j;
    double J[3 * JACOBIAN_DOFS_MAX], slope[3 * JACOBIAN_DOFS_MAX], curl[3 * JACOBIAN_DOFS_MAX];
    double spin[JACOBIAN_DOFS_MAX], turning[3 * JACOBIAN_DOFS_MAX], turns[3 * JACOBIAN_DOFS_MAX];
    double curving[JACOBIAN_DOFS_MAX * JACOBIAN_DOFS_MAX];
} framed_jacobian;

static void frame_jacobian_at(const probe *p, const double *q, double *cache, int element, double s,
                              const double torque[3], framed_jacobian *o)
{
    o->j = (sliding_jacobian){.J = o->J,
                              .J_s = o->slope,
                              .J_ss = o->curl,
                              .tangent_spin = o->spin,
                              .rotation_J_s = o->turning,
                              .with_frame = true,
                              .torque = torque,
                              .hessian = o->curving};
    p->b->ops->refresh(p->b->model, q, cache);
    p->b->ops->sliding->jacobian(p->b->model, q, cache, element, s, &o->j);
    assert_true(o->j.has_frame);
    double t[3], inverse = 1 / v3_normalize(t, o->j.r_s);
    assert_all_close(o->j.frame, t, 3, 1e-14);
    for (int c = 0; c < o->j.dofs; c++) {
        v3_cross(o->turns + 3 * c, t, o->slope + 3 * c);
        v3_scale(o->turns + 3 * c, inverse, o->turns + 3 * c);
        v3_axpy(o->turns + 3 * c, o->spin[c], t);
    }
}

/* The rotation vector from one frame to another. */
static void turn_between(const double *from, const double *to, double out[3])
{
    double inverse[9], between[9];
    for (int i = 0; i < 9; i++) inverse[i] = from[3 * (i % 3) + i / 3];
    m3_multiply(between, to, inverse);
    cord__rotation_log(out, between);
}

static double form(const sliding_jacobian *j, const double *d)
{
    double column[JACOBIAN_DOFS_MAX], sum = 0;
    for (int run = 0, c = 0; run < j->runs; run++)
        for (int i = 0; i < j->run[run].count; i++, c++) column[c] = d[j->run[run].first + i];
    for (int a = 0; a < j->dofs; a++)
        for (int b = 0; b < j->dofs; b++)
            sum += column[a] * j->hessian[a * j->dofs + b] * column[b];
    return sum;
}

/* Dofs of a chain that depend on others follow a curved path: adds the second derivatives of that path. */
static void add_bending(const probe *p, const double *start, const double *cache, double scale,
                        double *bend)
{
    const chain_model *c = p->b->model;
    if (!p->b->ops->set_dependent_dofs) return;
    for (int i = 0; i <= c->elements; i++) {
        const chain_node *from = chain_nodes(start) + i, *to = chain_nodes(cache) + i;
        double move[3], turn[3], *column = bend + chain_dof(c, i);
        v3_sub(move, to->position, from->position);
        turn_between(from->frame, to->frame, turn);
        v3_axpy(column, scale, move);
        v3_axpy(column + 3, scale, turn);
    }
}

/* Rate and rotations against differences of the frame; rate_slope, turning and curving against
 * differences of these. */
static void check_frame(const probe *p, int element, double s)
{
    static const int at[4] = {-2, -1, 1, 2};
    static const double weight[4] = {1 / 12.0, -8 / 12.0, 8 / 12.0, -1 / 12.0},
                        second[4] = {-1 / 12.0, 16 / 12.0, 16 / 12.0, -1 / 12.0};
    const block *b = p->b;
    int dofs = b->shape.dofs, count = b->shape.q_count;
    double slack = element == b->ops->sliding->element_at(b->model, p->q, s) ? 1 : 100;
    double *d = calloc((size_t)dofs, sizeof *d), *step = calloc((size_t)dofs, sizeof *step);
    double *q = calloc((size_t)count, sizeof *q);
    double *cache = calloc((size_t)b->shape.cache_count, sizeof *cache);
    double *curved = calloc((size_t)dofs, sizeof *curved);
    framed_jacobian *now = calloc(2, sizeof *now), *other = now + 1;
    assert_true(d && step && q && cache && curved && now);
    double torque[3], turn[3], along[2][3] = {{0}}, turning[3] = {0}, moved[3] = {0}, out[3];
    uint64_t random = 17;
    random_unit(&random, torque);
    random_vector(&random, dofs, d);
    frame_jacobian_at(p, p->q, cache, element, s, torque, now);
    if (b->ops->set_dependent_dofs) b->ops->set_dependent_dofs(b->model, cache, d);
    for (int k = 0; k < 4; k++) {
        const double h = 1e-4;
        frame_jacobian_at(p, p->q, cache, element, s + h * at[k], NULL, other);
        turn_between(now->j.frame, other->j.frame, turn);
        v3_axpy(along[0], weight[k] / h, turn);
        v3_axpy(along[1], weight[k] / h, other->j.frame_rate);
        apply(&other->j, other->turns, d, out);
        v3_axpy(turning, weight[k] / h, out);
    }
    double bend = 0;
    for (int k = 0; k < 4; k++) {
        const double h =
            1e-4; /* h⁴ times 1e12, the fourth power of 1/edge; 1e-15/h² of round-off */
        for (int c = 0; c < dofs; c++) step[c] = at[k] * h * d[c];
        memcpy(q, p->q, (size_t)count * sizeof *q);
        b->ops->retract(b->model, q, step);
        frame_jacobian_at(p, q, cache, element, s, NULL, other);
        add_bending(p, p->cache, cache, second[k] / (h * h), curved);
        turn_between(now->j.frame, other->j.frame, turn);
        v3_axpy(moved, weight[k] / h, turn);
        bend += second[k] / (h * h) * v3_dot(torque, turn);
    }
    assert_all_close(now->j.frame_rate, along[0], 3,
                     slack * 1e-8 * (10 + v3_norm(now->j.frame_rate)));
    assert_all_close(now->j.frame_rate_s, along[1], 3,
                     slack * 1e-6 * (10 + v3_norm(now->j.frame_rate_s)));
    apply(&now->j, now->turning, d, out);
    assert_all_close(out, turning, 3, slack * 2e-4);
    apply(&now->j, now->turns, d, out);
    assert_all_close(out, moved, 3, slack * 1e-6 * (1 + v3_norm(moved)));
    apply(&now->j, now->turns, curved, out);
    double formed = form(&now->j, d) + v3_dot(torque, out);
    if (now->j.has_hessian) assert_close(formed, bend, 1e-5 * (1 + fabs(bend)));
    free(d), free(step), free(q), free(cache), free(curved), free(now);
}

static void frames_are_derivatives(void **k)
{
    double q[4096];
    probe p = probe_twisted(*k, q);
    double L = ((const sliding_kind *)*k)->closed ? 1.3 : 1.1;
    for (int i = 0; i < 13; i++) {
        double s = L * i / 12 + 1e-3;
        int element = p.b->ops->sliding->element_at(p.b->model, p.q, s);
        check_frame(&p, element, s);
        if (element > 0) check_frame(&p, element - 1, s);
        check_frame(&p, element, s - 0.01);
    }
    cord_world_destroy(p.w);
}

/* Frames are continuous, also where a ring closes; except on helices, and on splines for their
 * twist, their rates of rotation are too. */
static void frames_join(void **given)
{
    const sliding_kind *k = *given;
    double q[4096], s = 0;
    probe p = probe_twisted(k, q);
    cord_strand_info info;
    framed_jacobian *a = calloc(2, sizeof *a), *b = a + 1;
    assert_non_null(a);
    ((const strand_ops *)p.b->ops)->info(p.b->model, &info);
    int last = p.b->ops->sliding->element_at(p.b->model, p.q, info.length * (k->closed ? 1.2 : 1));
    for (int element = 0; element < last; element++) {
        s = border(&p, element, s, info.length * 1.5);
        frame_jacobian_at(&p, p.q, p.cache, element, s, NULL, a);
        frame_jacobian_at(&p, p.q, p.cache, element + 1, s, NULL, b);
        assert_all_close(a->j.frame, b->j.frame, 9, 1e-11);
        if (!k->curvature) continue;
        const double *t = a->j.frame;
        bool twists = strcmp(k->model, "spline") == 0;
        double jump[3];
        v3_sub(jump, a->j.frame_rate, b->j.frame_rate);
        if (twists) v3_axpy(jump, -v3_dot(jump, t), t);
        assert_true(v3_norm(jump) < 1e-8 * (1 + v3_norm(a->j.frame_rate)));
    }
    free(a);
    cord_world_destroy(p.w);
}

/* They are the strand's frames: on curves exactly, between the frames of polygons' edges
 * approximately. */
static void frames_are_the_strands(void **given)
{
    const sliding_kind *k = *given;
    double worst = 0;
    sliding_kind wound = *k;
    wound.twist = 3;
    probe p = probe_strand(&wound);
    cord_strand_info info;
    framed_jacobian *a = calloc(1, sizeof *a);
    assert_non_null(a);
    const strand_ops *ops = (const strand_ops *)p.b->ops;
    ops->info(p.b->model, &info);
    int pieces = k->elements > 0 ? k->elements : SLIDING_VERTICES - !k->closed;
    for (int i = 0; i < pieces; i++) {
        double s = info.length * (i + 0.5) / pieces, frame[9], turn[3];
        frame_jacobian_at(&p, p.q, p.cache, p.b->ops->sliding->element_at(p.b->model, p.q, s), s,
                          NULL, a);
        ops->frame_at(p.b->model, p.q, p.cache, s, frame);
        turn_between(frame, a->j.frame, turn);
        worst = fmax(worst, v3_norm(turn));
    }
    print_message("%s%s: off by %.1e\n", k->model, k->closed ? " ring" : "", worst);
    bool polygon = strcmp(k->model, "der") == 0 || strcmp(k->model, "segment") == 0;
    assert_true(
        worst <
        (polygon ? 0.06 : 1e-9)); /* rotation and twist of an edge are a quarter of a radian */
    free(a);
    cord_world_destroy(p.w);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        ON_EVERY(point_jacobians_are_derivatives),
        ON_EVERY(pieces_join),
        ON_EVERY(the_curve_is_the_strand),
        ON_FRAMED(frames_are_derivatives),
        ON_FRAMED(frames_join),
        ON_FRAMED(frames_are_the_strands),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
