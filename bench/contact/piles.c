/* Rods that fall into a box, crossed layer by layer: bent ones, with some four contacts each, and straight ones, which touch each
 * other at every crossing. */
#include "bench/contact/contact.h"

#include <math.h>
#include <string.h>

enum { VERTICES = 8 };
static const double LENGTH = 0.1, RADIUS = 0.002;
/* Of the vertices of a bent rod, across it. */
static const double ROUGHNESS = 2e-4;

static double random_part(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 24);
}

static cord_status add_rod(cord_world *w, const double from[3], const double direction[3],
                           double roughness, unsigned *seed)
{
    double x[3 * VERTICES];
    cord_strand_def def = cord_strand_def_default();
    cord_contact_surface surface = cord_contact_surface_default();
    cord_strand made;
    for (int i = 0; i < VERTICES; i++)
        for (int k = 0; k < 3; k++)
            x[3 * i + k] = from[k] + direction[k] * LENGTH * i / (VERTICES - 1) +
                           (k == 2 && roughness > 0 ? roughness * random_part(seed) : 0);
    def.vertex_count = VERTICES;
    def.positions = x;
    def.section.radius = RADIUS;
    def.material.young = 1e8;
    def.material.density = 1000;
    def.twist_mode = CORD_TWIST_DYNAMIC;
    surface.self = false;
    cord_status status = cord_world_add_strand(w, &def, &made);
    return status == CORD_OK ? cord_strand_set_surface(w, made, &surface) : status;
}

/* Layers of rods along x and along y in turn. */
static cord_status add_rods(cord_world *w, int count, double side, double roughness)
{
    const int beside = (int)((side - 0.02) / (3 * RADIUS)),
              rows = (int)((side - 0.01) / (1.02 * LENGTH));
    unsigned seed = 12345;
    cord_status status = CORD_OK;
    for (int made = 0, layer = 0; made < count; layer++)
        for (int j = 0; j < beside * rows && made < count && status == CORD_OK; j++, made++) {
            const double tilt = 0.02 * (random_part(&seed) - 0.5),
                         rise = roughness > 0 ? 0 : 0.005 * (random_part(&seed) - 0.5),
                         z = 0.01 + 2.6 * RADIUS * layer + 0.0002 * random_part(&seed);
            const double along = -0.5 * side + 0.005 + (j % rows) * (side - 0.01) / rows;
            const double across = -0.5 * side + 0.01 + (j / rows) * (side - 0.02) / beside +
                                  0.0005 * random_part(&seed);
            const double turned[2][3] = {{along, across, z}, {across, along, z}};
            const double direction[2][3] = {{1, tilt, rise}, {tilt, 1, rise}};
            status = add_rod(w, turned[layer % 2], direction[layer % 2], roughness, &seed);
        }
    return status;
}

/* The floor, and four walls. */
static cord_status add_box(cord_world *w, double side)
{
    static const double frames[5][9] = {{1, 0, 0, 0, 1, 0, 0, 0, 1},
                                        {0, 1, 0, 0, 0, 1, 1, 0, 0},
                                        {0, 0, 1, 0, 1, 0, -1, 0, 0},
                                        {0, 0, 1, 1, 0, 0, 0, 1, 0},
                                        {1, 0, 0, 0, 0, 1, 0, -1, 0}};
    cord_status status = CORD_OK;
    for (int i = 0; i < 5 && status == CORD_OK; i++) {
        cord_obstacle_def def = cord_obstacle_def_default();
        cord_obstacle made;
        memcpy(def.frame, frames[i], sizeof def.frame);
        for (int k = 0; i > 0 && k < 3; k++) def.position[k] = -0.5 * side * frames[i][6 + k];
        status = cord_world_add_obstacle(w, &def, &made);
    }
    return status;
}

/* `sweeps`: the most per solve, to a residual of 1e-3; 0: as many as a residual of 1e-6 takes. */
static void pile(bench *b, int count, double roughness, int sweeps, int warm, int steps, double bar)
{
    const double side = 0.12 * sqrt(fmax(1, count / 60.0));
    cord_world_def world = cord_world_def_default();
    cord_contact_def contact = cord_contact_def_default();
    cord_world *w;
    world.threads = 1;
    if (sweeps > 0) contact.max_sweeps = sweeps, contact.tolerance = 1e-3;
    if (cord_world_create(&world, &w) != CORD_OK) return;
    cord_status status = cord_world_set_contact(w, &contact);
    if (status == CORD_OK) status = add_box(w, side);
    if (status == CORD_OK) status = add_rods(w, count, side, roughness);
    const char *name = bench_text(b, "%d %s rods", count, roughness > 0 ? "bent" : "straight");
    if (bench_ok(b, w, status, name)) bench_contact_steps(b, w, name, 2e-3, warm, steps, bar);
    cord_world_destroy(w);
}

void bench_contact_piles(bench *b)
{
    pile(b, 50, ROUGHNESS, 0, 60, bench_quick(b) ? 5 : 50, 0);
    if (bench_quick(b)) return;
    pile(b, 200, ROUGHNESS, 0, 60, 50, 40);
    pile(b, 1000, ROUGHNESS, 0, 60, 20, 400);
}

/* Contacts in proportion to the rods: 600, 2,500, 12,000 and 50,000. Straight rods have many more than their motion determines, so
 * that no number of sweeps would do: each solve ends after 20 of them, and the cost is that of a sweep. */
void bench_contact_numbers(bench *b)
{
    const int most = bench_quick(b) ? 200 : 4000;
    for (int count = 50; count <= most; count *= count < 100 ? 4 : 5) {
        /* The impact of 4000 rods takes half a minute per step. */
        const bool all = count > 1000;
        pile(b, all ? most : count, 0, 20, all ? 23 : 30, all ? 1 : count > 200 ? 2 : 10, 0);
    }
}
