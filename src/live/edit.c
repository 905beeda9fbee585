/* Editions of a scene, its files and overrides, and opening them: anew, or with motion carried over. */
#include "live/scene_access.h"
#include "live/session.h"

#include "math/vec3.h"
#include "record/origin.h"

#include <stdio.h>
#include <string.h>

/* ---- editions ------------------------------------------------------------------------------------ */

void cord__live_edition_free(cord_session *l, live_edition *e)
{
    if (!e || --e->uses > 0) return;
    for (int i = 0; e->files && i < e->file_count; i++) {
        cord__release(&l->mem, e->files[i].name);
        cord__release(&l->mem, e->files[i].bytes);
    }
    for (int i = 0; e->overrides && i < e->override_count; i++)
        cord__release(&l->mem, e->overrides[i]);
    cord__release(&l->mem, e->files);
    cord__release(&l->mem, e->overrides);
    cord__release(&l->mem, e);
}

static live_edition *new_edition(cord_session *l, int files, int overrides)
{
    live_edition *e = NEW(&l->mem, live_edition, 1);
    if (!e) return NULL;
    e->uses = 1;
    e->file_count = files, e->override_count = overrides;
    e->files = NEW(&l->mem, live_file, files + 1);
    e->overrides = NEW(&l->mem, char *, overrides + 1);
    if (e->files && e->overrides) return e;
    cord__live_edition_free(l, e);
    return NULL;
}

static char *copy_text(cord_session *l, const uint8_t *bytes, size_t size)
{
    char *text = NEW(&l->mem, char, size + 1);
    if (text && size) memcpy(text, bytes, size);
    return text;
}

/* Texts without zero bytes. */
static char *read_text(cord_session *l, live_reader *r)
{
    size_t size;
    const uint8_t *bytes = cord__live_bytes(r, &size);
    if (size && memchr(bytes, 0, size)) r->bad = true;
    return copy_text(l, bytes, size);
}

static bool read_file(cord_session *l, live_reader *r, live_file *f)
{
    f->name = read_text(l, r);
    const uint8_t *bytes = cord__live_bytes(r, &f->size);
    f->bytes = (uint8_t *)copy_text(l, bytes, f->size);
    return !r->bad && f->name && *f->name && f->bytes;
}

live_edition *cord__live_edition_read(cord_session *l, live_reader *r)
{
    uint32_t files = cord__live_count(r, 8, LIVE_MAX_FILES);
    live_edition *e = new_edition(l, (int)files, 0);
    bool good = e && files > 0;
    for (uint32_t i = 0; good && i < files; i++) good = read_file(l, r, &e->files[i]);
    uint32_t overrides = good ? cord__live_count(r, 4, LIVE_MAX_OVERRIDES) : 0;
    if (good && overrides > 0) {
        char **more = cord__reallocate(&l->mem, e->overrides, overrides + 1, sizeof *e->overrides);
        good = more != NULL;
        if (more) e->overrides = more;
    }
    for (uint32_t i = 0; good && i < overrides; i++) {
        e->overrides[e->override_count++] = read_text(l, r);
        good = !r->bad && e->overrides[i];
    }
    if (good && !r->bad) {
        e->path = e->files[0].name;
        return e;
    }
    r->bad = true;
    cord__live_edition_free(l, e);
    return NULL;
}

static bool copy_overrides(cord_session *l, live_edition *e, const char *const *from, int count)
{
    for (int i = 0; i < count; i++)
        if (!(e->overrides[i] = cord__copy_string(&l->mem, from[i]))) return false;
    return true;
}

live_edition *cord__live_edition_of_path(cord_session *l, const char *path,
                                         const char *const *overrides)
{
    int count = 0;
    while (overrides && overrides[count]) count++;
    live_edition *e = new_edition(l, 0, count);
    if (!e || !copy_overrides(l, e, overrides, count)) {
        cord__live_edition_free(l, e);
        return NULL;
    }
    e->path = path;
    return e;
}

/* The files of an edition, for another one. */
static bool copy_files(cord_session *l, live_edition *e, const live_edition *from)
{
    for (int i = 0; i < from->file_count; i++) {
        const live_file *f = &from->files[i];
        e->files[i] = (live_file){cord__copy_string(&l->mem, f->name),
                                  (uint8_t *)copy_text(l, f->bytes, f->size), f->size};
        if (!e->files[i].name || !e->files[i].bytes) return false;
    }
    e->path = from->file_count > 0 ? e->files[0].name : from->path;
    return true;
}

live_edition *cord__live_edition_with(cord_session *l, const char *text)
{
    const live_edition *now = l->edition;
    const char *equals = strchr(text, '=');
    if (!equals || equals == text) {
        cord__live_fail(l, "expected path.to.key=value");
        return NULL;
    }
    size_t key = (size_t)(equals - text) + 1;
    bool removes = equals[1 + strspn(equals + 1, " ")] == 0;
    const char *list[LIVE_MAX_OVERRIDES + 1];
    int count = 0;
    bool replaced = false;
    for (int i = 0; i < now->override_count; i++) {
        bool same = strncmp(now->overrides[i], text, key) == 0;
        if (same && removes) continue;
        list[count++] = same ? text : now->overrides[i];
        replaced = replaced || same;
    }
    if (!replaced && !removes && count < LIVE_MAX_OVERRIDES) list[count++] = text;
    live_edition *e = new_edition(l, now->file_count, count);
    if (e && copy_files(l, e, now) && copy_overrides(l, e, list, count)) return e;
    cord__live_edition_free(l, e);
    cord__live_fail(l, "out of memory");
    return NULL;
}

void cord__live_put_edition(live_text *t, const live_edition *e)
{
    cord__live_put_u32(t, (uint32_t)e->file_count);
    for (int i = 0; i < e->file_count; i++) {
        cord__live_put_text(t, e->files[i].name);
        cord__live_put_bytes(t, e->files[i].bytes, e->files[i].size);
    }
    cord__live_put_u32(t, (uint32_t)e->override_count);
    for (int i = 0; i < e->override_count; i++) cord__live_put_text(t, e->overrides[i]);
}

/* ---- reading and building ------------------------------------------------------------------------------- */

typedef struct live_build {
    cord_session *session;
    live_edition *edition;
    cord_scene *scene;
    cord_simulation *sim;
} live_build;

/* A file that a page has not sent is kept with the edition, so that it can be changed and sent. */
static bool keep_file(live_build *b, const char *path, const void *bytes, size_t size)
{
    live_edition *e = b->edition;
    memory *m = &b->session->mem;
    if (e->file_count >= LIVE_MAX_FILES) return false;
    live_file *more = cord__reallocate(m, e->files, (size_t)e->file_count + 2, sizeof *e->files);
    if (!more) return false;
    e->files = more;
    live_file f = {cord__copy_string(m, path), (uint8_t *)copy_text(b->session, bytes, size), size};
    if (!f.name || !f.bytes) {
        cord__release(m, f.name);
        cord__release(m, f.bytes);
        return false;
    }
    if (strcmp(path, e->path) == 0) e->path = f.name;
    e->files[e->file_count++] = f;
    return true;
}

static bool give_file(void *user, const char *path, const void **bytes, size_t *size)
{
    live_build *b = user;
    for (int i = 0; i < b->edition->file_count; i++) {
        if (strcmp(b->edition->files[i].name, path) != 0) continue;
        *bytes = b->edition->files[i].bytes;
        *size = b->edition->files[i].size;
        return true;
    }
    const cord_file_source *files = &b->session->def.files;
    if (!files->read || !files->read(files->user, path, bytes, size)) return false;
    return keep_file(b, path, *bytes, *size);
}

static bool is_cancelled(void *user)
{
    cord_session *l = user;
    const cord_cancel *c = &l->def.interrupted;
    if (c->cancelled && c->cancelled(c->user)) atomic_store(&l->cancelled, true);
    return atomic_load(&l->cancelled);
}

static void put_diagnostics(live_text *t, const diagnostics *d)
{
    cord__live_put_u32(t, (uint32_t)d->count);
    for (int i = 0; i < d->count; i++) {
        const diagnostic *of = &d->list[i];
        cord__live_put_text(t, of->at.file);
        cord__live_put_u32(t, (uint32_t)of->at.line);
        cord__live_put_u32(t, (uint32_t)of->at.column);
        cord__live_put_text(t, of->text + of->start);
    }
}

static void send_diagnostics(cord_session *l, live_answer kind, const diagnostics *d)
{
    size_t start = cord__live_begin(l, kind, kind == LIVE_WARNED);
    put_diagnostics(&l->out, d);
    cord__live_end(l, start);
}

/* Reads and builds; FAILED after errors. */
static bool build(live_build *b)
{
    cord_session *l = b->session;
    cord_scene_def def = cord_scene_def_default();
    def.path = b->edition->path;
    def.overrides = (const char *const *)b->edition->overrides;
    def.cancel = (cord_cancel){is_cancelled, l};
    def.files = (cord_file_source){give_file, b};
    cord_status status = cord_scene_create(&def, &b->scene);
    if (status == CORD_OK) status = cord_simulation_create(b->scene, &b->sim);
    if (status == CORD_OK) return true;
    const diagnostics *d = cord__live_errors(b->scene, b->sim);
    if (is_cancelled(l)) /* which is no error of the scene */
        cord__live_fail(l, "%s", LIVE_SUPERSEDED);
    else if (d)
        send_diagnostics(l, LIVE_FAILED, d);
    else
        cord__live_fail(l, "%s", cord_status_text(status));
    cord_simulation_destroy(b->sim);
    cord_scene_free(b->scene);
    return false;
}

void cord__live_check(cord_session *l, live_edition *e)
{
    live_build b = {l, e, NULL, NULL};
    if (build(&b)) {
        if (cord_simulation_advise(b.sim) == CORD_OK && cord__live_warnings(b.sim))
            send_diagnostics(l, LIVE_WARNED, cord__live_warnings(b.sim));
        cord__live_done(l);
        cord_simulation_destroy(b.sim);
        cord_scene_free(b.scene);
    }
    cord__live_edition_free(l, e);
}

/* ---- opening ----------------------------------------------------------------------------------------- */

void cord__live_close(cord_session *l)
{
    cord__live_forget_layout(l);
    cord_simulation_destroy(l->sim);
    cord_scene_free(l->scene);
    l->sim = NULL, l->scene = NULL, l->world = NULL;
    l->fixtures.count = 0;
}

/* Strands that were broken, or may break, have as much room in frames as they had. */
static void reserve_breaks(const cord_session *l, const live_build *b)
{
    int old = l->scene ? l->info.strand_count : 0;
    int count = cord_scene_get_info(b->scene).strand_count;
    for (int i = 0; i < old; i++) {
        int breaks = cord__reserved_breaks(l->sim, i, NULL, NULL);
        const char *name = cord_scene_get_strand_name(l->scene, i);
        for (int k = 0; breaks > 0 && k < count; k++)
            if (strcmp(cord_scene_get_strand_name(b->scene, k), name) == 0)
                cord__reserve_breaks(b->sim, k, breaks);
    }
}

static void apply_changes(cord_session *l)
{
    if (l->changes.has_gravity) cord_world_set_gravity(l->world, l->changes.gravity);
    if (l->changes.has_wind) cord_world_set_wind_velocity(l->world, l->changes.wind);
}

static void find_start(cord_session *l)
{
    if (!l->info.equilibrium_first) return;
    cord_statics_def def = cord_statics_def_default();
    def.kick = l->info.kick;
    def.nearest = l->info.nearest_equilibrium;
    cord_status status = cord_world_find_equilibrium(l->world, &def, NULL);
    if (status != CORD_OK)
        cord__live_warn(l, "the scene begins as drawn: %s", cord__live_why(l, status));
}

static void start(cord_session *l, const live_opening *how)
{
    if (how->state && cord_world_set_state(l->world, how->state, how->size) != CORD_OK) {
        cord__live_warn(l, "the scene begins at its start: %s", cord_world_get_error(l->world));
        find_start(l);
    } else if (!how->state && !how->quiet) {
        find_start(l);
    }
}

/* Names the same objects in the new scene; those without a counterpart are left out. */
static void rename_fixtures(const cord_session *l, const cord_scene *next, fixture_list *fixtures)
{
    cord_scene_info info = cord_scene_get_info(next);
    int kept = 0;
    for (int i = 0; i < fixtures->count; i++) {
        live_fixture *t = &fixtures->items[i];
        const char *name = t->on_body ? cord_scene_get_body_name(l->scene, t->index)
                                      : cord_scene_get_strand_name(l->scene, t->index);
        int count = t->on_body ? info.body_count : info.strand_count, found = -1;
        for (int k = 0; name && found < 0 && k < count; k++) {
            const char *other = t->on_body ? cord_scene_get_body_name(next, k)
                                           : cord_scene_get_strand_name(next, k);
            if (other && strcmp(other, name) == 0) found = k;
        }
        if (found < 0) continue;
        t->index = found;
        fixtures->items[kept++] = *t;
    }
    fixtures->count = kept;
}

bool cord__live_open(cord_session *l, live_edition *e, const live_opening *how)
{
    live_build b = {l, e, NULL, NULL};
    if (!build(&b)) {
        cord__live_edition_free(l, e);
        return false;
    }
    bool same = l->scene && how->keep;
    fixture_list *fixtures = NEW(&l->mem, fixture_list, 1);
    cord_world *world = cord_simulation_get_world(b.sim);
    bool carried = false;
    if (l->world) cord__live_release(l, 0);
    if (same && fixtures) {
        *fixtures = l->fixtures;
        cord__live_save_fixtures(l, fixtures);
        rename_fixtures(l, b.scene, fixtures);
    }
    if (how->carry && l->world) {
        reserve_breaks(l, &b);
        carried = cord_world_carry_motion(world, l->world, NULL) == CORD_OK;
        if (!carried)
            cord__live_warn(l, "motion is not carried over: %s", cord_world_get_error(world));
    }
    cord__live_close(l);
    if (l->edition != e)
        cord__live_edition_free(l, l->edition);
    else
        e->uses--;
    l->edition = e;
    l->scene = b.scene, l->sim = b.sim, l->world = world;
    l->info = cord_scene_get_info(b.scene);
    cord_world_set_cancel(world, is_cancelled, l);
    if (!same) l->changes = (live_changes){0};
    apply_changes(l);
    if (!cord__live_read_anchors(l)) cord__live_warn(l, "out of memory: anchors do not move");
    if (same) cord__live_set_anchors(l);
    if (!carried) start(l, how);
    (void)cord_simulation_observe(l->sim, false);
    if (same && fixtures) cord__live_add_fixtures(l, fixtures);
    cord__release(&l->mem, fixtures);
    l->owed = 0;
    l->failed = false;
    if (!carried && !how->quiet) cord__live_forget(l, 0);
    l->last_kept = -1;
    cord_status status = cord__live_describe(l);
    if (status != CORD_OK)
        cord__live_warn(l, "the scene cannot be shown: %s", cord_status_text(status));
    cord__live_changed(l);
    return true;
}
