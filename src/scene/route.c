/* Routes of cables in scenes: phrases ("over sheave"), locations, and mappings with further keys; ranges of pulleys
 * from arrays. */
#include "scene/cables.h"
#include "scene/expand.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- mappings ----------------------------------------------------------------------------- */

static const choice sides[] = {
    {"over", SIDE_OVER, "above a pulley with a level axis, along the direction of the cable"},
    {"under", SIDE_UNDER, "below it"},
    {"left", SIDE_LEFT,
     "the cable passes on the left of an upright pulley, seen along its direction"},
    {"right", SIDE_RIGHT, "on the right of it"},
    {"clockwise", SIDE_CLOCKWISE, "round it clockwise, seen from the tip of its axis"},
    {"anticlockwise", SIDE_ANTICLOCKWISE, "in the other sense"},
    {NULL, 0, NULL},
};

typedef struct side_list {
    const node *at;
    int count, *sides;
} side_list;

static int find_side(const char *word, size_t length)
{
    for (const choice *c = sides; c->name; c++)
        if (strlen(c->name) == length && memcmp(c->name, word, length) == 0) return c->value;
    return SIDE_NONE;
}

static bool read_sides(reader *r, const field *f, const node *n, void *target)
{
    side_list *list = target;
    list->at = n;
    list->count = n->kind == NODE_LIST ? n->count : 1;
    list->sides = TAKE(r->memory, int, list->count);
    bool good = list->sides && list->count > 0;
    for (int i = 0; good && i < list->count; i++) {
        const node *word = n->kind == NODE_LIST ? n->items[i] : n;
        good = word->kind == NODE_SCALAR;
        if (good) list->sides[i] = find_side(word->text, strlen(word->text));
        good = good && list->sides[i] != SIDE_NONE;
    }
    if (good) return true;
    cord__diagnose(r->errors, n->at,
                   "%s: expected over, under, left, right, clockwise or anticlockwise, or a list "
                   "of them",
                   f->key);
    return false;
}

static const special sides_special = {
    "over, under, left, right, clockwise or anticlockwise; for a run of pulleys a list, over and "
    "over again",
    "{\"oneOf\": [{\"type\": \"string\"}, {\"type\": \"array\", \"minItems\": 1, \"items\": "
    "{\"type\": \"string\"}}]}",
    read_sides, NULL};

/* The names of arrays. */
typedef struct name_row {
    int count;
    const char **names;
} name_row;

static bool read_arrays(reader *r, const field *f, const node *n, void *target)
{
    name_row *row = target;
    int count = n->kind == NODE_LIST ? n->count : 1;
    bool good = n->kind != NODE_MAP && count > 0;
    row->names = TAKE(r->memory, const char *, count);
    for (int i = 0; good && row->names && i < count; i++) {
        const node *name = n->kind == NODE_LIST ? n->items[i] : n;
        good = name->kind == NODE_SCALAR;
        row->names[row->count++] = name->text;
    }
    if (good) return row->names != NULL;
    cord__diagnose(r->errors, n->at, "%s: expected the name of an array, or a list of them",
                   f->key);
    return false;
}

static const special arrays_special = {
    "the name of an array, or a list of them",
    "{\"oneOf\": [{\"type\": \"string\"}, {\"type\": \"array\", \"minItems\": 1, \"items\": "
    "{\"type\": \"string\"}}]}",
    read_arrays, NULL};

typedef struct written_waypoint {
    const node *at;
    location anchor, eyelet;
    double free[3];
    const char *pulley, *drum, *tube, *sheath, *on;
    double height, position[3];
    bool prescribed;
    bool reversed;
    name_row pulleys;
    const char *through;
    number_list holes;
    int from, to, turns, parts;
    bool loose;
    wrap_friction_value wrap_friction;
    side_list side;
} written_waypoint;

static const field waypoint_fields[] = {
    {"anchor", FIELD_SPECIAL, offsetof(written_waypoint, anchor), false, NULL, NULL, LIMIT_NONE,
     &cord__location_special, "the cable is attached to this point; first or last"},
    {"eyelet", FIELD_SPECIAL, offsetof(written_waypoint, eyelet), false, NULL, NULL, LIMIT_NONE,
     &cord__location_special, "it runs through this point, and may bend there"},
    {"pulley", FIELD_SPECIAL, offsetof(written_waypoint, pulley), false, NULL, NULL, LIMIT_NONE,
     &cord__reference_special, "it runs round this one, or touches it only while it has to"},
    {"drum", FIELD_SPECIAL, offsetof(written_waypoint, drum), false, NULL, NULL, LIMIT_NONE,
     &cord__reference_special, "it ends on this one; first or last"},
    {"on", FIELD_SPECIAL, offsetof(written_waypoint, on), false, NULL, NULL, LIMIT_NONE,
     &cord__reference_special,
     "it ends on the surface of this pulley, which has a length and does not rotate: first or "
     "last. "
     "It is wound on it and leaves it; or with both ends on it, it is a helix between them"},
    {"tube", FIELD_SPECIAL, offsetof(written_waypoint, tube), false, NULL, NULL, LIMIT_NONE,
     &cord__reference_special, "it runs through this one, in at its start and out at its end"},
    {"sheath", FIELD_SPECIAL, offsetof(written_waypoint, sheath), false, NULL, NULL, LIMIT_NONE,
     &cord__reference_special,
     "it runs through this strand, a casing: eyelets at all its vertices, from its start to its "
     "end"},
    {"reversed", FIELD_BOOL, offsetof(written_waypoint, reversed), false, "no", NULL, LIMIT_NONE,
     NULL, "of a tube or a sheath: in at its end and out at its start"},
    {"free", FIELD_VECTOR, offsetof(written_waypoint, free), false, NULL, "m", LIMIT_NONE, NULL,
     "it passes or ends here at first, and is free"},
    {"pulleys", FIELD_SPECIAL, offsetof(written_waypoint, pulleys), false, NULL, NULL, LIMIT_NONE,
     &arrays_special,
     "it runs round many of an array, from number `from` to number `to`; with several arrays round "
     "one of each in sequence"},
    {"through", FIELD_SPECIAL, offsetof(written_waypoint, through), false, NULL, NULL, LIMIT_NONE,
     &cord__reference_special,
     "it runs through a body: eyelets at the points of `at`; or through many of an array"},
    {"at", FIELD_POINTS, offsetof(written_waypoint, holes), false, NULL, "m", LIMIT_NONE, NULL,
     "of `through`: points in the body's axes, one after the other"},
    {"position", FIELD_VECTOR, offsetof(written_waypoint, position), false, NULL, "m", LIMIT_NONE,
     NULL, "of `on`: where it is at first, in the world: the nearest point of the surface"},
    {"from", FIELD_INTEGER, offsetof(written_waypoint, from), false, "0", "", LIMIT_NOT_NEGATIVE,
     NULL, "of arrays: the first"},
    {"to", FIELD_INTEGER, offsetof(written_waypoint, to), false, "0", "", LIMIT_NOT_NEGATIVE, NULL,
     "of arrays: the last; less than `from`: backwards"},
    {"side", FIELD_SPECIAL, offsetof(written_waypoint, side), false, NULL, NULL, LIMIT_NONE,
     &sides_special, "of pulleys: on which side it passes"},
    {"turns", FIELD_INTEGER, offsetof(written_waypoint, turns), false, NULL, "", LIMIT_NOT_NEGATIVE,
     NULL, "of pulleys: whole turns more than it needs; default: none, on a drum 3"},
    {"height", FIELD_NUMBER, offsetof(written_waypoint, height), false, "0 m", "m", LIMIT_NONE,
     NULL,
     "of a pulley with a groove: where the middle of the cable on it is at first, along the axis "
     "from the middle of the pulley; of a drum where the cable leaves it"},
    {"prescribed", FIELD_BOOL, offsetof(written_waypoint, prescribed), false, "no", NULL,
     LIMIT_NONE, NULL,
     "of `on` at both ends: this end stays where it is; default: it slides over the surface"},
    {"loose", FIELD_BOOL, offsetof(written_waypoint, loose), false, "no", NULL, LIMIT_NONE, NULL,
     "of a drum: the end is not attached to it, and runs off with the last turn"},
    {"wrap_friction", FIELD_SPECIAL, offsetof(written_waypoint, wrap_friction), false, NULL, NULL,
     LIMIT_NONE, &cord__wrap_friction_special,
     "of a pulley, for this cable; default: that of the pulley"},
    {"parts", FIELD_INTEGER, offsetof(written_waypoint, parts), false, NULL, "", LIMIT_ELEMENTS,
     NULL,
     "of the straight part to the next waypoint, so that it can sag and swing; default: the "
     "cable's"},
};

static bool finish_waypoint(reader *r, void *item)
{
    const written_waypoint *w = item;
    static const char *const kinds[] = {"anchor",  "eyelet",  "pulley", "drum",   "free",
                                        "pulleys", "through", "tube",   "sheath", "on"};
    int given = 0;
    bool good = true, on_pulley = w->pulley || w->drum || w->pulleys.count > 0;
    bool round = on_pulley || w->on;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        given += cord__node_get(w->at, kinds[i]) != NULL;
    if (given != 1) {
        cord__diagnose(
            r->errors, w->at->at,
            "a waypoint is one of anchor, eyelet, pulley, drum, tube, sheath, free, pulleys, "
            "through and on");
        return false;
    }
    if (on_pulley && w->side.count == 0) {
        cord__diagnose(r->errors, w->at->at,
                       "say on which side the cable passes the pulley: side: over, under, left, "
                       "right, clockwise or anticlockwise");
        good = false;
    }
    static const char *const pulley_keys[] = {"wrap_friction", "height", "side", "turns"},
                             *const runs[] = {"from", "to"};
    for (int i = 0; i < (round ? 2 : 4) && !on_pulley; i++) {
        if (!cord__node_get(w->at, pulley_keys[i])) continue;
        cord__diagnose(r->errors, cord__node_key_mark(w->at, pulley_keys[i]),
                       "%s: is for pulleys and drums only", pulley_keys[i]);
        good = false;
    }
    if (w->loose && !w->drum) {
        cord__diagnose(
            r->errors, cord__node_key_mark(w->at, "loose"),
            "loose: is for drums only; an end that is tied to nothing is {free: [x, y, z]}");
        good = false;
    }
    for (int i = 0; i < 2 && w->pulleys.count == 0 && !w->through; i++) {
        if (!cord__node_get(w->at, runs[i])) continue;
        cord__diagnose(r->errors, cord__node_key_mark(w->at, runs[i]),
                       "%s: is for a run of pulleys of an array", runs[i]);
        good = false;
    }
    if (!w->tube && !w->sheath && cord__node_get(w->at, "reversed")) {
        cord__diagnose(r->errors, cord__node_key_mark(w->at, "reversed"),
                       "reversed: is for tubes and sheaths only");
        good = false;
    }
    if (w->prescribed && !w->on) {
        cord__diagnose(r->errors, cord__node_key_mark(w->at, "prescribed"),
                       "prescribed: is for ends on a cylinder (on); another end is anchored where "
                       "it is named: {anchor: ...}");
        good = false;
    }
    if ((w->on != NULL) != (cord__node_get(w->at, "position") != NULL)) {
        cord__diagnose(r->errors, w->at->at,
                       "on: and position: go together: a pulley with a length, and a point of its "
                       "surface");
        good = false;
    }
    if ((w->through != NULL) != (w->holes.count > 0)) {
        cord__diagnose(r->errors, w->at->at,
                       "through: and at: go together: a body, and its holes one after the other");
        good = false;
    }
    if (w->pulleys.count > 0 && !cord__node_get(w->at, "to")) {
        cord__diagnose(r->errors, w->at->at, "a run of pulleys needs \"to\": the last number");
        good = false;
    }
    if (w->pulleys.count == 0 && w->side.count > 1) {
        cord__diagnose(r->errors, w->side.at->at, "one pulley is passed on one side");
        good = false;
    }
    return good;
}

static const mapping waypoint_map = {
    "waypoint",
    "an object that a cable passes; \"over sheave\" is short for {pulley: sheave, side: over}",
    sizeof(written_waypoint),
    waypoint_fields,
    FIELD_COUNT(waypoint_fields),
    finish_waypoint};

/* ---- from entries to waypoints ------------------------------------------------------------ */

typedef struct waypoint_list {
    int count, capacity;
    waypoint_data *waypoints;
} waypoint_list;

static waypoint_data *add_waypoint(reader *r, waypoint_list *list, const node *n, int kind)
{
    if (list->count == list->capacity) {
        int more = 2 * list->capacity + 8;
        waypoint_data *grown = TAKE(r->memory, waypoint_data, more);
        if (!grown) return NULL;
        if (list->count) memcpy(grown, list->waypoints, (size_t)list->count * sizeof *grown);
        list->waypoints = grown, list->capacity = more;
    }
    waypoint_data *s = &list->waypoints[list->count++];
    *s = (waypoint_data){.at = n, .kind = kind, .turns = -1};
    return s;
}

/* The pulleys of an array; the list of sides is repeated cyclically. */
static bool add_run(reader *r, waypoint_list *list, const node *n, const written_waypoint *w)
{
    int direction = w->to < w->from ? -1 : 1, arrays = w->pulleys.count;
    int count = abs(w->to - w->from) + 1;
    if (count > EXPAND_MAX_NODES / arrays) {
        cord__diagnose(r->errors, n->at, "so many pulleys are too many");
        return false;
    }
    for (int i = 0; i < count * arrays; i++) {
        waypoint_data *s = add_waypoint(r, list, n, CORD_WAYPOINT_PULLEY);
        if (!s) return false;
        s->pulley = cord__arena_print(r->memory, "%s[%d]", w->pulleys.names[i % arrays],
                                      w->from + i / arrays * direction);
        s->side = w->side.sides[i % w->side.count];
        s->parts = w->parts, s->wrap_friction = w->wrap_friction, s->height = w->height;
        if (cord__node_get(n, "turns")) s->turns = w->turns;
        if (!s->pulley) return false;
    }
    return true;
}

static bool add_eyelets(reader *r, waypoint_list *list, const node *n, const written_waypoint *w,
                        const char *body)
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (int i = 0; i < w->holes.count; i += 3) {
        waypoint_data *s = add_waypoint(r, list, n, CORD_WAYPOINT_EYELET);
        if (!s) return false;
        s->where = (location){.at = n, .kind = LOCATION_BODY, .name = body};
        memcpy(s->where.x, w->holes.values + i, sizeof s->where.x);
        memcpy(s->where.frame, identity, sizeof identity);
        s->parts = w->parts;
    }
    return true;
}

/* Eyelets in one body, or in the bodies of an array. */
static bool add_through(reader *r, waypoint_list *list, const node *n, const written_waypoint *w)
{
    if (!cord__node_get(n, "to")) return add_eyelets(r, list, n, w, w->through);
    int direction = w->to < w->from ? -1 : 1, count = abs(w->to - w->from) + 1;
    bool good = count <= EXPAND_MAX_NODES;
    for (int i = 0; good && i < count; i++) {
        const char *body =
            cord__arena_print(r->memory, "%s[%d]", w->through, w->from + i * direction);
        good = body && add_eyelets(r, list, n, w, body);
    }
    return good;
}

static bool add_written(reader *r, waypoint_list *list, const node *n)
{
    written_waypoint w = {0};
    if (!cord__read_mapping(r, &waypoint_map, n, &w)) return false;
    if (w.through) return add_through(r, list, n, &w);
    if (w.pulleys.count > 0) return add_run(r, list, n, &w);
    bool anchor = w.anchor.kind != LOCATION_NONE, eyelet = w.eyelet.kind != LOCATION_NONE;
    int kind = anchor     ? CORD_WAYPOINT_ANCHOR
               : eyelet   ? CORD_WAYPOINT_EYELET
               : w.pulley ? CORD_WAYPOINT_PULLEY
               : w.drum   ? CORD_WAYPOINT_DRUM
               : w.tube   ? CORD_WAYPOINT_TUBE
               : w.sheath ? WAYPOINT_SHEATH
               : w.on     ? CORD_WAYPOINT_SURFACE
                          : CORD_WAYPOINT_FREE;
    waypoint_data *s = add_waypoint(r, list, n, kind);
    if (!s) return false;
    s->where = anchor ? w.anchor : w.eyelet;
    memcpy(s->free, w.on ? w.position : w.free, sizeof s->free);
    s->pulley = w.pulley ? w.pulley : w.drum ? w.drum : w.on;
    s->tube = w.tube, s->sheath = w.sheath, s->reversed = w.reversed;
    s->side = w.side.count ? w.side.sides[0] : SIDE_NONE;
    s->parts = w.parts, s->wrap_friction = w.wrap_friction;
    if (cord__node_get(n, "turns")) s->turns = w.turns;
    s->loose = w.loose, s->height = w.height, s->prescribed = w.prescribed;
    return true;
}

/* ---- phrases ------------------------------------------------------------------------------ */

/* Skips a word and the blanks after it, if more text follows. */
static bool take_word(const char **text, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(*text, word, length) != 0 || !isspace((unsigned char)(*text)[length])) return false;
    *text += length;
    while (isspace((unsigned char)**text)) (*text)++;
    return **text != 0;
}

static bool location_of(reader *r, waypoint_data *s, const node *n, const char *text)
{
    static const field f = {.key = "route"};
    node *word = cord__node_scalar(r->memory, n->at, text);
    return word && cord__location_special.read(r, &f, word, &s->where);
}

/* "over sheave", "left of column", "clockwise round drum winch", "under pulley A". */
static bool add_pulley(reader *r, waypoint_list *list, const node *n, int side, const char *rest)
{
    static const char *const fill[] = {"of", "round", "around", "pulley", "wheel"};
    bool drum = false;
    for (size_t i = 0; i < sizeof fill / sizeof *fill; i++) take_word(&rest, fill[i]);
    drum = take_word(&rest, "drum");
    waypoint_data *s = add_waypoint(r, list, n, drum ? CORD_WAYPOINT_DRUM : CORD_WAYPOINT_PULLEY);
    if (!s) return false;
    s->side = side;
    return cord__read_reference(r, n, rest, &s->pulley);
}

/* "through tube liner", "back through sheath casing". */
static bool add_passage(reader *r, waypoint_list *list, const node *n, bool tube, bool reversed,
                        const char *rest)
{
    waypoint_data *s = add_waypoint(r, list, n, tube ? CORD_WAYPOINT_TUBE : WAYPOINT_SHEATH);
    if (!s) return false;
    s->reversed = reversed;
    return cord__read_reference(r, n, rest, tube ? &s->tube : &s->sheath);
}

static bool add_words(reader *r, waypoint_list *list, const node *n)
{
    const char *rest = n->text;
    bool back = take_word(&rest, "back");
    if (take_word(&rest, "through")) {
        bool tube = take_word(&rest, "tube");
        if (tube || take_word(&rest, "sheath")) return add_passage(r, list, n, tube, back, rest);
    }
    rest = n->text;
    if (take_word(&rest, "around") || take_word(&rest, "round")) {
        cord__diagnose(r->errors, n->at,
                       "\"%.60s\" does not say on which side: write \"over %.40s\", \"under\", "
                       "\"left of\", \"right of\", \"clockwise round\" or \"anticlockwise round\", "
                       "and {pulley: %.40s, side: over, turns: 1} for a whole turn more",
                       n->text, rest, rest);
        return false;
    }
    for (const choice *c = sides; c->name; c++)
        if (take_word(&rest, c->name)) return add_pulley(r, list, n, c->value, rest);
    int kind = take_word(&rest, "anchor")   ? CORD_WAYPOINT_ANCHOR
               : take_word(&rest, "eyelet") ? CORD_WAYPOINT_EYELET
                                            : WAYPOINT_LOCATION;
    waypoint_data *s = add_waypoint(r, list, n, kind);
    return s && location_of(r, s, n, rest);
}

/* A location without a keyword. */
static bool add_location(reader *r, waypoint_list *list, const node *n)
{
    static const field f = {.key = "route"};
    waypoint_data *s = add_waypoint(r, list, n, WAYPOINT_LOCATION);
    return s && cord__location_special.read(r, &f, n, &s->where);
}

static bool read_route(reader *r, const field *f, const node *n, void *target)
{
    waypoint_list list = {0};
    bool good = true;
    if (n->kind != NODE_LIST || n->count < 2) {
        cord__diagnose(r->errors, n->at, "%s: expected %s", f->key, cord__route_special.what);
        return false;
    }
    for (int i = 0; i < n->count; i++) {
        const node *item = n->items[i];
        bool by_itself = item->kind == NODE_LIST || cord__node_get(item, "body");
        bool read = by_itself                   ? add_location(r, &list, item)
                    : item->kind == NODE_SCALAR ? add_words(r, &list, item)
                                                : add_written(r, &list, item);
        good = read && good;
    }
    *(item_list *)target = (item_list){list.count, list.waypoints};
    return good;
}

const special cord__route_special = {
    "a list of two waypoints or more: locations, \"over PULLEY\", \"under PULLEY\", \"left of "
    "PULLEY\", "
    "\"under drum DRUM\", \"through tube TUBE\", "
    "\"through sheath STRAND\", ..., or mappings, below",
    "{\"type\": \"array\", \"minItems\": 2, \"items\": {\"type\": [\"string\", \"array\", "
    "\"object\"]}}",
    read_route, &waypoint_map};
