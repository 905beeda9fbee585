/* Keys of scenes: strands. */
#include "scene/breakage.h"
#include "scene/contacts.h"
#include "scene/growth.h"
#include "scene/materials.h"
#include "scene/schedules.h"
#include "scene/sections.h"
#include "scene/tables.h"

#include <stddef.h>
#include <string.h>

static const choice stretches[] = {
    {"none", CORD_STRETCH_NONE, "inextensible"},
    {"elastic", CORD_STRETCH_ELASTIC, "with the section's stretching stiffness"},
    {NULL, 0, NULL},
};
static const choice twists[] = {
    {"quasistatic", CORD_TWIST_QUASISTATIC,
     "always in equilibrium; chains: midpoint filters the spin that its steps do not resolve"},
    {"dynamic", CORD_TWIST_DYNAMIC, "with the rotary inertia of the section"},
    {NULL, 0, NULL},
};
static const choice curvatures[] = {
    {"corrected", CORD_CURVATURE_CORRECTED,
     "2 tan(angle / 2) sqrt(1 - 5/6 x + 11/6 x^2), x = sin(angle / 2)^2: with most of a polyline's "
     "error corrected"},
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
    {"series", CORD_KINEMATICS_SERIES, "the 2013 paper's power series, summed on subintervals"},
    {NULL, 0, NULL},
};
static const name_list models = {"strand model", cord_model_names};

static bool finish_perturb(reader *r, void *item)
{
    const perturb_data *p = item;
    return cord__nonzero(r, p->at, "direction", p->direction);
}

static const field perturb_fields[] = {
    {"amplitude", FIELD_NUMBER, offsetof(perturb_data, amplitude), true, NULL, "m",
     LIMIT_NOT_NEGATIVE, NULL, "the largest displacement, about"},
    {"mode", FIELD_INTEGER, offsetof(perturb_data, mode), false, "0", "", LIMIT_NOT_NEGATIVE, NULL,
     "that many waves along the strand, in one direction; 0: pseudo-random in all"},
    {"direction", FIELD_VECTOR, offsetof(perturb_data, direction), false, NULL, "", LIMIT_NONE,
     NULL,
     "of the waves; default: out of the plane of the shape, or along the first director of the "
     "base of a "
     "chain given by curvatures"},
    {"seed", FIELD_INTEGER, offsetof(perturb_data, seed), false, "1", "", LIMIT_NOT_NEGATIVE, NULL,
     "chooses the pseudo-random one"},
};
static const mapping perturb_map = {"perturb",
                                    "a small smooth change of the initial shape, not of the "
                                    "natural one; first and last edge of a shape stay",
                                    sizeof(perturb_data),
                                    perturb_fields,
                                    FIELD_COUNT(perturb_fields),
                                    finish_perturb};

static bool finish_spin(reader *r, void *item)
{
    const spin_data *s = item;
    return cord__nonzero(r, s->at, "axis", s->axis);
}

static const field spin_fields[] = {
    {"axis", FIELD_VECTOR, offsetof(spin_data, axis), false, "[0, 0, 1]", "", LIMIT_NONE, NULL,
     "the axis of rotation"},
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
    bool good = cord__nonzero(r, s->at, "director", s->director) &&
                cord__nonzero(r, s->at, "natural_director", s->natural_director);
    if (section->needs_material && !s->material) {
        cord__diagnose(r->errors, s->at->at, "strand needs \"material\" with a %s section",
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
     &models, "the model of its mechanics"},
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
    {"curvature", FIELD_CHOICE, offsetof(strand_data, curvature), false, "corrected", NULL,
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
    {"contact", FIELD_SPECIAL, offsetof(strand_data, surface), false, NULL, NULL, LIMIT_NONE,
     &cord__strand_surface_special, "its surface; no: it has no contacts"},
    {"colour", FIELD_SPECIAL, offsetof(strand_data, colour), false, NULL, NULL, LIMIT_NONE,
     &cord__colour_special, "in pictures; default: another one for each strand"},
    LOOK_FIELD(strand_data, "in pictures; auto: that of its material, or plain"),
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
    {"schedule", FIELD_MAP, offsetof(strand_data, schedule), false, NULL, NULL, LIMIT_NONE,
     &cord__schedule_map, "load, natural curvature, length and stiffness as functions of time"},
    {"growth", FIELD_MAP, offsetof(strand_data, growth), false, NULL, NULL, LIMIT_NONE,
     &cord__growth_map, "der, helix and clothoid: its end grows"},
    {"breaks", FIELD_MAP, offsetof(strand_data, breaks), false, NULL, NULL, LIMIT_NONE,
     &cord__breakage_map, "der and chains: the tension and the curvature at which it breaks"},
    {"base", FIELD_MAP, offsetof(strand_data, chain.base), false, NULL, NULL, LIMIT_NONE,
     &cord__base_map, "chains with curvatures: where they begin; default: at the origin, along x"},
    {"samples", FIELD_INTEGER, offsetof(strand_data, chain.samples), false, NULL, "",
     LIMIT_VERTICES, NULL,
     "chains with curvatures: the vertices at which they are shown; default: 8 per element, and "
     "one"},
    {"planar", FIELD_BOOL, offsetof(strand_data, chain.planar), false, "no", NULL, LIMIT_NONE, NULL,
     "chains: bends in the plane of tangent and first director only, and does not twist"},
    {"base_damping", FIELD_NUMBER, offsetof(strand_data, chain.base_damping), false, "0", "N m s",
     LIMIT_NOT_NEGATIVE, NULL,
     "chains: viscous, against the rotation of a base that is free to rotate"},
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
const mapping cord__strand_map = {"strand",      "a rod, rope or ribbon",    sizeof(strand_data),
                                  strand_fields, FIELD_COUNT(strand_fields), finish_strand};
