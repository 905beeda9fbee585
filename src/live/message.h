/* The messages of a live session (session.h), version 1. A page sends commands and gets answers; a Worker or a WebSocket
 * carries them, each as one message (one postMessage() of a Uint8Array, one binary message of a WebSocket).
 *
 * Encoding   Little-endian. A message begins with u32 kind, u32 serial. The serial of a command is the sender's, of an
 *            answer that of the command it answers, 0 where it answers none. A `text` is u32 length in bytes, UTF-8
 *            without a terminating zero, and zero bytes up to a multiple of 4; `bytes` are encoded alike. So every value
 *            lies at a multiple of 4, f64 too, which a DataView reads. A `list of X` is u32 count, then the items.
 *            A vector is f64[3], m in world axes unless it says otherwise.
 * Objects    Strands, bodies ("solids": all of SCENE's `bodies`), anchors and constraints are named by their index in the
 *            arrays of the last SCENE. A command with an index out of range is answered by FAILED.
 * Answers    Every command but HELLO, WANT, DRAG, MOVE and CANCEL is answered by exactly one of DONE and FAILED, with its
 *            serial, after any SCENE, FILES, SCHEMA, TEXT or LOG that it causes. DRAG and MOVE answer only failures.
 *            A message that cannot be read (too short, a length beyond its end, a number that is not finite, an
 *            unknown kind, bytes left over) is answered by FAILED and has no other effect.
 * Time       Commands act between steps. Steps have the scene's dt. Time that cannot be kept up with is dropped, not made
 *            up for: FRAME says how much.
 * Pages      Several pages may share a session. SCENE, WARNED and STOPPED go to all of them, frames to those that
 *            have sent WANT, other answers to the sender. Holds are those of the page that took them, and end with it;
 *            all else is shared.
 *
 * Changes to this file after version 1 was first used are listed here.
 *   LIVE_IMAGE was added: pages without images may ignore it. RESULTS and RESULTS_ARE were added. SERIES was added: pages
 *   may ignore it. `image_files` was added. */
#ifndef CORDAGE_LIVE_MESSAGE_H
#define CORDAGE_LIVE_MESSAGE_H

#include "math/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LIVE_VERSION = 1 };

/* Limits, which WELCOME repeats. */
enum {
    LIVE_MAX_MESSAGE = 64 << 20, /* bytes of a command */
    LIVE_MAX_FILES = 256,        /* of OPEN and CHECK */
    LIVE_MAX_OVERRIDES = 256,
    LIVE_MAX_HOLDS = 16,       /* of all pages */
    LIVE_MAX_ATTACHMENTS = 64, /* pins and weights */
    LIVE_MAX_STEPS = 1000,     /* of one STEP */
};

/* The message of FAILED where a later command has ended this one: pages do not show it. */
#define LIVE_SUPERSEDED "another command has ended it"

/* ---- to the session ---------------------------------------------------------------------------- */

typedef enum live_command {
    /* u32 version, LIVE_VERSION. The first message of a page. Answer: WELCOME; then, where a scene is open already,
     * SCENE. FAILED where the version is another one. */
    LIVE_HELLO = 1,

    /* u32 flags, list of files, list of overrides, bytes state, f64 until.
     *   A file is text name, bytes contents; the first one is the scene. Names are relative paths with "/", as scenes
     *   write them; a scene reads these files only. An override is a text "path.to.key=value" (cordage/scene.h).
     *   state: empty, or a checkpoint of the same scene and overrides, from a page (see below) or from KEPT; the scene
     *   then goes on from there. It is refused (WARNED, and the scene begins at its start) when it does not fit.
     *   until: if > 0 the session runs to this time as fast as it can, as SEEK does.
     *   LIVE_CARRY: motion is carried over by name from the scene that was open: configuration and velocity of all
     *   objects whose model and counts are as before; all others are as drawn. Time goes on. Pins, weights, gravity,
     *   wind and switches that the page has set stay where their objects still exist; holds end.
     * Answer: SCENE and DONE; or FAILED with all errors of the scene, and the scene that was open goes on. */
    LIVE_OPEN = 2,
    /* As OPEN: flags, files, overrides, state, until (the last two are ignored). Reads and builds the scene and forgets
     * it: DONE, with WARNED before it where there are warnings; or FAILED with its errors. For the editor. */
    LIVE_CHECK = 3,
    LIVE_PLAY = 4, /* f64 speed: simulated seconds per second, 0: pause; up to 1000 */
    LIVE_STEP = 5, /* u32 count, 1 to LIVE_MAX_STEPS: steps now, and pauses */
    /* u32 flags. The scene from its start, with the overrides in force. LIVE_CARRY (keep): pins, weights, gravity, wind
     * and switches stay; without it they are as the scene says. */
    LIVE_RESTART = 6,
    /* f64 time. Runs to this time as fast as it can, then goes on as before (playing or paused). Earlier than now: as
     * BACK. DONE is sent when it has arrived, FAILED when it was cancelled. FRAMEs on the way have LIVE_SEEKING. */
    LIVE_SEEK = 7,
    LIVE_CANCEL = 8, /* ends SEEK, and a search for an equilibrium or a step that is under way */
    /* u32 scalars: bit k: the k-th of SCENE's `scalars`; u32 flags: 0. One FRAME, as soon as there is something new since
     * the last one that this page got. At most one request is pending: a second one replaces it. */
    LIVE_WANT = 9,

    /* u32 hold, u32 what (live_target), u32 index, vector position. Takes hold of the strand or body at its point
     * nearest to the position (of a body: at the position). `hold` is a number below LIVE_MAX_HOLDS of the page's choice,
     * one per finger; one that it has already is released first. Obstacles and other solids that do not move: FAILED. */
    LIVE_GRAB = 10,
    LIVE_DRAG = 11,   /* u32 hold, vector position: where the pointer is */
    LIVE_LET_GO = 12, /* u32 hold */

    /* u32 what, u32 index, vector position. Fixes the point of the strand or body nearest to the position where it is
     * now (of a body: no translation of that point). Answer: ATTACHED with its number, then DONE. */
    LIVE_PIN = 13,
    /* u32 what, u32 index, vector position, f64 mass (kg, > 0). Hangs a sphere from that point. ATTACHED, DONE. */
    LIVE_WEIGHT = 14,
    LIVE_DETACH = 15, /* u32 number: of ATTACHED. Removes the pin or the weight */
    /* u32 strand, vector position. Cuts it at the vertex or node nearest to the position. SCENE, then DONE. */
    LIVE_CUT = 16,
    /* u32 what (live_handle), u32 number, vector position, f64 rotation[3]. Moves an anchor with `moves`, or a pin, to the
     * position, and rotates an anchor with `turns` by the rotation vector (rad, world axes, whole turns included)
     * relative to its pose when the scene was opened. The handle follows within about a tenth of a second; where
     * the mechanism does not admit it, it stops (WARNED). */
    LIVE_MOVE = 17,
    LIVE_GRAVITY =
        18, /* f64[3], m/s²: its constant part. Zero where the scene has keys: they are added */
    LIVE_WIND = 19, /* f64[3], m/s: the uniform wind; gusts and vortices stay those of the scene */
    LIVE_SWITCH = 20, /* u32 constraint, u32 attached (0 or 1) */
    /* u32 control, f64 value: of SCENE.live.controls, in its unit. As SET of its path with LIVE_CARRY. */
    LIVE_STEER = 21,
    /* u32 flags, text "path.to.key=value". Adds an override, or replaces that of the same path; "path.to.key=" alone
     * removes it. Reads and builds the scene again, as OPEN with the same files and flags. */
    LIVE_SET = 22,

    /* A state that one can go back to. The session keeps some by itself: about four per second of simulated time and one before
     * every change by a command, in bounded memory; the oldest ones are thinned out. */
    LIVE_KEEP = 23, /* u32 flags: LIVE_SEND: KEPT has the bytes. Answer: KEPT, then DONE */
    /* f64 time. To the last state that was kept at or before this time, with the pins, weights, gravity, wind, switches
     * and overrides of then; from there in steps to the time. Kept states after it are forgotten. SCENE where objects
     * change; DONE. The session pauses. Holds end. */
    LIVE_BACK = 24,

    LIVE_FILES = 25,  /* Answer: FILES_ARE */
    LIVE_SCHEMA = 26, /* Answer: SCHEMA_IS: the JSON Schema of scenes */
    /* Answer: LOG_IS: all commands since the first OPEN. A session that gets it (live_session_replay()) arrives at the
     * same bits. */
    LIVE_LOG = 27,
    /* u32 chunk. Of a recording only (WELCOME). Answer: CHUNK, then DONE. */
    LIVE_WANT_CHUNK = 28,
    /* Compares the scene's expected results with those so far, as at the end of a run. Answer: RESULTS_ARE, then DONE. */
    LIVE_RESULTS = 29,
} live_command;

enum { LIVE_CARRY = 1, LIVE_SEND = 1 };

typedef enum live_target { LIVE_STRAND, LIVE_BODY } live_target;
typedef enum live_handle {
    LIVE_ANCHOR,
    LIVE_ATTACHMENT
} live_handle; /* index of SCENE's anchors; number of ATTACHED */

/* ---- from it ----------------------------------------------------------------------------------- */

typedef enum live_answer {
    /* u32 version, u32 role (live_role), u32 limits[6] in the order above, text engine ("Cordage 0.4.0, wasm32") */
    LIVE_WELCOME = 129,
    /* u32 revision, text JSON: the description of recorded pages (record/html_scene.c), with `live` (below). Later FRAMEs
     * of this revision have its rows. Sent after OPEN, SET, STEER, RESTART and CUT, after a strand has broken, and by BACK. */
    LIVE_SCENE = 130,
    /* See below. */
    LIVE_FRAME = 131,
    LIVE_DONE = 132, /* nothing more */
    /* list of diagnostics: text file ("" where it has none), u32 line, u32 column (from 1; 0: none), text message */
    LIVE_FAILED = 133,
    LIVE_WARNED = 134, /* the same */
    /* list of diagnostics. A step has failed; the session pauses in its last accepted state. The next PLAY or STEP tries
     * again. */
    LIVE_STOPPED = 135,
    LIVE_ATTACHED = 136,  /* u32 number, f64 s (m along the strand; 0 of a body), vector position */
    LIVE_KEPT = 137,      /* f64 time, bytes state (empty without LIVE_SEND) */
    LIVE_FILES_ARE = 138, /* list of files, list of overrides, as OPEN has them */
    LIVE_SCHEMA_IS = 139, /* text JSON */
    LIVE_LOG_IS = 140,    /* bytes */
    /* Of a recording, after WELCOME and SCENE: u32 frames, list of chunks: u32 first frame, u32 frames, f64 first time,
     * f64 last time */
    LIVE_CHUNKS = 141,
    /* u32 file, u32 columns, u32 rows, bytes rgba (4 × columns × rows, row by row from the top). Before SCENE: the
     * pixels of the images of this `file`. Not sent by the engine in a page, which has the files, and decodes them. */
    LIVE_IMAGE = 143,
    /* list of results: text probe, text component, u32 passed (0 or 1), f64 measured (NaN: it was not observed) */
    LIVE_RESULTS_ARE = 144,
    /* Of a recording, after CHUNKS: u32 stride, u32 count, u32 series, then for each of `series` f32[count]: its values in
     * the frames 0, stride, 2 stride, … : an overview, by which plots show the whole before its chunks are loaded. */
    LIVE_SERIES = 145,
    LIVE_CHUNK =
        142, /* u32 chunk, bytes: a chunk of a page (record/html.c), deflated, not in base64 */
} live_answer;

typedef enum live_role {
    LIVE_ENGINE,  /* waits for OPEN */
    LIVE_RUNNING, /* has opened its scene by itself: SCENE follows, FILES gives its files */
    LIVE_RECORDING, /* plays a recording: SCENE and CHUNKS follow; accepts HELLO, WANT_CHUNK and FILES only */
} live_role;

/* FRAME
 *   u32 revision        of the SCENE whose rows it has
 *   f64 time            s
 *   f64 spent           seconds of computing in steps, since the session began
 *   f64 dropped         simulated seconds that could not be kept up with, since the session began
 *   f64 speed           of PLAY; 0: paused
 *   u32 steps           since the session began
 *   u32 command         serial of the last command of this page that was carried out
 *   u32 flags           live_flag
 *   u32 scalars         which scalars follow: the bits of WANT
 *   then f32, for each strand: positions[3 × vertices]; where SCENE says `frames`, the first director[3 × edges] of each
 *       edge; each scalar of its `scalars` whose bit is set, in the order of SCENE's `scalars`[vertices]
 *   for each of `points`: position[3], tangent[3], first director[3]
 *   for each constraint: 1, or 0 while it is released
 *   for each body: position[3], quaternion[4] (w first)
 *   for each of `series`: its value (NaN: none)
 *   u32 contacts (0 of scenes without contacts); for each: f32 position[3], normal[3], force[3], and 1, or 0 while it slips
 *   list of holds:       u32 page (1: of this page, 0: of another), u32 hold, f32 held[3], hand[3], force[3] (N, on what is
 *                        held); `hand` is where the hand is, which is not where the pointer is when that is too far
 *   list of attachments: u32 number, u32 kind (0 pin, 1 weight), f32 position[3] (of the point that it is attached to),
 *                        centre[3] and radius of the sphere (of a pin: the position, 0), f32 mass (kg), force[3] (N, on
 *                        the point)
 */
typedef enum live_flag {
    LIVE_IS_PLAYING = 1,
    LIVE_SEEKING = 2,
    LIVE_HAS_FAILED = 4, /* STOPPED was sent, and nothing since */
    LIVE_ENDED = 8,      /* beyond the scene's `until`: it goes on all the same */
} live_flag;

/* SCENE.live
 *   {"dt": s, "until": s, "time": s, "name": "rope.yaml", "image_files": ["cat.png"] (names of files, by their numbers),
 *    "gravity": [x, y, z], "wind": [x, y, z] (null: the scene has no drag that wind acts on),
 *    "controls": [{"path": "let.mass", "label": "mass", "unit": "kg" (""), "value": 2, "min": 0, "max": 8,
 *                  "step": 0 (continuous) or 1 (whole numbers), "kind": "let" or "live"}],
 *      those of the scene's key `live:` first, then the other variables of `let` that are plain numbers
 *    "overrides": ["let.mass=3 kg"],
 *    "can_cut": [true, ...] per strand, "moves": [true, ...] and "turns": [...] per anchor, "held": [true, ...] per body
 *      (GRAB, PIN and WEIGHT act on it), "attachments": LIVE_MAX_ATTACHMENTS}
 *
 * A page that can be taken over (`run`, `gallery page`) has, beside the elements of a recording:
 *   <script type="application/json" id="files">{"files": [{"name": "rope.yaml", "text": "…"} or {"name": …, "base64": "…"}],
 *      "overrides": []}</script>
 *   <script type="text/plain" class="state" data-frame="120" data-time="2">…</script>: a checkpoint at this frame, deflated,
 *      in base64. To take over at a frame: OPEN with the last state at or before it, inflated, and until = its time.
 *   The engine, either <script type="text/plain" id="engine">…</script> (engine.wasm, deflated, in base64) or the
 *   classic script at its data-src, engine.js, which sets globalThis.cordage_engine = "the same text". Neither: it plays.
 *
 * `cordage view` serves the page at http://127.0.0.1:PORT/?token=TOKEN with
 *   <script type="application/json" id="connection">{"socket": "/?token=TOKEN"}</script>: the address of the WebSocket, relative to the
 *   page's. Subprotocol cordage-live. One binary message each; others, and wrong Hosts, Origins and tokens, are refused by closing.
 *
 * engine.wasm imports `wasi_snapshot_preview1` only: clock_time_get(u32 clock, u64 precision, u32 *ns64) must work;
 * every other function may return 8 (EBADF), and proc_exit may throw. It exports
 *   memory, _initialize()
 *   cordage_create() -> 1, 0: no memory
 *   cordage_take(size) -> address, 0: no memory; cordage_give(address)
 *   cordage_receive(address, size): a command, in memory that cordage_take() gave
 *   cordage_advance(seconds, budget) -> flags: so many seconds have passed outside; computes for about `budget` seconds at
 *     most (one step at least). 1: there is time left to compute (SEEK, or behind): call again soon; else in a few ms
 *   cordage_next() -> address of the next message, 0: none; cordage_size() -> its size. Valid until the next call
 *   cordage_memory() -> bytes of memory
 * Views of `memory` are void after any call: memory may have grown. */

/* ---- reading and writing -------------------------------------------------------------------------- */

/* Bytes being written. After a failed growth nothing is written any more, and `failed` is set. */
typedef struct live_text {
    memory *mem;
    uint8_t *at;
    size_t size, room;
    bool failed;
} live_text;

void cord__live_put(live_text *t, const void *data, size_t size);
void cord__live_put_u32(live_text *t, uint32_t value);
void cord__live_put_f32(live_text *t, double value);
void cord__live_put_f64(live_text *t, double value);
void cord__live_put_bytes(live_text *t, const void *data, size_t size); /* u32 size, padded */
void cord__live_put_text(live_text *t, const char *text);               /* NULL: "" */

/* Bytes being read. `bad` stays set once something could not be read, and values are zero from then on. */
typedef struct live_reader {
    const uint8_t *at, *end;
    bool bad;
} live_reader;

uint32_t cord__live_u32(live_reader *r);
double cord__live_f64(live_reader *r); /* bad where it is not finite */
void cord__live_vector(live_reader *r, double x[3]);
const uint8_t *cord__live_bytes(live_reader *r, size_t *size); /* inside the message */
/* How many items follow; bad where so many of `least` bytes each cannot be in the rest, or above `most`. */
uint32_t cord__live_count(live_reader *r, size_t least, uint32_t most);
bool cord__live_ended(const live_reader *r); /* all was read, and it was good */

#endif
