/* Discrete elastic rods through the conformance suite: open and closed, isotropic and not,
 * straight and naturally curved, inextensible and elastic, with quasistatic and dynamic twist,
 * damped, with frames clamped at ends and inside. */
#include "math/vec3.h"
#include "strand/der/der.h"
#include "support/conformance_rods.h"
#include "support/test.h"
#include "world/world.h"

/* x: w × x, θ: w · t, vertex frames: w. */
static void rigid(const void *model, const double *q, const double *cache, const double u[3],
                  const double w[3], double *v)
{
    const der *d = model;
    const der_edge *edge = der_edges(cache);
    for (int i = 0; i < d->n; i++) {
        v3_cross(v + 4 * i, w, q + 3 * i);
        v3_add(v + 4 * i, v + 4 * i, u);
    }
    for (int j = 0; j < d->edges; j++) v[4 * j + 3] = v3_dot(w, edge[j].t);
    for (int p = 0; p < d->frame_count; p++) v3_copy(v + der_vertex_frame_dof(d, p), w);
}

static void inextensible_dynamic(conformance_shape *shape, cord_strand_def *def)
{
    rod_inextensible(shape, def);
    def->twist_mode = CORD_TWIST_DYNAMIC;
}

static void inextensible_sine(conformance_shape *shape, cord_strand_def *def)
{
    rod_inextensible(shape, def);
    def->curvature = CORD_CURVATURE_SINE;
}

static void inextensible_tangent(conformance_shape *shape, cord_strand_def *def)
{
    rod_inextensible(shape, def);
    def->curvature = CORD_CURVATURE_TANGENT;
}

static void anisotropic_tangent(conformance_shape *shape, cord_strand_def *def)
{
    rod_anisotropic(shape, def);
    def->curvature = CORD_CURVATURE_TANGENT;
}

static void anisotropic_sine(conformance_shape *shape, cord_strand_def *def)
{
    rod_anisotropic(shape, def);
    def->curvature = CORD_CURVATURE_SINE;
}

#define DER .ops = &cord__der, .rigid = rigid, .step = 1e-3
/* A spinning edge is transported by the mean of two tangents in a step, so its angular momentum
 * is conserved only to the square of the step. */
#define SPINS .spin = 1e-5
/* Quasistatic angles are in equilibrium at the end of a step, not at the midpoint where forces
 * act. */
#define FOLLOWS .spin = 1e-5
static const conformance_case cases[] = {
    {DER, .name = "isotropic, elastic", .define = rod_elastic},
    {DER, .name = "isotropic, inextensible", .define = rod_inextensible},
    {DER, SPINS, .name = "isotropic, dynamic twist", .define = inextensible_dynamic},
    {DER, FOLLOWS, .name = "anisotropic", .define = rod_anisotropic},
    {DER, .name = "isotropic, tangent", .define = inextensible_tangent},
    {DER, FOLLOWS, .name = "anisotropic, tangent", .define = anisotropic_tangent},
    {DER, .name = "isotropic, sine", .define = inextensible_sine},
    {DER, FOLLOWS, .name = "anisotropic, sine", .define = anisotropic_sine},
    {DER, .name = "anisotropic, sine, frames free", .define = anisotropic_sine, .frames = 3,
     .vertex = {0, 8, 4}},
    {DER, SPINS, .name = "anisotropic, elastic, dynamic twist", .define = rod_anisotropic_dynamic},
    {DER, SPINS, .name = "damped", .define = rod_damped},
    {DER, FOLLOWS, .name = "ring, isotropic", .define = rod_ring},
    {DER, SPINS, .name = "ring, anisotropic, elastic", .define = rod_ring_anisotropic},
    {DER, .name = "two vertices", .define = rod_two_vertices},
    {DER, .name = "isotropic, frames free", .define = rod_inextensible, .frames = 3,
     .vertex = {0, 8, 4}},
    {DER, .name = "anisotropic, frames free", .define = rod_anisotropic, .frames = 3,
     .vertex = {0, 8, 4}},
    {DER, .name = "damped, frames free", .define = rod_damped, .frames = 3, .vertex = {8, 3, 7}},
    {DER, .name = "anisotropic, frames held", .define = rod_anisotropic_dynamic, .frames = 3,
     .vertex = {0, 8, 4}, .prescribed = {true, false, true}},
    {DER, .name = "isotropic, frames held", .define = rod_elastic, .frames = 2, .vertex = {0, 8},
     .prescribed = {true, true}},
    {DER, .name = "ring, frames free", .define = rod_ring_anisotropic, .frames = 2,
     .vertex = {0, 4}},
    {DER, .name = "ring, isotropic, frame free", .define = rod_ring, .frames = 1, .vertex = {3}},
};
enum { CASES = sizeof cases / sizeof *cases };

/* ---- refinement --------------------------------------------------------------------------------- */

/* Clamped at s. */
static cord_world *cantilever(int edges, bool curved, double s, cord_strand *rope, double *x)
{
    cord_world *world;
    cord_strand_def def = cord_strand_def_default();
    for (int i = 0; i <= edges; i++) {
        double a = (double)i / edges;
        v3_set(x + 3 * i, curved ? sin(a) : a, 0, curved ? 1 - cos(a) : 0);
    }
    def.vertex_count = edges + 1;
    def.positions = x;
    def.material = (cord_material){.density = 1000, .young = 1e6, .poisson = 0.5};
    def.section = (cord_section){.kind = CORD_SECTION_CIRCLE, .radius = 5e-3};
    v3_set(def.director, 0, 1, 0);
    cord_world_def world_def = cord_world_def_default();
    world_def.gravity[2] = -0.02; /* ρSgL³/EI = 3.2: well bent, no boundary layer */
    assert_int_equal(cord_world_create(&world_def, &world), CORD_OK);
    assert_int_equal(cord_world_add_strand(world, &def, rope), CORD_OK);
    assert_int_equal(cord_world_clamp_strand(world, *rope, s, NULL, NULL, NULL, NULL), CORD_OK);
    return world;
}

static double tip_of(int edges, bool curved, double clamped_at)
{
    double x[3 * 81];
    cord_strand rope;
    cord_world *world = cantilever(edges, curved, clamped_at, &rope, x);
    cord_status status = cord_world_find_equilibrium(world, NULL, NULL);
    if (status != CORD_OK) print_error("%s\n", cord_world_get_error(world));
    assert_int_equal(status, CORD_OK);
    assert_int_equal(cord_strand_get_positions(world, rope, x), CORD_OK);
    cord_world_destroy(world);
    return x[3 * edges + 2];
}

static double tip(int edges)
{
    return tip_of(edges, false, 0);
}

static double curved_tip(int edges)
{
    return tip_of(edges, true, 0);
}

static double tip_from_inside(int edges)
{
    return tip_of(edges, false, 0.25);
}

/* A clamp does not reduce the order: the hinge at the end vertex has half a cell. */
static void refinement(void **unused)
{
    (void)unused;
    conformance_refine(&(conformance_refinement){"tip of a cantilever", tip, 20, 2});
    conformance_refine(&(conformance_refinement){"tip of a curved one", curved_tip, 20, 2});
    conformance_refine(
        &(conformance_refinement){"tip of one clamped inside", tip_from_inside, 20, 2});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refinement),
    };
    return conformance_group(cases, CASES, tests, sizeof tests / sizeof *tests);
}
