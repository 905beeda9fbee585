/* Obstacles of scenes: their keys, their shapes and poses. */
#include "math/rotation.h"
#include "scene/contacts.h"
#include "scene/expand.h"
#include "scene/solids.h"
#include "scene/tables.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const solid_ops *const solids[OBSTACLE_SOLIDS] = {&cord__sphere_solid, &cord__capsule_solid,
                                                         &cord__cylinder_solid, &cord__box_solid,
                                                         &cord__mesh_solid};

static bool finish_plane(reader *r, void *item)
{
    const plane_data *p = item;
    return cord__nonzero(r, p->at, "normal", p->normal);
}

static const field plane_fields[] = {
    {"normal", FIELD_VECTOR, offsetof(plane_data, normal), false, "[0, 0, 1]", "", LIMIT_NONE, NULL,
     "out of the solid half-space"},
};
static const mapping plane_map = {"plane",
                                  "a plane through its position, solid on one side",
                                  sizeof(plane_data),
                                  plane_fields,
                                  FIELD_COUNT(plane_fields),
                                  finish_plane};

static bool finish_moves(reader *r, void *item)
{
    const moves_data *m = item;
    return cord__check_script(r, &m->script);
}

static const field moves_fields[] = {SCRIPT_FIELDS(moves_data)};
static const mapping moves_map = {"moves",      "a prescribed motion",     sizeof(moves_data),
                                  moves_fields, FIELD_COUNT(moves_fields), finish_moves};

static int count_kinds(const obstacle_data *o)
{
    int count = (o->plane != NULL) + (o->heights != NULL) + (o->distances != NULL);
    for (int i = 0; i < OBSTACLE_SOLIDS; i++) count += o->solid[i] != NULL;
    return count;
}

static bool finish_obstacle(reader *r, void *item)
{
    obstacle_data *o = item;
    for (int k = 0; k < 3; k++) o->position[k] += o->offset[k];
    o->surface.at = o->at;
    if (count_kinds(o) != 1) {
        cord__diagnose(r->errors, o->at->at,
                       "an obstacle needs one of plane, sphere, capsule, cylinder, box, mesh, "
                       "heightfield and distance_grid");
        return false;
    }
    if (o->on && o->moves)
        return cord__refuse(r, o->at, "moves",
                            "is for obstacles in the world; this one is on a body");
    return true;
}

#define SOLID_FIELD(key, index, ops)                                                               \
    {                                                                                              \
        key, FIELD_MAP, offsetof(obstacle_data, solid) + (index) * sizeof(void *), false, NULL,    \
            NULL, LIMIT_NONE, &ops.map, "or"                                                       \
    }

static const field obstacle_fields[] = {
    {"name", FIELD_TEXT, offsetof(obstacle_data, name), false, NULL, NULL, LIMIT_NONE, NULL,
     "what others call it"},
    {"plane", FIELD_MAP, offsetof(obstacle_data, plane), false, NULL, NULL, LIMIT_NONE, &plane_map,
     "its shape: one of these"},
    SOLID_FIELD("sphere", 0, cord__sphere_solid),
    SOLID_FIELD("capsule", 1, cord__capsule_solid),
    SOLID_FIELD("cylinder", 2, cord__cylinder_solid),
    SOLID_FIELD("box", 3, cord__box_solid),
    SOLID_FIELD("mesh", 4, cord__mesh_solid),
    {"heightfield", FIELD_MAP, offsetof(obstacle_data, heights), false, NULL, NULL, LIMIT_NONE,
     &cord__height_field_map, "or"},
    {"distance_grid", FIELD_MAP, offsetof(obstacle_data, distances), false, NULL, NULL, LIMIT_NONE,
     &cord__distance_grid_map, "or"},
    {"at", FIELD_VECTOR, offsetof(obstacle_data, position), false, "[0, 0, 0]", "m", LIMIT_NONE,
     NULL, "where the origin of its axes is: in the world, or in the axes of the body it is on"},
    {"offset", FIELD_VECTOR, offsetof(obstacle_data, offset), false, "[0, 0, 0]", "m", LIMIT_NONE,
     NULL, "added to it"},
    {"rotation", FIELD_MAP, offsetof(obstacle_data, rotation), false, NULL, NULL, LIMIT_NONE,
     &cord__orientation_map, "of its axes, likewise"},
    {"on", FIELD_SPECIAL, offsetof(obstacle_data, on), false, NULL, NULL, LIMIT_NONE,
     &cord__reference_special, "the body that carries it"},
    {"moves", FIELD_MAP, offsetof(obstacle_data, moves), false, NULL, NULL, LIMIT_NONE, &moves_map,
     "its prescribed motion; rotations are about its position"},
    {"friction", FIELD_NUMBER, offsetof(obstacle_data, surface.friction), false, NULL, "",
     LIMIT_NOT_NEGATIVE, NULL,
     "with all objects; where both sides have one, the geometric mean counts"},
    {"restitution", FIELD_NUMBER, offsetof(obstacle_data, surface.restitution), false, NULL, "",
     LIMIT_FRACTION, NULL, "likewise"},
    {"material", FIELD_TEXT, offsetof(obstacle_data, surface.material), false, NULL, NULL,
     LIMIT_NONE, NULL, "a name for pairs"},
    {"visible", FIELD_BOOL, offsetof(obstacle_data, visible), false, "yes", NULL, LIMIT_NONE, NULL,
     "whether pages and pictures show it"},
    {"colour", FIELD_SPECIAL, offsetof(obstacle_data, colour), false, NULL, NULL, LIMIT_NONE,
     &cord__colour_special, "in pictures; default: grey"},
    LOOK_FIELD(obstacle_data, "in pictures; auto: plain"),
};
const mapping cord__obstacle_map = {"obstacle",
                                    "a shape that strands and bodies touch",
                                    sizeof(obstacle_data),
                                    obstacle_fields,
                                    FIELD_COUNT(obstacle_fields),
                                    finish_obstacle};

/* ---- definitions ---------------------------------------------------------------------------- */

static void fill_nodes(const sampled_field *f, cord_obstacle_kind kind, cord_obstacle_def *def)
{
    def->kind = kind;
    memcpy(def->count, f->count, sizeof def->count);
    def->spacing = f->spacing;
    def->values = f->nodes;
}

void cord__fill_obstacle(const obstacle_data *o, cord_obstacle_def *def)
{
    if (o->heights) fill_nodes(o->heights, CORD_OBSTACLE_HEIGHT_FIELD, def);
    if (o->distances) fill_nodes(o->distances, CORD_OBSTACLE_DISTANCE_GRID, def);
    for (int i = 0; i < OBSTACLE_SOLIDS; i++) {
        if (!o->solid[i]) continue;
        def->kind = CORD_OBSTACLE_SHAPE;
        solids[i]->fill(o->solid[i], &def->shape);
    }
}

void cord__obstacle_pose(const obstacle_data *o, double position[3], double frame[9])
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    memcpy(frame, identity, sizeof identity);
    v3_copy(position, o->position);
    if (o->plane) {
        v3_normalize(frame + 6, o->plane->normal);
        v3_any_normal(frame, frame + 6);
        if (frame[8] == 1) v3_set(frame, 1, 0, 0);
        v3_cross(frame + 3, frame + 6, frame);
    }
    if (!o->rotation) return;
    double by[3], rotation[9];
    v3_scale(by, o->rotation->angle / v3_norm(o->rotation->axis), o->rotation->axis);
    cord__rotation_exp(rotation, by);
    m3_multiply(frame, rotation, frame);
}
