/* Keys of scenes: contact, and the surfaces of objects. */
#include "scene/contacts.h"
#include "scene/expand.h"
#include "scene/tables.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- surfaces ------------------------------------------------------------------------------- */

static const field strand_surface_fields[] = {
    {"radius", FIELD_NUMBER, offsetof(surface_data, radius), false, NULL, "m", LIMIT_POSITIVE, NULL,
     "of its surface; default: of its section"},
    {"friction", FIELD_NUMBER, offsetof(surface_data, friction), false, NULL, "",
     LIMIT_NOT_NEGATIVE, NULL,
     "with all objects; where both sides have one, the geometric mean counts"},
    {"restitution", FIELD_NUMBER, offsetof(surface_data, restitution), false, NULL, "",
     LIMIT_FRACTION, NULL, "likewise"},
    {"material", FIELD_TEXT, offsetof(surface_data, material), false, NULL, NULL, LIMIT_NONE, NULL,
     "a name for pairs"},
    {"self", FIELD_BOOL, offsetof(surface_data, self), false, "yes", NULL, LIMIT_NONE, NULL,
     "whether it has contacts with itself"},
};
static const mapping strand_surface_map = {"surface",
                                           "the surface of a strand",
                                           sizeof(surface_data),
                                           strand_surface_fields,
                                           FIELD_COUNT(strand_surface_fields),
                                           NULL};
static const mapping body_surface_map = {"surface",
                                         "the surface of a body",
                                         sizeof(surface_data),
                                         strand_surface_fields + 1,
                                         FIELD_COUNT(strand_surface_fields) - 2,
                                         NULL};

static bool read_surface(reader *r, const field *f, const node *n, void *target)
{
    const special *kind = f->detail;
    surface_data *s = target;
    bool yes = true;
    if (n->kind == NODE_MAP) return cord__read_mapping(r, kind->map, n, s);
    *s = (surface_data){.at = n, .radius = NAN, .friction = NAN, .restitution = NAN, .self = true};
    if (!cord__node_bool(n, &yes)) {
        cord__diagnose(r->errors, n->at, "%s: expected yes, no, or a mapping of its surface",
                       f->key);
        return false;
    }
    s->none = !yes;
    return true;
}

#define YES_NO "{\"enum\": [true, false, \"yes\", \"no\", \"true\", \"false\", \"on\", \"off\"]}"
const special cord__strand_surface_special = {"yes, no or a mapping, below", YES_NO, read_surface,
                                              &strand_surface_map};
const special cord__body_surface_special = {"yes, no or a mapping, below", YES_NO, read_surface,
                                            &body_surface_map};

/* ---- the section ---------------------------------------------------------------------------- */

static bool read_between(reader *r, const field *f, const node *n, void *target)
{
    contact_pair_data *p = (void *)((char *)target - offsetof(contact_pair_data, names));
    bool two = n->kind == NODE_LIST && n->count == 2;
    for (int i = 0; two && i < 2; i++) two = n->items[i]->kind == NODE_SCALAR;
    if (!two) {
        cord__diagnose(r->errors, n->at, "%s: expected two names, as in [hair, head]", f->key);
        return false;
    }
    for (int i = 0; i < 2; i++) {
        p->between[i] = n->items[i];
        if (!cord__read_reference(r, n->items[i], n->items[i]->text, &p->names[i])) return false;
    }
    return true;
}

static const special between_special = {
    "two names of strands, bodies, obstacles, arrays of them, or materials",
    "{\"type\": \"array\", \"items\": {\"type\": \"string\"}, \"minItems\": 2, \"maxItems\": 2}",
    read_between, NULL};

static bool finish_pair(reader *r, void *item)
{
    const contact_pair_data *p = item;
    bool law = !isnan(p->friction) || !isnan(p->restitution);
    if (law != !p->contact) return true;
    cord__diagnose(r->errors, p->at->at,
                   law ? "a pair with contact: no has neither friction nor restitution"
                       : "a pair needs a friction, a restitution or contact: no");
    return false;
}

static const field pair_fields[] = {
    {"between", FIELD_SPECIAL, offsetof(contact_pair_data, names), true, NULL, NULL, LIMIT_NONE,
     &between_special, "of which objects or materials"},
    {"friction", FIELD_NUMBER, offsetof(contact_pair_data, friction), false, NULL, "",
     LIMIT_NOT_NEGATIVE, NULL, "their coefficient of friction"},
    {"restitution", FIELD_NUMBER, offsetof(contact_pair_data, restitution), false, NULL, "",
     LIMIT_FRACTION, NULL, "their restitution"},
    {"contact", FIELD_BOOL, offsetof(contact_pair_data, contact), false, "yes", NULL, LIMIT_NONE,
     NULL, "no: they pass through each other"},
};
static const mapping pair_map = {"pair",
                                 "friction of two objects or materials",
                                 sizeof(contact_pair_data),
                                 pair_fields,
                                 FIELD_COUNT(pair_fields),
                                 finish_pair};

/* "auto", or a length. */
static bool read_margin(reader *r, const field *f, const node *n, void *target)
{
    *(double *)target = 0;
    if (n->kind == NODE_SCALAR && strcmp(n->text, "auto") == 0) return true;
    return cord__read_number(r, n, f->key, "m", LIMIT_POSITIVE, target);
}

static const special margin_special = {"auto, or a length", "{\"type\": [\"number\", \"string\"]}",
                                       read_margin, NULL};

static const field contact_fields[] = {
    {"friction", FIELD_NUMBER, offsetof(contact_data, friction), false, "0.3", "",
     LIMIT_NOT_NEGATIVE, NULL, "Coulomb's coefficient where no other is given"},
    {"restitution", FIELD_NUMBER, offsetof(contact_data, restitution), false, "0", "",
     LIMIT_FRACTION, NULL, "velocity after an impact over that before it, likewise"},
    {"margin", FIELD_SPECIAL, offsetof(contact_data, margin), false, "auto", NULL, LIMIT_NONE,
     &margin_special, "gaps up to which contacts are found; auto: from radii and velocities"},
    {"tolerance", FIELD_NUMBER, offsetof(contact_data, tolerance), false, "1e-6", "",
     LIMIT_POSITIVE, NULL, "residual of Coulomb's law over the forces"},
    {"max_sweeps", FIELD_INTEGER, offsetof(contact_data, max_sweeps), false, "1000", "",
     LIMIT_COUNT, NULL, "of the solver of the forces, in an iteration of a step"},
    {"guarantee", FIELD_BOOL, offsetof(contact_data, guarantee), false, "no", NULL, LIMIT_NONE,
     NULL,
     "yes: continuous detection checks every step, and one in which a strand passes through "
     "another, itself or an obstacle is shortened"},
    {"pairs", FIELD_LIST, offsetof(contact_data, pairs), false, NULL, NULL, LIMIT_NONE, &pair_map,
     "friction of pairs of objects; later pairs prevail"},
};
const mapping cord__contact_map = {
    "contact",
    "contact with friction: every strand, body and obstacle takes part, unless it has contact: no",
    sizeof(contact_data),
    contact_fields,
    FIELD_COUNT(contact_fields),
    NULL};
