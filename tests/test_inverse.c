/* Inverse statics: a chain is at rest in its initial shape, the stability bounds are correct,
 * and it returns after a perturbation. */
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

enum { VERTICES = 81 };

typedef struct plant {
    const char *model;
    bool planar, pinned; /* pinned: hangs from a base that is free to rotate */
    double young;
    double load[3]; /* at 70 % of the length */
    cord_world *world;
    cord_strand strand;
    cord_inverse_result found;
} plant;

static const char *const models[] = {CORD_MODEL_SEGMENT, CORD_MODEL_HELIX, CORD_MODEL_CLOTHOID};

/* A stem that rises and curls over; upside down and hooked up again when it hangs. */
static void draw(const plant *p, double *x)
{
    for (int i = 0; i < VERTICES; i++) {
        double t = (double)i / (VERTICES - 1), *v = x + 3 * (size_t)i;
        v[0] = 0.1 * t + 0.25 * t * t * t;
        v[1] = p->planar ? 0 : 0.05 * sin(4 * t);
        v[2] = p->pinned ? -0.5 * sin(2.6 * t) : 0.5 * sin(2.2 * t);
    }
}

static void hold(plant *p)
{
    if (p->pinned) {
        scene_hang(p->world, p->strand, 0);
    } else {
        assert_fine(p->world,
                    cord_world_clamp_strand(p->world, p->strand, 0, NULL, NULL, NULL, NULL));
    }
}

static void grow(plant *p)
{
    double x[3 * VERTICES];
    cord_world_def world = cord_world_def_default();
    cord_strand_def def = cord_strand_def_default();
    cord_load_def load = cord_load_def_default();
    cord_load ignored;
    draw(p, x);
    assert_int_equal(cord_world_create(&world, &p->world), CORD_OK);
    def.model = p->model;
    def.planar = p->planar;
    def.element_count = strcmp(p->model, CORD_MODEL_SEGMENT) == 0 ? 12 : 5;
    def.vertex_count = VERTICES;
    def.positions = x;
    def.section.radius = 0.004;
    def.material = (cord_material){1000, p->young, 0.5};
    def.damping = 0.1;
    def.drag = 0.2;
    assert_fine(p->world, cord_world_add_strand(p->world, &def, &p->strand));
    hold(p);
    if (p->load[2] == 0) return;
    memcpy(load.force, p->load, sizeof load.force);
    load.point = scene_point(p->world, p->strand, 0.35);
    assert_fine(p->world, cord_world_add_load(p->world, &load, &ignored));
}

static cord_status find(plant *p, bool turn, bool stiffen)
{
    cord_inverse_def def = cord_inverse_def_default();
    def.rotate = turn;
    def.stiffen = stiffen;
    return cord_strand_find_natural_shape(p->world, p->strand, &def, &p->found);
}

static int unstable(const plant *p)
{
    int count = -1;
    assert_fine(p->world, cord_world_count_unstable_directions(p->world, &count, NULL));
    return count;
}

static double moved(const plant *p, const double *from)
{
    double x[3 * VERTICES], worst = 0;
    assert_fine(p->world, cord_strand_get_positions(p->world, p->strand, x));
    for (int i = 0; i < 3 * VERTICES; i++) worst = fmax(worst, fabs(x[i] - from[i]));
    return worst;
}

/* Every model, in the plane and in space, clamped and hung. */
static void for_each(void (*check)(plant *p))
{
    for (int i = 0; i < 12; i++) {
        plant p = {.model = models[i % 3], .planar = i / 3 % 2, .pinned = i / 6, .young = 1e8};
        check(&p);
    }
}

/* ---- at rest ---------------------------------------------------------------------------------- */

static void rests(plant *p)
{
    double x[3 * VERTICES];
    grow(p);
    assert_fine(p->world, find(p, true, true));
    assert_true(p->found.residual < 1e-12);
    assert_true(p->found.stable && unstable(p) == 0);
    assert_fine(p->world, cord_strand_get_positions(p->world, p->strand, x));
    cord_statics_result statics;
    assert_fine(p->world, cord_world_find_equilibrium(p->world, NULL, &statics));
    if (moved(p, x) > 1e-9) fail_msg("%s moved by %g", p->model, moved(p, x));
    for (int i = 0; i < 20; i++) assert_fine(p->world, cord_world_step(p->world, 0.01));
    assert_true(moved(p, x) < 1e-8);
    cord_world_destroy(p->world);
}

static void at_rest_as_drawn(void **state)
{
    (void)state;
    for_each(rests);
}

/* The drawn positions of a clamped chain are not changed. */
static void drawn_shape_is_kept(void **state)
{
    (void)state;
    plant p = {.model = CORD_MODEL_CLOTHOID, .planar = true, .young = 1e8};
    double x[3 * VERTICES];
    grow(&p);
    assert_fine(p.world, cord_strand_get_positions(p.world, p.strand, x));
    assert_fine(p.world, find(&p, true, false));
    assert_true(moved(&p, x) == 0);
    cord_world_destroy(p.world);
}

static void loads_are_borne(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        plant p = {.model = models[i % 3], .planar = i / 3, .young = 1e8};
        p.load[0] = -0.02, p.load[1] = p.planar ? 0 : 0.03, p.load[2] = 0.05;
        rests(&p);
    }
}

/* Loads that are not parallel to the weight: the base rotates until all are balanced. */
static void loads_are_hung(void **state)
{
    (void)state;
    for (int i = 0; i < 12; i++) {
        plant p = {.model = models[i % 3], .planar = i / 3 % 2, .pinned = true, .young = 1e9};
        p.load[0] = i / 6 ? 0 : 0.3, p.load[1] = i / 6 || p.planar ? 0 : -0.1, p.load[2] = -0.2;
        rests(&p);
    }
}

/* The chain's parameters define the same chain. */
static void elements_are_told(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        plant p = {.model = models[i % 3], .planar = i / 3, .young = 1e8};
        double x[3 * VERTICES], k[3 * 13], natural[6 * 12];
        cord_point_def base = cord_point_def_default();
        cord_point point;
        grow(&p);
        assert_fine(p.world, find(&p, false, true));
        assert_fine(p.world, cord_strand_get_positions(p.world, p.strand, x));
        assert_fine(p.world, cord_strand_get_element_curvatures(p.world, p.strand, k, natural));
        cord_strand_info info;
        assert_fine(p.world, cord_strand_get_info(p.world, p.strand, &info));
        cord_strand_def def = cord_strand_def_default();
        base.source = CORD_SOURCE_STRAND, base.strand = p.strand;
        assert_fine(p.world, cord_world_add_point(p.world, &base, &point));
        assert_fine(p.world,
                    cord_point_get_pose(p.world, point, def.base_position, def.base_frame));
        def.model = p.model, def.planar = p.planar, def.element_count = info.element_count;
        def.length = info.length, def.curvatures = k, def.natural_curvatures = natural;
        def.vertex_count = VERTICES;
        def.material = (cord_material){1000, 1e8 * p.found.applied_factor, 0.5};
        def.section.radius = 0.004;
        assert_fine(p.world, cord_world_remove_strand(p.world, p.strand));
        assert_fine(p.world, cord_world_add_strand(p.world, &def, &p.strand));
        hold(&p);
        cord_statics_result statics;
        assert_fine(p.world, cord_world_find_equilibrium(p.world, NULL, &statics));
        double end[3 * VERTICES];
        assert_fine(p.world, cord_strand_get_positions(p.world, p.strand, end));
        assert_all_close(end, x, 3, 1e-12);
        assert_all_close(end + 3 * (VERTICES - 1), x + 3 * (VERTICES - 1), 3, 1e-9);
        cord_world_destroy(p.world);
    }
}

/* ---- bounds ----------------------------------------------------------------------------------- */

static void bound_is_sharp(plant *p)
{
    grow(p);
    assert_fine(p->world, find(p, true, false));
    cord_world_destroy(p->world);
    cord_inverse_result at = p->found;
    if (!(at.sharp_ratio > 0)) fail_msg("%s is stable however soft; not much of a test", p->model);
    assert_true(at.sufficient_ratio >= at.sharp_ratio * (1 - 1e-12)); /* equal for planar arcs */
    assert_close(at.stability_factor, at.sharp_ratio / at.stiffness_ratio,
                 1e-12 * at.stability_factor);
    double young = p->young;
    for (int below = 0; below < 2; below++) {
        p->young = young * at.stability_factor * (below ? 0.99 : 1.01);
        grow(p);
        assert_fine(p->world, find(p, true, false));
        assert_close(p->found.sharp_ratio, at.sharp_ratio, 1e-6 * at.sharp_ratio);
        assert_close(p->found.sufficient_ratio, at.sufficient_ratio, 1e-6 * at.sufficient_ratio);
        assert_int_equal(p->found.stable, !below);
        if ((unstable(p) > 0) != below) fail_msg("%s: %d unstable", p->model, unstable(p));
        cord_world_destroy(p->world);
    }
}

static void bounds_are_sharp(void **state)
{
    (void)state;
    for_each(bound_is_sharp);
}

static void stiffens(plant *p)
{
    p->young = 1e3;
    grow(p);
    cord_strand_info before, after;
    assert_fine(p->world, cord_strand_get_info(p->world, p->strand, &before));
    assert_fine(p->world, find(p, true, false));
    assert_true(!p->found.stable && p->found.stability_factor > 1 && p->found.applied_factor == 1);
    double needed = p->found.stability_factor;
    assert_fine(p->world, find(p, true, true));
    assert_close(p->found.applied_factor, 1.1 * needed, 1e-9 * needed);
    assert_true(p->found.stable && p->found.residual < 1e-11 && unstable(p) == 0);
    assert_fine(p->world, cord_strand_get_info(p->world, p->strand, &after));
    assert_close(after.bending[0], p->found.applied_factor * before.bending[0],
                 1e-9 * after.bending[0]);
    cord_world_destroy(p->world);
}

static void stiffened_is_stable(void **state)
{
    (void)state;
    for_each(stiffens);
}

/* ---- perturbations ---------------------------------------------------------------------------- */

static void push(const plant *p)
{
    double v[3 * VERTICES];
    for (int i = 0; i < VERTICES; i++) {
        double s = (double)i / (VERTICES - 1);
        v[3 * i] = 0.3 * s * s, v[3 * i + 1] = p->planar ? 0 : 0.2 * s * s, v[3 * i + 2] = 0.1 * s;
    }
    assert_fine(p->world, cord_strand_set_velocities(p->world, p->strand, v));
}

/* Twice as stiff as necessary, with damping and drag. */
static void comes_back_to(plant *p)
{
    double x[3 * VERTICES], farthest = 0;
    cord_inverse_def def = {.rotate = true, .stiffen = true, .margin = 1};
    p->young = 1e3;
    grow(p);
    assert_fine(p->world, cord_strand_find_natural_shape(p->world, p->strand, &def, &p->found));
    assert_fine(p->world, cord_strand_get_positions(p->world, p->strand, x));
    push(p);
    for (int i = 0; i < 600; i++) {
        assert_fine(p->world, cord_world_step(p->world, 0.02));
        farthest = fmax(farthest, moved(p, x));
    }
    double left = moved(p, x);
    assert_true(farthest > 1e-3);
    if (left > 1e-6 * 0.6) fail_msg("%s is %g away, was %g", p->model, left, farthest);
    cord_world_destroy(p->world);
}

/* In space, hung: rotation about the vertical is neutral, and does not return. */
static void pushed_comes_back(void **state)
{
    (void)state;
    for (int i = 0; i < 9; i++) {
        plant p = {.model = models[i % 3], .planar = i / 3 > 0, .pinned = i / 3 > 1};
        comes_back_to(&p);
    }
}

/* ---- refused ---------------------------------------------------------------------------------- */

static void off_balance(void **state)
{
    (void)state;
    plant p = {.model = CORD_MODEL_HELIX, .planar = true, .pinned = true, .young = 1e8};
    double x[3 * VERTICES];
    grow(&p);
    assert_fine(p.world, cord_strand_get_positions(p.world, p.strand, x));
    uint64_t before = scene_hash(p.world);
    assert_int_equal(find(&p, false, false), CORD_ERROR_UNSTABLE);
    assert_non_null(strstr(cord_world_get_error(p.world), "off balance"));
    assert_true(moved(&p, x) == 0 && scene_hash(p.world) == before);
    cord_world_destroy(p.world);
}

/* Straight up from a hinge: in equilibrium, but no stiffness makes it stable. */
static void falls_over(void **state)
{
    (void)state;
    for (int planar = 0; planar < 2; planar++) {
        cord_world *world = scene_world(integrations + TR_BDF2);
        cord_strand_def def = cord_strand_def_default();
        cord_strand strand;
        double x[6] = {0, 0, 0, 0, 0, 0.5};
        def.model = CORD_MODEL_CLOTHOID;
        def.element_count = 1;
        def.planar = planar;
        def.vertex_count = 2;
        def.positions = x;
        assert_fine(world, cord_world_add_strand(world, &def, &strand));
        scene_hang(world, strand, 0);
        cord_inverse_def inverse = {.stiffen = true, .margin = 1};
        assert_int_equal(cord_strand_find_natural_shape(world, strand, &inverse, NULL),
                         CORD_ERROR_UNSTABLE);
        assert_non_null(strstr(cord_world_get_error(world), "falls over"));
        cord_world_destroy(world);
    }
}

static void wrong_arguments(void **state)
{
    (void)state;
    plant p = {.model = CORD_MODEL_CLOTHOID, .young = 1e8};
    cord_inverse_def def = cord_inverse_def_default();
    double space[3];
    grow(&p);
    assert_int_equal(cord_strand_find_natural_shape(NULL, p.strand, NULL, NULL),
                     CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_strand_find_natural_shape(p.world, (cord_strand){0}, NULL, NULL),
                     CORD_ERROR_HANDLE);
    const double bad[] = {-0.1, INFINITY, NAN};
    for (int i = 0; i < 3; i++) {
        def.margin = bad[i];
        assert_int_equal(cord_strand_find_natural_shape(p.world, p.strand, &def, NULL),
                         CORD_ERROR_ARGUMENT);
    }
    assert_fine(p.world, cord_strand_find_natural_shape(p.world, p.strand, NULL, NULL));
    cord_strand rope =
        scene_rope(p.world, NULL, "rope", 8, (double[]){0, 1, 0}, (double[]){1, 1, 0});
    assert_int_equal(cord_strand_find_natural_shape(p.world, rope, NULL, NULL),
                     CORD_ERROR_UNSUPPORTED);
    assert_non_null(strstr(cord_world_get_error(p.world), "der"));
    assert_int_equal(cord_strand_get_element_curvatures(p.world, rope, space, NULL),
                     CORD_ERROR_UNSUPPORTED);
    assert_int_equal(cord_strand_get_element_curvatures(p.world, p.strand, NULL, NULL),
                     CORD_ERROR_ARGUMENT);
    cord_world_destroy(p.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_rest_as_drawn),    cmocka_unit_test(drawn_shape_is_kept),
        cmocka_unit_test(loads_are_borne),     cmocka_unit_test(loads_are_hung),
        cmocka_unit_test(elements_are_told),   cmocka_unit_test(bounds_are_sharp),
        cmocka_unit_test(stiffened_is_stable), cmocka_unit_test(pushed_comes_back),
        cmocka_unit_test(off_balance),         cmocka_unit_test(falls_over),
        cmocka_unit_test(wrong_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
