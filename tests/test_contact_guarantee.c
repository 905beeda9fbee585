/* Guarantee mode: strands pass neither through each other nor into obstacles, whatever the step. */
#include "contact/passages.h"
#include "support/rods_in_contact.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>

static void guarantee(cord_world *w, double friction)
{
    cord_contact_def def = cord_contact_def_default();
    def.friction = friction;
    def.guarantee = true;
    assert_fine(w, cord_world_set_contact(w, &def));
}

static double height(cord_world *w, cord_strand s)
{
    double x[3 * 64], least = INFINITY;
    cord_strand_info info;
    assert_fine(w, cord_strand_get_info(w, s, &info));
    assert_fine(w, cord_strand_get_positions(w, s, x));
    for (int i = 0; i < info.vertex_count; i++) least = fmin(least, x[3 * i + 2]);
    return least;
}

/* A sweep over random motions finds a passage exactly where one of all pairs passes. */
static void sweeps_find_what_all_pairs_find(void **unused)
{
    (void)unused;
    enum { COUNT = 40 };
    unsigned seed = 7;
    int passages = 0;
    for (int trial = 0; trial < 200; trial++) {
        contact_segment g[COUNT];
        moving_chord chord[COUNT];
        double x[COUNT][2];
        int order[COUNT];
        contact_curve curves[COUNT];
        for (int i = 0; i < COUNT; i++) {
            g[i] = (contact_segment){.block = i, .before = -1, .after = -1};
            curves[i] = (contact_curve){.group = 1, .mask = 1};
            order[i] = i;
            chord[i].segment = i;
            segment_motion *m = &chord[i].motion;
            for (int k = 0; k < 6; k++) {
                seed = seed * 1664525u + 1013904223u;
                m->from[k / 3][k % 3] = (double)(seed >> 8) / (1 << 24);
                seed = seed * 1664525u + 1013904223u;
                m->to[k / 3][k % 3] =
                    m->from[k / 3][k % 3] + 0.06 * ((double)(seed >> 8) / (1 << 24) - 0.5);
            }
            for (int k = 0; k < 3; k++) { /* short segments */
                double by = 0.7 * (m->from[0][k] - m->from[1][k]);
                m->from[1][k] += by;
                m->to[1][k] += by;
            }
        }
        bool any = false;
        for (int i = 0; i < COUNT; i++)
            for (int j = i + 1; j < COUNT; j++)
                any = any || cord__pass_through(&chord[i].motion, &chord[j].motion);
        contact_candidate found;
        const passage_search q = {.curves = curves,
                                  .segments = g,
                                  .chords = chord,
                                  .count = COUNT,
                                  .x = x,
                                  .order = order};
        assert_int_equal(cord__find_passage(&q, &found), any);
        passages += any;
    }
    assert_in_range(passages, 20, 180);
}

/* A fast rod meets another one that is fixed at its ends: 60 radii a step. */
static void fast_rods_do_not_cross(void **unused)
{
    (void)unused;
    cord_world *w = rod_world(0.2, (double[]){0, 0, 0});
    guarantee(w, 0.2);
    cord_strand still = rod_between(w, (double[]){-0.5, 0, 0}, (double[]){0.5, 0, 0}, NULL);
    cord_strand fast =
        rod_between(w, (double[]){0, -0.5, 0.2}, (double[]){0, 0.5, 0.2}, (double[]){0, 0, -30});
    scene_advance(w, 0.02, 10);
    assert_true(height(w, fast) > height(w, still));
    cord_world_destroy(w);
}

/* The same on a plane and with every integrator with inertia. */
static void fast_rods_stay_above_the_floor(void **unused)
{
    (void)unused;
    for (int i = 0; i < QUASI_STATIC; i++) {
        cord_world *w = scene_world(integrations + i);
        guarantee(w, 0.5);
        cord_strand fast = rod_between(w, (double[]){0, -0.5, 0.2}, (double[]){0, 0.5, 0.4},
                                       (double[]){3, 0, -30});
        rod_floor(w, (cord_point){0});
        for (int k = 0; k < 10; k++) {
            cord_status status = cord_world_step(w, 0.02);
            if (status != CORD_OK) break; /* it may refuse, and never enters */
            assert_true(height(w, fast) > 0);
        }
        assert_true(height(w, fast) > 0);
        cord_world_destroy(w);
    }
}

/* Half a circle of three edges, whose chords are two and a half radii inside its curve. */
static const double pi = 3.14159265358979323846;

static cord_strand arc(cord_world *w, double bend)
{
    cord_strand_def def = cord_strand_def_default();
    double x[12];
    for (int i = 0; i < 4; i++) {
        const double angle = pi * i / 3;
        x[3 * i] = bend * cos(angle), x[3 * i + 1] = bend * sin(angle), x[3 * i + 2] = 0;
    }
    def.vertex_count = 4;
    def.positions = x;
    def.section.radius = rod_radius;
    def.material = (cord_material){.density = 1000, .young = 1e7, .poisson = 0.5};
    const cord_strand made = scene_strand(w, &def);
    cord_contact_surface surface = cord_contact_surface_default();
    assert_fine(w, cord_strand_set_surface(w, made, &surface));
    return made;
}

/* A rod flies outwards from within the arc: it goes through the chord of the middle edge and takes the arc along. */
static void chords_within_the_curve_do_not_stop_the_motion(void **unused)
{
    (void)unused;
    const double bend = 0.2;
    cord_world *w = rod_world(0, (double[]){0, 0, 0});
    guarantee(w, 0);
    cord_strand of = arc(w, bend);
    cord_strand rod =
        rod_between(w, (double[]){0, 0.16, -0.5}, (double[]){0, 0.16, 0.5}, (double[]){0, 1, 0});
    double x[12], along[3 * (ROD_EDGES + 1)], farthest = -INFINITY;
    for (int i = 0; i < 40; i++) {
        scene_advance(w, 0.005, 1);
        assert_fine(w, cord_strand_get_positions(w, of, x));
        assert_fine(w, cord_strand_get_positions(w, rod, along));
        farthest = fmax(farthest, along[3 * (ROD_EDGES / 2) + 1] - 0.5 * (x[4] + x[7]));
    }
    assert_true(farthest > 0); /* the test would prove nothing otherwise */
    assert_true(x[4] > 0.2);   /* the arc moved with the rod */
    cord_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweeps_find_what_all_pairs_find),
        cmocka_unit_test(fast_rods_do_not_cross),
        cmocka_unit_test(fast_rods_stay_above_the_floor),
        cmocka_unit_test(chords_within_the_curve_do_not_stop_the_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
