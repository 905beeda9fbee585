/* Velocities of surface points of strands; see contact_columns.h. */
#include "solve/contact_columns.h"
#include "math/rotation.h"
#include "math/vec3.h"

#include <string.h>

/* J += ω × a per dof, ω = t × J_s/|r_s| + t spin. */
static void add_rotation(const sliding_jacobian *j, const double a[3])
{
    double t[3], across[3];
    const double size = v3_normalize(t, j->r_s);
    v3_cross(across, t, a);
    for (int c = 0; c < j->dofs; c++) {
        double *J = j->J + 3 * c, omega[3], term[3];
        v3_cross(omega, t, j->J_s + 3 * c);
        v3_cross(term, omega, a);
        v3_axpy(J, 1 / size, term);
        v3_axpy(J, j->tangent_spin[c], across);
    }
}

/* The column of a dof in the runs before one, or -1. */
static int column_before(const sliding_jacobian *j, int run, int dof)
{
    for (int r = 0, c = 0; r < run; c += j->run[r++].count)
        if (dof >= j->run[r].first && dof < j->run[r].first + j->run[r].count)
            return c + dof - j->run[r].first;
    return -1;
}

/* A ring of three vertices has one of them both before and after an edge, in the first and in the last run: its columns are
 * added up. */
static int list_dofs(const sliding_jacobian *j, int *dof, double *centre)
{
    int count = 0;
    for (int run = 0, c = 0; run < j->runs; run++)
        for (int i = 0; i < j->run[run].count; i++, c++) {
            const int which = j->run[run].first + i, same = column_before(j, run, which);
            if (same < 0) {
                dof[count++] = which;
                continue;
            }
            v3_add(j->J + 3 * same, j->J + 3 * same, j->J + 3 * c);
            if (centre) v3_add(centre + 3 * same, centre + 3 * same, centre + 3 * c);
        }
    return count;
}

int cord__surface_jacobian(const block *b, const double *q, const double *cache, double s,
                           const double a[3], int *dof, double *J, double *centre, double *work)
{
    const sliding_ops *ops = b->ops->sliding;
    sliding_jacobian j = {.J = J,
                          .J_s = work,
                          .tangent_spin = a ? work + 3 * b->shape.contact_dofs : NULL,
                          .with_frame = a != NULL};
    ops->jacobian(b->model, q, cache, ops->element_at(b->model, q, s), s, &j);
    if (centre) memcpy(centre, J, (size_t)(3 * j.dofs) * sizeof *J);
    if (a) add_rotation(&j, a);
    return list_dofs(&j, dof, centre);
}

int cord__body_jacobian(const block *b, const double *q, const double *cache, const double x[3],
                        int *dof, double *J)
{
    attachment at = {.weight = {0, 0, 0, 1}, .unit = -1};
    double rotations[9];
    point_jacobian position = {.J = J}, frame = {.J = rotations};
    b->ops->point_jacobian(b->model, q, cache, &at, MEASURE_POSITION, &position);
    b->ops->point_jacobian(b->model, q, cache, &at, MEASURE_FRAME, &frame);
    double arm[3];
    v3_sub(arm, x, position.value);
    m3_apply_transposed(at.weight, frame.value, arm);
    b->ops->point_jacobian(b->model, q, cache, &at, MEASURE_POSITION, &position);
    for (int run = 0, c = 0; run < position.runs; run++)
        for (int i = 0; i < position.run[run].count; i++) dof[c++] = position.run[run].first + i;
    return position.dofs;
}
