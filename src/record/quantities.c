#include "record/quantities.h"

#include "math/rotation.h"

#include <string.h>

const quantity_info cord__quantities[QUANTITY_COUNT] = {
    [QUANTITY_POSITIONS] = {"positions", "m", 3, false, false},
    [QUANTITY_VELOCITIES] = {"velocities", "m/s", 3, false, false},
    [QUANTITY_FRAMES] = {"frames", "", 6, true, true},
    [QUANTITY_TENSIONS] = {"tensions", "N", 1, true, true},
    [QUANTITY_CURVATURES] = {"curvatures", "1/m", 3, false, true},
};

/* The second director is the product of the others. */
static void drop_second_directors(int edge_count, double *values)
{
    for (ptrdiff_t e = 0; e < edge_count; e++) {
        memmove(values + 6 * e, values + 9 * e, 6 * sizeof *values);
    }
}

cord_status cord__strand_row(const cord_scene *scene, cord_world *world, int strand, quantity what,
                             int edge_count, double *values)
{
    cord_strand handle = cord_scene_get_strand(scene, strand);
    cord_status status = CORD_ERROR_UNSUPPORTED;
    switch (what) {
    case QUANTITY_POSITIONS: return cord_strand_get_positions(world, handle, values);
    case QUANTITY_VELOCITIES: return cord_strand_get_velocities(world, handle, values);
    case QUANTITY_TENSIONS: return cord_strand_get_tensions(world, handle, values);
    case QUANTITY_CURVATURES: return cord_strand_get_curvatures(world, handle, values);
    case QUANTITY_FRAMES:
        status = cord_strand_get_frames(world, handle, values);
        if (status == CORD_OK) drop_second_directors(edge_count, values);
        return status;
    case QUANTITY_COUNT: break;
    }
    return status;
}

const body_quantity_info cord__body_quantities[BODY_QUANTITY_COUNT] = {
    [BODY_POSITION] = {"position", 3, 0},
    [BODY_ROTATION] = {"rotation", 4, 3},
    [BODY_VELOCITY] = {"velocity", 3, 7},
    [BODY_ANGULAR_VELOCITY] = {"angular_velocity", 3, 10},
};

cord_status cord__body_row(const cord_scene *scene, cord_world *world, int solid,
                           double row[BODY_ROW])
{
    double frame[9];
    cord_status status =
        cord_scene_get_solid_motion(scene, world, solid, row, frame, row + 7, row + 10);
    if (status == CORD_OK) cord__rotation_quaternion(row + 3, frame);
    return status;
}

const char *const cord__energy_names[ENERGY_COUNT] = {
    "kinetic", "gravity", "stretching", "bending", "twisting", "constraints", "total"};

const table_column cord__strand_columns[] = {{"vertices", 1},
                                             {"edges", 1},
                                             {"closed", 1},
                                             {"length", 1},
                                             {"mass", 1},
                                             {"section", 5},
                                             {"recorded", QUANTITY_COUNT},
                                             {NULL, 0}};

const table_column cord__body_columns[] = {{"mass", 1}, {"center", 3}, {"moments", 3}, {"axes", 9},
                                           {"size", 5}, {"colour", 3}, {NULL, 0}};

const table_column cord__probe_columns[] = {{"items", 1}, {"columns", 1}, {NULL, 0}};
