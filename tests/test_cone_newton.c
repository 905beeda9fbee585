/* Newton's method on frictional contact problems: its kernels, its derivatives, its convergence. */
#include "math/gmres.h"
#include "math/lu.h"
#include "math/vec3.h"
#include "solve/cone/cone_system.h"
#include "support/numbers.h"
#include "support/rigid_contacts.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

enum { SIZE = 50 };

static void random_system(uint64_t *random, double diagonal, double *a, double *b)
{
    random_vector(random, SIZE * SIZE, a);
    random_vector(random, SIZE, b);
    for (int i = 0; i < SIZE; i++) a[i * SIZE + i] += diagonal;
}

static void multiply(void *context, const double *x, double *y)
{
    const double *a = context;
    for (int i = 0; i < SIZE; i++) {
        y[i] = 0;
        for (int j = 0; j < SIZE; j++) y[i] += a[i * SIZE + j] * x[j];
    }
}

static void linear_solvers(void **unused)
{
    (void)unused;
    uint64_t random = 3;
    double a[SIZE * SIZE], b[SIZE], x[SIZE], y[SIZE], expected[SIZE], work[GMRES_WORK(SIZE)];
    int pivot[SIZE];
    for (int k = 0; k < 10; k++) {
        random_system(&random, k % 2 ? 0 : 10, a, b);
        int products = cord__gmres(SIZE, multiply, a, 1e-12, b, y, work);
        assert_true(products <= SIZE + 1);
        memcpy(x, b, sizeof x);
        double copy[SIZE * SIZE];
        memcpy(copy, a, sizeof a);
        assert_true(cord__lu_factor(SIZE, copy, pivot));
        cord__lu_solve(SIZE, copy, pivot, x);
        memcpy(expected, b, sizeof b);
        dense_solve(SIZE, a, expected);
        assert_all_close(x, expected, SIZE, 1e-9);
        assert_all_close(y, expected, SIZE, 1e-6);
    }
    memset(a, 0, sizeof a);
    assert_false(cord__lu_factor(SIZE, a, pivot));
    assert_int_equal(cord__gmres(SIZE, multiply, a, 1e-3, b, y, work),
                     1); /* b is in no range: x = 0 */
    assert_all_close(y, ((double[SIZE]){0}), SIZE, 0);
}

/* Central differences, away from the kinks of F. */
static void derivatives(void **unused)
{
    (void)unused;
    uint64_t random = 5;
    double mu = 0.4, b[3] = {0}, block[9] = {2, 0.3, -0.2, 0.3, 1, 0.1, -0.2, 0.1, 1.5},
           room[CONE_SYSTEM_ROOM(1)];
    int start[2] = {0, 1}, column = 0, active = 0;
    cone_problem problem = {.contacts = 1,
                            .row_start = start,
                            .column = &column,
                            .block = block,
                            .b = b,
                            .friction = &mu};
    cone_system s = cord__cone_prepare(&problem, 0, room);
    for (int k = 0; k < 300; k++) {
        double x[6], F[2][3], D[18], h = 1e-6;
        random_vector(&random, 6, x);
        bool open = !cord__alart_curnier_derivatives(&s, 0, x, x + 3, D, D + 9);
        active += !open;
        for (int c = 0; c < 6; c++) {
            double keep = x[c];
            bool same = true;
            for (int side = 0; side < 2; side++) {
                double E[18];
                x[c] = keep + (side ? h : -h);
                cord__alart_curnier(&s, 0, x, x + 3, F[side]);
                cord__alart_curnier_derivatives(&s, 0, x, x + 3, E, E + 9);
                for (int i = 0; i < 18; i++) same = same && fabs(E[i] - D[i]) < 1e-3;
            }
            x[c] = keep;
            for (int r = 0; same && r < 3; r++)
                assert_close((F[1][r] - F[0][r]) / (2 * h), D[9 * (c / 3) + 3 * r + c % 3], 1e-6);
        }
    }
    assert_true(active > 100);
}

/* Where no contact changes its state, F is linear without friction: one step gives the solution, also where a contact that
 * opens still has a force. */
static void one_step(void **unused)
{
    (void)unused;
    int start[3] = {0, 2, 4}, column[4] = {0, 1, 0, 1}, products = 0;
    double block[36] = {0}, b[6] = {-1, 0, 0, 10, 0, 0}, mu[2] = {0, 0},
           p[6] = {0.3, 0, 0, 0.1, 0, 0};
    double room[CONE_SYSTEM_ROOM(2)], *work = malloc(cord__contact_newton_room(2) * sizeof *work);
    assert_non_null(work);
    for (int k = 0; k < 12; k++)
        block[9 * (k / 3) + 4 * (k % 3)] = k / 3 == 0 || k / 3 == 3 ? 2 : 1;
    cone_problem problem = {.contacts = 2,
                            .row_start = start,
                            .column = column,
                            .block = block,
                            .b = b,
                            .friction = mu};
    cone_system s = cord__cone_prepare(&problem, 0, room);
    assert_true(cord__contact_newton_step(&s, work, p, &products));
    assert_all_close(p, ((double[6]){0.5}), 6, 1e-9);
    free(work);
}

/* From a few sweeps, few steps suffice, dense and with GMRES; and the forces agree with those of sweeps alone. */
static void converges(int side, int layers, bool dense)
{
    rigid_scene s = sphere_pile(side, layers, 1, 11);
    sphere_contacts(&s);
    cone_problem problem = rigid_problem(&s);
    int n = 3 * problem.contacts;
    double *work = malloc(cord__cone_room(problem.contacts) * sizeof *work);
    double *p = calloc((size_t)n, sizeof *p), *q = calloc((size_t)n, sizeof *q);
    assert_true(work && p && q);
    cone_options o = cord__cone_options(problem.contacts);
    o.tolerance = 1e-10, o.patience = 0;
    cone_report newton = cord__cone_solve(&problem, &o, work, p);
    assert_true(newton.residual <= 1e-10);
    assert_true(newton.newton_steps >= 1 && newton.newton_steps <= 16);
    assert_int_equal(newton.products == 0, dense);
    o.patience = 100000, o.sweeps = 20000, o.history = 0;
    cone_report sweeps = cord__cone_solve(&problem, &o, work, q);
    assert_true(sweeps.residual <= 1e-10 && sweeps.newton_steps == 0);
    assert_all_close(p, q, n, 1e-4);
    free(work);
    free(p);
    free(q);
    rigid_free(&problem);
    rigid_scene_free(&s);
}

static void dense_and_iterative(void **unused)
{
    (void)unused;
    converges(2, 2, true);
    converges(4, 3, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(linear_solvers),
                                       cmocka_unit_test(derivatives), cmocka_unit_test(one_step),
                                       cmocka_unit_test(dense_and_iterative)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
