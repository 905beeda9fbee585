/* Splines through the conformance suite: isotropic and not, straight and naturally curved, with either
 * kind of ends, inextensible and elastic, with quasistatic and dynamic twist, damped, of one span and of fewer control points
 * than vertices. */
#include "math/vec3.h"
#include "strand/spline.h"
#include "support/conformance.h"
#include "support/test.h"

/* x: w × x, turning: w · t. */
static void rigid(const void *model, const double *q, const double *cache, const double u[3],
                  const double w[3], double *v)
{
    const spline *s = model;
    const spline_knot *knot = spline_knots((double *)cache);
    for (int i = 0; i < s->points; i++) {
        double *own = v + spline_column(i);
        v3_cross(own, w, q + 3 * i);
        v3_add(own, own, u);
    }
    for (int k = 0; k <= s->spans; k++) v[spline_turn_column(k)] = v3_dot(w, knot[k].t);
}

static void material(cord_strand_def *def, double b1, double b2)
{
    def->section = (cord_section){.kind = CORD_SECTION_EXPLICIT,
                                  .mass = 0.1,
                                  .stretching = 60,
                                  .bending = {b1, b2},
                                  .twisting = 0.008,
                                  .rotary_inertia = 2e-5,
                                  .radius = 0.01};
    v3_set(def->director, 0.1, 0.2, 1);
}

/* A space curve of 9 vertices with uneven edges, twisted by about a turn. */
static void curve(conformance_shape *shape, cord_strand_def *def)
{
    def->vertex_count = 9;
    for (int i = 0; i < 9; i++) {
        double s = 0.1 * i + 0.02 * (i % 3);
        v3_set(shape->positions + 3 * i, s, 0.25 * sin(4 * s), 0.15 * cos(3 * s) + 0.1 * s);
        shape->twist[i] = 0.7 * i + 0.1 * (i % 2);
    }
    def->positions = shape->positions;
    def->twist = shape->twist;
}

/* Naturally a straight line, of edges `ratio` times as long as the initial ones. */
static void straight_natural(conformance_shape *shape, cord_strand_def *def, double ratio)
{
    double s = 0;
    for (int i = 0; i < def->vertex_count; i++) {
        v3_set(shape->natural_positions + 3 * i, s, 0, 0);
        if (i + 1 < def->vertex_count)
            s += ratio * v3_distance(shape->positions + 3 * i, shape->positions + 3 * (i + 1));
    }
    def->natural_positions = shape->natural_positions;
    v3_set(def->natural_director, 0, 1, 0);
}

static void isotropic(conformance_shape *shape, cord_strand_def *def)
{
    material(def, 0.01, 0.01);
    curve(shape, def);
    straight_natural(shape, def, 0.97);
    def->stretch = CORD_STRETCH_ELASTIC;
}

/* Given by a polyline of natural lengths, which the spline through it is not of. */
static void isotropic_inextensible(conformance_shape *shape, cord_strand_def *def)
{
    isotropic(shape, def);
    straight_natural(shape, def, 1);
    def->stretch = CORD_STRETCH_NONE;
}

static void isotropic_inextensible_free(conformance_shape *shape, cord_strand_def *def)
{
    isotropic_inextensible(shape, def);
    def->spline_ends = CORD_SPLINE_FREE;
    def->twist_mode = CORD_TWIST_DYNAMIC;
}

static void isotropic_dynamic(conformance_shape *shape, cord_strand_def *def)
{
    isotropic(shape, def);
    def->twist_mode = CORD_TWIST_DYNAMIC;
}

static void isotropic_free(conformance_shape *shape, cord_strand_def *def)
{
    isotropic(shape, def);
    def->spline_ends = CORD_SPLINE_FREE;
}

/* Naturally as it lies, twisted: every strain has a natural value. */
static void anisotropic(conformance_shape *shape, cord_strand_def *def)
{
    material(def, 0.01, 0.03);
    curve(shape, def);
    for (int i = 0; i < 9; i++) shape->natural_twist[i] = 0.2 * i;
    def->natural_twist = shape->natural_twist;
}

static void anisotropic_dynamic(conformance_shape *shape, cord_strand_def *def)
{
    anisotropic(shape, def);
    def->twist_mode = CORD_TWIST_DYNAMIC;
    def->stretch = CORD_STRETCH_ELASTIC;
    def->spline_ends = CORD_SPLINE_FREE;
}

static void damped(conformance_shape *shape, cord_strand_def *def)
{
    anisotropic_dynamic(shape, def);
    def->spline_ends = CORD_SPLINE_CLAMPED;
    def->damping = 0.004;
    def->drag = 0.2;
    def->quadratic_drag = 0.1;
}

static void two_vertices(conformance_shape *shape, cord_strand_def *def)
{
    material(def, 0.01, 0.01);
    /* Hard to compress: there energy is not convex, and backward Euler may gain some. */
    def->stretch = CORD_STRETCH_ELASTIC;
    def->section.stretching = 2000;
    def->vertex_count = 2;
    v3_set(shape->positions + 3, 0.1, 0.02, 0.05);
    def->positions = shape->positions;
}

static void four_vertices(conformance_shape *shape, cord_strand_def *def)
{
    material(def, 0.01, 0.01);
    def->vertex_count = 4;
    for (int i = 0; i < 4; i++)
        v3_set(shape->positions + 3 * i, 0.1 * i, 0.02 * i * i, 0.01 * (i % 2));
    def->positions = shape->positions;
}

#define PLAIN                                                                                      \
    .ops = &cord__spline, .rigid = rigid, .step = 1e-3, .no_symplectic = true, .curvatures = true
#define SPLINE PLAIN, .fitted = 1e-12
/* Moved to have their length. */
#define INEXTENSIBLE PLAIN, .fitted = 0.01
/* As for der: a spin is kept to the square of the step, and quasistatic angles are in equilibrium at
 * the end of a step. */
#define SPINS .spin = 1e-5
static const conformance_case cases[] = {
    {SPLINE, SPINS, .name = "isotropic", .define = isotropic},
    {SPLINE, SPINS, .name = "isotropic, free ends", .define = isotropic_free},
    {SPLINE, SPINS, .name = "isotropic, dynamic twist", .define = isotropic_dynamic},
    {SPLINE, SPINS, .name = "anisotropic, inextensible", .define = anisotropic},
    {INEXTENSIBLE, SPINS, .name = "inextensible", .define = isotropic_inextensible},
    {INEXTENSIBLE, SPINS, .name = "inextensible, dynamic twist, free ends",
     .define = isotropic_inextensible_free},
    {SPLINE, SPINS, .name = "anisotropic, dynamic twist, free ends", .define = anisotropic_dynamic},
    {SPLINE, SPINS, .name = "damped", .define = damped},
    {SPLINE, SPINS, .name = "two vertices", .define = two_vertices},
    {SPLINE, SPINS, .name = "four vertices", .define = four_vertices},
};
enum { CASES = sizeof cases / sizeof *cases };

int main(void)
{
    return conformance_group(cases, CASES, NULL, 0);
}
