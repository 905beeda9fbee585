/* Coordinates through the conformance suite: a flywheel, with and without friction, a revolute and a prismatic
 * coordinate with inertia, and a point that slides on a strand. */
#include "block/slider.h"
#include "math/vec3.h"
#include "support/conformance.h"
#include "support/scenes.h"
#include "support/sliding.h"
#include "world/world.h"

static block *of_point(cord_world *world, const cord_point_def *def)
{
    const point *p = cord__get_point(world, scene_add_point(world, def));
    return &((object *)world->sliders.item[p->slider])->block;
}

static block *flywheel(cord_world *world, const conformance_place *at)
{
    cord_point_def def = cord_point_def_default();
    (void)at;
    def.source = CORD_SOURCE_FLYWHEEL, def.inertia = 0.3;
    return of_point(world, &def);
}

static block *braked_flywheel(cord_world *world, const conformance_place *at)
{
    cord_point_def def = cord_point_def_default();
    (void)at;
    def.source = CORD_SOURCE_FLYWHEEL, def.inertia = 0.3, def.friction = 0.2;
    return of_point(world, &def);
}

static block *between_bodies(cord_world *world, const conformance_place *at, cord_source source)
{
    cord_body_def box = scene_box(0.1, 0.2, 0.3);
    v3_set(box.angular_velocity, 0, 0, 0.4);
    conformance_take(at, &box);
    cord_body first = scene_body(world, &box);
    cord_point_def def = cord_point_def_default();
    def.source = source, def.inertia = 0.2, def.friction = 0.05;
    def.measured = scene_on(world, first, 0, 0, 0.1);
    def.reference = scene_on(world, scene_body(world, &box), 0, 0, 0);
    v3_set(def.direction, 0, 0, 1);
    return of_point(world, &def);
}

static block *revolute(cord_world *world, const conformance_place *at)
{
    return between_bodies(world, at, CORD_SOURCE_REVOLUTE);
}
static block *prismatic(cord_world *world, const conformance_place *at)
{
    return between_bodies(world, at, CORD_SOURCE_PRISMATIC);
}

static block *sliding(cord_world *world, const conformance_place *at)
{
    (void)at;
    cord_point_def def = sliding_def(sliding_strand(world, sliding_kinds, 1e7), 0.4);
    def.friction = 0.2;
    return of_point(world, &def);
}

#define SLIDER                                                                                     \
    .step = 1e-3, .lacks.rigid = "a coordinate has no position",                                   \
    .lacks.points = "its only measure is the coordinate itself"
static const conformance_case cases[] = {
    {SLIDER, .name = "flywheel", .build = flywheel,
     .lacks.flight = "it has no momentum in space; test_coordinates.c has its motion"},
    {SLIDER, .name = "flywheel with friction", .build = braked_flywheel, .dissipates = true,
     .lacks.flight = "it has no momentum in space; test_coordinates.c has its motion"},
    {SLIDER, .name = "revolute", .build = revolute, .dissipates = true,
     .lacks.flight = "its inertia is beside those of bodies; test_coordinates.c has its motion"},
    {SLIDER, .name = "prismatic", .build = prismatic, .dissipates = true,
     .lacks.flight = "its inertia is beside those of bodies; test_coordinates.c has its motion"},
    {SLIDER, .name = "sliding point", .build = sliding, .dissipates = true,
     .lacks.flight = "it moves with its strand; test_sliding_world.c has its motion"},
};

int main(void)
{
    return conformance_group(cases, sizeof cases / sizeof *cases, NULL, 0);
}
