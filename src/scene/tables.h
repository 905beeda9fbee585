/* The tables of the scene format: one mapping for each kind of object, and their shared parts. */
#ifndef CORDAGE_SCENE_TABLES_H
#define CORDAGE_SCENE_TABLES_H

#include "scene/scene_data.h"

extern const mapping cord__world_map, cord__wind_map, cord__run_map, cord__view_map,
    cord__strand_map, cord__body_map, cord__point_map, cord__clamp_map, cord__constraint_map,
    cord__load_map, cord__probe_map, cord__expect_map;
extern const mapping cord__orientation_map; /* rotation_data */

/* Keys of functions of time (table_keys.c). */
extern const mapping cord__motion_map, cord__rotation_map, cord__orbit_map, cord__drive_map,
    cord__load_key_map, cord__torque_key_map, cord__along_key_map;
extern const choice cord__eases[];

/* Checks a number, or each of a list, for these powers of metre, kilogram and second; radians are optional. `n`
 * NULL: not specified. */
bool cord__check_dimension(reader *r, const node *n, const char *key, dimension wanted);
/* The unit of a coordinate (m or rad), or of the force on it (N or N m), times a power of a second. */
dimension cord__unit_of(const char *unit, int seconds);
dimension cord__unit_ratio(const char *unit, const char *by, int seconds);

/* Checks that a specified direction is not zero. */
bool cord__nonzero(reader *r, const node *at, const char *key, const double *v);
/* True if the key is absent; otherwise diagnoses it, with the reason. */
bool cord__refuse(reader *r, const node *at, const char *key, const char *why);
/* Checks that keys, structs of this size, are in the order of their times. */
bool cord__ascending(reader *r, const item_list *list, size_t size);
/* Checks units that depend on the kinds of coordinates (table_constraints.c). */
bool cord__check_coordinates(cord_scene *scene, const constraint_data *d);
bool cord__check_load(cord_scene *scene, const load_data *d);
bool cord__check_script(reader *r, const script_data *s);

#define TIME_FIELD(type)                                                                           \
    {                                                                                              \
        "t", FIELD_NUMBER, offsetof(type, t), true, NULL, "s", LIMIT_NONE, NULL, "when"            \
    }
#define EASE_FIELD(type, member)                                                                   \
    {                                                                                              \
        "ease", FIELD_CHOICE, offsetof(type, member), false, "smooth", NULL, LIMIT_NONE,           \
            cord__eases, "how it goes from key to key"                                             \
    }

#define SCRIPT_FIELDS(type)                                                                        \
    {"motion",   FIELD_LIST,        offsetof(type, script.motion), false, NULL, NULL,              \
     LIMIT_NONE, &cord__motion_map, "where it goes: keys {t, by}"},                                \
        {"orbit",    FIELD_MAP,        offsetof(type, script.orbit), false, NULL, NULL,            \
         LIMIT_NONE, &cord__orbit_map, "or round in a circle"},                                    \
        {"rotation",                                                                               \
         FIELD_LIST,                                                                               \
         offsetof(type, script.rotation),                                                          \
         false,                                                                                    \
         NULL,                                                                                     \
         NULL,                                                                                     \
         LIMIT_NONE,                                                                               \
         &cord__rotation_map,                                                                      \
         "its prescribed rotation: keys {t, axis, angle}"},                                        \
        EASE_FIELD(type, script.ease)

#endif
