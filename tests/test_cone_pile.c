/* Piles of spheres: every step solved, rest at last, and the sweeps that the methods take. */
#include "math/vec3.h"
#include "support/rigid_contacts.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

static double fastest(const rigid_scene *s)
{
    double speed = 0;
    for (int i = 0; i < s->bodies; i++) speed = fmax(speed, v3_norm(s->body[i].velocity));
    return speed;
}

/* Falls and comes to rest; warm starts take few sweeps there. */
static void settles(double ratio, int steps, double speed, int sweeps)
{
    rigid_scene s = sphere_pile(3, 3, ratio, 7);
    cone_options o = cord__cone_options(CONE_DENSE);
    int last = 0;
    for (int step = 0; step < steps; step++) {
        cone_report report = sphere_step(&s, &o);
        assert_true(report.residual <= o.tolerance);
        if (step >= steps - 50) last += report.sweeps;
    }
    assert_true(fastest(&s) <= speed);
    assert_true(last <= 50 * sweeps);
    rigid_scene_free(&s);
}

static void piles_settle(void **unused)
{
    (void)unused;
    settles(1, 300, 1e-4, 10);
    settles(1e4, 100, 2, 200); /* light spheres between heavy ones still roll */
}

/* Cold starts of one problem by plain sweeps, with acceleration, and by Newton's method after a few sweeps. */
static void compare(int side, int layers, double ratio, int steps)
{
    static const struct {
        const char *name;
        int history, patience;
    } method[] = {{"plain sweeps", 0, 100000},
                  {"Anderson", CONE_HISTORY, 100000},
                  {"Newton", CONE_HISTORY, 0}};
    rigid_scene s = sphere_pile(side, layers, ratio, 7);
    cone_options o = cord__cone_options(1000);
    for (int k = 0; k < steps; k++) sphere_step(&s, &o);
    sphere_contacts(&s);
    for (int i = 0; i < s.contacts; i++) v3_set(s.contact[i].force, 0, 0, 0);
    cone_problem problem = rigid_problem(&s);
    size_t n = 3 * (size_t)problem.contacts;
    double *work = malloc(cord__cone_room(problem.contacts) * sizeof *work),
           *p = malloc(n * sizeof *p);
    int sweeps[3];
    assert_true(work && p);
    for (int k = 0; k < 3; k++) {
        o.sweeps = 5000, o.history = method[k].history, o.patience = method[k].patience;
        memset(p, 0, n * sizeof *p);
        cone_report r = cord__cone_solve(&problem, &o, work, p);
        print_message("%d contacts, mass ratio %g, %s: %d sweeps, %d Newton steps, %d products\n",
                      problem.contacts, ratio, method[k].name, r.sweeps, r.newton_steps,
                      r.products);
        assert_true(r.residual <= o.tolerance);
        sweeps[k] = r.sweeps;
    }
    assert_true(2 * sweeps[1] < sweeps[0]);
    assert_true(2 * sweeps[2] < sweeps[1]);
    free(work);
    free(p);
    rigid_free(&problem);
    rigid_scene_free(&s);
}

static void methods(void **unused)
{
    (void)unused;
    compare(3, 3, 1, 20);
    compare(4, 5, 1, 20);
    compare(4, 5, 1e4, 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(piles_settle), cmocka_unit_test(methods)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
