/* The frictional contact problem: Coulomb's law contact by contact, closed forms, invariances, and cases without a solution. */
#include "math/vec3.h"
#include "solve/cone/cone_system.h"
#include "support/coulomb_law.h"
#include "support/numbers.h"
#include "support/rigid_contacts.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

static const double gravity = 9.81, up[3] = {0, 0, 1};

/* Solves with a workspace of exactly the stated length. */
static cone_report solve(const cone_problem *problem, const cone_options *o, double *p)
{
    double *work = malloc(cord__cone_room(problem->contacts) * sizeof *work);
    assert_non_null(work);
    cone_report report = cord__cone_solve(problem, o, work, p);
    free(work);
    return report;
}

/* The largest violation of Coulomb's law, relative to the largest force. */
static double violation(const cone_problem *problem, double proximal, const double *p)
{
    int n = problem->contacts;
    double *room = malloc(CONE_SYSTEM_ROOM(n) * sizeof *room), worst = 0, largest = 0, u[3];
    assert_non_null(room);
    cone_system s = cord__cone_prepare(problem, proximal, room);
    for (int i = 0; i < n; i++) {
        cord__cone_velocity(&s, p, i, u);
        worst = fmax(worst, coulomb_violation(s.scale[i], problem->friction[i], p + 3 * i, u));
        largest = fmax(largest, v3_norm(p + 3 * i));
    }
    free(room);
    return worst > 0 ? worst / largest : 0;
}

/* ---- random problems ------------------------------------------------------------------------ */

/* Contacts of random directions at random points of `bodies` bodies, of masses up to `ratio` to 1. */
static rigid_scene random_scene(uint64_t *random, int contacts, int bodies, double ratio)
{
    rigid_scene s = {.bodies = bodies, .contacts = contacts, .friction = 0.5, .h = 1};
    s.body = calloc((size_t)bodies, sizeof *s.body);
    s.contact = calloc((size_t)contacts, sizeof *s.contact);
    assert_true(s.body && s.contact);
    for (int i = 0; i < bodies; i++) {
        s.body[i].mass = pow(ratio, 0.5 * (1 + random_number(random)));
        for (int k = 0; k < 3; k++)
            s.body[i].inertia[k] = s.body[i].mass * (1 + 0.5 * random_number(random));
        random_vector(random, 6, s.body[i].velocity);
    }
    for (int i = 0; i < contacts; i++) {
        double point[3], n[3];
        int first = random_below(random, bodies), second = random_below(random, bodies);
        random_vector(random, 3, point);
        random_unit(random, n);
        s.contact[i] = rigid_contact_at(first, second == first ? -1 : second, point, n, 0);
    }
    return s;
}

static void obeys(uint64_t *random, int contacts, int bodies, double ratio, double proximal)
{
    rigid_scene s = random_scene(random, contacts, bodies, ratio);
    cone_problem problem = rigid_problem(&s);
    double *p = calloc(3 * (size_t)contacts, sizeof *p), *mu = (double *)problem.friction;
    assert_non_null(p);
    for (int i = 0; i < contacts; i++) mu[i] = i % 5 == 0 ? 0 : 0.4 * (1 + random_number(random));
    cone_options o = cord__cone_options(contacts);
    o.tolerance = 1e-10, o.proximal = proximal, o.sweeps = 4000;
    cone_report report = solve(&problem, &o, p);
    if (!(report.residual <= 1e-10))
        print_error("%d contacts of %d bodies: residual %g\n", contacts, bodies, report.residual);
    assert_true(report.residual <= 1e-10);
    assert_true(violation(&problem, proximal, p) <= 1e-8);
    free(p);
    rigid_free(&problem);
    rigid_scene_free(&s);
}

static void random_problems(void **unused)
{
    (void)unused;
    uint64_t random = 3;
    static const int sizes[] = {1, 2, 3, 7, 20, 60, 61, 100, 200};
    for (int k = 0; k < 9; k++)
        for (int repeat = 0; repeat < 3; repeat++) {
            obeys(&random, sizes[k], sizes[k], 1, 0);            /* definite, or nearly */
            obeys(&random, sizes[k], 1 + sizes[k] / 4, 1, 1e-3); /* singular */
            obeys(&random, sizes[k], 1 + sizes[k] / 2, 1e4, 1e-3);
        }
}

/* Unsymmetric W: the law holds with the whole of it. */
static void unsymmetric(void **unused)
{
    (void)unused;
    uint64_t random = 5;
    rigid_scene s = random_scene(&random, 12, 12, 1);
    cone_problem problem = rigid_problem(&s);
    double *block = (double *)problem.block, p[36] = {0};
    for (int k = 0; k < 9 * problem.row_start[12]; k++) block[k] += 0.05 * random_number(&random);
    cone_options o = cord__cone_options(12);
    o.tolerance = 1e-11;
    for (int method = 0; method < 2; method++) {
        memset(p, 0, sizeof p);
        o.patience = method == 0 ? 100000 : 0;
        assert_true(solve(&problem, &o, p).residual <= 1e-11);
        assert_true(violation(&problem, o.proximal, p) <= 1e-9);
    }
    rigid_free(&problem);
    rigid_scene_free(&s);
}

/* ---- closed forms --------------------------------------------------------------------------- */

static void incline_force(rigid *r, double angle)
{
    v3_set(r->force, r->mass * gravity * sin(angle), 0, -r->mass * gravity * cos(angle));
}

/* A box on its four corners, on a slope along x. */
static rigid_scene box(double angle, rigid *body, rigid_contact *contacts)
{
    rigid_scene s = {
        .body = body, .contact = contacts, .bodies = 1, .contacts = 4, .friction = 0.5, .h = 1e-2};
    *body = (rigid){.mass = 3, .inertia = {0.1, 0.1, 0.1}, .position = {0, 0, 0.1}};
    incline_force(body, angle);
    for (int i = 0; i < 4; i++)
        contacts[i] =
            rigid_contact_at(0, -1, (double[3]){i % 2 ? 0.5 : -0.5, i / 2 ? 0.5 : -0.5, 0}, up, 0);
    return s;
}

static void box_on_incline(void **unused)
{
    (void)unused;
    rigid body;
    rigid_contact contacts[4];
    cone_options o = cord__cone_options(4);
    o.tolerance = 1e-12, o.proximal = 0;
    for (int k = -1; k <= 1; k += 2) {
        double angle = atan(0.5 * (1 + 0.02 * k));
        rigid_scene s = box(angle, &body, contacts);
        assert_true(rigid_solve(&s, &o).residual <= 1e-12);
        double speed = k < 0 ? 0 : s.h * gravity * (sin(angle) - 0.5 * cos(angle));
        assert_all_close(body.velocity, ((double[6]){speed}), 6, 1e-11);
    }
}

/* The proximal term: equal forces of redundant contacts, and no creep at rest. */
static void box_at_rest(void **unused)
{
    (void)unused;
    rigid body;
    rigid_contact contacts[4];
    cone_options o = cord__cone_options(4);
    o.tolerance = 1e-12;
    rigid_scene s = box(0, &body, contacts);
    assert_true(rigid_solve(&s, &o).residual <= 1e-12);
    for (int i = 0; i < 4; i++)
        assert_all_close(contacts[i].force, ((double[3]){contacts[0].force[0]}), 3, 1e-8);
    s = box(atan(0.4), &body, contacts);
    for (int step = 0; step < 20; step++) {
        memset(body.velocity, 0, sizeof body.velocity);
        assert_true(rigid_solve(&s, &o).residual <= 1e-12);
    }
    assert_all_close(body.velocity, ((double[6]){0}), 6, 1e-10);
}

/* A body that rolls, I = k m r², on a slope: g sin α/(1 + k) without slip, or g (sin α − μ cos α). */
static void rolls_down(double k, double friction, double angle)
{
    rigid body = {.mass = 2, .position = {0, 0, 0.1}};
    for (int i = 0; i < 3; i++) body.inertia[i] = k * body.mass * 0.01;
    incline_force(&body, angle);
    rigid_contact contact = rigid_contact_at(0, -1, (double[3]){0}, up, 0);
    rigid_scene s = {.body = &body,
                     .contact = &contact,
                     .bodies = 1,
                     .contacts = 1,
                     .friction = friction,
                     .h = 1e-2};
    cone_options o = cord__cone_options(1);
    o.tolerance = 1e-13, o.proximal = 0;
    assert_true(rigid_solve(&s, &o).residual <= 1e-13);
    bool slips = friction < k / (1 + k) * tan(angle);
    double acceleration =
        gravity * (slips ? sin(angle) - friction * cos(angle) : sin(angle) / (1 + k));
    assert_close(body.velocity[0], s.h * acceleration, 1e-12);
    assert_close(body.velocity[4],
                 slips ? s.h * friction * gravity * cos(angle) / (k * 0.1) : body.velocity[0] / 0.1,
                 1e-11);
}

static void rolling(void **unused)
{
    (void)unused;
    rolls_down(0.5, 0.5, 0.3); /* a disc: ⅔ g sin α */
    rolls_down(0.4, 0.5, 0.3); /* a sphere */
    rolls_down(0.5, 0.05, 0.3);
}

/* A disc that starts without spin rolls at last with ⅔ of its speed: the moment of momentum about the contact is conserved. */
static void slides_then_rolls(void **unused)
{
    (void)unused;
    rigid body = {.mass = 1,
                  .inertia = {0.005, 0.005, 0.005},
                  .position = {0, 0, 0.1},
                  .velocity = {1},
                  .force = {0, 0, -9.81}};
    rigid_contact contact = rigid_contact_at(0, -1, (double[3]){0}, up, 0);
    rigid_scene s = {
        .body = &body, .contact = &contact, .bodies = 1, .contacts = 1, .friction = 0.2, .h = 1e-3};
    cone_options o = cord__cone_options(1);
    o.tolerance = 1e-13, o.proximal = 0;
    int slipping = 0;
    for (int step = 0; step < 400; step++) {
        rigid_solve(&s, &o);
        slipping += body.velocity[0] - 0.1 * body.velocity[4] > 1e-9;
    }
    assert_close(body.velocity[0], 2.0 / 3, 1e-11);
    assert_close(slipping * s.h, 1 / (3 * 0.2 * gravity), s.h);
}

/* One sphere on two others that do not touch each other: N = mg/2 between spheres and friction N tan 15°, so that the pile
 * stands above μ = tan 15° = 0.268. */
static bool wedge_stands(double friction, rigid_contact contacts[4])
{
    rigid bodies[3] = {{.position = {-0.1, 0, 0.1}},
                       {.position = {0.1, 0, 0.1}},
                       {.position = {0, 0, 0.1 + 0.1 * sqrt(3)}}};
    for (int i = 0; i < 3; i++) {
        bodies[i].mass = 1, bodies[i].force[2] = -gravity;
        for (int k = 0; k < 3; k++) bodies[i].inertia[k] = 0.004;
    }
    for (int i = 0; i < 2; i++) {
        double n[3], point[3], ground[3] = {bodies[i].position[0], 0, 0};
        v3_sub(n, bodies[2].position, bodies[i].position);
        v3_normalize(n, n);
        v3_combine(point, 0.5, bodies[2].position, 0.5, bodies[i].position);
        contacts[i] = rigid_contact_at(i, -1, ground, up, 0);
        contacts[2 + i] = rigid_contact_at(2, i, point, n, 0);
    }
    rigid_scene s = {.body = bodies,
                     .contact = contacts,
                     .bodies = 3,
                     .contacts = 4,
                     .friction = friction,
                     .h = 1e-2};
    cone_options o = cord__cone_options(4);
    o.tolerance = 1e-12, o.proximal = 0;
    assert_true(rigid_solve(&s, &o).residual <= 1e-12);
    assert_close(bodies[0].velocity[0], -bodies[1].velocity[0], 1e-11); /* symmetric */
    assert_close(bodies[2].velocity[0], 0, 1e-11);
    return fabs(bodies[2].velocity[2]) < 1e-10;
}

static void wedge_of_spheres(void **unused)
{
    (void)unused;
    rigid_contact contacts[4];
    assert_false(wedge_stands(0.26, contacts));
    assert_true(wedge_stands(0.28, contacts));
    for (int i = 0; i < 2; i++) {
        assert_close(contacts[i].force[0], 1.5 * gravity, 1e-8);
        assert_close(contacts[2 + i].force[0], 0.5 * gravity, 1e-8);
        assert_close(hypot(contacts[2 + i].force[1], contacts[2 + i].force[2]),
                     0.5 * gravity * tan(acos(-1) / 12), 1e-8);
    }
}

/* A compliant contact: static indentation c p, with c/h on the diagonal. */
static void compliance(void **unused)
{
    (void)unused;
    int start[2] = {0, 1}, column = 0;
    double block[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, b[3] = {-2, 0, 0}, mu = 0.3,
           diagonal[3] = {3, 0, 0}, p[3] = {0};
    cone_problem problem = {.contacts = 1,
                            .row_start = start,
                            .column = &column,
                            .block = block,
                            .b = b,
                            .friction = &mu,
                            .compliance = diagonal};
    cone_options o = cord__cone_options(1);
    o.proximal = 0;
    assert_true(solve(&problem, &o, p).residual <= 1e-15);
    assert_all_close(p, ((double[3]){0.5}), 3, 1e-15);
}

/* ---- invariances ---------------------------------------------------------------------------- */

/* Rotated tangents: the same forces in space. A reversed list: the same forces to the tolerance. */
static void invariances(void **unused)
{
    (void)unused;
    enum { N = 30 };
    uint64_t random = 7, again = 7;
    rigid_scene s = random_scene(&random, N, N, 10), t = random_scene(&again, N, N, 10), r = t;
    r.contact = malloc(N * sizeof *r.contact);
    r.body = malloc(N * sizeof *r.body);
    assert_true(r.contact && r.body);
    memcpy(r.body, t.body, N * sizeof *r.body);
    for (int i = 0; i < N; i++) {
        double angle = 3 * random_number(&random), *axes = t.contact[i].axes, old[9];
        r.contact[N - 1 - i] = s.contact[i];
        memcpy(old, axes, sizeof old);
        v3_combine(axes + 3, cos(angle), old + 3, sin(angle), old + 6);
        v3_combine(axes + 6, cos(angle), old + 6, -sin(angle), old + 3);
    }
    cone_options o = cord__cone_options(N);
    o.tolerance = 1e-12;
    assert_true(rigid_solve(&s, &o).residual <= 1e-12);
    assert_true(rigid_solve(&t, &o).residual <= 1e-12);
    assert_true(rigid_solve(&r, &o).residual <= 1e-12);
    for (int i = 0; i < N; i++) {
        assert_all_close(t.body[i].velocity, s.body[i].velocity, 6, 1e-8);
        assert_all_close(r.contact[N - 1 - i].force, s.contact[i].force, 3, 1e-7);
    }
    rigid_scene_free(&s);
    rigid_scene_free(&t);
    rigid_scene_free(&r);
}

/* The same bits from the same data; a start at the solution takes no sweep. */
static void repeats_and_starts_warm(void **unused)
{
    (void)unused;
    uint64_t random = 9;
    rigid_scene s = random_scene(&random, 40, 30, 1);
    cone_problem problem = rigid_problem(&s);
    double p[120] = {0}, q[120] = {0};
    cone_options o = cord__cone_options(40);
    cone_report first = solve(&problem, &o, p), second = solve(&problem, &o, q);
    assert_memory_equal(p, q, sizeof p);
    assert_int_equal(first.sweeps, second.sweeps);
    assert_true(first.sweeps > 0);
    cone_report warm = solve(&problem, &o, q);
    assert_int_equal(warm.sweeps, 0);
    assert_memory_equal(p, q, sizeof p);
    rigid_free(&problem);
    rigid_scene_free(&s);
}

/* ---- no solution ---------------------------------------------------------------------------- */

/* A body between two obstacles that approach each other, u₁ = p₁ − p₂ − 1 and u₂ = p₂ − p₁ − 1: no force separates both. The
 * proximal term gives the forces of a stiff spring. */
static void compressed_between_obstacles(void **unused)
{
    (void)unused;
    int start[3] = {0, 2, 4}, column[4] = {0, 1, 0, 1};
    double block[36] = {0}, b[6] = {-1, 0, 0, -1, 0, 0}, mu[2] = {0.5, 0.5}, p[6] = {0};
    for (int k = 0; k < 12; k++)
        block[9 * (k / 3) + 4 * (k % 3)] = k / 3 == 0 || k / 3 == 3 ? 1 : -1;
    cone_problem problem = {.contacts = 2,
                            .row_start = start,
                            .column = column,
                            .block = block,
                            .b = b,
                            .friction = mu};
    cone_options o = cord__cone_options(2);
    o.proximal = 0, o.sweeps = 300;
    cone_report report = solve(&problem, &o, p);
    assert_true(report.sweeps >= 300 && report.sweeps <= 301);
    assert_true(report.residual > o.tolerance && report.residual <= 1);
    assert_true(report.worst == 0 || report.worst == 1);
    for (int i = 0; i < 6; i++) assert_true(isfinite(p[i]));
    o.proximal = 1e-3;
    memset(p, 0, sizeof p);
    assert_true(solve(&problem, &o, p).residual <= 1e-6);
    assert_close(p[0], 1000, 1e-2);
    assert_close(p[3], 1000, 1e-2);
}

/* Friction that drives the surfaces together, as in Painlevé's rod: W_NN − μ W_NT < 0. Slip has no solution, but stick does,
 * with a force that does not depend on the load. A negative W_NN has none. */
static void painleve(void **unused)
{
    (void)unused;
    int start[2] = {0, 1}, column = 0;
    double block[9] = {1, 4, 0, 0, 1, 0, 0, 0, 1}, b[3] = {-1, 20, 0}, mu = 0.5, p[3] = {0};
    cone_problem problem = {.contacts = 1,
                            .row_start = start,
                            .column = &column,
                            .block = block,
                            .b = b,
                            .friction = &mu};
    cone_options o = cord__cone_options(1);
    o.proximal = 0, o.sweeps = 200, o.tolerance = 1e-12;
    assert_true(solve(&problem, &o, p).residual <= 1e-12);
    assert_all_close(p, ((double[3]){81, -20, 0}), 3, 1e-9);
    block[0] = -1, block[1] = 0, b[1] = 0.1;
    cone_report report = solve(&problem, &o, p);
    assert_true(report.residual > 1e-3 && isfinite(report.residual));
    assert_int_equal(report.worst, 0);
    assert_true(report.sweeps >= 200 && report.sweeps <= 201);
    assert_true(hypot(p[1], p[2]) <= mu * p[0] * (1 + 1e-12));
}

/* Values that are not finite end at the sweeps with an infinite residual and finite forces; a contact that no force moves, and
 * none at all, are no failures. */
static void degenerate(void **unused)
{
    (void)unused;
    int start[2] = {0, 1}, column = 0;
    double block[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, b[3] = {NAN, 0, 0}, mu = 0.5, p[3] = {1, 0, 0};
    cone_problem problem = {.contacts = 1,
                            .row_start = start,
                            .column = &column,
                            .block = block,
                            .b = b,
                            .friction = &mu};
    cone_options o = cord__cone_options(1);
    o.sweeps = 100;
    cone_report report = solve(&problem, &o, p);
    assert_true(isinf(report.residual) && report.worst == 0);
    assert_true(isfinite(p[0]));
    memset(block, 0, sizeof block);
    b[0] = -1;
    report = solve(&problem, &o, p);
    assert_true(report.residual == 0 && report.worst == -1);
    assert_all_close(p, ((double[3]){0}), 3, 0);
    problem.contacts = 0;
    assert_true(solve(&problem, &o, p).residual == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_problems),
        cmocka_unit_test(unsymmetric),
        cmocka_unit_test(box_on_incline),
        cmocka_unit_test(box_at_rest),
        cmocka_unit_test(rolling),
        cmocka_unit_test(slides_then_rolls),
        cmocka_unit_test(wedge_of_spheres),
        cmocka_unit_test(compliance),
        cmocka_unit_test(invariances),
        cmocka_unit_test(repeats_and_starts_warm),
        cmocka_unit_test(compressed_between_obstacles),
        cmocka_unit_test(painleve),
        cmocka_unit_test(degenerate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
