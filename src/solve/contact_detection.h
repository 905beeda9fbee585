/* Detection of contacts at the start of an attempt: functions that its files share. */
#ifndef CORDAGE_SOLVE_CONTACT_DETECTION_H
#define CORDAGE_SOLVE_CONTACT_DETECTION_H

#include "solve/contacts.h"

/* Room for `count` entries; contents are not kept. */
bool cord__reserve(memory *m, void **array, size_t size, size_t count);
#define RESERVE(m, array, count)                                                                   \
    cord__reserve(m, (void **)&(array), sizeof *(array), (size_t)(count))

/* Positions of all segments and obstacles at q and a time; and of the obstacles alone that no body carries. */
void cord__locate_all(problem *w, contact_set *k, const double *q, double time);
void cord__locate_scripted(const problem *w, contact_set *k, double time);

/* Positions at the expected end of an attempt of length h, then at its start; sets the margin, and returns the displacement. */
double cord__choose_margin(problem *w, contact_set *k, double h);

#endif
