#include "run.h"

#include "interrupt.h"
#include "math/json.h"
#include "folder_lock.h"
#include "probe_summary.h"
#include "resume.h"
#include "standard_input.h"
#include "world/energies.h"

#include <cordage/cable.h>
#include <cordage/cordage.h>
#include <cordage/record.h>
#include <cordage/simulation.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- options ------------------------------------------------------------------------------ */

/* The override points to the field; the later of two options counts. */
static bool take_shorthand(run_options *o, char *field, size_t size, const char *key,
                           const char *text)
{
    bool repeated = *field != 0;
    int length = snprintf(field, size, "%s=%s", key, text);
    return length > 0 && (size_t)length < size && (repeated || take_set(o, field));
}

static bool take_until(void *target, const char *text)
{
    run_options *o = target;
    return take_shorthand(o, o->until, sizeof o->until, "run.until", text);
}

static bool take_dt(void *target, const char *text)
{
    run_options *o = target;
    return take_shorthand(o, o->dt, sizeof o->dt, "run.dt", text);
}

static bool take_out(void *target, const char *text)
{
    ((run_options *)target)->out = text;
    return *text != 0;
}

static bool add_format(run_options *o, const char *text)
{
    const char *const *name = cord_format_names();
    while (*name && strcmp(*name, text) != 0) name++;
    if (!*name || o->format_count == MAX_FORMATS) return false;
    for (int i = 0; i < o->format_count; i++) {
        if (strcmp(o->formats[i], text) == 0) return true;
    }
    o->formats[o->format_count++] = *name;
    return true;
}

/* "csv" or "hdf5,csv". */
static bool take_format(void *target, const char *text)
{
    run_options *o = target;
    while (true) {
        size_t length = strcspn(text, ",");
        char name[32];
        if (length >= sizeof name) return false;
        memcpy(name, text, length);
        name[length] = 0;
        if (!add_format(o, name)) return false;
        if (text[length] == 0) return true;
        text += length + 1;
    }
}

static bool take_json(void *target, const char *text)
{
    (void)text;
    return ((run_options *)target)->json = true;
}

static bool take_quiet(void *target, const char *text)
{
    (void)text;
    return ((run_options *)target)->quiet = true;
}

static bool take_resume(void *target, const char *text)
{
    (void)text;
    return ((run_options *)target)->resume = true;
}

static bool take_check(void *target, const char *text)
{
    (void)text;
    return ((run_options *)target)->check = true;
}

const option run_option_list[] = {
    {"--until", "T", "simulated time, as in \"2 s\"", take_until},
    {"--dt", "H", "the time step, as in \"1 ms\"", take_dt},
    SCENE_OPTIONS,
    {"--out", "DIR", "directory of the results; default: named after the scene", take_out},
    {"--format", "NAMES", "output formats, as in hdf5,csv; default: all", take_format},
    {"--resume", NULL, "continue the recording in the directory", take_resume},
    PICTURE_OPTIONS,
    {"--check", NULL, "exit with 1 when an expected result is not met", take_check},
    {"--json", NULL, "print a summary as JSON", take_json},
    {"--quiet", NULL, "print nothing but errors", take_quiet},
    {NULL, NULL, NULL, NULL},
};

/* ---- progress ----------------------------------------------------------------------------- */

typedef struct session {
    const run_options *options;
    cord_scene *scene;
    cord_simulation *simulation;
    cord_world *world;          /* of the simulation */
    run_options scene_formats;  /* storage for the formats of the scene */
    const char *const *formats; /* formats of the results */
    cord_recorder *recorder;    /* NULL: no recording */
    bool recorded;              /* the directory contains results */
    pictures *pictures;         /* NULL: none are taken */
    probe_summary *probes;      /* NULL: not asked for */
    folder_lock lock;           /* of the directory */
    const char *path;           /* of the scene */
    cord_scene_info info;
    resumption resumed;
    char directory[1024];
    double first_time;          /* start of this run, s */
    double started, last_shown; /* wall clock, s */
    bool terminal;              /* progress is shown on one line */
    char failure[1024];         /* the message of the failure that ended the run */
} session;

static double wall_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void show_progress(session *s, bool last)
{
    double now = wall_clock(), elapsed = now - s->started, time = cord_world_get_time(s->world);
    bool due = now - s->last_shown > (s->terminal ? 0.1 : 10) || (last && s->terminal);
    if (s->options->quiet || s->options->json || !due) return;
    s->last_shown = now;
    double speed = elapsed > 0 ? (time - s->first_time) / elapsed : 0;
    double remains = s->info.until - time; /* may be below 0 by round-off */
    double left = speed > 0 && remains > 0 ? remains / speed : 0;
    if (s->terminal) {
        enum { WIDTH = 30 };
        int filled = s->info.until > 0 ? (int)(WIDTH * time / s->info.until) : WIDTH;
        fprintf(stderr, "\r[%.*s%*s] ", filled, "##############################", WIDTH - filled,
                "");
    }
    fprintf(stderr, "%.3f of %g s, %.3g x real time, %.0f s left%s", time, s->info.until, speed,
            left, s->terminal && !last ? "   " : "\n");
    fflush(stderr);
}

/* ---- warnings ----------------------------------------------------------------------------- */

/* Before the run; `cordage check` shows all of them. */
static void show_warnings(const session *s, const char *path)
{
    enum { MOST = 10 };
    int count = cord_simulation_get_warning_count(s->simulation);
    if (s->options->quiet || s->resumed.from) return;
    for (int i = 0; i < count && i < MOST; i++)
        fprintf(stderr, "warning: %s\n", cord_simulation_get_warning(s->simulation, i));
    if (count > MOST)
        fprintf(stderr, "and %d more warnings; see: cordage check %s\n", count - MOST, path);
}

static void json_warnings(json *j, const session *s)
{
    int count = cord_simulation_get_warning_count(s->simulation);
    cord__json_array(j, "warnings");
    for (int i = 0; i < count; i++)
        cord__json_string(j, NULL, cord_simulation_get_warning(s->simulation, i));
    cord__json_end(j, ']');
}

/* ---- the run ------------------------------------------------------------------------------ */

static bool writes(const session *s, const char *format)
{
    for (const char *const *name = s->formats; s->recorded && *name; name++)
        if (strcmp(*name, format) == 0) return true;
    return false;
}

static int failed(session *s, const char *during, const char *text, cord_status status)
{
    if (status == CORD_ERROR_MEMORY || !*text) text = cord_status_text(status);
    snprintf(s->failure, sizeof s->failure, "%s: %s", during, text);
    fprintf(stderr, "cordage: %s\n", s->failure);
    if (s->recorder && cord_recorder_failure(s->recorder, s->failure) == CORD_OK &&
        writes(s, "html"))
        fprintf(stderr, "The page in %s shows the last state and where it failed.\n", s->directory);
    return EXIT_ENGINE;
}

/* The exit code of a failure, with its message; of a call that a signal has cancelled, without one. */
static int engine_failure(session *s, cord_status status, const char *during)
{
    if (status == CORD_ERROR_CANCELLED) return interrupt_obeyed();
    if (s->terminal && !s->options->quiet) fputc('\n', stderr);
    /* Messages of the world contain the time. */
    return failed(s, during, cord_world_get_error(s->world), status);
}

/* Expected results, and the values for the summary. */
static cord_status observe(session *s, bool last)
{
    cord_status status = cord_simulation_observe(s->simulation, last);
    if (status == CORD_OK && s->probes) status = probe_summary_observe(s->probes);
    return status;
}

static int record_frame(session *s)
{
    cord_status status = s->recorder ? cord_recorder_frame(s->recorder) : CORD_OK;
    if (status == CORD_OK) return EXIT_GOOD;
    return failed(s, "recording failed", cord_recorder_get_error(s->recorder), status);
}

static int find_equilibrium(session *s)
{
    cord_statics_def def = cord_statics_def_default();
    def.kick = s->info.kick;
    def.nearest = s->info.nearest_equilibrium;
    cord_status status = cord_world_find_equilibrium(s->world, &def, NULL);
    return status == CORD_OK ? EXIT_GOOD
                             : engine_failure(s, status, "the equilibrium was not found");
}

/* Steps of exactly dt, the last one shorter when dt does not divide the time; a frame every whole
 * number of steps nearest to the requested interval, and at the end. */
static int advance(session *s)
{
    double dt = s->info.dt, until = s->info.until;
    /* A remainder of a millionth of dt is round-off of until/dt. */
    long long steps = (long long)ceil(until / dt - 1e-6);
    long long stride = frame_stride(&s->info);
    for (long long i = step_number(s->first_time, dt) + 1; i <= steps; i++) {
        double left = until - cord_world_get_time(s->world);
        /* A last step equal to dt up to round-off is taken as dt: a run that is extended later then
         * equals a run of that length from the start. */
        bool whole = i < steps || fabs(left - dt) < 1e-6 * dt;
        cord_status status = cord_simulation_step(s->simulation, whole ? dt : left);
        if (status != CORD_OK) return engine_failure(s, status, "the step failed");
        bool stop = interrupt_signal() != 0;
        if (stop) interrupt_obeyed();
        status = observe(s, i == steps);
        if (status != CORD_OK) return engine_failure(s, status, "a measurement failed");
        bool due = i % stride == 0 || i == steps || stop;
        if (due && record_frame(s) != EXIT_GOOD) return EXIT_ENGINE;
        if (pictures_step(s->pictures, dt, i == steps || stop) != EXIT_GOOD) return EXIT_ENGINE;
        show_progress(s, i == steps || stop);
        if (stop) return interrupt_obeyed();
    }
    return EXIT_GOOD;
}

static int simulate(session *s)
{
    if (s->resumed.from) return advance(s);
    int code = s->info.equilibrium_first ? find_equilibrium(s) : EXIT_GOOD;
    if (code == EXIT_GOOD) code = record_frame(s);
    if (code == EXIT_GOOD) code = pictures_step(s->pictures, 0, s->info.until == 0);
    if (code != EXIT_GOOD) return code;
    cord_status status = observe(s, s->info.until == 0);
    return status == CORD_OK ? advance(s) : engine_failure(s, status, "a measurement failed");
}

/* ---- after a signal ----------------------------------------------------------------------- */

/* A word of a shell's command line. */
static void print_word(const char *word)
{
    const char *plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=:,";
    if (*word && word[strspn(word, plain)] == 0) {
        fprintf(stderr, " %s", word);
        return;
    }
    fputs(" '", stderr);
    for (; *word; word++) fprintf(stderr, *word == '\'' ? "'\\''" : "%c", *word);
    fputc('\'', stderr);
}

static void print_stopped(const session *s)
{
    if (!interrupt_signal() || s->options->quiet) return;
    fprintf(stderr, "cordage: stopped at %.9g of %g s by a signal.\n",
            cord_world_get_time(s->world), s->info.until);
    if (!writes(s, "hdf5")) {
        if (s->recorded) fprintf(stderr, "Only runs recorded in the format hdf5 can be resumed.\n");
        return;
    }
    fprintf(stderr, "The recording is %s/recording.h5. To go on from there:\n  cordage run",
            s->directory);
    print_word(s->path);
    fputs(" --out", stderr);
    print_word(s->directory);
    fputs(" --resume\n", stderr);
}

/* ---- the report --------------------------------------------------------------------------- */

static int count_failed(const session *s)
{
    int failed = 0;
    for (int i = 0; i < s->info.expectation_count; i++) {
        failed += !cord_simulation_get_expectation(s->simulation, i).passed;
    }
    return failed;
}

static void print_expectation(const cord_expectation *e)
{
    if (isnan(e->measured)) {
        printf("  NOT MET: %s.%s was not measured", e->probe, e->component);
        if (isfinite(e->time)) printf(" at %g s", e->time);
    } else {
        printf("  %s %s.%s = %.9g", e->passed ? "met:    " : "NOT MET:", e->probe, e->component,
               e->measured);
    }
    if (!isnan(e->value)) printf(", expected %.9g +- %.3g", e->value, e->tolerance);
    if (!isnan(e->above)) printf(", expected above %.9g", e->above);
    if (!isnan(e->below)) printf(", expected below %.9g", e->below);
    printf(" (%s%s)\n", e->regression ? "regression: " : "",
           e->regression ? e->regression : e->because);
}

/* Sum over all cables; false without any change. */
static bool sum_changes(const session *s, cord_cable_events *sum)
{
    *sum = (cord_cable_events){0};
    for (int i = 0; i < s->info.strand_count; i++) {
        cord_strand_info info;
        cord_cable_events changes;
        cord_strand strand = cord_simulation_get_strand(s->simulation, i);
        if (cord_strand_get_info(s->world, strand, &info) != CORD_OK || !info.has_nodes ||
            cord_cable_get_events(s->world, strand, &changes) != CORD_OK)
            continue;
        sum->wraps += changes.wraps, sum->unwraps += changes.unwraps;
        sum->wrap_energy_change += changes.wrap_energy_change,
            sum->unwrap_energy_change += changes.unwrap_energy_change;
        sum->tightenings += changes.tightenings;
        sum->tightening_energy_change += changes.tightening_energy_change;
    }
    return sum->wraps + sum->unwraps + sum->tightenings > 0;
}

static void print_changes(const session *s)
{
    cord_cable_events c;
    if (!sum_changes(s, &c)) return;
    if (c.wraps + c.unwraps > 0)
        printf("  cables wrapped pulleys %d times (energy change %+.3g J), unwrapped or changed "
               "nodes %d times (%+.3g J)\n",
               c.wraps, c.wrap_energy_change, c.unwraps, c.unwrap_energy_change);
    if (c.tightenings > 0)
        printf("  slack cables became taut %d times (energy change %+.3g J)\n", c.tightenings,
               c.tightening_energy_change);
}

static void print_breaks(const session *s)
{
    for (int i = 0; i < s->info.strand_count; i++) {
        cord_strand strand = cord_simulation_get_strand(s->simulation, i);
        cord_break b;
        int count = 0;
        if (cord_strand_get_break_count(s->world, strand, &count) != CORD_OK) continue;
        for (int k = 0; k < count; k++)
            if (cord_strand_get_break(s->world, strand, k, &b) == CORD_OK)
                printf("  %s broke at s = %.6g m, t = %.6g s (tension %.4g N, curvature %.4g 1/m, "
                       "%.3g J lost)\n",
                       cord_scene_get_strand_name(cord_simulation_get_scene(s->simulation), i), b.s,
                       b.time, b.tension, b.curvature, b.energy);
    }
}

static void print_report(const session *s, const char *path)
{
    double wall = wall_clock() - s->started;
    cord_counters counters = {0};
    cord_world_get_counters(s->world, &counters);
    printf("%s: %g s in %lld steps, %.3g s of computing\n", s->info.title ? s->info.title : path,
           cord_world_get_time(s->world), (long long)counters.steps, wall);
    print_changes(s);
    print_breaks(s);
    for (int i = 0; i < s->info.expectation_count; i++) {
        cord_expectation e = cord_simulation_get_expectation(s->simulation, i);
        print_expectation(&e);
    }
    if (s->recorded) printf("Results are in %s\n", s->directory);
    if (writes(s, "html")) printf("To view the run, open %s/index.html\n", s->directory);
}

static void json_energy(json *j, cord_world *world)
{
    cord_energy e;
    double values[ENERGY_COUNT];
    if (cord_world_get_energy(world, &e) != CORD_OK) return;
    cord__energy_values(&e, values);
    cord__json_object(j, "energy");
    for (int k = 0; k < ENERGY_COUNT; k++) cord__json_number(j, cord__energy_names[k], values[k]);
    cord__json_end(j, '}');
}

static void json_changes(json *j, const session *s)
{
    cord_cable_events c;
    if (!sum_changes(s, &c)) return;
    cord__json_object(j, "cable_changes");
    cord__json_integer(j, "wraps", c.wraps);
    cord__json_integer(j, "unwraps", c.unwraps);
    cord__json_number(j, "wrap_energy_change", c.wrap_energy_change);
    cord__json_number(j, "unwrap_energy_change", c.unwrap_energy_change);
    cord__json_integer(j, "tightenings", c.tightenings);
    cord__json_number(j, "tightening_energy_change", c.tightening_energy_change);
    cord__json_end(j, '}');
}

static void json_counters(json *j, cord_world *world)
{
    cord_counters c;
    if (cord_world_get_counters(world, &c) != CORD_OK) return;
    cord__json_object(j, "counters");
    cord__json_integer(j, "unknowns", c.unknowns);
    cord__json_integer(j, "rows", c.rows);
    cord__json_integer(j, "islands", c.islands);
    cord__json_integer(j, "steps", c.steps);
    cord__json_integer(j, "halvings", c.halvings);
    cord__json_integer(j, "impacts", c.impacts);
    cord__json_integer(j, "newton_iterations", c.newton_iterations);
    cord__json_integer(j, "projection_iterations", c.projection_iterations);
    cord__json_integer(j, "heap_calls", c.heap_calls);
    cord__json_integer(j, "heap_bytes", (long long)c.heap_bytes);
    cord__json_end(j, '}');
}

/* As text, since numbers of JSON are doubles. */
static void json_hash(json *j, const cord_world *world)
{
    uint64_t hash = 0;
    char text[32];
    if (cord_world_hash(world, &hash) != CORD_OK) return;
    snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
    cord__json_string(j, "state_hash", text);
}

static void json_expectations(json *j, const session *s)
{
    cord__json_array(j, "expectations");
    for (int i = 0; i < s->info.expectation_count; i++) {
        cord_expectation e = cord_simulation_get_expectation(s->simulation, i);
        cord__json_object(j, NULL);
        cord__json_string(j, "probe", e.probe);
        cord__json_string(j, "component", e.component);
        cord__json_number(j, "value", e.value);
        cord__json_number(j, "tolerance", e.tolerance);
        cord__json_number(j, "above", e.above);
        cord__json_number(j, "below", e.below);
        cord__json_number(j, "measured", e.measured);
        cord__json_bool(j, "passed", e.passed);
        cord__json_string(j, "because", e.because);
        cord__json_string(j, "regression", e.regression);
        cord__json_end(j, '}');
    }
    cord__json_end(j, ']');
}

static void print_json(json *j, const session *s, const char *path, int code)
{
    cord_counters counters = {0};
    cord_world_get_counters(s->world, &counters);
    cord__json_object(j, NULL);
    cord__json_string(j, "title", s->info.title);
    cord__json_string(j, "scene", path);
    cord__json_integer(j, "exit_code", code);
    cord__json_number(j, "time", cord_world_get_time(s->world));
    cord__json_integer(j, "steps", counters.steps);
    cord__json_number(j, "wall_seconds", wall_clock() - s->started);
    cord__json_string(j, "error", *s->failure ? s->failure : NULL);
    cord__json_string(j, "results", s->recorded ? s->directory : NULL);
    json_warnings(j, s);
    json_hash(j, s->world);
    json_energy(j, s->world);
    json_changes(j, s);
    json_counters(j, s->world);
    json_expectations(j, s);
    if (s->probes) probe_summary_json(s->probes, j);
    cord__json_end(j, '}');
}

/* For a scene with errors. */
static void print_json_errors(json *j, const session *s, const char *path, int code,
                              cord_status status)
{
    const char *error;
    cord__json_object(j, NULL);
    cord__json_string(j, "scene", path);
    cord__json_integer(j, "exit_code", code);
    cord__json_array(j, "errors");
    for (int i = 0; (error = scene_error(s->scene, s->simulation, status, i)); i++)
        cord__json_string(j, NULL, error);
    cord__json_end(j, ']');
    cord__json_end(j, '}');
}

/* ---- session ------------------------------------------------------------------------------ */

/* "gallery/der/heavy-cantilever.yaml" -> "heavy-cantilever-results". */
static void name_directory(const char *path, const char *given, char *directory, size_t size)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    int length = dot && dot > base ? (int)(dot - base) : (int)strlen(base);
    if (given) {
        snprintf(directory, size, "%s", given);
    } else {
        snprintf(directory, size, "%.*s-results", length, base);
    }
}

/* The formats of the options, or of the scene, or all. */
static bool choose_formats(session *s)
{
    if (s->resumed.from) {
        s->formats = cord_format_names(); /* existing files are continued, others begin */
    } else if (s->options->format_count) {
        s->formats = s->options->formats;
    } else if (s->info.outputs) {
        if (!take_format(&s->scene_formats, s->info.outputs)) return false;
        s->formats = s->scene_formats.formats;
    } else {
        s->formats = cord_format_names();
    }
    return true;
}

static int open_recorder(session *s)
{
    const run_options *o = s->options;
    if (o->no_files) return EXIT_GOOD;
    if (!choose_formats(s)) {
        fprintf(stderr, "cordage: run.outputs is \"%s\"; it must be a list of the formats",
                s->info.outputs);
        for (const char *const *name = cord_format_names(); *name; name++)
            fprintf(stderr, "%s%s", name == cord_format_names() ? " " : ", ", *name);
        fputc('\n', stderr);
        return EXIT_SCENE;
    }
    if (s->lock.file < 0 && lock_folder(&s->lock, s->directory) != EXIT_GOOD) return EXIT_ENGINE;
    cord_recorder_def def = cord_recorder_def_default();
    def.directory = s->directory;
    def.formats = s->formats;
    def.overrides = o->scene.overrides;
    char engine[1100];
    def.engine = o->shared_engine ? o->shared_engine : find_engine(engine, sizeof engine);
    def.engine_shared = o->shared_engine != NULL;
    if (s->resumed.from) {
        def.overrides = s->resumed.overrides;
        def.keep = s->resumed.keep;
    }
    cord_status status = cord_recorder_create(s->simulation, &def, &s->recorder);
    s->recorded = status == CORD_OK;
    if (s->recorded) return EXIT_GOOD;
    const char *text = s->recorder ? cord_recorder_get_error(s->recorder) : "";
    return failed(s, "the results cannot be recorded", text, status);
}

/* True when a resumed run is already complete. */
static bool is_complete(const session *s)
{
    if (!s->resumed.from || s->first_time < s->info.until - 1e-6 * s->info.dt) return false;
    if (!s->options->quiet)
        fprintf(
            stderr,
            "cordage: the recording is complete up to %g s; give a later --until to continue it\n",
            s->first_time);
    return true;
}

static int close_recorder(session *s, int code)
{
    cord_status status = cord_recorder_close(s->recorder);
    s->recorder = NULL;
    if (status == CORD_OK || code != EXIT_GOOD) return code;
    fprintf(stderr, "cordage: the results could not be written completely\n");
    return EXIT_ENGINE;
}

/* Closes the results before printing, since writing to a closed pipe ends the process. */
static int run_built(session *s, const char *path, json *j)
{
    s->world = cord_simulation_get_world(s->simulation);
    s->info = cord_scene_get_info(s->scene);
    s->started = s->last_shown = wall_clock();
    s->terminal = isatty(STDERR_FILENO);
    interrupt_catch(true);
    cord_world_set_cancel(s->world, interrupt_cancels, NULL);
    int code = s->resumed.from ? resume_simulation(&s->resumed, s->simulation) : EXIT_GOOD;
    s->first_time = cord_world_get_time(s->world);
    if (code != EXIT_GOOD || is_complete(s)) return code;
    show_warnings(s, path);
    code = pictures_open(&s->options->pictures, s->simulation, &s->pictures);
    if (code == EXIT_GOOD) code = open_recorder(s);
    if (code == EXIT_GOOD && j && !(s->probes = probe_summary_create(s->simulation)))
        code = engine_failure(s, CORD_ERROR_MEMORY, "the summary of the probes");
    bool opened = code == EXIT_GOOD;
    if (opened) code = simulate(s);
    int drawn = pictures_close(s->pictures, opened && code != EXIT_ENGINE);
    if (drawn != EXIT_GOOD) code = drawn;
    code = close_recorder(s, code);
    print_stopped(s);
    if (s->options->finished) s->options->finished(s->options->user, s->simulation);
    if (code == EXIT_GOOD && s->options->check && count_failed(s) > 0) code = EXIT_CHECK_FAILED;
    if (j) {
        print_json(j, s, path, code);
    } else if (opened && !s->options->quiet) {
        print_report(s, path);
    }
    return code;
}

static int read_and_run(session *s, const char *path, json *j)
{
    const char *const *overrides = NULL;
    cord_status status;
    if (s->options->resume) {
        /* Before reading: a recording that is being written is not yet whole. */
        bool exists = access(s->directory, F_OK) == 0;
        int code = exists ? lock_folder(&s->lock, s->directory) : EXIT_GOOD;
        if (code == EXIT_GOOD) code = resume_open(&s->resumed, s->directory, s->options);
        if (code != EXIT_GOOD) return code;
        overrides = s->resumed.overrides;
    }
    int code = open_scene(path, &s->options->scene, overrides, &s->scene, &s->simulation, &status);
    if (code == EXIT_GOOD) return run_built(s, path, j);
    print_errors(s->scene, s->simulation, status);
    if (j) print_json_errors(j, s, path, code, status);
    return code;
}

int run_scene(const char *path, const run_options *options, json *j)
{
    session s = {.options = options, .path = path, .lock = {.file = -1}};
    name_directory(path, options->out, s.directory, sizeof s.directory);
    int code = read_and_run(&s, path, j);
    resume_close(&s.resumed);
    probe_summary_free(s.probes);
    unlock_folder(&s.lock);
    cord_simulation_destroy(s.simulation);
    cord_scene_free(s.scene);
    return code;
}

static int run(int argc, char **argv)
{
    if (asked_for_help(&run_command, argc, argv)) return EXIT_GOOD;
    run_options options = {0};
    const char *path = NULL;
    int count;
    if (!parse_options(&run_command, argc, argv, &options, &path, 1, &count)) return EXIT_USAGE;
    if (count == 0) {
        fprintf(stderr, "cordage run: which scene?\nUsage: cordage run %s\n", run_command.usage);
        return EXIT_USAGE;
    }
    json j;
    scene_input input;
    cord__json_begin(&j, stdout, JSON_LINES);
    if (!scene_input_open(&input, "run", path)) return EXIT_ENGINE;
    if (*input.temporary && !options.out) options.out = "stdin-results";
    int code = run_scene(input.path, &options, options.json ? &j : NULL);
    scene_input_close(&input);
    bool is_plain_name = !strpbrk(path, "/.") && access(path, F_OK) != 0;
    if (code == EXIT_SCENE && is_plain_name) {
        fprintf(stderr, "To run a scene of the gallery: cordage gallery run %s\n", path);
    }
    return code;
}

const command run_command = {
    "run",
    "SCENE [options]",
    "Simulates a scene and records the results",
    "Examples:\n"
    "  cordage run rope.yaml\n"
    "  cordage run rope.yaml --until \"10 s\" --set strands.rope.drag=0.2 --out drag-0.2\n"
    "  cordage run rope.yaml --png rope.png --at 0.5 --colour-by curvature\n"
    "  cordage run rope.yaml --mp4 rope.mp4 --size 1920x1080\n"
    "  cordage run rope.yaml --format hdf5,csv\n"
    "  cordage run - < rope.yaml                         # the scene from the standard input\n"
    "  cordage run rope.yaml --resume                    # after Ctrl-C, or after a crash\n"
    "  cordage run rope.yaml --resume --until \"20 s\"    # longer than at first\n"
    "\n"
    "Ctrl-C finishes the current step, or ends it when it takes long, and keeps the recording; a\n"
    "second Ctrl-C ends the command at once. A run that is killed loses the\n"
    "recording of its last second. Resuming gives the same results, bit for bit, as a run that "
    "was\n"
    "never interrupted.",
    run_option_list,
    run,
};
