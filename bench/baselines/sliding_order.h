/* Renumbering of the rows of a sliding constraint in an elimination order, when its point crosses an
 * element boundary [MICADO 2008, sec. 7.1]: "because of the look-up vector, this can be done in
 * O(1)". The rest of the order stays. */
#ifndef CORDAGE_BENCH_BASELINES_SLIDING_ORDER_H
#define CORDAGE_BENCH_BASELINES_SLIDING_ORDER_H

/* Moves the unknowns of a sliding constraint (its multipliers and the coordinate) to the middle of
 * the `neighbours` unknowns of the strand that it couples. `order` and its inverse change between the
 * old position and the new one only, so that the cost depends on the length of the move and not on
 * the number of all unknowns. Returns the number of entries of `order` that were written. */
int cord__renumber_sliding(int count, const int *unknown, int neighbours, const int *neighbour,
                           int *order, int *inverse);

#endif
