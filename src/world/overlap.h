/* Overlaps of surfaces before the first step, for advice. */
#ifndef CORDAGE_WORLD_OVERLAP_H
#define CORDAGE_WORLD_OVERLAP_H

#include <cordage/cordage.h>

/* The contact whose surfaces overlap most, of those that overlap by more than a hundredth of a strand's radius, and how many
 * there are. Position, normal and gap are set. */
cord_status cord__find_overlaps(cord_world *w, cord_contact *worst, int *count);

#endif
