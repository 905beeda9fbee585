/* A flywheel of inertia I that rotates by φ about the axis n of a bearing, which a body with the angular velocity Ω carries.
 * Its absolute angular velocity is ω = φ̇ + n·Ω, its kinetic energy ½ I ω², its angular momentum I ω n. Lagrange's
 * equations for φ and for the rotation of the body are
 *
 *     r_φ += I ω̇,     r_Ω += I ω̇ n + I ω Ω × n,
 *
 * the last term being the gyroscopic torque, which does no work. ω is the rate of no coordinate, since n·Ω has no integral;
 * but the formulas of the integrators need increments alone: over an increment (δφ, δ) of the step
 *
 *     x = δφ + n̄·δ,     n̄ = ½ (n₀ + n₁),
 *
 * so that x is an inertial coordinate with ẋ = ω. In `midpoint`, with n̄ for n, the force I ẍ (1, n̄) does the work I ẍ x =
 * ½ I (ω₁² − ω₀²), and since δ is Cayley's increment, n₁ − n₀ = δ × n̄, the angular momentum I ω n changes by exactly
 * h times the torque: both are conserved to round-off.
 *
 * The matrix has c_a I (1, n)ᵀ(1, n). The derivative of the gyroscopic torque is antisymmetric and not part of it. */
#include "force/flywheel.h"

#include "math/vec3.h"
#include "solve/integrator.h"

#include <stdio.h>
#include <string.h>

/* The degrees of freedom: φ, then the three of the body's rotation. */
enum { DOFS = 4 };

static int inertial_index(const problem *w, const term *x)
{
    return w->block[w->point[x->point[0]]->slider_block]->inertial0;
}

static void axis_at(const problem *w, const term *x, const double *q, const double *cache,
                    double axis[3])
{
    double J[9];
    point_jacobian j = {.J = J};
    cord__point_jacobian(w, w->point[x->point[1]], MEASURE_FRAME, q, cache, &j);
    v3_copy(axis, j.value + 6);
}

/* (1, n)·u of the degrees of freedom. */
static double along(const term *x, const double axis[3], const double *u)
{
    double sum = u[x->dof[0]];
    for (int k = 0; k < 3; k++) sum += axis[k] * u[x->dof[1 + k]];
    return sum;
}

/* ---- inertial coordinate ------------------------------------------------------------------------- */

static void coordinates(const problem *w, force_term *f, const double *q, const double *cache,
                        double *x)
{
    flywheel_term *of = (flywheel_term *)f;
    double start[3];
    axis_at(w, &f->term, w->now.q, cache, start);
    axis_at(w, &f->term, q, cache, of->axis);
    v3_combine(of->mean, 0.5, start, 0.5, of->axis);
    x[inertial_index(w, &f->term)] = along(&f->term, of->mean, w->d);
}

static void rates(const problem *w, const force_term *f, const double *v, double *rate)
{
    rate[inertial_index(w, &f->term)] = along(&f->term, ((const flywheel_term *)f)->axis, v);
}

static void add_torque(const term *x, const double axis[3], double torque, double *r)
{
    r[x->dof[0]] += torque;
    for (int k = 0; k < 3; k++) r[x->dof[1 + k]] += torque * axis[k];
}

static void momenta(const problem *w, const force_term *f, const double *rate, double *momentum)
{
    const flywheel_term *of = (const flywheel_term *)f;
    add_torque(&f->term, of->axis, of->inertia * rate[inertial_index(w, &f->term)], momentum);
}

/* ---- equations ----------------------------------------------------------------------------------- */

/* r_Ω += momentum Ω × n. */
static void add_gyroscopic(const term *x, const double axis[3], double momentum, const double *v,
                           double *r)
{
    double omega[3], torque[3];
    for (int k = 0; k < 3; k++) omega[k] = v[x->dof[1 + k]];
    v3_cross(torque, omega, axis);
    for (int k = 0; k < 3; k++) r[x->dof[1 + k]] += momentum * torque[k];
}

/* The semi-implicit schemes: the torque with the velocities at the start, or to first order in v − v_start. */
static void add_explicit(problem *w, const stage *t, const flywheel_term *of)
{
    const term *x = &of->base.term;
    double before = along(x, of->axis, w->now.v), now = along(x, of->axis, w->trial.v);
    add_torque(x, of->axis, of->inertia * along(x, of->axis, w->trial.a), w->r);
    if (!t->velocity_terms) now = before;
    add_gyroscopic(x, of->axis, of->inertia * (now - before), w->now.v, w->r);
    add_gyroscopic(x, of->axis, of->inertia * before, t->velocity_terms ? w->trial.v : w->now.v,
                   w->r);
}

static void add_equations(problem *w, const stage *t, flywheel_term *of)
{
    const term *x = &of->base.term;
    const double *axis = t->midpoint ? of->mean : of->axis;
    int i = inertial_index(w, x);
    if (t->explicit_terms) {
        add_explicit(w, t, of);
        return;
    }
    add_torque(x, axis, of->inertia * w->trial.inertial_a[i], w->r);
    add_gyroscopic(x, axis, of->inertia * w->trial.inertial_v[i], w->trial.v, w->r);
}

/* `statics`: neither velocities nor accelerations; the matrix is the metric alone. */
static void assemble(problem *w, cluster *s, const stage *t, term *x, bool matrix)
{
    flywheel_term *of = (flywheel_term *)x;
    if (t->rowless) return;
    if (!t->has_inertial_coordinates && !t->midpoint) axis_at(w, x, w->trial.q, w->cache, of->axis);
    if (!t->rows_only && !t->statics) add_equations(w, t, of);
    if (!matrix) return;
    const double *axis = t->midpoint ? of->mean : of->axis;
    const double u[DOFS] = {1, axis[0], axis[1], axis[2]};
    double inertia = (t->c_a + t->metric) * of->inertia;
    for (int i = 0; i < DOFS; i++)
        for (int k = i; k < DOFS; k++) x->K[i * DOFS + k] = inertia * u[i] * u[k];
    cord__add_force_matrix(s, t, x);
}

static bool acts(const problem *w, const term *x)
{
    (void)w, (void)x;
    return true;
}

static void energy(const problem *w, const force_term *f, bool moving, block_energy *e)
{
    const flywheel_term *of = (const flywheel_term *)f;
    double axis[3];
    axis_at(w, &f->term, w->now.q, w->cache, axis);
    double omega =
        moving ? w->now.inertial_v[inertial_index(w, &f->term)] : along(&f->term, axis, w->now.v);
    *e = (block_energy){.kinetic = 0.5 * of->inertia * omega * omega};
    v3_scale(e->angular, of->inertia * omega, axis);
}

static bool supported(const problem *w, const force_term *f, char *why, size_t size)
{
    (void)f;
    if (!w->integrator->explicit_forces) return true;
    snprintf(why, size,
             "the symplectic integrator has no inertia of a flywheel on a body; use implicit or "
             "midpoint, or make the wheel a body on a hinge");
    return false;
}

const force_ops cord__flywheel = {.term = {.name = "flywheel", .assemble = assemble, .acts = acts},
                                  .energy = energy,
                                  .inertial_coordinates = coordinates,
                                  .inertial_rates = rates,
                                  .inertial_momenta = momenta,
                                  .supported = supported};
