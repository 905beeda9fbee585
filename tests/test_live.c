/* Live sessions: commands against answers, replay bit for bit, and bytes of any kind. */
#include "live/message.h"
#include "support/test.h"

#include <cordage/live.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- messages ------------------------------------------------------------------------------------ */

static memory heap;
static uint32_t serial;

static live_text command(uint32_t kind)
{
    live_text t = {.mem = &heap};
    cord__live_put_u32(&t, kind);
    cord__live_put_u32(&t, ++serial);
    return t;
}

static void send_as(cord_session *l, uint32_t page, live_text *t)
{
    assert_false(t->failed);
    assert_int_equal(cord_session_receive(l, page, t->at, t->size), CORD_OK);
    cord__release(&heap, t->at);
}

typedef struct answer {
    uint32_t kind, serial, page;
    const uint8_t *bytes; /* after the header */
    size_t size;
} answer;

static bool next(cord_session *l, answer *a)
{
    size_t size;
    const uint8_t *bytes = cord_session_next(l, &size, &a->page);
    if (!bytes) return false;
    live_reader r = {bytes, bytes + size, false};
    a->kind = cord__live_u32(&r);
    a->serial = cord__live_u32(&r);
    a->bytes = r.at;
    a->size = size - 8;
    assert_false(r.bad);
    return true;
}

/* The last message of one kind, of all that wait; kind 0 where there is none. */
static answer last_of(cord_session *l, uint32_t kind, uint8_t *copy, size_t room)
{
    answer a, found = {0};
    while (next(l, &a)) {
        if (a.kind != kind) continue;
        found = a;
        assert_true(a.size <= room);
        memcpy(copy, a.bytes, a.size);
        found.bytes = copy;
    }
    return found;
}

static uint8_t buffer[1 << 20];

static void expect(cord_session *l, uint32_t kind, const char *text)
{
    answer a;
    while (next(l, &a)) {
        if (a.serial != serial) continue;
        if (a.kind != LIVE_DONE && a.kind != LIVE_FAILED) continue;
        if (a.kind == LIVE_FAILED && kind == LIVE_DONE) {
            live_reader r = {a.bytes, a.bytes + a.size, false};
            size_t size;
            cord__live_u32(&r), cord__live_bytes(&r, &size), cord__live_u32(&r), cord__live_u32(&r);
            const char *why = (const char *)cord__live_bytes(&r, &size);
            fail_msg("failed: %.*s", (int)size, why);
        }
        assert_int_equal(a.kind, kind);
        if (text) {
            char copy[4000];
            size_t n = a.size < sizeof copy - 1 ? a.size : sizeof copy - 1;
            for (size_t i = 0; i < n; i++) copy[i] = a.bytes[i] ? (char)a.bytes[i] : ' ';
            copy[n] = 0;
            if (!strstr(copy, text)) fail_msg("\"%s\" is not in \"%s\"", text, copy);
        }
        return;
    }
    fail_msg("there is no answer");
}

/* ---- commands -------------------------------------------------------------------------------------- */

static void open_text(cord_session *l, const char *text, uint32_t flags)
{
    live_text t = command(LIVE_OPEN);
    cord__live_put_u32(&t, flags);
    cord__live_put_u32(&t, 1);
    cord__live_put_text(&t, "scene.yaml");
    cord__live_put_text(&t, text);
    cord__live_put_u32(&t, 0);
    cord__live_put_bytes(&t, NULL, 0);
    cord__live_put_f64(&t, 0);
    send_as(l, 1, &t);
}

static void send_number(cord_session *l, uint32_t kind, double x)
{
    live_text t = command(kind);
    cord__live_put_f64(&t, x);
    send_as(l, 1, &t);
}

static void send_whole(cord_session *l, uint32_t kind, uint32_t x)
{
    live_text t = command(kind);
    cord__live_put_u32(&t, x);
    send_as(l, 1, &t);
}

static void put_vector(live_text *t, double x, double y, double z)
{
    cord__live_put_f64(t, x), cord__live_put_f64(t, y), cord__live_put_f64(t, z);
}

static void grab(cord_session *l, uint32_t hold, uint32_t what, double x, double y, double z)
{
    live_text t = command(LIVE_GRAB);
    cord__live_put_u32(&t, hold);
    cord__live_put_u32(&t, what);
    cord__live_put_u32(&t, 0);
    put_vector(&t, x, y, z);
    send_as(l, 1, &t);
}

static void drag(cord_session *l, uint32_t hold, double x, double y, double z)
{
    live_text t = command(LIVE_DRAG);
    cord__live_put_u32(&t, hold);
    put_vector(&t, x, y, z);
    send_as(l, 1, &t);
}

static void set(cord_session *l, const char *text, uint32_t flags)
{
    live_text t = command(LIVE_SET);
    cord__live_put_u32(&t, flags);
    cord__live_put_text(&t, text);
    send_as(l, 1, &t);
}

static void steps(cord_session *l, uint32_t count)
{
    send_whole(l, LIVE_STEP, count);
    expect(l, LIVE_DONE, NULL);
}

/* ---- frames ------------------------------------------------------------------------------------------ */

typedef struct frame {
    uint32_t revision, steps, command, flags, holds, attachments;
    double time, speed, dropped;
    float x[3000]; /* positions of the first strand, then everything up to the contacts */
    float hold[9], attachment[11];
} frame;

static frame get_frame(cord_session *l, size_t numbers)
{
    frame f = {0};
    cord_session_leave(l, 9); /* a page that comes gets a frame */
    live_text t = command(LIVE_WANT);
    cord__live_put_u32(&t, 0);
    cord__live_put_u32(&t, 0);
    send_as(l, 9, &t);
    assert_int_equal(cord_session_advance(l, 0, 0.01, NULL), CORD_OK);
    answer a = last_of(l, LIVE_FRAME, buffer, sizeof buffer);
    assert_int_equal(a.kind, LIVE_FRAME);
    assert_int_equal(a.serial, serial);
    live_reader r = {a.bytes, a.bytes + a.size, false};
    f.revision = cord__live_u32(&r);
    f.time = cord__live_f64(&r);
    cord__live_f64(&r);
    f.dropped = cord__live_f64(&r);
    f.speed = cord__live_f64(&r);
    f.steps = cord__live_u32(&r);
    f.command = cord__live_u32(&r);
    f.flags = cord__live_u32(&r);
    assert_int_equal(cord__live_u32(&r), 0);
    assert_true(numbers <= sizeof f.x / sizeof *f.x);
    assert_true((size_t)(r.end - r.at) >= 4 * numbers + 12);
    memcpy(f.x, r.at, 4 * numbers);
    r.at += 4 * numbers;
    assert_int_equal(cord__live_u32(&r), 0);
    f.holds = cord__live_u32(&r);
    for (uint32_t i = 0; i < f.holds; i++) {
        cord__live_u32(&r), cord__live_u32(&r);
        memcpy(f.hold, r.at, sizeof f.hold);
        r.at += sizeof f.hold;
    }
    f.attachments = cord__live_u32(&r);
    for (uint32_t i = 0; i < f.attachments; i++) {
        cord__live_u32(&r), cord__live_u32(&r);
        memcpy(f.attachment, r.at, sizeof f.attachment);
        r.at += sizeof f.attachment;
    }
    assert_true(cord__live_ended(&r));
    return f;
}

#define ROPE                                                                                       \
    "cordage: 1\nlet: {length: 1 m}\nlive: [{set: strands.rope.drag, label: Air, max: 2}]\n"       \
    "strands:\n  - {name: rope, material: rubber, section: {circle: {radius: 5 mm}}, drag: 0.1,\n" \
    "     shape: {line: {from: [0, 0, 1], to: [$length, 0, 1], vertices: 11}}}\n"                  \
    "clamps: [{name: wall, at: rope@start}]\nrun: {dt: 4 ms, until: 1 s}\n"

/* Positions, directors, a point, energies. */
enum { ROPE_NUMBERS = 33 + 30 + 9 + 7 };

static cord_session *open_rope(void)
{
    cord_session *l;
    assert_int_equal(cord_session_create(NULL, &l), CORD_OK);
    open_text(l, ROPE, 0);
    expect(l, LIVE_DONE, NULL);
    return l;
}

/* ---- tests ---------------------------------------------------------------------------------------------- */

static void greetings(void **state)
{
    (void)state;
    cord_session *l;
    assert_int_equal(cord_session_create(NULL, &l), CORD_OK);
    send_whole(l, LIVE_HELLO, LIVE_VERSION);
    answer a = last_of(l, LIVE_WELCOME, buffer, sizeof buffer);
    assert_int_equal(a.kind, LIVE_WELCOME);
    assert_non_null(strstr((const char *)buffer + 36, "Cordage"));
    send_whole(l, LIVE_HELLO, 77);
    expect(l, LIVE_FAILED, "version");
    send_number(l, LIVE_PLAY, 1);
    expect(l, LIVE_FAILED, "no scene is open");
    cord_session_destroy(l);
}

static void scene_and_frames(void **state)
{
    (void)state;
    cord_session *l;
    assert_int_equal(cord_session_create(NULL, &l), CORD_OK);
    open_text(l, ROPE, 0);
    answer a = last_of(l, LIVE_SCENE, buffer, sizeof buffer - 1);
    assert_int_equal(a.kind, LIVE_SCENE);
    buffer[a.size] = 0;
    const char *json = (const char *)buffer + 8;
    static const char *const parts[] = {
        "\"name\":\"rope\"", "\"label\":\"Air\"", "\"max\":2,",         "\"path\":\"let.length\"",
        "\"unit\":\"m\"",    "\"moves\":[true]",  "\"can_cut\":[true]", "\"wind\":[0,0,0]"};
    for (int i = 0; i < 8; i++)
        if (!strstr(json, parts[i])) fail_msg("%s is not in %s", parts[i], json);
    frame f = get_frame(l, ROPE_NUMBERS);
    assert_close(f.time, 0, 0);
    assert_close(f.x[30], 1, 1e-6);
    assert_close(f.x[32], 1, 1e-6);
    steps(l, 25);
    f = get_frame(l, ROPE_NUMBERS);
    assert_close(f.time, 0.1, 1e-12);
    assert_int_equal(f.steps, 25);
    assert_true(f.x[32] < 0.99);
    /* Nothing new: no frame, until something is, or other scalars are to be shown. */
    const struct {
        uint32_t scalars;
        bool new;
    } wanted[] = {{3, true}, {3, false}, {15, true}, {15, false}, {3, false}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        live_text t = command(LIVE_WANT);
        cord__live_put_u32(&t, wanted[i].scalars), cord__live_put_u32(&t, 0);
        send_as(l, 1, &t);
        cord_session_advance(l, 0.1, 0.1, NULL);
        assert_int_equal(last_of(l, LIVE_FRAME, buffer, sizeof buffer).kind,
                         wanted[i].new ? LIVE_FRAME : 0);
    }
    cord_session_advance(l, 0.1, 0.1, NULL);
    assert_int_equal(last_of(l, LIVE_FRAME, buffer, sizeof buffer).kind, 0);
    send_number(l, LIVE_PLAY, 1);
    cord_session_advance(l, 0.021, 1, NULL);
    assert_int_equal(last_of(l, LIVE_FRAME, buffer, sizeof buffer).kind, LIVE_FRAME);
    f = get_frame(l, ROPE_NUMBERS);
    assert_close(f.time, 0.12, 1e-12);
    assert_int_equal(f.flags, LIVE_IS_PLAYING);
    cord_session_destroy(l);
}

/* Time that cannot be kept up with is dropped and counted. */
static void time_is_dropped(void **state)
{
    (void)state;
    cord_session *l = open_rope();
    bool busy;
    send_number(l, LIVE_PLAY, 1);
    cord_session_advance(l, 1, 0, &busy);
    assert_true(busy);
    frame f = get_frame(l, ROPE_NUMBERS);
    assert_close(f.time + f.dropped, 1 - 0.004, 0.0041);
    assert_true(f.dropped > 0.9);
    cord_session_destroy(l);
}

static void a_hand_pulls(void **state)
{
    (void)state;
    cord_session *l = open_rope();
    steps(l, 250);
    frame f = get_frame(l, ROPE_NUMBERS);
    grab(l, 0, LIVE_STRAND, f.x[30], f.x[31], f.x[32]);
    expect(l, LIVE_DONE, NULL);
    drag(l, 0, 0.5, 0.3, 0.8);
    steps(l, 250);
    f = get_frame(l, ROPE_NUMBERS);
    assert_int_equal(f.holds, 1);
    assert_close(f.x[30], 0.5, 0.05);
    assert_close(f.x[31], 0.3, 0.05);
    assert_close(f.x[32], 0.8, 0.05);
    /* Far beyond its length: the rope is taut, steps succeed, and the force is bounded. */
    drag(l, 0, 5, 0, 1);
    steps(l, 250);
    f = get_frame(l, ROPE_NUMBERS);
    double far = sqrt(f.x[30] * f.x[30] + f.x[31] * f.x[31] + (f.x[32] - 1) * (f.x[32] - 1));
    assert_close(far, 1, 0.01);
    double force = sqrt(f.hold[6] * f.hold[6] + f.hold[7] * f.hold[7] + f.hold[8] * f.hold[8]);
    double weight = 9.81 * 1 * 3.1415926 * 25e-6 * 1100;
    assert_true(force > weight && force < 15 * weight);
    send_whole(l, LIVE_LET_GO, 0);
    expect(l, LIVE_DONE, NULL);
    steps(l, 10);
    assert_int_equal(get_frame(l, ROPE_NUMBERS).holds, 0);
    grab(l, 0, LIVE_BODY, 0, 0, 0);
    expect(l, LIVE_FAILED, "no such object");
    /* The holds of a page end with it. */
    grab(l, 3, LIVE_STRAND, 1, 0, 1);
    expect(l, LIVE_DONE, NULL);
    assert_int_equal(cord_session_leave(l, 1), CORD_OK);
    assert_int_equal(get_frame(l, ROPE_NUMBERS).holds, 0);
    cord_session_destroy(l);
}

static uint32_t attach(cord_session *l, uint32_t kind, double x, double z, double mass)
{
    live_text t = command(kind);
    cord__live_put_u32(&t, LIVE_STRAND);
    cord__live_put_u32(&t, 0);
    put_vector(&t, x, 0, z);
    if (kind == LIVE_WEIGHT) cord__live_put_f64(&t, mass);
    send_as(l, 1, &t);
    answer a = last_of(l, LIVE_ATTACHED, buffer, sizeof buffer);
    assert_int_equal(a.kind, LIVE_ATTACHED);
    live_reader r = {a.bytes, a.bytes + a.size, false};
    return cord__live_u32(&r);
}

static void pins_weights_and_cuts(void **state)
{
    (void)state;
    cord_session *l = open_rope();
    steps(l, 60);
    frame f = get_frame(l, ROPE_NUMBERS);
    const double end[2] = {f.x[30], f.x[32]};
    uint32_t pin = attach(l, LIVE_PIN, end[0], end[1], 0);
    uint32_t weight = attach(l, LIVE_WEIGHT, f.x[15], f.x[17], 0.5);
    steps(l, 500);
    f = get_frame(l, ROPE_NUMBERS);
    assert_int_equal(f.attachments, 2);
    assert_close(f.x[30], end[0], 1e-5);
    assert_close(f.x[32], end[1], 1e-5);
    /* The weight hangs below the middle, by its top. */
    assert_close(hypot(f.attachment[3] - f.attachment[0], f.attachment[5] - f.attachment[2]),
                 f.attachment[6], 1e-5);
    assert_true(f.attachment[5] < f.attachment[2]); /* it still swings */
    assert_close(f.attachment[7], 0.5, 1e-6);
    /* The pin is moved: the end follows it. */
    live_text t = command(LIVE_MOVE);
    cord__live_put_u32(&t, LIVE_ATTACHMENT), cord__live_put_u32(&t, pin);
    put_vector(&t, 0.8, 0, 1.1), put_vector(&t, 0, 0, 0);
    send_as(l, 1, &t);
    steps(l, 250);
    f = get_frame(l, ROPE_NUMBERS);
    assert_close(f.x[30], 0.8, 1e-4);
    assert_close(f.x[32], 1.1, 1e-4);
    /* An edit keeps both. */
    set(l, "strands.rope.drag=0.2", LIVE_CARRY);
    expect(l, LIVE_DONE, NULL);
    frame after = get_frame(l, ROPE_NUMBERS);
    assert_int_equal(after.attachments, 2);
    assert_true(after.revision > f.revision);
    for (int i = 0; i < 33; i++) assert_close(after.x[i], f.x[i], 1e-5);
    steps(l, 20);
    send_whole(l, LIVE_DETACH, pin);
    expect(l, LIVE_DONE, NULL);
    send_whole(l, LIVE_DETACH, pin);
    expect(l, LIVE_FAILED, "no pin or weight");
    send_whole(l, LIVE_DETACH, weight);
    expect(l, LIVE_DONE, NULL);
    steps(l, 50);
    f = get_frame(l, ROPE_NUMBERS);
    assert_int_equal(f.attachments, 0);
    assert_true(f.x[32] < 1);
    /* Cut: two strands. */
    t = command(LIVE_CUT);
    cord__live_put_u32(&t, 0);
    put_vector(&t, f.x[15], f.x[16], f.x[17]);
    send_as(l, 1, &t);
    answer a = last_of(l, LIVE_SCENE, buffer, sizeof buffer - 1);
    assert_int_equal(a.kind, LIVE_SCENE);
    buffer[a.size] = 0;
    assert_non_null(strstr((const char *)buffer + 8, "\"rope.2\""));
    steps(l, 100);
    /* And again after an edit, which keeps the cut. */
    set(l, "strands.rope.drag=0.3", LIVE_CARRY);
    a = last_of(l, LIVE_SCENE, buffer, sizeof buffer - 1);
    buffer[a.size] = 0;
    assert_non_null(strstr((const char *)buffer + 8, "\"rope.2\""));
    steps(l, 10);
    cord_session_destroy(l);
}

/* Undone: first what came after the cut, which stays, then the cut, and frames have the rows of one strand again. */
static void cuts_are_undone(void **state)
{
    (void)state;
    enum { TWO_ROPES = ROPE_NUMBERS + 33 + 30, SECOND = 33 + 30 };
    cord_session *l = open_rope();
    steps(l, 60);
    frame f = get_frame(l, ROPE_NUMBERS);
    const double cut = f.time;
    live_text t = command(LIVE_CUT);
    cord__live_put_u32(&t, 0);
    put_vector(&t, f.x[15], f.x[16], f.x[17]);
    send_as(l, 1, &t);
    expect(l, LIVE_DONE, NULL);
    steps(l, 20);
    f = get_frame(l, TWO_ROPES);
    const double pinned = f.time;
    attach(l, LIVE_PIN, f.x[3], f.x[5], 0);
    steps(l, 10);
    send_number(l, LIVE_BACK, pinned);
    expect(l, LIVE_DONE, NULL);
    frame back = get_frame(l, TWO_ROPES);
    assert_int_equal(back.attachments, 0);
    assert_close(back.time, pinned, 1e-12);
    for (int i = 0; i < 33; i++) {
        assert_close(back.x[i], f.x[i], 1e-7);
        assert_close(back.x[SECOND + i], f.x[SECOND + i], 1e-7);
    }
    assert_true(hypot(back.x[SECOND] - back.x[SECOND + 30],
                      back.x[SECOND + 2] - back.x[SECOND + 32]) > 0.1);
    send_number(l, LIVE_BACK, cut);
    expect(l, LIVE_DONE, NULL);
    back = get_frame(l, ROPE_NUMBERS);
    assert_close(back.time, cut, 1e-12);
    steps(l, 20);
    cord_session_destroy(l);
}

static void handles_turn_and_stop(void **state)
{
    (void)state;
    cord_session *l = open_rope();
    live_text t = command(LIVE_MOVE);
    cord__live_put_u32(&t, LIVE_ANCHOR), cord__live_put_u32(&t, 0);
    put_vector(&t, 0.2, 0.1, 1.5), put_vector(&t, 20, 0, 0);
    send_as(l, 1, &t);
    steps(l, 400);
    frame f = get_frame(l, ROPE_NUMBERS);
    assert_close(f.x[0], 0.2, 1e-4);
    assert_close(f.x[1], 0.1, 1e-4);
    assert_close(f.x[2], 1.5, 1e-4);
    /* Both ends are held exactly: the clamp cannot leave, and goes back. */
    attach(l, LIVE_PIN, f.x[30], f.x[32], 0);
    t = command(LIVE_MOVE);
    cord__live_put_u32(&t, LIVE_ANCHOR), cord__live_put_u32(&t, 0);
    put_vector(&t, 9, 0, 9), put_vector(&t, 0, 0, 0);
    send_as(l, 1, &t);
    send_whole(l, LIVE_STEP, 200);
    bool warned = false, stopped = false;
    answer a;
    while (next(l, &a)) {
        warned = warned || a.kind == LIVE_WARNED;
        stopped = stopped || a.kind == LIVE_STOPPED;
    }
    assert_true(warned);
    assert_false(stopped);
    t = command(LIVE_MOVE);
    cord__live_put_u32(&t, LIVE_ANCHOR), cord__live_put_u32(&t, 5);
    put_vector(&t, 9, 0, 9), put_vector(&t, 0, 0, 0);
    send_as(l, 1, &t);
    expect(l, LIVE_FAILED, "no such anchor");
    cord_session_destroy(l);
}

static void edits(void **state)
{
    (void)state;
    cord_session *l = open_rope();
    steps(l, 50);
    frame before = get_frame(l, ROPE_NUMBERS);
    /* A mistake: its place, and the old scene goes on. */
    open_text(l, "cordage: 1\nstrands:\n  - {name: rope, modell: der}\n", LIVE_CARRY);
    answer a = last_of(l, LIVE_FAILED, buffer, sizeof buffer);
    live_reader r = {a.bytes, a.bytes + a.size, false};
    size_t size;
    assert_true(cord__live_u32(&r) >= 1);
    const uint8_t *file = cord__live_bytes(&r, &size);
    assert_memory_equal(file, "scene.yaml", 10);
    assert_int_equal(cord__live_u32(&r), 3);
    assert_true(cord__live_u32(&r) > 1);
    frame after = get_frame(l, ROPE_NUMBERS);
    assert_memory_equal(after.x, before.x, sizeof after.x);
    steps(l, 1);
    /* A control. */
    live_text t = command(LIVE_STEER);
    cord__live_put_u32(&t, 1), cord__live_put_f64(&t, 1.1);
    send_as(l, 1, &t);
    expect(l, LIVE_DONE, NULL);
    steps(l, 50);
    after = get_frame(l, ROPE_NUMBERS);
    double length = 0;
    for (int i = 0; i < 10; i++) {
        double d = 0;
        for (int k = 0; k < 3; k++) d += pow(after.x[3 * i + 3 + k] - after.x[3 * i + k], 2);
        length += sqrt(d);
    }
    assert_close(length, 1.1, 1e-4);
    assert_close(after.time, before.time + 51 * 0.004, 1e-9);
    /* Gravity that the page has set stays. */
    t = command(LIVE_GRAVITY);
    put_vector(&t, 0, 0, 9.81);
    send_as(l, 1, &t);
    expect(l, LIVE_DONE, NULL);
    set(l, "let.length=", LIVE_CARRY);
    expect(l, LIVE_DONE, NULL);
    steps(l, 400);
    after = get_frame(l, ROPE_NUMBERS);
    assert_true(after.x[32] > 1.3);
    set(l, "let.width=3", LIVE_CARRY);
    expect(l, LIVE_FAILED, "no variable");
    set(l, "nonsense", LIVE_CARRY);
    expect(l, LIVE_FAILED, "path.to.key=value");
    /* The scene from its start. */
    send_whole(l, LIVE_RESTART, 0);
    expect(l, LIVE_DONE, NULL);
    after = get_frame(l, ROPE_NUMBERS);
    assert_close(after.time, 0, 0);
    steps(l, 100);
    assert_true(get_frame(l, ROPE_NUMBERS).x[32] < 1);
    cord_session_destroy(l);
}

static void back_in_time(void **state)
{
    (void)state;
    cord_session *l = open_rope();
    steps(l, 125);
    frame half = get_frame(l, ROPE_NUMBERS);
    steps(l, 100);
    attach(l, LIVE_PIN, 0.3, 0.5, 0);
    grab(l, 1, LIVE_STRAND, 0, 0, 0);
    steps(l, 100);
    send_whole(l, LIVE_KEEP, LIVE_SEND);
    expect(l, LIVE_DONE, NULL);
    /* The states after it are forgotten, and the pin was not there. */
    send_number(l, LIVE_BACK, 0.5);
    cord_session_advance(l, 0, 1, NULL);
    expect(l, LIVE_DONE, NULL);
    frame f = get_frame(l, ROPE_NUMBERS);
    assert_close(f.time, 0.5, 1e-9);
    assert_int_equal(f.attachments, 0);
    assert_int_equal(f.holds, 0);
    for (int i = 0; i < 33; i++) assert_close(f.x[i], half.x[i], 1e-5);
    /* Forward again, as fast as it can. */
    send_number(l, LIVE_SEEK, 1);
    bool busy = true;
    while (busy) cord_session_advance(l, 0, 0.001, &busy);
    expect(l, LIVE_DONE, NULL);
    assert_close(get_frame(l, ROPE_NUMBERS).time, 1, 1e-9);
    send_number(l, LIVE_SEEK, 1000);
    cord_session_advance(l, 0, 0.001, &busy);
    live_text t = command(LIVE_CANCEL);
    uint32_t seek = serial - 1;
    send_as(l, 1, &t);
    answer a = last_of(l, LIVE_FAILED, buffer, sizeof buffer);
    assert_int_equal(a.serial, seek);
    cord_session_destroy(l);
}

/* A state of one session opens in another one. */
static void states_travel(void **state)
{
    (void)state;
    cord_session *l = open_rope(), *other;
    steps(l, 60);
    uint64_t hash, copied;
    assert_int_equal(cord_session_hash(l, &hash), CORD_OK);
    send_whole(l, LIVE_KEEP, LIVE_SEND);
    answer a = last_of(l, LIVE_KEPT, buffer, sizeof buffer);
    live_reader r = {a.bytes, a.bytes + a.size, false};
    assert_close(cord__live_f64(&r), 0.24, 1e-12);
    size_t size;
    const uint8_t *bytes = cord__live_bytes(&r, &size);
    assert_true(size > 100);
    assert_int_equal(cord_session_create(NULL, &other), CORD_OK);
    for (int damaged = 0; damaged < 2; damaged++) {
        live_text t = command(LIVE_OPEN);
        cord__live_put_u32(&t, 0), cord__live_put_u32(&t, 1);
        cord__live_put_text(&t, "scene.yaml"), cord__live_put_text(&t, ROPE);
        cord__live_put_u32(&t, 0);
        cord__live_put_bytes(&t, bytes, size - (size_t)damaged);
        cord__live_put_f64(&t, 0);
        send_as(other, 1, &t);
        bool warned = false;
        while (next(other, &a)) warned = warned || a.kind == LIVE_WARNED;
        assert_int_equal(warned, damaged);
        assert_int_equal(cord_session_hash(other, &copied), CORD_OK);
        assert_int_equal(copied == hash, !damaged);
    }
    cord_session_destroy(l);
    cord_session_destroy(other);
}

/* Everything that was done, from the log, bit for bit. */
static void replay(void **state)
{
    (void)state;
    cord_session *l = open_rope(), *again;
    send_number(l, LIVE_PLAY, 1);
    cord_session_advance(l, 0.1, 1, NULL);
    grab(l, 0, LIVE_STRAND, 1, 0, 0.9);
    for (int i = 0; i < 10; i++) {
        drag(l, 0, 0.9 - 0.03 * i, 0.05 * i, 1);
        cord_session_advance(l, 0.016 + 0.001 * i, 1, NULL);
    }
    attach(l, LIVE_WEIGHT, 0.5, 0.9, 0.1);
    cord_session_advance(l, 0.1, 1, NULL);
    send_whole(l, LIVE_LET_GO, 0);
    set(l, "let.length=1.05 m", LIVE_CARRY);
    cord_session_advance(l, 0.1, 1, NULL);
    send_number(l, LIVE_BACK, 0.2);
    for (bool busy = true; busy;) cord_session_advance(l, 0, 1, &busy);
    send_number(l, LIVE_PLAY, 2);
    cord_session_advance(l, 0.1, 1, NULL);
    uint64_t hash, copied;
    assert_int_equal(cord_session_hash(l, &hash), CORD_OK);
    live_text t = command(LIVE_LOG);
    send_as(l, 1, &t);
    answer a = last_of(l, LIVE_LOG_IS, buffer, sizeof buffer);
    live_reader r = {a.bytes, a.bytes + a.size, false};
    size_t size;
    const uint8_t *log = cord__live_bytes(&r, &size);
    assert_int_equal(cord_session_create(NULL, &again), CORD_OK);
    assert_int_equal(cord_session_replay(again, log, size), CORD_OK);
    assert_int_equal(cord_session_hash(again, &copied), CORD_OK);
    assert_true(copied == hash);
    assert_int_equal(cord_session_replay(again, log, size - 3), CORD_ERROR_ARGUMENT);
    cord_session_destroy(l);
    cord_session_destroy(again);
}

static void several_pages(void **state)
{
    (void)state;
    cord_session *l = open_rope();
    live_text t = command(LIVE_HELLO);
    cord__live_put_u32(&t, LIVE_VERSION);
    send_as(l, 2, &t);
    answer a;
    bool scene = false;
    while (next(l, &a)) {
        assert_int_equal(a.page, 2);
        scene = scene || a.kind == LIVE_SCENE;
    }
    assert_true(scene);
    for (uint32_t page = 1; page <= 2; page++) {
        t = command(LIVE_WANT);
        cord__live_put_u32(&t, page == 2 ? 15 : 0), cord__live_put_u32(&t, 0);
        send_as(l, page, &t);
    }
    cord_session_advance(l, 0, 1, NULL);
    size_t sizes[3] = {0};
    while (next(l, &a)) sizes[a.page] = a.size;
    assert_true(sizes[1] > 0 && sizes[2] > sizes[1]);
    cord_session_destroy(l);
}

/* Files come from a function where no page has sent them. */
static bool give(void *user, const char *path, const void **bytes, size_t *size)
{
    (void)user;
    bool csv = strcmp(path, "line.csv") == 0;
    *bytes =
        csv ? "0,0,1\n0.5,0,1\n1,0,1\n"
            : "cordage: 1\nstrands: [{name: rope, material: rubber, section: {circle: {radius: "
              "5 mm}}, shape: {csv: {file: line.csv}}}]\n";
    *size = strlen(*bytes);
    return csv || strcmp(path, "rope.yaml") == 0;
}

static void its_own_scene(void **state)
{
    (void)state;
    cord_session_def def = cord_session_def_default();
    cord_session *l;
    def.files.read = give;
    def.path = "rope.yaml";
    assert_int_equal(cord_session_create(&def, &l), CORD_OK);
    live_text t = command(LIVE_FILES);
    send_as(l, 1, &t);
    answer a = last_of(l, LIVE_FILES_ARE, buffer, sizeof buffer);
    live_reader r = {a.bytes, a.bytes + a.size, false};
    assert_int_equal(cord__live_u32(&r), 2);
    cord_session_destroy(l);
    def.path = "none.yaml";
    assert_int_equal(cord_session_create(&def, &l), CORD_ERROR_INPUT);
    cord_session_destroy(l);
}

/* Random and damaged messages are answered, and never do more than that. */
static void any_bytes(void **state)
{
    (void)state;
    cord_session *l = open_rope();
    uint64_t x = 88172645463325252u;
    for (int i = 0; i < 4000; i++) {
        uint8_t bytes[80];
        size_t size = 0;
        for (; size < sizeof bytes; size++) {
            x ^= x << 13, x ^= x >> 7, x ^= x << 17;
            bytes[size] = x % 3 ? 0 : (uint8_t)(x >> 8);
        }
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        bytes[0] = (uint8_t)(x % 32), bytes[1] = bytes[2] = bytes[3] = 0;
        if (bytes[0] == LIVE_STEP || bytes[0] == LIVE_SEEK) bytes[8] = 1, memset(bytes + 9, 0, 71);
        assert_int_equal(cord_session_receive(l, 1 + x % 2, bytes, x / 32 % sizeof bytes), CORD_OK);
        if (i % 50 == 0) cord_session_advance(l, 0.004, 0.001, NULL);
        answer a;
        while (next(l, &a)) assert_true(a.kind >= LIVE_WELCOME && a.kind <= LIVE_RESULTS_ARE);
    }
    send_whole(l, LIVE_RESTART, 0);
    expect(l, LIVE_DONE, NULL);
    steps(l, 5);
    cord_session_destroy(l);
}

/* Asked so often, it ends the step. */
static bool count_down(void *user)
{
    int *left = user;
    return --*left < 0;
}

/* A step that is interrupted has no effect and is no failure; the next one acts. */
static void steps_are_interrupted(void **state)
{
    (void)state;
    int left = 1 << 30;
    cord_session_def def = cord_session_def_default();
    def.interrupted = (cord_cancel){count_down, &left};
    cord_session *l, *other = open_rope();
    assert_int_equal(cord_session_create(&def, &l), CORD_OK);
    open_text(l, ROPE, 0);
    expect(l, LIVE_DONE, NULL);
    steps(l, 3);
    steps(other, 3);
    assert_true(left < 1 << 30);
    left = 1;
    send_whole(l, LIVE_STEP, 5);
    expect(l, LIVE_FAILED, "cancelled");
    left = 1;
    send_number(l, LIVE_PLAY, 1);
    assert_int_equal(cord_session_advance(l, 0.1, 1, NULL), CORD_OK);
    answer a;
    while (next(l, &a)) assert_int_not_equal(a.kind, LIVE_STOPPED);
    left = 0;
    open_text(l, ROPE, 0); /* the world stays as it is */
    expect(l, LIVE_FAILED, LIVE_SUPERSEDED);
    left = 1 << 30;
    send_number(l, LIVE_PLAY, 0);
    steps(l, 2);
    steps(other, 2);
    uint64_t hash, expected;
    assert_int_equal(cord_session_hash(l, &hash), CORD_OK);
    assert_int_equal(cord_session_hash(other, &expected), CORD_OK);
    assert_true(hash == expected);
    cord_session_destroy(l);
    cord_session_destroy(other);
}

static void wrong_arguments(void **state)
{
    (void)state;
    cord_session *l = open_rope();
    size_t size;
    uint64_t hash;
    assert_int_equal(cord_session_create(NULL, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_session_receive(NULL, 1, "", 0), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_session_receive(l, 0, "", 0), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_session_receive(l, 1, NULL, 0), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_session_advance(l, NAN, 1, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_session_advance(l, -1, 1, NULL), CORD_ERROR_ARGUMENT);
    assert_null(cord_session_next(NULL, &size, NULL));
    assert_int_equal(cord_session_hash(NULL, &hash), CORD_ERROR_ARGUMENT);
    cord_session_destroy(NULL);
    cord_session_cancel(NULL);
    cord_session_destroy(l);
}

int main(void)
{
    cord__memory_init(&heap, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(greetings),
        cmocka_unit_test(scene_and_frames),
        cmocka_unit_test(time_is_dropped),
        cmocka_unit_test(a_hand_pulls),
        cmocka_unit_test(pins_weights_and_cuts),
        cmocka_unit_test(cuts_are_undone),
        cmocka_unit_test(handles_turn_and_stop),
        cmocka_unit_test(edits),
        cmocka_unit_test(back_in_time),
        cmocka_unit_test(states_travel),
        cmocka_unit_test(replay),
        cmocka_unit_test(several_pages),
        cmocka_unit_test(its_own_scene),
        cmocka_unit_test(any_bytes),
        cmocka_unit_test(steps_are_interrupted),
        cmocka_unit_test(wrong_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
