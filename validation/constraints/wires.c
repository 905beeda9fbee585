#include "validation/constraints/wires.h"
#include <math.h>
#include <string.h>

enum { MOST_VERTICES = 401 };

void wire_add(rig *r, const wire_plan *plan)
{
    static double x[3 * MOST_VERTICES];
    cord_strand_def def = cord_strand_def_default();
    cord_strand_info info = {0};
    if (r->status != CORD_OK) return;
    for (int i = 0; i <= plan->elements; i++)
        for (int k = 0; k < 3; k++)
            x[3 * i + k] =
                plan->from[k] + (plan->to[k] - plan->from[k]) * i / (double)plan->elements;
    def.model = plan->kind->model;
    def.vertex_count = plan->elements + 1;
    def.positions = x;
    def.element_count = plan->elements;
    def.section = (cord_section){.kind = CORD_SECTION_EXPLICIT,
                                 .mass = plan->mass,
                                 .bending = {plan->bending, plan->bending},
                                 .twisting = plan->twisting,
                                 .radius = 1e-3};
    r->object[0].kind = plan->kind;
    r->status = cord_world_add_strand(r->world, &def, &r->object[0].strand);
    if (r->status == CORD_OK)
        r->status = cord_strand_get_info(r->world, r->object[0].strand, &info);
    r->object[0].length = info.length;
}

void wire_pin(rig *r, double at)
{
    double x[3];
    cord_point p = rig_point(r, 0, at);
    rig_where(r, p, x);
    rig_hold(r, CORD_COINCIDE, p, rig_place(r, x));
}

void wire_clamp(rig *r, double at)
{
    if (r->status == CORD_OK)
        r->status = cord_world_clamp_strand(r->world, r->object[0].strand, at * r->object[0].length,
                                            NULL, NULL, NULL, NULL);
}

cord_point wire_bead(rig *r, double s, double mass, double friction, cord_body *ball)
{
    cord_body_def def = cord_body_def_default();
    cord_body made = {0};
    cord_point p = rig_sliding(r, 0, s / r->object[0].length, friction);
    def.shape = (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = 0.01};
    def.mass = mass;
    rig_where(r, p, def.position);
    if (r->status == CORD_OK) r->status = cord_world_add_body(r->world, &def, &made);
    rig_tie(r, CORD_COINCIDE, p, rig_on_body(r, made, (double[]){0, 0, 0}));
    if (ball) *ball = made;
    return p;
}

double wire_coordinate(rig *r, cord_point p, double *rate)
{
    double s = NAN;
    if (r->status == CORD_OK) r->status = cord_point_get_coordinate(r->world, p, &s, rate);
    return s;
}
