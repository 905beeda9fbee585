#include "support/conformance_rods.h"
#include "math/vec3.h"

static const double pi = 3.14159265358979323846;

void rod_material(cord_strand_def *def, double b1, double b2)
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

void rod_straight_natural(conformance_shape *shape, cord_strand_def *def, double ratio)
{
    double s = 0;
    int n = def->vertex_count;
    for (int i = 0; i < n + def->closed; i++) {
        v3_set(shape->natural_positions + 3 * i, s, 0, 0);
        s += ratio *
             v3_distance(shape->positions + 3 * (i % n), shape->positions + 3 * ((i + 1) % n));
    }
    def->natural_positions = shape->natural_positions;
    v3_set(def->natural_director, 0, 1, 0);
}

void rod_elastic(conformance_shape *shape, cord_strand_def *def)
{
    rod_material(def, 0.01, 0.01);
    curve(shape, def);
    rod_straight_natural(shape, def, 0.97);
    def->stretch = CORD_STRETCH_ELASTIC;
}

void rod_inextensible(conformance_shape *shape, cord_strand_def *def)
{
    rod_material(def, 0.01, 0.01);
    curve(shape, def);
    rod_straight_natural(shape, def, 1);
}

void rod_anisotropic(conformance_shape *shape, cord_strand_def *def)
{
    rod_material(def, 0.01, 0.03);
    curve(shape, def);
    for (int i = 0; i < 9; i++) shape->natural_twist[i] = 0.2 * i;
    def->natural_twist = shape->natural_twist;
}

void rod_anisotropic_dynamic(conformance_shape *shape, cord_strand_def *def)
{
    rod_anisotropic(shape, def);
    def->stretch = CORD_STRETCH_ELASTIC;
    def->twist_mode = CORD_TWIST_DYNAMIC;
}

void rod_damped(conformance_shape *shape, cord_strand_def *def)
{
    rod_anisotropic_dynamic(shape, def);
    def->damping = 0.004;
    def->drag = 0.2;
    def->quadratic_drag = 0.1;
}

static void ring(conformance_shape *shape, cord_strand_def *def, double bend)
{
    def->vertex_count = 8;
    for (int i = 0; i < 8; i++) {
        double a = 2 * pi * i / 8 + 0.05 * (i % 2), r = 0.2 + 0.01 * (i % 3);
        v3_set(shape->positions + 3 * i, r * cos(a), r * sin(a), bend * sin(2 * a));
    }
    def->positions = shape->positions;
    def->closed = true;
    def->closing_twist = 2.5;
}

void rod_ring(conformance_shape *shape, cord_strand_def *def)
{
    rod_material(def, 0.01, 0.01);
    ring(shape, def, 0.03);
    rod_straight_natural(shape, def, 1);
}

void rod_ring_anisotropic(conformance_shape *shape, cord_strand_def *def)
{
    rod_material(def, 0.01, 0.02);
    ring(shape, def, 0.05);
    def->stretch = CORD_STRETCH_ELASTIC;
    def->twist_mode = CORD_TWIST_DYNAMIC;
}

void rod_two_vertices(conformance_shape *shape, cord_strand_def *def)
{
    rod_material(def, 0.01, 0.01);
    def->vertex_count = 2;
    v3_set(shape->positions + 3, 0.1, 0.02, 0.05);
    def->positions = shape->positions;
}
