/* Pulleys and drums in scenes: keys, their consistency, and the joints that represent them. */
#include "scene/cables.h"
#include "scene/expand.h"
#include "scene/tables.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* frictionless, no-slip, or a coefficient of capstan friction. */
static bool read_wrap_friction(reader *r, const field *f, const node *n, void *target)
{
    wrap_friction_value *g = target;
    const char *word = n->kind == NODE_SCALAR ? n->text : "";
    g->given = strcmp(word, "auto") != 0;
    g->kind = CORD_WRAP_FRICTIONLESS;
    if (!g->given || strcmp(word, "frictionless") == 0) return true;
    g->kind = strcmp(word, "no-slip") == 0 ? CORD_WRAP_NO_SLIP : CORD_WRAP_CAPSTAN;
    if (g->kind == CORD_WRAP_NO_SLIP) return true;
    if (n->kind == NODE_SCALAR && !isalpha((unsigned char)*word))
        return cord__read_number(r, n, f->key, "", LIMIT_POSITIVE, &g->friction);
    cord__diagnose(r->errors, n->at, "%s: expected %s", f->key, cord__wrap_friction_special.what);
    return false;
}

const special cord__wrap_friction_special = {
    "`auto` (no-slip where it rotates, else frictionless), `frictionless`, `no-slip`, or a "
    "coefficient of "
    "friction, as 0.3",
    "{\"type\": [\"number\", \"string\"]}", read_wrap_friction, NULL};

bool cord__pulley_rotates(const pulley_data *p)
{
    return !isnan(p->inertia) || p->rotates_with;
}

double cord__pulley_length(const pulley_data *p)
{
    return isnan(p->length) ? p->width : p->length;
}

static bool finish_pulley(reader *r, void *item)
{
    pulley_data *p = item;
    bool good = cord__nonzero(r, p->at, "axis", p->axis);
    if (p->pitch == 0) {
        cord__diagnose(r->errors, cord__node_key_mark(p->at, "pitch"),
                       "pitch: a groove rises by more or less than 0 in a turn; leave the key out "
                       "for a pulley without a groove");
        good = false;
    }
    for (int k = 0; k < 3 && (p->where.kind == LOCATION_WORLD || p->where.kind == LOCATION_BODY);
         k++)
        p->where.x[k] += p->offset[k];
    if (p->where.kind == LOCATION_STRAND_FRACTION || p->where.kind == LOCATION_STRAND_LENGTH) {
        cord__diagnose(r->errors, p->where.at->at,
                       "a pulley is at [x, y, z], on a body, or at a named point of either");
        good = false;
    }
    if (p->rotates_with && !isnan(p->inertia))
        good = cord__refuse(r, p->at, "inertia", "what it turns with has the inertia");
    static const char *const own[] = {"friction", "motor"};
    for (int i = 0; i < 2 && isnan(p->inertia); i++)
        good =
            cord__refuse(r, p->at, own[i],
                         p->rotates_with ? "is of what it turns with"
                                         : "is of a pulley that rotates, which needs an inertia") &&
            good;
    if (!isnan(p->pitch) && isnan(p->length))
        good = cord__refuse(r, p->at, "pitch",
                            "a groove needs the length of the pulley along its axis") &&
               good;
    if (!isnan(p->length))
        good = cord__refuse(r, p->at, "width", "it has a length along its axis") && good;
    if (p->motor) good = cord__check_motor(r, p->motor, "rad") && good;
    return good;
}

static bool finish_drum(reader *r, void *item)
{
    const pulley_data *p = item;
    if (!finish_pulley(r, item)) return false;
    if (!isnan(p->length) && isnan(p->pitch)) {
        cord__diagnose(r->errors, cord__node_key_mark(p->at, "length"),
                       "length: a drum with a length has a groove that holds the turns apart; give "
                       "it a pitch, or a width for pictures alone");
        return false;
    }
    if (cord__pulley_rotates(p)) return true;
    cord__diagnose(r->errors, p->at->at,
                   "a drum rotates: it needs an inertia, or \"rotates_with\"");
    return false;
}

static const field pulley_fields[] = {
    {"name", FIELD_TEXT, offsetof(pulley_data, name), true, NULL, NULL, LIMIT_NONE, NULL,
     "its name for routes; also the name of its rotation for probes, gears, loads and controllers"},
    {"at", FIELD_SPECIAL, offsetof(pulley_data, where), true, NULL, NULL, LIMIT_NONE,
     &cord__location_special, "its middle: in the world, on the body that carries it, or a point"},
    {"offset", FIELD_VECTOR, offsetof(pulley_data, offset), false, "[0, 0, 0]", "m", LIMIT_NONE,
     NULL, "added to it"},
    {"axis", FIELD_VECTOR, offsetof(pulley_data, axis), false, "[0, 1, 0]", "", LIMIT_NONE, NULL,
     "about which it is round, as drawn, in the world"},
    {"radius", FIELD_NUMBER, offsetof(pulley_data, radius), true, NULL, "m", LIMIT_POSITIVE, NULL,
     "to the middle line of the cable that lies on it"},
    {"inertia", FIELD_NUMBER, offsetof(pulley_data, inertia), false, NULL, "kg m^2", LIMIT_POSITIVE,
     NULL, "about its axis, where it rotates on a bearing of its own"},
    {"rotates_with", FIELD_SPECIAL, offsetof(pulley_data, rotates_with), false, NULL, NULL,
     LIMIT_NONE, &cord__reference_special,
     "instead: the joint it rotates with, or another pulley on the same shaft"},
    {"friction", FIELD_NUMBER, offsetof(pulley_data, friction), false, "0", "N m s",
     LIMIT_NOT_NEGATIVE, NULL, "of the bearing: torque per angular velocity"},
    {"wrap_friction", FIELD_SPECIAL, offsetof(pulley_data, wrap_friction), false, NULL, NULL,
     LIMIT_NONE, &cord__wrap_friction_special, "between it and a cable; default: auto"},
    {"motor", FIELD_MAP, offsetof(pulley_data, motor), false, NULL, NULL, LIMIT_NONE,
     &cord__motor_map, "what drives it"},
    {"length", FIELD_NUMBER, offsetof(pulley_data, length), false, NULL, "m", LIMIT_POSITIVE, NULL,
     "along its axis, about its middle: a shaft or a column, round which the cable is a helix and "
     "along which it slides; default: a disc, in whose plane the cable stays"},
    {"pitch", FIELD_NUMBER, offsetof(pulley_data, pitch), false, NULL, "m", LIMIT_NONE, NULL,
     "of a helical groove that guides the cable, per turn; positive: right-handed, it rises "
     "towards "
     "the tip of the axis anticlockwise; default: no groove"},
    {"width", FIELD_NUMBER, offsetof(pulley_data, width), false, NULL, "m", LIMIT_POSITIVE, NULL,
     "of a disc, in pictures alone; default: a sheave for its cable"},
    {"teeth", FIELD_INTEGER, offsetof(pulley_data, teeth), false, NULL, "", LIMIT_ELEMENTS, NULL,
     "of a sprocket, in pictures alone; default: a sheave"},
    {"colour", FIELD_SPECIAL, offsetof(pulley_data, colour), false, NULL, NULL, LIMIT_NONE,
     &cord__colour_special, "in pictures; default: steel"},
};

const mapping cord__pulley_map = {"pulley",
                                  "a disc that cables run over: fixed, rotating or driven",
                                  sizeof(pulley_data),
                                  pulley_fields,
                                  FIELD_COUNT(pulley_fields),
                                  finish_pulley};
const mapping cord__drum_map = {"drum",
                                "a disc that a cable ends on and is wound up by",
                                sizeof(pulley_data),
                                pulley_fields,
                                FIELD_COUNT(pulley_fields),
                                finish_drum};

/* ---- all pulleys -------------------------------------------------------------------------- */

int cord__pulley_count(const cord_scene *scene)
{
    return scene->data.pulleys.count + scene->data.drums.count;
}

pulley_data *cord__pulley(const cord_scene *scene, int i)
{
    const item_list *first = &scene->data.pulleys;
    return i < first->count ? ITEM(*first, pulley_data, i)
                            : ITEM(scene->data.drums, pulley_data, i - first->count);
}

pulley_data *cord__pulley_of(const cord_scene *scene, const char *name)
{
    const joint_data *j = cord__joint_of(scene, name);
    return j ? j->pulley : NULL;
}

/* `rotates_with` must name a revolute joint, or a pulley with its own rotation: those are built before this pulley. */
bool cord__resolve_pulley(cord_scene *scene, const pulley_data *p)
{
    if (!cord__resolve_carried(scene, &p->where)) return false;
    if (cord__is_on_strand(scene, &p->where)) {
        cord__diagnose(&scene->errors, p->at->at,
                       "a pulley is in the world or on a body: a strand has no axes for it");
        return false;
    }
    if (!p->rotates_with) return true;
    mark at = cord__node_get(p->at, "rotates_with")->at;
    if (!cord__require_symbol(scene, p->rotates_with, at)) return false;
    const joint_data *j = cord__joint_of(scene, p->rotates_with);
    const char *why = !j                                              ? "is not a joint"
                      : !j->pulley && j->kind != JOINT_REVOLUTE       ? "does not rotate"
                      : j->pulley && j->pulley->rotates_with          ? "rotates with another"
                      : j->pulley && !cord__pulley_rotates(j->pulley) ? "does not rotate"
                                                                      : NULL;
    if (!why) return true;
    cord__diagnose(&scene->errors, at,
                   "rotates_with: \"%.40s\" %s; name a revolute joint, or a pulley with an inertia",
                   p->rotates_with, why);
    return false;
}
