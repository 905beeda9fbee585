/* The description of the scene and its frames, as messages. */
#include "live/scene_access.h"
#include "live/session.h"

#include "math/vec3.h"
#include "record/html_scene.h"
#include "record/scalars.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void cord__live_forget_layout(cord_session *l)
{
    if (!l->has_layout) return;
    cord__snapshot_layout_free(&l->mem, &l->layout);
    cord__release(&l->mem, l->numbers);
    l->numbers = NULL;
    l->has_layout = false;
    memset(&l->layout, 0, sizeof l->layout);
}

/* ---- SCENE ----------------------------------------------------------------------------------------- */

static void write_control(json *j, const cord_control *c)
{
    cord__json_object(j, NULL);
    cord__json_string(j, "path", c->path);
    cord__json_string(j, "label", c->label);
    cord__json_string(j, "unit", c->unit);
    cord__json_number(j, "value", c->value);
    cord__json_number(j, "min", c->min);
    cord__json_number(j, "max", c->max);
    cord__json_integer(j, "step", c->whole);
    cord__json_string(j, "kind", c->declared ? "live" : "let");
    cord__json_end(j, '}');
}

static void write_anchors(json *j, const cord_session *l)
{
    bool turns;
    cord__json_array(j, "moves");
    for (int i = 0; i < l->layout.anchor_count; i++)
        cord__json_bool(j, NULL, cord__live_moves_anchor(l, i, &turns));
    cord__json_end(j, ']');
    cord__json_array(j, "turns");
    for (int i = 0; i < l->layout.anchor_count; i++)
        cord__json_bool(j, NULL, cord__live_moves_anchor(l, i, &turns) && turns);
    cord__json_end(j, ']');
}

static bool can_cut(const cord_session *l, int i)
{
    cord_strand handle = cord__snapshot_handle(l->sim, &l->layout.strands[i]);
    const strand *s = handle.index ? cord__get_strand(l->world, handle) : NULL;
    return s && !cord__indivisible(s);
}

/* The files of the images, in the order of their numbers. */
static void write_image_files(json *j, const cord_session *l)
{
    cord__json_array(j, "image_files");
    for (int i = 0, files = 0; i < l->info.image_count; i++) {
        cord_image_info image = cord_scene_get_image(l->scene, i);
        if (image.file < files) continue;
        cord__json_string(j, NULL, image.path);
        files++;
    }
    cord__json_end(j, ']');
}

static void write_live(json *j, const cord_session *l)
{
    const problem *p = &l->world->problem;
    cord__json_object(j, "live");
    cord__json_number(j, "dt", l->info.dt);
    cord__json_number(j, "until", l->info.until);
    cord__json_number(j, "time", cord_world_get_time(l->world));
    cord__json_string(j, "name", l->edition->path);
    write_image_files(j, l);
    cord__json_numbers(j, "gravity", p->gravity.constant, 3);
    if (cord__live_feels_wind(l->scene))
        cord__json_numbers(j, "wind", l->world->wind.velocity, 3);
    else
        cord__json_string(j, "wind", NULL);
    cord__json_array(j, "controls");
    for (int i = 0; i < cord_scene_get_control_count(l->scene); i++) {
        cord_control c = cord_scene_get_control(l->scene, i);
        write_control(j, &c);
    }
    cord__json_end(j, ']');
    cord__json_array(j, "overrides");
    for (int i = 0; i < l->edition->override_count; i++)
        cord__json_string(j, NULL, l->edition->overrides[i]);
    cord__json_end(j, ']');
    cord__json_array(j, "can_cut");
    for (int i = 0; i < l->layout.strand_count; i++) cord__json_bool(j, NULL, can_cut(l, i));
    cord__json_end(j, ']');
    write_anchors(j, l);
    cord__json_array(j, "held");
    for (int i = 0; i < l->layout.body_count; i++) cord__json_bool(j, NULL, i < l->info.body_count);
    cord__json_end(j, ']');
    cord__json_integer(j, "attachments", LIVE_MAX_ATTACHMENTS);
    cord__json_end(j, '}');
}

static void put_images(cord_session *l, bool to_all)
{
    for (int i = 0, files = 0; i < l->info.image_count; i++) {
        cord_image_info image = cord_scene_get_image(l->scene, i);
        if (image.file < files || !image.rgba) continue;
        files++;
        size_t start = cord__live_begin(l, LIVE_IMAGE, to_all);
        cord__live_put_u32(&l->out, (uint32_t)image.file);
        cord__live_put_u32(&l->out, (uint32_t)image.columns);
        cord__live_put_u32(&l->out, (uint32_t)image.rows);
        cord__live_put_bytes(&l->out, image.rgba, 4 * (size_t)image.columns * (size_t)image.rows);
        cord__live_end(l, start);
    }
}

void cord__live_put_scene(cord_session *l, bool to_all)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = l->has_layout ? open_memstream(&text, &size) : NULL;
    if (!out) return;
    json j;
    cord__json_begin(&j, out, JSON_SCRIPT);
    cord__json_object(&j, NULL);
    cord__page_scene_members(&j, l->sim, &l->layout);
    write_live(&j, l);
    cord__json_end(&j, '}');
    if (fclose(out) == 0) {
        put_images(l, to_all);
        size_t start = cord__live_begin(l, LIVE_SCENE, to_all);
        cord__live_put_u32(&l->out, l->revision);
        cord__live_put_bytes(&l->out, text, size);
        cord__live_end(l, start);
    }
    free(text);
}

cord_status cord__live_describe(cord_session *l)
{
    cord__live_forget_layout(l);
    cord_status status = cord__snapshot_layout_make(&l->mem, l->sim, &l->layout);
    l->has_layout = true;
    l->numbers = status == CORD_OK ? NEW(&l->mem, double, cord__snapshot_size(&l->layout)) : NULL;
    if (status == CORD_OK && !l->numbers) status = CORD_ERROR_MEMORY;
    if (status != CORD_OK) {
        cord__live_forget_layout(l);
        return status;
    }
    l->frame = cord__snapshot_in(&l->layout, l->numbers);
    l->taken = 0;
    l->revision++;
    cord__live_put_scene(l, true);
    return CORD_OK;
}

/* ---- FRAME ------------------------------------------------------------------------------------------- */

static void put_numbers(live_text *t, const double *x, size_t count)
{
    for (size_t i = 0; i < count; i++) cord__live_put_f32(t, x[i]);
}

static void put_strand(cord_session *l, live_text *t, int i, uint32_t scalars)
{
    const snapshot_strand *s = &l->layout.strands[i];
    const frame_snapshot *f = &l->frame;
    put_numbers(t, cord__snapshot_strand(f, i, QUANTITY_POSITIONS), 3 * (size_t)s->vertex_count);
    if (s->has[QUANTITY_FRAMES]) {
        const double *frames = cord__snapshot_strand(f, i, QUANTITY_FRAMES);
        for (int e = 0; e < s->edge_count; e++) put_numbers(t, frames + 6 * (size_t)e + 3, 3);
    }
    double *values = scalars ? NEW(&l->mem, double, s->vertex_count) : NULL;
    for (int k = 0; k < SCALAR_COUNT; k++) {
        if (!(scalars >> k & 1) || !has_scalar(s, (vertex_scalar)k)) continue;
        if (!values) {
            t->failed = true;
            return;
        }
        cord__vertex_scalar(f, i, (vertex_scalar)k, values);
        put_numbers(t, values, (size_t)s->vertex_count);
    }
    cord__release(&l->mem, values);
}

static void put_rows(cord_session *l, live_text *t, uint32_t scalars)
{
    const snapshot_layout *layout = &l->layout;
    const frame_snapshot *f = &l->frame;
    for (int i = 0; i < layout->strand_count; i++) put_strand(l, t, i, scalars);
    put_numbers(t, f->points, POINT_SIZE * (size_t)layout->point_count);
    put_numbers(t, f->attached, (size_t)layout->constraint_count);
    for (int i = 0; i < layout->body_count; i++) {
        put_numbers(t, cord__snapshot_body(f, i, BODY_POSITION), 3);
        put_numbers(t, cord__snapshot_body(f, i, BODY_ROTATION), 4);
    }
    put_numbers(t, f->energies, ENERGY_COUNT);
    for (int i = 0; i < layout->probe_count; i++)
        if (cord__page_plots(&layout->probes[i]))
            put_numbers(t, cord__snapshot_probe(f, i), (size_t)layout->probes[i].columns);
}

static void put_contacts(cord_session *l, live_text *t)
{
    const frame_snapshot *f = &l->frame;
    int count = l->layout.has_contacts ? f->contact_count : 0;
    cord__live_put_u32(t, (uint32_t)count);
    for (int i = 0; i < count; i++) {
        const contact_record *c = f->contacts + i;
        double force[3];
        bool second = !cord__page_moves_freely(&l->layout, c->first) &&
                      cord__page_moves_freely(&l->layout, c->second);
        v3_scale(force, second ? -1 : 1, c->force);
        put_numbers(t, c->position, 3);
        put_numbers(t, c->normal, 3);
        put_numbers(t, force, 3);
        cord__live_put_f32(t, c->sticks);
    }
}

void cord__live_put_frame(cord_session *l, live_page *page)
{
    char error[SNAPSHOT_ERROR];
    if (!l->has_layout) return;
    if (l->taken != l->change) (void)cord__snapshot_take(&l->frame, l->sim, error);
    l->taken = l->change;
    live_page *from = l->from;
    l->from = page;
    l->serial = page->want;
    size_t start = cord__live_begin(l, LIVE_FRAME, false);
    live_text *t = &l->out;
    cord__live_put_u32(t, l->revision);
    cord__live_put_f64(t, cord_world_get_time(l->world));
    cord__live_put_f64(t, l->spent);
    cord__live_put_f64(t, l->dropped);
    cord__live_put_f64(t, l->speed);
    cord__live_put_u32(t, (uint32_t)l->steps);
    cord__live_put_u32(t, page->command);
    bool ended = cord_world_get_time(l->world) > l->info.until + 0.5 * l->info.dt;
    cord__live_put_u32(t, (l->speed > 0 ? LIVE_IS_PLAYING : 0u) | (l->seeking ? LIVE_SEEKING : 0u) |
                              (l->failed ? LIVE_HAS_FAILED : 0u) | (ended ? LIVE_ENDED : 0u));
    cord__live_put_u32(t, page->scalars);
    put_rows(l, t, page->scalars);
    put_contacts(l, t);
    cord__live_put_fixtures(l, t, page);
    cord__live_end(l, start);
    l->from = from;
    l->serial = 0;
}
