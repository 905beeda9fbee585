/* What `cordage view` serves: a session of a scene, or a recording. Bytes in, bytes out (live/message.h). */
#ifndef CORDAGE_VIEW_SOURCE_H
#define CORDAGE_VIEW_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct view_source {
    void *user;
    /* A message of a page; a page has gone. */
    void (*receive)(void *user, uint32_t page, const void *bytes, size_t size);
    void (*leave)(void *user, uint32_t page);
    /* So many seconds have passed; computes for about `budget` seconds at most. True: there is more to compute now. */
    bool (*advance)(void *user, double seconds, double budget);
    /* The next message, until the next call, and its page, 0: all of them; NULL: none. */
    const void *(*next)(void *user, size_t *size, uint32_t *page);
} view_source;

#endif
