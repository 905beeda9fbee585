#include "validation/constraints/rig.h"
#include <cordage/cable.h>
#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

enum { VERTICES = 25, MIDDLE = 14 };

const carrier carriers[CARRIERS] = {
    {"der", CORD_MODEL_DER, false, false},
    {"segment", CORD_MODEL_SEGMENT, false, false},
    {"helix", CORD_MODEL_HELIX, false, false},
    {"clothoid", CORD_MODEL_CLOTHOID, false, false},
    {"spline", CORD_MODEL_SPLINE, false, false},
    {"planar clothoid", CORD_MODEL_CLOTHOID, true, false},
    {"cable", "cable", false, true},
    {"body", NULL, false, false},
};

const scheme rig_schemes[SCHEMES] = {
    {"tr-bdf2", CORD_IMPLICIT, CORD_TR_BDF2, 2},
    {"midpoint", CORD_MIDPOINT, CORD_TR_BDF2, 2},
    {"backward-euler", CORD_IMPLICIT, CORD_BACKWARD_EULER, 1},
    {"linearised", CORD_IMPLICIT, CORD_LINEARISED, 1},
    {"symplectic", CORD_SYMPLECTIC, CORD_TR_BDF2, 1},
};

rig rig_make(const cord_world_def *def)
{
    rig r = {0};
    r.status = cord_world_create(def, &r.world);
    return r;
}

void rig_free(rig *r)
{
    cord_world_destroy(r->world);
    *r = (rig){0};
}

/* A sagging curve; the second crosses it with a smaller sag. In the plane y = 0 when `planar`. */
static void curve(int which, bool planar, double t, double x[3])
{
    double sag = which ? 0.15 : 0.25, along = t, across = planar ? 0 : 0.05 * sin(2 * pi * t);
    double turn = which && !planar ? 1.2 : 0;
    x[0] = cos(turn) * along - sin(turn) * across;
    x[1] = sin(turn) * along + cos(turn) * across;
    x[2] = -sag * sin(pi * t);
}

/* Inextensible, of straight segments between nodes that hang freely. */
static cord_status add_cable(rig *r, const double *x, cord_strand *made)
{
    cord_cable_def def = cord_cable_def_default();
    cord_cable_node nodes[VERTICES];
    double s = 0;
    for (int i = 0; i < VERTICES; i++) {
        double way[3];
        for (int k = 0; i > 0 && k < 3; k++) way[k] = x[3 * i + k] - x[3 * i - 3 + k];
        if (i > 0) s += sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
        nodes[i] = (cord_cable_node){.guide = -1, .s = s};
        memcpy(nodes[i].at, x + 3 * i, sizeof nodes[i].at);
    }
    def.density = 0.05;
    def.bending = 4e-4;
    def.node_count = VERTICES, def.nodes = nodes;
    return cord_world_add_cable(r->world, &def, made);
}

static void add_strand(rig *r, int which, const carrier *kind, const double place[3])
{
    cord_strand_def def = cord_strand_def_default();
    cord_strand_info info = {0};
    double x[3 * VERTICES], middle[3];
    curve(which, kind->planar, (double)MIDDLE / (VERTICES - 1), middle);
    for (int i = 0; i < VERTICES; i++) {
        curve(which, kind->planar, (double)i / (VERTICES - 1), x + 3 * i);
        for (int k = 0; k < 3; k++) x[3 * i + k] += place[k] - middle[k];
    }
    def.model = kind->model;
    def.planar = kind->planar;
    def.vertex_count = VERTICES;
    def.positions = x;
    def.element_count = strcmp(kind->model, CORD_MODEL_SEGMENT) == 0 ? 12 : 8;
    def.control_point_count = 16;
    def.section.radius = 4e-3;
    def.material.young = 2e6;
    if (kind->planar) def.director[2] = def.natural_director[2] = 1;
    r->status = kind->cable ? add_cable(r, x, &r->object[which].strand)
                            : cord_world_add_strand(r->world, &def, &r->object[which].strand);
    if (r->status == CORD_OK)
        r->status = cord_strand_get_info(r->world, r->object[which].strand, &info);
    r->object[which].length = info.length;
}

/* A bar along x, 30 cm long, whose free end is at `place`. */
static void add_body(rig *r, int which, const double place[3])
{
    cord_body_def def = cord_body_def_default();
    def.shape = (cord_shape){.kind = CORD_SHAPE_BOX, .size = {0.3, 0.06, 0.04}};
    memcpy(def.position, place, sizeof def.position);
    def.position[0] -= 0.15;
    r->status = cord_world_add_body(r->world, &def, &r->object[which].body);
}

void rig_add(rig *r, int which, const carrier *kind, const double place[3], bool held)
{
    if (r->status != CORD_OK) return;
    r->object[which].kind = kind;
    if (kind->model)
        add_strand(r, which, kind, place);
    else
        add_body(r, which, place);
    if (!held || r->status != CORD_OK) return;
    double x[3];
    cord_point end = kind->model ? rig_point(r, which, 0)
                                 : rig_on_body(r, r->object[which].body, (double[]){-0.15, 0, 0});
    rig_where(r, end, x);
    rig_support(r, CORD_COINCIDE, end, rig_world_point(r, x));
}

static cord_point add_point(rig *r, const cord_point_def *def)
{
    cord_point made = {0};
    if (r->status == CORD_OK) r->status = cord_world_add_point(r->world, def, &made);
    return made;
}

cord_point rig_on_body(rig *r, cord_body body, const double place[3])
{
    cord_point_def def = cord_point_def_default();
    def.source = CORD_SOURCE_BODY;
    def.body = body;
    memcpy(def.position, place, sizeof def.position);
    return add_point(r, &def);
}

cord_point rig_point(rig *r, int which, double at)
{
    const rig_object *t = &r->object[which];
    if (!t->kind->model) return rig_on_body(r, t->body, (double[]){0.15, 0, 0});
    cord_point_def def = cord_point_def_default();
    def.source = CORD_SOURCE_STRAND;
    def.strand = t->strand;
    def.s = at * t->length;
    return add_point(r, &def);
}

cord_point rig_sliding(rig *r, int which, double at, double friction)
{
    const rig_object *t = &r->object[which];
    cord_point_def def = cord_point_def_default();
    def.source = CORD_SOURCE_SLIDING;
    def.strand = t->strand;
    def.s = at * t->length;
    def.friction = friction;
    return add_point(r, &def);
}

cord_point rig_world_point(rig *r, const double place[3])
{
    cord_point_def def = cord_point_def_default();
    memcpy(def.position, place, sizeof def.position);
    return add_point(r, &def);
}

cord_point rig_gauge(rig *r, cord_source source, cord_point of, const double axis[3])
{
    cord_point_def def = cord_point_def_default();
    def.source = source;
    def.measured = of;
    memcpy(def.direction, axis, sizeof def.direction);
    return add_point(r, &def);
}

void rig_where(rig *r, cord_point point, double place[3])
{
    place[0] = place[1] = place[2] = 0;
    if (r->status == CORD_OK) r->status = cord_point_get_pose(r->world, point, place, NULL);
}

cord_constraint rig_constrain(rig *r, const cord_constraint_def *def)
{
    cord_constraint made = {0};
    double gap[3] = {0};
    int rows = 0;
    if (r->status != CORD_OK) return made;
    r->status = cord_world_add_constraint(r->world, def, &made);
    if (r->status == CORD_OK) r->status = cord_constraint_get_residual(r->world, made, &rows, gap);
    bool apart = false;
    for (int i = 0; i < rows; i++) apart = apart || fabs(gap[i]) > 1e-12;
    if (r->status == CORD_OK && apart)
        r->status = cord_constraint_set_drive(r->world, made, gap, NULL);
    if (r->status == CORD_OK) r->constraint[r->constraints++] = made;
    return made;
}

cord_constraint rig_tie(rig *r, const char *kind, cord_point first, cord_point second)
{
    cord_constraint_def def = cord_constraint_def_default();
    def.kind = kind;
    def.first = first, def.second = second;
    return rig_constrain(r, &def);
}

void rig_support(rig *r, const char *kind, cord_point first, cord_point second)
{
    cord_constraint_def def = cord_constraint_def_default();
    cord_constraint made;
    def.kind = kind;
    def.first = first, def.second = second;
    if (r->status == CORD_OK) r->status = cord_world_add_constraint(r->world, &def, &made);
}

void rig_step(rig *r, double h, int steps)
{
    for (int i = 0; i < steps && r->status == CORD_OK; i++)
        r->status = cord_world_step(r->world, h);
}

double rig_residual(rig *r)
{
    double largest = 0;
    for (int i = 0; i < r->constraints && r->status == CORD_OK; i++) {
        int rows = 0;
        double g[3] = {0};
        r->status = cord_constraint_get_residual(r->world, r->constraint[i], &rows, g);
        for (int k = 0; k < rows; k++) largest = fmax(largest, fabs(g[k]));
    }
    return largest;
}
