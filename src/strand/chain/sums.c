/* Sums over the Gauss nodes of an element. Inertia, gravity and drag are forces f at the Gauss nodes. The geometric
 * stiffness of an element is that of a rod with the internal force N(u) and moment M(u) of all loads beyond u; see
 * forces.c. */
#include "strand/chain/sums.h"

#include "math/vec3.h"

#include <stddef.h>
#include <string.h>

#define LANE_KERNEL "strand/chain/sums_kernel.h"
#include "math/lane_pair.h"

VARIANTS_AVX2(cord__chain_element_sums, sums_of_element_2, sums_of_element_4,
              (const chain_model *c, const double *cache, int e, const chain_force *force,
               const double *lambda, double c_k, chain_sums *s),
              (c, cache, e, force, lambda, c_k, s))

VARIANTS_AVX2(cord__chain_part_sums, sums_of_part_2, sums_of_part_4,
              (const chain_model *c, int e, int panel, double part, const chain_gauss *g,
               const chain_load *load, double c_k, chain_sums *s),
              (c, e, panel, part, g, load, c_k, s))

VARIANTS_AVX2(cord__chain_panel_forces, forces_of_panel_2, forces_of_panel_4,
              (const chain_model *c, int e, const chain_gauss *g, const chain_force *force,
               double sum[6 + LOCAL_MOST]),
              (c, e, g, force, sum))
