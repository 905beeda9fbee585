/* The scene format, version 1: the lists and mappings of a scene. */
#include "scene/tables.h"

#include "scene/cables.h"
#include "scene/contacts.h"
#include "scene/controls.h"
#include "scene/controllers.h"
#include "scene/images.h"
#include "scene/include.h"
#include "scene/joints.h"
#include "scene/variables.h"
#include "scene/springs.h"
#include "scene/scenery_shapes.h"

#include <stddef.h>

static const field scene_fields[] = {
    {"cordage", FIELD_INTEGER, offsetof(scene_data, version), true, NULL, "", LIMIT_NONE, NULL,
     "the version of the format: 1"},
    {"include", FIELD_SPECIAL, 0, false, NULL, NULL, LIMIT_NONE, &cord__include_special,
     "other scene files that this one goes on from, relative to this one"},
    {"let", FIELD_SPECIAL, 0, false, NULL, NULL, LIMIT_NONE, &cord__let_special,
     "variables: let: {n: 40} makes $n usable in numbers"},
    {"title", FIELD_TEXT, offsetof(scene_data, title), false, NULL, NULL, LIMIT_NONE, NULL,
     "a few words"},
    {"about", FIELD_TEXT, offsetof(scene_data, about), false, NULL, NULL, LIMIT_NONE, NULL,
     "a paragraph that explains it"},
    {"paper", FIELD_TEXT, offsetof(scene_data, paper), false, NULL, NULL, LIMIT_NONE, NULL,
     "the paper it is from"},
    {"figure", FIELD_TEXT, offsetof(scene_data, figure), false, NULL, NULL, LIMIT_NONE, NULL,
     "the figure there"},
    {"world", FIELD_MAP, offsetof(scene_data, world), false, "{}", NULL, LIMIT_NONE,
     &cord__world_map, "gravity and the method"},
    {"wind", FIELD_MAP, offsetof(scene_data, wind), false, NULL, NULL, LIMIT_NONE, &cord__wind_map,
     "moving air"},
    {"run", FIELD_MAP, offsetof(scene_data, run), false, "{}", NULL, LIMIT_NONE, &cord__run_map,
     "how long, how fine, from where"},
    {"view", FIELD_MAP, offsetof(scene_data, view), false, NULL, NULL, LIMIT_NONE, &cord__view_map,
     "the camera that pictures and pages begin with; it shows every object when it is left out"},
    {"strands", FIELD_LIST, offsetof(scene_data, strands), false, NULL, NULL, LIMIT_NONE,
     &cord__strand_map, "rods, ropes and ribbons"},
    {"bodies", FIELD_LIST, offsetof(scene_data, bodies), false, NULL, NULL, LIMIT_NONE,
     &cord__body_map, "rigid bodies"},
    {"contact", FIELD_MAP, offsetof(scene_data, contact), false, NULL, NULL, LIMIT_NONE,
     &cord__contact_map, "contact with friction, of all strands, bodies and obstacles"},
    {"obstacles", FIELD_LIST, offsetof(scene_data, obstacles), false, NULL, NULL, LIMIT_NONE,
     &cord__obstacle_map, "floors, walls and poles that strands and bodies touch"},
    {"paths", FIELD_LIST, offsetof(scene_data, paths), false, NULL, NULL, LIMIT_NONE,
     &cord__path_map, "curves that points run along"},
    {"points", FIELD_LIST, offsetof(scene_data, points), false, NULL, NULL, LIMIT_NONE,
     &cord__point_map, "named points and coordinates"},
    {"clamps", FIELD_LIST, offsetof(scene_data, clamps), false, NULL, NULL, LIMIT_NONE,
     &cord__clamp_map, "clamps of strands"},
    {"joints", FIELD_LIST, offsetof(scene_data, joints), false, NULL, NULL, LIMIT_NONE,
     &cord__joint_map, "bodies joined to each other and to the world; gears"},
    {"pulleys", FIELD_LIST, offsetof(scene_data, pulleys), false, NULL, NULL, LIMIT_NONE,
     &cord__pulley_map, "pulleys that cables run over"},
    {"drums", FIELD_LIST, offsetof(scene_data, drums), false, NULL, NULL, LIMIT_NONE,
     &cord__drum_map, "drums that cables are wound on"},
    {"tubes", FIELD_LIST, offsetof(scene_data, tubes), false, NULL, NULL, LIMIT_NONE,
     &cord__tube_map, "that cables run through"},
    {"cables", FIELD_LIST, offsetof(scene_data, cables), false, NULL, NULL, LIMIT_NONE,
     &cord__cable_map, "ropes through machines, by their routes"},
    {"springs", FIELD_LIST, offsetof(scene_data, springs), false, NULL, NULL, LIMIT_NONE,
     &cord__spring_map, "between two points, or on a coordinate"},
    {"constraints", FIELD_LIST, offsetof(scene_data, constraints), false, NULL, NULL, LIMIT_NONE,
     &cord__constraint_map, "all other constraints"},
    {"loads", FIELD_LIST, offsetof(scene_data, loads), false, NULL, NULL, LIMIT_NONE,
     &cord__load_map, "forces and torques on points"},
    {"controllers", FIELD_LIST, offsetof(scene_data, controllers), false, NULL, NULL, LIMIT_NONE,
     &cord__controller_map, "PID controllers of measured quantities"},
    {"scenery", FIELD_LIST, offsetof(scene_data, scenery), false, NULL, NULL, LIMIT_NONE,
     &cord__scenery_map, "solids that are only drawn: stands, planks, gears"},
    {"images", FIELD_LIST, offsetof(scene_data, images), false, NULL, NULL, LIMIT_NONE,
     &cord__image_map, "pictures that are shown with the scene"},
    {"live", FIELD_LIST, offsetof(scene_data, live), false, NULL, NULL, LIMIT_NONE,
     &cord__control_map, "numbers that a live page has sliders for, beside the variables of let"},
    {"probes", FIELD_LIST, offsetof(scene_data, probes), false, NULL, NULL, LIMIT_NONE,
     &cord__probe_map, "measured quantities"},
    {"expect", FIELD_LIST, offsetof(scene_data, expectations), false, NULL, NULL, LIMIT_NONE,
     &cord__expect_map, "results the run should have"},
};
const mapping cord__scene_map = {"scene",      "a world, its objects and a run", sizeof(scene_data),
                                 scene_fields, FIELD_COUNT(scene_fields),        NULL};
