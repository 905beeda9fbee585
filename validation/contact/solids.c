/* Bodies on a slope and on each other. */
#include "math/vec3.h"
#include "validation/contact/contact.h"
#include "validation/contact/scenes.h"
#include <math.h>

static const double gravity = 9.81, h = 0.005;

static cord_status begin(cord_world **w, double angle, double friction)
{
    cord_world_def def = cord_world_def_default();
    def.threads = 1;
    v3_set(def.gravity, gravity * sin(angle), 0, -gravity * cos(angle));
    cord_status status = cord_world_create(&def, w);
    if (status == CORD_OK) status = contact_set_law(*w, friction, 1e-10);
    return status == CORD_OK ? contact_add_floor(*w) : status;
}

static cord_status add_body(cord_world *w, const cord_shape *shape, double z, cord_body *body)
{
    cord_body_def def = cord_body_def_default();
    cord_contact_surface surface = cord_contact_surface_default();
    def.shape = *shape;
    def.position[2] = z;
    cord_status status = cord_world_add_body(w, &def, body);
    return status == CORD_OK ? cord_body_set_surface(w, *body, &surface) : status;
}

static cord_status advance(cord_world *w, int steps, coulomb_audit *audit)
{
    cord_status status = CORD_OK;
    for (int i = 0; status == CORD_OK && i < steps; i++) {
        status = cord_world_step(w, h);
        if (status == CORD_OK) status = contact_audit(w, audit);
    }
    return status;
}

/* Velocity after one second on a slope, over g. */
static double velocity_on_slope(validation *v, const char *name, const cord_shape *shape, double z,
                                double angle, double friction, coulomb_audit *audit,
                                double rotation[3])
{
    cord_world *w = NULL;
    cord_body body;
    double velocity[3] = {NAN, NAN, NAN};
    audit->friction = friction;
    cord_status status = begin(&w, angle, friction);
    if (status == CORD_OK) status = add_body(w, shape, z, &body);
    if (status == CORD_OK) status = advance(w, (int)lround(1 / h), audit);
    if (status == CORD_OK) status = cord_body_get_velocity(w, body, velocity, rotation);
    validation_ok(v, w, status, name);
    cord_world_destroy(w);
    return velocity[0] / gravity;
}

static void slopes(validation *v)
{
    const cord_shape sphere = {.kind = CORD_SHAPE_SPHERE, .radius = 0.1};
    const cord_shape box = {.kind = CORD_SHAPE_BOX, .size = {0.2, 0.2, 0.2}};
    const cord_shape tower = {.kind = CORD_SHAPE_BOX, .size = {0.1, 0.1, 0.4}};
    coulomb_audit audit = {.velocity = 1, .radius = 0.1};
    double angle = 0.2, mu = 0.5, spin[3] = {0};
    double u = velocity_on_slope(v, "sphere", &sphere, 0.1, angle, mu, &audit, spin);
    validation_row(v, "sphere", "v/gt, rolling: 5/7 sin α", u, 5.0 / 7 * sin(angle), 1e-6);
    u = velocity_on_slope(v, "box", &box, 0.1, atan(0.98 * mu), mu, &audit, spin);
    validation_row(v, "box", "v/gt, tan α = 0.98 μ", u, 0, 1e-8);
    angle = atan(1.02 * mu);
    u = velocity_on_slope(v, "box", &box, 0.1, angle, mu, &audit, spin);
    validation_row(v, "box", "v/gt, tan α = 1.02 μ: sin α − μ cos α", u,
                   sin(angle) - mu * cos(angle), 1e-7);
    /* A box of width b and height c topples where tan α > b/c. */
    velocity_on_slope(v, "tower", &tower, 0.2, atan(0.98 * 0.25), mu, &audit, spin);
    validation_row_below(v, "tower", "rotation, tan α = 0.98 b/c, rad/s", v3_norm(spin), 1e-6);
    velocity_on_slope(v, "tower", &tower, 0.2, atan(1.02 * 0.25), mu, &audit, spin);
    validation_row_above(v, "tower", "rotation, tan α = 1.02 b/c, rad/s", v3_norm(spin), 0.01);
    contact_audit_rows(v, "slopes", &audit, 1e-3);
}

enum { BOXES = 8 };

static void stack(validation *v)
{
    const cord_shape box = {.kind = CORD_SHAPE_BOX, .size = {0.2, 0.2, 0.1}};
    const double duration = validation_quick(v) ? 5 : 60;
    coulomb_audit audit = {.friction = 0.5, .velocity = gravity * h, .radius = 0.1};
    cord_world *w = NULL;
    cord_body bodies[BOXES];
    double most = 0;
    cord_status status = begin(&w, 0, 0.5);
    for (int i = 0; status == CORD_OK && i < BOXES; i++)
        status = add_body(w, &box, 0.05 + 0.1 * i, bodies + i);
    if (status == CORD_OK) status = advance(w, (int)lround(duration / h), &audit);
    for (int i = 0; status == CORD_OK && i < BOXES; i++) {
        double x[3], start[3] = {0, 0, 0.05 + 0.1 * i};
        status = cord_body_get_pose(w, bodies[i], x, NULL);
        most = fmax(most, v3_distance(x, start));
    }
    if (validation_ok(v, w, status, "stack of boxes")) {
        const char *name = validation_text(v, "stack of %d boxes, %g s", BOXES, duration);
        validation_row_below(v, name, "largest displacement, widths", most / 0.2, 1e-5);
        contact_audit_rows(v, name, &audit, 1e-3);
    }
    cord_world_destroy(w);
}

void check_solids(validation *v)
{
    slopes(v);
    stack(v);
}
