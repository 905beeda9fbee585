#include "recording.h"

#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Exit codes of the child; any other means that HDF5 ended it. */
enum { CHILD_GOOD = 10, CHILD_DAMAGED = 11 };

/* ---- in the child --------------------------------------------------------------------------- */

typedef struct damage_list {
    FILE *out;
    reading *from;
} damage_list;

static void print_damage(void *user, const char *dataset, int64_t first, int64_t last)
{
    const damage_list *d = user;
    double begin = 0, end = 0;
    fprintf(d->out, "  damaged: %s", dataset);
    if (first >= 0) fprintf(d->out, ", frame%s %lld", first < last ? "s" : "", (long long)first);
    if (first < last) fprintf(d->out, " to %lld", (long long)last);
    bool timed = first >= 0 && cord__reading_time(d->from, first, &begin) == CORD_OK &&
                 cord__reading_time(d->from, last, &end) == CORD_OK;
    if (timed) fprintf(d->out, " (%g", begin);
    if (timed && first < last) fprintf(d->out, " to %g", end);
    fprintf(d->out, timed ? " s)\n" : "\n");
}

/* HDF5, the C library and sanitizers print to the standard error when they fail. */
static void silence_errors(void)
{
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (null >= 0) dup2(null, STDERR_FILENO);
}

static int read_whole(const char *path, FILE *out)
{
    damage_list list = {.out = out};
    cord_status status = cord__reading_open(path, &list.from);
    if (!list.from) return CHILD_DAMAGED;
    bool whole = out || cord__reading_info(list.from)->bytes <= RECORDING_TRIED_BYTES;
    if (status != CORD_OK && out) fprintf(out, "  %s\n", cord__reading_error(list.from));
    if (whole && cord__reading_verify(list.from, out ? print_damage : NULL, &list) != CORD_OK)
        status = CORD_ERROR_FILE;
    cord__reading_close(list.from);
    return status == CORD_OK ? CHILD_GOOD : CHILD_DAMAGED;
}

/* ---- in the parent -------------------------------------------------------------------------- */

static int wait_for(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The exit code of a child that reads the recording; CHILD_GOOD where no child can be had: the parent reads it
 * anyway. */
static int read_in_child(const char *path, FILE *out)
{
    int copy = out ? dup(fileno(out)) : -1;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        silence_errors();
        FILE *report = copy >= 0 ? fdopen(copy, "w") : NULL;
        int code = read_whole(path, report);
        if (report) fflush(report);
        _exit(code);
    }
    if (copy >= 0) close(copy);
    return child < 0 ? CHILD_GOOD : wait_for(child);
}

static int crashed(const char *path)
{
    fprintf(stderr, "cordage: the recording %s is damaged: the HDF5 library cannot read it\n",
            path);
    return EXIT_ENGINE;
}

int try_recording(const char *path)
{
    int code = read_in_child(path, NULL);
    return code == CHILD_GOOD || code == CHILD_DAMAGED ? EXIT_GOOD : crashed(path);
}

int verify_recording(const char *path, FILE *out)
{
    int code = read_in_child(path, out);
    if (code != CHILD_GOOD && code != CHILD_DAMAGED) return crashed(path);
    return code == CHILD_GOOD ? EXIT_GOOD : EXIT_ENGINE;
}

int open_recording(const char *path, reading **from)
{
    *from = NULL;
    int code = try_recording(path);
    if (code != EXIT_GOOD) return code;
    cord_status status = cord__reading_open(path, from);
    if (status == CORD_OK) return EXIT_GOOD;
    fprintf(stderr, "cordage: %s\n", *from ? cord__reading_error(*from) : cord_status_text(status));
    return EXIT_ENGINE;
}
