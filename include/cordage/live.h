/* Live sessions: a simulation that pages drive by messages. A session knows no transport and no thread: its user carries
 * messages between it and its pages, and tells it how much time has passed. src/live/message.h describes the messages.
 *
 *     cord_session_receive(session, page, bytes, size);       a command has come
 *     cord_session_advance(session, 1.0 / 60, 0.012);         time has passed
 *     while ((bytes = cord_session_next(session, &size, &page))) send(page, bytes, size);
 *
 * A session never fails as a whole: what goes wrong is a message to its pages. One thread at a time uses a session, except
 * for cord_session_cancel(). */
#ifndef CORDAGE_LIVE_H
#define CORDAGE_LIVE_H

#include <cordage/scene.h>
#include <stdint.h>

CORD_BEGIN

typedef struct cord_session cord_session;

/* The definition of a session. */
typedef struct cord_session_def {
    /* Gives files that pages have not sent. Default: none: a scene reads only the files that came with it. It remains
     * valid for the life of the session. */
    cord_file_source files;
    /* A scene that is open from the start, by its path in `files`, with its overrides (NULL-terminated, or NULL). NULL
     * (the default): a page opens one. */
    const char *path;
    const char *const *overrides;
    size_t kept_bytes; /* for states to go back to; default 64 MiB */
    /* Asked now and then during steps and searches, by the thread that computes, one at a time: true ends them, as
     * cord_session_cancel() does. It must not use the session. Default: none. */
    cord_cancel interrupted;
} cord_session_def;

/* Returns the default definition: no scene, no files. */
CORD_API cord_session_def cord_session_def_default(void);

/* Creates a session. `def` may be NULL: the defaults. The caller owns *session. Errors of a scene in the definition are
 * messages, and CORD_ERROR_INPUT: the session waits for another one. */
CORD_API cord_status cord_session_create(const cord_session_def *def, cord_session **session);
/* NULL is fine. */
CORD_API void cord_session_destroy(cord_session *session);

/* Receives a command of a page, which is any number above 0 that its user has given it. Any bytes are fine. */
CORD_API cord_status cord_session_receive(cord_session *session, uint32_t page, const void *bytes,
                                          size_t size);
/* A page has gone: its holds end. */
CORD_API cord_status cord_session_leave(cord_session *session, uint32_t page);

/* `seconds` have passed outside since the last call. Takes the steps that are due, for about `budget` seconds at most, but
 * one; time that cannot be kept up with is dropped. *busy, which may be NULL: there is more to compute now. */
CORD_API cord_status cord_session_advance(cord_session *session, double seconds, double budget,
                                          bool *busy);

/* Returns the next message to send and its size; *page: the page it is for, 0: all. NULL: none. The bytes are valid until
 * the next call on the session. */
CORD_API const void *cord_session_next(cord_session *session, size_t *size, uint32_t *page);

/* Ends the step or search that is under way, from any thread. A step that was ended has no effect, but for the parts of it
 * that were accepted where it was divided; it is in no log, so that cord_session_replay() of such a session may differ. */
CORD_API void cord_session_cancel(cord_session *session);

/* Repeats the commands of a log (the message LOG_IS), step for step: a fresh session arrives at the same bits. */
CORD_API cord_status cord_session_replay(cord_session *session, const void *log, size_t size);

/* The hash of the session's world (cord_world_hash); CORD_ERROR_ARGUMENT when no scene is open. */
CORD_API cord_status cord_session_hash(const cord_session *session, uint64_t *hash);

CORD_END

#endif
