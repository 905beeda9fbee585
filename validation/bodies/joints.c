/* Joints: their constraint residuals in a long run. */
#include "validation/bodies/bodies.h"
#include "validation/bodies/parts.h"
#include <math.h>

enum { JOINTS = 6, CONSTRAINTS = 2, BLOCK = 1000, MOST_BLOCKS = 100 };

/* A joint from one body of the chain to the next, and its constraints. */
typedef struct joint {
    const char *name, *kind[CONSTRAINTS];
    double direction[3];
    bool spring; /* keeps it from sliding away */
} joint;

static const joint joints[JOINTS] = {
    {"ball", {CORD_COINCIDE, NULL}, {0, 0, 1}, false},
    {"revolute", {CORD_COINCIDE, CORD_PARALLEL}, {0, 1, 0}, false},
    {"universal", {CORD_COINCIDE, CORD_PERPENDICULAR}, {0, 1, 0}, false},
    {"weld", {CORD_COINCIDE, CORD_ALIGN}, {0, 0, 1}, false},
    {"prismatic", {CORD_AXIS, CORD_ALIGN}, {0, 0, 1}, true},
    {"cylindrical", {CORD_AXIS, CORD_PARALLEL}, {0, 0, 1}, true},
};

typedef struct hanging {
    cord_world *world;
    cord_body body[JOINTS];
    cord_constraint constraint[JOINTS][CONSTRAINTS];
} hanging;

static cord_status add_joint(hanging *c, int i)
{
    const joint *j = &joints[i];
    cord_point below, above;
    cord_status status = part_point(c->world, c->body[i], (double[]){0, 0, 0.1}, &below);
    if (status == CORD_OK)
        status = i > 0 ? part_point(c->world, c->body[i - 1], (double[]){0, 0, -0.1}, &above)
                       : part_world_point(c->world, (double[]){0, 0, 0}, &above);
    for (int k = 0; status == CORD_OK && k < CONSTRAINTS && j->kind[k]; k++) {
        cord_constraint_def def = cord_constraint_def_default();
        def.kind = j->kind[k];
        def.first = below, def.second = above;
        for (int m = 0; m < 3; m++) def.direction[m] = j->direction[m];
        def.first_direction[0] = j->kind[k][0] == 'p' && j->kind[k][1] == 'e';
        status = cord_world_add_constraint(c->world, &def, &c->constraint[i][k]);
    }
    if (status != CORD_OK || !j->spring) return status;
    cord_constraint_def def = cord_constraint_def_default();
    cord_constraint made;
    def.kind = CORD_PLANE; /* along the axis: a spring */
    def.first = below, def.second = above;
    def.compliance = 1e-3;
    return cord_world_add_constraint(c->world, &def, &made);
}

static cord_status make(hanging *c)
{
    cord_world_def def = cord_world_def_default();
    def.threads = 1;
    cord_status status = cord_world_create(&def, &c->world);
    for (int i = 0; status == CORD_OK && i < JOINTS; i++) {
        const double x[3] = {0, 0, -0.1 - 0.2 * i};
        status = part_body(c->world, 0.5, (double[]){2e-3, 1.5e-3, 1e-3}, x, &c->body[i]);
        if (status == CORD_OK) status = add_joint(c, i);
    }
    /* Initial velocities in both horizontal directions, and a spin. */
    if (status == CORD_OK)
        status = cord_body_set_velocity(c->world, c->body[JOINTS - 1], (double[]){1.5, 1, 0},
                                        (double[]){0, 0, 6});
    return status;
}

static double largest(const hanging *c, int i)
{
    double worst = 0;
    for (int k = 0; k < CONSTRAINTS && joints[i].kind[k]; k++) {
        double off = part_residual(c->world, c->constraint[i][k]);
        worst = isnan(off) ? INFINITY : fmax(worst, off);
    }
    return worst;
}

void check_joint_drift(validation *v)
{
    int blocks = validation_quick(v) ? MOST_BLOCKS / 10 : MOST_BLOCKS;
    static double t[MOST_BLOCKS], off[JOINTS][MOST_BLOCKS];
    double worst[JOINTS] = {0}, moving = 0;
    plot_series s[JOINTS];
    hanging c = {0};
    cord_status status = make(&c);
    for (int b = 0; status == CORD_OK && b < blocks; b++) {
        for (int i = 0; i < JOINTS; i++) off[i][b] = 0;
        for (int k = 0; status == CORD_OK && k < BLOCK; k++) {
            status = cord_world_step(c.world, 2e-3);
            for (int i = 0; k % 10 == 9 && i < JOINTS; i++)
                off[i][b] = fmax(off[i][b], largest(&c, i));
        }
        cord_energy now = {0};
        if (status == CORD_OK) status = cord_world_get_energy(c.world, &now);
        if (status == CORD_OK && b >= blocks / 2) moving = fmax(moving, now.kinetic);
        t[b] = cord_world_get_time(c.world);
        for (int i = 0; i < JOINTS; i++) worst[i] = fmax(worst[i], off[i][b]);
    }
    bool ok = validation_ok(v, c.world, status, "a chain of bodies");
    cord_world_destroy(c.world);
    for (int i = 0; ok && i < JOINTS; i++) {
        validation_row_below(
            v, joints[i].name,
            validation_text(v, "largest residual, m or rad, in %d steps", blocks * BLOCK), worst[i],
            1e-8);
        s[i] = (plot_series){joints[i].name, blocks, t, off[i], PLOT_LINE};
    }
    if (!ok) return;
    validation_row_above(v, "chain", "largest kinetic energy in the second half, J", moving, 0.05);
    validation_plot(v, &(plot){"Residuals of joints", "time, s", "m, rad", false, true, JOINTS, s});
}
