/* cordage view: a scene that runs, and a page that drives it over a WebSocket on the loopback address; or a recording, and a
 * page that plays it. A page has to know
 * a random token; Host and Origin have to be this server's own address, so that another site's page cannot reach it by
 * a name that it resolves to the loopback address. */
#include "cli.h"
#include "interrupt.h"
#include "live/message.h"
#include "math/json.h"
#include "record/html_scene.h"
#include "record/viewer_page.h"
#include "view_files.h"
#ifdef CORDAGE_HDF5
#include "view_recording.h"
#endif
#include "view_source.h"

#include <cordage/live.h>
#include <libwebsockets.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    TOKEN = 32, /* digits */
    MOST_TABS = 16,
    MOST_QUEUE = 128 << 20, /* bytes that wait for a tab which does not read */
    PAGE_PART = 32 << 10,
};
static const double BUDGET = 0.012; /* s of computing between two looks at the sockets */
static const double LOOK = 0.02;    /* s between two looks at the sockets during a step */
static const double MOST_BEHIND =
    0.25; /* s: after a pause of the machine time is not made up for */

/* What is viewed, as --json says it. */
#define RECORDING "recording"

typedef struct view_options {
    scene_options scene;
    int port;
    bool no_open, json;
} view_options;

/* ---- the server's data ------------------------------------------------------------------------- */

typedef struct message {
    struct message *next;
    size_t size;
    unsigned char bytes[]; /* LWS_PRE, then the message */
} message;

typedef struct tab {
    struct lws *socket; /* NULL: free */
    uint32_t page;
    message *first, **last;
    size_t waiting;
    unsigned char *in; /* a command that is not complete yet */
    size_t in_size;
    bool slow; /* it does not read its messages: it is closed */
} tab;

/* A command of a page that waits for the session; without bytes: the page has gone. */
typedef struct command_message {
    struct command_message *next;
    uint32_t page;
    size_t size;
    unsigned char bytes[];
} command_message;

typedef struct server {
    struct lws_context *context;
    lws_sorted_usec_list_t timer;
    view_source source;
    command_message *first, **last;
    size_t waiting;   /* bytes of them */
    bool ends_step;   /* one of them ends the step that is under way */
    double looked;    /* when the sockets were last looked at, s */
    pthread_t thread; /* that serves */
    tab tabs[MOST_TABS];
    uint32_t next_page;
    char token[TOKEN + 1];
    int port;
    unsigned char *page;
    size_t page_size;
} server;

/* Of an HTTP request. */
typedef struct request {
    size_t sent;
} request;

static server *server_of(struct lws *socket)
{
    return lws_context_user(lws_get_context(socket));
}

/* ---- who may come in ---------------------------------------------------------------------------- */

static bool is_own(const server *s, struct lws *socket, enum lws_token_indexes header,
                   const char *prefix)
{
    static const char *const names[] = {"127.0.0.1", "localhost"};
    char text[128], own[128];
    if (lws_hdr_copy(socket, text, sizeof text, header) <= 0) return false;
    for (int i = 0; i < 2; i++) {
        snprintf(own, sizeof own, "%s%s:%d", prefix, names[i], s->port);
        if (strcmp(text, own) == 0) return true;
    }
    return false;
}

/* Compared in a time that does not depend on where they differ. */
static bool has_token(const server *s, struct lws *socket)
{
    char text[2 * TOKEN];
    const char *given = lws_get_urlarg_by_name(socket, "token=", text, sizeof text);
    unsigned differ = given && strlen(given) == TOKEN ? 0 : 1;
    for (int i = 0; !differ && i < TOKEN; i++) differ |= (unsigned)(given[i] ^ s->token[i]);
    return differ == 0;
}

/* ---- the page -------------------------------------------------------------------------------------- */

static int refuse(struct lws *socket, int status)
{
    return lws_return_http_status(socket, (unsigned)status, NULL) ? -1
           : lws_http_transaction_completed(socket)               ? -1
                                                                  : 0;
}

static bool add_header(struct lws *socket, const char *name, const char *value, unsigned char **at,
                       unsigned char *end)
{
    return lws_add_http_header_by_name(socket, (const unsigned char *)name,
                                       (const unsigned char *)value, (int)strlen(value), at,
                                       end) == 0;
}

static int begin_page(server *s, struct lws *socket, const char *path)
{
    unsigned char head[LWS_PRE + 2048], *start = head + LWS_PRE, *at = start,
                                        *end = head + sizeof head - 1;
    if (!is_own(s, socket, WSI_TOKEN_HOST, "")) return refuse(socket, HTTP_STATUS_FORBIDDEN);
    if (strcmp(path, "/") != 0) return refuse(socket, HTTP_STATUS_NOT_FOUND);
    if (!has_token(s, socket)) return refuse(socket, HTTP_STATUS_FORBIDDEN);
    if (lws_add_http_common_headers(socket, HTTP_STATUS_OK, "text/html; charset=utf-8",
                                    s->page_size, &at, end) ||
        !add_header(socket, "cache-control:", "no-store", &at, end) ||
        !add_header(socket, "referrer-policy:", "no-referrer", &at, end) ||
        !add_header(socket, "x-content-type-options:", "nosniff", &at, end) ||
        lws_finalize_write_http_header(socket, start, &at, end))
        return -1;
    lws_callback_on_writable(socket);
    return 0;
}

static int write_page(const server *s, struct lws *socket, request *r)
{
    unsigned char part[LWS_PRE + PAGE_PART];
    size_t left = s->page_size - r->sent, size = left < PAGE_PART ? left : PAGE_PART;
    bool last = size == left;
    memcpy(part + LWS_PRE, s->page + r->sent, size);
    if (lws_write(socket, part + LWS_PRE, size, last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < 0)
        return -1;
    r->sent += size;
    if (last) return lws_http_transaction_completed(socket) ? -1 : 0;
    lws_callback_on_writable(socket);
    return 0;
}

/* ---- tabs --------------------------------------------------------------------------------------------- */

static tab *tab_of(server *s, struct lws *socket)
{
    for (int i = 0; i < MOST_TABS; i++)
        if (s->tabs[i].socket == socket) return &s->tabs[i];
    return NULL;
}

static int open_tab(server *s, struct lws *socket)
{
    tab *t = tab_of(s, NULL);
    if (!t) return -1;
    *t = (tab){.socket = socket, .page = ++s->next_page};
    t->last = &t->first;
    return 0;
}

static bool put_command(server *s, uint32_t page, const void *bytes, size_t size)
{
    command_message *m = s->waiting + size > MOST_QUEUE ? NULL : malloc(sizeof *m + size);
    if (!m) return false;
    *m = (command_message){.page = page, .size = size};
    if (size) memcpy(m->bytes, bytes, size);
    *s->last = m;
    s->last = &m->next;
    s->waiting += size;
    return true;
}

static void close_tab(server *s, tab *t)
{
    if (!t) return;
    (void)put_command(s, t->page, NULL, 0);
    for (message *m = t->first, *next; m; m = next) next = m->next, free(m);
    free(t->in);
    *t = (tab){0};
    bool last = true;
    for (int i = 0; i < MOST_TABS; i++) last = last && !s->tabs[i].socket;
    if (last) s->ends_step = true; /* nobody waits for it */
}

static void put_message(tab *t, const void *bytes, size_t size)
{
    message *m = t->waiting + size > MOST_QUEUE ? NULL : malloc(sizeof *m + LWS_PRE + size);
    lws_callback_on_writable(t->socket);
    if (!m) {
        t->slow = true;
        return;
    }
    m->next = NULL;
    m->size = size;
    memcpy(m->bytes + LWS_PRE, bytes, size);
    *t->last = m;
    t->last = &m->next;
    t->waiting += size;
}

static int write_message(tab *t)
{
    message *m = t->first;
    if (t->slow) return -1;
    if (!m) return 0;
    if (lws_write(t->socket, m->bytes + LWS_PRE, m->size, LWS_WRITE_BINARY) < 0) return -1;
    t->first = m->next;
    if (!t->first) t->last = &t->first;
    t->waiting -= m->size;
    free(m);
    if (t->first) lws_callback_on_writable(t->socket);
    return 0;
}

/* Commands that make the step, or the search, that is under way useless: of a pause, the speed is 0. */
static bool ends_step(const void *bytes, size_t size)
{
    live_reader r = {bytes, (const uint8_t *)bytes + size, false};
    uint32_t kind = cord__live_u32(&r);
    (void)cord__live_u32(&r);
    bool pause = kind == LIVE_PLAY && cord__live_f64(&r) == 0 && !r.bad;
    return pause || kind == LIVE_OPEN || kind == LIVE_RESTART || kind == LIVE_BACK ||
           kind == LIVE_CANCEL;
}

static int receive(server *s, tab *t, const void *bytes, size_t size)
{
    if (!t || t->in_size + size > LIVE_MAX_MESSAGE || !lws_frame_is_binary(t->socket)) return -1;
    unsigned char *more = realloc(t->in, t->in_size + size + 1);
    if (!more) return -1;
    t->in = more;
    if (size) memcpy(t->in + t->in_size, bytes, size);
    t->in_size += size;
    if (!lws_is_final_fragment(t->socket) || lws_remaining_packet_payload(t->socket) > 0) return 0;
    if (!put_command(s, t->page, t->in, t->in_size)) return -1;
    if (ends_step(t->in, t->in_size)) s->ends_step = true;
    t->in_size = 0;
    return 0;
}

static void distribute(server *s)
{
    size_t size;
    uint32_t page;
    const void *bytes;
    while ((bytes = s->source.next(s->source.user, &size, &page)))
        for (int i = 0; i < MOST_TABS; i++) {
            tab *t = &s->tabs[i];
            if (t->socket && (page == 0 || page == t->page)) put_message(t, bytes, size);
        }
}

/* ---- events ---------------------------------------------------------------------------------------------- */

static int on_event(struct lws *socket, enum lws_callback_reasons reason, void *user, void *in,
                    size_t size)
{
    server *s = server_of(socket);
    switch (reason) {
    case LWS_CALLBACK_HTTP: return begin_page(s, socket, in);
    case LWS_CALLBACK_HTTP_WRITEABLE: return write_page(s, socket, user);
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return is_own(s, socket, WSI_TOKEN_HOST, "") &&
                       is_own(s, socket, WSI_TOKEN_ORIGIN, "http://") && has_token(s, socket)
                   ? 0
                   : -1;
    case LWS_CALLBACK_ESTABLISHED: return open_tab(s, socket);
    case LWS_CALLBACK_RECEIVE: return receive(s, tab_of(s, socket), in, size);
    case LWS_CALLBACK_SERVER_WRITEABLE: {
        tab *t = tab_of(s, socket);
        return t ? write_message(t) : -1;
    }
    case LWS_CALLBACK_CLOSED: close_tab(s, tab_of(s, socket)); return 0;
    default: return 0;
    }
}

static void on_timer(lws_sorted_usec_list_t *timer)
{
    (void)timer; /* it only wakes lws_service() */
}

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Waits for so many ms at most. A timer that is due already is dealt with before lws_service() waits, and does not end it; an
 * event does. */
static int look_at_sockets(server *s, int wait)
{
    if (wait > 0)
        lws_sul_schedule(s->context, 0, &s->timer, on_timer, wait * LWS_US_PER_MS);
    else
        lws_cancel_service(s->context);
    return lws_service(s->context, 0);
}

/* Asked during a step, and during a search for an equilibrium before there is a server: looks at the sockets, so that a
 * command can end it. The command itself acts afterwards. */
static bool is_interrupted(void *user)
{
    server *s = user;
    double now = seconds_now();
    bool may = s->context && pthread_equal(s->thread, pthread_self()) && now - s->looked > LOOK;
    if (may) {
        s->looked = now;
        (void)look_at_sockets(s, 0);
    }
    return s->ends_step || interrupt_signal() != 0;
}

static void deliver(server *s)
{
    command_message *first = s->first;
    s->first = NULL;
    s->last = &s->first;
    s->waiting = 0;
    for (command_message *m = first, *next; m; m = next) {
        next = m->next;
        s->ends_step = false; /* those that come while this one acts end it */
        if (m->size > 0)
            s->source.receive(s->source.user, m->page, m->bytes, m->size);
        else
            s->source.leave(s->source.user, m->page);
        free(m);
    }
    s->ends_step = s->first != NULL && s->ends_step;
}

static void serve(server *s)
{
    double last = seconds_now();
    while (!interrupt_signal()) {
        deliver(s);
        distribute(s); /* answers do not wait for the step */
        double now = seconds_now(), passed = now - last;
        last = now;
        bool busy =
            s->source.advance(s->source.user, passed < MOST_BEHIND ? passed : MOST_BEHIND, BUDGET);
        distribute(s);
        if (look_at_sockets(s, busy ? 0 : 2) < 0) break;
    }
}

/* ---- beginning ---------------------------------------------------------------------------------------------- */

static bool make_token(char token[TOKEN + 1])
{
    unsigned char bytes[TOKEN / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return false;
    for (size_t i = 0; i < sizeof bytes; i++) sprintf(token + 2 * i, "%02x", bytes[i]);
    return true;
}

/* The viewer, where its session is, and the engine: by it a recording is taken over, a link with a scene opened, and a page that was
 * saved goes on live. */
static bool make_page(server *s)
{
    char engine[1200];
    memory mem;
    char *text = NULL;
    FILE *out = open_memstream(&text, &s->page_size);
    if (!out) return false;
    fwrite(cord__viewer_page, 1, cord__viewer_page_size, out);
    fprintf(out,
            "<script type=\"application/json\" "
            "id=\"connection\">{\"socket\":\"/?token=%s\"}</script>\n",
            s->token);
    cord__memory_init(&mem, NULL);
    if (find_engine(engine, sizeof engine)) cord__page_engine_embed(&mem, engine, out);
    fputs("</body>\n</html>\n", out);
    if (fclose(out) != 0) return false;
    s->page = (unsigned char *)text;
    return true;
}

static bool listen_on(server *s, int port)
{
    static const struct lws_protocols protocols[] = {
        {"cordage-live", on_event, sizeof(request), 1 << 16, 0, NULL, 0},
        {NULL, NULL, 0, 0, 0, NULL, 0},
    };
    struct lws_context_creation_info info = {0};
    lws_set_log_level(0, NULL);
    info.port = port;
    info.iface = "127.0.0.1";
    info.protocols = protocols;
    info.user = s;
    info.gid = (gid_t)-1, info.uid = (uid_t)-1;
    info.options = LWS_SERVER_OPTION_DISABLE_IPV6 | LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND;
    info.keepalive_timeout = 5;
    info.vhost_name = "default";
    s->context = lws_create_context(&info);
    struct lws_vhost *host = s->context ? lws_get_vhost_by_name(s->context, "default") : NULL;
    s->port = host ? lws_get_vhost_listen_port(host) : 0;
    return s->context && s->port > 0;
}

static void show(const char *address)
{
    pid_t child = fork();
    if (child != 0) return;
    if (!freopen("/dev/null", "w", stderr) || !freopen("/dev/null", "w", stdout)) _exit(1);
    execlp("xdg-open", "xdg-open", address, (char *)NULL);
    _exit(1);
}

static void announce(const server *s, const view_options *o, const char *kind, const char *path)
{
    char address[200];
    snprintf(address, sizeof address, "http://127.0.0.1:%d/?token=%s", s->port, s->token);
    if (o->json) {
        json j;
        cord__json_begin(&j, stdout, JSON_LINES);
        cord__json_object(&j, NULL);
        cord__json_string(&j, kind, path);
        cord__json_string(&j, "address", address);
        cord__json_integer(&j, "port", s->port);
        cord__json_string(&j, "token", s->token);
        cord__json_end(&j, '}');
    } else {
        printf("%s is at %s\nCtrl-C ends it.\n", path, address);
    }
    fflush(stdout);
    if (!o->no_open) show(address);
}

static void begin_server(server *s)
{
    *s = (server){.thread = pthread_self()};
    s->last = &s->first;
    interrupt_catch(false);
}

/* Until it is interrupted. */
static int serve_source(server *s, const view_options *o, const char *kind, const char *path)
{
    int code = EXIT_GOOD;
    if (!make_token(s->token) || !make_page(s) || !listen_on(s, o->port)) {
        fprintf(stderr, "cordage view: no server can be started on port %d of 127.0.0.1%s\n",
                o->port, o->port ? "; without --port a free one is chosen" : "");
        code = EXIT_ENGINE;
    } else {
        announce(s, o, kind, path);
        serve(s);
        interrupt_obeyed();
    }
    if (s->context) lws_context_destroy(s->context); /* which closes the tabs */
    for (command_message *m = s->first, *next; m; m = next) next = m->next, free(m);
    free(s->page);
    return code;
}

/* ---- a scene ------------------------------------------------------------------------------------------------ */

static void session_receive(void *user, uint32_t page, const void *bytes, size_t size)
{
    (void)cord_session_receive(user, page, bytes, size);
}

static void session_leave(void *user, uint32_t page)
{
    (void)cord_session_leave(user, page);
}

static bool session_advance(void *user, double seconds, double budget)
{
    bool busy = false;
    (void)cord_session_advance(user, seconds, budget, &busy);
    return busy;
}

static const void *session_next(void *user, size_t *size, uint32_t *page)
{
    return cord_session_next(user, size, page);
}

/* Errors of the scene are the session's first messages. */
static int print_failures(cord_session *session)
{
    size_t size, length;
    const uint8_t *bytes;
    while ((bytes = cord_session_next(session, &size, NULL))) {
        live_reader r = {bytes, bytes + size, false};
        uint32_t kind = cord__live_u32(&r);
        (void)cord__live_u32(&r);
        if (kind != LIVE_FAILED) continue;
        for (uint32_t n = cord__live_u32(&r); n > 0 && !r.bad; n--) {
            const char *file = (const char *)cord__live_bytes(&r, &length);
            fprintf(stderr, "%.*s", (int)length, file);
            uint32_t line = cord__live_u32(&r), column = cord__live_u32(&r);
            if (line) fprintf(stderr, ":%u:%u", line, column);
            const char *text = (const char *)cord__live_bytes(&r, &length);
            fprintf(stderr, ": %.*s\n", (int)length, text);
        }
    }
    return EXIT_SCENE;
}

static int view_scene(const char *path, const view_options *o)
{
    view_files files;
    const char *name;
    if (!view_files_open(&files, path, &name)) {
        fprintf(stderr, "cordage view: there is no folder of %s\n", path);
        return EXIT_SCENE;
    }
    cord_session_def def = cord_session_def_default();
    def.files = (cord_file_source){view_files_read, &files};
    def.path = name;
    def.overrides = o->scene.overrides;
    server s;
    begin_server(&s);
    def.interrupted = (cord_cancel){is_interrupted, &s};
    cord_session *session;
    int code;
    if (cord_session_create(&def, &session) == CORD_OK) {
        s.source =
            (view_source){session, session_receive, session_leave, session_advance, session_next};
        code = serve_source(&s, o, "scene", path);
    } else {
        code = interrupt_signal() ? interrupt_obeyed()
               : session          ? print_failures(session)
                                  : EXIT_ENGINE;
    }
    cord_session_destroy(session);
    view_files_close(&files);
    return code;
}

/* ---- a recording -------------------------------------------------------------------------------------------- */

/* A folder, or a file that ends as recordings do. */
static bool is_recording(const char *path)
{
    struct stat info;
    const char *dot = strrchr(path, '.');
    return (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) || (dot && strcmp(dot, ".h5") == 0);
}

static int view_results(const char *path, const view_options *o)
{
    if (o->scene.override_count > 0) {
        fprintf(stderr, "cordage view: --set changes scenes, and %s is a recording\n", path);
        return EXIT_USAGE;
    }
#ifdef CORDAGE_HDF5
    view_recording *source;
    int code = view_recording_open(path, &source);
    server s;
    begin_server(&s);
    if (code == EXIT_GOOD) {
        s.source = view_recording_source(source);
        code = serve_source(&s, o, RECORDING, path);
    }
    view_recording_close(source);
    return code;
#else
    fprintf(stderr, "cordage view: recordings cannot be read, because this cordage was built "
                    "without HDF5\n");
    return EXIT_USAGE;
#endif
}

/* ---- the command ------------------------------------------------------------------------------------------------ */

static bool take_port(void *target, const char *text)
{
    char *end;
    long port = strtol(text, &end, 10);
    ((view_options *)target)->port = (int)port;
    return *text && *end == 0 && port >= 0 && port <= 65535;
}

static bool take_no_open(void *target, const char *text)
{
    (void)text;
    return ((view_options *)target)->no_open = true;
}

static bool take_json(void *target, const char *text)
{
    (void)text;
    return ((view_options *)target)->json = true;
}

static const option view_option_list[] = {
    {"--set", "PATH=VALUE", "change a value of the scene, as in strands.rope.drag=0.1", take_set},
    {"--port", "PORT", "of the server; a free one when it is left out", take_port},
    {"--no-open", NULL, "print the address, and open no browser", take_no_open},
    {"--json", NULL, "print the address as JSON", take_json},
    {NULL, NULL, NULL, NULL},
};

static int view(int argc, char **argv)
{
    if (asked_for_help(&view_command, argc, argv)) return EXIT_GOOD;
    view_options options = {0};
    const char *path = NULL;
    int count;
    if (!parse_options(&view_command, argc, argv, &options, &path, 1, &count)) return EXIT_USAGE;
    if (count == 0) {
        fprintf(stderr, "cordage view: which scene or recording?\nUsage: cordage view %s\n",
                view_command.usage);
        return EXIT_USAGE;
    }
    return is_recording(path) ? view_results(path, &options) : view_scene(path, &options);
}

const command view_command = {
    "view",
    "SCENE|RECORDING [options]",
    "Runs a scene live, or plays a recording, in a page that it opens",
    "The page is served on the loopback address, to who knows the token in its address; several "
    "tabs\n"
    "see one run. The scene reads only files in its folder and below. Real time is kept where the\n"
    "machine can; the page says by how much it falls behind. Ctrl-C ends it.\n"
    "\n"
    "RECORDING is a folder of results or a recording.h5 in one. The page loads the frames that it\n"
    "shows and forgets others, so that the recording may be larger than memory. It can be taken "
    "over,\n"
    "by the scene in it.\n"
    "\n"
    "Examples:\n"
    "  cordage view gallery/der/hanging-rope.yaml\n"
    "  cordage view rope.yaml --no-open --port 8080\n"
    "  cordage view hanging-rope-results",
    view_option_list,
    view,
};
