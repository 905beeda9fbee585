/* A session: its pages, its time, and the commands. */
#include "live/session.h"

#include "math/vec3.h"
#include "scene/schema.h"
#include "solve/problem.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- messages out ---------------------------------------------------------------------------- */

enum { ENTRY = 8 }; /* in `out`: u32 size, u32 page, then the message */

size_t cord__live_begin(cord_session *l, live_answer kind, bool to_all)
{
    if (l->sent == l->out.size) l->out.size = l->sent = 0;
    size_t start = l->out.size;
    cord__live_put_u32(&l->out, 0);
    cord__live_put_u32(&l->out, to_all || !l->from ? 0 : l->from->number);
    cord__live_put_u32(&l->out, kind);
    cord__live_put_u32(&l->out, l->serial);
    return start;
}

/* After a failed growth the message is dropped. */
void cord__live_end(cord_session *l, size_t start)
{
    if (l->out.failed) {
        l->out.size = start;
        l->out.failed = false;
        return;
    }
    uint32_t size = (uint32_t)(l->out.size - start - ENTRY);
    for (int k = 0; k < 4; k++) l->out.at[start + (size_t)k] = (uint8_t)(size >> 8 * k);
}

const void *cord_session_next(cord_session *l, size_t *size, uint32_t *page)
{
    if (!l || !size || l->sent >= l->out.size) return NULL;
    live_reader r = {l->out.at + l->sent, l->out.at + l->out.size, false};
    *size = cord__live_u32(&r);
    uint32_t to = cord__live_u32(&r);
    if (page) *page = to;
    l->sent += ENTRY + *size;
    return r.at;
}

void cord__live_done(cord_session *l)
{
    cord__live_end(l, cord__live_begin(l, LIVE_DONE, false));
}

static void say(cord_session *l, live_answer kind, bool to_all, const char *format, va_list list)
{
    char text[1200];
    vsnprintf(text, sizeof text, format, list);
    size_t start = cord__live_begin(l, kind, to_all);
    cord__live_put_u32(&l->out, 1);
    cord__live_put_text(&l->out, "");
    cord__live_put_u32(&l->out, 0);
    cord__live_put_u32(&l->out, 0);
    cord__live_put_text(&l->out, text);
    cord__live_end(l, start);
}

void cord__live_fail(cord_session *l, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say(l, LIVE_FAILED, false, format, list);
    va_end(list);
}

void cord__live_warn(cord_session *l, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say(l, LIVE_WARNED, true, format, list);
    va_end(list);
}

static void __attribute__((format(printf, 2, 3))) stop(cord_session *l, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say(l, LIVE_STOPPED, true, format, list);
    va_end(list);
}

const char *cord__live_why(const cord_session *l, cord_status status)
{
    const char *text = l->world ? cord_world_get_error(l->world) : "";
    return *text ? text : cord_status_text(status);
}

void cord__live_changed(cord_session *l)
{
    l->change++;
}

/* ---- time ---------------------------------------------------------------------------------------- */

static cord_status try_step(cord_session *l)
{
    cord_status status = cord_simulation_step(l->sim, l->info.dt);
    if (status == CORD_OK) status = cord_simulation_observe(l->sim, false);
    return status;
}

/* Where a handle has been moved to where the mechanism does not admit it, it goes back. */
bool cord__live_step(cord_session *l)
{
    double began = cord__seconds();
    atomic_store(&l->cancelled, false);
    cord__live_move_hands(l);
    bool moved = cord__live_move_anchors(l);
    cord_status status = try_step(l);
    if (status != CORD_OK && status != CORD_ERROR_CANCELLED && moved) {
        cord__live_return_anchors(l);
        cord_status again = try_step(l);
        if (again == CORD_OK) cord__live_warn(l, "the handle cannot go there");
        status = again;
    }
    l->spent += cord__seconds() - began;
    cord__live_changed(l);
    l->failed = status != CORD_OK && status != CORD_ERROR_CANCELLED;
    if (status == CORD_ERROR_CANCELLED) return false; /* the command that has ended it follows */
    l->steps++;
    if (l->failed) {
        l->speed = 0;
        stop(l, "%s", cord__live_why(l, status));
        return false;
    }
    cord__live_keep_due(l);
    return true;
}

/* The page whose SEEK it was gets the answer. */
static void end_seek(cord_session *l, const char *failure)
{
    live_page *from = l->from;
    uint32_t serial = l->serial;
    l->seeking = false;
    l->from = NULL;
    for (int i = 0; i < l->page_count; i++)
        if (l->pages[i].number == l->seek_page) l->from = &l->pages[i];
    l->serial = l->seek_serial;
    if (l->from || l->seek_page == 0) {
        if (failure)
            cord__live_fail(l, "%s", failure);
        else
            cord__live_done(l);
    }
    l->from = from;
    l->serial = serial;
}

static bool arrived(const cord_session *l)
{
    return cord_world_get_time(l->world) >= l->seek_time - 0.5 * l->info.dt;
}

static void seek(cord_session *l, double budget)
{
    double began = cord__seconds();
    while (l->seeking && !arrived(l)) {
        if (!cord__live_step(l)) {
            end_seek(l, l->failed ? "a step has failed on the way" : LIVE_SUPERSEDED);
            return;
        }
        if (cord__seconds() - began > budget) break;
    }
    if (l->seeking && arrived(l)) end_seek(l, NULL);
}

/* Steps that are due, in the budget. Time that is owed beyond one step when it is spent is dropped. */
static void play(cord_session *l, double seconds, double budget)
{
    double began = cord__seconds();
    l->owed += seconds * l->speed;
    while (l->speed > 0 && l->owed >= l->info.dt) {
        if (!cord__live_step(l)) return;
        l->owed -= l->info.dt;
        if (cord__seconds() - began <= budget || l->owed < l->info.dt) continue;
        l->dropped += l->owed - l->info.dt;
        l->owed = l->info.dt;
        break;
    }
}

static void send_frames(cord_session *l)
{
    for (int i = 0; i < l->page_count; i++) {
        live_page *p = &l->pages[i];
        if (!p->wants || p->seen == l->change) continue;
        p->wants = false;
        p->seen = l->change;
        cord__live_put_frame(l, p);
    }
}

cord_status cord_session_advance(cord_session *l, double seconds, double budget, bool *busy)
{
    if (busy) *busy = false;
    if (!l || !(seconds >= 0) || !isfinite(seconds) || !isfinite(budget))
        return CORD_ERROR_ARGUMENT;
    if (!l->world) return CORD_OK;
    l->from = NULL;
    l->serial = 0;
    if (l->seeking) {
        seek(l, budget);
    } else if (l->speed > 0) {
        play(l, seconds, budget);
    }
    send_frames(l);
    if (busy) *busy = l->seeking || (l->speed > 0 && l->owed >= l->info.dt);
    return CORD_OK;
}

/* ---- pages ------------------------------------------------------------------------------------------ */

static live_page *find_page(cord_session *l, uint32_t number)
{
    for (int i = 0; i < l->page_count; i++)
        if (l->pages[i].number == number) return &l->pages[i];
    if (l->page_count == MOST_PAGES) return NULL;
    l->pages[l->page_count] = (live_page){.number = number, .seen = l->change - 1};
    return &l->pages[l->page_count++];
}

cord_status cord_session_leave(cord_session *l, uint32_t number)
{
    if (!l || number == 0) return CORD_ERROR_ARGUMENT;
    if (l->world) cord__live_release(l, number);
    for (int i = 0; i < l->page_count; i++)
        if (l->pages[i].number == number) l->pages[i] = l->pages[--l->page_count];
    return CORD_OK;
}

/* ---- commands ----------------------------------------------------------------------------------------- */

static void welcome(cord_session *l, live_reader *r)
{
    static const uint32_t limits[] = {LIVE_MAX_MESSAGE, LIVE_MAX_FILES,       LIVE_MAX_OVERRIDES,
                                      LIVE_MAX_HOLDS,   LIVE_MAX_ATTACHMENTS, LIVE_MAX_STEPS};
    uint32_t version = cord__live_u32(r);
    if (!cord__live_ended(r) || version != LIVE_VERSION) {
        cord__live_fail(l, "this engine speaks version %d of the messages, not %u", LIVE_VERSION,
                        version);
        return;
    }
    char engine[80];
    snprintf(engine, sizeof engine, "Cordage %s%s", cord_version(),
             sizeof(void *) == 4 ? ", wasm32" : "");
    size_t start = cord__live_begin(l, LIVE_WELCOME, false);
    cord__live_put_u32(&l->out, LIVE_VERSION);
    cord__live_put_u32(&l->out, l->def.path ? LIVE_RUNNING : LIVE_ENGINE);
    for (int i = 0; i < 6; i++) cord__live_put_u32(&l->out, limits[i]);
    cord__live_put_text(&l->out, engine);
    cord__live_end(l, start);
    if (l->world) cord__live_put_scene(l, false);
}

static void unreadable(cord_session *l)
{
    cord__live_fail(l, "the message cannot be read");
}

static void begin_seek(cord_session *l, double time)
{
    l->seeking = true;
    l->seek_time = time;
    l->seek_page = l->from ? l->from->number : 0;
    l->seek_serial = l->serial;
}

static void do_open(cord_session *l, live_reader *r, bool check)
{
    uint32_t flags = cord__live_u32(r);
    live_edition *e = cord__live_edition_read(l, r);
    size_t size;
    const uint8_t *bytes = cord__live_bytes(r, &size);
    double until = cord__live_f64(r);
    if (!e || !cord__live_ended(r)) {
        cord__live_edition_free(l, e);
        unreadable(l);
        return;
    }
    if (check) {
        cord__live_check(l, e);
        return;
    }
    live_opening how = {.carry = flags & LIVE_CARRY, .keep = flags & LIVE_CARRY};
    if (size > 0) how = (live_opening){.state = bytes, .size = size};
    if (!cord__live_open(l, e, &how)) return;
    if (!how.carry) l->speed = 0;
    if (until > cord_world_get_time(l->world))
        begin_seek(l, until);
    else
        cord__live_done(l);
}

static void do_play(cord_session *l, live_reader *r)
{
    double speed = cord__live_f64(r);
    if (!cord__live_ended(r) || !(speed >= 0 && speed <= 1000)) {
        unreadable(l);
        return;
    }
    l->speed = speed;
    l->owed = 0;
    cord__live_changed(l);
    cord__live_done(l);
}

static void do_step(cord_session *l, live_reader *r)
{
    uint32_t count = cord__live_u32(r);
    if (!cord__live_ended(r) || count < 1 || count > LIVE_MAX_STEPS) {
        unreadable(l);
        return;
    }
    l->speed = 0;
    uint32_t done = 0;
    while (done < count && cord__live_step(l)) done++;
    if (done < count)
        cord__live_fail(l, "%s", cord_world_get_error(l->world));
    else
        cord__live_done(l);
}

static void do_restart(cord_session *l, live_reader *r)
{
    uint32_t flags = cord__live_u32(r);
    if (!cord__live_ended(r)) {
        unreadable(l);
        return;
    }
    l->edition->uses++;
    if (cord__live_open(l, l->edition, &(live_opening){.keep = flags & LIVE_CARRY}))
        cord__live_done(l);
}

static void do_seek(cord_session *l, live_reader *r, bool back)
{
    double time = cord__live_f64(r);
    if (!cord__live_ended(r)) {
        unreadable(l);
        return;
    }
    if (back || time < cord_world_get_time(l->world) - 0.5 * l->info.dt) {
        l->speed = 0;
        if (!cord__live_back(l, time)) return;
    }
    begin_seek(l, time);
    if (arrived(l)) end_seek(l, NULL);
}

static void do_want(cord_session *l, live_reader *r)
{
    uint32_t scalars = cord__live_u32(r);
    (void)cord__live_u32(r);
    if (!cord__live_ended(r)) {
        unreadable(l);
        return;
    }
    live_page *p = l->from;
    scalars &= (1u << SCALAR_COUNT) - 1;
    if (scalars & ~p->scalars) p->seen = l->change - 1; /* it has not seen those */
    p->wants = true;
    p->want = l->serial;
    p->scalars = scalars;
}

static void do_gravity(cord_session *l, live_reader *r, bool of_wind)
{
    double x[3];
    cord__live_vector(r, x);
    if (!cord__live_ended(r)) {
        unreadable(l);
        return;
    }
    cord__live_keep(l);
    cord_status status =
        of_wind ? cord_world_set_wind_velocity(l->world, x) : cord_world_set_gravity(l->world, x);
    if (status != CORD_OK) {
        cord__live_fail(l, "%s", cord__live_why(l, status));
        return;
    }
    v3_copy(of_wind ? l->changes.wind : l->changes.gravity, x);
    *(of_wind ? &l->changes.has_wind : &l->changes.has_gravity) = true;
    cord__live_changed(l);
    cord__live_done(l);
}

static void do_switch(cord_session *l, live_reader *r)
{
    uint32_t i = cord__live_u32(r), attached = cord__live_u32(r);
    if (!cord__live_ended(r) || attached > 1 || i >= (uint32_t)l->layout.constraint_count) {
        unreadable(l);
        return;
    }
    cord__live_keep(l);
    cord_status status =
        cord_constraint_set_attached(l->world, l->layout.constraints[i].handle, attached);
    cord__live_changed(l);
    if (status == CORD_OK)
        cord__live_done(l);
    else
        cord__live_fail(l, "%s", cord__live_why(l, status));
}

static void set_override(cord_session *l, const char *text, bool carry)
{
    live_edition *e = cord__live_edition_with(l, text);
    if (!e) return;
    cord__live_keep(l);
    if (cord__live_open(l, e, &(live_opening){.carry = carry, .keep = true})) cord__live_done(l);
}

static void do_steer(cord_session *l, live_reader *r)
{
    uint32_t i = cord__live_u32(r);
    double value = cord__live_f64(r);
    if (!cord__live_ended(r) || i >= (uint32_t)cord_scene_get_control_count(l->scene)) {
        unreadable(l);
        return;
    }
    cord_control c = cord_scene_get_control(l->scene, (int)i);
    char text[400];
    if (c.whole) value = round(value);
    snprintf(text, sizeof text, "%.200s=%.17g %.100s", c.path, value, c.unit);
    set_override(l, text, true);
}

static void do_set(cord_session *l, live_reader *r)
{
    uint32_t flags = cord__live_u32(r);
    size_t size;
    const uint8_t *bytes = cord__live_bytes(r, &size);
    char *text = cord__live_ended(r) ? NEW(&l->mem, char, size + 1) : NULL;
    if (!text || memchr(bytes, 0, size)) {
        cord__release(&l->mem, text);
        unreadable(l);
        return;
    }
    memcpy(text, bytes, size);
    set_override(l, text, flags & LIVE_CARRY);
    cord__release(&l->mem, text);
}

static void do_keep(cord_session *l, live_reader *r)
{
    uint32_t flags = cord__live_u32(r);
    if (!cord__live_ended(r)) {
        unreadable(l);
        return;
    }
    cord__live_keep(l);
    cord__live_send_kept(l, flags & LIVE_SEND);
    cord__live_done(l);
}

static void send_files(cord_session *l)
{
    size_t start = cord__live_begin(l, LIVE_FILES_ARE, false);
    cord__live_put_edition(&l->out, l->edition);
    cord__live_end(l, start);
    cord__live_done(l);
}

static void send_results(cord_session *l)
{
    (void)cord_simulation_observe(l->sim, true);
    size_t start = cord__live_begin(l, LIVE_RESULTS_ARE, false);
    cord__live_put_u32(&l->out, (uint32_t)l->info.expectation_count);
    for (int i = 0; i < l->info.expectation_count; i++) {
        cord_expectation e = cord_simulation_get_expectation(l->sim, i);
        cord__live_put_text(&l->out, e.probe);
        cord__live_put_text(&l->out, e.component);
        cord__live_put_u32(&l->out, e.passed);
        cord__live_put_f64(&l->out, e.measured);
    }
    cord__live_end(l, start);
    cord__live_done(l);
}

static void send_schema(cord_session *l)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out) cord__schema_json(out);
    if (!out || fclose(out) != 0) {
        cord__live_fail(l, "out of memory");
        free(text);
        return;
    }
    size_t start = cord__live_begin(l, LIVE_SCHEMA_IS, false);
    cord__live_put_bytes(&l->out, text, size);
    cord__live_end(l, start);
    free(text);
    cord__live_done(l);
}

/* ---- the log: f64 steps, u32 page, bytes of the command; at last f64 steps alone -------------------- */

static bool is_logged(uint32_t kind)
{
    switch (kind) {
    case LIVE_HELLO:
    case LIVE_CHECK:
    case LIVE_WANT:
    case LIVE_FILES:
    case LIVE_SCHEMA:
    case LIVE_LOG:
    case LIVE_RESULTS:
    case LIVE_WANT_CHUNK: return false;
    default: return true;
    }
}

static void log_command(cord_session *l, uint32_t kind, uint32_t page, const void *bytes,
                        size_t size)
{
    if (l->replaying || l->log.failed || !is_logged(kind)) return;
    cord__live_put_f64(&l->log, (double)l->steps);
    cord__live_put_u32(&l->log, page);
    cord__live_put_bytes(&l->log, bytes, size);
}

static void send_log(cord_session *l)
{
    if (l->log.failed) {
        cord__live_fail(l, "out of memory for the log");
        return;
    }
    size_t start = cord__live_begin(l, LIVE_LOG_IS, false);
    cord__live_put_u32(&l->out, (uint32_t)(l->log.size + 8));
    cord__live_put(&l->out, l->log.at, l->log.size);
    cord__live_put_f64(&l->out, (double)l->steps);
    cord__live_end(l, start);
    cord__live_done(l);
}

static void step_until(cord_session *l, double steps)
{
    while (l->world && (double)l->steps < steps) {
        bool good = cord__live_step(l);
        if (!good && !l->failed) return; /* cancelled */
        if (good && l->seeking && arrived(l)) end_seek(l, NULL);
    }
}

cord_status cord_session_replay(cord_session *l, const void *log, size_t size)
{
    if (!l || !log) return CORD_ERROR_ARGUMENT;
    live_reader r = {log, (const uint8_t *)log + size, false};
    cord_status status = CORD_OK;
    l->replaying = true;
    while (status == CORD_OK && !r.bad) {
        double steps = cord__live_f64(&r);
        if (!r.bad && steps < 1e9) step_until(l, steps);
        if (cord__live_ended(&r)) break;
        uint32_t page = cord__live_u32(&r);
        size_t count;
        const uint8_t *bytes = cord__live_bytes(&r, &count);
        if (!r.bad) status = cord_session_receive(l, page, bytes, count);
    }
    l->replaying = false;
    return r.bad ? CORD_ERROR_ARGUMENT : status;
}

/* ---- receiving ------------------------------------------------------------------------------------------ */

static void act(cord_session *l, uint32_t kind, live_reader *r)
{
    switch (kind) {
    case LIVE_PLAY: do_play(l, r); return;
    case LIVE_STEP: do_step(l, r); return;
    case LIVE_RESTART: do_restart(l, r); return;
    case LIVE_SEEK: do_seek(l, r, false); return;
    case LIVE_BACK: do_seek(l, r, true); return;
    case LIVE_WANT: do_want(l, r); return;
    case LIVE_GRAB: cord__live_grab(l, r); return;
    case LIVE_DRAG: cord__live_drag(l, r); return;
    case LIVE_LET_GO: cord__live_let_go(l, r); return;
    case LIVE_PIN: cord__live_attach(l, r, FIXTURE_PIN); return;
    case LIVE_WEIGHT: cord__live_attach(l, r, FIXTURE_WEIGHT); return;
    case LIVE_DETACH: cord__live_detach(l, r); return;
    case LIVE_CUT: cord__live_cut(l, r); return;
    case LIVE_MOVE: cord__live_move(l, r); return;
    case LIVE_GRAVITY: do_gravity(l, r, false); return;
    case LIVE_WIND: do_gravity(l, r, true); return;
    case LIVE_SWITCH: do_switch(l, r); return;
    case LIVE_STEER: do_steer(l, r); return;
    case LIVE_SET: do_set(l, r); return;
    case LIVE_KEEP: do_keep(l, r); return;
    default: break;
    }
    if (!cord__live_ended(r)) {
        unreadable(l);
    } else if (kind == LIVE_FILES) {
        send_files(l);
    } else if (kind == LIVE_RESULTS) {
        send_results(l);
    } else {
        cord__live_fail(l, "there is no command %u", kind);
    }
}

static void dispatch(cord_session *l, uint32_t kind, live_reader *r)
{
    if (kind == LIVE_HELLO) {
        welcome(l, r);
    } else if (kind == LIVE_OPEN || kind == LIVE_CHECK) {
        do_open(l, r, kind == LIVE_CHECK);
    } else if (kind == LIVE_CANCEL && cord__live_ended(r)) {
        if (l->seeking) end_seek(l, "cancelled");
    } else if (kind == LIVE_SCHEMA && cord__live_ended(r)) {
        send_schema(l);
    } else if (kind == LIVE_LOG && cord__live_ended(r)) {
        send_log(l);
    } else if (!l->world) {
        cord__live_fail(l, "no scene is open");
    } else {
        act(l, kind, r);
    }
}

/* Commands that change the time end a SEEK that is under way. */
static bool ends_seek(uint32_t kind)
{
    return kind == LIVE_OPEN || kind == LIVE_PLAY || kind == LIVE_STEP || kind == LIVE_RESTART ||
           kind == LIVE_SEEK || kind == LIVE_BACK || kind == LIVE_SET || kind == LIVE_STEER;
}

cord_status cord_session_receive(cord_session *l, uint32_t page, const void *bytes, size_t size)
{
    if (!l || !bytes || page == 0) return CORD_ERROR_ARGUMENT;
    live_reader r = {bytes, (const uint8_t *)bytes + size, false};
    l->from = find_page(l, page);
    if (!l->from) return CORD_ERROR_UNSUPPORTED;
    uint32_t kind = cord__live_u32(&r);
    l->serial = cord__live_u32(&r);
    if (r.bad || size > LIVE_MAX_MESSAGE) {
        unreadable(l);
        return CORD_OK;
    }
    log_command(l, kind, page, bytes, size);
    atomic_store(&l->cancelled, false);
    if (l->seeking && ends_seek(kind)) end_seek(l, LIVE_SUPERSEDED);
    dispatch(l, kind, &r);
    l->from->command = l->serial;
    return CORD_OK;
}

/* ---- beginning and end ------------------------------------------------------------------------------------ */

cord_session_def cord_session_def_default(void)
{
    return (cord_session_def){.kept_bytes = 64 << 20};
}

cord_status cord_session_create(const cord_session_def *def, cord_session **session)
{
    if (!session) return CORD_ERROR_ARGUMENT;
    memory mem;
    cord__memory_init(&mem, NULL);
    cord_session *l = *session = NEW(&mem, cord_session, 1);
    if (!l) return CORD_ERROR_MEMORY;
    l->mem = mem;
    l->def = def ? *def : cord_session_def_default();
    l->out.mem = l->log.mem = &l->mem;
    l->change = 1;
    if (!l->def.path) return CORD_OK;
    live_edition *e = cord__live_edition_of_path(l, l->def.path, l->def.overrides);
    if (!e) return CORD_ERROR_MEMORY;
    return cord__live_open(l, e, &(live_opening){0}) ? CORD_OK : CORD_ERROR_INPUT;
}

void cord_session_destroy(cord_session *l)
{
    if (!l) return;
    cord__live_forget(l, 0);
    cord__live_close(l);
    cord__live_edition_free(l, l->edition);
    cord__release(&l->mem, l->kept);
    cord__release(&l->mem, l->moves);
    cord__release(&l->mem, l->out.at);
    cord__release(&l->mem, l->log.at);
    memory mem = l->mem;
    cord__release(&mem, l);
}

void cord_session_cancel(cord_session *l)
{
    if (l) atomic_store(&l->cancelled, true);
}

cord_status cord_session_hash(const cord_session *l, uint64_t *hash)
{
    return l && l->world ? cord_world_hash(l->world, hash) : CORD_ERROR_ARGUMENT;
}
