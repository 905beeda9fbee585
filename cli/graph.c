/* The nodes of cables, their guides, and the segments between them. */
#include "cli.h"
#include "math/json.h"

#include <cordage/cable.h>
#include <cordage/simulation.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct graph_options {
    scene_options scene;
    bool json;
    double at;
} graph_options;

static bool take_json(void *target, const char *text)
{
    (void)text;
    return ((graph_options *)target)->json = true;
}

static bool take_at(void *target, const char *text)
{
    char *end;
    double t = strtod(text, &end);
    ((graph_options *)target)->at = t;
    return end != text && (*end == 0 || strcmp(end, "s") == 0 || strcmp(end, " s") == 0) &&
           t >= 0 && isfinite(t);
}

static const option graph_option_list[] = {
    {"--at", "T", "at this time, s; default: as drawn", take_at},
    SCENE_OPTIONS,
    {"--json", NULL, "print JSON", take_json},
    {NULL, NULL, NULL, NULL},
};

/* ---- output --------------------------------------------------------------------------------- */

static const char *carrier(const cord_world *w, const cord_node_state *n)
{
    cord_body_info body;
    cord_strand_info strand;
    if (n->guide < 0) return "";
    if (n->strand.index != 0)
        return cord_strand_get_info(w, n->strand, &strand) == CORD_OK && strand.name ? strand.name
                                                                                     : "a strand";
    if (n->body.index == 0) return "world";
    return cord_body_get_info(w, n->body, &body) == CORD_OK && body.name ? body.name : "a body";
}

static void type_of(const cord_node_state *n, char type[3])
{
    type[0] = n->eulerian ? 'E' : 'L';
    type[1] = (char)('0' + n->dofs);
    type[2] = 0;
}

static void json_node(json *j, const cord_world *w, const cord_node_state *n)
{
    char type[3];
    type_of(n, type);
    cord__json_object(j, NULL);
    cord__json_string(j, "type", type);
    cord__json_string(j, "guide", n->guide_name);
    if (n->guide >= 0) cord__json_string(j, "carrier", carrier(w, n));
    if (n->waypoint >= 0) cord__json_integer(j, "waypoint", n->waypoint);
    cord__json_number(j, "s", n->s);
    cord__json_number(j, "rate", n->rate);
    cord__json_array(j, "position");
    for (int k = 0; k < 3; k++) cord__json_number(j, NULL, n->position[k]);
    cord__json_end(j, ']');
    cord__json_end(j, '}');
}

static void print_node(const cord_world *w, int i, const cord_node_state *n)
{
    char type[3], waypoint[16] = "";
    type_of(n, type);
    if (n->waypoint >= 0) snprintf(waypoint, sizeof waypoint, "%d", n->waypoint);
    printf("  %-6d%-6s%-10s%-14s%-10s%12.6f%11.4f%11.4f%11.4f", i, type, n->guide_name,
           carrier(w, n), waypoint, n->s, n->position[0], n->position[1], n->position[2]);
}

/* For cables with twisting stiffness. */
static cord_status report_twist(cord_world *w, cord_strand cable, json *j)
{
    double angle, torque;
    cord_strand_info info;
    cord_status status = cord_strand_get_info(w, cable, &info);
    if (status != CORD_OK || info.twisting == 0) return status;
    status = cord_cable_get_twist(w, cable, &angle, &torque);
    if (status != CORD_OK) return status;
    if (j) {
        cord__json_number(j, "twist", angle);
        cord__json_number(j, "torque", torque);
    } else {
        printf("  twist %.6g rad, torque %.6g N m\n", angle, torque);
    }
    return status;
}

/* Pulleys of an open route without contact have no nodes: gaps in the numbering. */
static void print_without_contact(const char *name, int before, int after)
{
    for (int waypoint = before + 1; waypoint < after; waypoint++)
        printf("%s has no contact with the pulley of waypoint %d\n", name, waypoint);
}

static cord_status print_gaps(cord_world *w, cord_strand cable, const char *name, int count)
{
    cord_node_state n;
    cord_status status = CORD_OK;
    for (int i = 0, waypoint = 0; i < count && status == CORD_OK; i++) {
        status = cord_cable_get_node(w, cable, i, &n);
        if (status != CORD_OK || n.waypoint < 0) continue;
        print_without_contact(name, waypoint, n.waypoint);
        waypoint = n.waypoint;
    }
    return status;
}

static cord_status report_cable(cord_world *w, cord_strand cable, const char *name, json *j)
{
    int count = 0;
    cord_node_state n, next;
    cord_strand_info info = {0};
    cord_status status = cord_cable_get_node_count(w, cable, &count);
    if (status == CORD_OK) status = cord_strand_get_info(w, cable, &info);
    if (j) {
        cord__json_object(j, NULL);
        cord__json_string(j, "cable", name);
        cord__json_bool(j, "closed", info.closed);
        cord__json_array(j, "nodes");
    } else {
        printf("%s: %d nodes%s\n  %-6s%-6s%-10s%-14s%-10s%12s%11s%11s%11s  %-10s%12s%12s\n", name,
               count, info.closed ? ", closed" : "", "node", "type", "guide", "carrier", "waypoint",
               "s, m", "x, m", "y, m", "z, m", "segment", "length, m", "tension, N");
    }
    for (int i = 0; i < count && status == CORD_OK; i++) {
        double tension = 0;
        status = cord_cable_get_node(w, cable, i, &n);
        if (status == CORD_OK && j) json_node(j, w, &n);
        if (status == CORD_OK && !j) print_node(w, i, &n);
        if (status != CORD_OK || j) continue;
        bool last = i + 1 == count && !info.closed;
        double further = i + 1 == count ? info.length : 0;
        if (!last) status = cord_cable_get_node(w, cable, (i + 1) % count, &next);
        if (!last && status == CORD_OK) status = cord_cable_get_tension(w, cable, i, 0.5, &tension);
        if (!last)
            printf("  %-10s%12.6f%12.6g", n.segment_name, next.s + further - n.s,
                   tension + 0.0); /* no -0 */
        printf("\n");
    }
    if (j) cord__json_end(j, ']');
    if (status == CORD_OK && !j && !info.closed) status = print_gaps(w, cable, name, count);
    if (status == CORD_OK) status = report_twist(w, cable, j);
    if (j) cord__json_end(j, '}');
    return status;
}

/* ---- the command ---------------------------------------------------------------------------- */

static cord_status run_to(cord_simulation *simulation, double time)
{
    const cord_world *world = cord_simulation_get_world(simulation);
    double dt = cord_scene_get_info(cord_simulation_get_scene(simulation)).dt;
    cord_status status = CORD_OK;
    while (status == CORD_OK && cord_world_get_time(world) < time - dt / 2)
        status = cord_simulation_step(simulation, dt);
    return status;
}

static int report(cord_simulation *simulation, const graph_options *o, const char *path)
{
    const cord_scene *scene = cord_simulation_get_scene(simulation);
    cord_world *world = cord_simulation_get_world(simulation);
    json j;
    int found = 0;
    cord_status status = run_to(simulation, o->at);
    cord__json_begin(&j, stdout, JSON_LINES);
    if (o->json) {
        cord__json_object(&j, NULL);
        cord__json_string(&j, "scene", path);
        cord__json_array(&j, "cables");
    }
    for (int i = 0; status == CORD_OK && i < cord_scene_get_info(scene).strand_count; i++) {
        cord_strand_info info;
        cord_strand strand = cord_simulation_get_strand(simulation, i);
        status = cord_strand_get_info(world, strand, &info);
        if (status != CORD_OK || !info.has_nodes) continue;
        found++;
        status =
            report_cable(world, strand, cord_scene_get_strand_name(scene, i), o->json ? &j : NULL);
    }
    if (o->json) {
        cord__json_end(&j, ']');
        cord__json_end(&j, '}');
    }
    if (status != CORD_OK) return world_failure(world, status);
    if (found > 0) return EXIT_GOOD;
    fprintf(stderr, "cordage graph: the scene %s has no cables\n", path);
    return EXIT_SCENE;
}

static int open_and_report(const char *path, const graph_options *options)
{
    cord_scene *scene;
    cord_simulation *simulation;
    int code = open_scene_or_say(path, &options->scene, &scene, &simulation);
    if (code == EXIT_GOOD) code = report(simulation, options, path);
    cord_simulation_destroy(simulation);
    cord_scene_free(scene);
    return code;
}

static int graph(int argc, char **argv)
{
    if (asked_for_help(&graph_command, argc, argv)) return EXIT_GOOD;
    graph_options options = {0};
    const char *path = NULL;
    int count;
    if (!parse_options(&graph_command, argc, argv, &options, &path, 1, &count)) return EXIT_USAGE;
    if (count == 0) {
        fprintf(stderr, "cordage graph: which scene?\nUsage: cordage graph %s\n",
                graph_command.usage);
        return EXIT_USAGE;
    }
    return open_and_report(path, &options);
}

const command graph_command = {
    "graph",
    "SCENE [options]",
    "Lists the nodes and segments of cables",
    "One line for each node: its type, a letter and the number of its spatial unknowns (L:\n"
    "Lagrangian, fixed in the material; E: Eulerian, the cable runs through it), its guide and "
    "the\n"
    "body that carries it, its waypoint of the route, its material coordinate s, its position; and "
    "of\n"
    "the segment after it the kind, the length and the tension.\n"
    "\n"
    "Examples:\n"
    "  cordage graph gallery/cables/atwood.yaml\n"
    "  cordage graph gallery/cables/atwood.yaml --at 0.5",
    graph_option_list,
    graph,
};
