/* Keys of scenes: points and clamps. */
#include "scene/tables.h"

#include <stddef.h>

/* A coordinate has none of the keys of points with a location. */
static bool check_coordinate(reader *r, const point_data *p)
{
    static const char *const others[] = {"offset", "sliding", "end",   "restitution", "mass",
                                         "rate",   "motion",  "orbit", "rotation"};
    bool good = true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        good = cord__refuse(r, p->at, others[i],
                            "is for points with a location (\"at\"), not for coordinates") &&
               good;
    return cord__check_dimension(r, cord__node_get(p->at, "friction"), "friction",
                                 cord__unit_dimension(p->revolute ? "J s" : "N s/m")) &&
           good;
}

static bool finish_point(reader *r, void *item)
{
    point_data *p = item;
    bool in_world = p->where.kind == LOCATION_WORLD, good = true;
    if ((p->where.kind != LOCATION_NONE) + (p->revolute != NULL) + (p->prismatic != NULL) != 1) {
        cord__diagnose(r->errors, p->at->at,
                       "a point needs one of \"at\" (a location), \"revolute\" and \"prismatic\"");
        return false;
    }
    if (p->revolute || p->prismatic) return check_coordinate(r, p);
    if (p->where.kind == LOCATION_NAME) {
        cord__diagnose(
            r->errors, p->where.at->at,
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
        good =
            cord__refuse(r, p->at, moves[i], "only points in the world have a prescribed motion") &&
            good;
    if ((in_world || p->where.kind == LOCATION_BODY) && p->sliding)
        good = cord__refuse(r, p->at, "sliding", "only points on strands and paths slide") && good;
    for (size_t i = 0; !p->sliding && i < sizeof slides / sizeof *slides; i++)
        good = cord__refuse(r, p->at, slides[i], "is for points with sliding: yes") && good;
    good = cord__check_dimension(r, cord__node_get(p->at, "friction"), "friction",
                                 cord__unit_dimension("N s/m")) &&
           good;
    for (int k = 0; in_world && k < 3; k++) p->where.x[k] += p->offset[k];
    return cord__check_script(r, &p->script) && good;
}

static bool finish_measured(reader *r, void *item)
{
    const coordinate_data *g = item;
    return cord__nonzero(r, g->at, "axis", g->axis);
}

static const field coordinate_fields[] = {
    {"of", FIELD_SPECIAL, offsetof(coordinate_data, of), true, NULL, NULL, LIMIT_NONE,
     &cord__location_special, "the moving side: a body, or a point on something that moves"},
    {"reference", FIELD_SPECIAL, offsetof(coordinate_data, reference), false, NULL, NULL,
     LIMIT_NONE, &cord__location_special,
     "the frame it is measured in; default: the world's origin and axes"},
    {"axis", FIELD_VECTOR, offsetof(coordinate_data, axis), false, "[0, 0, 1]", "", LIMIT_NONE,
     NULL, "about or along this direction, in the axes of the reference"},
};
static const mapping revolute_map = {
    "revolute",
    "the angle of a frame about an axis of another, whole turns included",
    sizeof(coordinate_data),
    coordinate_fields,
    FIELD_COUNT(coordinate_fields),
    finish_measured};
static const mapping prismatic_map = {"prismatic",
                                      "the distance of a point from another along an axis",
                                      sizeof(coordinate_data),
                                      coordinate_fields,
                                      FIELD_COUNT(coordinate_fields),
                                      finish_measured};

static const choice ends[] = {
    {"stop", CORD_END_STOP, "an end stop"},
    {"release", CORD_END_RELEASE, "it is released: constraints and loads on it end"},
    {NULL, 0, NULL},
};

static const field point_fields[] = {
    {"name", FIELD_TEXT, offsetof(point_data, name), true, NULL, NULL, LIMIT_NONE, NULL,
     "what others call it"},
    {"at", FIELD_SPECIAL, offsetof(point_data, where), false, NULL, NULL, LIMIT_NONE,
     &cord__location_special, "its location: [x, y, z], or on a strand, a path or a body"},
    {"revolute", FIELD_MAP, offsetof(point_data, revolute), false, NULL, NULL, LIMIT_NONE,
     &revolute_map, "instead of a location: a revolute coordinate, an angle"},
    {"prismatic", FIELD_MAP, offsetof(point_data, prismatic), false, NULL, NULL, LIMIT_NONE,
     &prismatic_map, "instead of a location: a prismatic coordinate, a distance along an axis"},
    {"offset", FIELD_VECTOR, offsetof(point_data, offset), false, "[0, 0, 0]", "m", LIMIT_NONE,
     NULL, "added to it, in the world"},
    {"sliding", FIELD_BOOL, offsetof(point_data, sliding), false, "no", NULL, LIMIT_NONE, NULL,
     "on a strand or a path: whether it may move along"},
    {"friction", FIELD_NUMBER, offsetof(point_data, friction), false, "0", NULL, LIMIT_NOT_NEGATIVE,
     NULL, "of a point with a coordinate: viscous, against the rate, N s/m or N m s"},
    {"mass", FIELD_NUMBER, offsetof(point_data, mass), false, "0", "kg", LIMIT_NOT_NEGATIVE, NULL,
     "sliding: the point is a pearl, a point mass; not with semi-implicit"},
    {"rate", FIELD_NUMBER, offsetof(point_data, rate), false, "0", "m/s", LIMIT_NONE, NULL,
     "of a pearl: its initial rate along the strand or path"},
    {"end", FIELD_CHOICE, offsetof(point_data, end), false, "stop", NULL, LIMIT_NONE, ends,
     "sliding: at an end of the strand or path"},
    {"restitution", FIELD_NUMBER, offsetof(point_data, restitution), false, "0", NULL,
     LIMIT_FRACTION, NULL,
     "sliding: restitution at the end stops, the rate after over the rate before"},
    SCRIPT_FIELDS(point_data),
};
const mapping cord__point_map = {
    "point",
    "a point in the world, fixed or prescribed, on a strand, a path or a body; or a coordinate",
    sizeof(point_data),
    point_fields,
    FIELD_COUNT(point_fields),
    finish_point};

static bool finish_clamp(reader *r, void *item)
{
    const clamp_data *c = item;
    bool on_strand =
        c->where.kind == LOCATION_STRAND_FRACTION || c->where.kind == LOCATION_STRAND_LENGTH;
    if (!on_strand) {
        cord__diagnose(r->errors, c->where.at->at,
                       c->where.kind == LOCATION_BODY
                           ? "a clamp is on a strand; a body is clamped by its own \"clamped: yes\""
                           : "a clamp is on a strand: write rope@start, rope@40%% or rope@0.12 m");
    }
    const char *const turns[] = {"rotation", "direction", "director"};
    for (int i = 0; !c->frame && i < 3; i++) {
        if (!cord__node_get(c->at, turns[i])) continue;
        cord__diagnose(r->errors, cord__node_key_mark(c->at, turns[i]),
                       "a clamp with frame: no prescribes no %s of the strand", turns[i]);
        return false;
    }
    return cord__nonzero(r, c->at, "direction", c->direction) &&
           cord__nonzero(r, c->at, "director", c->director) && cord__check_script(r, &c->script) &&
           on_strand;
}

static const field clamp_fields[] = {
    {"name", FIELD_TEXT, offsetof(clamp_data, name), false, NULL, NULL, LIMIT_NONE, NULL,
     "for probes"},
    {"at", FIELD_SPECIAL, offsetof(clamp_data, where), true, NULL, NULL, LIMIT_NONE,
     &cord__location_special, "where it clamps the strand"},
    {"frame", FIELD_BOOL, offsetof(clamp_data, frame), false, "yes", NULL, LIMIT_NONE, NULL,
     "no: clamps the position only; the strand may rotate"},
    {"direction", FIELD_VECTOR, offsetof(clamp_data, direction), false, NULL, "", LIMIT_NONE, NULL,
     "tangent that it holds, towards the end of the strand; default: as drawn"},
    {"director", FIELD_VECTOR, offsetof(clamp_data, director), false, NULL, "", LIMIT_NONE, NULL,
     "first director that it holds (its part across the tangent); default: as drawn, rotated with "
     "the tangent"},
    SCRIPT_FIELDS(clamp_data),
};
const mapping cord__clamp_map = {
    "clamp",      "clamps a strand where it is drawn", sizeof(clamp_data),
    clamp_fields, FIELD_COUNT(clamp_fields),           finish_clamp};
