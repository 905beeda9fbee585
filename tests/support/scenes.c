#include "support/scenes.h"

#include "math/vec3.h"
#include "strand/cable.h"
#include "support/test.h"
#include "world/world.h"

#include <stdlib.h>

const integration integrations[INTEGRATIONS] = {
    {"tr_bdf2", CORD_IMPLICIT, CORD_TR_BDF2},
    {"backward_euler", CORD_IMPLICIT, CORD_BACKWARD_EULER},
    {"linearised", CORD_IMPLICIT, CORD_LINEARISED},
    {"midpoint", CORD_MIDPOINT, CORD_TR_BDF2},
    {"symplectic", CORD_SYMPLECTIC, CORD_TR_BDF2},
};

cord_world *scene_world_in(cord_integrator integrator, double gravity)
{
    cord_world_def def = cord_world_def_default();
    cord_world *w;
    def.gravity[0] = def.gravity[1] = 0, def.gravity[2] = -gravity;
    def.integrator = integrator;
    assert_int_equal(cord_world_create(&def, &w), CORD_OK);
    return w;
}

void scene_assert_fine(const cord_world *world, cord_status status, const char *what,
                       const char *file, int line)
{
    if (status == CORD_OK) return;
    print_error("%s: %s: %s\n", what, cord_status_text(status), cord_world_error(world));
    _fail(file, line);
}

cord_world *scene_world(const integration *by)
{
    cord_world *world;
    cord_world_def def = cord_world_def_default();
    def.threads = 1;
    if (by) def.integrator = by->integrator, def.scheme = by->scheme;
    assert_int_equal(cord_world_create(&def, &world), CORD_OK);
    return world;
}

/* Of free nodes; with the numbers of the rods. */
static cord_strand rope_of_nodes(cord_world *world, const char *name, int edges, const double *x)
{
    enum { MOST = 32 };
    cord_cable_def def = cord_cable_def_default();
    cord_cable_node nodes[MOST];
    cord_strand rope;
    assert_true(edges < MOST);
    for (int i = 0; i <= edges; i++) {
        nodes[i] = (cord_cable_node){.guide = -1, .s = i > 0 ? nodes[i - 1].s : 0};
        if (i > 0) nodes[i].s += v3_distance(x + 3 * i, x + 3 * i - 3);
        v3_copy(nodes[i].at, x + 3 * i);
    }
    def.name = name;
    def.density = 0.1;
    def.bending = 0.01;
    def.nodes = nodes, def.node_count = def.vertex_count = edges + 1;
    assert_fine(world, cord_world_add_cable(world, &def, &rope));
    return rope;
}

cord_strand scene_rope(cord_world *world, const strand_ops *ops, const char *name, int edges,
                       const double from[3], const double to[3])
{
    cord_strand rope;
    cord_strand_def def = cord_strand_def_default();
    double *x = malloc((size_t)(3 * edges + 3) * sizeof *x);
    assert_non_null(x);
    for (int i = 0; i <= edges; i++)
        for (int k = 0; k < 3; k++) x[3 * i + k] = from[k] + (to[k] - from[k]) * i / edges;
    if (ops == &cord__cable) {
        rope = rope_of_nodes(world, name, edges, x);
        free(x);
        return rope;
    }
    def.name = name;
    def.vertex_count = edges + 1;
    def.positions = x;
    def.section = (cord_section){.kind = CORD_SECTION_EXPLICIT,
                                 .mass = 0.1,
                                 .stretching = 200,
                                 .bending = {0.01, 0.01},
                                 .twisting = 0.01,
                                 .rotary_inertia = 1e-5,
                                 .radius = 0.01};
    assert_fine(world, cord__world_add_strand(world, ops ? ops : cord__strand_find(CORD_MODEL_DER),
                                              &def, &rope));
    free(x);
    return rope;
}

cord_point scene_point(cord_world *world, cord_strand rope, double s)
{
    cord_point out;
    cord_point_def def = cord_point_def_default();
    def.source = CORD_SOURCE_STRAND;
    def.strand = rope;
    def.s = s;
    assert_fine(world, cord_world_add_point(world, &def, &out));
    return out;
}

cord_point scene_place(cord_world *world, double x, double y, double z)
{
    cord_point out;
    cord_point_def def = cord_point_def_default();
    v3_set(def.position, x, y, z);
    assert_fine(world, cord_world_add_point(world, &def, &out));
    return out;
}

cord_relation scene_relate(cord_world *world, const cord_relation_def *def)
{
    cord_relation out;
    assert_fine(world, cord_world_add_relation(world, def, &out));
    return out;
}

cord_relation scene_relation(cord_world *world, const char *kind, cord_point first,
                             cord_point second)
{
    cord_relation_def def = cord_relation_def_default();
    def.kind = kind;
    def.first = first;
    def.second = second;
    return scene_relate(world, &def);
}

cord_relation scene_hang(cord_world *world, cord_strand rope, double s)
{
    double x[3];
    cord_point on = scene_point(world, rope, s);
    assert_fine(world, cord_point_place(world, on, x, NULL));
    return scene_relation(world, CORD_COINCIDE, on, scene_place(world, x[0], x[1], x[2]));
}

uint64_t scene_hash(const cord_world *world)
{
    uint64_t hash = 0;
    assert_int_equal(cord_world_hash(world, &hash), CORD_OK);
    return hash;
}
