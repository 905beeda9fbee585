#include "record/html_scene.h"

#include "math/json.h"
#include "record/scalars.h"

#include <stdlib.h>
#include <string.h>

bool cord__page_plots(const snapshot_probe *probe)
{
    return probe->items == 1 && (probe->of || strcmp(probe->measure, "energy") != 0);
}

bool cord__page_moves_freely(const snapshot_layout *l, double number)
{
    int body = (int)number - l->strand_count;
    return number >= 0 && (body < 0 || l->bodies[body].mass > 0);
}

static void write_colour(json *j, int colour)
{
    char text[16];
    if (colour < 0) return;
    snprintf(text, sizeof text, "#%06x", (unsigned)colour);
    cord__json_string(j, "colour", text);
}

static const char *section_name(cord_section_kind kind)
{
    switch (kind) {
    case CORD_SECTION_ELLIPSE: return "ellipse";
    case CORD_SECTION_RECTANGLE: return "rectangle";
    case CORD_SECTION_TUBE: return "tube";
    case CORD_SECTION_CIRCLE:
    case CORD_SECTION_EXPLICIT: break;
    }
    return "circle";
}

static void write_strand(json *j, const snapshot_strand *s)
{
    const cord_section *section = &s->section;
    cord__json_object(j, NULL);
    cord__json_string(j, "name", s->name);
    cord__json_integer(j, "vertices", s->vertex_count);
    cord__json_integer(j, "edges", s->edge_count);
    cord__json_bool(j, "closed", s->closed);
    cord__json_bool(j, "frames", s->has[QUANTITY_FRAMES]);
    cord__json_array(j, "scalars");
    for (int k = 0; k < SCALAR_COUNT; k++) {
        if (has_scalar(s, (vertex_scalar)k)) cord__json_string(j, NULL, cord__scalars[k].name);
    }
    cord__json_end(j, ']');
    cord__json_string(j, "section", section_name(section->kind));
    write_colour(j, s->colour);
    cord__json_string(j, "look", cord_look_names()[s->look]);
    cord__json_numbers(j, "radius", (double[]){section->radius, section->inner_radius}, 2);
    cord__json_numbers(j, "size", section->size, 2);
    cord__json_numbers(j, "length", &s->length, 1);
    cord__json_end(j, '}');
}

/* To six digits, enough for a picture. */
static void write_short(json *j, const char *key, const double *values, int count)
{
    cord__json_inline_array(j, key);
    for (int i = 0; i < count; i++) {
        char text[32];
        snprintf(text, sizeof text, "%.6g", values[i]);
        cord__json_number(j, NULL, strtod(text, NULL));
    }
    cord__json_end(j, ']');
}

static void write_body(json *j, const snapshot_body *b)
{
    const cord_shape *s = &b->shape;
    cord__json_object(j, NULL);
    cord__json_string(j, "name", b->name);
    cord__json_string(j, "shape", cord_shape_name(s->kind));
    cord__json_numbers(j, "size", s->size, 3);
    cord__json_number(j, "radius", s->radius);
    cord__json_number(j, "length", s->length);
    write_colour(j, b->colour);
    cord__json_string(j, "look", cord_look_names()[b->look]);
    cord__json_bool(j, "scenery", b->scenery);
    if (s->kind == CORD_SHAPE_MESH) {
        write_short(j, "vertices", s->vertices, 3 * s->vertex_count);
        cord__json_inline_array(j, "triangles");
        for (int i = 0; i < 3 * s->triangle_count; i++)
            cord__json_integer(j, NULL, s->triangles[i]);
        cord__json_end(j, ']');
    }
    cord__json_end(j, '}');
}

static void write_path(json *j, const snapshot_path *p)
{
    cord__json_object(j, NULL);
    cord__json_string(j, "name", p->name);
    cord__json_integer(j, "body", p->body);
    cord__json_numbers(j, "points", p->points, 3 * (PATH_PARTS + 1));
    cord__json_end(j, '}');
}

static void write_anchor(json *j, const snapshot_anchor *a, int point)
{
    static const char *const kinds[] = {
        [ANCHOR_CLAMP] = "clamp", [ANCHOR_PIN] = "pin", [ANCHOR_POINT] = "point"};
    cord__json_object(j, NULL);
    cord__json_string(j, "kind", kinds[a->kind]);
    cord__json_string(j, "name", a->name);
    cord__json_integer(j, "point", point);
    cord__json_end(j, '}');
}

static void write_constraint(json *j, const snapshot_constraint *c)
{
    cord__json_object(j, NULL);
    cord__json_string(j, "kind", c->kind);
    cord__json_string(j, "name", c->name);
    cord__json_integer(j, "first", c->first);
    cord__json_integer(j, "second", c->second);
    cord__json_numbers(j, "direction", c->direction, 3);
    if (c->bar.width > 0) {
        cord__json_object(j, "bar");
        cord__json_number(j, "width", c->bar.width);
        cord__json_number(j, "thickness", c->bar.thickness);
        write_colour(j, c->bar.colour);
        cord__json_string(j, "look", cord_look_names()[c->bar.look]);
        cord__json_end(j, '}');
    }
    cord__json_end(j, '}');
}

static void write_series(json *j, const char *group, const char *name, const char *unit)
{
    cord__json_object(j, NULL);
    cord__json_string(j, "group", group);
    cord__json_string(j, "name", name);
    cord__json_string(j, "unit", unit);
    cord__json_end(j, '}');
}

/* Pages have the energies of every scene; of one that has a probe for them they show them first. */
static bool asks_for_energy(const snapshot_layout *l)
{
    for (int i = 0; i < l->probe_count; i++)
        if (!l->probes[i].of && strcmp(l->probes[i].measure, "energy") == 0) return true;
    return false;
}

static void write_all_series(json *j, const snapshot_layout *l)
{
    cord__json_bool(j, "energy", asks_for_energy(l));
    cord__json_array(j, "series");
    for (int i = 0; i < ENERGY_COUNT; i++) write_series(j, "energy", cord__energy_names[i], "J");
    for (int i = 0; i < l->probe_count; i++) {
        const snapshot_probe *p = &l->probes[i];
        for (int c = 0; cord__page_plots(p) && c < p->columns; c++)
            write_series(j, p->name, p->column_names[c], p->column_units[c]);
    }
    cord__json_end(j, ']');
}

/* Probes along whole strands that measure a scalar which the page has for each vertex. */
static void write_profiles(json *j, const snapshot_layout *l)
{
    cord__json_array(j, "profiles");
    for (int i = 0; i < l->probe_count; i++) {
        const snapshot_probe *p = &l->probes[i];
        for (int k = 0; k < SCALAR_COUNT; k++) {
            if (p->items == 1 || strcmp(p->measure, cord__scalars[k].name) != 0) continue;
            cord__json_object(j, NULL);
            cord__json_string(j, "name", p->name);
            cord__json_string(j, "of", p->of);
            cord__json_string(j, "scalar", cord__scalars[k].name);
            cord__json_end(j, '}');
        }
    }
    cord__json_end(j, ']');
}

static void write_objects(json *j, const snapshot_layout *l)
{
    cord__json_integer(j, "points", l->point_count);
    cord__json_bool(j, "contacts", l->has_contacts);
    cord__json_array(j, "strands");
    for (int i = 0; i < l->strand_count; i++) write_strand(j, &l->strands[i]);
    cord__json_end(j, ']');
    cord__json_array(j, "bodies");
    for (int i = 0; i < l->body_count; i++) write_body(j, &l->bodies[i]);
    cord__json_end(j, ']');
    cord__json_array(j, "paths");
    for (int i = 0; i < l->path_count; i++) write_path(j, &l->paths[i]);
    cord__json_end(j, ']');
    cord__json_array(j, "anchors");
    for (int i = 0; i < l->anchor_count; i++) write_anchor(j, &l->anchors[i], i);
    cord__json_end(j, ']');
    cord__json_array(j, "constraints");
    for (int i = 0; i < l->constraint_count; i++) write_constraint(j, &l->constraints[i]);
    cord__json_end(j, ']');
}

/* Names and units of the scalars, which the page's colours show. */
static void write_scalars(json *j)
{
    cord__json_object(j, "scalars");
    for (int k = 0; k < SCALAR_COUNT; k++)
        cord__json_string(j, cord__scalars[k].name, cord__scalars[k].unit);
    cord__json_end(j, '}');
}

/* ---- images --------------------------------------------------------------------------------- */

static void write_image(json *j, const cord_scene *scene, int i)
{
    cord_image_info image = cord_scene_get_image(scene, i);
    cord__json_object(j, NULL);
    cord__json_string(j, "name", image.name);
    cord__json_numbers(j, "corner", image.corner, 3);
    cord__json_numbers(j, "right", image.right, 3);
    cord__json_numbers(j, "down", image.down, 3);
    cord__json_number(j, "opacity", image.opacity);
    cord__json_integer(j, "columns", image.columns);
    cord__json_integer(j, "rows", image.rows);
    cord__json_integer(j, "file", image.file);
    cord__json_end(j, '}');
}

static void write_images(json *j, const cord_scene *scene)
{
    int count = cord_scene_get_info(scene).image_count;
    cord__json_array(j, "images");
    for (int i = 0; i < count; i++) write_image(j, scene, i);
    cord__json_end(j, ']');
}

/* ---- failures ------------------------------------------------------------------------------- */

static bool is_constraint(cord_constraint a, cord_constraint b)
{
    return a.index && a.index == b.index && a.generation == b.generation;
}

static int failed_strand(const recording *r, const cord_failure *f)
{
    for (int i = 0; f->strand.index && i < r->frame.layout->strand_count; i++)
        if (cord__snapshot_handle(r->simulation, &r->frame.layout->strands[i]).index ==
            f->strand.index)
            return i;
    return -1;
}

static int failed_body(const recording *r, const cord_failure *f)
{
    int count = cord_scene_get_info(cord_simulation_get_scene(r->simulation)).body_count;
    for (int i = 0; f->body.index && i < count; i++)
        if (cord_simulation_get_body(r->simulation, i).index == f->body.index) return i;
    return -1;
}

static int failed_constraint(const recording *r, const cord_failure *f)
{
    const snapshot_layout *l = r->frame.layout;
    for (int i = 0; i < l->constraint_count; i++)
        if (is_constraint(f->constraint, l->constraints[i].handle)) return i;
    return -1;
}

/* Clamps are the first anchors. */
static int failed_anchor(const recording *r, const cord_failure *f)
{
    int count = cord_scene_get_info(cord_simulation_get_scene(r->simulation)).clamp_count;
    for (int i = 0; i < count; i++) {
        cord_clamp_handles clamp = cord_simulation_get_clamp(r->simulation, i);
        if (is_constraint(f->constraint, clamp.coincide) ||
            is_constraint(f->constraint, clamp.align))
            return i;
    }
    return -1;
}

void cord__page_failure_write(const recording *r, FILE *out)
{
    cord_failure f = {0};
    json j;
    cord_world_get_failure(cord_simulation_get_world(r->simulation), &f);
    fputs("<script type=\"application/json\" id=\"failure-data\">\n", out);
    cord__json_begin(&j, out, JSON_SCRIPT);
    cord__json_object(&j, NULL);
    cord__json_string(&j, "message", r->failure);
    cord__json_integer(&j, "strand", failed_strand(r, &f));
    cord__json_integer(&j, "body", failed_body(r, &f));
    cord__json_integer(&j, "constraint", failed_constraint(r, &f));
    cord__json_integer(&j, "anchor", failed_anchor(r, &f));
    cord__json_end(&j, '}');
    fputs("</script>\n", out);
}

static void write_view(json *j, const cord_scene_info *info)
{
    if (!info->view_given && !info->direction_given) return;
    cord__json_object(j, "view");
    if (info->view_given) {
        cord__json_numbers(j, "from", info->view_from, 3);
        cord__json_numbers(j, "to", info->view_to, 3);
    } else {
        cord__json_numbers(j, "direction", info->view_direction, 3);
    }
    cord__json_end(j, '}');
}

void cord__page_scene_members(json *j, const cord_simulation *sim, const snapshot_layout *layout)
{
    const cord_scene *scene = cord_simulation_get_scene(sim);
    cord_scene_info info = cord_scene_get_info(scene);
    cord__json_integer(j, "format", 1);
    cord__json_string(j, "title", info.title);
    cord__json_string(j, "about", info.about);
    write_view(j, &info);
    write_objects(j, layout);
    write_images(j, scene);
    write_all_series(j, layout);
    write_scalars(j);
    write_profiles(j, layout);
}

void cord__page_scene_write(const recording *r, FILE *out)
{
    json j;
    fputs("<script type=\"application/json\" id=\"scene\">\n", out);
    cord__json_begin(&j, out, JSON_SCRIPT);
    cord__json_object(&j, NULL);
    cord__page_scene_members(&j, r->simulation, r->frame.layout);
    cord__json_end(&j, '}');
    fputs("</script>\n", out);
}
