/* The data of a session, and the interfaces of its parts. */
#ifndef CORDAGE_LIVE_SESSION_H
#define CORDAGE_LIVE_SESSION_H

#include "live/message.h"
#include "record/snapshot.h"

#include <cordage/live.h>
#include <stdatomic.h>

/* ---- editions: the files and overrides of a scene (edit.c) -------------------------------------- */

typedef struct live_file {
    char *name;
    uint8_t *bytes;
    size_t size;
} live_file;

/* Shared by the session and the states that it keeps. */
typedef struct live_edition {
    int uses;
    int file_count, override_count;
    live_file *files;
    char **overrides; /* NULL-terminated */
    const char *path; /* of the scene */
} live_edition;

/* ---- fixtures: holds, pins and weights (hand.c) -------------------------------------------------------- */

typedef enum fixture_kind { FIXTURE_PIN, FIXTURE_WEIGHT, FIXTURE_HOLD } fixture_kind;

/* A point of a strand or body, tied to a point of the world or of a weight. */
typedef struct live_fixture {
    fixture_kind kind;
    uint32_t number; /* of ATTACHED; of a hold that of the page */
    uint32_t page;   /* of a hold */
    /* For worlds built later: the object by its index in the scene, and where on it. */
    bool on_body;
    int index;
    double s;           /* on the strand as it was defined, m */
    double position[3]; /* on the body, in its axes; of a weight or pin its position in the world */
    double own[3];      /* in the axes of the body */
    double mass, radius;
    double wanted[3]; /* where the pointer is, or where a pin is to go */
    double compliance, damping, reach;
    /* In the present world. */
    cord_point first, second;
    cord_constraint constraint;
    cord_body body; /* of a weight */
    /* Of a weight, when its world ends. */
    double pose[12], velocity[6];
} live_fixture;

typedef struct fixture_list {
    int count;
    live_fixture items[LIVE_MAX_HOLDS + LIVE_MAX_ATTACHMENTS];
} fixture_list;

/* ---- handles: anchors that are moved (handle.c) ---------------------------------------------------- */

typedef struct live_move {
    bool is, moved;                                    /* by a page; in the last step */
    double last_position[3], last_rotation[3];         /* before it */
    double start[3], frame[9];                         /* its pose in the scene */
    double position[3], rotation[3], rate[3], spin[3]; /* now, per second */
    double to_position[3], to_rotation[3];
} live_move;

/* ---- changes by a page, beside overrides ------------------------------------------------------- */

typedef struct live_changes {
    bool has_gravity, has_wind;
    double gravity[3], wind[3];
} live_changes;

/* ---- kept states (keep.c) ------------------------------------------------------------------------- */

typedef struct live_kept {
    double time;
    live_edition *edition;
    live_changes changes;
    fixture_list *fixtures; /* NULL: none */
    int move_count;
    live_move *moves;
    int *breaks; /* of every strand of the scene, room for so many; NULL: none */
    uint8_t *state;
    size_t size;
} live_kept;

/* ---- pages ------------------------------------------------------------------------------------------ */

typedef struct live_page {
    uint32_t number;
    uint32_t command; /* serial of its last one */
    bool wants;
    uint32_t want, scalars; /* serial of WANT; which scalars */
    uint64_t seen;          /* cord_session.change of its last frame */
} live_page;

enum { MOST_PAGES = 64 };

struct cord_session {
    memory mem;
    cord_session_def def;
    atomic_bool cancelled;
    /* The scene. */
    live_edition *edition;
    cord_scene *scene;
    cord_simulation *sim;
    cord_world *world;
    cord_scene_info info;
    uint32_t revision;
    bool has_layout;
    snapshot_layout layout;
    frame_snapshot frame;
    double *numbers;
    uint64_t taken; /* `change` when the frame was taken; 0: it was not */
    /* Time. */
    double speed, owed, spent, dropped;
    uint64_t steps, change;
    bool failed;
    bool seeking;
    double seek_time;
    uint32_t seek_page, seek_serial;
    /* Changes by pages. */
    fixture_list fixtures;
    uint32_t next_number;
    int move_count;
    live_move *moves; /* per anchor */
    live_changes changes;
    /* States to go back to. */
    int kept_count, kept_room;
    live_kept *kept;
    size_t kept_bytes;
    double last_kept;
    /* Messages. */
    live_page pages[MOST_PAGES];
    int page_count;
    live_page *from; /* whose command is carried out */
    uint32_t serial;
    live_text out, log;
    size_t sent; /* of `out` */
    bool replaying;
};

/* ---- session.c ---------------------------------------------------------------------------------------- */

/* Begin and end a message: to the page whose command it is, or to all. */
size_t cord__live_begin(cord_session *l, live_answer kind, bool to_all);
void cord__live_end(cord_session *l, size_t start);
void cord__live_done(cord_session *l);
/* One diagnostic without a position. */
void cord__live_fail(cord_session *l, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void cord__live_warn(cord_session *l, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The message of a failed call on the world. */
const char *cord__live_why(const cord_session *l, cord_status status);
/* One step; false: it has failed, and STOPPED was sent. */
bool cord__live_step(cord_session *l);
/* Something is to be seen. */
void cord__live_changed(cord_session *l);

/* ---- edit.c --------------------------------------------------------------------------------------------- */

live_edition *cord__live_edition_read(cord_session *l, live_reader *r);
live_edition *cord__live_edition_of_path(cord_session *l, const char *path,
                                         const char *const *overrides);
/* With one override more, or another value of it, or one less. NULL after FAILED. */
live_edition *cord__live_edition_with(cord_session *l, const char *text);
void cord__live_edition_free(cord_session *l, live_edition *e);
typedef struct live_opening {
    bool carry; /* motion is carried over */
    bool keep;  /* pins, weights, gravity and wind stay */
    bool quiet; /* as drawn, and states that were kept stay: one of them follows */
    const uint8_t *state;
    size_t size;
} live_opening;
/* Opens an edition; it then belongs to the session. After a failure FAILED was sent, and the edition is freed. */
bool cord__live_open(cord_session *l, live_edition *e, const live_opening *how);
void cord__live_check(cord_session *l, live_edition *e);
void cord__live_close(cord_session *l);
void cord__live_put_edition(live_text *t, const live_edition *e);

/* ---- hand.c ----------------------------------------------------------------------------------------------- */

void cord__live_grab(cord_session *l, live_reader *r);
void cord__live_drag(cord_session *l, live_reader *r);
void cord__live_let_go(cord_session *l, live_reader *r);
void cord__live_attach(cord_session *l, live_reader *r, fixture_kind kind);
void cord__live_detach(cord_session *l, live_reader *r);
void cord__live_cut(cord_session *l, live_reader *r);
/* Before a step: hands go to their pointers, as far as their strength reaches. */
void cord__live_move_hands(cord_session *l);
void cord__live_move_pin(cord_session *l, uint32_t number, const double position[3]);
/* Removes holds: of a page, or (0) all. */
void cord__live_release(cord_session *l, uint32_t page);
/* Remembers the poses of weights, and adds the fixtures of a list to the present world, as far as their objects exist. */
void cord__live_save_fixtures(const cord_session *l, fixture_list *fixtures);
void cord__live_add_fixtures(cord_session *l, const fixture_list *fixtures);
void cord__live_put_fixtures(cord_session *l, live_text *t, const live_page *page);

/* ---- handle.c ----------------------------------------------------------------------------------------------- */

bool cord__live_moves_anchor(const cord_session *l, int i, bool *turns);
void cord__live_move(cord_session *l, live_reader *r);
/* Before a step; whether any anchor has moved. */
bool cord__live_move_anchors(cord_session *l);
/* After a step that has failed: back to where they were before it, and no farther. */
void cord__live_return_anchors(cord_session *l);
void cord__live_set_anchors(cord_session *l);
bool cord__live_read_anchors(cord_session *l); /* of a scene that was opened */

/* ---- frame.c ------------------------------------------------------------------------------------------------ */

/* Describes the objects anew, and sends SCENE to all. */
cord_status cord__live_describe(cord_session *l);
void cord__live_put_scene(cord_session *l, bool to_all);
void cord__live_put_frame(cord_session *l, live_page *page);
void cord__live_forget_layout(cord_session *l);

/* ---- keep.c --------------------------------------------------------------------------------------------------- */

void cord__live_keep(cord_session *l);     /* a state, now */
void cord__live_keep_due(cord_session *l); /* if the last one is old enough */
bool cord__live_back(cord_session *l, double time);
void cord__live_forget(cord_session *l, int from);
void cord__live_send_kept(cord_session *l, bool bytes);

#endif
