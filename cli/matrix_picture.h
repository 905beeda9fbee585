/* A picture of the sparsity pattern of a matrix. */
#ifndef CORDAGE_CLI_MATRIX_PICTURE_H
#define CORDAGE_CLI_MATRIX_PICTURE_H

#include "bench/baselines/cluster_matrix.h"

extern const char *const matrix_order_names[MATRIX_ORDERS]; /* for display */

/* The three elimination orders side by side. */
cord_status matrix_picture(const cluster_matrix *x, memory *m, const char *path);

#endif
