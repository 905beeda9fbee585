#include "support/sliding.h"

#include "math/vec3.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
enum { VERTICES = SLIDING_VERTICES };

const sliding_kind sliding_kinds[SLIDING_KINDS] = {
    {.model = "der", .tangent = true, .curvature = true},
    {.model = "der", .closed = true, .tangent = true, .curvature = true},
    {.model = "segment", .tangent = true, .curvature = true, .elements = 12},
    {.model = "helix", .tangent = true, .elements = 8},
    {.model = "clothoid", .tangent = true, .curvature = true, .elements = 8},
    {.model = "spline", .tangent = true, .curvature = true, .elements = 16},
    {.model = "spline", .closed = true, .tangent = true, .curvature = true},
    {.model = "cable"},
};

/* With nodes at the vertices: its segments meet at corners. */
static cord_strand cable_through(cord_world *w, const double *x, double young)
{
    cord_cable_def def = cord_cable_def_default();
    def.pushes = true;
    cord_cable_node nodes[VERTICES];
    cord_strand rope;
    for (int i = 0; i < VERTICES; i++) {
        nodes[i] = (cord_cable_node){.guide = -1, .s = i > 0 ? nodes[i - 1].s : 0};
        if (i > 0) nodes[i].s += v3_distance(x + 3 * i, x + 3 * i - 3);
        v3_copy(nodes[i].at, x + 3 * i);
    }
    def.density = 1000 * pi * 9e-6;
    def.bending = young * 0.25 * pi * 81e-12;
    def.nodes = nodes, def.node_count = def.vertex_count = VERTICES;
    assert_fine(w, cord_world_add_cable(w, &def, &rope));
    return rope;
}

cord_strand sliding_strand(cord_world *world, const sliding_kind *kind, double young)
{
    cord_strand_def def = cord_strand_def_default();
    double x[3 * VERTICES], twist[VERTICES];
    for (int i = 0; i < VERTICES; i++) {
        twist[i] = kind->twist * i / VERTICES;
        double t = kind->closed ? 2 * pi * i / VERTICES : (double)i / (VERTICES - 1);
        if (kind->closed)
            v3_set(x + 3 * i, 0.2 * cos(t), 0.2 * sin(t), 0.05 * cos(2 * t));
        else
            v3_set(x + 3 * i, t, kind->planar ? 0 : 0.05 * sin(2 * pi * t), -0.25 * sin(pi * t));
    }
    if (strcmp(kind->model, "cable") == 0) return cable_through(world, x, young);
    def.model = kind->model;
    def.closed = kind->closed;
    def.planar = kind->planar;
    def.vertex_count = VERTICES;
    def.positions = x;
    def.element_count = kind->elements;
    if (kind->twist != 0 && !kind->closed) def.twist = twist;
    if (kind->closed) def.closing_twist = kind->twist;
    if (kind->twist != 0) def.twist_mode = CORD_TWIST_DYNAMIC;
    def.section.radius = 3e-3;
    def.material.young = young;
    return scene_strand(world, &def);
}

cord_strand sliding_taut(cord_world *world, double x, double z)
{
    cord_strand rope =
        scene_rope(world, NULL, "taut", 20, (const double[3]){0, 0, 0}, (const double[3]){x, 0, z});
    scene_hang(world, rope, 0);
    scene_hang(world, rope, hypot(x, z));
    return rope;
}

cord_point_def sliding_def(cord_strand rope, double s)
{
    cord_point_def def = cord_point_def_default();
    def.source = CORD_SOURCE_SLIDING;
    def.strand = rope;
    def.s = s;
    return def;
}

cord_point sliding_point(cord_world *world, cord_strand rope, double s, double friction)
{
    cord_point_def def = sliding_def(rope, s);
    def.friction = friction;
    return scene_add_point(world, &def);
}

cord_point sliding_keyhole(cord_world *world, cord_strand rope, double s, double friction,
                           cord_constraint *hold)
{
    cord_point p = sliding_point(world, rope, s, friction);
    cord_constraint made = scene_constraint(world, CORD_COINCIDE, p, scene_place_of(world, p));
    if (hold) *hold = made;
    return p;
}

cord_body sliding_pearl(cord_world *world, cord_point at, double radius, cord_constraint *hold)
{
    cord_body_def def = cord_body_def_default();
    def.shape.kind = CORD_SHAPE_SPHERE;
    def.shape.radius = radius;
    def.density = 2000;
    assert_fine(world, cord_point_get_pose(world, at, def.position, NULL));
    cord_body body = scene_body(world, &def);
    cord_constraint made =
        scene_constraint(world, CORD_COINCIDE, at, scene_on(world, body, 0, 0, 0));
    if (hold) *hold = made;
    return body;
}
