#include "validation/bodies/parts.h"
#include <math.h>
#include <string.h>

cord_status part_body(cord_world *world, double mass, const double moments[3],
                      const double place[3], cord_body *body)
{
    cord_body_def def = cord_body_def_default();
    def.mass = mass;
    for (int k = 0; k < 3; k++) def.inertia[4 * k] = moments[k];
    memcpy(def.position, place, sizeof def.position);
    return cord_world_add_body(world, &def, body);
}

cord_status part_point(cord_world *world, cord_body body, const double place[3], cord_point *point)
{
    cord_point_def def = cord_point_def_default();
    def.source = CORD_SOURCE_BODY;
    def.body = body;
    memcpy(def.position, place, sizeof def.position);
    return cord_world_add_point(world, &def, point);
}

cord_status part_world_point(cord_world *world, const double place[3], cord_point *point)
{
    cord_point_def def = cord_point_def_default();
    memcpy(def.position, place, sizeof def.position);
    return cord_world_add_point(world, &def, point);
}

cord_status part_constrain(cord_world *world, const char *kind, cord_point first, cord_point second,
                           const double direction[3], cord_constraint *constraint)
{
    cord_constraint_def def = cord_constraint_def_default();
    cord_constraint made;
    def.kind = kind;
    def.first = first, def.second = second;
    if (direction) memcpy(def.direction, direction, sizeof def.direction);
    return cord_world_add_constraint(world, &def, constraint ? constraint : &made);
}

cord_status part_weld(rod *r, double s, cord_body body)
{
    cord_point_def def = cord_point_def_default();
    cord_point end, on;
    double x[3] = {0}, centre[3] = {0}, frame[9] = {0};
    def.source = CORD_SOURCE_STRAND;
    def.strand = r->strand;
    def.s = s;
    cord_status status = cord_world_add_point(r->world, &def, &end);
    if (status == CORD_OK) status = cord_point_get_pose(r->world, end, x, NULL);
    if (status == CORD_OK) status = cord_body_get_pose(r->world, body, centre, frame);
    double arm[3] = {0};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) arm[k] += frame[3 * k + i] * (x[i] - centre[i]);
    if (status == CORD_OK) status = part_point(r->world, body, arm, &on);
    if (status == CORD_OK) status = part_constrain(r->world, CORD_COINCIDE, end, on, NULL, NULL);
    if (status == CORD_OK) status = part_constrain(r->world, CORD_ALIGN, end, on, NULL, NULL);
    return status;
}

cord_status part_bearing(cord_world *world, cord_body body, const double axis[3], bool slides)
{
    double x[3];
    cord_point at, held;
    cord_status status = cord_body_get_pose(world, body, x, NULL);
    if (status == CORD_OK) status = part_point(world, body, (double[]){0, 0, 0}, &at);
    if (status == CORD_OK) status = part_world_point(world, x, &held);
    if (status == CORD_OK)
        status = part_constrain(world, slides ? CORD_AXIS : CORD_COINCIDE, at, held, axis, NULL);
    if (status == CORD_OK) status = part_constrain(world, CORD_PARALLEL, at, held, axis, NULL);
    return status;
}

double part_residual(cord_world *world, cord_constraint constraint)
{
    int rows;
    double g[3], largest = 0;
    if (cord_constraint_get_residual(world, constraint, &rows, g) != CORD_OK) return NAN;
    for (int i = 0; i < rows; i++) largest = fmax(largest, fabs(g[i]));
    return largest;
}
