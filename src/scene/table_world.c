/* Keys of scenes: the world, the wind, the run. */
#include "math/range.h"
#include "math/vec3.h"
#include "scene/schedules.h"
#include "scene/tables.h"
#include "solve/integrator.h"

#include <stddef.h>

/* ---- world and wind ----------------------------------------------------------------------- */

#define CHOICE(name, value, text) {name, value, text},
static const choice integrators[] = {INTEGRATOR_LIST(CHOICE){NULL, 0, NULL}};
static const choice schemes[] = {SCHEME_LIST(CHOICE){NULL, 0, NULL}};
#undef CHOICE

static bool finish_world(reader *r, void *item)
{
    world_data *w = item;
    if (w->gravity_keys.count == 0) return true;
    for (int k = 0; k < 3; k++) w->gravity[k] = 0;
    return cord__refuse(r, w->at, "gravity", "or gravity_keys: either, not both") &&
           cord__ascending(r, &w->gravity_keys, sizeof(drive_key));
}

static const field world_fields[] = {
    {"gravity", FIELD_VECTOR, offsetof(world_data, gravity), false, "[0, 0, -9.81]", "m/s^2",
     LIMIT_NONE, NULL, "the acceleration of free fall"},
    {"gravity_keys", FIELD_LIST, offsetof(world_data, gravity_keys), false, NULL, NULL, LIMIT_NONE,
     &cord__gravity_key_map, "the same as a function of time"},
    EASE_FIELD(world_data, ease),
    {"integrator", FIELD_CHOICE, offsetof(world_data, integrator), false, "implicit", NULL,
     LIMIT_NONE, integrators, "the method of time integration"},
    {"scheme", FIELD_CHOICE, offsetof(world_data, scheme), false, "tr-bdf2", NULL, LIMIT_NONE,
     schemes, "which implicit method"},
    {"tolerance", FIELD_NUMBER, offsetof(world_data, tolerance), false, "1e-7", "", LIMIT_POSITIVE,
     NULL, "the error that Newton's iteration may leave, as a fraction of an element's length"},
    {"length_tolerance", FIELD_NUMBER, offsetof(world_data, length_tolerance), false, "1e-6", "",
     LIMIT_POSITIVE, NULL, "symplectic: largest relative error of a squared edge length"},
    {"adaptive", FIELD_NUMBER, offsetof(world_data, velocity_change), false, "0", "",
     LIMIT_NOT_NEGATIVE, NULL,
     "a step in which velocities change by more than this (each in its unknown's unit) is halved; "
     "0: off"},
    {"batches", FIELD_BOOL, offsetof(world_data, batches), false, "yes", NULL, LIMIT_NONE, NULL,
     "strands of equal shape are stepped together; it changes the last bits"},
};
const mapping cord__world_map = {"world",      "gravity and the method",  sizeof(world_data),
                                 world_fields, FIELD_COUNT(world_fields), finish_world};

static const field gust_fields[] = {
    {"amplitude", FIELD_NUMBER, offsetof(gust_data, amplitude), true, NULL, "", LIMIT_NOT_NEGATIVE,
     NULL, "fraction of the wind that is modulated"},
    {"frequency", FIELD_NUMBER, offsetof(gust_data, frequency), true, NULL, "Hz",
     LIMIT_NOT_NEGATIVE, NULL, "the frequency"},
    {"wavevector", FIELD_VECTOR, offsetof(gust_data, wavevector), false, "[0, 0, 0]", "1/m",
     LIMIT_NONE, NULL, "waves per metre, along their direction of propagation"},
};
static const mapping gust_map = {"gust",      "periodic modulation of the wind", sizeof(gust_data),
                                 gust_fields, FIELD_COUNT(gust_fields),          NULL};

static bool finish_vortex(reader *r, void *item)
{
    const vortex_data *v = item;
    return cord__nonzero(r, v->at, "axis", v->axis);
}

static const field vortex_fields[] = {
    {"center", FIELD_VECTOR, offsetof(vortex_data, center), true, NULL, "m", LIMIT_NONE, NULL,
     "a point of its axis at the start"},
    {"axis", FIELD_VECTOR, offsetof(vortex_data, axis), false, "[0, 0, 1]", "", LIMIT_NONE, NULL,
     "the axis of its rotation"},
    {"velocity", FIELD_VECTOR, offsetof(vortex_data, velocity), false, "[0, 0, 0]", "m/s",
     LIMIT_NONE, NULL, "how the centre drifts"},
    {"circulation", FIELD_NUMBER, offsetof(vortex_data, circulation), true, NULL, "m^2/s",
     LIMIT_NONE, NULL, "its strength"},
    {"core", FIELD_NUMBER, offsetof(vortex_data, core), true, NULL, "m", LIMIT_POSITIVE, NULL,
     "the radius inside which the air rotates as a rigid body"},
};
static const mapping vortex_map = {
    "vortex",     "a line vortex", sizeof(vortex_data), vortex_fields, FIELD_COUNT(vortex_fields),
    finish_vortex};

static const field wind_fields[] = {
    {"velocity", FIELD_VECTOR, offsetof(wind_data, velocity), false, "[0, 0, 0]", "m/s", LIMIT_NONE,
     NULL, "the uniform wind"},
    {"gust", FIELD_MAP, offsetof(wind_data, gust), false, NULL, NULL, LIMIT_NONE, &gust_map,
     "its periodic modulation"},
    {"vortices", FIELD_LIST, offsetof(wind_data, vortices), false, NULL, NULL, LIMIT_NONE,
     &vortex_map, "line vortices on top"},
};
const mapping cord__wind_map = {"wind",
                                "moving air; strands feel it through their drag",
                                sizeof(wind_data),
                                wind_fields,
                                FIELD_COUNT(wind_fields),
                                NULL};

/* ---- run ---------------------------------------------------------------------------------- */

static const choice starts[] = {
    {"as-drawn", START_AS_DRAWN, "from the initial shapes"},
    {"equilibrium", START_EQUILIBRIUM,
     "from an equilibrium that they reach by descent of the energy: a stable one, unless they are "
     "themselves an unstable one and there is no kick"},
    {"nearest-equilibrium", START_NEAREST_EQUILIBRIUM,
     "from the equilibrium nearest to them, stable or not: the saddle beside which they are, say"},
    {NULL, 0, NULL},
};
static const field run_fields[] = {
    {"until", FIELD_NUMBER, offsetof(run_data, until), false, "1 s", "s", LIMIT_NOT_NEGATIVE, NULL,
     "how much time to simulate; 0 with start: equilibrium is statics alone"},
    {"dt", FIELD_NUMBER, offsetof(run_data, dt), false, "1 ms", "s", LIMIT_POSITIVE, NULL,
     "the time step"},
    {"frames", FIELD_NUMBER, offsetof(run_data, frames), false, "60 Hz", "Hz", LIMIT_POSITIVE, NULL,
     "how often results are recorded; the nearest whole number of steps apart"},
    {"start", FIELD_CHOICE, offsetof(run_data, start), false, "as-drawn", NULL, LIMIT_NONE, starts,
     "the initial state"},
    {"kick", FIELD_NUMBER, offsetof(run_data, kick), false, "0 m", "m", LIMIT_NOT_NEGATIVE, NULL,
     "start: equilibrium leaves unstable equilibria along their modes, by at least this much"},
    {"outputs", FIELD_TEXT, offsetof(run_data, outputs), false, NULL, NULL, LIMIT_NONE, NULL,
     "the formats of the results, as in hdf5,html; all there are when it is left out"},
};
/* A limit far above the steps of any practical run, and far below the range of a counter. */
static bool finish_run(reader *r, void *item)
{
    const run_data *d = item;
    if (d->dt < SHORTEST_STEP) {
        cord__diagnose(r->errors, cord__node_key_mark(d->at, "dt"),
                       "dt is %g s; the shortest step is %g s", d->dt, SHORTEST_STEP);
        return false;
    }
    if (d->until / d->dt <= 1e12) return true;
    cord__diagnose(r->errors, d->at->at, "%g s in steps of %g s are %.3g steps; the most is 1e12",
                   d->until, d->dt, d->until / d->dt);
    return false;
}

const mapping cord__run_map = {"run",      "how long, how fine, from where", sizeof(run_data),
                               run_fields, FIELD_COUNT(run_fields),          finish_run};

/* ---- view --------------------------------------------------------------------------------- */

static const choice view_directions[] = {
    {"best", VIEW_BEST, "across the side with most to see"},
    {"front", VIEW_FRONT, "along y"},
    {"side", VIEW_SIDE, "against x"},
    {"top", VIEW_TOP, "against z"},
    {NULL, 0, NULL},
};
static const field view_fields[] = {
    {"from", FIELD_VECTOR, offsetof(view_data, from), false, NULL, "m", LIMIT_NONE, NULL,
     "where the camera is; with `to`"},
    {"to", FIELD_VECTOR, offsetof(view_data, to), false, NULL, "m", LIMIT_NONE, NULL,
     "the point at the centre of the picture"},
    {"direction", FIELD_CHOICE, offsetof(view_data, direction), false, "best", NULL, LIMIT_NONE,
     view_directions, "of a camera that shows every object, instead of `from` and `to`"},
};

static bool finish_view(reader *r, void *item)
{
    const view_data *d = item;
    const node *from = cord__node_get(d->at, "from"), *to = cord__node_get(d->at, "to");
    if (!from && !to) return true;
    const char *wrong = NULL;
    if (!from || !to)
        wrong = "a view has `from` and `to`, or a `direction`";
    else if (cord__node_get(d->at, "direction"))
        wrong = "a view with `from` and `to` has no `direction`";
    else if (v3_distance(d->from, d->to) == 0)
        wrong = "the camera is where it looks at: `from` and `to` are equal";
    if (!wrong) return true;
    cord__diagnose(r->errors, d->at->at, "%s", wrong);
    return false;
}

void cord__view_direction(int direction, double along[3])
{
    static const double directions[][3] = {
        [VIEW_FRONT] = {0, 1, -0.12}, [VIEW_SIDE] = {-1, 0, -0.12}, [VIEW_TOP] = {0, 0, -1}};
    v3_copy(along, directions[direction]);
}

const mapping cord__view_map = {
    "view", "the camera", sizeof(view_data), view_fields, FIELD_COUNT(view_fields), finish_view};
