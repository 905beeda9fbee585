/* Through the world: free flight, and refinement. */
#include "math/vec3.h"
#include "support/conformance_subject.h"
#include "support/numbers.h"
#include "support/scenes.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Every integrator conserves linear momentum to Newton's tolerance: 1e-8 of an element in a
 * step, so 1e-6 m/s. Angular momentum: exactly with the discrete gradient; otherwise to the
 * order of the scheme (the flight rotates by about a radian). */
static const double spin[INTEGRATIONS] = {
    [TR_BDF2] = 1e-2,
    [BACKWARD_EULER] = 0.1,
    [LINEARISED] = 0.1,
    [MIDPOINT] = 1e-9,
    [SYMPLECTIC] = 1e-2,
    [SEMI_IMPLICIT] = 0.1,
    [SEMI_IMPLICIT_VELOCITY] = 0.1,
};

/* Spin, drift and a random part, at the vertices where those are unknowns, otherwise in the dofs
 * (a chain would follow random vertices only by bending without measure). */
static void give_motion(cord_world *world, cord_strand rope, const conformance_case *with)
{
    cord_strand_info info;
    uint64_t random = 99;
    double x[3 * CONFORMANCE_VERTICES], v[3 * CONFORMANCE_VERTICES], speed[3], r[3];
    const double w[3] = {0.3, -0.8, 1.1}, drift[3] = {0.5, 0, 0};
    assert_int_equal(cord_strand_get_info(world, rope, &info), CORD_OK);
    assert_true(info.vertex_count <= CONFORMANCE_VERTICES);
    assert_int_equal(cord_strand_get_positions(world, rope, x), CORD_OK);
    for (int i = 0; i < info.vertex_count; i++) {
        random_vector(&random, 3, speed);
        v3_cross(r, w, x + 3 * i);
        for (int k = 0; k < 3; k++) v[3 * i + k] = r[k] + 0.2 * speed[k] + drift[k];
    }
    assert_int_equal(cord_strand_set_velocities(world, rope, v), CORD_OK);
    const block *b = &cord__get_strand(world, rope)->block;
    if (!b->shape.inertial_count) return;
    double *scale = numbers(2 * b->shape.dofs), *dofs = world->problem.now.v + b->v0;
    b->ops->scales(b->model, scale, scale + b->shape.dofs);
    with->rigid(b->model, world->problem.now.q + b->q0, world->problem.cache + b->cache0, drift, w,
                dofs);
    for (int c = 0; c < b->shape.dofs; c++) dofs[c] += scale[c] * random_number(&random);
    free(scale);
}

void conformance_fly(void **flight)
{
    const conformance_case *with = ((const conformance_flight *)*flight)->with;
    int number = ((const conformance_flight *)*flight)->integration;
    const integration *by = integrations + number;
    enum { STEPS = 100 };
    if (with->lacks.velocity_terms && number == SEMI_IMPLICIT_VELOCITY) {
        print_message("%s: not by %s: %s\n", with->name, by->name, with->lacks.velocity_terms);
        skip();
    }
    if (with->lacks.flight) {
        print_message("%s: no flight: %s\n", with->name, with->lacks.flight);
        skip();
    }
    conformance_shape shape = {0};
    cord_strand_def def = cord_strand_def_default();
    if (with->define) with->define(&shape, &def);
    bool damped = def.damping > 0 || with->dissipates;
    bool inertial = with->build || with->ops->block.inertial;
    def.drag = def.quadratic_drag = def.base_damping = 0; /* drag removes momentum */
    /* Angles without inertia begin in equilibrium, or near it. */
    if (def.twist_mode == CORD_TWIST_QUASISTATIC) def.twist = NULL;
    cord_world_def world_def = cord_world_def_default();
    v3_set(world_def.gravity, 0, 0, 0);
    world_def.integrator = by->integrator;
    world_def.scheme = by->scheme;
    world_def.length_tolerance = 1e-10;
    if (inertial) world_def.tolerance = 1e-10;
    world_def.threads = 1;
    cord_world *world;
    cord_strand rope;
    assert_int_equal(cord_world_create(&world_def, &world), CORD_OK);
    if (with->build) {
        with->build(world, &(conformance_place){.rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}});
    } else {
        assert_int_equal(cord__world_add_strand(world, with->ops, &def, &rope), CORD_OK);
        give_motion(world, rope, with);
    }
    cord_momentum m0, m;
    cord_energy e0 = {0}, e;
    double before = 0;
    for (int i = 0; i <= STEPS; i++) {
        cord_status status = cord_world_step(world, with->step);
        if (status != CORD_OK)
            print_error("case '%s', %s: %s\n", with->name, by->name, cord_world_get_error(world));
        assert_int_equal(status, CORD_OK);
        assert_int_equal(cord_world_get_momentum(world, &m), CORD_OK);
        assert_int_equal(cord_world_get_energy(world, &e), CORD_OK);
        /* From the first step on: initial velocities need not satisfy the rows. */
        if (i == 0) m0 = m, e0 = e, before = e.total;
        char name[128];
        snprintf(name, sizeof name, "%s, %s, step %d", with->name, by->name, i);
        double linear = v3_norm(m0.linear), angular = v3_norm(m0.angular);
        bool corrected = by->integrator == CORD_MIDPOINT && with->by_motion;
        /* Inertial forces that depend on q are explicit in the papers' schemes: first order in the step. */
        bool explicit_inertia = is_semi_implicit(by) && inertial;
        double more = is_one_solve(by) || corrected ? with->drift : 0;
        if (explicit_inertia) more = 0.01 + 20 * with->drift;
        for (int k = 0; k < 3; k++) {
            check_close(name, "linear momentum", m.linear[k], m0.linear[k],
                        (1e-6 + with->linear + more) * linear, __FILE__, __LINE__);
            check_close(name, "angular momentum", m.angular[k], m0.angular[k],
                        (spin[number] + with->spin + more) * angular, __FILE__, __LINE__);
        }
        if (by->integrator == CORD_MIDPOINT && !damped)
            check_close(name, "energy", e.total, e0.total, (1e-9 + with->linear) * e0.total,
                        __FILE__, __LINE__);
        /* Backward Euler dissipates in every step; TR-BDF2 does so in linear motion, and may
         * gain a little energy where strains are large. Symplectic Euler oscillates about a
         * modified energy. */
        double most = by->scheme == CORD_TR_BDF2 ? e0.total * (1 + 1e-4)
                      : explicit_inertia         ? e0.total * (1 + more)
                                                 : before * (1 + 1e-9);
        if (by->integrator == CORD_IMPLICIT && !(e.total <= most)) {
            print_error("case '%s': energy grows from %.12g to %.12g\n", name, most, e.total);
            fail();
        }
        if (by->integrator == CORD_SYMPLECTIC)
            check_close(name, "energy", damped ? fmin(e.total, e0.total) : e.total,
                        damped ? fmin(e.total, e0.total) : e0.total, 0.05 * e0.total, __FILE__,
                        __LINE__);
        before = e.total;
    }
    /* A damped strand has dissipated energy. */
    if (damped) assert_true(e.total < e0.total);
    cord_world_destroy(world);
}

/* ---- refinement --------------------------------------------------------------------------------- */

void conformance_refine(const conformance_refinement *with)
{
    double f[3];
    for (int k = 0; k < 3; k++) f[k] = with->measure(with->first << k);
    double order = log2(fabs(f[0] - f[1]) / fabs(f[1] - f[2]));
    if (order >= with->order - 0.2) return; /* three meshes are not yet the limit */
    print_error("%s: %.9g, %.9g, %.9g converge at order %.2f, expected %.1f\n", with->name, f[0],
                f[1], f[2], order, with->order);
    fail();
}
