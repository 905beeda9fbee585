/* Keys of scenes: bodies. */
#include "scene/contacts.h"
#include "scene/solids.h"
#include "scene/tables.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static bool finish_rotation(reader *r, void *item)
{
    const rotation_data *t = item;
    return cord__nonzero(r, t->at, "axis", t->axis);
}

static const field rotation_fields[] = {
    {"axis", FIELD_VECTOR, offsetof(rotation_data, axis), true, NULL, "", LIMIT_NONE, NULL,
     "the axis"},
    {"angle", FIELD_NUMBER, offsetof(rotation_data, angle), true, NULL, "rad", LIMIT_NONE, NULL,
     "the angle"},
};
const mapping cord__orientation_map = {
    "rotation",      "a rotation about an axis",   sizeof(rotation_data),
    rotation_fields, FIELD_COUNT(rotation_fields), finish_rotation};

static const field clamped_fields[] = {SCRIPT_FIELDS(clamped_data)};
static const mapping clamped_map = {
    "clamped",      "how its clamp moves",       sizeof(clamped_data),
    clamped_fields, FIELD_COUNT(clamped_fields), NULL};

static bool read_clamped(reader *r, const field *f, const node *n, void *target)
{
    clamped_data *h = target;
    bool yes;
    h->at = n;
    if (n->kind == NODE_MAP)
        return cord__read_mapping(r, &clamped_map, n, h) && cord__check_script(r, &h->script);
    if (cord__node_bool(n, &yes)) {
        if (!yes) h->at = NULL;
        return true;
    }
    cord__diagnose(r->errors, n->at,
                   "%s: expected yes, no, or a mapping with motion, orbit or "
                   "rotation",
                   f->key);
    return false;
}

static const special clamped_special = {
    "yes, no or a mapping, below",
    "{\"enum\": [true, false, \"yes\", \"no\", \"true\", \"false\", \"on\", \"off\"]}",
    read_clamped, &clamped_map};

static const count_range inertia_numbers = {3, 6};

static bool body_wrong(reader *r, const body_data *b, const char *key, const char *what)
{
    cord__diagnose(r->errors, key ? cord__node_key_mark(b->at, key) : b->at->at, "%s", what);
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
     "its name in the scene"},
    {"shape", FIELD_VARIANT, offsetof(body_data, shape), false, NULL, NULL, LIMIT_NONE,
     &cord__solids,
     "its solid, in its own axes; needed unless inertia is "
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
    {"rotation", FIELD_MAP, offsetof(body_data, rotation), false, NULL, NULL, LIMIT_NONE,
     &cord__orientation_map, "of its axes relative to the world's"},
    {"velocity", FIELD_VECTOR, offsetof(body_data, velocity), false, "[0, 0, 0]", "m/s", LIMIT_NONE,
     NULL, "initial velocity of its center of mass"},
    {"angular_velocity", FIELD_VECTOR, offsetof(body_data, angular_velocity), false, "[0, 0, 0]",
     "rad/s", LIMIT_NONE, NULL, "initial angular velocity, in world axes"},
    {"drag", FIELD_NUMBER, offsetof(body_data, drag), false, "0", "N s/m", LIMIT_NOT_NEGATIVE, NULL,
     "force per speed relative to the air"},
    {"angular_drag", FIELD_NUMBER, offsetof(body_data, angular_drag), false, "0", "N m s",
     LIMIT_NOT_NEGATIVE, NULL, "torque per angular velocity"},
    {"clamped", FIELD_SPECIAL, offsetof(body_data, clamped), false, NULL, NULL, LIMIT_NONE,
     &clamped_special,
     "whether it is clamped where it is drawn, or has a prescribed motion; default: no"},
    {"contact", FIELD_SPECIAL, offsetof(body_data, surface), false, NULL, NULL, LIMIT_NONE,
     &cord__body_surface_special, "its surface; no: it has no contacts"},
    {"colour", FIELD_SPECIAL, offsetof(body_data, colour), false, NULL, NULL, LIMIT_NONE,
     &cord__colour_special, "in pictures; default: another one for each body"},
    LOOK_FIELD(body_data, "in pictures; auto: plain"),
    {"visible", FIELD_BOOL, offsetof(body_data, visible), false, "yes", NULL, LIMIT_NONE, NULL,
     "whether pages, pictures and exports show it; scenery may be shown in its place"},
};
const mapping cord__body_map = {"body",      "a rigid body",           sizeof(body_data),
                                body_fields, FIELD_COUNT(body_fields), finish_body};
