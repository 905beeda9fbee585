/* The scene format, version 1: every mapping, every key. */
#include "scene/expand.h"
#include "scene/include.h"
#include "scene/materials.h"
#include "scene/measure.h"
#include "scene/scene_data.h"
#include "scene/sections.h"
#include "scene/solids.h"
#include "scene/variables.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- world and wind ----------------------------------------------------------------------- */

static const choice integrators[] = {
    {"implicit", CORD_IMPLICIT, "Newton on the scheme"},
    {"symplectic", CORD_SYMPLECTIC, "explicit elastic forces, then fast projection"},
    {"midpoint", CORD_MIDPOINT, "keeps energy"},
    {"quasi-static", CORD_QUASI_STATIC, "an equilibrium at the end of every step; no inertia"},
    {NULL, 0, NULL},
};
static const choice schemes[] = {
    {"tr-bdf2", CORD_TR_BDF2, "second order"},
    {"backward-euler", CORD_BACKWARD_EULER, "first order, strongly damping"},
    {"linearised", CORD_LINEARISED, "one solve per step"},
    {"semi-implicit", CORD_SEMI_IMPLICIT,
     "chains: elasticity and damping implicit, the rest explicit, one solve per step"},
    {"semi-implicit-velocity", CORD_SEMI_IMPLICIT_VELOCITY,
     "the same with velocity terms implicit to first order"},
    {NULL, 0, NULL},
};

static const field world_fields[] = {
    {"gravity", FIELD_VECTOR, offsetof(world_data, gravity), false, "[0, 0, -9.81]", "m/s^2",
     LIMIT_NONE, NULL, "the acceleration of free fall"},
    {"integrator", FIELD_CHOICE, offsetof(world_data, integrator), false, "implicit", NULL,
     LIMIT_NONE, integrators, "how time advances"},
    {"scheme", FIELD_CHOICE, offsetof(world_data, scheme), false, "tr-bdf2", NULL, LIMIT_NONE,
     schemes, "which implicit method"},
    {"tolerance", FIELD_NUMBER, offsetof(world_data, tolerance), false, "1e-8", "", LIMIT_POSITIVE,
     NULL, "Newton stops at corrections below this fraction of an element's length"},
    {"length_tolerance", FIELD_NUMBER, offsetof(world_data, length_tolerance), false, "1e-6", "",
     LIMIT_POSITIVE, NULL, "symplectic: largest relative error of a squared edge length"},
    {"adaptive", FIELD_NUMBER, offsetof(world_data, velocity_change), false, "0", "",
     LIMIT_NOT_NEGATIVE, NULL,
     "a step in which velocities change by more than this (each in its unknown's unit) is halved; "
     "0: off"},
};
static const mapping world_map = {"world",      "gravity and the method",  sizeof(world_data),
                                  world_fields, FIELD_COUNT(world_fields), NULL};

static const field gust_fields[] = {
    {"amplitude", FIELD_NUMBER, offsetof(gust_data, amplitude), true, NULL, "", LIMIT_NOT_NEGATIVE,
     NULL, "fraction of the wind that comes and goes"},
    {"frequency", FIELD_NUMBER, offsetof(gust_data, frequency), true, NULL, "Hz",
     LIMIT_NOT_NEGATIVE, NULL, "how often"},
    {"wavevector", FIELD_VECTOR, offsetof(gust_data, wavevector), false, "[0, 0, 0]", "1/m",
     LIMIT_NONE, NULL, "waves per metre, along the way they travel"},
};
static const mapping gust_map = {"gust",      "wind that comes and goes", sizeof(gust_data),
                                 gust_fields, FIELD_COUNT(gust_fields),   NULL};

static bool nonzero(reader *r, const node *at, const char *key, const double *v)
{
    if (isnan(v[0]) || v[0] != 0 || v[1] != 0 || v[2] != 0) return true;
    cord__complain(r->complaints, cord__node_key_mark(at, key), "%s must not be the zero vector",
                   key);
    return false;
}

static bool finish_vortex(reader *r, void *item)
{
    const vortex_data *v = item;
    return nonzero(r, v->at, "axis", v->axis);
}

static const field vortex_fields[] = {
    {"center", FIELD_VECTOR, offsetof(vortex_data, center), true, NULL, "m", LIMIT_NONE, NULL,
     "a point of its axis at the start"},
    {"axis", FIELD_VECTOR, offsetof(vortex_data, axis), false, "[0, 0, 1]", "", LIMIT_NONE, NULL,
     "the air turns about this direction"},
    {"velocity", FIELD_VECTOR, offsetof(vortex_data, velocity), false, "[0, 0, 0]", "m/s",
     LIMIT_NONE, NULL, "how the centre drifts"},
    {"circulation", FIELD_NUMBER, offsetof(vortex_data, circulation), true, NULL, "m^2/s",
     LIMIT_NONE, NULL, "its strength"},
    {"core", FIELD_NUMBER, offsetof(vortex_data, core), true, NULL, "m", LIMIT_POSITIVE, NULL,
     "the radius inside which the air turns as a solid"},
};
static const mapping vortex_map = {
    "vortex",     "a line vortex", sizeof(vortex_data), vortex_fields, FIELD_COUNT(vortex_fields),
    finish_vortex};

static const field wind_fields[] = {
    {"velocity", FIELD_VECTOR, offsetof(wind_data, velocity), false, "[0, 0, 0]", "m/s", LIMIT_NONE,
     NULL, "the uniform wind"},
    {"gust", FIELD_MAP, offsetof(wind_data, gust), false, NULL, NULL, LIMIT_NONE, &gust_map,
     "makes it come and go"},
    {"vortices", FIELD_LIST, offsetof(wind_data, vortices), false, NULL, NULL, LIMIT_NONE,
     &vortex_map, "line vortices on top"},
};
static const mapping wind_map = {"wind",
                                 "moving air; strands feel it through their drag",
                                 sizeof(wind_data),
                                 wind_fields,
                                 FIELD_COUNT(wind_fields),
                                 NULL};

/* ---- run ---------------------------------------------------------------------------------- */

static const choice starts[] = {
    {"as-drawn", START_AS_DRAWN, "from the initial shapes"},
    {"equilibrium", START_EQUILIBRIUM, "from the equilibrium nearest to them"},
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
     "what the run starts from"},
    {"kick", FIELD_NUMBER, offsetof(run_data, kick), false, "0 m", "m", LIMIT_NOT_NEGATIVE, NULL,
     "start: equilibrium leaves unstable equilibria by a push of this size"},
    {"outputs", FIELD_TEXT, offsetof(run_data, outputs), false, NULL, NULL, LIMIT_NONE, NULL,
     "the formats of the results, as in hdf5,html; all there are when it is left out"},
};
/* More steps than anyone waits for, and far fewer than a counter holds. */
static bool finish_run(reader *r, void *item)
{
    const run_data *d = item;
    if (d->until / d->dt <= 1e12) return true;
    cord__complain(r->complaints, d->at->at, "%g s in steps of %g s are too many steps", d->until,
                   d->dt);
    return false;
}

static const mapping run_map = {"run",      "how long, how fine, from where", sizeof(run_data),
                                run_fields, FIELD_COUNT(run_fields),          finish_run};

/* ---- strands ------------------------------------------------------------------------------ */

static const choice stretches[] = {
    {"none", CORD_STRETCH_NONE, "inextensible"},
    {"elastic", CORD_STRETCH_ELASTIC, "with the section's stretching stiffness"},
    {NULL, 0, NULL},
};
static const choice twists[] = {
    {"quasistatic", CORD_TWIST_QUASISTATIC, "always in equilibrium"},
    {"dynamic", CORD_TWIST_DYNAMIC, "with rotary inertia"},
    {NULL, 0, NULL},
};
static const choice curvatures[] = {
    {"tangent", CORD_CURVATURE_TANGENT, "2 tan(angle / 2), as in the 2008 paper"},
    {"sine", CORD_CURVATURE_SINE, "2 sin(angle / 2): more accurate for rods wound into helices"},
    {NULL, 0, NULL},
};
static const choice spline_ends[] = {
    {"clamped", CORD_SPLINE_CLAMPED, "the curve begins and ends at control points"},
    {"free", CORD_SPLINE_FREE, "all basis functions are shifts of one"},
    {NULL, 0, NULL},
};
static const choice kinematics[] = {
    {"midpoint", CORD_KINEMATICS_MIDPOINT, "series about the middle of each part"},
    {"series", CORD_KINEMATICS_SERIES, "the 2013 paper's power series, summed piece by piece"},
    {NULL, 0, NULL},
};
static const name_list models = {"strand model", cord_model_names};

static bool finish_perturb(reader *r, void *item)
{
    const perturb_data *p = item;
    return nonzero(r, p->at, "direction", p->direction);
}

static const field perturb_fields[] = {
    {"amplitude", FIELD_NUMBER, offsetof(perturb_data, amplitude), true, NULL, "m",
     LIMIT_NOT_NEGATIVE, NULL, "the largest displacement, about"},
    {"mode", FIELD_INTEGER, offsetof(perturb_data, mode), false, "0", "", LIMIT_NOT_NEGATIVE, NULL,
     "that many waves along the strand, in one direction; 0: pseudo-random in all"},
    {"direction", FIELD_VECTOR, offsetof(perturb_data, direction), false, NULL, "", LIMIT_NONE,
     NULL, "of the waves; default: out of the plane of the shape"},
    {"seed", FIELD_INTEGER, offsetof(perturb_data, seed), false, "1", "", LIMIT_NOT_NEGATIVE, NULL,
     "chooses the pseudo-random one"},
};
static const mapping perturb_map = {
    "perturb",
    "a small smooth change of the initial shape; first and last edge stay",
    sizeof(perturb_data),
    perturb_fields,
    FIELD_COUNT(perturb_fields),
    finish_perturb};

static bool finish_spin(reader *r, void *item)
{
    const spin_data *s = item;
    return nonzero(r, s->at, "axis", s->axis);
}

static const field spin_fields[] = {
    {"axis", FIELD_VECTOR, offsetof(spin_data, axis), false, "[0, 0, 1]", "", LIMIT_NONE, NULL,
     "it turns about this direction"},
    {"rate", FIELD_NUMBER, offsetof(spin_data, rate), true, NULL, "rad/s", LIMIT_NONE, NULL,
     "how fast"},
    {"center", FIELD_VECTOR, offsetof(spin_data, center), false, "[0, 0, 0]", "m", LIMIT_NONE, NULL,
     "a point of the axis"},
};
static const mapping spin_map = {"spin",      "an initial rotation",    sizeof(spin_data),
                                 spin_fields, FIELD_COUNT(spin_fields), finish_spin};

static bool read_twist(reader *r, const field *f, const node *n, void *target)
{
    twist_value *t = target;
    t->at = n;
    t->with_curve = n->kind == NODE_SCALAR && strcmp(n->text, "with-curve") == 0;
    return t->with_curve || cord__read_number(r, n, f->key, "rad", LIMIT_NONE, &t->total);
}

static const special twist_special = {
    "an angle, or with-curve",
    "{\"anyOf\": [{\"const\": \"with-curve\"}, {\"$ref\": \"#/$defs/quantity\"}]}", read_twist,
    NULL};

static bool finish_strand(reader *r, void *item)
{
    strand_data *s = item;
    const section_ops *section = (const section_ops *)s->section.kind;
    bool good = nonzero(r, s->at, "director", s->director) &&
                nonzero(r, s->at, "natural_director", s->natural_director);
    if (section->needs_material && !s->material) {
        cord__complain(r->complaints, s->at->at, "strand needs \"material\" with a %s section",
                       section->map.name);
        good = false;
    }
    return cord__prepare_strand(r, s) && good;
}

static const field strand_fields[] = {
    {"name", FIELD_TEXT, offsetof(strand_data, name), true, NULL, NULL, LIMIT_NONE, NULL,
     "what others call it, as in rope@end"},
    {"offset", FIELD_VECTOR, offsetof(strand_data, offset), false, "[0, 0, 0]", "m", LIMIT_NONE,
     NULL, "moves the strand as a whole from where its shapes say"},
    {"model", FIELD_NAME, offsetof(strand_data, model), false, CORD_MODEL_DER, NULL, LIMIT_NONE,
     &models, "how it moves"},
    {"shape", FIELD_VARIANT, offsetof(strand_data, shape), false, NULL, NULL, LIMIT_NONE,
     &cord__shapes, "the initial shape; needed, except by chains with curvatures"},
    {"natural", FIELD_VARIANT, offsetof(strand_data, natural), false, NULL, NULL, LIMIT_NONE,
     &cord__shapes, "the shape it has without load; default: the initial shape"},
    {"material", FIELD_PRESET, offsetof(strand_data, material), false, NULL, NULL, LIMIT_NONE,
     &cord__materials, "a name or a mapping; needed unless the section is explicit"},
    {"section", FIELD_VARIANT, offsetof(strand_data, section), true, NULL, NULL, LIMIT_NONE,
     &cord__sections, "the cross-section"},
    {"stretch", FIELD_CHOICE, offsetof(strand_data, stretch), false, "none", NULL, LIMIT_NONE,
     stretches, "whether its length can change"},
    {"twist", FIELD_CHOICE, offsetof(strand_data, twist), false, "quasistatic", NULL, LIMIT_NONE,
     twists, "whether twisting has inertia"},
    {"curvature", FIELD_CHOICE, offsetof(strand_data, curvature), false, "tangent", NULL,
     LIMIT_NONE, curvatures, "how the turning angle at a vertex counts as curvature"},
    {"damping", FIELD_NUMBER, offsetof(strand_data, damping), false, "0 s", "s", LIMIT_NOT_NEGATIVE,
     NULL, "internal: stress is E(strain + damping × strain rate)"},
    {"load", FIELD_VECTOR, offsetof(strand_data, load), false, "[0, 0, 0]", "N/m", LIMIT_NONE, NULL,
     "a dead load spread evenly along it"},
    {"drag", FIELD_NUMBER, offsetof(strand_data, drag), false, "0", "N s/m^2", LIMIT_NOT_NEGATIVE,
     NULL, "force per length and speed relative to the air"},
    {"quadratic_drag", FIELD_NUMBER, offsetof(strand_data, quadratic_drag), false, "0", "N s^2/m^3",
     LIMIT_NOT_NEGATIVE, NULL, "force per length and squared speed"},
    {"initial_twist", FIELD_SPECIAL, offsetof(strand_data, initial_twist), false, NULL, NULL,
     LIMIT_NONE, &twist_special,
     "turns of the last edge's frame against the first's, spread evenly; with-curve keeps the "
     "frame "
     "at a constant angle to the curve's binormal; default: the natural twist"},
    {"natural_twist", FIELD_SPECIAL, offsetof(strand_data, natural_twist), false, NULL, NULL,
     LIMIT_NONE, &twist_special, "likewise, for the natural shape; default: none"},
    {"closing_twist", FIELD_NUMBER, offsetof(strand_data, closing_twist), false, "0 rad", "rad",
     LIMIT_NONE, NULL, "closed shapes: turns put in before the ends are joined"},
    {"director", FIELD_VECTOR, offsetof(strand_data, director), false, NULL, "", LIMIT_NONE, NULL,
     "first director of the first edge (its part normal to the edge)"},
    {"natural_director", FIELD_VECTOR, offsetof(strand_data, natural_director), false, NULL, "",
     LIMIT_NONE, NULL, "likewise, for the natural shape; default: the same as director"},
    {"perturb", FIELD_MAP, offsetof(strand_data, perturb), false, NULL, NULL, LIMIT_NONE,
     &perturb_map, "a small change of the initial shape"},
    {"velocity", FIELD_VECTOR, offsetof(strand_data, velocity), false, "[0, 0, 0]", "m/s",
     LIMIT_NONE, NULL, "initial velocity, the same everywhere"},
    {"spin", FIELD_MAP, offsetof(strand_data, spin), false, NULL, NULL, LIMIT_NONE, &spin_map,
     "initial rotation, added to it"},
    {"colour", FIELD_SPECIAL, offsetof(strand_data, colour), false, NULL, NULL, LIMIT_NONE,
     &cord__colour_special, "in pictures; default: another one for each strand"},
    {"elements", FIELD_INTEGER, offsetof(strand_data, chain.elements), false, NULL, "",
     LIMIT_ELEMENTS, NULL,
     "chains: how many; default: as lengths or curvatures have, or 8 (or the edges of the shape, "
     "if "
     "they are fewer)"},
    {"length", FIELD_NUMBER, offsetof(strand_data, chain.total), false, NULL, "m", LIMIT_POSITIVE,
     NULL, "chains: in all; default: from lengths or the shape"},
    {"lengths", FIELD_NUMBERS, offsetof(strand_data, chain.lengths), false, NULL, "m",
     LIMIT_POSITIVE, &cord__element_range, "chains: of each element; default: all the same"},
    {"curvatures", FIELD_SPECIAL, offsetof(strand_data, chain.curvatures), false, NULL, "1/m",
     LIMIT_NONE, &cord__curvatures_special,
     "chains, instead of a shape: [about the first director, about the second, twist] at each node "
     "(clothoid) or of each element; one for all; of a clothoid, two: affine between the ends; "
     "when "
     "planar, numbers"},
    {"natural_curvatures", FIELD_SPECIAL, offsetof(strand_data, chain.natural_curvatures), false,
     NULL, "1/m", LIMIT_NONE, &cord__curvatures_special,
     "chains, instead of a natural shape: likewise, or at the start and the end of each element; "
     "default: the initial ones"},
    {"rest", FIELD_SPECIAL, offsetof(strand_data, rest), false, NULL, NULL, LIMIT_NONE,
     &cord__rest_special,
     "chains, instead of a natural shape: found such that the strand is at rest as drawn, under "
     "gravity and loads"},
    {"base", FIELD_MAP, offsetof(strand_data, chain.base), false, NULL, NULL, LIMIT_NONE,
     &cord__base_map, "chains with curvatures: where they begin; default: at the origin, along x"},
    {"samples", FIELD_INTEGER, offsetof(strand_data, chain.samples), false, NULL, "",
     LIMIT_VERTICES, NULL,
     "chains with curvatures: the vertices at which they are shown; default: 8 per element, and "
     "one"},
    {"planar", FIELD_BOOL, offsetof(strand_data, chain.planar), false, "no", NULL, LIMIT_NONE, NULL,
     "chains: bends in the plane of tangent and first director only, and does not twist"},
    {"base_damping", FIELD_NUMBER, offsetof(strand_data, chain.base_damping), false, "0", "N m s",
     LIMIT_NOT_NEGATIVE, NULL, "chains: resists the turning of a start that is free to turn"},
    {"kinematics", FIELD_CHOICE, offsetof(strand_data, chain.kinematics), false, "midpoint", NULL,
     LIMIT_NONE, kinematics, "chains: how frames are integrated along elements"},
    {"control_points", FIELD_INTEGER, offsetof(strand_data, control_points), false, NULL, "",
     LIMIT_COUNT, NULL,
     "splines: how many, at least 4 (closed 5); default: two more than vertices (closed as many), "
     "a "
     "span for every edge"},
    {"ends", FIELD_CHOICE, offsetof(strand_data, spline_ends), false, "clamped", NULL, LIMIT_NONE,
     spline_ends, "splines: the ends of the basis, where the strand has ends"},
};
static const mapping strand_map = {"strand",      "a thing long and thin",    sizeof(strand_data),
                                   strand_fields, FIELD_COUNT(strand_fields), finish_strand};

/* ---- keys --------------------------------------------------------------------------------- */

static const choice eases[] = {
    {"smooth", CORD_EASE_SMOOTH, "at rest at every key"},
    {"linear", CORD_EASE_LINEAR, "straight between keys"},
    {NULL, 0, NULL},
};

#define TIME_FIELD(type)                                                                           \
    {                                                                                              \
        "t", FIELD_NUMBER, offsetof(type, t), true, NULL, "s", LIMIT_NONE, NULL, "when"            \
    }
#define EASE_FIELD(type, member)                                                                   \
    {                                                                                              \
        "ease", FIELD_CHOICE, offsetof(type, member), false, "smooth", NULL, LIMIT_NONE, eases,    \
            "how it goes from key to key"                                                          \
    }

static const field motion_fields[] = {
    TIME_FIELD(motion_key),
    {"by", FIELD_VECTOR, offsetof(motion_key, by), true, NULL, "m", LIMIT_NONE, NULL,
     "displacement from where it was drawn"},
};
static const mapping motion_map = {"motion",      "a key of a motion",        sizeof(motion_key),
                                   motion_fields, FIELD_COUNT(motion_fields), NULL};

static bool finish_rotation(reader *r, void *item)
{
    const rotation_key *k = item;
    return nonzero(r, k->at, "axis", k->axis);
}

static const field rotation_fields[] = {
    TIME_FIELD(rotation_key),
    {"axis", FIELD_VECTOR, offsetof(rotation_key, axis), true, NULL, "", LIMIT_NONE, NULL,
     "about which it is turned"},
    {"angle", FIELD_NUMBER, offsetof(rotation_key, angle), true, NULL, "rad", LIMIT_NONE, NULL,
     "by how much, whole turns included"},
};
static const mapping rotation_map = {
    "rotation",      "a key of a rotation",        sizeof(rotation_key),
    rotation_fields, FIELD_COUNT(rotation_fields), finish_rotation};

static bool finish_orbit(reader *r, void *item)
{
    const orbit_data *o = item;
    return nonzero(r, o->at, "axis", o->axis);
}

static const field orbit_fields[] = {
    {"radius", FIELD_NUMBER, offsetof(orbit_data, radius), true, NULL, "m", LIMIT_POSITIVE, NULL,
     "of the circle about where it was drawn"},
    {"period", FIELD_NUMBER, offsetof(orbit_data, period), true, NULL, "s", LIMIT_POSITIVE, NULL,
     "time for one turn"},
    {"turns", FIELD_INTEGER, offsetof(orbit_data, turns), true, NULL, "", LIMIT_ORBIT, NULL,
     "how many, from the start on"},
    {"axis", FIELD_VECTOR, offsetof(orbit_data, axis), false, "[0, 0, 1]", "", LIMIT_NONE, NULL,
     "it goes round this direction"},
    {"ramp", FIELD_NUMBER, offsetof(orbit_data, ramp), false, "1 s", "s", LIMIT_POSITIVE, NULL,
     "time in which the circle grows to its radius"},
};
static const mapping orbit_map = {"orbit",      "going round in a circle", sizeof(orbit_data),
                                  orbit_fields, FIELD_COUNT(orbit_fields), finish_orbit};

#define SCRIPT_FIELDS(type)                                                                        \
    {"motion",   FIELD_LIST,  offsetof(type, script.motion), false, NULL, NULL,                    \
     LIMIT_NONE, &motion_map, "where it goes: keys {t, by}"},                                      \
        {"orbit",    FIELD_MAP,  offsetof(type, script.orbit), false, NULL, NULL,                  \
         LIMIT_NONE, &orbit_map, "or round in a circle"},                                          \
        {"rotation", FIELD_LIST,    offsetof(type, script.rotation),                               \
         false,      NULL,          NULL,                                                          \
         LIMIT_NONE, &rotation_map, "how it turns about itself: keys {t, axis, angle}"},           \
        EASE_FIELD(type, script.ease)

static const count_range drive_widths = {1, 6}, three_values = {3, 3};

static const field drive_fields[] = {
    TIME_FIELD(drive_key),
    {"value", FIELD_NUMBERS, offsetof(drive_key, value), true, NULL, NULL, LIMIT_NONE,
     &drive_widths, "one number per row of the relation"},
};
static const mapping drive_map = {"drive",      "a key of a drive",        sizeof(drive_key),
                                  drive_fields, FIELD_COUNT(drive_fields), NULL};

static const field load_key_fields[] = {
    TIME_FIELD(drive_key),
    {"force", FIELD_NUMBERS, offsetof(drive_key, value), true, NULL, "N", LIMIT_NONE, &three_values,
     "added to the load's force"},
};
static const mapping load_key_map = {
    "keys", "a key of a load", sizeof(drive_key), load_key_fields, FIELD_COUNT(load_key_fields),
    NULL};

/* Every key's struct begins with its node and its time. */
typedef struct any_key {
    const node *at;
    double t;
} any_key;

static bool ascending(reader *r, const item_list *list, size_t size)
{
    for (int i = 1; i < list->count; i++) {
        const any_key *last = (const any_key *)((const char *)list->items + (size_t)(i - 1) * size);
        const any_key *now = (const any_key *)((const char *)list->items + (size_t)i * size);
        if (now->t > last->t) continue;
        cord__complain(r->complaints, now->at->at, "keys must come in the order of their times");
        return false;
    }
    return true;
}

static bool check_script(reader *r, const script_data *s)
{
    if (s->orbit && s->motion.count > 0) {
        cord__complain(r->complaints, s->orbit->at->at, "either motion or orbit, not both");
        return false;
    }
    return ascending(r, &s->motion, sizeof(motion_key)) &&
           ascending(r, &s->rotation, sizeof(rotation_key));
}

/* ---- bodies ------------------------------------------------------------------------------- */

static bool finish_turn(reader *r, void *item)
{
    const turn_data *t = item;
    return nonzero(r, t->at, "axis", t->axis);
}

static const field turn_fields[] = {
    {"axis", FIELD_VECTOR, offsetof(turn_data, axis), true, NULL, "", LIMIT_NONE, NULL,
     "about which it is turned"},
    {"angle", FIELD_NUMBER, offsetof(turn_data, angle), true, NULL, "rad", LIMIT_NONE, NULL,
     "by how much"},
};
static const mapping turn_map = {"rotation",  "a turn about an axis",   sizeof(turn_data),
                                 turn_fields, FIELD_COUNT(turn_fields), finish_turn};

static const field held_fields[] = {SCRIPT_FIELDS(held_data)};
static const mapping held_map = {"held",      "how what holds it moves", sizeof(held_data),
                                 held_fields, FIELD_COUNT(held_fields),  NULL};

static bool read_held(reader *r, const field *f, const node *n, void *target)
{
    static const char *const yes[] = {"yes", "true", "on"}, *const no[] = {"no", "false", "off"};
    held_data *h = target;
    h->at = n;
    if (n->kind == NODE_MAP)
        return cord__read_mapping(r, &held_map, n, h) && check_script(r, &h->script);
    for (int i = 0; n->kind == NODE_SCALAR && i < 3; i++) {
        if (strcmp(n->text, yes[i]) == 0) return true;
        if (strcmp(n->text, no[i]) != 0) continue;
        h->at = NULL;
        return true;
    }
    cord__complain(r->complaints, n->at,
                   "%s: expected yes, no, or a mapping with motion, orbit or "
                   "rotation",
                   f->key);
    return false;
}

static const special held_special = {
    "yes, no or a mapping, below",
    "{\"enum\": [true, false, \"yes\", \"no\", \"true\", \"false\", \"on\", \"off\"]}", read_held,
    &held_map};

static const count_range inertia_numbers = {3, 6};

static bool body_wrong(reader *r, const body_data *b, const char *key, const char *what)
{
    cord__complain(r->complaints, key ? cord__node_key_mark(b->at, key) : b->at->at, "%s", what);
    return false;
}

static bool finish_body(reader *r, void *item)
{
    body_data *b = item;
    bool given = !isnan(b->mass), inertia = b->inertia.count > 0;
    for (int k = 0; k < 3; k++) b->position[k] += b->offset[k];
    if (given && cord__node_get(b->at, "density"))
        return body_wrong(r, b, "density", "either mass or density, not both");
    if (inertia && !given) return body_wrong(r, b, "inertia", "an inertia needs a mass");
    if (!isnan(b->center[0]) && !inertia)
        return body_wrong(r, b, "center", "a center needs an inertia, which is about it");
    if (inertia && b->inertia.count != 3 && b->inertia.count != 6)
        return body_wrong(r, b, "inertia",
                          "inertia has 3 numbers (xx, yy, zz) or 6 (then xy, xz, "
                          "yz)");
    if (!b->shape.kind && !inertia)
        return body_wrong(r, b, NULL, "a body needs a shape, or a mass and an inertia");
    return true;
}

static const field body_fields[] = {
    {"name", FIELD_TEXT, offsetof(body_data, name), true, NULL, NULL, LIMIT_NONE, NULL,
     "what others call it"},
    {"shape", FIELD_VARIANT, offsetof(body_data, shape), false, NULL, NULL, LIMIT_NONE,
     &cord__solids,
     "what it is made of and seen as, in its own axes; needed unless inertia is "
     "given"},
    {"density", FIELD_NUMBER, offsetof(body_data, density), false, "1000 kg/m^3", "kg/m^3",
     LIMIT_POSITIVE, NULL, "of the shape"},
    {"mass", FIELD_NUMBER, offsetof(body_data, mass), false, NULL, "kg", LIMIT_POSITIVE, NULL,
     "instead of a density"},
    {"inertia", FIELD_NUMBERS, offsetof(body_data, inertia), false, NULL, "kg m^2", LIMIT_NONE,
     &inertia_numbers,
     "with a mass, instead of the shape's: xx, yy, zz (xy, xz, yz) in its own "
     "axes, about its center"},
    {"center", FIELD_VECTOR, offsetof(body_data, center), false, NULL, "m", LIMIT_NONE, NULL,
     "with an inertia: the center of mass, in its own axes; default: their origin"},
    {"position", FIELD_VECTOR, offsetof(body_data, position), false, "[0, 0, 0]", "m", LIMIT_NONE,
     NULL, "where the origin of its own axes is"},
    {"offset", FIELD_VECTOR, offsetof(body_data, offset), false, "[0, 0, 0]", "m", LIMIT_NONE, NULL,
     "added to it"},
    {"rotation", FIELD_MAP, offsetof(body_data, rotation), false, NULL, NULL, LIMIT_NONE, &turn_map,
     "how its axes are turned against the world's"},
    {"velocity", FIELD_VECTOR, offsetof(body_data, velocity), false, "[0, 0, 0]", "m/s", LIMIT_NONE,
     NULL, "initial velocity of its center of mass"},
    {"angular_velocity", FIELD_VECTOR, offsetof(body_data, angular_velocity), false, "[0, 0, 0]",
     "rad/s", LIMIT_NONE, NULL, "how it turns at first, about the world's axes"},
    {"drag", FIELD_NUMBER, offsetof(body_data, drag), false, "0", "N s/m", LIMIT_NOT_NEGATIVE, NULL,
     "force per speed relative to the air"},
    {"angular_drag", FIELD_NUMBER, offsetof(body_data, angular_drag), false, "0", "N m s",
     LIMIT_NOT_NEGATIVE, NULL, "torque per angular velocity"},
    {"held", FIELD_SPECIAL, offsetof(body_data, held), false, NULL, NULL, LIMIT_NONE, &held_special,
     "whether it stays where it is, or goes along a script; default: no"},
    {"colour", FIELD_SPECIAL, offsetof(body_data, colour), false, NULL, NULL, LIMIT_NONE,
     &cord__colour_special, "in pictures; default: another one for each body"},
};
static const mapping body_map = {"body",      "something rigid",        sizeof(body_data),
                                 body_fields, FIELD_COUNT(body_fields), finish_body};

/* ---- points, clamps, relations, loads ----------------------------------------------------- */

static bool refuse(reader *r, const node *at, const char *key, const char *why)
{
    if (!cord__node_get(at, key)) return true;
    cord__complain(r->complaints, cord__node_key_mark(at, key), "%s: %s", key, why);
    return false;
}

static bool finish_point(reader *r, void *item)
{
    point_data *p = item;
    bool in_world = p->where.kind == PLACE_WORLD, good = true;
    if (p->where.kind == PLACE_NAME) {
        cord__complain(
            r->complaints, p->where.at->at,
            "a point is [x, y, z], on a strand (rope@start, rope@40%% or rope@0.12 m), or on a "
            "body: {body: bob}");
        return false;
    }
    static const char *const moves[] = {"motion", "orbit", "rotation", "ease"}, *const slides[] = {
                                                                                    "friction",
                                                                                    "end"};
    for (size_t i = 0; !in_world && i < sizeof moves / sizeof *moves; i++)
        good = refuse(r, p->at, moves[i], "only points in the world go by a script") && good;
    if ((in_world || p->where.kind == PLACE_BODY) && p->sliding)
        good = refuse(r, p->at, "sliding", "only points on strands slide") && good;
    for (size_t i = 0; !p->sliding && i < sizeof slides / sizeof *slides; i++)
        good = refuse(r, p->at, slides[i], "is for points with sliding: yes") && good;
    for (int k = 0; in_world && k < 3; k++) p->where.x[k] += p->offset[k];
    return check_script(r, &p->script) && good;
}

static const choice ends[] = {
    {"stop", CORD_END_STOP, "it goes no further"},
    {"release", CORD_END_RELEASE, "it slips off, and relations and loads on it end"},
    {NULL, 0, NULL},
};

static const field point_fields[] = {
    {"name", FIELD_TEXT, offsetof(point_data, name), true, NULL, NULL, LIMIT_NONE, NULL,
     "what others call it"},
    {"at", FIELD_SPECIAL, offsetof(point_data, where), true, NULL, NULL, LIMIT_NONE,
     &cord__place_special, "where it is: [x, y, z], or a place on a strand or a body"},
    {"offset", FIELD_VECTOR, offsetof(point_data, offset), false, "[0, 0, 0]", "m", LIMIT_NONE,
     NULL, "added to it, in the world"},
    {"sliding", FIELD_BOOL, offsetof(point_data, sliding), false, "no", NULL, LIMIT_NONE, NULL,
     "on a strand: whether it may move along"},
    {"friction", FIELD_NUMBER, offsetof(point_data, friction), false, "0", "N s/m",
     LIMIT_NOT_NEGATIVE, NULL, "sliding: force against the rate"},
    {"end", FIELD_CHOICE, offsetof(point_data, end), false, "stop", NULL, LIMIT_NONE, ends,
     "sliding: what becomes of it at an end of the strand"},
    SCRIPT_FIELDS(point_data),
};
static const mapping point_map = {"point",
                                  "a place in the world, still or moving, or on a strand or a body",
                                  sizeof(point_data),
                                  point_fields,
                                  FIELD_COUNT(point_fields),
                                  finish_point};

static bool finish_clamp(reader *r, void *item)
{
    const clamp_data *c = item;
    bool on_strand = c->where.kind == PLACE_STRAND_FRACTION || c->where.kind == PLACE_STRAND_LENGTH;
    if (!on_strand) {
        cord__complain(r->complaints, c->where.at->at,
                       c->where.kind == PLACE_BODY
                           ? "a clamp is on a strand; a body is kept by its own \"held: yes\""
                           : "a clamp is on a strand: write rope@start, rope@40%% or rope@0.12 m");
    }
    if (!c->frame && c->script.rotation.count > 0) {
        cord__complain(r->complaints, c->at->at, "a clamp with frame: no cannot turn the strand");
        return false;
    }
    return check_script(r, &c->script) && on_strand;
}

static const field clamp_fields[] = {
    {"name", FIELD_TEXT, offsetof(clamp_data, name), false, NULL, NULL, LIMIT_NONE, NULL,
     "for probes"},
    {"at", FIELD_SPECIAL, offsetof(clamp_data, where), true, NULL, NULL, LIMIT_NONE,
     &cord__place_special, "where it holds the strand"},
    {"frame", FIELD_BOOL, offsetof(clamp_data, frame), false, "yes", NULL, LIMIT_NONE, NULL,
     "no: holds the place only, and lets the strand turn"},
    SCRIPT_FIELDS(clamp_data),
};
static const mapping clamp_map = {
    "clamp",      "holds a strand where it is drawn", sizeof(clamp_data),
    clamp_fields, FIELD_COUNT(clamp_fields),          finish_clamp};

static const choice sides[] = {
    {"equal", CORD_EQUAL, "held both ways"},
    {"at-least", CORD_AT_LEAST, "may grow"},
    {"at-most", CORD_AT_MOST, "may shrink"},
    {NULL, 0, NULL},
};
static const name_list relations = {"relation", cord_relation_names};

/* What a relation's rows are in, which decides the units of drive and compliance. A kind that is not
 * listed takes any. */
static const struct {
    const char *kind, *row, *compliance;
} row_units[] = {
    {CORD_COINCIDE, "m", "m/N"}, {CORD_PLANE, "m", "m/N"},       {CORD_AXIS, "m", "m/N"},
    {CORD_DISTANCE, "m", "m/N"}, {CORD_ALIGN, "rad", "rad/J"},   {CORD_CURVATURE, "1/m", NULL},
    {CORD_PARALLEL, "", NULL},   {CORD_PERPENDICULAR, "", NULL}, {CORD_ANGLE, "rad", "rad/J"},
    {CORD_SLIDE, "m", "m/N"},
};

static bool check_units(reader *r, const node *n, const char *key, const char *unit)
{
    double ignored;
    bool good = true, list = n && n->kind == NODE_LIST;
    for (int i = 0; n && i < (list ? n->count : 1); i++) {
        const node *one = list ? n->items[i] : n;
        good = cord__read_number(r, one, key, unit, LIMIT_NONE, &ignored) && good;
    }
    return good;
}

static bool check_row_units(reader *r, const relation_data *d)
{
    bool good = true;
    for (size_t k = 0; k < sizeof row_units / sizeof row_units[0]; k++) {
        if (strcmp(row_units[k].kind, d->kind) != 0) continue;
        const node *given = cord__node_get(d->at, "compliance");
        good = check_units(r, given, "compliance", row_units[k].compliance);
        for (int i = 0; i < d->drive.count; i++) {
            const node *value = cord__node_get(ITEM(d->drive, drive_key, i)->at, "value");
            good = check_units(r, value, "value", row_units[k].row) && good;
        }
    }
    return good;
}

static bool finish_relation(reader *r, void *item)
{
    const relation_data *d = item;
    if (!check_row_units(r, d)) return false;
    const node *wanted = cord__node_get(d->at, "curvature");
    if (wanted && strcmp(d->kind, CORD_CURVATURE) != 0) {
        cord__complain(r->complaints, wanted->at, "curvature is for relations of kind curvature");
        return false;
    }
    for (int i = 1; i < d->drive.count; i++) {
        const drive_key *first = ITEM(d->drive, drive_key, 0), *key = ITEM(d->drive, drive_key, i);
        if (key->value.count == first->value.count) continue;
        cord__complain(r->complaints, key->at->at, "every key of a drive has as many values");
        return false;
    }
    return nonzero(r, d->at, "direction", d->direction) &&
           ascending(r, &d->drive, sizeof(drive_key));
}

static const field relation_fields[] = {
    {"name", FIELD_TEXT, offsetof(relation_data, name), false, NULL, NULL, LIMIT_NONE, NULL,
     "for messages and probes"},
    {"kind", FIELD_NAME, offsetof(relation_data, kind), true, NULL, NULL, LIMIT_NONE, &relations,
     "what holds"},
    {"first", FIELD_SPECIAL, offsetof(relation_data, first), true, NULL, NULL, LIMIT_NONE,
     &cord__place_special, "a place on something that moves"},
    {"second", FIELD_SPECIAL, offsetof(relation_data, second), false, NULL, NULL, LIMIT_NONE,
     &cord__place_special, "what it is held to; default: the origin"},
    {"direction", FIELD_VECTOR, offsetof(relation_data, direction), false, "[0, 0, 1]", "",
     LIMIT_NONE, NULL,
     "a plane's normal, an axis, a direction to compare with, in the frame of the second"},
    {"first_direction", FIELD_VECTOR, offsetof(relation_data, first_direction), false, NULL, "",
     LIMIT_NONE, NULL, "parallel, perpendicular: in the frame of the first; parallel: as drawn"},
    {"curvature", FIELD_VECTOR, offsetof(relation_data, curvature), false, "[0, 0, 0]", "1/m",
     LIMIT_NONE, NULL,
     "what a curvature relation wants: about the first director, the second, twist"},
    {"length", FIELD_NUMBER, offsetof(relation_data, length), false, NULL, "m", LIMIT_NOT_NEGATIVE,
     NULL, "a distance to keep, or of slide a difference of coordinates; default: as drawn"},
    {"release_at", FIELD_NUMBER, offsetof(relation_data, release_time), false, NULL, "s",
     LIMIT_NOT_NEGATIVE, NULL, "it lets go at this time; default: never"},
    {"release_force", FIELD_NUMBER, offsetof(relation_data, release_force), false, NULL, "N",
     LIMIT_NOT_NEGATIVE, NULL,
     "it lets go when its force (or torque, N m) is greater; default: never"},
    {"release_distance", FIELD_NUMBER, offsetof(relation_data, release_distance), false, NULL, "m",
     LIMIT_NOT_NEGATIVE, NULL, "it lets go when its places are farther apart; default: never"},
    {"attach_at", FIELD_NUMBER, offsetof(relation_data, attach_time), false, NULL, "s",
     LIMIT_NOT_NEGATIVE, NULL, "it begins let go, and takes hold at this time"},
    {"attach_distance", FIELD_NUMBER, offsetof(relation_data, attach_distance), false, NULL, "m",
     LIMIT_NOT_NEGATIVE, NULL, "it begins let go, and takes hold when its places are nearer"},
    {"compliance", FIELD_NUMBER, offsetof(relation_data, compliance), false, "0", NULL,
     LIMIT_NOT_NEGATIVE, NULL, "how far it gives per force, m/N or rad/(N m); 0: not at all"},
    {"damping", FIELD_NUMBER, offsetof(relation_data, damping), false, "0 s", "s",
     LIMIT_NOT_NEGATIVE, NULL, "of a compliant relation"},
    {"side", FIELD_CHOICE, offsetof(relation_data, side), false, "equal", NULL, LIMIT_NONE, sides,
     "whether it holds one way only"},
    {"drive", FIELD_LIST, offsetof(relation_data, drive), false, NULL, NULL, LIMIT_NONE, &drive_map,
     "how what is held changes: keys {t, value}"},
    EASE_FIELD(relation_data, ease),
};
static const mapping relation_map = {
    "relation",      "something that holds",       sizeof(relation_data),
    relation_fields, FIELD_COUNT(relation_fields), finish_relation};

static bool finish_load(reader *r, void *item)
{
    return ascending(r, &((load_data *)item)->keys, sizeof(drive_key));
}

static const field load_fields[] = {
    {"at", FIELD_SPECIAL, offsetof(load_data, where), true, NULL, NULL, LIMIT_NONE,
     &cord__place_special, "where it pulls"},
    {"force", FIELD_VECTOR, offsetof(load_data, force), false, "[0, 0, 0]", "N", LIMIT_NONE, NULL,
     "the force, in world axes"},
    {"keys", FIELD_LIST, offsetof(load_data, keys), false, NULL, NULL, LIMIT_NONE, &load_key_map,
     "how it changes: keys {t, force}, added to the force"},
    EASE_FIELD(load_data, ease),
};
static const mapping load_map = {"load",      "a force on a point",     sizeof(load_data),
                                 load_fields, FIELD_COUNT(load_fields), finish_load};

/* ---- probes and expectations -------------------------------------------------------------- */

static const field probe_fields[] = {
    {"name", FIELD_TEXT, offsetof(probe_data, name), false, NULL, NULL, LIMIT_NONE, NULL,
     "of its file; default: from what it measures"},
    {"measure", FIELD_CHOICE, offsetof(probe_data, measure), true, NULL, NULL, LIMIT_NONE,
     cord__measures, "what to measure"},
    {"of", FIELD_SPECIAL, offsetof(probe_data, of), false, NULL, NULL, LIMIT_NONE,
     &cord__place_special,
     "a place, or the name of a strand, body, relation or clamp; default: the world"},
};
static const mapping probe_map = {
    "probe",      "something measured while it runs", sizeof(probe_data),
    probe_fields, FIELD_COUNT(probe_fields),          NULL};

static bool finish_expect(reader *r, void *item)
{
    const expect_data *e = item;
    bool value = !isnan(e->value), bound = !isnan(e->above) || !isnan(e->below);
    if (value == bound || value != !isnan(e->tolerance)) {
        cord__complain(
            r->complaints, e->at->at,
            "expect needs either \"value\" and \"tolerance\", or \"above\" or \"below\"");
        return false;
    }
    return true;
}

static const field expect_fields[] = {
    {"probe", FIELD_SPECIAL, offsetof(expect_data, probe), true, NULL, NULL, LIMIT_NONE,
     &cord__reference_special, "the name of a probe"},
    {"component", FIELD_TEXT, offsetof(expect_data, component), false, NULL, NULL, LIMIT_NONE, NULL,
     "which of its columns; default: the only one, or the size of a vector"},
    {"over", FIELD_CHOICE, offsetof(expect_data, over), false, "only", NULL, LIMIT_NONE,
     cord__reductions, "what to take of the many values along a strand"},
    {"at", FIELD_TEXT, offsetof(expect_data, time_text), false, "end", NULL, LIMIT_NONE, NULL,
     "when: a time, or end"},
    {"value", FIELD_NUMBER, offsetof(expect_data, value), false, NULL, NULL, LIMIT_NONE, NULL,
     "the expected result"},
    {"tolerance", FIELD_NUMBER, offsetof(expect_data, tolerance), false, NULL, NULL,
     LIMIT_NOT_NEGATIVE, NULL, "how far it may be off"},
    {"above", FIELD_NUMBER, offsetof(expect_data, above), false, NULL, NULL, LIMIT_NONE, NULL,
     "it must be larger"},
    {"below", FIELD_NUMBER, offsetof(expect_data, below), false, NULL, NULL, LIMIT_NONE, NULL,
     "it must be smaller"},
    {"because", FIELD_TEXT, offsetof(expect_data, because), false, NULL, NULL, LIMIT_NONE, NULL,
     "where the number comes from"},
};
static const mapping expect_map = {
    "expect",      "a result the run should have", sizeof(expect_data),
    expect_fields, FIELD_COUNT(expect_fields),     finish_expect};

/* ---- the whole ---------------------------------------------------------------------------- */

static bool finish_scene(reader *r, void *item)
{
    const scene_data *s = item;
    if (s->strands.count == 0 && s->bodies.count == 0) {
        cord__complain(r->complaints, s->at->at, "a scene needs strands or bodies");
        return false;
    }
    if (s->version == 1) return true;
    cord__complain(r->complaints, cord__node_get(s->at, "cordage")->at,
                   "this is format version %d; only version 1 is known", s->version);
    return false;
}

static const field scene_fields[] = {
    {"cordage", FIELD_INTEGER, offsetof(scene_data, version), true, NULL, "", LIMIT_NONE, NULL,
     "the version of the format: 1"},
    {"include", FIELD_SPECIAL, 0, false, NULL, NULL, LIMIT_NONE, &cord__include_special,
     "other scene files that this one goes on from, relative to this one"},
    {"let", FIELD_SPECIAL, 0, false, NULL, NULL, LIMIT_NONE, &cord__let_special,
     "variables: let: {n: 40} makes $n usable in numbers"},
    {"title", FIELD_TEXT, offsetof(scene_data, title), false, NULL, NULL, LIMIT_NONE, NULL,
     "a few words"},
    {"about", FIELD_TEXT, offsetof(scene_data, about), false, NULL, NULL, LIMIT_NONE, NULL,
     "a paragraph that explains it"},
    {"paper", FIELD_TEXT, offsetof(scene_data, paper), false, NULL, NULL, LIMIT_NONE, NULL,
     "the paper it is from"},
    {"figure", FIELD_TEXT, offsetof(scene_data, figure), false, NULL, NULL, LIMIT_NONE, NULL,
     "the figure there"},
    {"world", FIELD_MAP, offsetof(scene_data, world), false, "{}", NULL, LIMIT_NONE, &world_map,
     "gravity and the method"},
    {"wind", FIELD_MAP, offsetof(scene_data, wind), false, NULL, NULL, LIMIT_NONE, &wind_map,
     "moving air"},
    {"run", FIELD_MAP, offsetof(scene_data, run), false, "{}", NULL, LIMIT_NONE, &run_map,
     "how long, how fine, from where"},
    {"strands", FIELD_LIST, offsetof(scene_data, strands), false, NULL, NULL, LIMIT_NONE,
     &strand_map, "the things long and thin"},
    {"bodies", FIELD_LIST, offsetof(scene_data, bodies), false, NULL, NULL, LIMIT_NONE, &body_map,
     "the rigid things"},
    {"points", FIELD_LIST, offsetof(scene_data, points), false, NULL, NULL, LIMIT_NONE, &point_map,
     "named places"},
    {"clamps", FIELD_LIST, offsetof(scene_data, clamps), false, NULL, NULL, LIMIT_NONE, &clamp_map,
     "strands held where they are"},
    {"relations", FIELD_LIST, offsetof(scene_data, relations), false, NULL, NULL, LIMIT_NONE,
     &relation_map, "everything else that holds"},
    {"loads", FIELD_LIST, offsetof(scene_data, loads), false, NULL, NULL, LIMIT_NONE, &load_map,
     "forces on points"},
    {"probes", FIELD_LIST, offsetof(scene_data, probes), false, NULL, NULL, LIMIT_NONE, &probe_map,
     "what is measured"},
    {"expect", FIELD_LIST, offsetof(scene_data, expectations), false, NULL, NULL, LIMIT_NONE,
     &expect_map, "results the run should have"},
};
const mapping cord__scene_map = {"scene",      "a world and what happens in it", sizeof(scene_data),
                                 scene_fields, FIELD_COUNT(scene_fields),        finish_scene};
