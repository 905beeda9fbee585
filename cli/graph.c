/* The graphs of cables: their nodes, what those are on, and the segments between them. */
#include "cli.h"
#include "math/json.h"

#include <cordage/cable.h>
#include <cordage/simulation.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SETS = 64 };

typedef struct graph_options {
    bool json;
    double at;
    int set_count;
    const char *sets[MAX_SETS + 1];
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

static bool take_set(void *target, const char *text)
{
    graph_options *o = target;
    if (o->set_count == MAX_SETS) return false;
    o->sets[o->set_count++] = text;
    return true;
}

static const option graph_option_list[] = {
    {"--at", "T", "after this many seconds; default: as drawn", take_at},
    {"--set", "PATH=VALUE", "change a value of the scene, as for run", take_set},
    {"--json", NULL, "print it for machines", take_json},
    {NULL, NULL, NULL, NULL},
};

/* ---- what is printed ------------------------------------------------------------------------ */

static const char *guide_name(const cord_node_state *n)
{
    static const char *const names[] = {
        [CORD_GUIDE_POINT] = "place",       [CORD_GUIDE_CIRCLE] = "circle",
        [CORD_GUIDE_CYLINDER] = "cylinder", [CORD_GUIDE_SPHERE] = "sphere",
        [CORD_GUIDE_LINE] = "line",         [CORD_GUIDE_PATH] = "path",
        [CORD_GUIDE_PLANE] = "plane",       [CORD_GUIDE_SURFACE] = "surface",
        [CORD_GUIDE_SPAN] = "span"};
    return n->guide < 0 ? "free" : names[n->kind];
}

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

/* Two neighbours on the same guide that have room on it: an arc, a helix. */
static const char *segment_kind(const cord_node_state *a, const cord_node_state *b)
{
    if (a->guide < 0 || a->guide != b->guide || a->kind == CORD_GUIDE_POINT ||
        a->kind == CORD_GUIDE_PLANE || a->kind == CORD_GUIDE_SPAN)
        return "straight";
    return a->kind == CORD_GUIDE_CIRCLE     ? "arc"
           : a->kind == CORD_GUIDE_CYLINDER ? "helix"
                                            : "curve";
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
    cord__json_string(j, "guide", guide_name(n));
    if (n->guide >= 0) cord__json_string(j, "carrier", carrier(w, n));
    if (n->waypoint >= 0) cord__json_integer(j, "stop", n->waypoint);
    cord__json_number(j, "s", n->s);
    cord__json_number(j, "rate", n->rate);
    cord__json_array(j, "position");
    for (int k = 0; k < 3; k++) cord__json_number(j, NULL, n->position[k]);
    cord__json_end(j, ']');
    cord__json_end(j, '}');
}

static void print_node(const cord_world *w, int i, const cord_node_state *n)
{
    char type[3], stop[16] = "";
    type_of(n, type);
    if (n->waypoint >= 0) snprintf(stop, sizeof stop, "%d", n->waypoint);
    printf("  %-6d%-6s%-10s%-14s%-6s%12.6f%11.4f%11.4f%11.4f", i, type, guide_name(n),
           carrier(w, n), stop, n->s, n->position[0], n->position[1], n->position[2]);
}

/* Of a cable that carries it. */
static cord_status tell_twist(cord_world *w, cord_strand cable, json *j)
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

/* Wheels of an open route that it does not touch have no nodes: their numbers are left out. */
static void print_untouched(const char *name, int before, int after)
{
    for (int stop = before + 1; stop < after; stop++)
        printf("%s does not touch the wheel of stop %d\n", name, stop);
}

static cord_status print_gaps(cord_world *w, cord_strand cable, const char *name, int count)
{
    cord_node_state n;
    cord_status status = CORD_OK;
    for (int i = 0, stop = 0; i < count && status == CORD_OK; i++) {
        status = cord_cable_get_node(w, cable, i, &n);
        if (status != CORD_OK || n.waypoint < 0) continue;
        print_untouched(name, stop, n.waypoint);
        stop = n.waypoint;
    }
    return status;
}

static cord_status tell_cable(cord_world *w, cord_strand cable, const char *name, json *j)
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
        printf("%s: %d nodes%s\n  %-6s%-6s%-10s%-14s%-6s%12s%11s%11s%11s  %-10s%12s%12s\n", name,
               count, info.closed ? ", closed" : "", "node", "type", "guide", "carrier", "stop",
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
        if (!last && status == CORD_OK) status = cord_cable_get_tension(w, cable, i, &tension);
        if (!last)
            printf("  %-10s%12.6f%12.6g", segment_kind(&n, &next), next.s + further - n.s,
                   tension + 0.0); /* no -0 */
        printf("\n");
    }
    if (j) cord__json_end(j, ']');
    if (status == CORD_OK && !j && !info.closed) status = print_gaps(w, cable, name, count);
    if (status == CORD_OK) status = tell_twist(w, cable, j);
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

static int tell(cord_simulation *simulation, const graph_options *o, const char *path)
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
            tell_cable(world, strand, cord_scene_get_strand_name(scene, i), o->json ? &j : NULL);
    }
    if (o->json) {
        cord__json_end(&j, ']');
        cord__json_end(&j, '}');
    }
    if (status != CORD_OK) {
        fprintf(stderr, "cordage: %s\n", cord_world_get_error(world));
        return EXIT_ENGINE;
    }
    if (found > 0) return EXIT_GOOD;
    fprintf(stderr, "cordage graph: there are no cables in %s\n", path);
    return EXIT_SCENE;
}

static int look_at(const char *path, const graph_options *options)
{
    cord_scene *scene;
    cord_simulation *simulation;
    int code = open_scene(path, options->sets, &scene, &simulation);
    if (code == EXIT_GOOD) code = tell(simulation, options, path);
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
    return look_at(path, &options);
}

const command graph_command = {
    "graph",
    "SCENE [options]",
    "Shows the nodes and segments that cables are made of",
    "One line for each node: its type, a letter and the number of its spatial unknowns (L: it "
    "stays\n"
    "with a piece of the cable; E: the cable runs through it), the guide it is on and what "
    "carries\n"
    "that, the stop of the route it belongs to, the length of cable before it, its place; and of "
    "the\n"
    "segment after it the kind, the length and the tension.\n"
    "\n"
    "Examples:\n"
    "  cordage graph gallery/cables/atwood.yaml\n"
    "  cordage graph gallery/cables/atwood.yaml --at 0.5",
    graph_option_list,
    graph,
};
