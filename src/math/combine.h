/* Linear combinations of arrays. */
#ifndef CORDAGE_MATH_COMBINE_H
#define CORDAGE_MATH_COMBINE_H

/* to = Σ factor[k] from[k], k < 4, over `count` values; terms after the first two may be NULL, and `to` may be one of them. */
void cord__combine(int count, const double factor[4], const double *const from[4], double *to);

#endif
