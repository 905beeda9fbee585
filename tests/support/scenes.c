#include "support/scenes.h"

#include "math/vec3.h"
#include "constraint/constraint.h"
#include "strand/cable/cable.h"
#include "support/test.h"
#include "world/world.h"

#include <stdlib.h>

const integration integrations[INTEGRATIONS] = {
    [TR_BDF2] = {"tr_bdf2", CORD_IMPLICIT, CORD_TR_BDF2},
    [MIDPOINT] = {"midpoint", CORD_MIDPOINT, CORD_TR_BDF2},
    [BACKWARD_EULER] = {"backward_euler", CORD_IMPLICIT, CORD_BACKWARD_EULER},
    [LINEARISED] = {"linearised", CORD_IMPLICIT, CORD_LINEARISED},
    [SEMI_IMPLICIT] = {"semi_implicit", CORD_IMPLICIT, CORD_SEMI_IMPLICIT},
    [SEMI_IMPLICIT_VELOCITY] = {"semi_implicit_velocity", CORD_IMPLICIT,
                                CORD_SEMI_IMPLICIT_VELOCITY},
    [SYMPLECTIC] = {"symplectic", CORD_SYMPLECTIC, CORD_TR_BDF2},
    [QUASI_STATIC] = {"quasi_static", CORD_QUASI_STATIC, CORD_TR_BDF2},
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

cord_world *scene_world_under(const integration *by, double gravity)
{
    cord_world *w = scene_world(by);
    assert_fine(w, cord_world_set_gravity(w, (double[]){0, 0, -gravity}));
    return w;
}

void scene_assert_fine(const cord_world *world, cord_status status, const char *what,
                       const char *file, int line)
{
    if (status == CORD_OK) return;
    print_error("%s: %s: %s\n", what, cord_status_text(status), cord_world_get_error(world));
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

cord_section scene_section(void)
{
    return (cord_section){.kind = CORD_SECTION_EXPLICIT,
                          .mass = 0.1,
                          .stretching = 200,
                          .bending = {0.01, 0.01},
                          .twisting = 0.01,
                          .rotary_inertia = 1e-5,
                          .radius = 0.01};
}

/* Of free nodes; with the parameters of the rods. */
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
    def.section = scene_section();
    assert_fine(world, cord__world_add_strand(world, ops ? ops : cord__strand_find(CORD_MODEL_DER),
                                              &def, &rope));
    free(x);
    return rope;
}

cord_strand scene_strand(cord_world *world, const cord_strand_def *def)
{
    cord_strand made;
    assert_fine(world, cord_world_add_strand(world, def, &made));
    return made;
}

double scene_length(cord_world *world, cord_strand rope)
{
    cord_strand_info info;
    assert_fine(world, cord_strand_get_info(world, rope, &info));
    return info.length;
}

cord_body scene_body(cord_world *world, const cord_body_def *def)
{
    cord_body made;
    assert_fine(world, cord_world_add_body(world, def, &made));
    return made;
}

cord_body_def scene_box(double x, double y, double z)
{
    cord_body_def def = cord_body_def_default();
    def.shape = (cord_shape){.kind = CORD_SHAPE_BOX, .size = {x, y, z}};
    return def;
}

const double scene_cube[24] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0,
                               0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1};
const int scene_cube_faces[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                  2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};

cord_point scene_add_point(cord_world *world, const cord_point_def *def)
{
    cord_point made;
    assert_fine(world, cord_world_add_point(world, def, &made));
    return made;
}

cord_point scene_point(cord_world *world, cord_strand rope, double s)
{
    cord_point_def def = cord_point_def_default();
    def.source = CORD_SOURCE_STRAND;
    def.strand = rope;
    def.s = s;
    return scene_add_point(world, &def);
}

cord_point scene_place(cord_world *world, double x, double y, double z)
{
    cord_point_def def = cord_point_def_default();
    v3_set(def.position, x, y, z);
    return scene_add_point(world, &def);
}

cord_point scene_place_of(cord_world *world, cord_point other)
{
    double x[3];
    assert_fine(world, cord_point_get_pose(world, other, x, NULL));
    return scene_place(world, x[0], x[1], x[2]);
}

cord_point scene_on(cord_world *world, cord_body body, double x, double y, double z)
{
    cord_point_def def = cord_point_def_default();
    def.source = CORD_SOURCE_BODY;
    def.body = body;
    v3_set(def.position, x, y, z);
    return scene_add_point(world, &def);
}

cord_path scene_path(cord_world *world, cord_body body, int count, const double *points,
                     bool closed)
{
    cord_path_def def = cord_path_def_default();
    cord_path made;
    def.body = body;
    def.point_count = count, def.points = points, def.closed = closed;
    assert_fine(world, cord_world_add_path(world, &def, &made));
    return made;
}

cord_constraint scene_relate(cord_world *world, const cord_constraint_def *def)
{
    cord_constraint out;
    assert_fine(world, cord_world_add_constraint(world, def, &out));
    return out;
}

cord_constraint scene_constraint(cord_world *world, const char *kind, cord_point first,
                                 cord_point second)
{
    cord_constraint_def def = cord_constraint_def_default();
    def.kind = kind;
    def.first = first;
    def.second = second;
    return scene_relate(world, &def);
}

cord_constraint scene_hang(cord_world *world, cord_strand rope, double s)
{
    cord_point on = scene_point(world, rope, s);
    return scene_constraint(world, CORD_COINCIDE, on, scene_place_of(world, on));
}

cord_load scene_push(cord_world *world, cord_point on, double along)
{
    cord_load_def def = cord_load_def_default();
    cord_load made;
    def.point = on;
    def.coordinate_force = along;
    assert_fine(world, cord_world_add_load(world, &def, &made));
    return made;
}

double scene_gap(cord_world *world, cord_constraint of)
{
    int rows;
    double g[CONSTRAINT_ROWS], largest = 0;
    assert_fine(world, cord_constraint_get_residual(world, of, &rows, g));
    for (int i = 0; i < rows; i++) {
        assert_true(isfinite(g[i])); /* fmax() passes over NaN */
        largest = fmax(largest, fabs(g[i]));
    }
    return largest;
}

void scene_advance(cord_world *world, double h, int steps)
{
    for (int i = 0; i < steps; i++) assert_fine(world, cord_world_step(world, h));
}

cord_energy scene_energy(cord_world *world)
{
    cord_energy e;
    assert_fine(world, cord_world_get_energy(world, &e));
    return e;
}

double scene_coordinate(cord_world *world, cord_point of, double *rate)
{
    double s;
    assert_fine(world, cord_point_get_coordinate(world, of, &s, rate));
    return s;
}

uint64_t scene_hash(const cord_world *world)
{
    uint64_t hash = 0;
    assert_int_equal(cord_world_hash(world, &hash), CORD_OK);
    return hash;
}

void *scene_state(cord_world *world, size_t *size)
{
    assert_fine(world, cord_world_get_state_size(world, size));
    void *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_fine(world, cord_world_get_state(world, bytes));
    return bytes;
}

void scene_copy_state(cord_world *from, cord_world *to)
{
    size_t size;
    void *bytes = scene_state(from, &size);
    assert_fine(to, cord_world_set_state(to, bytes, size));
    free(bytes);
}

void scene_goes_on(cord_world *world, cord_world *other, double h, int steps)
{
    cord_world *again[2] = {world, other};
    size_t size;
    void *before = scene_state(world, &size);
    scene_advance(world, h, steps);
    uint64_t once = scene_hash(world);
    for (int i = 0; i < 2 && again[i]; i++) {
        assert_fine(again[i], cord_world_set_state(again[i], before, size));
        scene_advance(again[i], h, steps);
        assert_true(scene_hash(again[i]) == once);
    }
    free(before);
}
