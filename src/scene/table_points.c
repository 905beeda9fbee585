/* Keys of scenes: points and clamps. */
#include "scene/tables.h"

#include <stddef.h>

/* One of at, turn and travel; keys of the others are refused. */
static bool finish_coordinate(reader *r, const point_data *p)
{
    static const char *const others[] = {"offset", "sliding", "end",   "restitution", "mass",
                                         "rate",   "motion",  "orbit", "rotation"};
    bool good = true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        good = cord__refuse(r, p->at, others[i], "is for points that are places") && good;
    return cord__check_dimension(r, cord__node_get(p->at, "friction"), "friction",
                                 cord__unit_dimension(p->turn ? "J s" : "N s/m")) &&
           good;
}

static bool finish_point(reader *r, void *item)
{
    point_data *p = item;
    bool in_world = p->where.kind == PLACE_WORLD, good = true;
    if ((p->where.kind != PLACE_NONE) + (p->turn != NULL) + (p->travel != NULL) != 1) {
        cord__complain(r->complaints, p->at->at,
                       "a point needs one of \"at\" (a place), \"turn\" and \"travel\"");
        return false;
    }
    if (p->turn || p->travel) return finish_coordinate(r, p);
    if (p->where.kind == PLACE_NAME) {
        cord__complain(
            r->complaints, p->where.at->at,
            "a point is [x, y, z], on a strand or path (rope@start, rope@40%% or rope@0.12 m), or "
            "on a body: {body: bob}");
        return false;
    }
    static const char *const moves[] = {"motion", "orbit", "rotation", "ease"}, *const slides[] = {
                                                                                    "friction",
                                                                                    "restitution",
                                                                                    "mass", "rate",
                                                                                    "end"};
    for (size_t i = 0; !in_world && i < sizeof moves / sizeof *moves; i++)
        good = cord__refuse(r, p->at, moves[i], "only points in the world go by a script") && good;
    if ((in_world || p->where.kind == PLACE_BODY) && p->sliding)
        good = cord__refuse(r, p->at, "sliding", "only points on strands and paths slide") && good;
    for (size_t i = 0; !p->sliding && i < sizeof slides / sizeof *slides; i++)
        good = cord__refuse(r, p->at, slides[i], "is for points with sliding: yes") && good;
    good = cord__check_dimension(r, cord__node_get(p->at, "friction"), "friction",
                                 cord__unit_dimension("N s/m")) &&
           good;
    for (int k = 0; in_world && k < 3; k++) p->where.x[k] += p->offset[k];
    return cord__check_script(r, &p->script) && good;
}

static bool finish_gauge(reader *r, void *item)
{
    const gauge_data *g = item;
    return cord__nonzero(r, g->at, "axis", g->axis);
}

static const field gauge_fields[] = {
    {"of", FIELD_SPECIAL, offsetof(gauge_data, of), true, NULL, NULL, LIMIT_NONE,
     &cord__place_special, "what turns or travels: a body, or a place on something that moves"},
    {"against", FIELD_SPECIAL, offsetof(gauge_data, against), false, NULL, NULL, LIMIT_NONE,
     &cord__place_special, "against what; default: the world's origin and axes"},
    {"axis", FIELD_VECTOR, offsetof(gauge_data, axis), false, "[0, 0, 1]", "", LIMIT_NONE, NULL,
     "about or along this direction, in the axes of what it is against"},
};
static const mapping turn_map = {"turn",
                                 "how far something has turned, whole rounds included",
                                 sizeof(gauge_data),
                                 gauge_fields,
                                 FIELD_COUNT(gauge_fields),
                                 finish_gauge};
static const mapping travel_map = {"travel",
                                   "how far something is from something else along an axis",
                                   sizeof(gauge_data),
                                   gauge_fields,
                                   FIELD_COUNT(gauge_fields),
                                   finish_gauge};

static const choice ends[] = {
    {"stop", CORD_END_STOP, "it goes no further"},
    {"release", CORD_END_RELEASE, "it slips off, and constraints and loads on it end"},
    {NULL, 0, NULL},
};

static const field point_fields[] = {
    {"name", FIELD_TEXT, offsetof(point_data, name), true, NULL, NULL, LIMIT_NONE, NULL,
     "what others call it"},
    {"at", FIELD_SPECIAL, offsetof(point_data, where), false, NULL, NULL, LIMIT_NONE,
     &cord__place_special, "where it is: [x, y, z], or a place on a strand, a path or a body"},
    {"turn", FIELD_MAP, offsetof(point_data, turn), false, NULL, NULL, LIMIT_NONE, &turn_map,
     "instead of a place, a coordinate: how far something has turned"},
    {"travel", FIELD_MAP, offsetof(point_data, travel), false, NULL, NULL, LIMIT_NONE, &travel_map,
     "likewise: how far it is along an axis"},
    {"offset", FIELD_VECTOR, offsetof(point_data, offset), false, "[0, 0, 0]", "m", LIMIT_NONE,
     NULL, "added to it, in the world"},
    {"sliding", FIELD_BOOL, offsetof(point_data, sliding), false, "no", NULL, LIMIT_NONE, NULL,
     "on a strand or a path: whether it may move along"},
    {"friction", FIELD_NUMBER, offsetof(point_data, friction), false, "0", NULL, LIMIT_NOT_NEGATIVE,
     NULL, "of what slides, turns or travels: what acts against the rate, N s/m or N m s"},
    {"mass", FIELD_NUMBER, offsetof(point_data, mass), false, "0", "kg", LIMIT_NOT_NEGATIVE, NULL,
     "sliding: the point is a pearl, a mass in its place; not with semi-implicit"},
    {"rate", FIELD_NUMBER, offsetof(point_data, rate), false, "0", "m/s", LIMIT_NONE, NULL,
     "of a pearl: how fast it moves along at first"},
    {"end", FIELD_CHOICE, offsetof(point_data, end), false, "stop", NULL, LIMIT_NONE, ends,
     "sliding: what becomes of it at an end of the strand or path"},
    {"restitution", FIELD_NUMBER, offsetof(point_data, restitution), false, "0", NULL,
     LIMIT_FRACTION, NULL, "sliding: the part of its rate that a stop at an end leaves"},
    SCRIPT_FIELDS(point_data),
};
const mapping cord__point_map = {
    "point",
    "a place in the world, still or moving, or on a strand, a path or a body; or a coordinate",
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
    return cord__check_script(r, &c->script) && on_strand;
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
const mapping cord__clamp_map = {
    "clamp",      "holds a strand where it is drawn", sizeof(clamp_data),
    clamp_fields, FIELD_COUNT(clamp_fields),          finish_clamp};
