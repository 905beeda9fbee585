/* Films: snapshots of a live world, kept in a temporary file and drawn later. */
#include "record/film.h"

#include "math/vec3.h"
#include "record/png.h"
#include "record/scalars.h"

#include <string.h>

cord_picture_def cord_picture_def_default(void)
{
    return (cord_picture_def){
        .width = 1280, .height = 720, .range = {NAN, NAN}, .ground = NAN, .smallest_radius = 0.9};
}

const char *const *cord_theme_names(void)
{
    static const char *const names[] = {"light", "dark", "transparent", NULL};
    return names;
}

const char *cord_film_get_error(const cord_film *f)
{
    if (!f) return "there is no film";
    return f->error;
}

cord_status cord__film_fail(cord_film *f, cord_status status, const char *what, const char *detail)
{
    snprintf(f->error, sizeof f->error, "%s%s%.180s", what, *detail ? ": " : "", detail);
    return status;
}

/* ---- making --------------------------------------------------------------------------------- */

static bool is_link(const snapshot_constraint *c)
{
    return strcmp(c->kind, CORD_DISTANCE) == 0 && c->second >= 0;
}

static int count_markers(const snapshot_layout *l)
{
    int count = l->anchor_count + PATH_PARTS * l->path_count;
    for (int i = 0; i < l->constraint_count; i++) count += is_link(&l->constraints[i]);
    return count;
}

static cord_status make_solids(cord_film *f)
{
    enum { SIDES = 72 };
    f->solids = NEW(&f->mem, solid_mesh, f->layout.body_count);
    cord_status status = f->solids ? CORD_OK : CORD_ERROR_MEMORY;
    for (int i = 0; status == CORD_OK && i < f->layout.body_count; i++) {
        const cord_shape *shape = &f->layout.bodies[i].shape;
        double bevel = CORD__BEVEL * cord__solid_reach(shape);
        status = cord__solid_mesh(&f->mem, shape, SIDES, bevel, &f->solids[i]);
    }
    return status;
}

static cord_status choose_colours(cord_film *f)
{
    f->colours = NEW(&f->mem, int, f->layout.strand_count + f->layout.body_count);
    if (!f->colours) return CORD_ERROR_MEMORY;
    cord__choose_colours(&f->layout, f->colours);
    return CORD_OK;
}

static cord_status find_images(cord_film *f)
{
    const cord_scene *scene = cord_simulation_get_scene(f->simulation);
    f->image_count = cord_scene_get_info(scene).image_count;
    f->images = NEW(&f->mem, cord_image_info, f->image_count);
    for (int i = 0; f->images && i < f->image_count; i++)
        f->images[i] = cord_scene_get_image(scene, i);
    return f->images ? CORD_OK : CORD_ERROR_MEMORY;
}

cord_status cord__film_drawing(const cord_film *f, memory *mem, size_t pictures, drawing *d)
{
    const snapshot_layout *l = &f->layout;
    d->strands = NEW(mem, picture_strand, pictures * (size_t)l->strand_count);
    d->bodies = NEW(mem, picture_body, pictures * (size_t)l->body_count);
    d->markers = NEW(mem, picture_marker, pictures * (size_t)f->most_markers);
    d->values = NEW(mem, double, pictures * l->vertex_count);
    return d->strands && d->bodies && d->markers && d->values ? CORD_OK : CORD_ERROR_MEMORY;
}

void cord__film_drawing_free(memory *mem, drawing *d)
{
    cord__release(mem, d->strands);
    cord__release(mem, d->bodies);
    cord__release(mem, d->markers);
    cord__release(mem, d->values);
}

static cord_status set_up(cord_film *f)
{
    cord_status status = cord__snapshot_layout_make(&f->mem, f->simulation, &f->layout);
    if (status == CORD_OK) status = make_solids(f);
    if (status == CORD_OK) status = choose_colours(f);
    if (status == CORD_OK) status = find_images(f);
    if (status != CORD_OK)
        return cord__film_fail(f, status, "no picture", cord__failure_text(f->simulation, status));
    f->most_markers = count_markers(&f->layout);
    f->size = cord__snapshot_size(&f->layout);
    double *numbers = NEW(&f->mem, double, f->size);
    if (!numbers) return CORD_ERROR_MEMORY;
    f->frame = cord__snapshot_in(&f->layout, numbers);
    status = cord__film_drawing(f, &f->mem, 1, &f->drawing);
    if (status != CORD_OK) return status;
    f->file = tmpfile();
    return f->file ? CORD_OK
                   : cord__film_fail(f, CORD_ERROR_FILE, "no temporary file could be made", "");
}

/* The scene's camera, where the definition has none. */
static void take_view(cord_film *f)
{
    cord_picture_def *def = &f->def;
    if (def->view_given || def->direction_given) return;
    cord_scene_info info = cord_scene_get_info(cord_simulation_get_scene(f->simulation));
    def->view_given = info.view_given, def->direction_given = info.direction_given;
    v3_copy(def->from, info.view_from);
    v3_copy(def->to, info.view_to);
    v3_copy(def->direction, info.view_direction);
}

cord_status cord_film_create(cord_simulation *simulation, const cord_picture_def *def,
                             cord_film **film)
{
    if (!film) return CORD_ERROR_ARGUMENT;
    memory mem;
    cord__memory_init(&mem, NULL);
    cord_film *f = *film = NEW(&mem, cord_film, 1);
    if (!f) return CORD_ERROR_MEMORY;
    f->mem = mem, f->simulation = simulation;
    f->def = def ? *def : cord_picture_def_default();
    if (!simulation || !cord_simulation_get_world(simulation))
        return cord__film_fail(f, CORD_ERROR_ARGUMENT, "a simulation that could be built is needed",
                               "");
    take_view(f);
    return set_up(f);
}

void cord_film_destroy(cord_film *f)
{
    if (!f) return;
    if (f->file) fclose(f->file);
    for (int i = 0; f->solids && i < f->layout.body_count; i++)
        cord__solid_free(&f->mem, &f->solids[i]);
    cord__release(&f->mem, f->solids);
    cord__release(&f->mem, f->images);
    cord__release(&f->mem, f->colours);
    cord__picture_cache_free(&f->mem, &f->cache);
    cord__film_drawing_free(&f->mem, &f->drawing);
    cord__release(&f->mem, f->frame.numbers);
    cord__snapshot_layout_free(&f->mem, &f->layout);
    memory mem = f->mem;
    cord__release(&mem, f);
}

/* ---- from a snapshot to the renderer's input -------------------------------------------------- */

static void draw_strand(const cord_film *f, const frame_snapshot *s, int i, double fade, drawing *d)
{
    const snapshot_strand *strand = &s->layout->strands[i];
    double *value = NULL;
    if (f->def.colour_by != CORD_COLOUR_STRAND) {
        value = d->values + strand->first_vertex;
        cord__vertex_scalar(s, i, colour_scalar(f->def.colour_by), value);
    }
    d->strands[i] = (picture_strand){.vertices = strand->vertex_count,
                                     .edges = strand->edge_count,
                                     .closed = strand->closed,
                                     .x = cord__snapshot_strand(s, i, QUANTITY_POSITIONS),
                                     .frames = cord__snapshot_strand(s, i, QUANTITY_FRAMES),
                                     .section = strand->section,
                                     .value = value,
                                     .coloured = true,
                                     .rgb = f->colours[i],
                                     .look = strand->look,
                                     .fade = fade};
}

/* Bodies are grey where strands are coloured by a scalar, unless they are scenery. */
static void draw_body(const cord_film *f, const frame_snapshot *s, int i, double fade,
                      picture_body *b)
{
    const snapshot_body *body = &s->layout->bodies[i];
    *b = (picture_body){.shape = &body->shape,
                        .solid = &f->solids[i],
                        .colour = {0.35F, 0.35F, 0.35F},
                        .look = body->look,
                        .scenery = body->scenery,
                        .fade = body->mass > 0 ? fade : 0}; /* fixed solids are in every picture */
    v3_copy(b->position, cord__snapshot_body(s, i, BODY_POSITION));
    cord__snapshot_body_frame(s, i, b->frame);
    if (f->def.colour_by != CORD_COLOUR_STRAND && !body->scenery) return;
    cord__from_rgb(f->colours[s->layout->strand_count + i], b->colour);
}

/* A marker has the section of the nearest strand. */
static void marker_half(const frame_snapshot *s, picture_marker *m)
{
    double nearest = INFINITY;
    for (int i = 0; i < s->layout->strand_count; i++) {
        const snapshot_strand *strand = &s->layout->strands[i];
        const double *x = cord__snapshot_strand(s, i, QUANTITY_POSITIONS);
        for (int v = 0; v < strand->vertex_count; v++) {
            double distance = v3_distance(m->position, x + 3 * (size_t)v);
            if (distance >= nearest) continue;
            nearest = distance;
            cord__section_halves(&strand->section, 0, m->half);
        }
    }
}

/* A dot, or where constraints are drawn a block or a ball. */
static void draw_anchor(const cord_film *f, const frame_snapshot *s, int i, picture_marker *m)
{
    const double *point = s->points + POINT_SIZE * (size_t)i;
    bool block = s->layout->anchors[i].kind == ANCHOR_CLAMP;
    *m = (picture_marker){.kind = !f->def.constraints ? MARKER_DOT
                                  : block             ? MARKER_BLOCK
                                                      : MARKER_BALL};
    memcpy(m->position, point, sizeof m->position);
    memcpy(m->frame, point + 3, 6 * sizeof *point);
    v3_cross(m->frame + 6, m->frame, m->frame + 3);
    marker_half(s, m);
}

/* A link, or a part of a path, between two points. */
static void draw_link(marker_kind kind, const double from[3], const double to[3], picture_marker *m)
{
    double along[3];
    *m = (picture_marker){.kind = kind};
    v3_sub(along, to, from);
    v3_combine(m->position, 0.5, from, 0.5, to);
    m->length = v3_norm(along);
    if (!(m->length > 0)) v3_set(along, 1, 0, 0);
    v3_normalize(m->frame, along);
    v3_any_normal(m->frame + 3, m->frame);
    v3_cross(m->frame + 6, m->frame, m->frame + 3);
}

/* A bar lies on its wider side. */
static void draw_bar(const cord_bar_info *bar, const double from[3], const double to[3],
                     picture_marker *m)
{
    static const double up[3] = {0, 0, 1};
    double across[3];
    draw_link(MARKER_BAR, from, to, m);
    m->half[0] = bar->width / 2, m->half[1] = bar->thickness / 2;
    m->rgb = bar->colour, m->look = bar->look;
    v3_cross(across, up, m->frame);
    if (v3_norm(across) < 1e-6) return;
    v3_normalize(m->frame + 3, across);
    v3_cross(m->frame + 6, m->frame, m->frame + 3);
}

static void draw_path(const frame_snapshot *s, const snapshot_path *path, picture_marker *m)
{
    double from[3], to[3];
    for (int k = 0; k < PATH_PARTS; k++) {
        cord__snapshot_body_point(s, path->body, path->points + 3 * k, from);
        cord__snapshot_body_point(s, path->body, path->points + 3 * (k + 1), to);
        draw_link(MARKER_PATH, from, to, &m[k]);
    }
}

static void draw_markers(const cord_film *f, const frame_snapshot *s, drawing *d)
{
    const snapshot_layout *l = s->layout;
    picture_marker *m = d->markers;
    for (int i = 0; i < l->anchor_count; i++)
        if (!cord__snapshot_anchor_released(s, i)) draw_anchor(f, s, i, m++);
    for (int i = 0; i < l->constraint_count; i++) {
        const snapshot_constraint *c = &l->constraints[i];
        if (!is_link(c) || s->attached[i] == 0) continue;
        const double *from = s->points + POINT_SIZE * (size_t)c->first,
                     *to = s->points + POINT_SIZE * (size_t)c->second;
        if (c->bar.width > 0) {
            draw_bar(&c->bar, from, to, m++);
        } else if (f->def.constraints) {
            draw_link(MARKER_LINK, from, to, m);
            marker_half(s, m++);
        }
    }
    for (int i = 0; i < l->path_count; i++, m += PATH_PARTS) draw_path(s, &l->paths[i], m);
    d->marker_count = (int)(m - d->markers);
}

void cord__film_draw_snapshot(const cord_film *f, const frame_snapshot *s, double fade, drawing *d)
{
    for (int i = 0; i < s->layout->strand_count; i++) draw_strand(f, s, i, fade, d);
    for (int i = 0; i < s->layout->body_count; i++) draw_body(f, s, i, fade, &d->bodies[i]);
    draw_markers(f, s, d);
}

/* ---- taking --------------------------------------------------------------------------------- */

/* Colours, and the shape of every section, need quantities that not every model gives. */
static cord_status check_strands(cord_film *f)
{
    for (int i = 0; i < f->layout.strand_count; i++) {
        const snapshot_strand *s = &f->layout.strands[i];
        const char *missing = s->has[QUANTITY_FRAMES] ? NULL : "frames";
        if (f->def.colour_by != CORD_COLOUR_STRAND) {
            vertex_scalar scalar = colour_scalar(f->def.colour_by);
            if (!has_scalar(s, scalar)) missing = cord__scalars[scalar].name;
        }
        if (!missing) continue;
        snprintf(f->error, sizeof f->error,
                 "strand %.80s cannot be drawn: model '%s' does not give its %s", s->name, s->model,
                 missing);
        return CORD_ERROR_UNSUPPORTED;
    }
    return CORD_OK;
}

static void extend(cord_film *f)
{
    const drawing *d = &f->drawing;
    for (int i = 0; i < f->layout.strand_count; i++) cord__extent_add(&f->extent, &d->strands[i]);
    for (int i = 0; i < f->layout.body_count; i++) cord__extent_add_body(&f->extent, &d->bodies[i]);
    for (int i = 0; i < d->marker_count; i++) cord__extent_add_marker(&f->extent, &d->markers[i]);
    for (int i = 0; i < f->image_count; i++) cord__extent_add_image(&f->extent, &f->images[i]);
}

cord_status cord_film_take(cord_film *f)
{
    if (!f) return CORD_ERROR_ARGUMENT;
    if (!f->file)
        return cord__film_fail(f, CORD_ERROR_ARGUMENT, "the film could not be created", "");
    cord_status status = check_strands(f);
    if (status == CORD_OK) status = cord__snapshot_take(&f->frame, f->simulation, f->error);
    if (status != CORD_OK) return status;
    cord__film_draw_snapshot(f, &f->frame, 0, &f->drawing);
    extend(f);
    f->cache.drawn = false;
    bool kept = fseeko(f->file, 0, SEEK_END) == 0 &&
                fwrite(f->frame.numbers, sizeof(double), f->size, f->file) == f->size;
    if (!kept) return cord__film_fail(f, CORD_ERROR_FILE, "writing failed (is the disk full?)", "");
    f->count++;
    return CORD_OK;
}

int cord_film_get_count(const cord_film *f)
{
    if (!f) return 0;
    return f->count;
}

/* ---- drawing -------------------------------------------------------------------------------- */

bool cord__film_load(const cord_film *f, int i, double *into, size_t count)
{
    if (i < 0 || i >= f->count) return false;
    off_t at = (off_t)i * (off_t)(f->size * sizeof *into);
    return fseeko(f->file, at, SEEK_SET) == 0 && fread(into, sizeof *into, count, f->file) == count;
}

double cord_film_get_time(const cord_film *f, int i)
{
    if (!f) return NAN;
    double time;
    return cord__film_load(f, i, &time, 1) ? time : NAN;
}

picture cord__film_picture_of(const cord_film *f, int pictures, const drawing *d)
{
    return (picture){.strand_count = pictures * f->layout.strand_count,
                     .body_count = pictures * f->layout.body_count,
                     .marker_count = d->marker_count,
                     .strands = d->strands,
                     .bodies = d->bodies,
                     .markers = d->markers,
                     .image_count = f->image_count,
                     .images = f->images,
                     .extent = &f->extent};
}

static cord_status render(cord_film *f, const picture *p, unsigned char *rgba)
{
    picture q = *p;
    if (f->count > 1) q.cache = &f->cache;
    cord_status status = cord__render(&f->mem, &q, &f->def, rgba);
    return status == CORD_OK ? status
                             : cord__film_fail(f, status, "cannot draw", cord_status_text(status));
}

cord_status cord__film_picture(cord_film *f, int i, picture *p)
{
    if (i < 0 || i >= f->count)
        return cord__film_fail(f, CORD_ERROR_ARGUMENT, "there is no such picture", "");
    if (!cord__film_load(f, i, f->frame.numbers, f->size))
        return cord__film_fail(f, CORD_ERROR_FILE, "the temporary file cannot be read", "");
    cord__film_draw_snapshot(f, &f->frame, 0, &f->drawing);
    *p = cord__film_picture_of(f, 1, &f->drawing);
    return CORD_OK;
}

cord_status cord_film_draw(cord_film *f, int i, unsigned char *rgba)
{
    if (!f || !rgba) return CORD_ERROR_ARGUMENT;
    picture p;
    cord_status status = cord__film_picture(f, i, &p);
    return status == CORD_OK ? render(f, &p, rgba) : status;
}

/* All snapshots as one picture; the arrays have room for them. The last is drawn as it is, the first
 * two thirds faded. */
static cord_status draw_together(cord_film *f, double *numbers, drawing *all, unsigned char *rgba)
{
    const snapshot_layout *l = &f->layout;
    for (int i = 0; i < f->count; i++) {
        size_t at = (size_t)i;
        frame_snapshot s = cord__snapshot_in(l, numbers + at * f->size);
        drawing here = {all->strands + at * (size_t)l->strand_count,
                        all->bodies + at * (size_t)l->body_count, all->markers + all->marker_count,
                        0, all->values + at * l->vertex_count};
        if (!cord__film_load(f, i, s.numbers, f->size))
            return cord__film_fail(f, CORD_ERROR_FILE, "the temporary file cannot be read", "");
        double age = f->count > 1 ? 1 - i / (f->count - 1.0) : 0;
        cord__film_draw_snapshot(f, &s, 0.66 * age, &here);
        all->marker_count += here.marker_count;
    }
    picture p = cord__film_picture_of(f, f->count, all);
    return render(f, &p, rgba);
}

cord_status cord_film_draw_together(cord_film *f, unsigned char *rgba)
{
    if (!f || !rgba) return CORD_ERROR_ARGUMENT;
    if (f->count == 0) return cord__film_fail(f, CORD_ERROR_ARGUMENT, "there is no picture", "");
    drawing all = {0};
    double *numbers = NEW(&f->mem, double, (size_t)f->count * f->size);
    cord_status status = cord__film_drawing(f, &f->mem, (size_t)f->count, &all);
    status = numbers && status == CORD_OK
                 ? draw_together(f, numbers, &all, rgba)
                 : cord__film_fail(f, CORD_ERROR_MEMORY, "out of memory", "");
    cord__release(&f->mem, numbers);
    cord__film_drawing_free(&f->mem, &all);
    return status;
}

cord_status cord_film_write(cord_film *f, int i, const char *path)
{
    if (!f || !path) return CORD_ERROR_ARGUMENT;
    const cord_picture_def *d = &f->def;
    if (d->width < 1 || d->height < 1)
        return cord__film_fail(f, CORD_ERROR_ARGUMENT, "no size", "");
    unsigned char *rgba = NEW(&f->mem, unsigned char, 4 * (size_t)d->width * (size_t)d->height);
    if (!rgba) return cord__film_fail(f, CORD_ERROR_MEMORY, "out of memory", "");
    bool together = i == CORD_FILM_TOGETHER;
    cord_status status = together ? cord_film_draw_together(f, rgba) : cord_film_draw(f, i, rgba);
    if (status == CORD_OK) {
        status = cord__png_write(&f->mem, path, d->width, d->height, rgba);
        if (status != CORD_OK) cord__film_fail(f, status, "cannot write", path);
    }
    cord__release(&f->mem, rgba);
    return status;
}

cord_status cord_picture_write(cord_simulation *simulation, const char *path,
                               const cord_picture_def *def)
{
    if (!path) return CORD_ERROR_ARGUMENT;
    cord_film *film;
    cord_status status = cord_film_create(simulation, def, &film);
    if (status == CORD_OK) status = cord_film_take(film);
    if (status == CORD_OK) status = cord_film_write(film, 0, path);
    cord_film_destroy(film);
    return status;
}
