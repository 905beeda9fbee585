#include "record/html_scene.h"

#include <math.h>
#include <string.h>

/* ---- what there is ------------------------------------------------------------------------ */

static const char *const energy_names[] = {"kinetic",  "gravity",     "stretching", "bending",
                                           "twisting", "constraints", "total"};
enum { ENERGIES = sizeof energy_names / sizeof energy_names[0] };

static const char *const scalar_names[PAGE_SCALARS] = {"tension", "curvature", "twist", "speed"};

/* Plotted over time: probes of one item. The world's energy is plotted anyway. */
static bool is_plotted(const cord_probe_info *probe)
{
    return probe->items == 1 && (probe->of || strcmp(probe->measure, "energy") != 0);
}

static cord_status list_strand(recording *r, cord_strand handle, page_strand *s)
{
    cord_status status = cord_strand_get_info(r->world, handle, &s->info);
    if (status != CORD_OK) return status;
    double *scratch = NEW(r->mem, double, 9 * (size_t)s->info.vertex_count);
    if (!scratch) return CORD_ERROR_MEMORY;
    s->fields = 1u << PAGE_SPEED;
    if (cord_strand_get_frames(r->world, handle, scratch) == CORD_OK) s->fields |= PAGE_FRAMES;
    if (cord_strand_get_tensions(r->world, handle, scratch) == CORD_OK)
        s->fields |= 1u << PAGE_TENSION;
    if (cord_strand_get_curvatures(r->world, handle, scratch) == CORD_OK)
        s->fields |= 1u << PAGE_CURVATURE | 1u << PAGE_TWIST;
    cord__release(r->mem, scratch);
    return CORD_OK;
}

/* A constraint's second point may be the world's origin, which is no point; its first stands in, and
 * the page is told. */
static void list_points(recording *r, const cord_scene_info *info, page_scene *p)
{
    int n = 0;
    for (int i = 0; i < info->clamp_count; i++)
        p->points[n++] = cord_scene_get_clamp(r->scene, i).point;
    for (int i = 0; i < info->point_count; i++) p->points[n++] = cord_scene_get_point(r->scene, i);
    for (int i = 0; i < info->constraint_count; i++) {
        cord_constraint_info constraint;
        cord_constraint handle = cord_scene_get_constraint(r->scene, i);
        if (cord_constraint_get_info(r->world, handle, &constraint) != CORD_OK) continue;
        p->points[n++] = constraint.first;
        p->points[n++] = constraint.second.index ? constraint.second : constraint.first;
    }
    p->point_count = n;
}

cord_status cord__page_scene_make(recording *r, page_scene *p)
{
    cord_scene_info info = cord_scene_get_info(r->scene);
    size_t points =
        (size_t)info.clamp_count + (size_t)info.point_count + 2 * (size_t)info.constraint_count;
    size_t largest = 1;
    p->series_count = ENERGIES;
    for (int i = 0; i < info.probe_count; i++) {
        cord_probe_info probe = cord_scene_get_probe(r->scene, i);
        if (!is_plotted(&probe)) continue;
        p->series_count += probe.columns;
        if ((size_t)probe.columns > largest) largest = (size_t)probe.columns;
    }
    p->strands = NEW(r->mem, page_strand, info.strand_count);
    p->points = NEW(r->mem, cord_point, points);
    p->sample = NEW(r->mem, double, largest);
    if (!p->strands || !p->points || !p->sample) return CORD_ERROR_MEMORY;
    list_points(r, &info, p);
    p->strand_count = info.strand_count;
    p->body_count = info.solid_count;
    for (int i = 0; i < info.strand_count; i++) {
        cord_status status = list_strand(r, cord_scene_get_strand(r->scene, i), &p->strands[i]);
        if (status != CORD_OK) return status;
    }
    return CORD_OK;
}

void cord__page_scene_free(recording *r, page_scene *p)
{
    cord__release(r->mem, p->strands);
    cord__release(r->mem, p->points);
    cord__release(r->mem, p->sample);
}

cord_status cord__page_scene_sample(recording *r, page_scene *p, double *values)
{
    cord_energy e;
    cord_status status = cord_world_get_energy(r->world, &e);
    if (status != CORD_OK) return status;
    const double energies[ENERGIES] = {e.kinetic,  e.gravity,     e.stretching, e.bending,
                                       e.twisting, e.constraints, e.total};
    memcpy(values, energies, sizeof energies);
    values += ENERGIES;
    int probes = cord_scene_get_info(r->scene).probe_count;
    for (int i = 0; i < probes; i++) {
        cord_probe_info probe = cord_scene_get_probe(r->scene, i);
        if (!is_plotted(&probe)) continue;
        status = cord_scene_sample(r->scene, r->world, i, p->sample);
        if (status != CORD_OK) return status;
        memcpy(values, p->sample, (size_t)probe.columns * sizeof *values);
        values += probe.columns;
    }
    return CORD_OK;
}

/* ---- JSON, safe inside a <script> ---------------------------------------------------------- */

static void write_text(FILE *out, const char *text)
{
    if (!text) {
        fputs("null", out);
        return;
    }
    fputc('"', out);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c < ' ' || strchr("\"\\<>&", *c)) {
            fprintf(out, "\\u%04x", *c);
        } else {
            fputc(*c, out);
        }
    }
    fputc('"', out);
}

static void write_key(FILE *out, const char *key, const char *text)
{
    fprintf(out, "\"%s\":", key);
    write_text(out, text);
}

static void write_number(FILE *out, double value)
{
    if (isfinite(value)) {
        fprintf(out, "%.9g", value);
    } else {
        fputs("null", out);
    }
}

static void write_numbers(FILE *out, const char *key, const double *values, int count)
{
    fprintf(out, ",\"%s\":[", key);
    for (int i = 0; i < count; i++) {
        if (i > 0) fputc(',', out);
        write_number(out, values[i]);
    }
    fputc(']', out);
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

static void write_strand(const recording *r, const page_strand *s, int i, FILE *out)
{
    const cord_section *section = &s->info.section;
    fputc('{', out);
    write_key(out, "name", cord_scene_get_strand_name(r->scene, i));
    fprintf(out, ",\"vertices\":%d,\"edges\":%d,\"closed\":%s,\"frames\":%s,\"scalars\":[",
            s->info.vertex_count, s->info.edge_count, s->info.closed ? "true" : "false",
            s->fields & PAGE_FRAMES ? "true" : "false");
    for (int k = 0, n = 0; k < PAGE_SCALARS; k++) {
        if (s->fields & 1u << k) fprintf(out, "%s\"%s\"", n++ > 0 ? "," : "", scalar_names[k]);
    }
    fputs("],", out);
    write_key(out, "section", section_name(section->kind));
    int rgb = cord_scene_get_strand_colour(r->scene, i);
    if (rgb >= 0) fprintf(out, ",\"colour\":\"#%06x\"", (unsigned)rgb);
    write_numbers(out, "radius", (double[]){section->radius, section->inner_radius}, 2);
    write_numbers(out, "size", section->size, 2);
    write_numbers(out, "length", &s->info.length, 1);
    fputc('}', out);
}

static void write_mesh(FILE *out, const cord_shape *s)
{
    write_numbers(out, "vertices", s->vertices, 3 * s->vertex_count);
    fputs(",\"triangles\":[", out);
    for (int i = 0; i < 3 * s->triangle_count; i++)
        fprintf(out, "%s%d", i > 0 ? "," : "", s->triangles[i]);
    fputc(']', out);
}

static void write_body(const recording *r, int i, FILE *out)
{
    cord_body_info info = {0};
    cord_scene_get_solid(r->scene, r->world, i, &info);
    const cord_shape *s = &info.shape;
    int rgb = cord_scene_get_solid_colour(r->scene, i);
    fputc('{', out);
    write_key(out, "name", cord_scene_get_solid_name(r->scene, i));
    fputc(',', out);
    write_key(out, "shape", cord_shape_name(s->kind));
    write_numbers(out, "size", s->size, 3);
    fputs(",\"radius\":", out);
    write_number(out, s->radius);
    fputs(",\"length\":", out);
    write_number(out, s->length);
    if (rgb >= 0) fprintf(out, ",\"colour\":\"#%06x\"", (unsigned)rgb);
    if (s->kind == CORD_SHAPE_MESH) write_mesh(out, s);
    fputc('}', out);
}

/* A path as places along it, in the axes of the body that carries it, or the world's (body -1). */
static void write_path(const recording *r, int i, int bodies, FILE *out)
{
    enum { PARTS = 200 };
    cord_path path = cord_scene_get_path(r->scene, i);
    cord_path_info info = {0};
    double x[3 * PARTS + 3] = {0};
    int body = -1;
    cord_path_get_info(r->world, path, &info);
    for (int k = 0; k <= PARTS; k++)
        cord_path_get_position(r->world, path, info.length * k / PARTS, true, x + 3 * k, NULL);
    for (int k = 0; info.body.index && k < bodies; k++)
        if (cord_scene_get_body(r->scene, k).index == info.body.index) body = k;
    fputc('{', out);
    write_key(out, "name", cord_scene_get_path_name(r->scene, i));
    fprintf(out, ",\"body\":%d", body);
    write_numbers(out, "points", x, 3 * PARTS + 3);
    fputc('}', out);
}

static void write_anchors(const recording *r, const cord_scene_info *info, FILE *out)
{
    fputs(",\n\"anchors\":[", out);
    for (int i = 0; i < info->clamp_count; i++) {
        cord_scene_clamp clamp = cord_scene_get_clamp(r->scene, i);
        fprintf(out, "%s{\"kind\":\"%s\",", i > 0 ? "," : "", clamp.align.index ? "clamp" : "pin");
        write_key(out, "name", clamp.name);
        fprintf(out, ",\"point\":%d}", i);
    }
    for (int i = 0; i < info->point_count; i++) {
        fputs(i + info->clamp_count > 0 ? "," : "", out);
        fputs("{\"kind\":\"point\",", out);
        write_key(out, "name", cord_scene_get_point_name(r->scene, i));
        fprintf(out, ",\"point\":%d}", info->clamp_count + i);
    }
    fputc(']', out);
}

static void write_constraints(const recording *r, const cord_scene_info *info, FILE *out)
{
    int point = info->clamp_count + info->point_count, written = 0;
    fputs(",\n\"constraints\":[", out);
    for (int i = 0; i < info->constraint_count; i++) {
        cord_constraint_info constraint;
        cord_constraint handle = cord_scene_get_constraint(r->scene, i);
        if (cord_constraint_get_info(r->world, handle, &constraint) != CORD_OK) continue;
        fputs(written++ > 0 ? ",{" : "{", out);
        write_key(out, "kind", constraint.kind);
        fputc(',', out);
        write_key(out, "name", constraint.name);
        fprintf(out, ",\"first\":%d,\"second\":%d", point,
                constraint.second.index ? point + 1 : -1);
        write_numbers(out, "direction", constraint.direction, 3);
        fputc('}', out);
        point += 2;
    }
    fputc(']', out);
}

static void write_series(FILE *out, const char *group, const char *name, const char *unit)
{
    fputs("{", out);
    write_key(out, "group", group);
    fputc(',', out);
    write_key(out, "name", name);
    fputc(',', out);
    write_key(out, "unit", unit);
    fputc('}', out);
}

static void write_all_series(const recording *r, const cord_scene_info *info, FILE *out)
{
    fputs(",\n\"series\":[", out);
    for (int i = 0; i < ENERGIES; i++) {
        fputs(i > 0 ? "," : "", out);
        write_series(out, "energy", energy_names[i], "J");
    }
    for (int i = 0; i < info->probe_count; i++) {
        cord_probe_info probe = cord_scene_get_probe(r->scene, i);
        if (!is_plotted(&probe)) continue;
        for (int c = 0; c < probe.columns; c++) {
            const char *unit = "";
            const char *name = cord_scene_get_probe_column(r->scene, i, c, &unit);
            fputc(',', out);
            write_series(out, probe.name, name, unit);
        }
    }
    fputc(']', out);
}

/* Probes along whole strands that measure what the page holds anyway, for each vertex. */
static void write_profiles(const recording *r, const cord_scene_info *info, FILE *out)
{
    int written = 0;
    fputs(",\n\"profiles\":[", out);
    for (int i = 0; i < info->probe_count; i++) {
        cord_probe_info probe = cord_scene_get_probe(r->scene, i);
        for (int k = 0; k < PAGE_SCALARS; k++) {
            if (probe.items == 1 || strcmp(probe.measure, scalar_names[k]) != 0) continue;
            fputs(written++ > 0 ? ",{" : "{", out);
            write_key(out, "name", probe.name);
            fputc(',', out);
            write_key(out, "of", probe.of);
            fprintf(out, ",\"scalar\":\"%s\"}", scalar_names[k]);
        }
    }
    fputc(']', out);
}

void cord__page_scene_write(const recording *r, const page_scene *p, FILE *out)
{
    cord_scene_info info = cord_scene_get_info(r->scene);
    fputs("<script type=\"application/json\" id=\"scene\">\n{\"format\":1,", out);
    write_key(out, "title", info.title);
    fputc(',', out);
    write_key(out, "about", info.about);
    fprintf(out, ",\"points\":%d,\n\"strands\":[", p->point_count);
    for (int i = 0; i < p->strand_count; i++) {
        if (i > 0) fputc(',', out);
        write_strand(r, &p->strands[i], i, out);
    }
    fputc(']', out);
    fputs(",\n\"bodies\":[", out);
    for (int i = 0; i < p->body_count; i++) {
        if (i > 0) fputc(',', out);
        write_body(r, i, out);
    }
    fputc(']', out);
    fputs(",\n\"paths\":[", out);
    for (int i = 0; i < info.path_count; i++) {
        if (i > 0) fputc(',', out);
        write_path(r, i, info.body_count, out);
    }
    fputc(']', out);
    write_anchors(r, &info, out);
    write_constraints(r, &info, out);
    write_all_series(r, &info, out);
    write_profiles(r, &info, out);
    fputs("}\n</script>\n", out);
}
