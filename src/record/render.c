/* A picture from its parts: what it is drawn with, its mesh, shadows, tiles and legend; or the mean of many through a lens. */
#include "record/render_kept.h"

#include "math/vec3.h"

#include <omp.h>
#include <string.h>

/* ---- what is drawn -------------------------------------------------------------------------- */

static void mesh_strand(const frame *f, mesh *m, const sweep_style *drawn, int i)
{
    sweep_style style = *drawn;
    const picture_strand *s = &f->p->strands[i];
    if (s->coloured)
        cord__from_rgb(s->rgb, style.colour);
    else
        cord__palette(s->colour, style.colour);
    cord__lift(style.colour, f->theme.least);
    memcpy(style.pale, f->theme.ground, sizeof style.pale);
    cord__mesh_strand(m, s, &style);
}

static void mesh_body(const frame *f, mesh *m, const solid_mesh *solids, int i)
{
    picture_body b = f->p->bodies[i];
    if (cord__is_floor(&b) && fabs(b.position[2] - f->ground) < 1e-6 * f->reach) return;
    if (b.shape->kind == CORD_SHAPE_PLANE && f->theme.least > 0) /* as dark as the ground */
        memcpy(b.colour, f->theme.ground, sizeof b.colour);
    cord__lift(b.colour, f->theme.least);
    if (solids[i].triangle_count > 0) b.solid = &solids[i];
    cord__mesh_body(m, &b, f->theme.ground);
}

/* Object i, numbered as those that are kept. */
static void mesh_object(const frame *f, mesh *m, const sweep_style *style, const solid_mesh *solids,
                        int i)
{
    int body = i - f->p->strand_count, marker = body - f->p->body_count;
    if (body < 0)
        mesh_strand(f, m, style, i);
    else if (marker < 0)
        mesh_body(f, m, solids, body);
    else
        cord__mesh_marker(m, &f->p->markers[marker], style, f->theme.marker);
}

/* All objects that are seen, and, more coarsely, those that cast shadows that are not kept. */
static cord_status make_meshes(frame *f)
{
    kept_picture *k = f->kept;
    sweep_style coarse = f->style;
    coarse.pixel = fmax(coarse.pixel, cord__caster_size(f));
    coarse.least_sides = 8;
    for (int i = 0; i < k->object_count; i++) {
        kept_object *o = &k->objects[i];
        o->triangle = f->mesh.triangle_count, o->caster = f->casters.triangle_count;
        mesh_object(f, &f->mesh, &f->style, k->solids, i);
        if (k->rests_anew || !o->resting) mesh_object(f, &f->casters, &coarse, k->casters, i);
    }
    k->objects[k->object_count].triangle = f->mesh.triangle_count;
    k->objects[k->object_count].caster = f->casters.triangle_count;
    k->mesh = f->mesh, k->caster_mesh = f->casters; /* their memory, also after a failure */
    return f->mesh.failed || f->casters.failed ? CORD_ERROR_MEMORY : CORD_OK;
}

/* ---- images --------------------------------------------------------------------------------- */

static double image_distance(const frame *f, const cord_image_info *image)
{
    double middle[3];
    v3_combine(middle, 0.5, image->right, 0.5, image->down);
    v3_add(middle, middle, image->corner);
    return v3_distance(middle, f->camera.eye);
}

/* The image that is farthest of those that are nearer than `before`, or as far and later; -1: none. */
static int next_image(const frame *f, int before)
{
    int best = -1;
    double limit = before < 0 ? INFINITY : image_distance(f, &f->p->images[before]), farthest = -1;
    for (int i = 0; i < f->p->image_count; i++) {
        double distance = image_distance(f, &f->p->images[i]);
        bool left = distance < limit || (distance == limit && i > before);
        if (left && distance > farthest) best = i, farthest = distance;
    }
    return best;
}

static cord_status make_images(memory *mem, frame *f)
{
    f->images = NEW(mem, image_plane, f->p->image_count);
    cord_status status = f->images ? CORD_OK : CORD_ERROR_MEMORY;
    for (int i = 0, which = -1; status == CORD_OK && i < f->p->image_count; i++) {
        which = next_image(f, which);
        const cord_image_info *image = &f->p->images[which];
        double pixel = fmax(image_distance(f, image), 0.1 * f->reach) / f->camera.scale;
        status = cord__image_plane(mem, image, pixel, &f->images[i]);
    }
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------ */

static bool finite_all(const double *x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(x[i])) return false;
    }
    return true;
}

static cord_status check(const picture *p, const cord_picture_def *def)
{
    bool sized = def->width >= 16 && def->width <= 8192 && def->height >= 16 && def->height <= 8192;
    bool named = def->colour_by >= CORD_COLOUR_STRAND && def->colour_by <= CORD_COLOUR_SPEED;
    bool lens = def->aperture >= 0 && def->aperture <= 0.5;
    if (!sized || !named || !lens || def->threads < 0) return CORD_ERROR_ARGUMENT;
    bool finite = !def->view_given || (finite_all(def->from, 3) && finite_all(def->to, 3));
    for (int i = 0; i < p->strand_count; i++) {
        const picture_strand *s = &p->strands[i];
        int edges = s->closed ? s->vertices : s->vertices - 1;
        if (s->vertices < 2 || s->edges != edges) return CORD_ERROR_ARGUMENT;
        finite = finite && finite_all(s->x, 3 * (size_t)s->vertices) &&
                 finite_all(s->frames, 6 * (size_t)s->edges) &&
                 (!s->value || finite_all(s->value, (size_t)s->vertices));
    }
    for (int i = 0; i < p->body_count; i++) {
        const picture_body *b = &p->bodies[i];
        finite = finite && finite_all(b->position, 3) && finite_all(b->frame, 9);
    }
    for (int i = 0; i < p->marker_count; i++) {
        const picture_marker *m = &p->markers[i];
        finite = finite && finite_all(m->position, 3) && finite_all(m->frame, 9);
    }
    for (int i = 0; i < p->image_count; i++) {
        const cord_image_info *m = &p->images[i];
        finite =
            finite && finite_all(m->corner, 3) && finite_all(m->right, 3) && finite_all(m->down, 3);
    }
    return finite ? CORD_OK : CORD_ERROR_NOT_FINITE;
}

static void draw_backdrop(const frame *f, picture_cache *cache)
{
    if (!cache->drawn) cord__backdrop(f, cache->rgba, cache->ground);
    cache->drawn = true;
}

/* Where the rows of the picture meet the ground. */
static cord_status prepare_ground(memory *mem, frame *f)
{
    f->rows = NEW(mem, ground_row, f->def->height);
    if (!f->rows) return CORD_ERROR_MEMORY;
    for (int y = 0; y < f->def->height; y++) f->rows[y] = cord__ground_row(f, y);
    return CORD_OK;
}

static cord_status draw(memory *mem, frame *f, picture_cache *cache, unsigned char *rgba)
{
    cord_status status = cord__choose_look(f);
    if (status == CORD_OK) status = cord__kept_begin(mem, f, cache);
    if (status == CORD_OK) status = cord__choose_detail(mem, f);
    if (status == CORD_OK) status = make_meshes(f);
    if (status == CORD_OK) status = cord__bin_triangles(mem, f);
    if (status == CORD_OK) status = make_images(mem, f);
    if (status == CORD_OK) status = cord__light_map(mem, f);
    if (status == CORD_OK && f->has_ground) status = cord__ground_map(mem, f);
    if (status == CORD_OK) status = prepare_ground(mem, f);
    if (status == CORD_OK) {
        cord__kept_choose_tiles(f);
        cord__find_depths(f);
        draw_backdrop(f, cache);
        status = cord__draw_tiles(mem, f, cache->rgba, f->kept->rgba);
    }
    if (status != CORD_OK) return status;
    f->kept->whole = true;
    memcpy(rgba, f->kept->rgba, 4 * (size_t)f->def->width * (size_t)f->def->height);
    if (!f->def->no_legend) cord__draw_legend(f, rgba);
    return CORD_OK;
}

static cord_status make_cache(memory *mem, const cord_picture_def *def, picture_cache *c)
{
    size_t pixels = (size_t)def->width * (size_t)def->height;
    if (!c->rgba) c->rgba = NEW(mem, unsigned char, 4 * pixels);
    if (!c->ground) c->ground = NEW(mem, unsigned char, pixels);
    if (!c->depth) c->depth = NEW(mem, float, pixels);
    if (!c->nearest) c->nearest = NEW(mem, int32_t, pixels);
    if (!c->openness) c->openness = NEW(mem, unsigned char, pixels);
    if (!c->other) c->other = NEW(mem, unsigned char, pixels);
    bool good = c->rgba && c->ground && c->depth && c->nearest && c->openness && c->other;
    return good ? CORD_OK : CORD_ERROR_MEMORY;
}

void cord__picture_cache_free(memory *mem, picture_cache *c)
{
    void *arrays[] = {c->rgba, c->ground, c->depth, c->nearest, c->openness, c->other};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) cord__release(mem, arrays[i]);
    cord__kept_free(mem, c->kept);
    *c = (picture_cache){0};
}

static cord_status draw_once(memory *mem, const picture *p, const cord_picture_def *def,
                             unsigned char *rgba)
{
    cord_status status;
    picture_cache own = {0}, *cache = p->cache ? p->cache : &own;
    status = make_cache(mem, def, cache);
    frame f = {.p = p,
               .def = def,
               .depth = cache->depth,
               .nearest = cache->nearest,
               .openness = cache->openness,
               .other = cache->other,
               .ground_part = cache->ground};
    f.threads = def->threads > 0 ? def->threads : omp_get_max_threads();
    if (status == CORD_OK) status = draw(mem, &f, cache, rgba);
    cord__picture_cache_free(mem, &own);
    for (int i = 0; f.images && i < p->image_count; i++) cord__release(mem, f.images[i].colour);
    cord__release(mem, f.images);
    cord__release(mem, f.bin_start);
    cord__release(mem, f.rows);
    return status;
}

/* The mean of pictures from points that are spread evenly over the lens. Light adds up, not its values in sRGB. */
static cord_status draw_through_lens(memory *mem, const picture *p, const cord_picture_def *def,
                                     unsigned char *rgba)
{
    enum { POINTS = 40 };
    size_t count = 4 * (size_t)def->width * (size_t)def->height;
    float *sum = NEW(mem, float, count), linear[256];
    cord_status status = sum ? CORD_OK : CORD_ERROR_MEMORY;
    for (int i = 0; i < 256; i++) linear[i] = cord__to_linear((float)i / 255);
    for (int i = 0; status == CORD_OK && i < POINTS; i++) {
        picture from = *p;
        double away = 0.5 * def->aperture * sqrt((i + 0.5) / POINTS), angle = 2.399963 * i;
        from.lens[0] = away * cos(angle), from.lens[1] = away * sin(angle);
        from.cache = NULL; /* the background is another one */
        status = draw_once(mem, &from, def, rgba);
        for (size_t k = 0; status == CORD_OK && k < count; k++)
            sum[k] += k % 4 == 3 ? (float)rgba[k] : linear[rgba[k]] * (float)rgba[k | 3];
    }
    for (size_t k = 0; status == CORD_OK && k < count; k++) {
        float opacity = sum[k | 3], light = opacity > 0 ? sum[k] / opacity : 0;
        rgba[k] =
            (unsigned char)((k % 4 == 3 ? opacity / POINTS : 255 * cord__to_srgb(light)) + 0.5F);
    }
    cord__release(mem, sum);
    return status;
}

cord_status cord__render(memory *mem, const picture *p, const cord_picture_def *def,
                         unsigned char *rgba)
{
    cord_status status = check(p, def);
    if (status != CORD_OK) return status;
    return def->aperture > 0 ? draw_through_lens(mem, p, def, rgba) : draw_once(mem, p, def, rgba);
}
