/* Failure of any allocation is an error without other effects: the k-th allocation fails, for
 * every k, and the world can be used again when there is memory, or destroyed. */
#include "support/failing_allocator.h"
#include "support/scenes.h"
#include "support/test.h"

/* Objects that the calls create. */
static struct {
    cord_strand rope[2];
    cord_point on[4], at, clamp;
    cord_constraint constraint, coincide, align;
    cord_load weight;
} made;

/* The calls of a small program, one by one, so that each can be repeated after it failed. */
static cord_status call(cord_world *w, int number)
{
    static const double x[2][12] = {{0, 0, 0, 0.1, 0, 0, 0.2, 0, 0, 0.3, 0, 0},
                                    {0.3, 0, 0, 0.4, 0, 0.01, 0.5, 0, 0, 0.6, 0.01, 0}};
    static const double times[2] = {0, 1}, values[6] = {0, 0, 0, 0.1, 0, 0};
    const cord_keys keys = {2, times, values, CORD_EASE_SMOOTH};
    cord_strand_def strand = cord_strand_def_default();
    cord_point_def point = cord_point_def_default();
    cord_constraint_def constraint = cord_constraint_def_default();
    cord_load_def load = cord_load_def_default();
    cord_vortex vortex = {.axis = {0, 0, 1}, .circulation = 1, .core = 0.1};
    cord_wind_def air = {.velocity = {1, 0, 0}, .vortex_count = 1, .vortices = &vortex};
    switch (number) {
    case 0:
    case 1:
        strand.name = "rope";
        strand.vertex_count = 4;
        strand.positions = x[number];
        strand.drag = 0.1;
        if (number == 1) strand.section.radius = 3e-3, strand.damping = 1e-3;
        return cord_world_add_strand(w, &strand, &made.rope[number]);
    case 2:
        point.rotation = point.motion = keys;
        return cord_world_clamp_strand(w, made.rope[0], 0, &point, &made.clamp, &made.coincide,
                                       &made.align);
    case 3:
    case 4:
    case 5:
    case 6:
        point.source = CORD_SOURCE_STRAND;
        point.strand = made.rope[number % 2 ? 0 : 1];
        point.s = number < 5 ? (number % 2 ? 0.3 : 0) : 0.15;
        return cord_world_add_point(w, &point, &made.on[number - 3]);
    case 7: point.motion = keys; return cord_world_add_point(w, &point, &made.at);
    case 8:
        constraint.first = made.on[0], constraint.second = made.on[1];
        constraint.name = "knot";
        return cord_world_add_constraint(w, &constraint, &made.constraint);
    case 9:
        constraint.kind = CORD_ALIGN;
        constraint.compliance = 0.1;
        constraint.first = made.on[0], constraint.second = made.on[1];
        constraint.drive = keys;
        return cord_world_add_constraint(w, &constraint, &made.constraint);
    case 10:
        constraint.kind = CORD_PLANE;
        constraint.side = CORD_AT_LEAST;
        constraint.first = made.on[3];
        return cord_world_add_constraint(w, &constraint, &made.constraint);
    case 11:
        load.point = made.on[2];
        load.force[2] = -0.1;
        load.force_keys = keys;
        return cord_world_add_load(w, &load, &made.weight);
    case 12: return cord_world_set_wind(w, &air);
    case 13: return cord_world_find_equilibrium(w, NULL, NULL);
    case 14: return cord_world_step(w, 1e-3);
    case 15: return cord_world_remove_constraint(w, made.constraint);
    case 16: return cord_world_step(w, 1e-3);
    case 17: return cord_world_remove_strand(w, made.rope[1]);
    case 18: return cord_world_step(w, 1e-3);
    default: return CORD_ERROR_ARGUMENT;
    }
}
enum { CALLS = 19 };

/* The same for a spline with a ball that slides on it. */
static cord_status call_sliding(cord_world *w, int number)
{
    static const double x[12] = {0, 0, 0, 0.1, 0, 0, 0.2, 0, 0, 0.3, 0, 0};
    static cord_body ball;
    cord_strand_def strand = cord_strand_def_default();
    cord_point_def point = cord_point_def_default();
    cord_constraint_def constraint = cord_constraint_def_default();
    cord_body_def body = cord_body_def_default();
    switch (number) {
    case 0:
        strand.model = CORD_MODEL_SPLINE;
        strand.vertex_count = 4;
        strand.positions = x;
        return cord_world_add_strand(w, &strand, &made.rope[0]);
    case 1:
        point.source = CORD_SOURCE_SLIDING;
        point.strand = made.rope[0];
        point.s = 0.1;
        return cord_world_add_point(w, &point, &made.on[0]);
    case 2:
        body.shape.kind = CORD_SHAPE_SPHERE, body.shape.radius = 0.01;
        body.density = 1000;
        body.position[0] = 0.1;
        return cord_world_add_body(w, &body, &ball);
    case 3:
        point.source = CORD_SOURCE_BODY;
        point.body = ball;
        return cord_world_add_point(w, &point, &made.at);
    case 4:
        constraint.first = made.on[0], constraint.second = made.at;
        return cord_world_add_constraint(w, &constraint, &made.constraint);
    case 5: return cord_world_step(w, 1e-3);
    case 6: return cord_world_remove_constraint(w, made.constraint);
    case 7: return cord_world_step(w, 1e-3);
    default: return CORD_ERROR_ARGUMENT;
    }
}
enum { SLIDING_CALLS = 8 };

/* The same for strands that grow: their last elements are divided in steps. */
static cord_status call_growing(cord_world *w, int number)
{
    static const double x[12] = {0, 0, 0, 0.1, 0, 0, 0.2, 0, 0, 0.3, 0, 0}, time = 0, rate = 110,
                        k[3] = {0, 1e-3, 0};
    static char state[20000];
    static size_t size;
    cord_strand_def strand = cord_strand_def_default();
    cord_point_def point = cord_point_def_default();
    cord_growth_def growth = cord_growth_def_default();
    cord_status status;
    switch (number) {
    case 0:
    case 1:
        strand.model = number ? CORD_MODEL_CLOTHOID : CORD_MODEL_DER;
        strand.vertex_count = 4;
        strand.element_count = number ? 3 : 0;
        strand.positions = x;
        return cord_world_add_strand(w, &strand, &made.rope[number]);
    case 2:
    case 3: return cord_world_clamp_strand(w, made.rope[number - 2], 0, NULL, NULL, NULL, NULL);
    case 4:
    case 5:
        point.source = CORD_SOURCE_STRAND;
        point.strand = made.rope[number - 4];
        point.s = 0.3;
        return cord_world_add_point(w, &point, &made.on[number - 4]);
    case 6:
    case 7:
        growth.rate = (cord_keys){1, &time, &rate, CORD_EASE_LINEAR};
        growth.natural_curvature = (cord_keys){1, &time, k, CORD_EASE_LINEAR};
        growth.until = 0.7;
        return cord_strand_set_growth(w, made.rope[number - 6], &growth);
    case 8: return cord_world_step(w, 1e-3);
    case 9:
        status = cord_world_get_state_size(w, &size);
        return status == CORD_OK && size <= sizeof state ? cord_world_get_state(w, state) : status;
    case 10: return cord_world_step(w, 1e-3);
    case 11: return cord_world_set_state(w, state, size);
    case 12: return cord_world_step(w, 1e-3);
    default: return CORD_ERROR_ARGUMENT;
    }
}
enum { GROWING_CALLS = 13 };

static void growing_allocations_fail(void **by)
{
    failing_allocator_calls(*by, call_growing, GROWING_CALLS, 100);
}

static void sliding_allocations_fail(void **by)
{
    failing_allocator_calls(*by, call_sliding, SLIDING_CALLS, 50);
}

static void every_allocation_fails_once(void **by)
{
    failing_allocator_calls(*by, call, CALLS, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BY_INTEGRATION(every_allocation_fails_once, "implicit", TR_BDF2),
        BY_INTEGRATION(every_allocation_fails_once, "midpoint", MIDPOINT),
        BY_INTEGRATION(sliding_allocations_fail, "implicit", TR_BDF2),
        BY_INTEGRATION(growing_allocations_fail, "implicit", TR_BDF2),
        BY_INTEGRATION(growing_allocations_fail, "midpoint", MIDPOINT),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
