#include "record/quantities.h"

#include "math/rotation.h"

const quantity_info cord__quantities[QUANTITY_COUNT] = {
    [QUANTITY_POSITIONS] = {"positions", "m", 3, false, false},
    [QUANTITY_VELOCITIES] = {"velocities", "m/s", 3, false, false},
    [QUANTITY_FRAMES] = {"frames", "", 6, true, true},
    [QUANTITY_TENSIONS] = {"tensions", "N", 1, true, true},
    [QUANTITY_CURVATURES] = {"curvatures", "1/m", 3, false, true},
};

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
        cord_scene_solid_motion(scene, world, solid, row, frame, row + 7, row + 10);
    if (status == CORD_OK) cord__rotation_quaternion(row + 3, frame);
    return status;
}

const char *const cord__energy_names[ENERGY_COUNT] = {
    "kinetic", "gravity", "stretching", "bending", "twisting", "relations", "total"};
