/* The one part of recording that looks inside a scene. */
#include "record/origin.h"

#include "scene/simulation_data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- files -------------------------------------------------------------------------------- */

/* A file that was removed since is left out: its contents are in the world already. */
static cord_status read_file(memory *m, origin_file *f)
{
    FILE *in = fopen(f->name, "rb");
    if (!in) return CORD_OK;
    cord_status status = CORD_OK;
    size_t room = 0, got = 1;
    while (status == CORD_OK && got > 0) {
        if (f->size == room) {
            room = room ? 2 * room : 4096;
            char *grown = cord__reallocate(m, f->text, room, 1);
            if (!grown) status = CORD_ERROR_MEMORY;
            if (grown) f->text = grown;
        }
        if (status == CORD_OK) got = fread(f->text + f->size, 1, room - f->size, in);
        if (status == CORD_OK) f->size += got;
    }
    fclose(in);
    return status;
}

cord_status cord__origin_read(memory *m, const cord_scene *scene, origin *o)
{
    memset(o, 0, sizeof *o);
    int count = cord_scene_get_file_count(scene);
    o->files = NEW(m, origin_file, count);
    if (!o->files) return CORD_ERROR_MEMORY;
    while (o->count < count) {
        int i = o->count++;
        o->files[i] = (origin_file){.name = cord_scene_get_file(scene, i)};
        cord_status status = read_file(m, &o->files[i]);
        if (status != CORD_OK) return status;
    }
    return CORD_OK;
}

void cord__origin_free(memory *m, origin *o)
{
    for (int i = 0; i < o->count; i++) cord__release(m, o->files[i].text);
    cord__release(m, o->files);
    *o = (origin){0};
}

/* ---- expected results --------------------------------------------------------------------- */

void cord__get_observed(const cord_simulation *sim, observed_result *results)
{
    for (int i = 0; i < sim->scene->data.expectations.count; i++) {
        const observation *o = &sim->observations[i];
        const tally *t = &o->so_far;
        results[i] = (observed_result){o->observed ? o->measured : 0,
                                       o->observed,
                                       o->passed,
                                       {t->count, t->sum, t->squares, t->max, t->min}};
    }
}

void cord__set_observed(cord_simulation *sim, const observed_result *results)
{
    for (int i = 0; i < sim->scene->data.expectations.count; i++) {
        observation *o = &sim->observations[i];
        const double *t = results[i].so_far;
        o->so_far = (tally){t[0], t[1], t[2], t[3], t[4]};
        if (results[i].observed == 0) continue;
        o->measured = results[i].measured;
        o->observed = true;
        o->passed = results[i].passed != 0;
    }
    sim->last_time = cord_world_get_time(sim->world);
}

/* ---- lengths ------------------------------------------------------------------------------ */

void cord__natural_lengths(const cord_scene *scene, int strand, int edge_count, double *lengths)
{
    const strand_data *s = ITEM(scene->data.strands, strand_data, strand);
    const polyline *line = s->natural_line.x ? &s->natural_line : &s->line;
    for (int j = 0; j < edge_count; j++) {
        int next = j + 1 < line->count ? j + 1 : 0;
        bool known = line->x && j < line->count;
        const double *a = known ? line->x + 3 * (size_t)j : NULL;
        const double *b = known ? line->x + 3 * (size_t)next : NULL;
        lengths[j] = known ? hypot(hypot(b[0] - a[0], b[1] - a[1]), b[2] - a[2]) : NAN;
    }
}

int cord__reserved_breaks(const cord_simulation *sim, int strand, int *vertices, int *edges)
{
    const built_strand *s = sim->strands + strand;
    if (vertices) *vertices = s->vertex_count;
    if (edges) *edges = s->edge_count;
    return s->breaks;
}

cord_status cord__reserve_breaks(cord_simulation *sim, int strand, int breaks)
{
    built_strand *s = sim->strands + strand;
    cord_strand_info info;
    if (s->breaks == 0) {
        cord_status status = cord_strand_get_info(sim->world, s->handle, &info);
        if (status != CORD_OK) return status;
        s->vertex_count = info.vertex_count, s->edge_count = info.edge_count;
    }
    if (breaks > s->breaks) s->breaks = breaks;
    return CORD_OK;
}
