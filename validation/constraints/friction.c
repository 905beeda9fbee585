/* Viscous friction on the motions that constraints leave free: decay of the motion, and balance of
 * energy. */
#include "math/vec3.h"
#include "validation/constraints/constraints.h"
#include "validation/constraints/rig.h"
#include <math.h>

/* A ball at the origin, without weight, in a motion that a constraint to a fixed point leaves free. */
typedef struct left_free {
    const char *name, *kind;
    bool turns;
    double second[3], direction[3], first_direction[3], length, v[3], spin[3];
} left_free;

static const left_free motions[] = {
    {"ball joint", CORD_COINCIDE, true, {0}, {0, 0, 1}, {0}, -1, {0}, {1, 2, -1}},
    {"in a plane", CORD_PLANE, false, {0}, {0, 0, 1}, {0}, -1, {1, 0.5, 0}, {0}},
    {"along an axis", CORD_AXIS, false, {0}, {0, 0.6, 0.8}, {0}, -1, {0, 0.6, 0.8}, {0}},
    {"round a cylinder", CORD_AXIS, false, {-1, 0, 0}, {0, 0, 1}, {0}, 1, {0, 1, 0.5}, {0}},
    {"on a sphere", CORD_DISTANCE, false, {-1, 0, 0}, {0, 0, 1}, {0}, 1, {0, 1, 0}, {0}},
    {"kept upright", CORD_ALIGN, false, {0}, {0, 0, 1}, {0}, -1, {1, -2, 0.5}, {0}},
    {"hinge", CORD_PARALLEL, true, {0}, {0, 0, 1}, {0}, -1, {0}, {0, 0, 3}},
    {"universal joint", CORD_PERPENDICULAR, true, {0}, {0, 0, 1}, {1, 0, 0}, -1, {0}, {0, 0, 3}},
    {"across an angle", CORD_ANGLE, true, {0}, {0, 0, 1}, {0}, -1, {0}, {2, 0, 0}},
};
enum { MOTIONS = sizeof motions / sizeof *motions };

static const double mass = 2, inertia = 0.008, rate = 4, until = 0.5; /* kg, kg m², 1/s, s */

typedef struct decay {
    double off;        /* relative error of the remaining speed */
    double unbalanced; /* energy loss minus the work of friction */
} decay;

static cord_status place(cord_world *w, const left_free *m, cord_body *body, cord_constraint *r)
{
    cord_body_def ball = cord_body_def_default();
    cord_point_def centre = cord_point_def_default(), there = cord_point_def_default();
    cord_constraint_def def = cord_constraint_def_default();
    ball.shape = (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = 0.1};
    ball.mass = mass;
    v3_copy(ball.velocity, m->v);
    v3_copy(ball.angular_velocity, m->spin);
    cord_status status = cord_world_add_body(w, &ball, body);
    centre.source = CORD_SOURCE_BODY;
    centre.body = *body;
    v3_copy(there.position, m->second);
    if (status == CORD_OK) status = cord_world_add_point(w, &centre, &def.first);
    if (status == CORD_OK) status = cord_world_add_point(w, &there, &def.second);
    def.kind = m->kind;
    def.length = m->length;
    v3_copy(def.direction, m->direction);
    v3_copy(def.first_direction, m->first_direction);
    def.friction = (m->turns ? inertia : mass) * rate;
    return status == CORD_OK ? cord_world_add_constraint(w, &def, r) : status;
}

static bool die_away(validation *v, const left_free *m, const scheme *by, double h, decay *out)
{
    cord_world_def def = cord_world_def_default();
    cord_world *w = NULL;
    cord_body body;
    cord_constraint r;
    cord_energy e[2] = {{0}};
    double before = 0, taken = 0, linear[3] = {0}, angular[3] = {0};
    def.threads = 1;
    def.integrator = by->integrator, def.scheme = by->scheme;
    v3_set(def.gravity, 0, 0, 0);
    cord_status status = cord_world_create(&def, &w);
    if (status == CORD_OK) status = place(w, m, &body, &r);
    if (status == CORD_OK) status = cord_world_get_energy(w, e);
    if (status == CORD_OK) status = cord_constraint_get_friction(w, r, NULL, NULL, &before);
    for (int i = 0; status == CORD_OK && i < (int)lround(until / h); i++) {
        double now = 0;
        status = cord_world_step(w, h);
        if (status == CORD_OK) status = cord_constraint_get_friction(w, r, NULL, NULL, &now);
        taken += 0.5 * h * (before + now);
        before = now;
    }
    if (status == CORD_OK) status = cord_world_get_energy(w, e + 1);
    if (status == CORD_OK) status = cord_body_get_velocity(w, body, linear, angular);
    bool ok = validation_ok(v, w, status, m->name);
    cord_world_destroy(w);
    double left = m->turns ? v3_norm(angular) / v3_norm(m->spin) : v3_norm(linear) / v3_norm(m->v);
    out->off = fabs(left - exp(-rate * until));
    out->unbalanced = fabs(e[0].total - e[1].total - taken) / e[0].total;
    return ok;
}

void check_constraint_friction(validation *v)
{
    for (int i = 0; i < SCHEMES; i++) {
        const scheme *by = rig_schemes + i;
        decay worst[2] = {{0}};
        for (int m = 0; m < MOTIONS; m++) {
            decay d[2] = {{0}};
            for (int k = 0; k < 2; k++)
                if (!die_away(v, motions + m, by, k ? 0.005 : 0.01, d + k)) return;
            for (int k = 0; k < 2; k++) {
                worst[k].off = fmax(worst[k].off, d[k].off);
                worst[k].unbalanced = fmax(worst[k].unbalanced, d[k].unbalanced);
            }
        }
        bool second = by->order == 2;
        validation_row_below(v, by->name, "error of the speed, steps of 10 ms", worst[0].off,
                             second ? 2e-4 : 0.02);
        validation_row_above(v, by->name, "order", log2(worst[0].off / worst[1].off),
                             by->order - 0.2);
        validation_row_below(v, by->name, "residual of the energy balance", worst[0].unbalanced,
                             second ? 1e-3 : 0.1);
        validation_row_above(v, by->name, "its order",
                             log2(worst[0].unbalanced / worst[1].unbalanced), by->order - 0.2);
    }
}
