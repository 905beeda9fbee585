/* Splines through the conformance suite: isotropic and not, straight and naturally curved, with either
 * kind of ends, inextensible and elastic, with quasistatic and dynamic twist, damped, of one span, and closed. */
#include "math/vec3.h"
#include "strand/spline/spline.h"
#include "support/conformance_rods.h"
#include "support/test.h"

/* x: w × x, twist angle: w · t. */
static void rigid(const void *model, const double *q, const double *cache, const double u[3],
                  const double w[3], double *v)
{
    const spline *s = model;
    const spline_knot *knot = spline_knots(cache);
    for (int i = 0; i < spline_own(s); i++) {
        double *own = v + spline_dof(s, i);
        v3_cross(own, w, q + 3 * i);
        v3_add(own, own, u);
    }
    for (int k = 0; k < spline_turns(s); k++) v[spline_angle_dof(s, k)] = v3_dot(w, knot[k].t);
}

static void inextensible_free(conformance_shape *shape, cord_strand_def *def)
{
    rod_inextensible(shape, def);
    def->spline_ends = CORD_SPLINE_FREE;
    def->twist_mode = CORD_TWIST_DYNAMIC;
}

static void elastic_dynamic(conformance_shape *shape, cord_strand_def *def)
{
    rod_elastic(shape, def);
    def->twist_mode = CORD_TWIST_DYNAMIC;
}

static void elastic_free(conformance_shape *shape, cord_strand_def *def)
{
    rod_elastic(shape, def);
    def->spline_ends = CORD_SPLINE_FREE;
}

static void anisotropic_free(conformance_shape *shape, cord_strand_def *def)
{
    rod_anisotropic_dynamic(shape, def);
    def->spline_ends = CORD_SPLINE_FREE;
}

static void ring_inextensible_damped(conformance_shape *shape, cord_strand_def *def)
{
    rod_ring_anisotropic(shape, def);
    def->stretch = CORD_STRETCH_NONE;
    def->damping = 0.004;
    def->drag = 0.2;
}

/* The fewest control points of a ring: the three spans known to a sliding point are the whole
 * ring. */
static void ring_smallest(conformance_shape *shape, cord_strand_def *def)
{
    rod_material(def, 0.01, 0.01);
    def->vertex_count = 5;
    for (int i = 0; i < 5; i++)
        v3_set(shape->positions + 3 * i, cos(1.257 * i), sin(1.257 * i), 0.1 * (i % 2));
    def->positions = shape->positions;
    def->closed = true;
}

static void two_vertices(conformance_shape *shape, cord_strand_def *def)
{
    rod_two_vertices(shape, def);
    /* Stiff in compression: there energy is not convex, and backward Euler may gain some. */
    def->stretch = CORD_STRETCH_ELASTIC;
    def->section.stretching = 2000;
}

static void four_vertices(conformance_shape *shape, cord_strand_def *def)
{
    rod_material(def, 0.01, 0.01);
    def->vertex_count = 4;
    for (int i = 0; i < 4; i++)
        v3_set(shape->positions + 3 * i, 0.1 * i, 0.02 * i * i, 0.01 * (i % 2));
    def->positions = shape->positions;
}

#define PLAIN                                                                                      \
    .ops = &cord__spline, .rigid = rigid, .step = 1e-3, .no_symplectic = true, .curvatures = true
#define SPLINE PLAIN, .fitted = 1e-12
/* Projected to their natural lengths. */
#define INEXTENSIBLE PLAIN, .fitted = 0.01
/* As for der: a spin is conserved to the square of the step, and quasistatic angles are in
 * equilibrium at the end of a step. */
#define SPINS .spin = 1e-5
static const conformance_case cases[] = {
    {SPLINE, SPINS, .name = "isotropic", .define = rod_elastic},
    {SPLINE, SPINS, .name = "isotropic, free ends", .define = elastic_free},
    {SPLINE, SPINS, .name = "isotropic, dynamic twist", .define = elastic_dynamic},
    {SPLINE, SPINS, .name = "anisotropic, inextensible", .define = rod_anisotropic},
    {INEXTENSIBLE, SPINS, .name = "inextensible", .define = rod_inextensible},
    {INEXTENSIBLE, SPINS, .name = "inextensible, dynamic twist, free ends",
     .define = inextensible_free},
    {SPLINE, SPINS, .name = "anisotropic, dynamic twist, free ends", .define = anisotropic_free},
    {SPLINE, SPINS, .name = "damped", .define = rod_damped},
    {SPLINE, SPINS, .name = "two vertices", .define = two_vertices},
    {SPLINE, SPINS, .name = "four vertices", .define = four_vertices},
    {INEXTENSIBLE, SPINS, .name = "ring", .define = rod_ring},
    {SPLINE, SPINS, .name = "ring, anisotropic, elastic", .define = rod_ring_anisotropic},
    {SPLINE, SPINS, .name = "ring, as small as can be", .define = ring_smallest},
    {SPLINE, SPINS, .name = "ring, inextensible, damped", .define = ring_inextensible_damped},
};
enum { CASES = sizeof cases / sizeof *cases };

int main(void)
{
    return conformance_group(cases, CASES, NULL, 0);
}
