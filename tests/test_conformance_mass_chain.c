/* A chain of point masses passes the conformance suite: the interface supports a second model. */
#include "support/conformance.h"
#include "support/mass_chain.h"
#include "support/test.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

static void curved(conformance_shape *shape, cord_strand_def *def)
{
    def->vertex_count = 8;
    for (int i = 0; i < 8; i++) {
        double s = 0.1 * i + 0.01 * (i % 3);
        double x[3] = {s, 0.3 * sin(3 * s), 0.2 * s * s};
        for (int k = 0; k < 3; k++) shape->positions[3 * i + k] = x[k];
    }
    def->positions = shape->positions;
    def->section = (cord_section){.kind = CORD_SECTION_EXPLICIT,
                                  .mass = 0.1,
                                  .stretching = 50,
                                  .bending = {1, 1},
                                  .twisting = 1,
                                  .radius = 0.01};
}

static void damped(conformance_shape *shape, cord_strand_def *def)
{
    curved(shape, def);
    def->damping = 0.01;
    def->drag = 0.3;
}

static const conformance_case cases[] = {
    {.name = "springs",
     .ops = &mass_chain,
     .define = curved,
     .rigid = mass_chain_rigid,
     .no_frames = true,
     .step = 1e-3},
    {.name = "damped springs",
     .ops = &mass_chain,
     .define = damped,
     .rigid = mass_chain_rigid,
     .no_frames = true,
     .step = 1e-3},
};
enum { CASES = sizeof cases / sizeof *cases };

/* The middle of a chain that hangs between two points: the sag, second order in the element. */
static double sag(int elements)
{
    enum { MOST = 200 };
    static double x[3 * (MOST + 1)];
    cord_strand_def def = cord_strand_def_default();
    memset(x, 0, sizeof x);
    for (int i = 0; i <= elements; i++) x[3 * i] = (double)i / elements;
    def.vertex_count = elements + 1;
    def.positions = x;
    def.section = (cord_section){.kind = CORD_SECTION_EXPLICIT,
                                 .mass = 0.1,
                                 .stretching = 5,
                                 .bending = {1, 1},
                                 .twisting = 1,
                                 .radius = 0.01};
    cord_world *world;
    cord_strand rope;
    assert_int_equal(cord_world_create(NULL, &world), CORD_OK);
    assert_int_equal(cord__world_add_strand(world, &mass_chain, &def, &rope), CORD_OK);
    for (int i = 0; i < 2; i++) {
        cord_point_def on = cord_point_def_default(), at = cord_point_def_default();
        cord_constraint_def hold = cord_constraint_def_default();
        cord_constraint held;
        on.source = CORD_SOURCE_STRAND;
        on.strand = rope;
        on.s = at.position[0] = i;
        assert_int_equal(cord_world_add_point(world, &on, &hold.first), CORD_OK);
        assert_int_equal(cord_world_add_point(world, &at, &hold.second), CORD_OK);
        assert_int_equal(cord_world_add_constraint(world, &hold, &held), CORD_OK);
    }
    /* Straight springs without tension have no transverse stiffness: start from a shallow arc. */
    for (int i = 0; i <= elements; i++) x[3 * i + 2] = -0.1 * sin(3.14159265358979 * x[3 * i]);
    assert_int_equal(cord_strand_set_positions(world, rope, x), CORD_OK);
    cord_status status = cord_world_find_equilibrium(world, NULL, NULL);
    if (status != CORD_OK) print_error("%s\n", cord_world_get_error(world));
    assert_int_equal(status, CORD_OK);
    assert_int_equal(cord_strand_get_positions(world, rope, x), CORD_OK);
    cord_world_destroy(world);
    return x[3 * (elements / 2) + 2];
}

static void refinement(void **unused)
{
    (void)unused;
    const conformance_refinement with = {"sag of a chain", sag, 16, 2};
    conformance_refine(&with);
}

/* Functions that the model does not have are refused, not called. */
static void missing_queries(void **unused)
{
    (void)unused;
    conformance_shape shape = {0};
    cord_strand_def def = cord_strand_def_default();
    curved(&shape, &def);
    cord_world *world;
    cord_strand rope;
    double out[9 * CONFORMANCE_VERTICES];
    assert_int_equal(cord_world_create(NULL, &world), CORD_OK);
    assert_int_equal(cord__world_add_strand(world, &mass_chain, &def, &rope), CORD_OK);
    assert_int_equal(cord_strand_get_frames(world, rope, out), CORD_ERROR_UNSUPPORTED);
    assert_int_equal(cord_strand_get_curvatures(world, rope, out), CORD_ERROR_UNSUPPORTED);
    assert_int_equal(cord_strand_get_angles(world, rope, out), CORD_ERROR_UNSUPPORTED);
    assert_int_equal(cord_strand_get_tensions(world, rope, out), CORD_OK);
    assert_int_equal(cord_strand_set_closing_twist(world, rope, 1), CORD_ERROR_UNSUPPORTED);
    assert_int_equal(cord_world_clamp_strand(world, rope, 0, NULL, NULL, NULL, NULL),
                     CORD_ERROR_UNSUPPORTED);
    cord_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refinement),
        cmocka_unit_test(missing_queries),
    };
    return conformance_group(cases, CASES, tests, sizeof tests / sizeof *tests);
}
