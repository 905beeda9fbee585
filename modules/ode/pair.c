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

static bool equal(const double a[3], const double b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* out = R J Rᵀ w; frames of Cordage are stored by columns. */
static void inertia_times(const pair *p, const double frame[9], const double w[3], double out[3])
{
    double local[3];
    for (int k = 0; k < 3; k++) local[k] = dot(frame + 3 * k, w);
    memset(out, 0, 3 * sizeof *out);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) out[i] += dot(p->inertia + 3 * k, local) * frame[3 * k + i];
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

/* Copies the state of Cordage to ODE. */
static cord_status copy_to_ode(pair *p, cord_world *world)
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

/* After a jump of the state the estimate of the strands' wrench is void. */
static void reset_strand_wrench(pair *p)
{
    p->strands = p->expected = (wrench){0};
}

/* Copies a state of ODE to Cordage. */
static cord_status copy_to_cordage(pair *p, cord_world *world, const motion *m)
{
    double x[3], frame[9], v[3], w[3];
    to_double(x, m->position), to_double(v, m->linear), to_double(w, m->angular);
    frame_of(m, frame);
    cord_status status = cord_body_set_pose(world, p->body, x, frame);
    if (status == CORD_OK) status = cord_body_set_velocity(world, p->body, v, w);
    if (status != CORD_OK) return status;
    p->known = *m;
    reset_strand_wrench(p);
    return CORD_OK;
}

/* Mass and inertia of the dBody; returns a message where its centre of mass is not its origin. */
static const char *read_mass(dBodyID ode, double *mass, double inertia[9])
{
    dMass m;
    dBodyGetMass(ode, &m);
    *mass = m.mass;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) inertia[3 * i + k] = m.I[4 * i + k];
    return m.c[0] != 0 || m.c[1] != 0 || m.c[2] != 0
               ? "its centre of mass is not its origin; use dMassTranslate"
               : NULL;
}

/* ---- creation and destruction ------------------------------------------------------------------- */

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

bool pair_is_alive(const pair *p)
{
    return dJointGetBody(p->witness, 0) == p->ode;
}

const char *pair_diagnostic(const pair *p)
{
    double mass, inertia[9];
    if (!pair_is_alive(p)) return "it was destroyed while it was coupled; uncouple it first";
    if (dBodyIsKinematic(p->ode))
        return "it became kinematic while it was coupled; uncouple it first";
    const char *why = read_mass(p->ode, &mass, inertia);
    if (why) return why;
    if (mass != p->mass || memcmp(inertia, p->inertia, sizeof inertia) != 0)
        return "its mass changed while it was coupled; uncouple it and couple it again";
    return NULL;
}

/* A load at the centre of the Cordage body, initially zero. */
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
    cord_body_def copy = cord_body_def_default();
    if (def) {
        copy.name = def->name, copy.shape = def->shape;
        copy.drag = def->drag, copy.angular_drag = def->angular_drag;
    }
    copy.mass = p->mass;
    memcpy(copy.inertia, p->inertia, sizeof copy.inertia);
    frame_of(&p->known, copy.frame);
    to_double(copy.position, p->known.position);
    to_double(copy.velocity, p->known.linear);
    to_double(copy.angular_velocity, p->known.angular);
    cord_status status = cord_world_add_body(world, &copy, &p->body);
    if (status != CORD_OK) return status;
    status = add_load(p, world);
    if (status != CORD_OK) cord_world_remove_body(world, p->body);
    return status;
}

cord_status pair_make(pair *p, cord_world *world, dBodyID ode, const cord_body_def *def,
                      const char **why)
{
    *p = (pair){.ode = ode};
    *why = dBodyIsKinematic(ode) ? "it is kinematic; only dynamic bodies can be coupled" : NULL;
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

void pair_destroy(pair *p, cord_world *world)
{
    dJointGroupDestroy(p->group);
    cord_world_remove_body(world, p->body); /* fails without effect if the caller has removed it */
}

/* ---- a step ------------------------------------------------------------------------------------ */

/* Contacts and joints of ODE must balance the pull of the strands, and ODE solves for them first.
 * So a low-pass filtered wrench of the strands is applied in advance: a steady pull is then
 * balanced exactly. The wrench of the last step alone would apply every jerk, already part of the
 * velocity, a second time. */
static const double FILTER = 0.1; /* filter coefficient per step */

static void update_estimate(double expected[3], const double last[3], dReal applied[3])
{
    for (int k = 0; k < 3; k++) {
        applied[k] = (dReal)(expected[k] + FILTER * (last[k] - expected[k]));
        expected[k] = applied[k]; /* rounded to the precision of ODE */
    }
}

static void apply_estimate(pair *p)
{
    dReal f[3], t[3];
    update_estimate(p->expected.force, p->strands.force, f);
    update_estimate(p->expected.torque, p->strands.torque, t);
    dBodyAddForce(p->ode, f[0], f[1], f[2]);
    dBodyAddTorque(p->ode, t[0], t[1], t[2]);
}

cord_status pair_synchronise(pair *p, cord_world *world)
{
    motion now = motion_of(p->ode);
    bool moved = memcmp(&now, &p->known, sizeof now) != 0;
    return moved ? copy_to_cordage(p, world, &now) : copy_to_ode(p, world);
}

void pair_begin(pair *p)
{
    p->gyroscopic =
        dBodyGetGyroscopicMode(p->ode); /* the gyroscopic term is in the equations of Cordage */
    dBodySetGyroscopicMode(p->ode, 0);
    dBodyEnable(p->ode);
    apply_estimate(p);
}

/* Sets a difference at the level of round-off to zero: an unchanged load lets Cordage keep its
 * factorisation. `size`: magnitude of the operands. */
static void flush_round_off(double x[3], double size)
{
    const double unit = sizeof(dReal) == sizeof(float) ? FLT_EPSILON : DBL_EPSILON;
    if (norm(x) > 8 * unit * size) return;
    memset(x, 0, 3 * sizeof *x);
}

/* Mean wrench of ODE over its step (joints, contacts, forces of the caller), from the change of
 * momentum minus the estimate of the strands:
 *     F = m ((v₁ − v₀)/h − g) − F_est,   T = J (ω₁ − ω₀)/h − T_est.
 * Gravity acts in Cordage itself. */
static wrench ode_step_wrench(const pair *p, const motion *after, double h, const double gravity[3])
{
    wrench result;
    double frame[9], spin_change[3], before[3], then[3];
    double force_scale = 0, torque_scale = 0; /* magnitudes of the operands */
    frame_of(&p->known, frame);
    for (int k = 0; k < 3; k++) {
        double v0 = p->known.linear[k], v1 = after->linear[k];
        spin_change[k] = (double)after->angular[k] - (double)p->known.angular[k];
        result.force[k] = p->mass * ((v1 - v0) / h - gravity[k]) - p->expected.force[k];
        force_scale += p->mass * ((fabs(v0) + fabs(v1)) / h + fabs(gravity[k]));
    }
    inertia_times(p, frame, spin_change, result.torque);
    to_double(before, p->known.angular), to_double(then, after->angular);
    inertia_times(p, frame, before, spin_change), torque_scale += norm(spin_change) / h;
    inertia_times(p, frame, then, spin_change), torque_scale += norm(spin_change) / h;
    for (int k = 0; k < 3; k++) result.torque[k] = result.torque[k] / h - p->expected.torque[k];
    flush_round_off(result.force, force_scale + norm(p->expected.force));
    flush_round_off(result.torque, torque_scale + norm(p->expected.torque));
    return result;
}

cord_status pair_load(pair *p, cord_world *world, double h, const double gravity[3])
{
    motion after = motion_of(p->ode);
    for (int k = 0; k < 3; k++)
        if (!isfinite(after.linear[k]) || !isfinite(after.angular[k])) return CORD_ERROR_NOT_FINITE;
    wrench now = ode_step_wrench(p, &after, h, gravity);
    cord_status status = CORD_OK;
    if (!equal(now.force, p->ode_wrench.force))
        status = cord_load_set_force(world, p->load, now.force);
    if (status == CORD_OK && !equal(now.torque, p->ode_wrench.torque))
        status = cord_load_set_torque(world, p->load, now.torque);
    p->ode_wrench = now;
    return status;
}

/* Wrench of the strands: the change of momentum not due to the load and gravity. */
static void strand_wrench(pair *p, const motion *before, double h, const double gravity[3])
{
    double frame[9], w[3], l0[3], l1[3];
    frame_of(before, frame), to_double(w, before->angular);
    inertia_times(p, frame, w, l0);
    frame_of(&p->known, frame), to_double(w, p->known.angular);
    inertia_times(p, frame, w, l1);
    for (int k = 0; k < 3; k++) {
        double change = ((double)p->known.linear[k] - (double)before->linear[k]) / h - gravity[k];
        p->strands.force[k] = p->mass * change - p->ode_wrench.force[k];
        p->strands.torque[k] = (l1[k] - l0[k]) / h - p->ode_wrench.torque[k];
    }
}

cord_status pair_finish(pair *p, cord_world *world, double h, const double gravity[3],
                        bool advanced)
{
    motion before = p->known;
    dBodySetGyroscopicMode(p->ode, p->gyroscopic);
    cord_status status = copy_to_ode(p, world);
    if (status != CORD_OK || !advanced)
        reset_strand_wrench(p);
    else
        strand_wrench(p, &before, h, gravity);
    return status;
}
