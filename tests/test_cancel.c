/* Cancelling: every long call ends at any of its polls with CORD_ERROR_CANCELLED and leaves the last accepted state; a
 * call that is not cancelled gives the same result as without a cancel function. */
#include "support/scenes.h"
#include "support/test.h"

#include <cordage/simulation.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Counts its calls, and returns true from call number `last` on; below 0: never. */
typedef struct countdown {
    int calls, last;
} countdown;

static bool cancelled(void *user)
{
    countdown *c = user;
    return c->calls++ == c->last;
}

static const double ends[6] = {0, 0, 0, 1, 0, 0};

/* A net of ropes in a row, each hung from the middle of the one before, and clothoids: sparse, banded and private solvers. */
static cord_world *make_world(const integration *by)
{
    cord_world *w = scene_world_under(by, 9.81);
    cord_strand rope = scene_rope(w, NULL, "rope", 12, ends, ends + 3);
    scene_hang(w, rope, 0);
    cord_point middle = scene_point(w, rope, 0.5);
    for (int i = 0; i < 3; i++) {
        const double from[3] = {0.5, 0, 0}, to[3] = {0.5, 0, -1};
        cord_strand next = scene_rope(w, NULL, "branch", 6, from, to);
        scene_constraint(w, CORD_COINCIDE, scene_point(w, next, 0), middle);
    }
    cord_strand_def def = cord_strand_def_default();
    def.model = CORD_MODEL_CLOTHOID, def.vertex_count = 2, def.positions = ends;
    def.element_count = 3;
    if (by->integrator != CORD_SYMPLECTIC) scene_hang(w, scene_strand(w, &def), 0);
    return w;
}

static uint64_t hash_after(const integration *by, int steps, countdown *c, cord_status *status)
{
    cord_world *w = make_world(by);
    assert_fine(w, cord_world_set_cancel(w, cancelled, c));
    *status = CORD_OK;
    for (int i = 0; i < steps && *status == CORD_OK; i++) *status = cord_world_step(w, 0.01);
    if (*status == CORD_ERROR_CANCELLED)
        assert_non_null(strstr(cord_world_get_error(w), "cancelled"));
    c->last = -1; /* it continues as if nothing had happened */
    while (cord_world_get_time(w) < 0.01 * steps - 0.005) assert_fine(w, cord_world_step(w, 0.01));
    uint64_t hash = scene_hash(w);
    cord_world_destroy(w);
    return hash;
}

/* At each poll in turn: the state is the one before the step, so that the steps after it give the result of an
 * uninterrupted run. */
static void a_step_is_cancelled(void **state)
{
    const integration *by = *state;
    cord_status status;
    countdown all = {.last = -1};
    uint64_t right = hash_after(by, 2, &all, &status);
    assert_int_equal(status, CORD_OK);
    assert_true(all.calls > 4);
    int stride = 1 + all.calls / 40;
    for (int i = 0; i < all.calls; i += stride) {
        countdown c = {.last = i};
        uint64_t hash = hash_after(by, 2, &c, &status);
        assert_int_equal(status, CORD_ERROR_CANCELLED);
        assert_true(hash == right);
    }
}

static void statics_are_cancelled(void **unused)
{
    (void)unused;
    cord_world *w = make_world(integrations + TR_BDF2);
    countdown all = {.last = -1};
    size_t size;
    void *start = scene_state(w, &size);
    uint64_t before = scene_hash(w);
    cord_world_set_cancel(w, cancelled, &all);
    assert_fine(w, cord_world_find_equilibrium(w, NULL, NULL));
    uint64_t right = scene_hash(w);
    assert_true(all.calls > 5);
    for (int i = 0; i < all.calls; i += 1 + all.calls / 20) {
        countdown c = {.last = i};
        assert_fine(w, cord_world_set_state(w, start, size));
        cord_world_set_cancel(w, cancelled, &c);
        assert_int_equal(cord_world_find_equilibrium(w, NULL, NULL), CORD_ERROR_CANCELLED);
        assert_true(scene_hash(w) == before);
    }
    cord_world_set_cancel(w, NULL, NULL);
    assert_fine(w, cord_world_find_equilibrium(w, NULL, NULL));
    assert_true(scene_hash(w) == right);
    int unstable;
    double omega[2];
    countdown at_once = {.last = 0};
    cord_world_set_cancel(w, cancelled, &at_once);
    assert_int_equal(cord_world_count_unstable_directions(w, &unstable, NULL),
                     CORD_ERROR_CANCELLED);
    at_once.calls = 0, at_once.last = 5;
    assert_int_equal(cord_world_find_frequencies(w, 2, omega), CORD_ERROR_CANCELLED);
    assert_true(scene_hash(w) == right);
    free(start);
    cord_world_destroy(w);
}

static cord_strand add_chain(cord_world *w)
{
    cord_strand_def def = cord_strand_def_default();
    def.model = CORD_MODEL_CLOTHOID, def.vertex_count = 2, def.positions = ends;
    def.element_count = 4;
    return scene_strand(w, &def);
}

static void inverse_statics_are_cancelled(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_under(integrations + TR_BDF2, 9.81);
    cord_strand chain = add_chain(w);
    scene_hang(w, chain, 0);
    cord_inverse_def def = cord_inverse_def_default();
    def.rotate = true;
    uint64_t before = scene_hash(w);
    countdown c = {.last = 0};
    cord_world_set_cancel(w, cancelled, &c);
    assert_int_equal(cord_strand_find_natural_shape(w, chain, &def, NULL), CORD_ERROR_CANCELLED);
    assert_true(scene_hash(w) == before);
    c = (countdown){.last = -1};
    assert_fine(w, cord_strand_find_natural_shape(w, chain, &def, NULL));
    assert_true(c.calls > 2);
    cord_world_destroy(w);
}

/* A fit of many points has thousands of polls; nothing remains allocated. */
static void a_fit_is_cancelled(void **unused)
{
    (void)unused;
    enum { POINTS = 60 };
    double x[3 * POINTS];
    for (int i = 0; i < POINTS; i++)
        x[3 * i] = 0.1 * i, x[3 * i + 1] = sin(0.3 * i), x[3 * i + 2] = cos(0.2 * i);
    for (int last = 0; last < 40; last += 13) {
        countdown c = {.last = last};
        cord_fit_def def = cord_fit_def_default();
        cord_fit fit;
        def.vertex_count = POINTS, def.positions = x, def.tolerance = 1e-3;
        def.cancel = (cord_cancel){cancelled, &c};
        assert_int_equal(cord_fit_curve(&def, &fit), CORD_ERROR_CANCELLED);
        assert_true(fit.error[0] != 0);
        assert_int_equal(c.calls, last + 1); /* it is not called again */
    }
    /* So is adding a chain that is fitted to its positions. */
    cord_world *w = scene_world(NULL);
    countdown c = {.last = 3};
    cord_strand_def def = cord_strand_def_default();
    cord_strand chain;
    def.model = CORD_MODEL_HELIX, def.vertex_count = POINTS, def.positions = x;
    cord_world_set_cancel(w, cancelled, &c);
    assert_int_equal(cord_world_add_strand(w, &def, &chain), CORD_ERROR_CANCELLED);
    assert_int_equal(chain.index, 0);
    cord_world_destroy(w);
}

static void reading_and_building_are_cancelled(void **unused)
{
    (void)unused;
    char path[] = "/tmp/cordage-cancel-XXXXXX";
    FILE *out = fdopen(mkstemp(path), "w");
    assert_non_null(out);
    fputs("{cordage: 1, run: {until: 1 s, dt: 1 ms}, strands: [{name: rope, repeat: {count: 200}, "
          "shape: {line: {from: "
          "[0, 0, 0], to: [1, 0, 0], vertices: 5}}, material: nylon, section: {circle: {radius: 1 "
          "mm}}}]}",
          out);
    fclose(out);
    cord_scene_def def = cord_scene_def_default();
    countdown c = {.last = -1};
    cord_scene *scene;
    cord_simulation *sim;
    def.path = path;
    def.cancel = (cord_cancel){cancelled, &c};
    assert_int_equal(cord_scene_create(&def, &scene), CORD_OK);
    int polls = c.calls;
    assert_true(polls > 2);
    c = (countdown){.last = 20}; /* while it is built */
    assert_int_equal(cord_simulation_create(scene, &sim), CORD_ERROR_CANCELLED);
    assert_null(cord_simulation_get_world(sim));
    cord_simulation_destroy(sim);
    c = (countdown){.last = -1};
    assert_int_equal(cord_simulation_create(scene, &sim), CORD_OK);
    c = (countdown){.last = 0}; /* while it runs */
    assert_int_equal(cord_simulation_step(sim, 0.01), CORD_ERROR_CANCELLED);
    cord_simulation_destroy(sim);
    cord_scene_free(scene);
    c = (countdown){.last = polls / 2};
    assert_int_equal(cord_scene_create(&def, &scene), CORD_ERROR_CANCELLED);
    cord_scene_free(scene);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BY_INTEGRATION(a_step_is_cancelled, "tr_bdf2", TR_BDF2),
        BY_INTEGRATION(a_step_is_cancelled, "midpoint", MIDPOINT),
        BY_INTEGRATION(a_step_is_cancelled, "symplectic", SYMPLECTIC),
        BY_INTEGRATION(a_step_is_cancelled, "quasi_static", QUASI_STATIC),
        cmocka_unit_test(statics_are_cancelled),
        cmocka_unit_test(inverse_statics_are_cancelled),
        cmocka_unit_test(a_fit_is_cancelled),
        cmocka_unit_test(reading_and_building_are_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
