/* Tangents of sliding points: their rows against differences, oriented keyholes, on every model. */
#include "math/vec3.h"
#include "support/constraint_rows.h"
#include "support/scenes.h"
#include "support/sliding.h"
#include "support/test.h"
#include "world/world.h"

#include <string.h>

static const double pi = 3.14159265358979323846, gravity = 9.81;
static const integration tr_bdf2 = {"tr_bdf2", CORD_IMPLICIT, CORD_TR_BDF2},
                         midpoint = {"midpoint", CORD_MIDPOINT, CORD_TR_BDF2};

static const sliding_kind kinds[] = {
    {.model = "der"},
    {.model = "der", .closed = true},
    {.model = "segment", .elements = 12},
    {.model = "helix", .elements = 8},
    {.model = "clothoid", .elements = 8},
    {.model = "spline", .elements = 16},
    {.model = "helix", .planar = true, .elements = 8},
    {.model = "clothoid", .planar = true, .elements = 8},
};

static void tangent_of(cord_world *w, cord_point handle, double t[3])
{
    pose out;
    const point *p = w->points.item[handle.index - 1];
    cord__refresh_all(w);
    cord__sliding_pose(&w->problem, p, w->problem.now.q, w->problem.cache, &out);
    v3_copy(t, out.frame);
}

static cord_constraint parallel(cord_world *w, cord_point first, cord_point second,
                                const double direction[3])
{
    cord_constraint_def def = cord_constraint_def_default();
    def.kind = CORD_PARALLEL;
    def.first = first, def.second = second;
    v3_copy(def.direction, direction);
    return scene_relate(w, &def);
}

/* ---- rows are derivatives -------------------------------------------------------------------- */

static void rows_are_derivatives(void **given)
{
    const sliding_kind *k = *given;
    cord_world *w = scene_world_under(&tr_bdf2, gravity);
    cord_strand rope = sliding_strand(w, k, 1e7);
    if (!k->closed) scene_hang(w, rope, 0);
    cord_point first = sliding_point(w, rope, 0.303, 0), second = sliding_point(w, rope, 0.847, 0);
    cord_point body = scene_point(w, rope, 0.5);
    scene_advance(w, 1e-3, 30);
    const double x[3] = {1, 0, 0}, skew[3] = {0.3, 0.5, 0.8};
    cord_constraint held[4];
    held[0] = parallel(w, first, (cord_point){0, 0}, skew);
    held[1] = parallel(w, first, second, x); /* normals of the second count */
    held[2] = parallel(w, body, second, x);
    cord_constraint_def def = cord_constraint_def_default();
    def.kind = CORD_PERPENDICULAR;
    def.first = first, def.second = second;
    def.first_direction[0] = -1;
    v3_copy(def.direction, x);
    held[3] = scene_relate(w, &def);
    for (int i = 0; i < 4; i++) check_row_rates(w, held[i], 1e-6);
    bool linear = strcmp(k->model, CORD_MODEL_DER) == 0 || strcmp(k->model, CORD_MODEL_SPLINE) == 0;
    if (linear) check_row_curvature(w, held[0], 1e-6);
    if (linear) check_row_curvature(w, held[3], 1e-6);
    cord_world_destroy(w);
}

/* ---- oriented keyholes ----------------------------------------------------------------------- */

/* A rope falls through a keyhole that also constrains its direction. */
static void oriented_keyholes_keep_energy(void **given)
{
    const sliding_kind *k = *given;
    cord_world *w = scene_world_under(&midpoint, k->closed ? 0 : gravity);
    cord_strand rope = sliding_strand(w, k, 1e6);
    double worst = 0, low = 9, high = 0, t[3], now[3], cross[3], v[3 * SLIDING_VERTICES];
    for (int i = 0; k->closed && i < SLIDING_VERTICES; i++) /* a ring runs through the keyhole */
        v3_set(v + 3 * i, -sin(2 * pi * i / SLIDING_VERTICES), cos(2 * pi * i / SLIDING_VERTICES),
               0);
    if (k->closed) assert_fine(w, cord_strand_set_velocities(w, rope, v));
    cord_point p = sliding_point(w, rope, 0.45, 0);
    tangent_of(w, p, t);
    cord_constraint hold = scene_constraint(w, CORD_COINCIDE, p, scene_place_of(w, p));
    cord_constraint turn = parallel(w, p, (cord_point){0, 0}, t);
    assert_fine(w, cord_world_step(w, 1e-3));
    cord_energy e0 = scene_energy(w);
    cord_counters before, after;
    assert_fine(w, cord_world_get_counters(w, &before));
    double kinetic = 0, torque[3] = {0, 0, 0};
    int steps = 0;
    for (; steps < 200; steps++) {
        assert_fine(w, cord_world_step(w, 1e-3));
        double s = scene_coordinate(w, p, NULL), T[3];
        low = fmin(low, s), high = fmax(high, s);
        if (!k->closed && (s < 0.05 || s > 1.05)) break;
        cord_energy e = scene_energy(w);
        kinetic = fmax(kinetic, e.kinetic);
        worst = fmax(worst, fabs(e.total - e0.total));
        assert_true(scene_gap(w, hold) < 1e-7 && scene_gap(w, turn) < 1e-6);
        tangent_of(w, p, now);
        v3_cross(cross, t, now);
        assert_true(v3_norm(cross) < 1e-6 && v3_dot(t, now) > 0);
        assert_fine(w, cord_constraint_get_force(w, turn, NULL, T));
        if (v3_norm(T) > v3_norm(torque)) v3_copy(torque, T);
    }
    assert_fine(w, cord_world_get_counters(w, &after));
    print_message("%s%s%s: over %g m, energy %.1e, torque %g N m, %.2f iterations a step\n",
                  k->model, k->closed ? " ring" : "", k->planar ? " planar" : "", high - low,
                  worst / kinetic, v3_norm(torque),
                  (double)(after.newton_iterations - before.newton_iterations) / (steps + 1));
    assert_true(high - low > 0.01);
    assert_true(v3_norm(torque) > 1e-4);
    assert_true(worst < (strcmp(k->model, "clothoid") == 0 ? 5e-7 : 1e-9) * kinetic);
    cord_world_destroy(w);
}

/* A limp end leans out of a nozzle that constrains its direction: the elastica of that length,
 * clamped at 45 degrees under its weight. The other side hangs likewise, and is long enough to
 * be clear of it. */
static void statics_is_the_elastica(void **given)
{
    const sliding_kind *k = *given;
    bool chain = k->elements > 0 && strcmp(k->model, CORD_MODEL_SPLINE) != 0;
    enum { POINTS = 51 };
    const double L = 0.5, out = 0.35, c = sqrt(0.5), radius = 2e-3;
    double x[3 * POINTS], tip[3];
    for (int i = 0; i < POINTS; i++) {
        double s = L * i / (POINTS - 1) - (L - out);
        v3_set(x + 3 * i, c * s, 0, c * s);
    }
    cord_world *w = scene_world_under(&tr_bdf2, gravity);
    cord_strand_def def = cord_strand_def_default();
    cord_strand cord;
    def.model = k->model;
    def.planar = k->planar;
    def.vertex_count = POINTS;
    def.positions = x;
    def.element_count = chain ? 40 : k->elements;
    def.section.radius = radius;
    def.material = (cord_material){950, 2e8, 0.4};
    assert_fine(w, cord_world_add_strand(w, &def, &cord));
    cord_point p = sliding_point(w, cord, L - out, 0), hole = scene_place_of(w, p);
    const double direction[3] = {1, 0, 1};
    scene_constraint(w, CORD_COINCIDE, p, hole);
    parallel(w, p, hole, direction);
    cord_constraint_def stay = cord_constraint_def_default();
    stay.kind = CORD_SLIDE;
    stay.first = p;
    scene_relate(w, &stay);
    cord_statics_result found;
    assert_fine(w, cord_world_find_equilibrium(w, NULL, &found));
    assert_fine(w, cord_point_get_pose(w, scene_point(w, cord, L), tip, NULL));
    print_message("%s%s: %d iterations, tip %.5f %.5f\n", k->model, k->planar ? " planar" : "",
                  found.iterations, tip[0], tip[2]);
    assert_int_equal(found.unstable_directions, 0);
    /* by shooting, EI = 2e8 π r⁴/4, to six digits */
    assert_close(tip[0], 0.292691, 2e-3);
    assert_close(tip[2], 0.189851, 2e-3);
    cord_world_destroy(w);
}

/* ---- whole frames ---------------------------------------------------------------------------- */

/* Each with as many elements as the derivatives of a frame, and a twist, require. */
typedef struct framed_kind {
    sliding_kind on;
    int vertices, elements; /* of a straight rod of 1 m, with nodes at 0.2 and 0.4 m */
    double off;             /* of its twist there, between a clamp and a slot */
} framed_kind;

static const framed_kind framed[] = {
    {{.model = "helix", .elements = 8}, 2, 5, 1e-4},
    {{.model = "clothoid", .elements = 8}, 2, 20, 0.04},
    {{.model = "spline", .elements = 16}, 21, 23, 1e-4},
    {{.model = "der"}, 81, 0, 0.02},
    {{.model = "segment", .elements = 12}, 81, 80, 0.02},
};

/* align, angle about a tangent, and directions other than the tangent, on models with frames. */
static void frames_are_derivatives(void **given)
{
    const framed_kind *k = *given;
    cord_world *w = scene_world_under(&tr_bdf2, gravity);
    cord_strand rope = sliding_strand(w, &k->on, 1e7);
    scene_hang(w, rope, 0);
    cord_point first = sliding_point(w, rope, 0.303, 0), second = sliding_point(w, rope, 0.847, 0);
    scene_advance(w, 1e-3, 30);
    cord_constraint_def def = cord_constraint_def_default();
    cord_constraint held[5];
    def.first = first;
    def.kind = CORD_ALIGN;
    held[0] = scene_relate(w, &def);
    def.second = second;
    held[1] = scene_relate(w, &def);
    def.kind = CORD_ANGLE;
    v3_set(def.direction, 1, 0, 0);
    v3_set(def.first_direction, 0, 1, 0);
    held[2] = scene_relate(w, &def);
    def.kind = CORD_PERPENDICULAR;
    v3_set(def.direction, 0, 1, 0);
    v3_set(def.first_direction, 0.3, 0.2, 0.9);
    held[3] = scene_relate(w, &def);
    def.kind = CORD_PARALLEL;
    held[4] = scene_relate(w, &def);
    for (int i = 0; i < 5; i++) check_row_rates(w, held[i], 1e-6);
    cord_world_destroy(w);
}

/* On a ring of three vertices a point has one of them on both sides. */
static void triangles_are_derivatives(void **unused)
{
    (void)unused;
    const double x[9] = {0, 0, 0, 1, 0.1, 0, 0.4, 0.9, 0.2};
    cord_world *w = scene_world_under(&tr_bdf2, 0);
    cord_strand_def def = cord_strand_def_default();
    def.vertex_count = 3, def.positions = x, def.closed = true;
    def.closing_twist = 0.5;
    cord_strand ring = scene_strand(w, &def);
    cord_point p = sliding_point(w, ring, 0.37, 0);
    const double skew[3] = {0.3, 0.5, 0.8};
    cord_constraint_def slot = cord_constraint_def_default();
    slot.first = p;
    cord_constraint held[3] = {scene_relate(w, &slot), parallel(w, p, (cord_point){0, 0}, skew)};
    slot.kind = CORD_ALIGN;
    held[2] = scene_relate(w, &slot);
    for (int i = 0; i < 3; i++) check_row_rates(w, held[i], 1e-6);
    for (int i = 0; i < 3; i++) check_row_curvature(w, held[i], 1e-6);
    cord_world_destroy(w);
}

/* A straight rod runs through a slot that prevents its rotation; its start is rotated about its
 * axis. Between the two it is twisted, with GJ φ/s, also after it was drawn further. Both times
 * the slot is at a node, where the twist of a helix may jump; that of clothoids is continuous,
 * and resolves the jump over several elements. */
static void slot_holds_twist(void **given)
{
    const framed_kind *k = *given;
    cord_world *w = scene_world_under(&tr_bdf2, 0);
    double x[3 * 81];
    const double turned = 0.3, radius = 0.01, shear = 1e6 / 3;
    const double gj = shear * 0.5 * pi * radius * radius * radius * radius;
    cord_strand_def def = cord_strand_def_default();
    cord_strand rope;
    for (int i = 0; i < k->vertices; i++) v3_set(x + 3 * i, i / (k->vertices - 1.0), 0, 0);
    def.model = k->on.model;
    def.vertex_count = k->vertices, def.positions = x;
    def.element_count = k->elements;
    def.section.radius = radius;
    def.material.young = 1e6, def.material.poisson = 0.5;
    def.damping = 0.02;
    assert_fine(w, cord_world_add_strand(w, &def, &rope));
    cord_point_def script = cord_point_def_default();
    double times[4] = {0, 0.2, 1.5, 1.7};
    double turns[12] = {0, 0, 0, turned, 0, 0, turned, 0, 0, turned, 0, 0};
    double moves[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0.2, 0, 0};
    script.rotation = (cord_keys){4, times, turns, CORD_EASE_SMOOTH};
    script.motion = (cord_keys){4, times, moves, CORD_EASE_SMOOTH};
    assert_fine(w, cord_world_clamp_strand(w, rope, 0, &script, NULL, NULL, NULL));
    cord_point p = sliding_point(w, rope, 0.4, 0);
    cord_constraint_def slot = cord_constraint_def_default();
    slot.first = p, slot.second = scene_place_of(w, p);
    scene_relate(w, &slot);
    slot.kind = CORD_ALIGN;
    cord_constraint held = scene_relate(w, &slot);
    for (int i = 0; i < 2; i++) {
        double until = i == 0 ? 1.5 : 3.2, s = i == 0 ? 0.4 : 0.2, force[3], torque[3];
        while (cord_world_get_time(w) < until - 1e-9) assert_fine(w, cord_world_step(w, 2e-3));
        assert_close(scene_coordinate(w, p, NULL), s, 1e-9);
        assert_close(scene_gap(w, held), 0, 1e-8);
        assert_fine(w, cord_constraint_get_force(w, held, force, torque));
        double ratio = -torque[0] * s / (gj * turned);
        print_message("%s: twisted over %g m, %.5f of GJ φ/s\n", k->on.model, s, ratio);
        assert_close(ratio, 1, k->off);
    }
    cord_world_destroy(w);
}

/* Velocities along the strand. */
static void run_along(cord_world *w, cord_strand rope, bool closed, double speed)
{
    enum { N = SLIDING_VERTICES };
    double x[3 * N], v[3 * N];
    assert_fine(w, cord_strand_get_positions(w, rope, x));
    for (int i = 0; i < N; i++) {
        int from = i > 0 ? i - 1 : closed ? N - 1 : 0, to = i < N - 1 ? i + 1 : closed ? 0 : i;
        v3_sub(v + 3 * i, x + 3 * to, x + 3 * from);
        v3_normalize(v + 3 * i, v + 3 * i);
        v3_scale(v + 3 * i, speed, v + 3 * i);
    }
    assert_fine(w, cord_strand_set_velocities(w, rope, v));
}

/* A twisted strand slides along itself through a slot, over many elements: `midpoint` conserves
 * the energy. */
static void slots_keep_energy_on_the_way(void **given)
{
    const sliding_kind *k = *given;
    cord_world *w = scene_world_under(&midpoint, 0);
    cord_strand rope = sliding_strand(w, k, 1e7);
    double worst = 0, low = 9, high = 0, kinetic = 0, most = 0;
    run_along(w, rope, k->closed, 1);
    cord_constraint_def slot = cord_constraint_def_default();
    slot.first = sliding_point(w, rope, 0.45, 0), slot.second = scene_place_of(w, slot.first);
    cord_constraint place = scene_relate(w, &slot);
    slot.kind = CORD_ALIGN;
    cord_constraint held = scene_relate(w, &slot);
    assert_fine(w, cord_world_step(w, 1e-3));
    cord_energy start = scene_energy(w);
    for (int i = 0; i < 200; i++) {
        assert_fine(w, cord_world_step(w, 1e-3));
        double s = scene_coordinate(w, slot.first, NULL), torque[3];
        if (!k->closed && (s < 0.05 || s > 1.05)) break;
        low = fmin(low, s), high = fmax(high, s);
        cord_energy now = scene_energy(w);
        kinetic = fmax(kinetic, now.kinetic);
        worst = fmax(worst, fabs(now.total - start.total));
        assert_true(scene_gap(w, place) < 1e-7 && scene_gap(w, held) < 1e-6);
        assert_fine(w, cord_constraint_get_force(w, held, NULL, torque));
        most = fmax(most, v3_norm(torque));
    }
    print_message("%s%s: over %g m, energy %.1e, torque %g N m\n", k->model,
                  k->closed ? " ring" : "", high - low, worst / kinetic, most);
    assert_true(high - low > 0.06);
    assert_true(most > 1e-4);
    /* chains apply the energy-correcting force, as far as their curvatures allow */
    bool chain = !k->closed && strcmp(k->model, "spline") != 0 && strcmp(k->model, "der") != 0;
    assert_true(worst < (chain ? 2e-5 : 1e-11) * kinetic);
    cord_world_destroy(w);
}

static const sliding_kind twisted[] = {
    {.model = "helix", .elements = 8, .twist = 4},
    {.model = "clothoid", .elements = 8, .twist = 4},
    {.model = "spline", .elements = 16, .twist = 4},
    {.model = "der", .twist = 4},
    {.model = "segment", .elements = 12, .twist = 4},
    {.model = "spline", .closed = true, .twist = 4},
    {.model = "der", .closed = true, .twist = 4},
};

/* A hanging strand swings through a slot that constrains its frame; `midpoint` conserves the
 * energy. */
static void slot_keeps_energy(void **given)
{
    const framed_kind *k = *given;
    cord_world *w = scene_world_under(&midpoint, gravity);
    cord_strand rope = sliding_strand(w, &k->on, 1e7);
    scene_hang(w, rope, 0);
    cord_constraint_def slot = cord_constraint_def_default();
    slot.first = sliding_point(w, rope, 0.4, 0), slot.second = scene_place_of(w, slot.first);
    scene_relate(w, &slot);
    slot.kind = CORD_ALIGN;
    cord_constraint held = scene_relate(w, &slot);
    cord_energy start = scene_energy(w);
    double most = 0, off = 0;
    for (int i = 0; i < 300; i++) {
        assert_fine(w, cord_world_step(w, 1e-3));
        cord_energy now = scene_energy(w);
        most = fmax(most, now.kinetic);
        off = fmax(off, fabs(now.total - start.total));
    }
    print_message("%s: energy %.1e of %g J, s %g\n", k->on.model, off, most,
                  scene_coordinate(w, slot.first, NULL));
    assert_close(scene_gap(w, held), 0, 1e-8);
    assert_true(off < 1e-7 * most);
    cord_world_destroy(w);
}

#define TWISTED(test, i) cmocka_unit_test_prestate(test, (void *)&twisted[i])
#define ON_FRAME(test, i) cmocka_unit_test_prestate(test, (void *)&framed[i])
#define ON(test, i) cmocka_unit_test_prestate(test, (void *)&kinds[i])
/* Under the sanitizers a rod and a chain stand for all. */
#ifdef __SANITIZE_ADDRESS__
#define ON_ALL(test) ON(test, 0), ON(test, 4)
#define ON_FRAMES(test) ON_FRAME(test, 1), ON_FRAME(test, 3)
#define ON_TWISTED(test) TWISTED(test, 2), TWISTED(test, 6)
#else
#define ON_ALL(test)                                                                               \
    ON(test, 0), ON(test, 1), ON(test, 2), ON(test, 3), ON(test, 4), ON(test, 5), ON(test, 6),     \
        ON(test, 7)
#define ON_FRAMES(test)                                                                            \
    ON_FRAME(test, 0), ON_FRAME(test, 1), ON_FRAME(test, 2), ON_FRAME(test, 3), ON_FRAME(test, 4)
#define ON_TWISTED(test)                                                                           \
    TWISTED(test, 0), TWISTED(test, 1), TWISTED(test, 2), TWISTED(test, 3), TWISTED(test, 4),      \
        TWISTED(test, 5), TWISTED(test, 6)
#endif

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        ON_ALL(rows_are_derivatives),
        ON_ALL(oriented_keyholes_keep_energy),
        /* chains in space would spin about themselves without resistance */
        ON(statics_is_the_elastica, 0),
        ON(statics_is_the_elastica, 2),
        ON(statics_is_the_elastica, 3),
        ON(statics_is_the_elastica, 4),
        ON(statics_is_the_elastica, 5),
        ON(statics_is_the_elastica, 6),
        ON(statics_is_the_elastica, 7),
        ON_FRAMES(frames_are_derivatives),
        cmocka_unit_test(triangles_are_derivatives),
        ON_FRAMES(slot_holds_twist),
        ON_FRAMES(slot_keeps_energy),
        ON_TWISTED(slots_keep_energy_on_the_way),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
