/* Nodes that remain where a pulley was unwrapped. The cable has different velocities on the two
 * sides of a pulley, which one straight segment cannot represent. A free node remains there as long
 * as its removal would lose more than a small fraction of the kinetic energy. */
#include "math/vec3.h"
#include "strand/cable/cable.h"

#include <math.h>

/* Of the kinetic energy. */
static const double MOST_LOST = 1e-4;
/* A smaller angle at the node may be straightened; rad. A pulley is unwrapped at the same angle. */
static const double LEAST_ANGLE = 1e-3;

double cord__cable_kinetic(const cable *c, const double *cache, const double *v)
{
    static const environment nothing = {0};
    block_energy e;
    cord__cable_energy(c, &nothing, cache, v, &e);
    return e.kinetic;
}

/* The velocity at s differs by w from the linear interpolation between `from` and `to`: the lost kinetic energy is
 * that of a hat function, ρ w² (to − from)/6, an upper bound, since the velocities of the other nodes adapt. */
bool cord__retains_node(const cable *c, const double *cache, const double *v, double from, double s,
                        double to)
{
    double at[3] = {from, s, to}, x[3], rate[3][3], r_s[3], part = (s - from) / (to - from);
    for (int k = 0; k < 3; k++) cord__cable_at(c, cache, v, at[k], x, rate[k], r_s);
    for (int k = 0; k < 3; k++) rate[1][k] -= (1 - part) * rate[0][k] + part * rate[2][k];
    double lost = c->def.linear_density * (to - from) / 6 * v3_dot(rate[1], rate[1]);
    return lost > MOST_LOST * cord__cable_kinetic(c, cache, v);
}

bool cord__node_is_spare(const cable *c, const double *cache, const double *v, int node)
{
    if (!c->topology.node[node].retained) return false;
    double chord[2][3], across[3];
    for (int k = 0; k < 2; k++) {
        v3_sub(chord[k], cable_position(cache, node + k), cable_position(cache, node + k - 1));
        v3_normalize(chord[k], chord[k]);
    }
    v3_cross(across, chord[0], chord[1]);
    if (!(v3_norm(across) < LEAST_ANGLE && v3_dot(chord[0], chord[1]) > 0)) return false;
    return !cord__retains_node(c, cache, v, cable_s(cache, node - 1), cable_s(cache, node),
                               cable_s(cache, node + 1));
}

bool cord__has_retained_nodes(const cable_topology *topology)
{
    for (int i = 0; i < topology->nodes; i++)
        if (topology->node[i].retained) return true;
    return false;
}
