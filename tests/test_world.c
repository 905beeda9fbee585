/* The world: handles, defaults, invalid arguments, removal, failing steps, memory during steps. */
#include "math/vec3.h"
#include "support/scenes.h"
#include "support/test.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

static const double origin[3] = {0, 0, 0}, one_x[3] = {1, 0, 0};

static cord_strand rope_of(cord_world *world, const char *name)
{
    return scene_rope(world, NULL, name, 10, origin, one_x);
}

/* ---- handles ------------------------------------------------------------------------------------ */

static void stale_handles(void **unused)
{
    (void)unused;
    cord_world *world = scene_world(NULL);
    cord_strand a = rope_of(world, "a"), null_strand = {0, 0};
    cord_point p = scene_point(world, a, 0.5), null_point = {0, 0};
    cord_constraint r = scene_constraint(world, CORD_COINCIDE, p, scene_place(world, 0.5, 0, 0));
    cord_load_def load_def = cord_load_def_default();
    cord_load l;
    load_def.point = p;
    assert_fine(world, cord_world_add_load(world, &load_def, &l));
    double x[33], f[3];
    assert_int_equal(cord_strand_get_positions(world, null_strand, x), CORD_ERROR_HANDLE);
    assert_non_null(strstr(cord_world_get_error(world), "strand"));
    assert_int_equal(cord_point_get_pose(world, null_point, x, NULL), CORD_ERROR_HANDLE);
    assert_non_null(strstr(cord_world_get_error(world), "point"));

    assert_fine(world, cord_world_remove_strand(world, a)); /* its dependents are removed with it */
    assert_int_equal(cord_strand_get_positions(world, a, x), CORD_ERROR_HANDLE);
    assert_int_equal(cord_world_remove_strand(world, a), CORD_ERROR_HANDLE);
    assert_int_equal(cord_point_get_pose(world, p, x, NULL), CORD_ERROR_HANDLE);
    assert_int_equal(cord_constraint_get_force(world, r, f, f), CORD_ERROR_HANDLE);
    assert_int_equal(cord_load_set_force(world, l, origin), CORD_ERROR_HANDLE);

    /* The slot is used again; the old handle stays stale. */
    cord_strand b = rope_of(world, "b");
    assert_int_equal(b.index, a.index);
    assert_int_not_equal(b.generation, a.generation);
    assert_int_equal(cord_strand_get_positions(world, a, x), CORD_ERROR_HANDLE);
    assert_int_equal(cord_strand_get_positions(world, b, x), CORD_OK);

    /* A handle beyond all slots, as from another world. */
    cord_strand foreign = {1000, 1};
    assert_int_equal(cord_strand_get_positions(world, foreign, x), CORD_ERROR_HANDLE);
    cord_counters counters;
    assert_int_equal(cord_world_get_counters(world, &counters), CORD_OK);
    assert_int_equal(counters.strands, 1);
    assert_int_equal(counters.constraints, 0);
    cord_world_destroy(world);
}

static void defaults(void **unused)
{
    (void)unused;
    cord_world_def w = cord_world_def_default();
    assert_close(w.gravity[2], -9.81, 0);
    assert_int_equal(w.integrator, CORD_IMPLICIT);
    assert_int_equal(w.scheme, CORD_TR_BDF2);
    assert_close(w.tolerance, 1e-7, 0);
    assert_close(w.length_tolerance, 1e-6, 0);
    assert_int_equal(w.max_iterations, 25);
    assert_int_equal(w.max_halvings, 12);
    cord_point_def p = cord_point_def_default();
    const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    assert_all_close(p.frame, identity, 9, 0);
    cord_constraint_def r = cord_constraint_def_default();
    assert_close(r.direction[2], 1, 0);
    assert_true(r.length < 0);
    assert_string_equal(cord_model_names()[0], CORD_MODEL_DER);
    assert_string_equal(cord_constraint_names()[0], CORD_COINCIDE);
    for (int status = 0; status >= -14; status--)
        assert_true(strlen(cord_status_text((cord_status)status)) > 0);
}

/* ---- arguments ---------------------------------------------------------------------------------- */

/* An error with a message; a message left from before does not count. */
#define REFUSED(world, call)                                                                       \
    do {                                                                                           \
        (world)->error[0] = '\0';                                                                  \
        cord_status status_ = (call);                                                              \
        if (status_ == CORD_OK || !(world)->error[0])                                              \
            print_error("%s: %s, '%s'\n", #call, cord_status_text(status_), (world)->error);       \
        assert_int_not_equal(status_, CORD_OK);                                                    \
        assert_true(cord_world_get_error(world)[0] != '\0');                                       \
    } while (0)
/* Without a world there is nowhere to keep a message. */
#define WORLDLESS(call) assert_int_equal((call), CORD_ERROR_ARGUMENT)

static void without_a_world(void **unused)
{
    (void)unused;
    cord_strand s = {1, 1};
    cord_point p = {1, 1};
    cord_constraint r = {1, 1};
    cord_load l = {1, 1};
    cord_strand_def strand_def = cord_strand_def_default();
    cord_point_def point_def = cord_point_def_default();
    cord_constraint_def constraint_def = cord_constraint_def_default();
    cord_load_def load_def = cord_load_def_default();
    cord_strand_info info;
    cord_energy e;
    cord_momentum m;
    cord_profile profile;
    cord_counters counters;
    uint64_t hash;
    int n;
    double x[9] = {0};
    WORLDLESS(cord_world_create(NULL, NULL));
    WORLDLESS(cord_world_step(NULL, 1));
    WORLDLESS(cord_world_set_gravity(NULL, x));
    WORLDLESS(cord_world_find_equilibrium(NULL, NULL, NULL));
    WORLDLESS(cord_world_count_unstable_directions(NULL, &n, NULL));
    WORLDLESS(cord_world_find_frequencies(NULL, 1, x));
    WORLDLESS(cord_world_get_energy(NULL, &e));
    WORLDLESS(cord_world_get_momentum(NULL, &m));
    WORLDLESS(cord_world_get_profile(NULL, &profile));
    WORLDLESS(cord_world_get_counters(NULL, &counters));
    WORLDLESS(cord_world_hash(NULL, &hash));
    WORLDLESS(cord_world_add_strand(NULL, &strand_def, &s));
    WORLDLESS(cord_world_remove_strand(NULL, s));
    WORLDLESS(cord_strand_get_info(NULL, s, &info));
    WORLDLESS(cord_strand_get_positions(NULL, s, x));
    WORLDLESS(cord_strand_get_velocities(NULL, s, x));
    WORLDLESS(cord_strand_set_positions(NULL, s, x));
    WORLDLESS(cord_strand_set_velocities(NULL, s, x));
    WORLDLESS(cord_strand_get_frames(NULL, s, x));
    WORLDLESS(cord_strand_get_curvatures(NULL, s, x));
    WORLDLESS(cord_strand_get_angles(NULL, s, x));
    WORLDLESS(cord_strand_get_tensions(NULL, s, x));
    WORLDLESS(cord_strand_get_energy(NULL, s, &e));
    WORLDLESS(cord_strand_set_closing_twist(NULL, s, 1));
    WORLDLESS(cord_world_add_point(NULL, &point_def, &p));
    WORLDLESS(cord_world_remove_point(NULL, p));
    WORLDLESS(cord_point_get_pose(NULL, p, x, x));
    WORLDLESS(cord_point_get_velocity(NULL, p, x));
    WORLDLESS(cord_point_set_pose(NULL, p, x, NULL));
    WORLDLESS(cord_world_add_constraint(NULL, &constraint_def, &r));
    WORLDLESS(cord_world_remove_constraint(NULL, r));
    WORLDLESS(cord_constraint_get_force(NULL, r, x, x));
    WORLDLESS(cord_constraint_get_residual(NULL, r, &n, x));
    WORLDLESS(cord_world_clamp_strand(NULL, s, 0, NULL, NULL, NULL, NULL));
    WORLDLESS(cord_world_add_load(NULL, &load_def, &l));
    WORLDLESS(cord_load_set_force(NULL, l, x));
    WORLDLESS(cord_world_remove_load(NULL, l));
    WORLDLESS(cord_world_set_wind(NULL, NULL));
    WORLDLESS(cord_world_get_wind(NULL, x, x));
    assert_true(strlen(cord_world_get_error(NULL)) > 0);
    assert_close(cord_world_get_time(NULL), 0, 0);
    cord_world_destroy(NULL);
}

static void bad_world_definitions(void **unused)
{
    (void)unused;
    for (int i = 0; i < 10; i++) {
        cord_world_def def = cord_world_def_default();
        cord_world *world = (cord_world *)&def;
        switch (i) {
        case 0: def.gravity[1] = NAN; break;
        case 1: def.tolerance = 0; break;
        case 2: def.tolerance = NAN; break;
        case 3: def.length_tolerance = -1; break;
        case 4: def.max_iterations = 0; break;
        case 5: def.max_halvings = -1; break;
        case 6: def.threads = -1; break;
        case 7: def.integrator = (cord_integrator)7; break;
        case 8: def.scheme = (cord_scheme)-1; break;
        case 9: def.tolerance = INFINITY; break;
        }
        assert_int_equal(cord_world_create(&def, &world), CORD_ERROR_ARGUMENT);
        assert_null(world);
    }
}

static void bad_arguments(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL);
    cord_strand s = rope_of(w, "rope");
    cord_point p = scene_point(w, s, 0.3), at = scene_place(w, 0, 0, 1), out;
    cord_constraint r = scene_constraint(w, CORD_DISTANCE, p, at);
    double x[33] = {0}, bad[33] = {0};
    bad[4] = NAN;
    REFUSED(w, cord_world_step(w, 0));
    REFUSED(w, cord_world_step(w, -1));
    REFUSED(w, cord_world_step(w, NAN));
    REFUSED(w, cord_world_step(w, INFINITY));
    REFUSED(w, cord_world_set_gravity(w, (double[]){NAN, 0, 0}));
    REFUSED(w, cord_world_set_gravity(w, NULL));
    REFUSED(w, cord_world_get_energy(w, NULL));
    REFUSED(w, cord_world_get_momentum(w, NULL));
    REFUSED(w, cord_world_get_profile(w, NULL));
    REFUSED(w, cord_world_get_counters(w, NULL));
    REFUSED(w, cord_world_hash(w, NULL));
    REFUSED(w, cord_world_find_frequencies(w, 0, x));
    REFUSED(w, cord_world_find_frequencies(w, 1, NULL));
    REFUSED(w, cord_world_count_unstable_directions(w, NULL, NULL));
    REFUSED(w, cord_strand_get_positions(w, s, NULL));
    REFUSED(w, cord_strand_get_velocities(w, s, NULL));
    REFUSED(w, cord_strand_set_positions(w, s, NULL));
    REFUSED(w, cord_strand_set_positions(w, s, bad));
    REFUSED(w, cord_strand_set_positions(w, s, x)); /* all vertices at one position */
    REFUSED(w, cord_strand_set_velocities(w, s, bad));
    REFUSED(w, cord_strand_set_velocities(w, s, NULL));
    REFUSED(w, cord_strand_get_frames(w, s, NULL));
    REFUSED(w, cord_strand_get_curvatures(w, s, NULL));
    REFUSED(w, cord_strand_get_angles(w, s, NULL));
    REFUSED(w, cord_strand_get_tensions(w, s, NULL));
    REFUSED(w, cord_strand_get_energy(w, s, NULL));
    REFUSED(w, cord_strand_get_info(w, s, NULL));
    REFUSED(w, cord_strand_set_closing_twist(w, s, 1)); /* it is open */
    REFUSED(w, cord_point_get_pose(w, p, NULL, NULL));
    REFUSED(w, cord_point_get_velocity(w, p, NULL));
    REFUSED(w, cord_point_set_pose(w, p, x, NULL)); /* on a strand */
    REFUSED(w, cord_point_set_pose(w, at, bad + 3, NULL));
    REFUSED(w, cord_point_set_pose(w, at, x, bad));
    REFUSED(w, cord_world_clamp_strand(w, s, -0.1, NULL, NULL, NULL, NULL));
    REFUSED(w, cord_world_clamp_strand(w, s, NAN, NULL, NULL, NULL, NULL));
    REFUSED(w, cord_world_clamp_strand(w, s, 1.1, NULL, NULL, NULL, NULL));
    REFUSED(w, cord_world_clamp_strand(w, (cord_strand){0, 0}, 0, NULL, NULL, NULL, NULL));
    REFUSED(w, cord_world_add_strand(w, NULL, &s));
    REFUSED(w, cord_world_add_point(w, NULL, &out));
    cord_point_def point_def = cord_point_def_default();
    REFUSED(w, cord_world_add_point(w, &point_def, NULL));
    point_def.position[0] = NAN;
    REFUSED(w, cord_world_add_point(w, &point_def, &out));
    point_def = cord_point_def_default();
    memset(point_def.frame, 0, sizeof point_def.frame);
    REFUSED(w, cord_world_add_point(w, &point_def, &out));
    point_def = cord_point_def_default();
    point_def.frame[3] = NAN;
    REFUSED(w, cord_world_add_point(w, &point_def, &out));
    point_def = cord_point_def_default();
    const double times[2] = {1, 0}, values[6] = {0};
    point_def.motion = (cord_keys){2, times, values, CORD_EASE_LINEAR};
    REFUSED(w, cord_world_add_point(w, &point_def, &out));
    point_def = cord_point_def_default();
    point_def.source = (cord_source)9;
    REFUSED(w, cord_world_add_point(w, &point_def, &out));
    cord_statics_def statics = cord_statics_def_default();
    statics.tolerance = NAN;
    REFUSED(w, cord_world_find_equilibrium(w, &statics, NULL));
    statics = cord_statics_def_default();
    statics.kick = -1;
    REFUSED(w, cord_world_find_equilibrium(w, &statics, NULL));
    cord_load_def load_def = cord_load_def_default();
    cord_load load_out;
    load_def.point = p;
    load_def.force[0] = INFINITY;
    REFUSED(w, cord_world_add_load(w, &load_def, &load_out));
    REFUSED(w, cord_world_add_load(w, NULL, &load_out));
    cord_wind_def wind_def = cord_wind_def_default();
    wind_def.velocity[2] = NAN;
    REFUSED(w, cord_world_set_wind(w, &wind_def));
    wind_def = cord_wind_def_default();
    wind_def.vortex_count = 1; /* but none are given */
    REFUSED(w, cord_world_set_wind(w, &wind_def));
    REFUSED(w, cord_world_get_wind(w, NULL, x));
    int rows;
    assert_int_equal(cord_constraint_get_residual(w, r, &rows, NULL), CORD_OK);
    assert_int_equal(rows, 1);
    /* After all these errors it still works. */
    assert_fine(w, cord_world_step(w, 1e-3));
    cord_world_destroy(w);
}

static void bad_constraints(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL);
    cord_strand s = rope_of(w, "rope");
    cord_point p = scene_point(w, s, 0.3), at = scene_place(w, 0, 0, 1);
    cord_constraint out;
    for (int i = 0; i < 13; i++) {
        const double times[1] = {0}, values[1] = {NAN};
        cord_constraint_def def = cord_constraint_def_default();
        def.kind = CORD_DISTANCE;
        def.first = p, def.second = at;
        switch (i) {
        case 0: def.kind = "glue"; break;
        case 1: def.kind = NULL; break;
        case 2: def.first = (cord_point){0, 0}; break;
        case 3: def.second = (cord_point){77, 1}; break;
        case 4: def.first = at; break; /* nothing that moves */
        case 5: def.compliance = -1; break;
        case 6: def.compliance = NAN; break;
        case 7: def.compliance = 1, def.damping = -1; break;
        case 8: def.damping = 1; break; /* of an exact constraint */
        case 9: def.kind = CORD_COINCIDE, def.side = CORD_AT_LEAST, def.length = 0; break;
        case 10: def.kind = CORD_PLANE, v3_set(def.direction, 0, 0, 0); break;
        case 11: def.length = 0; break;
        case 12: def.drive = (cord_keys){1, times, values, CORD_EASE_LINEAR}; break;
        }
        if (i == 12) def.length = 1;
        REFUSED(w, cord_world_add_constraint(w, &def, &out));
    }
    cord_constraint_def def = cord_constraint_def_default();
    def.kind = "coincde";
    def.first = p;
    assert_int_equal(cord_world_add_constraint(w, &def, &out), CORD_ERROR_UNKNOWN_NAME);
    assert_non_null(strstr(cord_world_get_error(w), CORD_COINCIDE)); /* did you mean */
    def.length = NAN;
    def.kind = CORD_DISTANCE;
    REFUSED(w, cord_world_add_constraint(w, &def, &out));
    def = cord_constraint_def_default();
    def.first = p;
    REFUSED(w, cord_world_add_constraint(w, &def, NULL));
    REFUSED(w, cord_world_add_constraint(w, NULL, &out));
    cord_world_destroy(w);
}

/* An empty world steps: time passes. */
static void empty_world(void **unused)
{
    (void)unused;
    for (int k = 0; k < INTEGRATIONS; k++) {
        cord_world *w = scene_world(integrations + k);
        assert_fine(w, cord_world_step(w, 0.25));
        assert_close(cord_world_get_time(w), 0.25, 0);
        assert_fine(w, cord_world_find_equilibrium(w, NULL, NULL));
        cord_energy e;
        assert_fine(w, cord_world_get_energy(w, &e));
        assert_close(e.total, 0, 0);
        cord_world_destroy(w);
    }
}

/* ---- removal ------------------------------------------------------------------------------------ */

static void strand_state(cord_world *w, cord_strand s, double *out)
{
    assert_fine(w, cord_strand_get_positions(w, s, out));
    assert_fine(w, cord_strand_get_velocities(w, s, out + 33));
    assert_fine(w, cord_strand_get_frames(w, s, out + 66));
}
enum { STATE = 66 + 90 };

/* Objects that are not involved continue bit for bit as if the removed one had never existed. */
static void removal_leaves_the_rest(void **unused)
{
    (void)unused;
    for (int k = 0; k < INTEGRATIONS; k++) {
        double now[STATE], kept[STATE], alone[STATE], far[2][3] = {{0, 1, 0}, {1, 1, 0}};
        cord_world *w = scene_world(integrations + k), *lone = scene_world(integrations + k);
        cord_strand a = rope_of(w, "a");
        cord_strand b = scene_rope(w, NULL, "b", 10, far[0], far[1]);
        cord_strand c = scene_rope(lone, NULL, "b", 10, far[0], far[1]);
        scene_hang(w, a, 0);
        cord_point on_a = scene_point(w, a, 1);
        scene_hang(w, b, 0), scene_hang(lone, c, 0);
        cord_constraint extra = scene_constraint(w, CORD_PLANE, on_a, scene_place(w, 0, 0, 0));
        for (int i = 0; i < 12; i++) {
            if (i == 4) {
                strand_state(w, b, kept);
                assert_fine(w, cord_world_remove_constraint(w, extra));
                strand_state(w, b, now);
                assert_memory_equal(now, kept, sizeof now);
            }
            if (i == 6) assert_fine(w, cord_world_remove_point(w, on_a));
            if (i == 8) {
                strand_state(w, b, kept);
                assert_fine(w, cord_world_remove_strand(w, a));
                strand_state(w, b, now);
                assert_memory_equal(now, kept, sizeof now);
            }
            assert_fine(w, cord_world_step(w, 1e-3));
            assert_fine(lone, cord_world_step(lone, 1e-3));
            /* Changes restart the motion (accelerations), so the single one must restart too. */
            if (i == 3 || i == 5 || i == 7) lone->start_stale = true;
        }
        strand_state(w, b, now);
        strand_state(lone, c, alone);
        assert_all_close(now, alone, STATE, 1e-9);
        cord_world_destroy(w);
        cord_world_destroy(lone);
    }
}

/* ---- failing steps ------------------------------------------------------------------------------ */

/* A step far too long for the motion: it is halved, and ends at the exact time. */
static void huge_step(void **unused)
{
    (void)unused;
    for (int k = 0; k < INTEGRATIONS; k++) {
        cord_world *w = scene_world(integrations + k);
        cord_strand s = rope_of(w, "rope");
        double v[33] = {0};
        scene_hang(w, s, 0);
        for (int i = 0; i < 11; i++) v[3 * i + 2] = 20 * sin(2.0 * i);
        assert_fine(w, cord_strand_set_velocities(w, s, v));
        cord_status status = cord_world_step(w, 0.1);
        if (integrations[k].integrator != CORD_SYMPLECTIC) { /* which may well be unstable */
            assert_fine(w, status);
            assert_close(cord_world_get_time(w), 0.1, 0);
        }
        cord_world_destroy(w);
    }
}

/* Ends pinned farther apart than the length of an inextensible rope: no state exists. */
static void impossible(void **unused)
{
    (void)unused;
    for (int k = 0; k < INTEGRATIONS; k++) {
        cord_world *w = scene_world(integrations + k);
        cord_strand s = rope_of(w, "too short");
        scene_hang(w, s, 0);
        cord_point_def far = cord_point_def_default();
        const double times[2] = {0.01, 0.02}, values[6] = {0, 0, 0, 0.5, 0, 0};
        v3_copy(far.position, one_x);
        far.motion = (cord_keys){2, times, values, CORD_EASE_LINEAR};
        cord_point away;
        assert_fine(w, cord_world_add_point(w, &far, &away));
        cord_constraint pull = scene_constraint(w, CORD_COINCIDE, scene_point(w, s, 1), away);
        uint64_t good = 0;
        cord_status status = CORD_OK;
        for (int i = 0; i < 40 && status == CORD_OK; i++) {
            good = scene_hash(w);
            status = cord_world_step(w, 1e-3);
        }
        if (status == CORD_OK) print_error("%s went on\n", integrations[k].name);
        assert_int_not_equal(status, CORD_OK);
        assert_non_null(strstr(cord_world_get_error(w), "too short"));
        assert_non_null(strstr(cord_world_get_error(w), "t = "));
        /* Part of the step may have been taken; a repeated call changes nothing. */
        double time = cord_world_get_time(w), x[33];
        assert_true(time > 0.009 && time < 0.0115);
        good = scene_hash(w);
        assert_int_not_equal(cord_world_step(w, 1e-3), CORD_OK);
        if (cord_world_get_time(w) == time) assert_true(scene_hash(w) == good);
        assert_fine(w, cord_strand_get_positions(w, s, x));
        for (int i = 0; i < 33; i++) assert_true(isfinite(x[i]));
        /* Released, it moves again. */
        assert_fine(w, cord_world_remove_constraint(w, pull));
        assert_fine(w, cord_world_step(w, 1e-3));
        cord_world_destroy(w);
    }
}

/* ---- memory and queries ------------------------------------------------------------------------- */

static void no_heap_in_settled_steps(void **unused)
{
    (void)unused;
    for (int k = 0; k < INTEGRATIONS; k++) {
        cord_world *w = scene_world(integrations + k);
        cord_strand a = rope_of(w, "a");
        cord_strand b = scene_rope(w, NULL, "b", 6, one_x, (double[]){2, 0, 0});
        assert_fine(w, cord_world_clamp_strand(w, a, 0, NULL, NULL, NULL, NULL));
        scene_constraint(w, CORD_COINCIDE, scene_point(w, a, 1), scene_point(w, b, 0));
        assert_fine(w, cord_world_step(w, 1e-3));
        cord_counters before, after;
        assert_int_equal(cord_world_get_counters(w, &before), CORD_OK);
        for (int i = 0; i < 100; i++) {
            cord_energy e;
            cord_momentum m;
            assert_fine(w, cord_world_step(w, 1e-3));
            assert_fine(w, cord_world_get_energy(w, &e));
            assert_fine(w, cord_world_get_momentum(w, &m));
        }
        assert_int_equal(cord_world_get_counters(w, &after), CORD_OK);
        assert_int_equal(after.heap_calls, before.heap_calls);
        assert_int_equal(after.heap_bytes, before.heap_bytes);
        assert_true(after.steps >= before.steps + 100);
        assert_int_equal(after.islands, 1);
        cord_world_destroy(w);
    }
}

/* A checkpoint after every query of the world, of a strand and of a constraint has the bytes of the one before. */
static void queries_leave_the_state(void **unused)
{
    (void)unused;
    for (int k = 0; k < INTEGRATIONS; k++) {
        cord_world *w = scene_world(integrations + k);
        cord_strand a = rope_of(w, "a");
        cord_constraint coincide;
        assert_fine(w, cord_world_clamp_strand(w, a, 0, NULL, NULL, &coincide, NULL));
        for (int i = 0; i < 20; i++) assert_fine(w, cord_world_step(w, 1e-3));
        const cord_world *asked = w;
        static char before[20000], after[20000];
        double x[STATE], omega, force[3];
        size_t size;
        int count;
        cord_energy energy;
        cord_momentum momentum;
        assert_fine(w, cord_world_get_state_size(asked, &size));
        assert_true(size <= sizeof before);
        assert_fine(w, cord_world_get_state(asked, before));
        strand_state(w, a, x);
        assert_fine(w, cord_strand_get_tensions(asked, a, x));
        assert_fine(w, cord_constraint_get_force(asked, coincide, force, NULL));
        assert_fine(w, cord_world_get_energy(asked, &energy));
        assert_fine(w, cord_world_get_momentum(asked, &momentum));
        assert_fine(w, cord_world_count_unstable_directions(asked, &count, NULL));
        cord_status status = cord_world_find_frequencies(asked, 1, &omega);
        assert_true(status == CORD_OK || status == CORD_ERROR_UNSTABLE);
        assert_fine(w, cord_world_get_state(asked, after));
        assert_memory_equal(before, after, size);
        cord_world_destroy(w);
    }
}

/* Free fall: energies, momenta and the centre of mass are those of a body. */
static void falling(void **unused)
{
    (void)unused;
    for (int k = 0; k < DYNAMIC_INTEGRATIONS; k++) {
        cord_world *w = scene_world(integrations + k);
        cord_strand s = rope_of(w, "rope");
        cord_strand_info info;
        assert_fine(w, cord_strand_get_info(w, s, &info));
        assert_close(info.mass, 0.1, 1e-15);
        assert_close(info.length, 1, 1e-15);
        assert_int_equal(info.edge_count, 10);
        for (int i = 0; i < 10; i++) assert_fine(w, cord_world_step(w, 0.01));
        cord_energy e, own;
        cord_momentum m;
        double x[33];
        assert_fine(w, cord_world_get_energy(w, &e));
        assert_fine(w, cord_strand_get_energy(w, s, &own));
        assert_fine(w, cord_world_get_momentum(w, &m));
        assert_fine(w, cord_strand_get_positions(w, s, x));
        assert_close(m.linear[2], -0.1 * 9.81 * 0.1, 1e-10);
        assert_close(m.angular[1], 0.5 * 0.1 * 9.81 * 0.1, 1e-10); /* about the origin: −x p_z */
        assert_close(e.kinetic, 0.5 * 0.1 * 0.981 * 0.981, 1e-10);
        assert_close(own.kinetic, e.kinetic, 1e-16);
        assert_close(e.total, e.kinetic + e.gravity + e.bending + e.stretching + e.twisting, 1e-15);
        assert_close(e.gravity, 0.1 * 9.81 * x[2], 1e-10);
        /* First-order schemes fall h/2 v short or far: 10 steps of 0.01 s. */
        bool second = k == TR_BDF2 || k == MIDPOINT;
        assert_close(x[2], -0.5 * 9.81 * 0.01, second ? 1e-9 : 0.0051);
        cord_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stale_handles),
        cmocka_unit_test(defaults),
        cmocka_unit_test(without_a_world),
        cmocka_unit_test(bad_world_definitions),
        cmocka_unit_test(bad_arguments),
        cmocka_unit_test(bad_constraints),
        cmocka_unit_test(empty_world),
        cmocka_unit_test(removal_leaves_the_rest),
        cmocka_unit_test(huge_step),
        cmocka_unit_test(impossible),
        cmocka_unit_test(no_heap_in_settled_steps),
        cmocka_unit_test(queries_leave_the_state),
        cmocka_unit_test(falling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
