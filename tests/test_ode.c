/* Bodies of the Open Dynamics Engine on strands: they move as Cordage's own bodies do, momentum
 * is exchanged, and ODE's contacts and joints carry the forces of strands. */
#include "math/vec3.h"
#include "support/scenes.h"
#include "support/test.h"

#include <cordage/ode.h>
#include <string.h>

static const double g = 9.81;

/* Both worlds, and a floor at z = 0 where `friction` is above 0. */
typedef struct both {
    cord_world *w;
    dWorldID ode;
    dSpaceID space;
    dJointGroupID contacts;
    double friction;
    cord_ode *coupling;
} both;

static void near(void *data, dGeomID a, dGeomID b)
{
    const both *s = data;
    dContact c[8];
    memset(c, 0, sizeof c);
    int count = dCollide(a, b, 8, &c[0].geom, sizeof *c);
    for (int i = 0; i < count; i++) {
        c[i].surface.mode = dContactApprox1;
        c[i].surface.mu = (dReal)s->friction;
        dJointAttach(dJointCreateContact(s->ode, s->contacts, &c[i]), dGeomGetBody(a),
                     dGeomGetBody(b));
    }
}

static void make(both *s, const integration *by, double gravity, double friction)
{
    *s = (both){.w = scene_world(by), .ode = dWorldCreate(), .friction = friction};
    s->space = dHashSpaceCreate(NULL);
    s->contacts = dJointGroupCreate(0);
    dWorldSetGravity(s->ode, 0, 0, (dReal)-gravity);
    dWorldSetContactSurfaceLayer(s->ode, (dReal)1e-4); /* so that contacts last */
    if (friction > 0) dCreatePlane(s->space, 0, 0, 1, 0);
    cord_ode_def def = cord_ode_def_default();
    def.world = s->w, def.ode = s->ode;
    def.space = s->space, def.contacts = s->contacts;
    def.near = near, def.near_data = s;
    assert_int_equal(cord_ode_create(&def, &s->coupling), CORD_OK);
}

static void end(both *s)
{
    cord_ode_destroy(s->coupling);
    dJointGroupDestroy(s->contacts);
    dSpaceDestroy(s->space);
    dWorldDestroy(s->ode);
    cord_world_destroy(s->w);
}

static dBodyID box(const both *s, double mass, double x, double y, double z)
{
    dBodyID body = dBodyCreate(s->ode);
    dMass m;
    dMassSetBoxTotal(&m, (dReal)mass, (dReal)0.2, (dReal)0.12, (dReal)0.06);
    dBodySetMass(body, &m);
    dBodySetPosition(body, (dReal)x, (dReal)y, (dReal)z);
    return body;
}

#define assert_coupled(s, call) assert_coupling((s), (call), #call, __LINE__)
static void assert_coupling(const both *s, cord_status status, const char *what, int line)
{
    if (status == CORD_OK) return;
    print_error("%s: %s: %s\n", what, cord_status_text(status), cord_ode_get_error(s->coupling));
    _fail(__FILE__, line);
}

static cord_body couple(both *s, dBodyID ode)
{
    cord_body body;
    assert_coupled(s, cord_ode_couple(s->coupling, ode, NULL, &body));
    return body;
}

/* A point of a body attached to a strand's point, or to a fixed point. */
static void tie(cord_world *w, cord_body body, double x, double y, double z, cord_point to)
{
    cord_point_def def = cord_point_def_default();
    cord_point on;
    def.source = CORD_SOURCE_BODY;
    def.body = body;
    v3_set(def.position, x, y, z);
    assert_fine(w, cord_world_add_point(w, &def, &on));
    scene_constraint(w, CORD_COINCIDE, on, to);
}

static void steps(both *s, int count, double h)
{
    for (int i = 0; i < count; i++) assert_coupled(s, cord_ode_step(s->coupling, h));
}

static void place_of(dBodyID body, double x[3])
{
    for (int k = 0; k < 3; k++) x[k] = dBodyGetPosition(body)[k];
}

static void velocity_of(dBodyID body, double v[3])
{
    for (int k = 0; k < 3; k++) v[k] = dBodyGetLinearVel(body)[k];
}

/* ---- the same motion as Cordage's bodies ------------------------------------------------------- */

/* Without constraints it falls with the velocity that ODE gives any body, on the parabola (with
 * `symplectic` and backward Euler, which are ODE's scheme, exactly at ODE's position). */
static void falls(void **unused)
{
    (void)unused;
    for (int i = 0; i < DYNAMIC_INTEGRATIONS; i++) {
        both s;
        make(&s, integrations + i, g, 0);
        dBodyID alone = box(&s, 2, 0, 1, 3), coupled = box(&s, 2, 0, 0, 3);
        dBodySetLinearVel(alone, 1, 0, 2);
        dBodySetLinearVel(coupled, 1, 0, 2);
        couple(&s, coupled);
        steps(&s, 50, 0.01);
        double x[3], v[3], x_alone[3], v_alone[3], t = 0.5;
        place_of(coupled, x), place_of(alone, x_alone);
        velocity_of(coupled, v), velocity_of(alone, v_alone);
        assert_all_close(v, v_alone, 3, 1e-8);
        bool second = i == TR_BDF2 || integrations[i].integrator == CORD_MIDPOINT;
        assert_close(x[0], 0.5, 1e-8);
        assert_close(x[2], second ? 3 + 2 * t - 0.5 * g * t * t : x_alone[2], 1e-8);
        end(&s);
    }
}

/* Cordage's body of the same mass, at the position of a dBody. */
static cord_body own_body(cord_world *w, dBodyID like)
{
    cord_body_def def = cord_body_def_default();
    cord_body body;
    def.mass = 2;
    def.inertia[0] = 2.0 / 12 * (0.12 * 0.12 + 0.06 * 0.06);
    def.inertia[4] = 2.0 / 12 * (0.2 * 0.2 + 0.06 * 0.06);
    def.inertia[8] = 2.0 / 12 * (0.2 * 0.2 + 0.12 * 0.12);
    place_of(like, def.position);
    velocity_of(like, def.velocity);
    for (int k = 0; k < 3; k++) def.angular_velocity[k] = dBodyGetAngularVel(like)[k];
    assert_fine(w, cord_world_add_body(w, &def, &body));
    return body;
}

/* Swinging and tumbling on a rope, with no force of ODE but gravity, it moves as Cordage's body
 * does. A gyroscopic term counted twice would show. */
static void swings(void **unused)
{
    static const double top[3] = {0, 0, 0}, low[3] = {0.5, 0, 0};
    (void)unused;
    for (int i = 0; i < DYNAMIC_INTEGRATIONS; i++) {
        bool explicit_step = integrations[i].integrator == CORD_SYMPLECTIC;
        both s;
        make(&s, integrations + i, g, 0);
        cord_world *w = scene_world(integrations + i);
        dBodyID ode = box(&s, 2, 0.6, 0, 0);
        dBodySetAngularVel(ode, (dReal)0.2, 5, 3);
        dBodySetLinearVel(ode, 0, (dReal)0.3, (dReal)0.5);
        cord_body own = own_body(w, ode);
        cord_strand rope = scene_rope(s.w, NULL, "rope", 8, top, low);
        scene_hang(s.w, rope, 0);
        tie(s.w, couple(&s, ode), -0.1, 0, 0, scene_point(s.w, rope, 0.5));
        rope = scene_rope(w, NULL, "rope", 8, top, low);
        scene_hang(w, rope, 0);
        tie(w, own, -0.1, 0, 0, scene_point(w, rope, 0.5));
        double h = explicit_step ? 2e-4 : 4e-3, x[3], frame[9], x_ode[3];
        for (int k = 0; k < 100; k++) {
            steps(&s, 1, h);
            assert_fine(w, cord_world_step(w, h));
        }
        place_of(ode, x_ode);
        assert_fine(w, cord_body_get_pose(w, own, x, frame));
        assert_all_close(x_ode, x, 3, 1e-9);
        for (int axis = 0; axis < 3; axis++)
            for (int k = 0; k < 3; k++)
                assert_close(dBodyGetRotation(ode)[4 * k + axis], frame[3 * axis + k], 1e-8);
        end(&s);
        cord_world_destroy(w);
    }
}

/* ---- momentum ---------------------------------------------------------------------------------- */

static void add_momentum(dBodyID body, double linear[3], double angular[3])
{
    dMass m;
    dVector3 w, l;
    double x[3], v[3], h[3];
    dBodyGetMass(body, &m);
    place_of(body, x), velocity_of(body, v);
    v3_scale(v, m.mass, v);
    v3_add(linear, linear, v);
    v3_cross(h, x, v);
    v3_add(angular, angular, h);
    const dReal *rate = dBodyGetAngularVel(body);
    dBodyVectorFromWorld(body, rate[0], rate[1], rate[2], w);
    for (int k = 0; k < 3; k++)
        l[k] = m.I[4 * k] * w[0] + m.I[4 * k + 1] * w[1] + m.I[4 * k + 2] * w[2];
    dBodyVectorToWorld(body, l[0], l[1], l[2], w);
    for (int k = 0; k < 3; k++) angular[k] += w[k];
}

/* Of Cordage's world, which contains the coupled bodies, and of ODE's other body. */
static void momentum_of(const both *s, dBodyID other, double linear[3], double angular[3])
{
    cord_momentum m;
    assert_fine(s->w, cord_world_get_momentum(s->w, &m));
    v3_copy(linear, m.linear), v3_copy(angular, m.angular);
    add_momentum(other, linear, angular);
}

/* Two coupled bodies with a rope between them, the second on a ball joint with a body of ODE
 * alone: the first is thrown, the rope becomes taut and pulls the others along. */
static void hands_over(void **unused)
{
    static const double from[3] = {0.1, 0, 0}, to[3] = {0.9, 0, 0};
    (void)unused;
    for (int i = 0; i < DYNAMIC_INTEGRATIONS; i++) {
        bool explicit_step = integrations[i].integrator == CORD_SYMPLECTIC;
        double h = explicit_step ? 1e-4 : 2e-3;
        both s;
        make(&s, integrations + i, 0, 0);
        dBodyID first = box(&s, 1, 0, 0, 0), second = box(&s, 1, 1, 0, 0),
                last = box(&s, 1, 1.3, 0, 0);
        dJointID ball = dJointCreateBall(s.ode, NULL);
        dJointAttach(ball, second, last);
        dJointSetBallAnchor(ball, (dReal)1.15, 0, 0);
        dBodySetLinearVel(first, -1, (dReal)0.5, 0);
        cord_strand rope = scene_rope(s.w, NULL, "rope", 8, from, to);
        tie(s.w, couple(&s, first), 0.1, 0, 0, scene_point(s.w, rope, 0));
        tie(s.w, couple(&s, second), -0.1, 0, 0, scene_point(s.w, rope, 0.8));
        double p[3], l[3], v[3];
        steps(&s, explicit_step ? 2000 : 100, h);
        momentum_of(&s, last, p, l);
        /* TR-BDF2 and backward Euler project velocities after the step, and dissipate a little
         * themselves. */
        bool keeps = i >= 2;
        assert_all_close(p, ((double[]){-1, 0.5, 0}), 3, keeps ? 1e-10 : 1e-4);
        assert_all_close(l, ((double[]){0, 0, 0}), 3, 5e-4); /* of the order of 0.5 kg m²/s */
        velocity_of(last, v);
        assert_true(v[0] < -0.1);
        end(&s);
    }
}

/* ---- ODE's contacts ---------------------------------------------------------------------------- */

/* A box on the floor carries a rope that is pulled along the floor with `pull`. */
typedef struct tug {
    both s;
    dBodyID box;
    cord_body body;
    cord_load load;
} tug;

static void make_tug(tug *t, double pull)
{
    static const double from[3] = {0.1, 0, 0.03}, to[3] = {1.1, 0, 0.03};
    make(&t->s, NULL, g, 0.5);
    t->box = box(&t->s, 2, 0, 0, 0.03);
    dGeomSetBody(dCreateBox(t->s.space, (dReal)0.2, (dReal)0.12, (dReal)0.06), t->box);
    t->body = couple(&t->s, t->box);
    cord_strand rope = scene_rope(t->s.w, NULL, "rope", 10, from, to);
    tie(t->s.w, t->body, 0.1, 0, 0, scene_point(t->s.w, rope, 0));
    cord_load_def load = cord_load_def_default();
    load.point = scene_point(t->s.w, rope, 1);
    cord_constraint_def floor = cord_constraint_def_default(); /* the free end runs along a rail */
    floor.kind = CORD_PLANE;
    floor.first = load.point;
    floor.second = scene_place(t->s.w, 0, 0, 0.03);
    scene_relate(t->s.w, &floor);
    load.force[0] = pull;
    assert_fine(t->s.w, cord_world_add_load(t->s.w, &load, &t->load));
}

static const double rope_mass = 0.1;

/* Pulled by less than the friction limit, the box stays, and does not creep; the force of the
 * rope is known and is part of the reaction of the floor. */
static void rests(void **unused)
{
    (void)unused;
    tug t;
    make_tug(&t, 6);
    double before[3], x[3], v[3], sum[3] = {0};
    steps(&t.s, 1500, 1e-3);
    place_of(t.box, before);
    for (int i = 0; i < 500; i++) {
        double force[3];
        steps(&t.s, 1, 1e-3);
        assert_coupled(&t.s, cord_ode_get_force(t.s.coupling, t.body, force, NULL));
        v3_axpy(sum, 1.0 / 500, force);
    }
    place_of(t.box, x), velocity_of(t.box, v);
    assert_close(before[0], 0, 1e-3); /* while the rope straightened */
    assert_all_close(x, before, 3, 1e-6);
    assert_close(v3_norm(v), 0, 1e-4);
    assert_close(x[2], 0.03, 1e-4);
    assert_close(sum[0], 6, 0.05); /* the rope still vibrates, by a tenth */
    assert_close(sum[2], -0.5 * rope_mass * g, 0.05);
    end(&t.s);
}

/* An impulsive pull on the body lasts one step: the floor absorbs it, and the box does not
 * rebound. */
static void takes_jerks(void **unused)
{
    tug t;
    cord_point_def at = cord_point_def_default();
    cord_load_def def = cord_load_def_default();
    cord_load jerk;
    double v[3], fastest = 0;
    (void)unused;
    make_tug(&t, 6);
    at.source = CORD_SOURCE_BODY, at.body = t.body;
    assert_fine(t.s.w, cord_world_add_point(t.s.w, &at, &def.point));
    assert_fine(t.s.w, cord_world_add_load(t.s.w, &def, &jerk));
    steps(&t.s, 500, 1e-3);
    assert_fine(t.s.w, cord_load_set_force(t.s.w, jerk, (double[]){0, 0, -500})); /* 0.25 m/s */
    steps(&t.s, 1, 1e-3);
    velocity_of(t.box, v);
    assert_true(v[2] < -0.2);
    assert_fine(t.s.w, cord_load_set_force(t.s.w, jerk, (double[]){0, 0, 0}));
    for (int i = 0; i < 50; i++) {
        steps(&t.s, 1, 1e-3);
        velocity_of(t.box, v);
        fastest = fmax(fastest, v[2]);
    }
    assert_true(fastest < 0.1); /* pushed out of the floor, which it was pressed into */
    end(&t.s);
}

/* Pulled harder it slides, with the acceleration that friction leaves. */
static void slides(void **unused)
{
    const double pull = 16;
    (void)unused;
    tug t;
    make_tug(&t, pull);
    double v0[3], v1[3];
    steps(&t.s, 300, 1e-3);
    velocity_of(t.box, v0);
    steps(&t.s, 300, 1e-3);
    velocity_of(t.box, v1);
    double friction =
        0.5 * (2 + 0.5 * rope_mass) * g; /* its end on the rail bears the other half */
    assert_close((v1[0] - v0[0]) / 0.3, (pull - friction) / (2 + rope_mass), 0.1);
    end(&t.s);
}

/* ---- ODE's joints ------------------------------------------------------------------------------ */

/* A shaft in a hinge of ODE and an elastic rod, clamped at its far end, that twists it back: the
 * hinge carries the weight, and the frequency is √(GJ/Il) of the shaft and a light rod. */
static void turns(void **unused)
{
    static const double from[3] = {0.1, 0, 0}, to[3] = {1.1, 0, 0};
    both s;
    (void)unused;
    make(&s, NULL, g, 0);
    dBodyID shaft = box(&s, 2, 0, 0, 0);
    dJointID hinge = dJointCreateHinge(s.ode, NULL);
    dJointAttach(hinge, shaft, NULL);
    dJointSetHingeAnchor(hinge, 0, 0, 0);
    dJointSetHingeAxis(hinge, 1, 0, 0);
    cord_body body = couple(&s, shaft);
    cord_strand rod = scene_rope(s.w, NULL, "rod", 8, from, to);
    assert_fine(s.w, cord_world_clamp_strand(s.w, rod, 1, NULL, NULL, NULL, NULL));
    cord_point end_point = scene_point(s.w, rod, 0), on;
    cord_point_def def = cord_point_def_default();
    def.source = CORD_SOURCE_BODY, def.body = body;
    def.position[0] = 0.1;
    assert_fine(s.w, cord_world_add_point(s.w, &def, &on));
    scene_constraint(s.w, CORD_COINCIDE, end_point, on);
    scene_constraint(s.w, CORD_ALIGN, end_point, on);
    dBodySetAngularVel(shaft, (dReal)0.2, 0, 0);
    double inertia = 2.0 / 12 * (0.12 * 0.12 + 0.06 * 0.06), omega = sqrt(0.01 / inertia);
    double period = 2 * 3.14159265358979323846 / omega, h = period / 400, turned = 0;
    for (int i = 0; i < 100; i++) steps(&s, 1, h), turned += h * dBodyGetAngularVel(shaft)[0];
    assert_close(turned, 0.2 / omega, 0.01 * 0.2 / omega); /* at its furthest after a quarter */
    assert_close(dBodyGetAngularVel(shaft)[0], 0, 0.02 * 0.2);
    assert_close(dBodyGetPosition(shaft)[2], 0, 1e-4);
    end(&s);
}

/* The angle by which a bar has swung down in a hinge of ODE after 0.4 s; by NULL: without
 * Cordage. */
static double swung(const integration *by, double h)
{
    both s;
    make(&s, by, g, 0);
    dBodyID bar = box(&s, 1, 0.5, 0, 0);
    dJointID hinge = dJointCreateHinge(s.ode, NULL);
    dJointAttach(hinge, bar, NULL);
    dJointSetHingeAnchor(hinge, 0, 0, 0);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    if (by) couple(&s, bar);
    steps(&s, (int)lround(0.4 / h), h);
    double x[3];
    place_of(bar, x);
    end(&s);
    return atan2(-x[2], x[0]);
}

/* Joints are satisfied to first order, as by ODE, and with `symplectic` exactly as by ODE. */
static void swings_in_a_hinge(void **unused)
{
    (void)unused;
    double ode = swung(NULL, 1e-3);
    for (int i = 0; i < DYNAMIC_INTEGRATIONS; i++) {
        const integration *by = integrations + i;
        double fine = swung(by, 1e-4), off[2] = {swung(by, 1e-3) - fine, swung(by, 5e-4) - fine};
        if (by->integrator == CORD_SYMPLECTIC) assert_close(off[0] + fine, ode, 1e-10);
        assert_close(off[0], 0, 3e-3);
        assert_close(off[0] / off[1], 9.0 / 4, 0.3); /* (10 − 1)/(5 − 1) */
    }
}

/* ---- setting the pose -------------------------------------------------------------------------- */

static void listens(void **unused)
{
    both s;
    double x[3];
    (void)unused;
    make(&s, NULL, 0, 0);
    dBodyID ode = box(&s, 2, 0, 0, 0);
    cord_body body = couple(&s, ode);
    steps(&s, 1, 0.01);
    dBodySetPosition(ode, 1, 2, 3); /* ODE's body is moved */
    dBodySetLinearVel(ode, 1, 0, 0);
    steps(&s, 10, 0.01);
    assert_fine(s.w, cord_body_get_pose(s.w, body, x, NULL));
    assert_all_close(x, ((double[]){1.1, 2, 3}), 3, 1e-8);
    assert_fine(s.w, cord_body_set_velocity(s.w, body, (double[]){0, 1, 0}, (double[]){0, 0, 0}));
    steps(&s, 10, 0.01); /* then Cordage's */
    place_of(ode, x);
    assert_all_close(x, ((double[]){1.1, 2.1, 3}), 3, 1e-8);
    dBodyDisable(ode);           /* strands wake it */
    dBodyAddForce(ode, 0, 0, 4); /* a force for one step */
    steps(&s, 1, 0.01);
    assert_close(dBodyGetLinearVel(ode)[2], 4.0 / 2 * 0.01, 1e-8);
    assert_true(dBodyGetGyroscopicMode(ode));
    end(&s);
}

/* A custom loop does what cord_ode_step() does. */
static void begins_and_finishes(void **unused)
{
    double x[2][3];
    (void)unused;
    for (int own = 0; own < 2; own++) {
        both s;
        make(&s, NULL, g, 0);
        dBodyID ode = box(&s, 2, 0, 0, 1);
        tie(s.w, couple(&s, ode), 0.1, 0, 0, scene_place(s.w, 0.1, 0, 1));
        for (int i = 0; i < 20; i++) {
            if (own) {
                assert_coupled(&s, cord_ode_begin(s.coupling));
                dWorldStep(s.ode, (dReal)0.01);
                assert_coupled(&s, cord_ode_finish(s.coupling, 0.01));
            } else {
                steps(&s, 1, 0.01);
            }
        }
        place_of(ode, x[own]);
        end(&s);
    }
    assert_memory_equal(x[0], x[1], sizeof x[0]);
}

/* ---- errors ------------------------------------------------------------------------------------ */

static void refuses_null(void **unused)
{
    both s;
    cord_ode *made = (cord_ode *)&s;
    cord_body body;
    (void)unused;
    make(&s, NULL, g, 0);
    cord_ode_def def = cord_ode_def_default();
    assert_int_equal(cord_ode_create(&def, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_ode_create(NULL, &made), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_ode_create(&def, &made), CORD_ERROR_ARGUMENT);
    assert_null(made);
    def.world = s.w;
    assert_int_equal(cord_ode_create(&def, &made), CORD_ERROR_ARGUMENT);
    def.ode = s.ode, def.near = near; /* and no space */
    assert_int_equal(cord_ode_create(&def, &made), CORD_ERROR_ARGUMENT);
    cord_ode_destroy(NULL);
    assert_string_equal(cord_ode_get_error(NULL), "the coupling is NULL");
    assert_string_equal(cord_ode_get_error(s.coupling), "");
    assert_int_equal(cord_ode_couple(NULL, NULL, NULL, &body), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_ode_couple(s.coupling, NULL, NULL, &body), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_ode_couple(s.coupling, box(&s, 1, 0, 0, 0), NULL, NULL),
                     CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_ode_uncouple(NULL, (cord_body){0}), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_ode_uncouple(s.coupling, (cord_body){0}), CORD_ERROR_HANDLE);
    assert_int_equal(cord_ode_get_force(NULL, (cord_body){0}, NULL, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_ode_get_force(s.coupling, (cord_body){0}, NULL, NULL), CORD_ERROR_HANDLE);
    assert_int_equal(cord_ode_step(NULL, 1), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_ode_step(s.coupling, 0), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_ode_step(s.coupling, NAN), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_ode_begin(NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_ode_finish(NULL, 1), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_ode_finish(s.coupling, 1), CORD_ERROR_ARGUMENT);
    assert_string_equal(cord_ode_get_error(s.coupling),
                        "no step has begun; call cord_ode_begin() first");
    end(&s);
}

static void refuses_bodies(void **unused)
{
    both s, other;
    cord_body body;
    cord_ode *second;
    (void)unused;
    make(&s, NULL, g, 0);
    make(&other, NULL, g, 0);
    dBodyID ode = box(&s, 1, 0, 0, 0), kinematic = box(&s, 1, 0, 0, 0);
    dBodySetKinematic(kinematic);
    couple(&s, ode);
    assert_int_equal(cord_ode_couple(s.coupling, ode, NULL, &body), CORD_ERROR_ARGUMENT);
    assert_string_equal(cord_ode_get_error(s.coupling), "the dBody is already coupled");
    cord_ode_def def = cord_ode_def_default();
    def.world = s.w, def.ode = s.ode;
    assert_int_equal(cord_ode_create(&def, &second), CORD_OK);
    assert_int_equal(cord_ode_couple(second, ode, NULL, &body), CORD_ERROR_ARGUMENT);
    cord_ode_destroy(second);
    assert_int_equal(cord_ode_couple(other.coupling, ode, NULL, &body), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_ode_couple(s.coupling, kinematic, NULL, &body), CORD_ERROR_UNSUPPORTED);
    assert_string_equal(
        cord_ode_get_error(s.coupling),
        "the dBody cannot be coupled: it is kinematic; only dynamic bodies can be coupled");
    cord_body_def bad = cord_body_def_default();
    bad.drag = -1;
    ode = box(&s, 1, 0, 0, 0);
    assert_int_equal(cord_ode_couple(s.coupling, ode, &bad, &body), CORD_ERROR_ARGUMENT);
    assert_non_null(strstr(cord_ode_get_error(s.coupling), "drag"));
    couple(&s, ode); /* nothing was left behind */
    assert_coupled(&s, cord_ode_begin(s.coupling));
    assert_int_equal(cord_ode_begin(s.coupling), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_ode_couple(s.coupling, box(&s, 1, 0, 0, 0), NULL, &body),
                     CORD_ERROR_ARGUMENT);
    assert_coupled(&s, cord_ode_finish(s.coupling, 0.01));
    end(&other);
    end(&s);
}

/* Destroyed, changed or removed while coupled: reported before anything moves, and resolved by
 * uncoupling. */
static void survives(void **unused)
{
    both s;
    cord_body_def named = cord_body_def_default();
    cord_body anvil, body;
    (void)unused;
    named.name = "anvil";
    make(&s, NULL, g, 0);
    dBodyID first = box(&s, 1, 0, 0, 0), second = box(&s, 1, 1, 0, 0);
    assert_coupled(&s, cord_ode_couple(s.coupling, first, &named, &anvil));
    body = couple(&s, second);
    steps(&s, 3, 0.01);
    double time = cord_world_get_time(s.w);
    dBodyDestroy(first);
    assert_int_equal(cord_ode_step(s.coupling, 0.01), CORD_ERROR_HANDLE);
    assert_string_equal(cord_ode_get_error(s.coupling),
                        "body 'anvil': it was destroyed while it was coupled; uncouple it first");
    assert_true(cord_world_get_time(s.w) == time);
    assert_coupled(&s, cord_ode_uncouple(s.coupling, anvil));
    steps(&s, 3, 0.01);
    dMass heavier;
    dMassSetSphereTotal(&heavier, 5, 1);
    dBodySetMass(second, &heavier);
    assert_int_equal(cord_ode_step(s.coupling, 0.01), CORD_ERROR_HANDLE);
    assert_string_equal(
        cord_ode_get_error(s.coupling),
        "body 0: its mass changed while it was coupled; uncouple it and couple it again");
    assert_coupled(&s, cord_ode_uncouple(s.coupling, body));
    body = couple(&s, second);
    steps(&s, 3, 0.01);
    dBodySetLinearVel(second, (dReal)NAN, 0, 0);
    assert_int_not_equal(cord_ode_step(s.coupling, 0.01), CORD_OK);
    dBodySetLinearVel(second, 0, 0, 0);
    steps(&s, 1, 0.01);
    dBodyAddForce(second, (dReal)INFINITY, 0, 0);
    assert_int_equal(cord_ode_step(s.coupling, 0.01), CORD_ERROR_NOT_FINITE);
    steps(&s, 1, 0.01); /* back at Cordage's position */
    assert_fine(s.w, cord_world_remove_body(s.w, body));
    assert_int_equal(cord_ode_step(s.coupling, 0.01), CORD_ERROR_HANDLE);
    assert_coupled(&s, cord_ode_uncouple(s.coupling, body));
    couple(&s, second);
    end(&s);
}

/* ODE's world destroyed first, against the rules: no crash, and a message. */
static void outlives_the_world(void **unused)
{
    both s;
    (void)unused;
    make(&s, NULL, g, 0);
    couple(&s, box(&s, 1, 0, 0, 0));
    dWorldDestroy(s.ode); /* ODE remarks on it */
    assert_int_equal(cord_ode_step(s.coupling, 0.01), CORD_ERROR_HANDLE);
    s.ode = dWorldCreate();
    end(&s);
}

static int begin_ode(void **unused)
{
    (void)unused;
    return dInitODE2(0) ? 0 : -1;
}

static int end_ode(void **unused)
{
    (void)unused;
    dCloseODE();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(falls),        cmocka_unit_test(swings),
        cmocka_unit_test(hands_over),   cmocka_unit_test(rests),
        cmocka_unit_test(takes_jerks),  cmocka_unit_test(slides),
        cmocka_unit_test(turns),        cmocka_unit_test(swings_in_a_hinge),
        cmocka_unit_test(listens),      cmocka_unit_test(begins_and_finishes),
        cmocka_unit_test(refuses_null), cmocka_unit_test(refuses_bodies),
        cmocka_unit_test(survives),     cmocka_unit_test(outlives_the_world),
    };
    return cmocka_run_group_tests(tests, begin_ode, end_ode);
}
