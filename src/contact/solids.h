/* Contacts of two obstacles; the shapes of rigid bodies are obstacles that move.
 *
 * Spheres, capsules, cylinders and boxes are convex solids: their contacts are the overlap of two faces or edges along the axis
 * of least overlap or of separation. Planes, height fields, distance grids and meshes are met by points of the other surface,
 * with their signed distance: corners and points on rims of convex solids, vertices of meshes. */
#ifndef CORDAGE_CONTACT_SOLIDS_H
#define CORDAGE_CONTACT_SOLIDS_H

#include "contact/shapes.h"

#define SOLID_CONTACTS 8 /* at most of one pair */

/* The contacts of two obstacles with gaps up to the margin, at most SOLID_CONTACTS, in the order of their keys; both x are on
 * the surfaces. The last part of a key numbers features of the two shapes, so that it persists while they move little. Two
 * shapes without points, such as a plane and a height field, have none. Without heap calls. */
int cord__solid_contacts(const obstacle *obstacles, int first, int second, double margin,
                         contact *out);

/* ---- broad phase (solid_pairs.c) ------------------------------------------------------------- */

typedef struct solid_pairs {
    int obstacle_capacity, pair_capacity;
    int pair_count; /* of the last call; above the capacity: those beyond it are missing */
    contact_candidate *pairs; /* sorted */
    /* Workspace: bounds in the world, and arrays for sorting obstacles and pairs. */
    double (*low)[3], (*high)[3];
    uint64_t *key, *spare_key;
    int *order, *spare_order;
} solid_pairs;

/* Room for so many; CORD_ERROR_MEMORY, with the present arrays kept, where there is none. */
cord_status cord__solid_pairs_reserve(memory *m, solid_pairs *p, int obstacles, int pairs);
void cord__solid_pairs_release(memory *m, solid_pairs *p);

/* All pairs of obstacles of which one moves, that admit each other by group and mask and that may have a gap up to the
 * margin. CORD_ERROR_MEMORY: the capacities do not suffice (pair_count says how many pairs there are); CORD_ERROR_NOT_FINITE: a
 * position is not a finite number. */
cord_status cord__solid_pairs(const obstacle *obstacles, const bool *moves, int count,
                              double margin, solid_pairs *p);

#endif
