#include "pictures.h"

#include "run.h"
#include "scene/view.h"
#include "yuv.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* ---- options ------------------------------------------------------------------------------ */

picture_options *picture_options_of(void *target)
{
    return &((run_options *)target)->pictures;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

bool take_png(void *target, const char *text)
{
    picture_options_of(target)->png = text;
    return ends_with(text, ".png");
}

bool take_mp4(void *target, const char *text)
{
    picture_options_of(target)->mp4 = text;
    return ends_with(text, ".mp4");
}

bool take_gif(void *target, const char *text)
{
    picture_options_of(target)->gif = text;
    return ends_with(text, ".gif");
}

bool take_at(void *target, const char *text)
{
    picture_options *o = picture_options_of(target);
    char *end;
    double time = strtod(text, &end);
    while (*end == ' ') end++;
    bool milli = strcmp(end, "ms") == 0, plain = *end == 0 || strcmp(end, "s") == 0;
    bool good = end != text && (milli || plain) && time >= 0 && isfinite(time);
    if (!good || o->at_count == MAX_PICTURES) return false;
    o->at[o->at_count++] = milli ? time / 1000 : time;
    return true;
}

bool take_together(void *target, const char *text)
{
    (void)text;
    return picture_options_of(target)->together = true;
}

bool take_constraints(void *target, const char *text)
{
    (void)text;
    return picture_options_of(target)->constraints = true;
}

bool take_fps(void *target, const char *text)
{
    char *end;
    double fps = strtod(text, &end);
    picture_options_of(target)->fps = fps;
    return end != text && *end == 0 && fps > 0 && fps <= 1000;
}

bool take_aperture(void *target, const char *text)
{
    char *end;
    double aperture = strtod(text, &end);
    picture_options_of(target)->aperture = aperture;
    return end != text && *end == 0 && aperture >= 0 && aperture <= 0.5;
}

static bool parse_size(const char *text, int *width, int *height)
{
    char *end;
    long w = strtol(text, &end, 10), h = *end == 'x' ? strtol(end + 1, &end, 10) : 0;
    if (*end != 0 || w < 16 || w > 8192 || h < 16 || h > 8192) return false;
    *width = (int)w, *height = (int)h;
    return true;
}

bool take_size(void *target, const char *text)
{
    int width, height;
    picture_options_of(target)->size = text;
    return parse_size(text, &width, &height);
}

/* The index of a name in a list, or -1. */
static int find_name(const char *const *names, const char *text)
{
    for (int i = 0; names[i]; i++) {
        if (strcmp(names[i], text) == 0) return i;
    }
    return -1;
}

bool take_colour_by(void *target, const char *text)
{
    picture_options_of(target)->colour_by = text;
    return find_name(cord_colour_names(), text) >= 0;
}

bool take_theme(void *target, const char *text)
{
    picture_options_of(target)->theme = text;
    return find_name(cord_theme_names(), text) >= 0;
}

static bool parse_view(const char *text, cord_picture_def *def)
{
    static const char *const names[] = {"front", "side", "top", NULL};
    int named = find_name(names, text);
    if (named >= 0) {
        def->direction_given = true;
        cord__view_direction(VIEW_FRONT + named, def->direction);
        return true;
    }
    double v[6];
    for (int i = 0; i < 6; i++) {
        char *end;
        v[i] = strtod(text, &end);
        bool good = end != text && isfinite(v[i]) && *end == (i < 5 ? ',' : 0);
        if (!good) return false;
        text = end + 1;
    }
    def->view_given = true;
    memcpy(def->from, v, sizeof def->from);
    memcpy(def->to, v + 3, sizeof def->to);
    return memcmp(def->from, def->to, sizeof def->to) != 0;
}

bool take_view(void *target, const char *text)
{
    cord_picture_def def;
    picture_options_of(target)->view = text;
    return parse_view(text, &def);
}

static cord_picture_def picture_def(const picture_options *o)
{
    cord_picture_def def = cord_picture_def_default();
    if (o->size) parse_size(o->size, &def.width, &def.height);
    if (o->colour_by) def.colour_by = (cord_colour_by)find_name(cord_colour_names(), o->colour_by);
    if (o->theme) def.theme = (cord_theme)find_name(cord_theme_names(), o->theme);
    if (o->view) parse_view(o->view, &def);
    def.constraints = o->constraints;
    def.aperture = o->aperture;
    return def;
}

/* ---- capture ------------------------------------------------------------------------------ */

struct pictures {
    picture_options options;
    cord_world *world;
    cord_picture_def def;
    cord_film *stills, *dark, *film; /* each with its own camera; NULL: not requested */
    int taken;                       /* number of stills captured, in the order of times */
    double next;                     /* time of the next frame of the film, s */
    char ffmpeg[1024];
};

static int by_time(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Searches the PATH. */
static bool find_ffmpeg(char *path, size_t size)
{
    const char *directories = getenv("PATH");
    while (directories && *directories) {
        size_t length = strcspn(directories, ":");
        int used = snprintf(path, size, "%.*s/ffmpeg", (int)length, directories);
        if (used > 0 && (size_t)used < size && access(path, X_OK) == 0) return true;
        directories += length + (directories[length] == ':');
    }
    return false;
}

static int start_film(cord_simulation *simulation, const cord_picture_def *def, cord_film **film)
{
    cord_status status = cord_film_create(simulation, def, film);
    if (status == CORD_OK) return EXIT_GOOD;
    const char *text = *film ? cord_film_get_error(*film) : "";
    fprintf(stderr, "cordage: pictures cannot be drawn: %s\n",
            *text ? text : cord_status_text(status));
    return EXIT_ENGINE;
}

int pictures_open(const picture_options *o, cord_simulation *simulation, pictures **out)
{
    *out = NULL;
    bool film = o->mp4 || o->gif;
    if (!film && !o->png) {
        bool idle = !o->at_count && !o->fps && !o->size && !o->view && !o->colour_by && !o->theme &&
                    !o->constraints && o->aperture == 0;
        if (idle) return EXIT_GOOD;
        fprintf(stderr, "cordage: options of pictures are given without a picture; add --png, "
                        "--mp4 or --gif\n");
        return EXIT_USAGE;
    }
    pictures *p = *out = calloc(1, sizeof *p);
    if (!p) return EXIT_ENGINE;
    p->options = *o, p->world = cord_simulation_get_world(simulation), p->def = picture_def(o);
    qsort(p->options.at, (size_t)o->at_count, sizeof *o->at, by_time);
    if (p->options.fps == 0) p->options.fps = 30;
    if (film && !find_ffmpeg(p->ffmpeg, sizeof p->ffmpeg)) {
        fprintf(stderr,
                "cordage: films need ffmpeg, which is not in the PATH; install it, or use --png\n");
        return EXIT_USAGE;
    }
    cord_picture_def dark = p->def;
    dark.theme = CORD_THEME_DARK;
    int code = o->png ? start_film(simulation, &p->def, &p->stills) : EXIT_GOOD;
    if (code == EXIT_GOOD && o->png && o->by_night) code = start_film(simulation, &dark, &p->dark);
    return code == EXIT_GOOD && film ? start_film(simulation, &p->def, &p->film) : code;
}

static int take(cord_film *film)
{
    if (cord_film_take(film) == CORD_OK) return EXIT_GOOD;
    fprintf(stderr, "cordage: a picture could not be captured: %s\n", cord_film_get_error(film));
    return EXIT_ENGINE;
}

static int take_still(const pictures *p)
{
    int code = take(p->stills);
    return code == EXIT_GOOD && p->dark ? take(p->dark) : code;
}

/* A still at t shows the first state at or after t, to within half a step; times after the end show
 * the end. */
int pictures_step(pictures *p, double dt, bool last)
{
    if (!p) return EXIT_GOOD;
    double now = cord_world_get_time(p->world) + dt / 2;
    int code = EXIT_GOOD, due = p->options.at_count;
    for (; p->stills && p->taken < due && code == EXIT_GOOD; p->taken++) {
        if (p->options.at[p->taken] > now && !last) break;
        code = take_still(p);
    }
    if (p->stills && due == 0 && last && code == EXIT_GOOD) code = take_still(p);
    while (p->film && code == EXIT_GOOD && p->next <= now) {
        code = take(p->film);
        p->next = cord_film_get_count(p->film) / p->options.fps;
    }
    return code;
}

/* ---- writing ------------------------------------------------------------------------------ */

/* `mark` comes before ".png". */
static int write_stills(const pictures *p, cord_film *stills, const char *mark)
{
    bool together = p->options.together;
    int count = together ? 1 : cord_film_get_count(stills);
    size_t stem = strlen(p->options.png) - strlen(".png");
    for (int i = 0; i < count; i++) {
        char path[1280];
        if (p->options.at_count > 1 && !together) {
            snprintf(path, sizeof path, "%.*s-%d%s.png", (int)stem, p->options.png, i + 1, mark);
        } else {
            snprintf(path, sizeof path, "%.*s%s.png", (int)stem, p->options.png, mark);
        }
        int which = together ? CORD_FILM_TOGETHER : i;
        if (cord_film_write(stills, which, path) == CORD_OK) continue;
        fprintf(stderr, "cordage: %s\n", cord_film_get_error(stills));
        return EXIT_ENGINE;
    }
    return EXIT_GOOD;
}

/* Starts ffmpeg; returns the write end of the pipe to it, or -1. */
static int start_ffmpeg(const pictures *p, const char *file, bool gif, pid_t *process)
{
    char size[32], rate[32];
    int odd = gif ? 0 : 1; /* yuv420p has even sizes */
    snprintf(size, sizeof size, "%dx%d", (p->def.width + odd) & ~odd, (p->def.height + odd) & ~odd);
    snprintf(rate, sizeof rate, "%g", p->options.fps);
    const char *const film_argv[] = {"ffmpeg",
                                     "-y",
                                     "-loglevel",
                                     "error",
                                     "-f",
                                     "rawvideo",
                                     "-pix_fmt",
                                     "yuv420p",
                                     "-s",
                                     size,
                                     "-r",
                                     rate,
                                     "-colorspace",
                                     "bt709",
                                     "-color_primaries",
                                     "bt709",
                                     "-color_trc",
                                     "iec61966-2-1",
                                     "-color_range",
                                     "tv",
                                     "-i",
                                     "-",
                                     "-crf",
                                     "20",
                                     "-preset",
                                     "veryfast",
                                     "--",
                                     file,
                                     NULL};
    /* A GIF requires a palette. */
    const char *const gif_argv[] = {
        "ffmpeg",    "-y",
        "-loglevel", "error",
        "-f",        "rawvideo",
        "-pix_fmt",  "rgba",
        "-s",        size,
        "-r",        rate,
        "-i",        "-",
        "-vf",       "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=bayer",
        "-loop",     "0",
        "--",        file,
        NULL};
    const char *const *argv = gif ? gif_argv : film_argv;
    int ends[2];
    if (pipe(ends) != 0) return -1;
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    int failed = posix_spawn(process, p->ffmpeg, &actions, NULL, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    if (failed) close(ends[1]);
    return failed ? -1 : ends[1];
}

static bool write_all(int pipe_end, const unsigned char *data, size_t size)
{
    while (size > 0) {
        ssize_t written = write(pipe_end, data, size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        data += written, size -= (size_t)written;
    }
    return true;
}

/* The pipe to ffmpeg. */
typedef struct frame_pipe {
    int end, width, height;
    unsigned char *yuv; /* NULL: pictures go as they are */
} frame_pipe;

static bool write_frame(void *user, int i, const unsigned char *rgba)
{
    const frame_pipe *to = user;
    (void)i;
    if (!to->yuv) return write_all(to->end, rgba, 4 * (size_t)to->width * (size_t)to->height);
    yuv_convert(rgba, to->width, to->height, to->yuv);
    return write_all(to->end, to->yuv, yuv_size(to->width, to->height));
}

/* Writes every frame of the film into the pipe. */
static bool write_frames(const pictures *p, bool gif, int pipe_end)
{
    frame_pipe to = {.end = pipe_end, .width = p->def.width, .height = p->def.height};
    if (!gif && !(to.yuv = malloc(yuv_size(to.width, to.height)))) return false;
    cord_status status = cord_film_draw_all(p->film, write_frame, &to);
    free(to.yuv);
    if (status != CORD_OK && status != CORD_ERROR_CANCELLED)
        fprintf(stderr, "cordage: %s\n", cord_film_get_error(p->film));
    return status == CORD_OK;
}

static int write_film(const pictures *p, const char *file, bool gif)
{
    pid_t process;
    int pipe_end = start_ffmpeg(p, file, gif, &process), status = -1;
    if (pipe_end < 0) {
        fprintf(stderr, "cordage: ffmpeg cannot be started\n");
        return EXIT_ENGINE;
    }
    /* If ffmpeg ends early, writing must fail instead of ending this process. */
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigaction(SIGPIPE, &ignore, &before);
    bool good = write_frames(p, gif, pipe_end);
    close(pipe_end);
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {}
    sigaction(SIGPIPE, &before, NULL);
    if (good && status == 0) return EXIT_GOOD;
    fprintf(stderr, "cordage: ffmpeg could not write %s\n", file);
    return EXIT_ENGINE;
}

int pictures_close(pictures *p, bool draw)
{
    if (!p) return EXIT_GOOD;
    const picture_options *o = &p->options;
    int code = draw && p->stills ? write_stills(p, p->stills, "") : EXIT_GOOD;
    if (draw && code == EXIT_GOOD && p->dark) code = write_stills(p, p->dark, "-dark");
    if (draw && code == EXIT_GOOD && o->mp4) code = write_film(p, o->mp4, false);
    if (draw && code == EXIT_GOOD && o->gif) code = write_film(p, o->gif, true);
    cord_film_destroy(p->stills);
    cord_film_destroy(p->dark);
    cord_film_destroy(p->film);
    free(p);
    return code;
}
