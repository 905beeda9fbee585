/* Cables on guides through the conformance suite, as the public interface builds them, on bodies that move: eyelets
 * that the cable runs through, pulleys with every law of friction, drums, tubes, bending, twist, belts, and nodes on
 * guides of every kind. */
#include "math/vec3.h"
#include "strand/cable/cable.h"
#include "support/cable_bench.h"
#include "support/conformance.h"
#include "support/rigs.h"
#include "support/scenes.h"
#include "world/world.h"

/* Bodies and free nodes move rigidly; coordinates on guides, rotations of pulleys and the material do not move. */
static void rigid(const void *model, const double *q, const double *cache, const double u[3],
                  const double w[3], double *v)
{
    const cable *c = model;
    (void)cache;
    for (int i = 0; i < c->layout.dofs; i++) v[i] = 0;
    for (int i = 0; i < c->topology.nodes; i++) {
        if (c->topology.node[i].guide >= 0) continue;
        double *own = v + c->topology.node[i].dof;
        v3_cross(own, w, q + c->topology.node[i].q);
        v3_add(own, own, u);
    }
    for (int i = 0; i < c->def.carriers; i++) {
        double *carrier = v + cable_carrier_dof(c, i);
        v3_cross(carrier, w, q + c->layout.carrier[i].q);
        v3_add(carrier, carrier, u);
        if (c->def.carrier[i].rotates) v3_copy(carrier + 3, w);
    }
}

static cord_body box(cord_world *world, const conformance_place *at, double mass, double x,
                     double z)
{
    cord_body_def def = scene_box(0.1, 0.2, 0.3);
    def.mass = mass;
    v3_set(def.position, x, 0, z);
    v3_set(def.velocity, 0.1 * x, 0.05, 0.1 * z);
    v3_set(def.angular_velocity, 0.1, 0.2, -0.1);
    conformance_take(at, &def);
    return scene_body(world, &def);
}

static block *cable_of(cord_world *world, const cord_cable_def *def)
{
    return &cord__get_strand(world, rig_cable(world, def))->block;
}

/* From a body over a second one to a third, by the waypoint in the middle. */
typedef struct line {
    cord_body body[3];
    cord_waypoint stop[3];
} line;

static line line_of(cord_world *world, const conformance_place *at, cord_waypoint_kind kind)
{
    line l = {
        .body = {box(world, at, 1, -1, 0), box(world, at, 2, 0, 0.5), box(world, at, 1.5, 1, 0)}};
    l.stop[0] = rig_anchor(rig_on(world, l.body[0], 0.05, 0));
    l.stop[1] = rig_pulley(rig_on(world, l.body[1], 0, 0), 0.2, -1);
    l.stop[1].kind = kind;
    l.stop[2] = rig_anchor(rig_on(world, l.body[2], 0, 0.05));
    return l;
}

static block *over(cord_world *world, const line *l, double stretching)
{
    cord_cable_def def = cord_cable_def_default();
    def.pushes = true; /* its lengths are any */
    def.waypoints = l->stop, def.waypoint_count = 3;
    def.density = 0.2, def.stretching = stretching;
    return cable_of(world, &def);
}

static block *eyelet(cord_world *world, const conformance_place *at)
{
    line l = line_of(world, at, CORD_WAYPOINT_EYELET);
    return over(world, &l, 0);
}
static block *elastic_eyelet(cord_world *world, const conformance_place *at)
{
    line l = line_of(world, at, CORD_WAYPOINT_EYELET);
    return over(world, &l, 300);
}
static block *frictionless(cord_world *world, const conformance_place *at)
{
    line l = line_of(world, at, CORD_WAYPOINT_PULLEY);
    return over(world, &l, 0);
}
static block *elastic_frictionless(cord_world *world, const conformance_place *at)
{
    line l = line_of(world, at, CORD_WAYPOINT_PULLEY);
    return over(world, &l, 300);
}
static block *sagging(cord_world *world, const conformance_place *at)
{
    line l = line_of(world, at, CORD_WAYPOINT_PULLEY);
    l.stop[0].parts = l.stop[1].parts = 4;
    return over(world, &l, 300);
}
static block *no_slip(cord_world *world, const conformance_place *at)
{
    line l = line_of(world, at, CORD_WAYPOINT_PULLEY);
    l.stop[1].friction_law = CORD_WRAP_NO_SLIP, l.stop[1].rotation = rig_flywheel(world, 0.01, 0);
    return over(world, &l, 0);
}
static block *capstan(cord_world *world, const conformance_place *at)
{
    line l = line_of(world, at, CORD_WAYPOINT_PULLEY);
    l.stop[1].friction_law = CORD_WRAP_CAPSTAN, l.stop[1].friction = 0.3;
    return over(world, &l, 300);
}

static block *bending(cord_world *world, const conformance_place *at)
{
    line l = line_of(world, at, CORD_WAYPOINT_PULLEY);
    cord_cable_def def = cord_cable_def_default();
    def.pushes = true; /* its lengths are any */
    l.stop[0].parts = l.stop[1].parts = 3;
    def.waypoints = l.stop, def.waypoint_count = 3;
    def.density = 0.2, def.stretching = 300, def.bending = 0.5;
    return cable_of(world, &def);
}

static block *twisting(cord_world *world, const conformance_place *at)
{
    line l = line_of(world, at, CORD_WAYPOINT_PULLEY);
    cord_cable_def def = cord_cable_def_default();
    def.pushes = true; /* its lengths are any */
    l.stop[0].parts = 3;
    def.waypoints = l.stop, def.waypoint_count = 3;
    def.density = 0.2, def.stretching = 300, def.twisting = 0.5;
    return cable_of(world, &def);
}

static block *drum(cord_world *world, const conformance_place *at)
{
    line l = line_of(world, at, CORD_WAYPOINT_DRUM);
    cord_cable_def def = cord_cable_def_default();
    def.pushes = true; /* its lengths are any */
    l.stop[1].turns = 2, l.stop[1].rotation = rig_flywheel(world, 0.1, 0.1);
    def.waypoints = l.stop, def.waypoint_count = 2;
    def.density = 0.2;
    return cable_of(world, &def);
}

static block *belt(cord_world *world, const conformance_place *at)
{
    line l = line_of(world, at, CORD_WAYPOINT_PULLEY);
    cord_cable_def def = cord_cable_def_default();
    def.pushes = true; /* its lengths are any */
    cord_waypoint waypoints[2] = {rig_pulley(rig_on(world, l.body[0], 0, 0), 0.1, 1),
                                  rig_pulley(rig_on(world, l.body[2], 0, 0), 0.2, 1)};
    def.closed = true, def.waypoints = waypoints, def.waypoint_count = 2;
    def.density = 0.3, def.stretching = 300, def.tension = 5;
    return cable_of(world, &def);
}

static block *inextensible_belt(cord_world *world, const conformance_place *at)
{
    line l = line_of(world, at, CORD_WAYPOINT_PULLEY);
    cord_cable_def def = cord_cable_def_default();
    def.pushes = true; /* its lengths are any */
    for (int i = 0; i < 3; i++) {
        l.stop[i] = rig_pulley(rig_on(world, l.body[i], 0, 0), 0.1, -1);
        l.stop[i].friction_law = CORD_WRAP_NO_SLIP,
        l.stop[i].rotation = rig_flywheel(world, 0.01, 0);
    }
    def.closed = true, def.waypoints = l.stop, def.waypoint_count = 3;
    def.density = 0.3;
    return cable_of(world, &def);
}

static block *tube(cord_world *world, const conformance_place *at)
{
    static const double curve[] = {-0.2, 0, 0, -0.1, 0.05, 0.06, 0.1, 0, 0.05, 0.2, 0, 0};
    line l = line_of(world, at, CORD_WAYPOINT_TUBE);
    l.stop[1] = (cord_waypoint){.kind = CORD_WAYPOINT_TUBE,
                                .path = scene_path(world, l.body[1], 4, curve, false)};
    return over(world, &l, 300);
}

static block *every_guide(cord_world *world, const conformance_place *at)
{
    (void)at;
    return &cord__get_strand(world, bench_crowd(world, false))->block;
}

static const char *const simpler =
    "the matrix leaves out second derivatives over the material that flows, "
    "and those of bending; test_cable.c has the rest";
static const char *const inertia =
    "inertia changes with the configuration, and its forces do work; flights "
    "keep the energy";
static const char *const averaged = "the force is corrected along the motion, of which there is "
                                    "none at rest; flights keep the energy";
static const char *const not_updated =
    "its iteration leaves the accelerations of a cable as they were";
/* Accelerations are those of coordinates, and momenta are conserved to the order of the scheme:
 * least accurately where bending is stiff and nodes slide fast. */
#define CABLE_KEEPS(change)                                                                        \
    .rigid = rigid, .step = 1e-3, .no_symplectic = true, .drift = 5e-3, .spin = 0.1 * (change),    \
    .linear = (change), .lacks.velocity_terms = not_updated, .lacks.hessian = simpler,             \
    .lacks.power = inertia, .lacks.midpoint = averaged
#define CABLE CABLE_KEEPS(1e-4)
static const conformance_case cases[] = {
    {CABLE, .name = "eyelet", .build = eyelet},
    {CABLE, .name = "eyelet, elastic", .build = elastic_eyelet},
    {CABLE, .name = "pulley without friction", .build = frictionless},
    {CABLE, .name = "pulley without friction, elastic", .build = elastic_frictionless},
    {CABLE, .name = "pulley, free nodes", .build = sagging},
    {CABLE, .name = "pulley, no slip", .build = no_slip},
    {CABLE_KEEPS(2.5e-2), .name = "pulley, capstan friction",
     .build = capstan}, /* creep loses 2 %, also by TR-BDF2 */
    {CABLE_KEEPS(5e-3), .name = "bending", .build = bending},
    {CABLE, .name = "twisting", .build = twisting},
    {CABLE, .name = "drum", .build = drum, .dissipates = true},
    {CABLE, .name = "belt", .build = belt},
    {CABLE_KEEPS(1e-3), .name = "belt that does not stretch", .build = inextensible_belt},
    {CABLE, .name = "tube", .build = tube},
    {CABLE, .name = "guides of every kind", .build = every_guide,
     .lacks.rigid = "some of its guides are in the world",
     .lacks.flight = "some of its guides are in the world; test_cable_world.c has its motion"},
};

int main(void)
{
    return conformance_group(cases, sizeof cases / sizeof *cases, NULL, 0);
}
