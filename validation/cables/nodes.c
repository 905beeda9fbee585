/* Lagrangian nodes given by hand, which a cable draws to its Eulerian nodes. */
#include "validation/cables/cables.h"
#include "validation/cables/machines.h"
#include <math.h>

/* The nodes before, in and after the barrel of the pen. */
typedef struct pen_layout {
    const char *name;
    int inner[3];
} pen_layout;

/* Positions of the hooks and of the ends of the barrel. */
static const double corner[4][2] = {{-0.2, 0}, {-0.16, -0.12}, {-0.02, -0.12}, {0.2, 0}};

static int list_nodes(const pen_layout *of, cord_cable_node *nodes)
{
    int count = 0;
    double s = 0;
    for (int k = 0; k < 4; k++) {
        nodes[count++] = (cord_cable_node){.guide = k, .s = s, .eulerian = k == 1 || k == 2};
        if (k == 3) break;
        double dx = corner[k + 1][0] - corner[k][0], dz = corner[k + 1][1] - corner[k][1];
        for (int i = 1; i <= of->inner[k]; i++) {
            double part = (double)i / (of->inner[k] + 1), x = corner[k][0] + part * dx;
            nodes[count++] =
                (cord_cable_node){.guide = k == 1 ? 4 : -1,
                                  .s = s + part * hypot(dx, dz),
                                  .at = {k == 1 ? part : x, 0, corner[k][1] + part * dz}};
        }
        s += hypot(dx, dz);
    }
    return count;
}

void check_nodes(validation *v)
{
    static const pen_layout layouts[] = {{"Eulerian nodes", {0, 0, 0}},
                                         {"a node in the barrel", {0, 1, 0}},
                                         {"2, 1 and 1 nodes", {2, 1, 1}},
                                         {"3, 2 and 4 nodes", {3, 2, 4}}};
    double first[2] = {0};
    for (int i = 0; i < 4; i++) {
        machine m = machine_make(CORD_IMPLICIT, 9.81);
        cord_body pen = machine_weight(&m, 0.01, -0.09, -0.12);
        cord_guide guides[5] = {{.kind = CORD_GUIDE_POINT}};
        cord_cable_node nodes[16];
        for (int k = 0; k < 4; k++) {
            guides[k].kind = CORD_GUIDE_POINT;
            guides[k].on = k == 1 || k == 2
                               ? machine_on(&m, pen, corner[k][0] + 0.09, corner[k][1] + 0.12)
                               : machine_point(&m, corner[k][0], corner[k][1]);
        }
        guides[4] = (cord_guide){.kind = CORD_GUIDE_SPAN, .on = guides[1].on, .to = guides[2].on};
        cord_cable_def def = cord_cable_def_default();
        def.density = 1e-3;
        def.guides = guides, def.guide_count = 5;
        def.nodes = nodes, def.node_count = list_nodes(layouts + i, nodes);
        cord_strand string;
        cord_cable_events c = {0};
        double x[3] = {0};
        if (m.status == CORD_OK) m.status = cord_world_add_cable(m.world, &def, &string);
        machine_run(&m, 1e-3, 3000);
        if (m.status == CORD_OK) m.status = cord_cable_get_events(m.world, string, &c);
        if (m.status == CORD_OK) m.status = cord_body_get_pose(m.world, pen, x, NULL);
        if (i == 0) first[0] = x[0], first[1] = x[2];
        if (validation_ok(v, m.world, m.status, layouts[i].name) && i > 0) {
            validation_row_above(v, layouts[i].name, "times resampled", c.unwraps, 20);
            validation_row_below(v, layouts[i].name, "largest change of energy",
                                 c.max_relative_unwrap_change, i == 1 ? 1e-12 : 1e-4);
            validation_row(v, layouts[i].name, "x after 3 s, m", x[0], first[0], 5e-4);
            validation_row(v, layouts[i].name, "z after 3 s, m", x[2], first[1], 5e-4);
        }
        cord_world_destroy(m.world);
    }
}
