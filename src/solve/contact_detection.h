/* Detection of contacts at the start of an attempt: functions that its files share. */
#ifndef CORDAGE_SOLVE_CONTACT_DETECTION_H
#define CORDAGE_SOLVE_CONTACT_DETECTION_H

#include "solve/contacts.h"

/* Room for `count` entries; contents are undefined. */
bool cord__reserve(memory *m, void **array, size_t size, size_t count);
#define RESERVE(m, array, count)                                                                   \
    cord__reserve(m, (void **)&(array), sizeof *(array), (size_t)(count))

/* Positions of all segments and obstacles at q and a time; and of the obstacles alone that no body carries. */
void cord__locate_all(problem *w, contact_set *k, const double *q, double time);
void cord__locate_scripted(const problem *w, contact_set *k, double time);

/* The part of a block's cache that positions in contact are found from. */
void cord__refresh_positions(const block *b, const double *q, double *cache);

/* ---- contact_margin.c -------------------------------------------------------------------------- */

/* Positions at the expected end of an attempt of length h, then at its start; allowances, the margin, and bounds. */
void cord__expect_motion(problem *w, contact_set *k, double h);
/* Whether the bounds of the attempt are within those of the last broad phase; and bounds for one that serves for some attempts. */
bool cord__within_boxes(const contact_set *k);
void cord__widen_boxes(contact_set *k);
/* Whether two segments, or a segment and an obstacle, may come into contact in the attempt. `normal` is then the direction of the
 * distance of the segments at its start. */
bool cord__may_touch(const contact_set *k, int first, int second, double normal[3]);
bool cord__may_touch_obstacle(const contact_set *k, int segment, int index);
/* With positions at the trial: whether a segment and an obstacle may have been in contact in the attempt. */
bool cord__may_have_touched_obstacle(const contact_set *k, int segment, int index);

/* ---- contact_pairs.c --------------------------------------------------------------------------- */

/* With positions at the trial, and bounds and allowances that contain its deviations: whether pairs that the attempt did not have
 * touch or passed through each other. True where there is no memory to find out. */
bool cord__misses_pairs(contact_set *k, memory *m);

#endif
