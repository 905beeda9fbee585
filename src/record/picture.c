/* Films: what the renderer needs of a live world, taken through the public interface, kept in a
 * temporary file and drawn later. */
#include "record/render.h"

#include "math/vec3.h"

#include <cordage/cordage.h>
#include <stdio.h>
#include <string.h>

/* Where the markers are attached; a link, to two points; a part of a path, between two coordinates. */
typedef struct marker_source {
    cord_point point, other;
    marker_kind kind;
    cord_path path;
    double from, to;
} marker_source;

struct cord_film {
    memory mem;
    cord_scene *scene;
    cord_world *world;
    cord_picture_def def;
    char error[256];
    int strand_count, body_count, marker_count;
    cord_strand *handles;
    picture_strand *strands; /* they point into `shape` */
    cord_shape *shapes;      /* of bodies; meshes are the world's */
    solid_mesh *solids;
    picture_body *bodies;
    marker_source *sources;
    picture_marker *markers;
    /* One picture: time, then of each strand positions, frames and values, then of each body and each
     * marker place and frame. */
    double *shape;
    size_t shape_size;
    double *work; /* room for any array of one strand */
    FILE *file;   /* all pictures */
    int count;
    picture_extent extent;
};

cord_picture_def cord_picture_def_default(void)
{
    return (cord_picture_def){
        .width = 1280, .height = 720, .range = {NAN, NAN}, .ground = NAN, .smallest_radius = 0.9};
}

const char *const *cord_colour_names(void)
{
    static const char *const names[] = {"strand", "curvature", "twist", "tension", "speed", NULL};
    return names;
}

const char *const *cord_theme_names(void)
{
    static const char *const names[] = {"light", "dark", "transparent", NULL};
    return names;
}

const char *cord_film_get_error(const cord_film *f)
{
    return f->error;
}

static cord_status fail(cord_film *f, cord_status status, const char *what, const char *detail)
{
    snprintf(f->error, sizeof f->error, "%s%s%.180s", what, *detail ? ": " : "", detail);
    return status;
}

/* ---- making --------------------------------------------------------------------------------- */

static cord_status list_strands(cord_film *f, size_t *longest)
{
    f->strand_count = cord_scene_get_info(f->scene).strand_count;
    f->handles = NEW(&f->mem, cord_strand, f->strand_count);
    f->strands = NEW(&f->mem, picture_strand, f->strand_count);
    if (!f->handles || !f->strands) return CORD_ERROR_MEMORY;
    bool valued = f->def.colour_by != CORD_COLOUR_STRAND;
    for (int i = 0; i < f->strand_count; i++) {
        cord_strand_info info;
        int rgb = cord_scene_get_strand_colour(f->scene, i);
        f->handles[i] = cord_scene_get_strand(f->scene, i);
        cord_status status = cord_strand_get_info(f->world, f->handles[i], &info);
        if (status != CORD_OK) return fail(f, status, "a strand is gone", "");
        f->strands[i] = (picture_strand){.vertices = info.vertex_count,
                                         .edges = info.edge_count,
                                         .closed = info.closed,
                                         .section = info.section,
                                         .colour = i,
                                         .coloured = rgb >= 0,
                                         .rgb = rgb};
        size_t vertices = (size_t)info.vertex_count, edges = (size_t)info.edge_count;
        f->shape_size += 3 * vertices + 9 * edges + (valued ? vertices : 0);
        if (3 * vertices + edges > *longest) *longest = 3 * vertices + edges;
    }
    return CORD_OK;
}

/* Bodies have their own colours, after those of the strands in the palette; where colours mean
 * something they are grey. */
static void body_colour(const cord_film *f, int i, float colour[3])
{
    int rgb = cord_scene_get_solid_colour(f->scene, i);
    cord__palette(f->strand_count + i, colour);
    for (int k = 0; rgb >= 0 && k < 3; k++)
        colour[k] = cord__to_linear((float)(rgb >> (16 - 8 * k) & 255) / 255);
    for (int k = 0; f->def.colour_by != CORD_COLOUR_STRAND && k < 3; k++) colour[k] = 0.35F;
}

static cord_status list_bodies(cord_film *f)
{
    enum { SIDES = 72 };
    f->body_count = cord_scene_get_info(f->scene).solid_count;
    f->shapes = NEW(&f->mem, cord_shape, f->body_count);
    f->solids = NEW(&f->mem, solid_mesh, f->body_count);
    f->bodies = NEW(&f->mem, picture_body, f->body_count);
    if (!f->shapes || !f->solids || !f->bodies) return CORD_ERROR_MEMORY;
    for (int i = 0; i < f->body_count; i++) {
        cord_body_info info;
        cord_status status = cord_scene_get_solid(f->scene, f->world, i, &info);
        if (status != CORD_OK) return fail(f, status, "a body is gone", "");
        f->shapes[i] = info.shape;
        double bevel = 0.03 * cord__solid_reach(&info.shape);
        status = cord__solid_mesh(&f->mem, &info.shape, SIDES, bevel, &f->solids[i]);
        if (status != CORD_OK) return status;
        f->bodies[i] = (picture_body){.shape = &f->shapes[i], .solid = &f->solids[i]};
        body_colour(f, i, f->bodies[i].colour);
    }
    f->shape_size += 12 * (size_t)f->body_count;
    return CORD_OK;
}

enum { PATH_PARTS = 120 };

static void list_paths(cord_film *f, int count)
{
    for (int i = 0; i < count; i++) {
        cord_path path = cord_scene_get_path(f->scene, i);
        cord_path_info info;
        if (cord_path_get_info(f->world, path, &info) != CORD_OK) continue;
        for (int k = 0; k < PATH_PARTS; k++)
            f->sources[f->marker_count++] =
                (marker_source){.kind = MARKER_PATH,
                                .path = path,
                                .from = info.length * k / PATH_PARTS,
                                .to = info.length * (k + 1) / PATH_PARTS};
    }
}

/* Clamps, the scene's points that are not on a strand (pins), what keeps a distance (links), and paths. */
static cord_status list_markers(cord_film *f)
{
    cord_scene_info info = cord_scene_get_info(f->scene);
    int most =
        info.clamp_count + info.point_count + info.constraint_count + PATH_PARTS * info.path_count;
    f->sources = NEW(&f->mem, marker_source, most);
    f->markers = NEW(&f->mem, picture_marker, most);
    if (!f->sources || !f->markers) return CORD_ERROR_MEMORY;
    for (int i = 0; i < info.clamp_count; i++) {
        cord_scene_clamp clamp = cord_scene_get_clamp(f->scene, i);
        f->sources[f->marker_count++] = (marker_source){
            .point = clamp.point, .kind = clamp.align.generation != 0 ? MARKER_BLOCK : MARKER_BALL};
    }
    for (int i = 0; i < info.point_count; i++) {
        f->sources[f->marker_count++] =
            (marker_source){.point = cord_scene_get_point(f->scene, i), .kind = MARKER_BALL};
    }
    for (int i = 0; i < info.constraint_count; i++) {
        cord_constraint_info about;
        cord_constraint r = cord_scene_get_constraint(f->scene, i);
        if (cord_constraint_get_info(f->world, r, &about) != CORD_OK) continue;
        if (strcmp(about.kind, CORD_DISTANCE) != 0 || about.second.index == 0) continue;
        f->sources[f->marker_count++] =
            (marker_source){.point = about.first, .other = about.second, .kind = MARKER_LINK};
    }
    list_paths(f, info.path_count);
    f->shape_size += 12 * (size_t)f->marker_count;
    return CORD_OK;
}

/* Let the film's strands read from this shape. */
static void point_into(const cord_film *f, picture_strand *strands, const double *shape)
{
    const double *p = shape + 1;
    for (int i = 0; i < f->strand_count; i++) {
        picture_strand *s = &strands[i];
        s->x = p, p += 3 * (size_t)s->vertices;
        s->frames = p, p += 9 * (size_t)s->edges;
        if (f->def.colour_by == CORD_COLOUR_STRAND) continue;
        s->value = p, p += s->vertices;
    }
}

static cord_status set_up(cord_film *f)
{
    size_t longest = 1;
    f->shape_size = 1;
    cord_status status = list_strands(f, &longest);
    if (status == CORD_OK) status = list_bodies(f);
    if (status == CORD_OK) status = list_markers(f);
    if (status != CORD_OK) return status;
    f->shape = NEW(&f->mem, double, f->shape_size);
    f->work = NEW(&f->mem, double, longest);
    if (!f->shape || !f->work) return CORD_ERROR_MEMORY;
    point_into(f, f->strands, f->shape);
    f->file = tmpfile();
    return f->file ? CORD_OK : fail(f, CORD_ERROR_FILE, "no temporary file could be made", "");
}

cord_status cord_film_create(cord_scene *scene, cord_world *world, const cord_picture_def *def,
                             cord_film **film)
{
    memory mem;
    cord__memory_init(&mem, NULL);
    cord_film *f = *film = NEW(&mem, cord_film, 1);
    if (!f) return CORD_ERROR_MEMORY;
    f->mem = mem, f->scene = scene, f->world = world;
    f->def = def ? *def : cord_picture_def_default();
    if (!scene || !world)
        return fail(f, CORD_ERROR_ARGUMENT, "a scene and its world are needed", "");
    return set_up(f);
}

void cord_film_destroy(cord_film *f)
{
    if (!f) return;
    if (f->file) fclose(f->file);
    cord__release(&f->mem, f->handles);
    cord__release(&f->mem, f->strands);
    for (int i = 0; f->solids && i < f->body_count; i++) cord__solid_free(&f->mem, &f->solids[i]);
    cord__release(&f->mem, f->shapes);
    cord__release(&f->mem, f->solids);
    cord__release(&f->mem, f->bodies);
    cord__release(&f->mem, f->sources);
    cord__release(&f->mem, f->markers);
    cord__release(&f->mem, f->shape);
    cord__release(&f->mem, f->work);
    memory mem = f->mem;
    cord__release(&mem, f);
}

/* ---- taking --------------------------------------------------------------------------------- */

/* Ends have no curvature of their own: they show their neighbour's. */
static void curvature_values(const picture_strand *s, const double *k, bool twist, double *value)
{
    for (int i = 0; i < s->vertices; i++) {
        const double *c = k + 3 * (size_t)i;
        value[i] = twist ? c[2] : hypot(c[0], c[1]);
    }
    if (s->closed || s->vertices < 3) return;
    value[0] = value[1];
    value[s->vertices - 1] = value[s->vertices - 2];
}

/* From edges to vertices. */
static void tension_values(const picture_strand *s, const double *t, double *value)
{
    for (int i = 0; i < s->vertices; i++) {
        int before = i > 0 ? i - 1 : s->closed ? s->edges - 1 : 0;
        int after = i < s->edges ? i : s->edges - 1;
        value[i] = (t[before] + t[after]) / 2;
    }
}

static cord_status take_values(cord_film *f, int i, double *value)
{
    const picture_strand *s = &f->strands[i];
    cord_status status = CORD_OK;
    switch (f->def.colour_by) {
    case CORD_COLOUR_STRAND: break;
    case CORD_COLOUR_CURVATURE:
    case CORD_COLOUR_TWIST:
        status = cord_strand_get_curvatures(f->world, f->handles[i], f->work);
        curvature_values(s, f->work, f->def.colour_by == CORD_COLOUR_TWIST, value);
        break;
    case CORD_COLOUR_TENSION:
        status = cord_strand_get_tensions(f->world, f->handles[i], f->work);
        tension_values(s, f->work, value);
        break;
    case CORD_COLOUR_SPEED:
        status = cord_strand_get_velocities(f->world, f->handles[i], f->work);
        for (int v = 0; v < s->vertices; v++) value[v] = v3_norm(f->work + 3 * (size_t)v);
        break;
    }
    return status;
}

static cord_status take_strands(cord_film *f)
{
    double *p = f->shape + 1;
    for (int i = 0; i < f->strand_count; i++) {
        const picture_strand *s = &f->strands[i];
        double *x = p, *frames = x + 3 * (size_t)s->vertices,
               *value = frames + 9 * (size_t)s->edges;
        cord_status status = cord_strand_get_positions(f->world, f->handles[i], x);
        if (status == CORD_OK) status = cord_strand_get_frames(f->world, f->handles[i], frames);
        if (status == CORD_OK && s->value) status = take_values(f, i, value);
        if (status != CORD_OK) {
            return fail(f, status, "a strand cannot be drawn", cord_world_get_error(f->world));
        }
        p = value + (s->value ? s->vertices : 0);
    }
    return CORD_OK;
}

static double *bodies_in(const cord_film *f, double *shape)
{
    return shape + f->shape_size - 12 * (size_t)(f->marker_count + f->body_count);
}

static cord_status take_bodies(cord_film *f)
{
    double *p = bodies_in(f, f->shape);
    for (int i = 0; i < f->body_count; i++, p += 12) {
        double velocity[3], angular[3];
        cord_status status =
            cord_scene_get_solid_motion(f->scene, f->world, i, p, p + 3, velocity, angular);
        if (status != CORD_OK) return fail(f, status, "a body is gone", "");
    }
    return CORD_OK;
}

/* The bodies of a shape. */
static void set_bodies(const cord_film *f, double *shape, picture_body *bodies)
{
    const double *p = bodies_in(f, shape);
    for (int i = 0; i < f->body_count; i++, p += 12) {
        memcpy(bodies[i].place, p, sizeof bodies[i].place);
        memcpy(bodies[i].frame, p + 3, sizeof bodies[i].frame);
    }
}

/* What a marker holds: the strand that is nearest. */
static void marker_half(const cord_film *f, const picture_strand *strands, picture_marker *m)
{
    double nearest = INFINITY;
    m->half[0] = m->half[1] = 0;
    for (int i = 0; i < f->strand_count; i++) {
        const picture_strand *s = &strands[i];
        for (int v = 0; v < s->vertices; v++) {
            double away = v3_distance(m->place, s->x + 3 * (size_t)v);
            if (away >= nearest) continue;
            nearest = away;
            cord__section_halves(&s->section, 0, m->half);
        }
    }
}

/* Place and frame; of what has two ends, both. */
static cord_status take_marker(const cord_film *f, const marker_source *m, double *p)
{
    if (m->kind == MARKER_PATH) {
        cord_status status = cord_path_get_position(f->world, m->path, m->from, false, p, NULL);
        if (status != CORD_OK) return status;
        return cord_path_get_position(f->world, m->path, m->to, false, p + 3, NULL);
    }
    bool block = m->kind == MARKER_BLOCK, link = m->kind == MARKER_LINK;
    cord_status status = cord_point_get_pose(f->world, m->point, p, block ? p + 3 : NULL);
    if (status != CORD_OK || !link) return status;
    return cord_point_get_pose(f->world, m->other, p + 3, NULL);
}

static cord_status take_markers(cord_film *f)
{
    double *p = f->shape + f->shape_size - 12 * (size_t)f->marker_count;
    for (int i = 0; i < f->marker_count; i++, p += 12) {
        cord_status status = take_marker(f, &f->sources[i], p);
        if (status != CORD_OK) return fail(f, status, "a point is gone", "");
    }
    return CORD_OK;
}

/* A link lies between its two ends. */
static void set_link(picture_marker *m, const double from[3], const double to[3])
{
    double along[3];
    v3_sub(along, to, from);
    v3_combine(m->place, 0.5, from, 0.5, to);
    m->length = v3_norm(along);
    if (!(m->length > 0)) v3_set(along, 1, 0, 0);
    v3_normalize(m->frame, along);
    v3_any_normal(m->frame + 3, m->frame);
    v3_cross(m->frame + 6, m->frame, m->frame + 3);
}

/* The markers of a shape. */
static void set_markers(const cord_film *f, const picture_strand *strands, const double *shape,
                        picture_marker *markers)
{
    const double *p = shape + f->shape_size - 12 * (size_t)f->marker_count;
    for (int i = 0; i < f->marker_count; i++, p += 12) {
        picture_marker *m = &markers[i];
        m->kind = f->sources[i].kind;
        memcpy(m->place, p, sizeof m->place);
        memcpy(m->frame, p + 3, sizeof m->frame);
        if (m->kind != MARKER_PATH) marker_half(f, strands, m);
        if (m->kind == MARKER_LINK || m->kind == MARKER_PATH) set_link(m, p, p + 3);
    }
}

cord_status cord_film_take(cord_film *f)
{
    f->shape[0] = cord_world_get_time(f->world);
    cord_status status = take_strands(f);
    if (status == CORD_OK) status = take_bodies(f);
    if (status == CORD_OK) status = take_markers(f);
    if (status != CORD_OK) return status;
    set_bodies(f, f->shape, f->bodies);
    set_markers(f, f->strands, f->shape, f->markers);
    for (int i = 0; i < f->strand_count; i++) cord__extent_add(&f->extent, &f->strands[i]);
    for (int i = 0; i < f->body_count; i++) cord__extent_add_body(&f->extent, &f->bodies[i]);
    for (int i = 0; i < f->marker_count; i++) cord__extent_add_marker(&f->extent, &f->markers[i]);
    bool kept = fseeko(f->file, 0, SEEK_END) == 0 &&
                fwrite(f->shape, sizeof *f->shape, f->shape_size, f->file) == f->shape_size;
    if (!kept) return fail(f, CORD_ERROR_FILE, "writing failed (is the disk full?)", "");
    f->count++;
    return CORD_OK;
}

int cord_film_get_count(const cord_film *f)
{
    return f->count;
}

/* ---- drawing -------------------------------------------------------------------------------- */

static bool load(const cord_film *f, int i, double *into, size_t count)
{
    if (i < 0 || i >= f->count) return false;
    off_t at = (off_t)i * (off_t)(f->shape_size * sizeof *f->shape);
    return fseeko(f->file, at, SEEK_SET) == 0 && fread(into, sizeof *into, count, f->file) == count;
}

double cord_film_get_time(const cord_film *f, int i)
{
    double time;
    return load(f, i, &time, 1) ? time : NAN;
}

cord_status cord_film_draw(cord_film *f, int i, unsigned char *rgba)
{
    if (i < 0 || i >= f->count) return fail(f, CORD_ERROR_ARGUMENT, "there is no such picture", "");
    if (!load(f, i, f->shape, f->shape_size)) {
        return fail(f, CORD_ERROR_FILE, "the temporary file cannot be read", "");
    }
    set_bodies(f, f->shape, f->bodies);
    set_markers(f, f->strands, f->shape, f->markers);
    picture p = {f->strand_count, f->body_count, f->marker_count, f->strands,
                 f->bodies,       f->markers,    &f->extent};
    cord_status status = cord__render(&f->mem, &p, &f->def, rgba);
    return status == CORD_OK ? status : fail(f, status, "cannot draw", cord_status_text(status));
}

/* All shapes as one picture; the arrays have room for them. */
static cord_status draw_together(cord_film *f, double *shapes, picture_strand *strands,
                                 picture_body *bodies, picture_marker *markers, unsigned char *rgba)
{
    for (int i = 0; i < f->count; i++) {
        double *shape = shapes + (size_t)i * f->shape_size;
        picture_strand *here = strands + (size_t)i * (size_t)f->strand_count;
        if (!load(f, i, shape, f->shape_size)) {
            return fail(f, CORD_ERROR_FILE, "the temporary file cannot be read", "");
        }
        memcpy(here, f->strands, (size_t)f->strand_count * sizeof *here);
        point_into(f, here, shape);
        /* The last is as it is, the first two thirds gone. */
        double age = f->count > 1 ? 1 - i / (f->count - 1.0) : 0;
        for (int k = 0; k < f->strand_count; k++) here[k].fade = 0.66 * age;
        picture_body *solid = bodies + (size_t)i * (size_t)f->body_count;
        memcpy(solid, f->bodies, (size_t)f->body_count * sizeof *solid);
        set_bodies(f, shape, solid);
        for (int k = 0; k < f->body_count; k++) solid[k].fade = 0.66 * age;
        set_markers(f, here, shape, markers + (size_t)i * (size_t)f->marker_count);
    }
    picture p = {.strand_count = f->count * f->strand_count,
                 .body_count = f->count * f->body_count,
                 .marker_count = f->count * f->marker_count,
                 .strands = strands,
                 .bodies = bodies,
                 .markers = markers,
                 .extent = &f->extent};
    cord_status status = cord__render(&f->mem, &p, &f->def, rgba);
    return status == CORD_OK ? status : fail(f, status, "cannot draw", cord_status_text(status));
}

cord_status cord_film_draw_together(cord_film *f, unsigned char *rgba)
{
    if (f->count == 0) return fail(f, CORD_ERROR_ARGUMENT, "there is no picture", "");
    size_t count = (size_t)f->count;
    double *shapes = NEW(&f->mem, double, count * f->shape_size);
    picture_strand *strands = NEW(&f->mem, picture_strand, count * (size_t)f->strand_count);
    picture_body *bodies = NEW(&f->mem, picture_body, count * (size_t)f->body_count);
    picture_marker *markers = NEW(&f->mem, picture_marker, count * (size_t)f->marker_count);
    cord_status status = shapes && strands && bodies && markers
                             ? draw_together(f, shapes, strands, bodies, markers, rgba)
                             : fail(f, CORD_ERROR_MEMORY, "out of memory", "");
    cord__release(&f->mem, shapes);
    cord__release(&f->mem, strands);
    cord__release(&f->mem, bodies);
    cord__release(&f->mem, markers);
    return status;
}

cord_status cord_film_write(cord_film *f, int i, const char *path)
{
    const cord_picture_def *d = &f->def;
    if (d->width < 1 || d->height < 1) return fail(f, CORD_ERROR_ARGUMENT, "no size", "");
    unsigned char *rgba = NEW(&f->mem, unsigned char, 4 * (size_t)d->width * (size_t)d->height);
    if (!rgba) return fail(f, CORD_ERROR_MEMORY, "out of memory", "");
    bool together = i == CORD_FILM_TOGETHER;
    cord_status status = together ? cord_film_draw_together(f, rgba) : cord_film_draw(f, i, rgba);
    if (status == CORD_OK) {
        status = cord__png_write(&f->mem, path, d->width, d->height, rgba);
        if (status != CORD_OK) fail(f, status, "cannot write", path);
    }
    cord__release(&f->mem, rgba);
    return status;
}

cord_status cord_picture_write(cord_scene *scene, cord_world *world, const char *path,
                               const cord_picture_def *def)
{
    cord_film *film;
    cord_status status = cord_film_create(scene, world, def, &film);
    if (status == CORD_OK) status = cord_film_take(film);
    if (status == CORD_OK) status = cord_film_write(film, 0, path);
    cord_film_destroy(film);
    return status;
}
