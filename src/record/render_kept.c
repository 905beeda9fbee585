/* Changes since the last picture: of objects, by the numbers that they are drawn from, and tiles, by the objects, the openness
 * and the shadows in them. */
#include "record/render_kept.h"

#include <string.h>

/* ---- numbers of objects --------------------------------------------------------------------- */

/* Appends to `to`, or only counts where that is NULL. */
typedef struct state_writer {
    double *to;
    size_t count;
} state_writer;

static void write_numbers(state_writer *w, const double *x, size_t count)
{
    if (w->to && x) memcpy(w->to + w->count, x, count * sizeof *x);
    w->count += count;
}

/* As bits: pointers have no value as numbers. */
static void write_pointer(state_writer *w, const void *p)
{
    double bits = 0;
    memcpy(&bits, &p, sizeof p);
    write_numbers(w, &bits, 1);
}

static void write_strand(state_writer *w, const picture_strand *s)
{
    const cord_section *c = &s->section;
    const double other[] = {s->closed, c->kind,         c->size[0], c->size[1],
                            c->radius, c->inner_radius, s->colour,  s->coloured,
                            s->rgb,    s->look,         s->fade};
    write_numbers(w, other, sizeof other / sizeof *other);
    write_numbers(w, s->x, 3 * (size_t)s->vertices);
    write_numbers(w, s->frames, 6 * (size_t)s->edges);
    if (s->value) write_numbers(w, s->value, (size_t)s->vertices);
}

static void write_body(state_writer *w, const picture_body *b)
{
    const double other[] = {b->colour[0], b->colour[1], b->colour[2], b->look, b->fade};
    write_numbers(w, other, sizeof other / sizeof *other);
    write_numbers(w, b->position, 3);
    write_numbers(w, b->frame, 9);
    write_pointer(w, b->shape);
    write_pointer(w, b->solid);
}

static void write_marker(state_writer *w, const picture_marker *m)
{
    const double other[] = {m->kind, m->half[0], m->half[1], m->length, m->look, m->rgb};
    write_numbers(w, other, sizeof other / sizeof *other);
    write_numbers(w, m->position, 3);
    write_numbers(w, m->frame, 9);
}

/* Those of object i; markers are the last ones. */
static void write_object(state_writer *w, const picture *p, int i)
{
    int body = i - p->strand_count, marker = body - p->body_count;
    if (body < 0)
        write_strand(w, &p->strands[i]);
    else if (marker < 0)
        write_body(w, &p->bodies[body]);
    else
        write_marker(w, &p->markers[marker]);
}

static size_t count_state(const picture *p, int objects)
{
    state_writer w = {0};
    for (int i = 0; i < objects; i++) write_object(&w, p, i);
    return w.count;
}

/* ---- objects -------------------------------------------------------------------------------- */

static cord_status make_room(memory *mem, const frame *f, kept_picture *k, int objects,
                             size_t numbers)
{
    bool fits = k->object_count == objects && k->state_size == numbers;
    if (fits && k->objects && k->state && k->state_before && k->on_tiles) return CORD_OK;
    k->whole = false;
    cord__release(mem, k->objects);
    cord__release(mem, k->state);
    cord__release(mem, k->state_before);
    cord__release(mem, k->on_tiles);
    k->object_count = objects, k->state_size = numbers;
    k->objects = NEW(mem, kept_object, objects + 1);
    k->state = NEW(mem, double, numbers);
    k->state_before = NEW(mem, double, numbers);
    k->tile_words = ((size_t)f->tiles[0] * (size_t)f->tiles[1] + 63) / 64;
    k->on_tiles = NEW(mem, uint64_t, k->tile_words * (size_t)objects);
    return k->objects && k->state && k->state_before && k->on_tiles ? CORD_OK : CORD_ERROR_MEMORY;
}

void *cord__make_room(memory *mem, void *array, size_t *room, size_t needed, size_t size)
{
    if (array && needed <= *room) return array;
    cord__release(mem, array);
    *room = needed + needed / 4;
    return cord__allocate(mem, *room, size);
}

/* For each tile, and for each pixel. */
static cord_status make_tiles(memory *mem, const frame *f, kept_picture *k)
{
    size_t tiles = (size_t)f->tiles[0] * (size_t)f->tiles[1],
           pixels = (size_t)f->def->width * (size_t)f->def->height;
    if (!k->rgba) k->rgba = NEW(mem, unsigned char, 4 * pixels);
    if (!k->tiles) k->tiles = NEW(mem, unsigned char, tiles);
    if (!k->read) k->read = NEW(mem, texel_bounds, tiles);
    if (!k->bare) k->bare = NEW(mem, unsigned char, tiles);
    return k->rgba && k->tiles && k->read && k->bare ? CORD_OK : CORD_ERROR_MEMORY;
}

static void compare(const picture *p, kept_picture *k)
{
    double *last = k->state;
    k->state = k->state_before, k->state_before = last;
    state_writer w = {k->state, 0};
    for (int i = 0; i < k->object_count; i++) {
        kept_object *o = &k->objects[i];
        size_t first = w.count;
        write_object(&w, p, i);
        bool same = k->whole && o->state == first &&
                    memcmp(last + first, k->state + first, (w.count - first) * sizeof *last) == 0;
        o->state = first;
        o->moved = !same;
        o->still = same ? o->still + 1 : 0;
    }
}

/* Objects at rest are drawn once in the maps of shadows. An object that begins to move makes them void; one that has come to rest enters
 * them after some pictures, or when they are empty. */
static void choose_resting(kept_picture *k)
{
    enum { STILL = 4 };
    bool empty = true, moves = false, rests = false;
    for (int i = 0; i < k->object_count; i++) {
        kept_object *o = &k->objects[i];
        if (!k->whole) o->resting = false;
        empty = empty && !o->resting;
        moves = moves || (o->resting && o->moved);
    }
    for (int i = 0; i < k->object_count; i++) {
        kept_object *o = &k->objects[i];
        rests = rests || (!o->resting && o->still >= (empty ? 1 : STILL));
    }
    k->rests_anew = !k->whole || moves || rests;
    for (int i = 0; i < k->object_count; i++) {
        kept_object *o = &k->objects[i];
        if (k->rests_anew) o->resting = o->resting ? !o->moved : o->still >= (empty ? 1 : STILL);
    }
}

/* With its memory. */
static mesh emptied(memory *mem, mesh m)
{
    m.mem = mem, m.vertex_count = m.triangle_count = 0, m.objects = 0, m.failed = false;
    return m;
}

cord_status cord__kept_begin(memory *mem, frame *f, picture_cache *cache)
{
    const picture *p = f->p;
    int objects = p->strand_count + p->body_count + p->marker_count;
    f->tiles[0] = (f->def->width + TILE - 1) / TILE,
    f->tiles[1] = (f->def->height + TILE - 1) / TILE;
    if (!cache->drawn) { /* another extent, perhaps */
        cord__kept_free(mem, cache->kept);
        cache->kept = NULL;
    }
    if (!cache->kept) cache->kept = NEW(mem, kept_picture, 1);
    kept_picture *k = f->kept = cache->kept;
    if (!k) return CORD_ERROR_MEMORY;
    cord_status status = make_room(mem, f, k, objects, count_state(p, objects));
    if (status == CORD_OK) status = make_tiles(mem, f, k);
    if (status != CORD_OK) return status;
    compare(p, k);
    choose_resting(k);
    memset(k->tiles, k->whole ? 0 : TILE_MOVED | TILE_NEAR | TILE_DRAWN,
           (size_t)f->tiles[0] * (size_t)f->tiles[1]);
    f->light_map = &k->light, f->ground_map = &k->ground;
    f->mesh = emptied(mem, k->mesh), f->casters = emptied(mem, k->caster_mesh);
    k->whole = false; /* until it is drawn */
    return CORD_OK;
}

static void free_shadow(memory *mem, kept_shadow *s)
{
    for (int i = 0; i < SHADOW_LAYERS; i++) {
        cord__release(mem, s->layers[i].cover);
        cord__release(mem, s->layers[i].resting);
    }
    for (int i = 1; i < SHADOW_LEVELS; i++) cord__release(mem, s->sums[i]);
    cord__release(mem, s->last);
    cord__release(mem, s->other);
}

static void free_solids(memory *mem, solid_mesh *solids, int count)
{
    for (int i = 0; solids && i < count; i++) cord__solid_free(mem, &solids[i]);
    cord__release(mem, solids);
}

void cord__kept_free(memory *mem, kept_picture *k)
{
    if (!k) return;
    void *arrays[] = {k->rgba,
                      k->corners,
                      k->bin,
                      k->workers,
                      k->objects,
                      k->state,
                      k->state_before,
                      k->on_tiles,
                      k->tiles,
                      k->read,
                      k->bare,
                      k->images,
                      k->light.depth,
                      k->light_resting,
                      k->light_last,
                      k->light_drawn,
                      k->light_changed,
                      k->ground.key.cover,
                      k->ground.key.covered,
                      k->ground.key.changed,
                      k->ground.sky.cover,
                      k->ground.sky.covered,
                      k->ground.sky.changed};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) cord__release(mem, arrays[i]);
    free_solids(mem, k->solids, k->solid_count);
    free_solids(mem, k->casters, k->solid_count);
    k->mesh.mem = k->caster_mesh.mem = mem;
    cord__mesh_free(&k->mesh);
    cord__mesh_free(&k->caster_mesh);
    free_shadow(mem, &k->key);
    free_shadow(mem, &k->sky);
    cord__release(mem, k);
}

/* ---- tiles ---------------------------------------------------------------------------------- */

/* Those that have a moved triangle less than `away` tiles away. */
static void mark_near(const frame *f, unsigned char *tiles, int away)
{
    for (int y = 0; y < f->tiles[1]; y++)
        for (int x = 0; x < f->tiles[0]; x++) {
            if (!(tiles[y * f->tiles[0] + x] & TILE_MOVED)) continue;
            int top = y > away ? y - away : 0, left = x > away ? x - away : 0;
            for (int j = top; j <= y + away && j < f->tiles[1]; j++)
                for (int i = left; i <= x + away && i < f->tiles[0]; i++)
                    tiles[j * f->tiles[0] + i] |= TILE_NEAR;
        }
}

static bool light_has_changed(const kept_picture *k, const texel_bounds *read)
{
    int range[4], side = k->light.size / COVER_SQUARE;
    if (!(read->low[0] <= read->high[0])) return false;
    for (int i = 0; i < 4; i++) {
        float texel = i < 2 ? read->low[i] : read->high[i - 2];
        int square = texel > 0 ? (int)texel / COVER_SQUARE : 0;
        range[i] = square < side ? square : side - 1;
    }
    for (int y = range[1]; y <= range[3]; y++)
        for (int x = range[0]; x <= range[2]; x++)
            if (k->light_changed[y * side + x]) return true;
    return false;
}

static bool ground_has_changed(const frame *f, int left, int top)
{
    int width = f->def->width - left < TILE ? f->def->width - left : TILE;
    for (int y = top; y < top + TILE && y < f->def->height; y++)
        if (cord__ground_changed(&f->rows[y], left, left + width - 1)) return true;
    return false;
}

void cord__kept_choose_tiles(frame *f)
{
    kept_picture *k = f->kept;
    int away = (cord__occlusion_reach(f) + TILE - 1) / TILE;
    mark_near(f, k->tiles, away);
    for (int i = 0; i < f->tiles[0] * f->tiles[1]; i++) {
        int left = i % f->tiles[0] * TILE, top = i / f->tiles[0] * TILE;
        bool drawn = (k->tiles[i] & TILE_MOVED) != 0 || light_has_changed(k, &k->read[i]) ||
                     (k->bare[i] && ground_has_changed(f, left, top));
        if (drawn) k->tiles[i] |= TILE_DRAWN;
    }
}
