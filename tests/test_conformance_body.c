/* Rigid bodies through the conformance suite: every solid that can define a body's inertia, and
 * prescribed inertia, with the centre of mass off the origin of the body's axes; drag. */
#include "body/body.h"
#include "math/rotation.h"
#include "math/vec3.h"
#include "support/conformance.h"
#include "support/scenes.h"
#include "world/world.h"

static void rigid(const void *model, const double *q, const double *cache, const double u[3],
                  const double w[3], double *v)
{
    (void)model, (void)cache;
    v3_cross(v, w, q);
    v3_add(v, v, u);
    v3_copy(v + 3, w);
}

static int attach(void *model, attachment points[CONFORMANCE_POINTS],
                  attachment frames[CONFORMANCE_FRAMES])
{
    const body_model *b = model;
    double frame[9];
    for (int i = 0; i < CONFORMANCE_POINTS; i++) {
        double place[3] = {0.1 * i, -0.05 * i * i, 0.2 - 0.1 * i};
        cord__rotation_exp(frame, (double[]){0.3 * i, 1 - i, 0.2});
        if (i == 0) v3_copy(place, b->center); /* three degrees of freedom of the body alone */
        cord__body_attach(b, MEASURE_POSITION, place, frame, points + i);
        if (i < CONFORMANCE_FRAMES) cord__body_attach(b, MEASURE_FRAME, place, frame, frames + i);
    }
    return CONFORMANCE_FRAMES;
}

static block *body(cord_world *world, const conformance_place *at, cord_body_def def)
{
    v3_set(def.position, 0.3, -0.2, 0.5);
    cord__rotation_exp(def.frame, (double[]){0.4, -0.9, 0.6});
    v3_set(def.velocity, 0.5, 0.1, -0.2);
    v3_set(def.angular_velocity, 0.3, -0.8, 1.1);
    conformance_take(at, &def);
    return &cord__get_body(world, scene_body(world, &def))->block;
}

static block *solid(cord_world *world, const conformance_place *at, cord_shape shape)
{
    cord_body_def def = cord_body_def_default();
    def.shape = shape;
    return body(world, at, def);
}

static block *box(cord_world *world, const conformance_place *at)
{
    return solid(world, at, (cord_shape){.kind = CORD_SHAPE_BOX, .size = {0.1, 0.2, 0.3}});
}
static block *sphere(cord_world *world, const conformance_place *at)
{
    return solid(world, at, (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = 0.1});
}
static block *cylinder(cord_world *world, const conformance_place *at)
{
    return solid(world, at,
                 (cord_shape){.kind = CORD_SHAPE_CYLINDER, .radius = 0.05, .length = 0.3});
}
static block *capsule(cord_world *world, const conformance_place *at)
{
    return solid(world, at,
                 (cord_shape){.kind = CORD_SHAPE_CAPSULE, .radius = 0.05, .length = 0.3});
}

static block *mesh(cord_world *world, const conformance_place *at)
{
    cord_body_def def = cord_body_def_default();
    double x[24];
    for (int i = 0; i < 24; i++) x[i] = 0.1 * (1 + i % 3) * scene_cube[i];
    def.shape = (cord_shape){.kind = CORD_SHAPE_MESH,
                             .vertex_count = 8,
                             .vertices = x,
                             .triangle_count = 12,
                             .triangles = scene_cube_faces};
    return body(world, at, def);
}

static cord_body_def given(void)
{
    cord_body_def def = cord_body_def_default();
    def.mass = 0.7;
    v3_set(def.center, 0.1, -0.05, 0.2);
    static const double inertia[9] = {0.02,  0.003,  -0.001, 0.003, 0.03,
                                      0.002, -0.001, 0.002,  0.025};
    for (int i = 0; i < 9; i++) def.inertia[i] = inertia[i];
    return def;
}

static block *given_inertia(cord_world *world, const conformance_place *at)
{
    return body(world, at, given());
}

static block *dragged(cord_world *world, const conformance_place *at)
{
    cord_body_def def = given();
    def.drag = 0.3, def.angular_drag = 0.01;
    return body(world, at, def);
}

/* One solve in a step leaves terms of second order in the rotation of that step, 1e-3. */
#define BODY .rigid = rigid, .attach = attach, .step = 1e-3, .drift = 1e-3
static const conformance_case cases[] = {
    {BODY, .name = "box", .build = box},
    {BODY, .name = "sphere", .build = sphere},
    {BODY, .name = "cylinder", .build = cylinder},
    {BODY, .name = "capsule", .build = capsule},
    {BODY, .name = "mesh", .build = mesh},
    {BODY, .name = "given inertia", .build = given_inertia},
    {BODY, .name = "drag", .build = dragged, .dissipates = true,
     .lacks.flight = "the air takes momentum; test_body.c has its drag"},
};

int main(void)
{
    return conformance_group(cases, sizeof cases / sizeof *cases, NULL, 0);
}
