/* Lagrangian nodes given by hand: they are resampled where the cable runs through Eulerian nodes, with the motion and
 * the energy as they were; ends that are drawn to an Eulerian node, and rows that contradict each other, are reported with
 * the nodes and their guides. */
#include "math/vec3.h"
#include "support/rigs.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

static const double g = 9.81;

static cord_guide guide(cord_guide_kind kind, cord_point on)
{
    return (cord_guide){.kind = kind, .on = on};
}

static cord_cable_node node(int on, double s, bool eulerian)
{
    return (cord_cable_node){.guide = on, .s = s, .eulerian = eulerian};
}

/* A string between two hooks 0.4 m apart runs through a pen of 10 g and 0.14 m, which slides on it [HCS 2011, fig. 2a, 5b]. */
typedef struct pen {
    cord_world *w;
    cord_body body;
    cord_strand string;
} pen;

/* `left`, `inside` and `right` are the numbers of Lagrangian nodes before, in and after the barrel. */
static pen make_pen(const integration *by, int left, int inside, int right)
{
    static const double corner[4][2] = {{-0.2, 0}, {-0.16, -0.12}, {-0.02, -0.12}, {0.2, 0}};
    const int inner[3] = {left, inside, right};
    pen t = {.w = scene_world_under(by, g)};
    t.body = rig_ball(t.w, 0.01, -0.09, -0.12);
    cord_guide guides[5];
    for (int k = 0; k < 4; k++) {
        double x = corner[k][0] + 0.09, z = corner[k][1] + 0.12;
        bool on = k == 1 || k == 2;
        cord_point at =
            on ? rig_on(t.w, t.body, x, z) : rig_world_point(t.w, corner[k][0], corner[k][1]);
        guides[k] = guide(CORD_GUIDE_POINT, at);
    }
    guides[4] = guide(CORD_GUIDE_SPAN, guides[1].on);
    guides[4].to = guides[2].on;
    cord_cable_node nodes[16];
    int count = 0;
    double s = 0;
    for (int k = 0; k < 4; k++) {
        nodes[count++] = node(k, s, k == 1 || k == 2);
        if (k == 3) break;
        double dx = corner[k + 1][0] - corner[k][0], dz = corner[k + 1][1] - corner[k][1];
        for (int i = 1; i <= inner[k]; i++) {
            double part = (double)i / (inner[k] + 1);
            cord_cable_node *n = nodes + count++;
            *n = node(k == 1 ? 4 : -1, s + part * hypot(dx, dz), false);
            v3_set(n->at, k == 1 ? part : corner[k][0] + part * dx, 0, corner[k][1] + part * dz);
        }
        s += hypot(dx, dz);
    }
    cord_cable_def def = cord_cable_def_default();
    def.density = 1e-3;
    def.guides = guides, def.guide_count = 5;
    def.nodes = nodes, def.node_count = count;
    t.string = rig_cable(t.w, &def);
    return t;
}

/* In all layouts the pen slides to and fro in the same way; no event changes the energy by more than 1e-4. */
static void layouts_agree(void **by)
{
    static const int layouts[][3] = {{0, 0, 0}, {0, 1, 0}, {2, 1, 1}, {2, 1, 2}, {1, 2, 3}};
    double reference[3] = {0};
    for (int i = 0; i < 5; i++) {
        const int *n = layouts[i];
        pen t = make_pen(*by, n[0], n[1], n[2]);
        double x[3];
        int count = rig_node_count(t.w, t.string);
        scene_advance(t.w, 1e-3, 1500);
        cord_cable_events c;
        assert_fine(t.w, cord_cable_get_events(t.w, t.string, &c));
        assert_fine(t.w, cord_body_get_pose(t.w, t.body, x, NULL));
        assert_int_equal(rig_node_count(t.w, t.string), count);
        assert_true(c.max_relative_unwrap_change < 1e-4);
        if (i == 0) v3_copy(reference, x);
        if (i > 0) assert_true(c.unwraps > 10);
        assert_true(v3_distance(x, reference) < 2e-4);
        cord_world_destroy(t.w);
    }
}

/* A checkpoint taken after nodes were resampled is resumed exactly. */
static void checkpoints(void **by)
{
    pen t = make_pen(*by, 2, 1, 1), other = make_pen(*by, 2, 1, 1);
    scene_advance(t.w, 1e-3, 400);
    cord_cable_events c;
    assert_fine(t.w, cord_cable_get_events(t.w, t.string, &c));
    assert_true(c.unwraps > 4);
    scene_goes_on(t.w, other.w, 1e-3, 300);
    cord_world_destroy(t.w);
    cord_world_destroy(other.w);
}

typedef struct table {
    cord_world *w;
    cord_strand chain;
} table;

/* A chain of 1 m slides over the edge of a table, 0.2 m of it hanging at first; with nodes of its own on both sides. */
static table make_table(const integration *by, int nodes_on, int nodes_below)
{
    table t = {.w = scene_world_under(by, g)};
    cord_point_def along = cord_point_def_default();
    static const double axes[9] = {0, 1, 0, 0, 0, 1, 1, 0, 0};
    memcpy(along.frame, axes, sizeof axes);
    cord_guide guides[2] = {guide(CORD_GUIDE_LINE, scene_add_point(t.w, &along)),
                            guide(CORD_GUIDE_POINT, rig_world_point(t.w, 0, 0))};
    guides[0].name = "top";
    cord_cable_node nodes[16];
    int count = 0;
    for (int i = 0; i <= nodes_on; i++) {
        nodes[count] = node(0, 0.8 * i / (nodes_on + 1), false);
        nodes[count].at[0] = nodes[count].s - 0.8;
        count++;
    }
    nodes[count++] = node(1, 0.8, true);
    for (int i = 1; i <= nodes_below + 1; i++) {
        nodes[count] = node(-1, 0.8 + 0.2 * i / (nodes_below + 1), false);
        nodes[count].at[2] = 0.8 - nodes[count].s;
        count++;
    }
    cord_cable_def def = cord_cable_def_default();
    def.density = 0.3;
    def.guides = guides, def.guide_count = 2;
    def.nodes = nodes, def.node_count = count;
    t.chain = rig_cable(t.w, &def);
    return t;
}

/* z = −0.2 m cosh(t √(g/L)), with any nodes; nothing moves across the chain, and the energy is kept. */
static void chain_slides(void **by)
{
    for (int more = 0; more < 3; more++) {
        table t = make_table(*by, more, more);
        scene_advance(t.w, 1e-3, 700);
        int last = rig_node_count(t.w, t.chain) - 1;
        assert_close(rig_node(t.w, t.chain, last).position[2], -0.2 * cosh(0.7 * sqrt(g)), 2e-5);
        cord_cable_events c;
        assert_fine(t.w, cord_cable_get_events(t.w, t.chain, &c));
        assert_true(more == 0 || c.unwraps > 3);
        assert_true(c.max_relative_unwrap_change < 1e-10);
        cord_world_destroy(t.w);
    }
}

/* Beyond t = 0.7326 s the end is at the edge. */
static void end_is_drawn_in(void **by)
{
    table t = make_table(*by, 1, 0);
    cord_status status = CORD_OK;
    for (int k = 0; k < 800 && status == CORD_OK; k++) status = cord_world_step(t.w, 1e-3);
    assert_int_equal(status, CORD_ERROR_INCONSISTENT);
    assert_non_null(strstr(cord_world_get_error(t.w), "its end, node 0 on 'top' (line)"));
    assert_non_null(strstr(cord_world_get_error(t.w), "node 2 on guide 1 (point)"));
    cord_failure failure;
    assert_fine(t.w, cord_world_get_failure(t.w, &failure));
    assert_close(failure.time, acosh(5) / sqrt(g), 2e-3);
    cord_world_destroy(t.w);
}

/* 1.5 m of an inextensible cable, from the edge of a table along its top to a hook 2 m above it. */
static void contradiction_names_nodes(void **by)
{
    cord_world *w = scene_world_under(*by, g);
    cord_guide guides[2] = {guide(CORD_GUIDE_POINT, rig_world_point(w, 0, 0)),
                            guide(CORD_GUIDE_POINT, rig_world_point(w, 0, 2))};
    guides[1].name = "hook";
    cord_cable_node nodes[3] = {node(0, 0, false), node(-1, 0.8, false), node(1, 1.5, false)};
    v3_set(nodes[1].at, 0.1, 0, 0.8);
    cord_cable_def def = cord_cable_def_default();
    def.guides = guides, def.guide_count = 2;
    def.nodes = nodes, def.node_count = 3;
    rig_cable(w, &def);
    assert_int_equal(cord_world_step(w, 1e-3), CORD_ERROR_INCONSISTENT);
    assert_non_null(strstr(cord_world_get_error(w), "node 1 (free) to node 2 on 'hook' (point)"));
    cord_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BY_INTEGRATION(layouts_agree, "tr_bdf2", TR_BDF2),
        BY_INTEGRATION(layouts_agree, "backward_euler", BACKWARD_EULER),
        BY_INTEGRATION(checkpoints, "tr_bdf2", TR_BDF2),
        BY_INTEGRATION(chain_slides, "tr_bdf2", TR_BDF2),
        BY_INTEGRATION(chain_slides, "midpoint", MIDPOINT),
        BY_INTEGRATION(end_is_drawn_in, "tr_bdf2", TR_BDF2),
        BY_INTEGRATION(contradiction_names_nodes, "tr_bdf2", TR_BDF2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
