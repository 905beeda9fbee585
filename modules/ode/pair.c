#include "modules/ode/pair.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- vectors ----------------------------------------------------------------------------------- */

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double norm(const double a[3])
{
    return sqrt(dot(a, a));
}

static bool same(const double a[3], const double b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* The inertia of axes `frame` times w; Cordage's frames are axis after axis. */
static void inertia_times(const pair *p, const double frame[9], const double w[3], double out[3])
{
    double own[3];
    for (int k = 0; k < 3; k++) own[k] = dot(frame + 3 * k, w);
    memset(out, 0, 3 * sizeof *out);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) out[i] += dot(p->inertia + 3 * k, own) * frame[3 * k + i];
}

/* ---- ODE's side -------------------------------------------------------------------------------- */

static motion motion_of(dBodyID ode)
{
    motion m;
    memset(&m, 0, sizeof m);
    memcpy(m.position, dBodyGetPosition(ode), sizeof m.position);
    memcpy(m.linear, dBodyGetLinearVel(ode), sizeof m.linear);
    memcpy(m.angular, dBodyGetAngularVel(ode), sizeof m.angular);
    const dReal *rotation = dBodyGetRotation(ode); /* rows of four, the last of which is padding */
    for (int k = 0; k < 12; k++) m.rotation[k] = k % 4 < 3 ? rotation[k] : 0;
    return m;
}

static void frame_of(const motion *m, double frame[9])
{
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < 3; i++) frame[3 * axis + i] = m->rotation[4 * i + axis];
}

static void to_double(double out[3], const dReal x[3])
{
    for (int k = 0; k < 3; k++) out[k] = x[k];
}

/* Where Cordage has it, to ODE. */
static cord_status tell_ode(pair *p, cord_world *world)
{
    double x[3], frame[9], v[3], w[3];
    cord_status status = cord_body_get_pose(world, p->body, x, frame);
    if (status == CORD_OK) status = cord_body_get_velocity(world, p->body, v, w);
    if (status != CORD_OK) return status;
    dMatrix3 rotation = {0};
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < 3; i++) rotation[4 * i + axis] = (dReal)frame[3 * axis + i];
    dBodySetPosition(p->ode, (dReal)x[0], (dReal)x[1], (dReal)x[2]);
    dBodySetRotation(p->ode, rotation);
    dBodySetLinearVel(p->ode, (dReal)v[0], (dReal)v[1], (dReal)v[2]);
    dBodySetAngularVel(p->ode, (dReal)w[0], (dReal)w[1], (dReal)w[2]);
    p->known = motion_of(p->ode);
    return CORD_OK;
}

/* What strands did before says nothing about what they will do. */
static void forget_strands(pair *p)
{
    p->strands = p->expected = (wrench){0};
}

/* Where ODE has it, to Cordage. */
static cord_status tell_cordage(pair *p, cord_world *world, const motion *m)
{
    double x[3], frame[9], v[3], w[3];
    to_double(x, m->position), to_double(v, m->linear), to_double(w, m->angular);
    frame_of(m, frame);
    cord_status status = cord_body_set_pose(world, p->body, x, frame);
    if (status == CORD_OK) status = cord_body_set_velocity(world, p->body, v, w);
    if (status != CORD_OK) return status;
    p->known = *m;
    forget_strands(p);
    return CORD_OK;
}

/* The centre and the inertia about it, as ODE has them. */
static const char *read_mass(dBodyID ode, double *mass, double inertia[9])
{
    dMass m;
    dBodyGetMass(ode, &m);
    *mass = m.mass;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) inertia[3 * i + k] = m.I[4 * i + k];
    return m.c[0] != 0 || m.c[1] != 0 || m.c[2] != 0 ? "its centre of mass is not its origin"
                                                     : NULL;
}

/* ---- making and ending ------------------------------------------------------------------------- */

static const char witness_mark[] = "cordage"; /* its address is the mark */

bool pair_exists(dBodyID ode)
{
    for (int i = 0; i < dBodyGetNumJoints(ode); i++) {
        dJointID joint = dBodyGetJoint(ode, i);
        if (dJointGetType(joint) == dJointTypeNull && dJointGetData(joint) == witness_mark)
            return true;
    }
    return false;
}

bool pair_lives(const pair *p)
{
    return dJointGetBody(p->witness, 0) == p->ode;
}

const char *pair_trouble(const pair *p)
{
    double mass, inertia[9];
    if (!pair_lives(p)) return "it was destroyed while it was coupled";
    if (dBodyIsKinematic(p->ode)) return "it has become kinematic while it was coupled";
    const char *why = read_mass(p->ode, &mass, inertia);
    if (why) return why;
    if (mass != p->mass || memcmp(inertia, p->inertia, sizeof inertia) != 0)
        return "its mass has changed while it was coupled";
    return NULL;
}

/* A load at the centre of the Cordage body: nothing so far. */
static cord_status add_load(pair *p, cord_world *world)
{
    cord_point_def on = cord_point_def_default();
    cord_load_def load = cord_load_def_default();
    on.source = CORD_SOURCE_BODY;
    on.body = p->body;
    cord_status status = cord_world_add_point(world, &on, &load.point);
    return status == CORD_OK ? cord_world_add_load(world, &load, &p->load) : status;
}

static cord_status add_body(pair *p, cord_world *world, const cord_body_def *def)
{
    cord_body_def own = cord_body_def_default();
    if (def) {
        own.name = def->name, own.shape = def->shape;
        own.drag = def->drag, own.angular_drag = def->angular_drag;
    }
    own.mass = p->mass;
    memcpy(own.inertia, p->inertia, sizeof own.inertia);
    frame_of(&p->known, own.frame);
    to_double(own.position, p->known.position);
    to_double(own.velocity, p->known.linear);
    to_double(own.angular_velocity, p->known.angular);
    cord_status status = cord_world_add_body(world, &own, &p->body);
    if (status != CORD_OK) return status;
    status = add_load(p, world);
    if (status != CORD_OK) cord_world_remove_body(world, p->body);
    return status;
}

cord_status pair_make(pair *p, cord_world *world, dBodyID ode, const cord_body_def *def,
                      const char **why)
{
    *p = (pair){.ode = ode};
    *why = dBodyIsKinematic(ode) ? "it is kinematic" : NULL;
    if (*why) return CORD_ERROR_UNSUPPORTED;
    *why = read_mass(ode, &p->mass, p->inertia);
    if (*why) return CORD_ERROR_UNSUPPORTED;
    p->known = motion_of(ode);
    cord_status status = add_body(p, world, def);
    if (status != CORD_OK) return status;
    p->group = dJointGroupCreate(0);
    p->witness = dJointCreateNull(dBodyGetWorld(ode), p->group);
    dJointSetData(p->witness, (void *)witness_mark);
    dJointAttach(p->witness, ode, NULL);
    return CORD_OK;
}

void pair_end(pair *p, cord_world *world)
{
    dJointGroupDestroy(p->group);
    cord_world_remove_body(world, p->body); /* if it still is there: the caller may have done so */
}

/* ---- a step ------------------------------------------------------------------------------------ */

/* ODE's contacts and joints must bear what strands pull with, and ODE solves for them first. So it is told
 * what strands did of late: then a steady pull is borne exactly. With the last step's force alone it would
 * answer every jerk, which is in the velocity already, a second time. */
static const double FORGET = 0.1; /* of the past, per step */

static void expect(double expected[3], const double last[3], dReal told[3])
{
    for (int k = 0; k < 3; k++) {
        told[k] = (dReal)(expected[k] + FORGET * (last[k] - expected[k]));
        expected[k] = told[k]; /* as ODE understands it */
    }
}

static void tell_forces(pair *p)
{
    dReal f[3], t[3];
    expect(p->expected.force, p->strands.force, f);
    expect(p->expected.torque, p->strands.torque, t);
    dBodyAddForce(p->ode, f[0], f[1], f[2]);
    dBodyAddTorque(p->ode, t[0], t[1], t[2]);
}

cord_status pair_agree(pair *p, cord_world *world)
{
    motion now = motion_of(p->ode);
    bool moved = memcmp(&now, &p->known, sizeof now) != 0;
    return moved ? tell_cordage(p, world, &now) : tell_ode(p, world);
}

void pair_begin(pair *p)
{
    p->gyroscopic = dBodyGetGyroscopicMode(p->ode); /* that term is in Cordage's equations */
    dBodySetGyroscopicMode(p->ode, 0);
    dBodyEnable(p->ode);
    tell_forces(p);
}

/* A difference that is no more than rounding is none: then the load does not change, and Cordage need
 * not start anew. `size`: what it is the difference of. */
static void clear_rounding(double x[3], double size)
{
    const double unit = sizeof(dReal) == sizeof(float) ? FLT_EPSILON : DBL_EPSILON;
    if (norm(x) > 8 * unit * size) return;
    memset(x, 0, 3 * sizeof *x);
}

/* What ODE's gravity, joints, contacts and the caller's forces did, as a mean force and torque: its change
 * of momentum without the part that was expected of strands. Gravity acts in Cordage by itself. */
static wrench from_ode(const pair *p, const motion *after, double h, const double gravity[3])
{
    wrench own;
    double frame[9], spun[3], before[3], then[3];
    double pushed = 0, turned = 0; /* how much that is the difference of */
    frame_of(&p->known, frame);
    for (int k = 0; k < 3; k++) {
        double v0 = p->known.linear[k], v1 = after->linear[k];
        spun[k] = (double)after->angular[k] - (double)p->known.angular[k];
        own.force[k] = p->mass * ((v1 - v0) / h - gravity[k]) - p->expected.force[k];
        pushed += p->mass * ((fabs(v0) + fabs(v1)) / h + fabs(gravity[k]));
    }
    inertia_times(p, frame, spun, own.torque);
    to_double(before, p->known.angular), to_double(then, after->angular);
    inertia_times(p, frame, before, spun), turned += norm(spun) / h;
    inertia_times(p, frame, then, spun), turned += norm(spun) / h;
    for (int k = 0; k < 3; k++) own.torque[k] = own.torque[k] / h - p->expected.torque[k];
    clear_rounding(own.force, pushed + norm(p->expected.force));
    clear_rounding(own.torque, turned + norm(p->expected.torque));
    return own;
}

cord_status pair_load(pair *p, cord_world *world, double h, const double gravity[3])
{
    motion after = motion_of(p->ode);
    for (int k = 0; k < 3; k++)
        if (!isfinite(after.linear[k]) || !isfinite(after.angular[k])) return CORD_ERROR_NOT_FINITE;
    wrench own = from_ode(p, &after, h, gravity);
    cord_status status = CORD_OK;
    if (!same(own.force, p->own.force)) status = cord_load_set_force(world, p->load, own.force);
    if (status == CORD_OK && !same(own.torque, p->own.torque))
        status = cord_load_set_torque(world, p->load, own.torque);
    p->own = own;
    return status;
}

/* The change of momentum that the load and gravity do not explain. */
static void take_strands(pair *p, const motion *before, double h, const double gravity[3])
{
    double frame[9], w[3], l0[3], l1[3];
    frame_of(before, frame), to_double(w, before->angular);
    inertia_times(p, frame, w, l0);
    frame_of(&p->known, frame), to_double(w, p->known.angular);
    inertia_times(p, frame, w, l1);
    for (int k = 0; k < 3; k++) {
        double change = ((double)p->known.linear[k] - (double)before->linear[k]) / h - gravity[k];
        p->strands.force[k] = p->mass * change - p->own.force[k];
        p->strands.torque[k] = (l1[k] - l0[k]) / h - p->own.torque[k];
    }
}

cord_status pair_finish(pair *p, cord_world *world, double h, const double gravity[3],
                        bool advanced)
{
    motion before = p->known;
    dBodySetGyroscopicMode(p->ode, p->gyroscopic);
    cord_status status = tell_ode(p, world);
    if (status != CORD_OK || !advanced)
        forget_strands(p);
    else
        take_strands(p, &before, h, gravity);
    return status;
}
