/* A chain that slides off a table without friction: x = x₀ cosh(t√(g/L)), x the depth of its end,
 * for a sharp or a round edge. */
#include "validation/cables/cables.h"
#include "validation/cables/machines.h"
#include "validation/csv.h"
#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846, gravity = 9.81, length = 1, density = 0.5;

/* The last time of the reference with part of the chain on the table. */
static const double last_time = 2.9;

/* Along x. */
static cord_point table_top(machine *m)
{
    static const double axes[9] = {0, 1, 0, 0, 0, 1, 1, 0, 0};
    cord_point_def def = cord_point_def_default();
    cord_point made = {0};
    memcpy(def.frame, axes, sizeof axes);
    if (m->status == CORD_OK) m->status = cord_world_add_point(m->world, &def, &made);
    return made;
}

/* The end on the table is guided along a line, the other is free. */
static cord_strand lay_chain(machine *m, double edge, double hanging)
{
    double arc = 0.5 * pi * edge, over = length - hanging + edge;
    cord_guide guides[] = {
        {.kind = CORD_GUIDE_LINE, .on = table_top(m)},
        {.kind = CORD_GUIDE_CIRCLE, .on = machine_point(m, 0, -edge), .radius = edge},
    };
    cord_cable_node sharp[] = {
        {.guide = 0, .at = {hanging - length}, .s = 0},
        {.guide = 1, .s = length - hanging, .eulerian = true},
        {.guide = -1, .at = {0, 0, -hanging}, .s = length},
    };
    cord_cable_node round[] = {
        {.guide = 0, .at = {arc - over}, .s = 0},
        {.guide = 1, .at = {0.5 * pi}, .s = over - arc, .eulerian = true, .tangent = -1},
        {.guide = 1, .s = over, .eulerian = true, .tangent = 1},
        {.guide = -1, .at = {edge, 0, -hanging}, .s = length},
    };
    cord_cable_def def = cord_cable_def_default();
    cord_strand made = {0};
    if (!(edge > 0)) guides[1].kind = CORD_GUIDE_POINT;
    def.density = density;
    def.guide_count = 2, def.guides = guides;
    def.node_count = edge > 0 ? 4 : 3, def.nodes = edge > 0 ? round : sharp;
    if (m->status == CORD_OK) m->status = cord_world_add_cable(m->world, &def, &made);
    return made;
}

static double depth(machine *m, cord_strand chain, int node)
{
    cord_node_state end = {0};
    if (m->status == CORD_OK) m->status = cord_cable_get_node(m->world, chain, node, &end);
    return -end.position[2];
}

typedef struct slide {
    double worst, drift, stretched;
} slide;

static slide run_chain(machine *m, double edge, const csv *table)
{
    slide out = {0};
    int time = csv_column(table, "t"), place = csv_column(table, "x/L (frictionless");
    double unit = sqrt(length / gravity), gone = 0;
    cord_strand chain = lay_chain(m, edge, csv_number(table, 0, place) * length);
    double energy = machine_energy(m), scale = density * gravity * length * length;
    for (int i = 1; i < table->rows && m->status == CORD_OK; i++) {
        double t = csv_number(table, i, time), expected = length * csv_number(table, i, place);
        if (t > last_time) break;
        machine_run(m, (t * unit - gone) / 50, 50);
        gone = t * unit;
        double x = depth(m, chain, edge > 0 ? 3 : 2);
        out.worst = fmax(out.worst, fabs(x / expected - 1));
        out.drift = fmax(out.drift, fabs(machine_energy(m) - energy) / scale);
        out.stretched = fmax(out.stretched, fabs(machine_length(m, chain) - length));
    }
    return out;
}

void check_chain_on_table(validation *v)
{
    static const struct {
        const char *name;
        double edge;
        cord_integrator by;
    } cases[] = {{"sharp edge", 0, CORD_IMPLICIT},
                 {"round edge", 0.02, CORD_IMPLICIT},
                 {"sharp edge, midpoint", 0, CORD_MIDPOINT},
                 {"round edge, midpoint", 0.02, CORD_MIDPOINT}};
    csv table;
    if (!csv_open(v, "13_chain_table_edge.csv", &table)) return;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        machine m = machine_make(cases[i].by, gravity);
        slide s = run_chain(&m, cases[i].edge, &table);
        if (validation_ok(v, m.world, m.status, cases[i].name)) {
            validation_row_below(v, cases[i].name, "relative error of the depth, until 91 % hang",
                                 s.worst, 5e-3);
            validation_row_below(v, cases[i].name, "error of the length (mass conservation), m",
                                 s.stretched, 1e-8);
            if (cases[i].by == CORD_MIDPOINT)
                validation_row_below(v, cases[i].name, "energy off, of λgL²", s.drift, 1e-8);
        }
        cord_world_destroy(m.world);
    }
    csv_close(&table);
}
