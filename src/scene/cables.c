/* Cables in scenes: keys and names, and the strands that represent cables. */
#include "scene/cables.h"

#include "scene/expand.h"
#include "scene/materials.h"
#include "scene/sections.h"
#include "scene/tables.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- stiffness ---------------------------------------------------------------------------- */

static bool read_stiffness(reader *r, const field *f, const node *n, void *target)
{
    stiffness_value *s = target;
    if (n->kind == NODE_SCALAR && strcmp(n->text, "elastic") == 0) {
        s->elastic = true;
        return true;
    }
    bool stretching = strcmp(f->key, "stretching") == 0;
    if (n->kind == NODE_SCALAR && strcmp(n->text, stretching ? "inextensible" : "none") == 0)
        return true;
    return cord__read_number(r, n, f->key, stretching ? "N" : "N m^2", LIMIT_POSITIVE, &s->value);
}

static const special stretching_special = {
    "`inextensible`, EA in N, or `elastic`: that of material and section",
    "{\"type\": [\"number\", \"string\"]}", read_stiffness, NULL};
static const special bending_special = {
    "`none`, EI in N m^2, or `elastic`: that of material and section",
    "{\"type\": [\"number\", \"string\"]}", read_stiffness, NULL};

static const special twisting_special = {
    "`none`, GJ in N m^2, or `elastic`: that of material and section",
    "{\"type\": [\"number\", \"string\"]}", read_stiffness, NULL};

/* ---- nodes -------------------------------------------------------------------------------- */

static const choice tangents[] = {
    {"none", 0, "it does not matter"},
    {"before", -1, "the segment before it leaves the guide along a tangent"},
    {"after", 1, "the segment after it does"},
    {NULL, 0, NULL},
};

static const count_range node_numbers = {1, 3};

static const field node_fields[] = {
    {"guide", FIELD_TEXT, offsetof(node_data, on), false, NULL, NULL, LIMIT_NONE, NULL,
     "a guide; default: on none, it is free"},
    {"at", FIELD_NUMBERS, offsetof(node_data, where), false, NULL, NULL, LIMIT_NONE, &node_numbers,
     "its coordinates there; of a free one its position, m"},
    {"s", FIELD_NUMBER, offsetof(node_data, s), true, NULL, "m", LIMIT_NONE, NULL,
     "the length of cable before it"},
    {"eulerian", FIELD_BOOL, offsetof(node_data, eulerian), false, "no", NULL, LIMIT_NONE, NULL,
     "whether the cable runs through it"},
    {"prescribed", FIELD_BOOL, offsetof(node_data, prescribed), false, "no", NULL, LIMIT_NONE, NULL,
     "whether it stays at these coordinates of its guide"},
    {"tangent", FIELD_CHOICE, offsetof(node_data, tangent), false, "none", NULL, LIMIT_NONE,
     tangents, "what leaves its guide along a tangent, which says where it is"},
};
static const mapping node_map = {"node",      "a node of a cable",      sizeof(node_data),
                                 node_fields, FIELD_COUNT(node_fields), NULL};

static const field wrap_fields[] = {
    {"after", FIELD_INTEGER, offsetof(wrap_data, after), true, NULL, "", LIMIT_NOT_NEGATIVE, NULL,
     "the segment after this node, from 0, lies on its guide"},
    {"wrap_friction", FIELD_SPECIAL, offsetof(wrap_data, wrap_friction), false, NULL, NULL,
     LIMIT_NONE, &cord__wrap_friction_special, "between them; default: auto"},
    {"rotates_with", FIELD_SPECIAL, offsetof(wrap_data, rotates_with), false, NULL, NULL,
     LIMIT_NONE, &cord__reference_special, "the joint or pulley with which the guide rotates"},
};
static const mapping wrap_map = {"wrap",      "a segment that lies on a guide", sizeof(wrap_data),
                                 wrap_fields, FIELD_COUNT(wrap_fields),         NULL};

/* ---- cables ------------------------------------------------------------------------------- */

static bool complain(reader *r, const cable_data *c, const char *key, const char *what)
{
    cord__diagnose(r->errors, key ? cord__node_key_mark(c->at, key) : c->at->at, "%s", what);
    return false;
}

static bool finish_material(reader *r, const cable_data *c)
{
    bool by_density = !isnan(c->density), by_section = c->section.kind != NULL;
    if (by_density == by_section)
        return complain(r, c, NULL, "a cable needs a density (kg/m), or a material and a section");
    if (by_section && !isnan(c->radius))
        return complain(r, c, "radius", "the section has the radius");
    const section_ops *section = (const section_ops *)c->section.kind;
    if (by_section && section->needs_material && !c->material)
        return complain(r, c, NULL, "the section of a cable needs a material");
    if (by_density && c->material)
        return complain(r, c, "material", "either a density or a material, not both");
    if (by_density && (c->stretching.elastic || c->bending.elastic || c->twisting.elastic))
        return complain(r, c,
                        c->stretching.elastic ? "stretching"
                        : c->bending.elastic  ? "bending"
                                              : "twisting",
                        "elastic needs a material and a section");
    bool elastic = c->stretching.elastic || c->stretching.value > 0;
    bool bending = c->bending.elastic || c->bending.value > 0;
    bool twists = c->twisting.elastic || c->twisting.value > 0;
    if (!elastic && !bending && !twists && c->damping > 0)
        return complain(r, c, "damping",
                        "damping acts on stretching, bending and twist, and this cable has none of "
                        "them; give it a "
                        "stretching (N) or a bending (N m^2), or use drag, the wrap_friction of "
                        "pulleys or the friction of their bearings");
    if (!elastic && !c->closed && c->tension != 0)
        return complain(r, c, "tension",
                        "an inextensible cable has the tension that its loads give it; an initial "
                        "one is for elastic cables (stretching) and for closed ones");
    return true;
}

static bool finish_length(reader *r, const cable_data *c)
{
    bool given = !isnan(c->length), nodes = c->nodes.count > 0;
    if (given && c->closed && !nodes)
        return complain(r, c, "length",
                        "a closed cable along a route is as long as its route: leave the length "
                        "out, and move a pulley instead, or give the cable a tension");
    if (given && !c->closed && nodes)
        return complain(r, c, "length",
                        "the nodes of an open cable have its length: the difference of the first "
                        "and the last s");
    if (given && !c->closed && c->tension != 0)
        return complain(r, c, "length",
                        "either a length or a tension: a cable that is longer than its route is "
                        "slack");
    if (c->closed && nodes && !given)
        return complain(r, c, NULL, "a closed cable with nodes needs its length, all round");
    if (c->closed && nodes && c->nodes.count < 3)
        return complain(r, c, "nodes", "a closed cable has three nodes at least");
    return true;
}

static bool finish_cable(reader *r, void *item)
{
    const cable_data *c = item;
    bool route = c->route.count > 0, nodes = c->nodes.count > 0;
    if (!finish_material(r, c) || !finish_length(r, c)) return false;
    if (route == nodes) return complain(r, c, NULL, "a cable needs a route, or guides and nodes");
    if (nodes && c->nodes.count < 2)
        return complain(r, c, "nodes", "a cable has two nodes at least");
    if (route && (c->guides.count > 0 || c->wraps.count > 0))
        return complain(r, c, c->guides.count > 0 ? "guides" : "wraps",
                        "a cable with a route has no guides, nodes and wraps of its own");
    return true;
}

static const field cable_fields[] = {
    {"name", FIELD_TEXT, offsetof(cable_data, name), true, NULL, NULL, LIMIT_NONE, NULL,
     "its name for probes, also of its waypoints: hoist@sheave"},
    {"route", FIELD_SPECIAL, offsetof(cable_data, route), false, NULL, NULL, LIMIT_NONE,
     &cord__route_special, "what it passes, from its start to its end; it is taut at first"},
    {"density", FIELD_NUMBER, offsetof(cable_data, density), false, NULL, "kg/m", LIMIT_POSITIVE,
     NULL, "mass per length"},
    {"material", FIELD_PRESET, offsetof(cable_data, material), false, NULL, NULL, LIMIT_NONE,
     &cord__materials, "with a section, instead of a density"},
    {"section", FIELD_VARIANT, offsetof(cable_data, section), false, NULL, NULL, LIMIT_NONE,
     &cord__sections, "likewise"},
    {"stretching", FIELD_SPECIAL, offsetof(cable_data, stretching), false, NULL, NULL, LIMIT_NONE,
     &stretching_special, "whether its length can change; default: it cannot"},
    {"bending", FIELD_SPECIAL, offsetof(cable_data, bending), false, NULL, NULL, LIMIT_NONE,
     &bending_special, "its stiffness; default: none"},
    {"twisting", FIELD_SPECIAL, offsetof(cable_data, twisting), false, NULL, NULL, LIMIT_NONE,
     &twisting_special,
     "its stiffness: it carries twist from end to end, both of which are clamped as drawn; "
     "default: "
     "none"},
    {"damping", FIELD_NUMBER, offsetof(cable_data, damping), false, "0 s", "s", LIMIT_NOT_NEGATIVE,
     NULL, "internal: stress is E(strain + damping × strain rate)"},
    {"drag", FIELD_NUMBER, offsetof(cable_data, drag), false, "0", "N s/m^2", LIMIT_NOT_NEGATIVE,
     NULL, "force per length and speed relative to the air"},
    {"tension", FIELD_NUMBER, offsetof(cable_data, tension), false, "0 N", "N", LIMIT_NOT_NEGATIVE,
     NULL,
     "of an elastic one, at first; of a closed one that does not stretch, the mean of it all "
     "round, "
     "which is constant where its pulleys cannot move"},
    {"closed", FIELD_BOOL, offsetof(cable_data, closed), false, "no", NULL, LIMIT_NONE, NULL,
     "a belt or an endless chain: the first waypoint follows the last"},
    {"length", FIELD_NUMBER, offsetof(cable_data, length), false, NULL, "m", LIMIT_POSITIVE, NULL,
     "of an open one with a route: what it is longer than its route is slack in the longest "
     "straight "
     "part; default: that of the route. Of a closed one with nodes: all round"},
    {"parts", FIELD_INTEGER, offsetof(cable_data, parts), false, "1", "", LIMIT_ELEMENTS, NULL,
     "of every straight part of its route, so that it can sag and swing"},
    {"restitution", FIELD_NUMBER, offsetof(cable_data, restitution), false, "0", NULL,
     LIMIT_FRACTION, NULL,
     "where a slack span that cannot stretch becomes taut: the rate at which its ends approach "
     "each "
     "other afterwards, over the rate at which they separated; 0: inelastic"},
    {"pushes", FIELD_BOOL, offsetof(cable_data, pushes), false, "no", NULL, LIMIT_NONE, NULL,
     "a push-pull cable or a rigid chain: its spans bear compression, and never go slack"},
    {"lumped", FIELD_BOOL, offsetof(cable_data, lumped), false, "no", NULL, LIMIT_NONE, NULL,
     "for comparison: mass at nodes that stay with the cable, instead of along it"},
    {"radius", FIELD_NUMBER, offsetof(cable_data, radius), false, NULL, "m", LIMIT_POSITIVE, NULL,
     "in pictures; default: 3 mm, or the section's"},
    {"colour", FIELD_SPECIAL, offsetof(cable_data, colour), false, NULL, NULL, LIMIT_NONE,
     &cord__colour_special, "in pictures; default: another one for each"},
    LOOK_FIELD(cable_data, "in pictures; auto: that of its material, or rope"),
    {"vertices", FIELD_INTEGER, offsetof(cable_data, vertices), false, NULL, "", LIMIT_VERTICES,
     NULL, "points at which it is recorded, equally spaced; default: enough for its pulleys"},
    {"guides", FIELD_LIST, offsetof(cable_data, guides), false, NULL, NULL, LIMIT_NONE,
     &cord__guide_map, "instead of a route: where its nodes can be"},
    {"nodes", FIELD_LIST, offsetof(cable_data, nodes), false, NULL, NULL, LIMIT_NONE, &node_map,
     "and its nodes, from its start to its end"},
    {"wraps", FIELD_LIST, offsetof(cable_data, wraps), false, NULL, NULL, LIMIT_NONE, &wrap_map,
     "friction of the segments that lie on guides"},
};
const mapping cord__cable_map = {"cable",
                                 "a rope, cord, wire, chain or belt that runs through a machine",
                                 sizeof(cable_data),
                                 cable_fields,
                                 FIELD_COUNT(cable_fields),
                                 finish_cable};

/* ---- strands that represent cables --------------------------------------------------------- */

static void *lengthened(cord_scene *scene, item_list *list, size_t size, int more)
{
    char *items = cord__arena_take(&scene->memory, (size_t)(list->count + more), size);
    if (!items) return NULL;
    if (list->count) memcpy(items, list->items, (size_t)list->count * size);
    list->items = items;
    return items;
}

static bool add_joints(cord_scene *scene)
{
    item_list *list = &scene->data.joints;
    int pulleys = cord__pulley_count(scene);
    if (pulleys == 0) return true;
    joint_data *joints = lengthened(scene, list, sizeof *joints, pulleys);
    if (!joints) return false;
    for (int i = 0; i < pulleys; i++) {
        pulley_data *p = cord__pulley(scene, i);
        p->joint = list->count;
        joints[list->count++] = (joint_data){.at = p->at,
                                             .name = p->name,
                                             .kind = JOINT_PULLEY,
                                             .friction = p->friction,
                                             .stiffness = NAN,
                                             .motor = p->motor,
                                             .pulley = p};
    }
    return true;
}

static bool add_strands(cord_scene *scene)
{
    item_list *list = &scene->data.strands;
    int cables = scene->data.cables.count;
    if (cables == 0) return true;
    strand_data *strands = lengthened(scene, list, sizeof *strands, cables);
    if (!strands) return false;
    for (int i = 0; i < cables; i++) {
        cable_data *c = ITEM(scene->data.cables, cable_data, i);
        c->strand = list->count;
        strands[list->count++] = (strand_data){.at = c->at,
                                               .name = c->name,
                                               .model = "cable",
                                               .colour = c->colour,
                                               .look = c->look,
                                               .cable = c};
    }
    return true;
}

bool cord__add_stand_ins(cord_scene *scene)
{
    return cord__add_tube_paths(scene) && add_joints(scene) && add_strands(scene) &&
           cord__list_scenery(scene);
}

/* ---- names -------------------------------------------------------------------------------- */

const location *cord__location_meant(const cord_scene *scene, const location *p)
{
    const symbol *s = p->kind == LOCATION_NAME ? cord__find_symbol(scene, p->name) : NULL;
    if (!s || s->kind != SUBJECT_POINT) return p;
    return &ITEM(scene->data.points, point_data, s->index)->where;
}

static bool is_scripted(const cord_scene *scene, const location *p)
{
    const symbol *s = p->kind == LOCATION_NAME ? cord__find_symbol(scene, p->name) : NULL;
    if (!s || s->kind != SUBJECT_POINT) return false;
    const script_data *script = &ITEM(scene->data.points, point_data, s->index)->script;
    return script->motion.count > 0 || script->rotation.count > 0 || script->orbit;
}

bool cord__is_on_strand(const cord_scene *scene, const location *p)
{
    const location *meant = cord__location_meant(scene, p);
    bool along = meant->kind == LOCATION_STRAND_FRACTION || meant->kind == LOCATION_STRAND_LENGTH;
    return along && !cord__path_of(scene, meant);
}

bool cord__resolve_carried(cord_scene *scene, const location *p)
{
    if (!cord__resolve_point(scene, p)) return false;
    const location *meant = cord__location_meant(scene, p);
    bool on = meant->kind == LOCATION_WORLD || cord__body_of(scene, meant) ||
              cord__is_on_strand(scene, p);
    bool scripted = is_scripted(scene, p);
    if (on && !scripted && !cord__is_coordinate(scene, p)) return true;
    cord__diagnose(&scene->errors, p->at->at,
                   scripted ? "\"%.40s\" goes by a script; a cable passes what stands still or is "
                              "on a body, which may follow a script"
                            : "a cable passes points in the world, on bodies and at vertices of "
                              "strands: [x, y, z], a body, a named point of either, {body: bob, "
                              "at: [x, y, z]}, or rod@end",
                   p->name);
    return false;
}

static bool resolve_pulley(cord_scene *scene, const waypoint_data *s)
{
    if (!cord__require_symbol(scene, s->pulley, s->at->at)) return false;
    const pulley_data *p = cord__pulley_of(scene, s->pulley);
    if (p && s->height != 0 && isnan(p->pitch)) {
        cord__diagnose(&scene->errors, cord__node_key_mark(s->at, "height"),
                       "height: \"%.40s\" has no groove: give it a pitch", s->pulley);
        return false;
    }
    if (p && s->kind == CORD_WAYPOINT_SURFACE && !isnan(p->length) && !cord__pulley_rotates(p))
        return true;
    if (p && s->kind == CORD_WAYPOINT_DRUM && !isnan(p->length) && isnan(p->pitch)) {
        cord__diagnose(&scene->errors, s->at->at,
                       "\"%.40s\" has a length, but no groove that holds turns apart: give it a "
                       "pitch to wind a cable on it",
                       s->pulley);
        return false;
    }
    if (p && s->kind == CORD_WAYPOINT_SURFACE) {
        cord__diagnose(
            &scene->errors, s->at->at,
            isnan(p->length)
                ? "on: \"%.40s\" is a disc: give it a length, or wind the cable on it as "
                  "on a drum: {drum: %.40s, side: ...}"
                : "on: \"%.40s\" rotates: give it a pitch, and wind the cable on it as on "
                  "a drum: {drum: %.40s, side: ...}",
            s->pulley, s->pulley);
        return false;
    }
    if (p && (s->kind != CORD_WAYPOINT_DRUM || cord__pulley_rotates(p))) return true;
    cord__diagnose(&scene->errors, s->at->at,
                   p ? "\"%.40s\" does not rotate: nothing can be wound on it"
                     : "\"%.40s\" is not a pulley or a drum",
                   s->pulley);
    return false;
}

static bool resolve_tube(cord_scene *scene, const waypoint_data *s)
{
    if (!cord__require_symbol(scene, s->tube, s->at->at)) return false;
    if (cord__tube_of(scene, s->tube)) return true;
    cord__diagnose(&scene->errors, s->at->at, "\"%.40s\" is not a tube", s->tube);
    return false;
}

/* A location without a keyword is an anchor at an end, and otherwise an eyelet; a pulley needs the side of the
 * cable. */
static bool resolve_location(cord_scene *scene, waypoint_data *s, bool end)
{
    const char *name = s->where.kind == LOCATION_NAME ? s->where.name : NULL;
    if (s->kind == WAYPOINT_LOCATION) s->kind = end ? CORD_WAYPOINT_ANCHOR : CORD_WAYPOINT_EYELET;
    if (name && cord__pulley_of(scene, name)) {
        cord__diagnose(&scene->errors, s->at->at,
                       "\"%.40s\" is a pulley: say how the cable passes it, as in \"over %.40s\"%s",
                       name, name, end ? ", or \"over drum ...\" where it ends there" : "");
        return false;
    }
    return cord__resolve_carried(scene, &s->where);
}

/* A cable passes a pulley once, with any number of turns. */
static bool passes_once(cord_scene *scene, const cable_data *c, int i)
{
    const waypoint_data *s = ITEM(c->route, waypoint_data, i);
    int last = c->route.count - 1, before = i > 0 ? i - 1 : c->closed ? last : i;
    const char *name = before != i ? ITEM(c->route, waypoint_data, before)->pulley : NULL;
    if (!name || !s->pulley || s->kind == CORD_WAYPOINT_SURFACE || strcmp(name, s->pulley) != 0)
        return true;
    cord__diagnose(
        &scene->errors, s->at->at,
        "the cable is on \"%.40s\" already; for another turn write {pulley: %.40s, side: "
        "..., turns: 1} once",
        name, name);
    return false;
}

static bool resolve_route(cord_scene *scene, cable_data *c)
{
    if (!cord__expand_sheaths(scene, c)) return false;
    bool good = true;
    for (int i = 0; i < c->route.count; i++) {
        waypoint_data *s = ITEM(c->route, waypoint_data, i);
        bool end = !c->closed && (i == 0 || i + 1 == c->route.count);
        if (s->kind == CORD_WAYPOINT_FREE) continue;
        if (end && s->pulley && s->kind != CORD_WAYPOINT_SURFACE)
            s->kind = CORD_WAYPOINT_DRUM; /* at an end the cable is wound on the pulley */
        good = (s->tube     ? resolve_tube(scene, s)
                : s->pulley ? resolve_pulley(scene, s)
                            : resolve_location(scene, s, end)) &&
               passes_once(scene, c, i) && good;
        const waypoint_data *first = ITEM(c->route, waypoint_data, 0);
        bool follows = i == 1 && first->kind == CORD_WAYPOINT_SURFACE && c->route.count == 2 &&
                       s->pulley && strcmp(first->pulley, s->pulley) == 0;
        if (s->kind == CORD_WAYPOINT_SURFACE && s->side == SIDE_NONE && !follows) {
            cord__diagnose(&scene->errors, s->at->at,
                           "say in which sense the cable is wound on \"%.40s\": side: "
                           "clockwise or anticlockwise, as seen from the tip of its axis",
                           s->pulley);
            good = false;
        }
        if (s->turns < 0) s->turns = s->kind == CORD_WAYPOINT_DRUM ? 3 : 0;
        if (s->parts == 0) s->parts = c->parts;
    }
    return good;
}

static const guide_data *find_guide(const cable_data *c, const char *name)
{
    for (int i = 0; i < c->guides.count; i++) {
        const guide_data *g = ITEM(c->guides, guide_data, i);
        if (strcmp(g->name, name) == 0) return g;
    }
    return NULL;
}

static bool resolve_node(cord_scene *scene, const cable_data *c, const node_data *n)
{
    const guide_data *g = n->on ? find_guide(c, n->on) : NULL;
    int wanted = g ? cord__guide_coordinates(g) : 3;
    if (n->on && !g) {
        cord__diagnose(&scene->errors, cord__node_get(n->at, "guide")->at,
                       "this cable has no guide called \"%.40s\"", n->on);
        return false;
    }
    if (n->where.count == wanted) return true;
    cord__diagnose(&scene->errors, n->at->at, "a node %s%s has %d coordinate%s (at), not %d",
                   g ? "on a " : "that is free", g ? cord__guide_name(g) : "", wanted,
                   wanted == 1 ? "" : "s", n->where.count);
    return false;
}

static bool resolve_nodes(cord_scene *scene, const cable_data *c)
{
    bool good = true;
    for (int i = 0; i < c->guides.count; i++)
        good = cord__resolve_guide(scene, ITEM(c->guides, guide_data, i)) && good;
    for (int i = 0; i < c->nodes.count; i++)
        good = resolve_node(scene, c, ITEM(c->nodes, node_data, i)) && good;
    for (int i = 0; i < c->wraps.count; i++) {
        const wrap_data *w = ITEM(c->wraps, wrap_data, i);
        const joint_data *j = w->rotates_with ? cord__joint_of(scene, w->rotates_with) : NULL;
        bool unknown = w->rotates_with && !cord__require_symbol(scene, w->rotates_with, w->at->at);
        good = good && !unknown;
        if (unknown) continue;
        const char *unit = j ? cord__joint_unit(j) : NULL;
        bool turns = !w->rotates_with || (unit && strcmp(unit, "rad") == 0);
        if (turns) continue;
        cord__diagnose(&scene->errors, w->at->at, "\"%.40s\" is no pulley or joint that turns",
                       w->rotates_with);
        good = false;
    }
    return good;
}

bool cord__resolve_cables(cord_scene *scene)
{
    bool good = true;
    for (int i = 0; i < scene->data.cables.count; i++) {
        cable_data *c = ITEM(scene->data.cables, cable_data, i);
        good = cord__valid(c->at, resolve_route(scene, c) && resolve_nodes(scene, c)) && good;
    }
    return good;
}

/* ---- locations, and waypoints by name ----------------------------------------------------------------- */

static bool is_at(const waypoint_data *s, const char *name)
{
    if (s->pulley) return strcmp(s->pulley, name) == 0;
    if (s->tube) return strcmp(s->tube, name) == 0;
    bool named = s->where.kind == LOCATION_NAME || s->where.kind == LOCATION_BODY;
    return named && strcmp(s->where.name, name) == 0;
}

bool cord__resolve_on_cable(cord_scene *scene, const location *p, double *along)
{
    *along = p->along;
    if (p->kind == LOCATION_STRAND_LENGTH && p->along >= 0) return true;
    if (p->kind == LOCATION_STRAND_FRACTION && p->along >= 0 && p->along <= 1) return true;
    cord__diagnose(&scene->errors, p->at->at, "\"%.60s\" is off the cable", p->at->text);
    return false;
}

bool cord__resolve_waypoint(cord_scene *scene, const location *p, int *strand, int *index)
{
    const symbol *found = cord__require_symbol(scene, p->name, p->at->at);
    if (!found) return false;
    const cable_data *c = found->kind == SUBJECT_STRAND
                              ? ITEM(scene->data.strands, strand_data, found->index)->cable
                              : NULL;
    if (!c) {
        cord__diagnose(&scene->errors, p->at->at,
                       "\"%.60s\": after the @ comes start, middle, end, a percentage (40%%) or a "
                       "length with its unit (0.12 m)",
                       p->at->text);
        return false;
    }
    *strand = found->index;
    int first = p->waypoint ? 0 : (int)p->along;
    for (*index = first; *index >= 0 && *index < c->route.count; ++*index)
        if (!p->waypoint || is_at(ITEM(c->route, waypoint_data, *index), p->waypoint)) return true;
    cord__diagnose(&scene->errors, p->at->at,
                   "\"%.60s\": %s has no such waypoint; it has %d, counted from 0", p->at->text,
                   p->name, c->route.count);
    return false;
}

const pulley_data *cord__waypoint_pulley(const cord_scene *scene, int strand, int index)
{
    const cable_data *c = ITEM(scene->data.strands, strand_data, strand)->cable;
    const waypoint_data *s = ITEM(c->route, waypoint_data, index);
    return s->pulley ? cord__pulley_of(scene, s->pulley) : NULL;
}
