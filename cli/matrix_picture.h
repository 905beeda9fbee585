/* A picture of where a matrix has entries. */
#ifndef CORDAGE_CLI_MATRIX_PICTURE_H
#define CORDAGE_CLI_MATRIX_PICTURE_H

#include "bench/baselines/island_matrix.h"

extern const char *const matrix_order_names[MATRIX_ORDERS]; /* for people */

/* As assembled, by reverse Cuthill-McKee and as Cordage eliminates, side by side. */
cord_status matrix_picture(const island_matrix *x, memory *m, const char *path);

#endif
