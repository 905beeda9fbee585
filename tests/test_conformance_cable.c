/* Cables through the conformance suite, as far as it applies: it builds strands from free
 * vertices, so these are cables of free Lagrangian nodes, elastic and inextensible. Guides,
 * Eulerian nodes, carriers and wraps are in test_cable*.c. A cable does not support frames,
 * curvatures and `symplectic`. */
#include "math/vec3.h"
#include "strand/cable/cable.h"
#include "support/conformance.h"
#include "support/test.h"

/* Nodes at the vertices of the definition. */
static cord_status create(const cord_strand_def *def, memory *m, void **model, char *why,
                          size_t size)
{
    cable_plan plan = {0};
    cable_source from = {.def.material = {.density = def->section.mass,
                                          .radius = def->section.radius,
                                          .stretching = def->stretch == CORD_STRETCH_NONE
                                                            ? 0
                                                            : def->section.stretching,
                                          .bending = def->section.bending[0],
                                          .damping = def->damping,
                                          .drag = def->drag,
                                          .pushes = true}, /* it is thrown without tension */
                         .def.vertices = def->vertex_count};
    cable *made = NULL;
    double s = 0;
    cord_status status = cord__check_material(&from.def.material, why, size);
    if (status == CORD_OK) status = cord__plan_allocate(&plan, def->vertex_count, 0, m);
    for (int i = 0; status == CORD_OK && i < def->vertex_count; i++) {
        const double *x = def->positions + 3 * i;
        if (i > 0) s += v3_distance(x, x - 3);
        plan.node[plan.nodes] = (planned_node){.guide = -1, .waypoint = -1, .s = s};
        v3_copy(plan.node[plan.nodes++].at, x);
        if (def->velocities) v3_copy(plan.node[i].rate, def->velocities + 3 * i);
    }
    if (status == CORD_OK) status = cord__cable_make(&from, &plan, m, &made);
    cord__plan_free(&plan, m);
    *model = made;
    return status;
}

static void rigid(const void *model, const double *q, const double *cache, const double u[3],
                  const double w[3], double *v)
{
    const cable *c = model;
    (void)cache;
    for (int i = 0; i < c->topology.nodes; i++) {
        double *own = v + c->topology.node[i].dof;
        v3_cross(own, w, q + c->topology.node[i].q);
        v3_add(own, own, u);
    }
}

static cord_status set_velocities(const void *model, memory *m, const double *q,
                                  const double *cache, double *v, const double *x)
{
    const cable *c = model;
    (void)m, (void)q, (void)cache;
    for (int i = 0; i < c->topology.nodes; i++) v3_copy(v + c->topology.node[i].dof, x + 3 * i);
    return CORD_OK;
}

static cord_status displacement(const void *model, memory *m, const double *q, const double *x,
                                double *d)
{
    const cable *c = model;
    (void)m;
    for (int i = 0; i < c->topology.nodes; i++)
        v3_sub(d + c->topology.node[i].dof, x + 3 * i, q + c->topology.node[i].q);
    return CORD_OK;
}

/* Edges of one length, so that vertices, equally spaced, are nodes. */
static void elastic(conformance_shape *shape, cord_strand_def *def)
{
    double *x = shape->positions;
    def->vertex_count = 9;
    for (int i = 1; i < def->vertex_count; i++) {
        double turn = 0.5 * i, rise = 0.3 * (i % 3);
        v3_set(x + 3 * i, x[3 * i - 3] + 0.1 * cos(turn) * cos(rise),
               x[3 * i - 2] + 0.1 * sin(turn) * cos(rise), x[3 * i - 1] + 0.1 * sin(rise));
    }
    for (int i = 0; i < def->vertex_count; i++)
        v3_set(shape->velocities + 3 * i, 0.1 * (i % 2), 0.05 * i, -0.1);
    def->positions = x;
    def->velocities = shape->velocities;
    def->stretch = CORD_STRETCH_ELASTIC;
    def->section = (cord_section){.kind = CORD_SECTION_EXPLICIT,
                                  .mass = 0.1,
                                  .stretching = 200,
                                  .bending = {0.001, 0.001},
                                  .twisting = 0.01,
                                  .radius = 0.01};
}

static void inextensible(conformance_shape *shape, cord_strand_def *def)
{
    elastic(shape, def);
    def->stretch = CORD_STRETCH_NONE;
}

static void damped(conformance_shape *shape, cord_strand_def *def)
{
    elastic(shape, def);
    def->damping = 0.004;
    def->drag = 0.2;
}

static void two_nodes(conformance_shape *shape, cord_strand_def *def)
{
    elastic(shape, def);
    def->vertex_count = 2;
}

static strand_ops rope;

#define ROPE                                                                                       \
    .ops = &rope, .rigid = rigid, .step = 1e-3, .no_symplectic = true, .by_motion = true,          \
    .drift = 1e-4, .fitted = 1e-12
static const conformance_case cases[] = {
    {ROPE, .name = "elastic", .define = elastic},
    {ROPE, .name = "inextensible", .define = inextensible},
    {ROPE, .name = "damped", .define = damped},
    {ROPE, .name = "two nodes", .define = two_nodes},
};
enum { CASES = sizeof cases / sizeof *cases };

int main(void)
{
    rope = cord__cable;
    rope.create = create;
    rope.set_velocities = set_velocities;
    rope.displacement = displacement;
    return conformance_group(cases, CASES, NULL, 0);
}
