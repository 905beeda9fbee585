/* angle: g is the angle of rotation of the first frame relative to the second about an axis fixed in the second,
 * from the initial pose of the constraint. It is measured from the target, on the nearest branch, so that a drive
 * may exceed a full revolution. The measured revolute coordinate: the same minus the coordinate of the first point. */
#include "math/vec3.h"
#include "constraint/constraint.h"

#include <stdio.h>

/* The angle of a direction of the first frame that was initially normal to the axis, in the plane normal to the
 * axis. */
static void evaluate(const constraint_params *p, const pose *first, const pose *second,
                     constraint_value *out)
{
    double b[3], x[3], y[3], rotation[3], across[3];
    m3_apply(b, first->frame, p->first_direction);
    m3_apply(x, second->frame, p->across[0]);
    m3_apply(y, second->frame, p->across[1]);
    double c = v3_dot(b, x), s = v3_dot(b, y), square = c * c + s * s;
    out->g[0] = atan2(s, c);
    v3_combine(across, c / square, y, -s / square, x); /* ∂g/∂b */
    v3_cross(rotation, b, across);
    v3_copy(out->D[0] + 3, rotation);
    v3_scale(out->D[0] + 9, -1, rotation);
}

/* With c = b·x and s = b·y: the second derivatives of c and of s, and those of atan2 by them. */
static void curvature(const constraint_params *p, const pose *first, const pose *second,
                      const double *lambda, double h[12][12])
{
    double b[3], x[3], y[3], turns[2][3], combined[2][3];
    m3_apply(b, first->frame, p->first_direction);
    m3_apply(x, second->frame, p->across[0]);
    m3_apply(y, second->frame, p->across[1]);
    double c = v3_dot(b, x), s = v3_dot(b, y), square = c * c + s * s;
    cord__add_directions_hessian(b, y, lambda[0] * c / square, h);
    cord__add_directions_hessian(b, x, -lambda[0] * s / square, h);
    double same = 2 * c * s / (square * square) * lambda[0];
    double mixed = (s * s - c * c) / (square * square) * lambda[0];
    v3_cross(turns[0], b, x);
    v3_cross(turns[1], b, y);
    v3_combine(combined[0], same, turns[0], mixed, turns[1]);
    v3_combine(combined[1], mixed, turns[0], -same, turns[1]);
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 3; k++) {
            double own = turns[0][r] * combined[0][k] + turns[1][r] * combined[1][k];
            h[3 + r][3 + k] += own, h[9 + r][9 + k] += own;
            h[3 + r][9 + k] -= own, h[9 + k][3 + r] -= own;
        }
}

/* The angle of a specified direction of the first frame is measured from its present value: the normals of the axis
 * in the second frame are rotated to it. */
static cord_status complete(constraint_params *p, const cord_constraint_def *def, const pose *first,
                            const pose *second, char *why, size_t size)
{
    double world[3];
    if (v3_norm(def->first_direction) > 0) {
        double *x = p->across[0];
        v3_normalize(p->first_direction, def->first_direction);
        m3_apply(world, first->frame, p->first_direction);
        m3_apply_transposed(x, second->frame, world);
        v3_axpy(x, -v3_dot(x, p->direction), p->direction);
        if (v3_norm(x) < 1e-6) {
            snprintf(why, size, "angle: the first point's direction is along the axis");
            return CORD_ERROR_ARGUMENT;
        }
        v3_normalize(x, x);
        v3_cross(p->across[1], p->direction, x);
        return CORD_OK;
    }
    m3_apply(world, second->frame, p->across[0]);
    m3_apply_transposed(p->first_direction, first->frame, world);
    return CORD_OK;
}

const constraint_ops cord__angle = {
    .name = CORD_ANGLE,
    .rows = 1,
    .unit = "rad",
    .needs = {NEEDS_FRAME, NEEDS_FRAME},
    .tangent_suffices = {true, false},
    .one_sided = true,
    .is_angle = true,
    .evaluate = evaluate,
    .curvature = curvature,
    .complete = complete,
};

static void evaluate_revolute(const constraint_params *p, const pose *first, const pose *second,
                              constraint_value *out)
{
    evaluate(p, first, second, out);
    out->g[0] -= first->position[0];
    out->D[0][0] = -1;
}

const constraint_ops cord__revolute = {
    .name = "revolute coordinate",
    .rows = 1,
    .needs = {NEEDS_FRAME | NEEDS_COORDINATE, NEEDS_FRAME},
    .tangent_suffices = {true, false},
    .is_angle = true,
    .evaluate = evaluate_revolute,
    .curvature = curvature,
    .complete = complete,
};
