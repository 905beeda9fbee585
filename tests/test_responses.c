/* Responses to many forces at once are those of single solves, for every kind of factor. */
#include "strand/registry.h"
#include "support/machines.h"
#include "support/rigs.h"
#include "support/scenes.h"
#include "support/test.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

/* Kinds of factors, and cases that a kind must cope with. */
enum { BAND, PRIVATE, SUPERNODAL, SIMPLICIAL, LOW_RANK, WITH_PRESCRIBED_DOFS, CASES };
typedef struct seen {
    int count[CASES];
} seen;

static void note(const cluster *s, seen *of)
{
    of->count[s->private_solve       ? PRIVATE
              : s->banded            ? BAND
              : s->factor.simplicial ? SIMPLICIAL
                                     : SUPERNODAL]++;
    of->count[LOW_RANK] += s->low_rank.count > 0;
    of->count[WITH_PRESCRIBED_DOFS] += s->map.prescribed_count > 0;
}

/* Forces on every third dof, other dofs for each force; those on prescribed dofs must have no effect. */
static double force_on(int seed, int k, int dof)
{
    return (dof + k) % 3 == 0 ? sin((seed + 1.0) * (1 + k) * (1 + dof)) : 0;
}

static void add_forces(const problem *p, cluster *s, int count, int seed)
{
    cord__clear_responses(p, s);
    for (int i = 0; i < s->blocks; i++) {
        const block *b = p->block[s->block[i]];
        for (int c = 0; c < b->shape.dofs; c++)
            for (int k = 0; k < count; k++)
                cord__add_to_force(s, k, cord__unknown(p, b, c), force_on(seed, k, b->v0 + c));
    }
}

static void solve_alone(problem *p, cluster *s, int k, int seed)
{
    cord__clear_rhs(p, s);
    for (int i = 0; i < s->blocks; i++) {
        const block *b = p->block[s->block[i]];
        for (int c = 0; c < b->shape.dofs; c++) {
            int u = cord__unknown(p, b, c);
            if (u < s->map.count && !s->map.is_prescribed[u])
                s->rhs[u] += force_on(seed, k, b->v0 + c);
        }
    }
    cord__solve(p, s);
}

static void compare(problem *p, cluster *s, int count, int seed)
{
    add_forces(p, s, count, seed);
    cord__solve_responses(p, s, count);
    for (int k = 0; k < count; k++) {
        double largest[2] = {0}; /* of dofs, and of multipliers */
        solve_alone(p, s, k, seed);
        for (int u = 0; u < s->map.count; u++) {
            double *most = largest + (s->map.source[u] < 0);
            *most = fmax(*most, fabs(s->x[u]));
        }
        for (int u = 0; u < s->map.count; u++) {
            /* Of rows that nearly repeat each other round-off determines the share of each; the motion of dofs that rows
             * determine is round-off of that without them, h²/m. */
            double tolerance =
                s->map.source[u] < 0 ? 1e-6 * largest[1] : 1e-13 * fmax(largest[0], 1e-7);
            double expected = s->map.is_prescribed[u] ? 0 : s->x[u];
            assert_close(cord__response(s, k, u), expected, tolerance);
        }
    }
}

static void check_cluster(cord_world *w, cluster *s, seen *of)
{
    problem *p = &w->problem;
    const double h = 1e-3;
    const stage t = {
        .time = p->now.time, .force_time = p->now.time, .c_a = 1 / (h * h), .c_v = 1 / h, .c_k = 1};
    bool reserved = s->responses.x;
    cord__refresh(p, s, p->trial.q, p->cache);
    cord__assemble(p, s, &t, true);
    assert_true(cord__factor(p, s));
    note(s, of);
    if (!reserved) assert_int_equal(cord__responses_create(p, s, &w->memory), CORD_OK);
    for (int count = 1; count <= RESPONSES; count += count < 3 ? 1 : 5) compare(p, s, count, count);
}

/* Newton's iteration keeps its vectors: the solution and the right-hand side are as they were. */
static void check_room(cord_world *w, cluster *s)
{
    problem *p = &w->problem;
    solve_alone(p, s, 0, 1);
    double *x = s->x, *rhs = s->rhs, first = x[0];
    s->rhs[0] = 7;
    add_forces(p, s, RESPONSES, 2);
    cord__solve_responses(p, s, RESPONSES);
    assert_true(s->x == x && s->rhs == rhs);
    assert_close(x[0], first, 0);
    assert_close(rhs[0], 7, 0);
}

static void check_world(cord_world *w, seen *of)
{
    for (int k = 0; k < w->partition.clusters; k++) {
        check_cluster(w, w->partition.cluster + k, of);
        check_room(w, w->partition.cluster + k);
    }
    cord_world_destroy(w);
}

/* Strands alone, of several widths of the band, and a cable that slips on its pulley. */
static cord_world *world_of_others(void)
{
    cord_world *w = scene_world_under(integrations + TR_BDF2, 9.81);
    scene_hang(w, scene_rope(w, NULL, "hanging", 30, (double[]){0, 0, 0}, (double[]){1, 0, 0}), 0);
    scene_rope(w, cord__strand_find("spline"), "falling", 12, (double[]){0, 1, 0},
               (double[]){1, 1, 0});
    cord_body_def box = scene_box(0.1, 0.2, 0.3);
    scene_body(w, &box);
    cord_waypoint waypoints[] = {rig_anchor(rig_on(w, rig_ball(w, 1, -0.1, -1), 0, 0)),
                                 rig_pulley(rig_world_point(w, 0, 0), 0.1, -1),
                                 rig_anchor(rig_on(w, rig_ball(w, 5, 0.1, -1), 0, 0))};
    waypoints[1].friction_law = CORD_WRAP_CAPSTAN, waypoints[1].friction = 0.2;
    cord_cable_def def = cord_cable_def_default();
    def.waypoints = waypoints, def.waypoint_count = 3;
    rig_cable(w, &def);
    scene_advance(w, 1e-3, 5);
    return w;
}

static void every_factor(void **unused)
{
    (void)unused;
    seen of = {{0}};
    for (int i = 0; i < MACHINES; i++) {
        cord_world *w = machine_world(machines + i, TR_BDF2, 1, NULL);
        assert_true(machine_step(machines + i, TR_BDF2, w));
        check_world(w, &of);
    }
    check_world(world_of_others(), &of);
    for (int k = 0; k < CASES; k++) assert_true(of.count[k] > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_factor)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
