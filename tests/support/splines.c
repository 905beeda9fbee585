#include "support/splines.h"

#include "math/vec3.h"
#include "support/scenes.h"

#include <math.h>

cord_strand_def splines_def(int vertices, const double *x)
{
    cord_strand_def def = cord_strand_def_default();
    def.model = CORD_MODEL_SPLINE;
    def.vertex_count = vertices;
    def.positions = x;
    def.section = scene_section();
    def.section.stretching = 1e4;
    v3_set(def.director, 0, 1, 0);
    return def;
}

void splines_line(int vertices, double length, double *x)
{
    for (int i = 0; i < vertices; i++) v3_set(x + 3 * i, length * i / (vertices - 1), 0, 0);
}

void splines_arc(int vertices, double radius, double angle, double *x)
{
    for (int i = 0; i < vertices; i++) {
        double a = angle * i / (vertices - 1);
        v3_set(x + 3 * i, radius * sin(a), 0, radius * (1 - cos(a)));
    }
}

void splines_at(cord_world *world, cord_strand strand, double s, double *x, double *frame)
{
    assert_fine(world, cord_point_get_pose(world, scene_point(world, strand, s), x, frame));
}
