/* The engine's interface to a page (src/live/message.h): one session, messages in and out. */
#include <cordage/live.h>

#include <stdlib.h>

#define EXPORT(name) __attribute__((export_name(name)))

int cordage_create(void);
void *cordage_take(size_t size);
void cordage_give(void *memory);
void cordage_receive(const void *bytes, size_t size);
int cordage_advance(double seconds, double budget);
const void *cordage_next(void);
size_t cordage_size(void);
size_t cordage_memory(void);

static cord_session *session;
static size_t message_size;

EXPORT("cordage_create") int cordage_create(void)
{
    cord_session_destroy(session);
    cord_session_def def = cord_session_def_default();
    return cord_session_create(&def, &session) == CORD_OK;
}

EXPORT("cordage_take") void *cordage_take(size_t size)
{
    return malloc(size);
}

EXPORT("cordage_give") void cordage_give(void *memory)
{
    free(memory);
}

EXPORT("cordage_receive") void cordage_receive(const void *bytes, size_t size)
{
    (void)cord_session_receive(session, 1, bytes, size);
}

EXPORT("cordage_advance") int cordage_advance(double seconds, double budget)
{
    bool busy = false;
    (void)cord_session_advance(session, seconds, budget, &busy);
    return busy;
}

EXPORT("cordage_next") const void *cordage_next(void)
{
    return cord_session_next(session, &message_size, NULL);
}

EXPORT("cordage_size") size_t cordage_size(void)
{
    return message_size;
}

EXPORT("cordage_memory") size_t cordage_memory(void)
{
    return __builtin_wasm_memory_size(0) * 65536;
}
