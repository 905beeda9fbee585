/* cordage bench: the command line, rows, and the loop over suites and measurements. */
#include "bench/bench.h"
#include "bench/calibration.h"
#include "bench/report.h"
#include "math/json.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_NAMES = 32, TEXT_SLOTS = 16, TEXT_SIZE = 160 };

struct bench {
    const char *suites[MAX_NAMES], *only[MAX_NAMES];
    int suite_count, only_count;
    bool list, json, quick, help;
    const char *report, *pyelastica; /* folders, or NULL */
    bool failed;                     /* a measurement failed, or a row was lost */
    double pace; /* time of the calibration loop over that of the reference processor */
    row *rows;
    int row_count, row_capacity;
    curve_point *points;
    int point_count, point_capacity;
    char texts[TEXT_SLOTS][TEXT_SIZE];
    int next_text;
};

static const char usage[] =
    "usage: cordage bench [SUITE…] [--list] [--only NAME] [--json] [--quick] [--report DIR]\n"
    "                     [--pyelastica DIR]\n";

double bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double bench_processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- rows ------------------------------------------------------------------------------------ */

bool bench_met(const row *r)
{
    return isfinite(r->value) && (r->at_least ? r->value >= r->limit : r->value <= r->limit);
}

static void print_row(const row *r)
{
    printf("  %-34s %-34s %12.5g %-10s", r->name, r->metric, r->value, r->unit);
    if (r->has_bar) printf(r->at_least ? " at least %.5g" : " bar %.5g", r->bar);
    if (r->has_bar && r->limit != r->bar) printf(", here %.4g", r->limit);
    if (r->has_bar) printf(": %s", bench_met(r) ? "met" : "NOT MET");
    putchar('\n');
    fflush(stdout);
}

/* Room for one more entry of `size` bytes; NULL marks the run as failed. */
static void *grown(bench *b, void *items, int count, int *capacity, size_t size)
{
    if (count < *capacity) return items;
    int wanted = *capacity ? 2 * *capacity : 64;
    void *more = realloc(items, (size_t)wanted * size);
    if (more == NULL)
        b->failed = true;
    else
        *capacity = wanted;
    return more;
}

static void add_row(bench *b, row r)
{
    row *rows = grown(b, b->rows, b->row_count, &b->row_capacity, sizeof *rows);
    if (rows == NULL) return;
    b->rows = rows;
    r.name = strdup(r.name), r.metric = strdup(r.metric), r.unit = strdup(r.unit);
    b->rows[b->row_count++] = r;
    if (r.name == NULL || r.metric == NULL || r.unit == NULL)
        b->failed = true;
    else if (!b->json)
        print_row(&r);
}

void bench_row(bench *b, const char *name, const char *metric, double value, const char *unit)
{
    add_row(b, (row){(char *)name, (char *)metric, (char *)unit, value, NAN, NAN, false, false});
}

/* Seconds and their parts, per something or not. */
static bool is_time(const char *unit)
{
    static const char *const times[] = {"s", "ms", "us", "µs", "ns"};
    size_t length = strcspn(unit, "/");
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (strlen(times[i]) == length && strncmp(unit, times[i], length) == 0) return true;
    return false;
}

void bench_bar(bench *b, const char *name, const char *metric, double value, const char *unit,
               double bar)
{
    double limit = is_time(unit) ? bar * b->pace : bar;
    add_row(b, (row){(char *)name, (char *)metric, (char *)unit, value, bar, limit, true, false});
}

void bench_least(bench *b, const char *name, const char *metric, double value, const char *unit,
                 double bar)
{
    add_row(b, (row){(char *)name, (char *)metric, (char *)unit, value, bar, bar, true, true});
}

void bench_point(bench *b, const char *curve, int elements, double cost)
{
    bench_row(b, bench_text(b, "%s, n = %d", curve, elements), "time per element and step", cost,
              "ns");
    curve_point *points = grown(b, b->points, b->point_count, &b->point_capacity, sizeof *points);
    if (points == NULL) return;
    b->points = points;
    b->points[b->point_count] = (curve_point){strdup(curve), elements, cost / b->pace};
    if (b->points[b->point_count].curve) b->point_count++;
}

void bench_note(bench *b, const char *text)
{
    if (!b->json) printf("  %s\n", text);
}

void bench_fail(bench *b, const char *reason)
{
    fprintf(stderr, "cordage bench: %s\n", reason);
    b->failed = true;
}

const char *bench_pyelastica_folder(const bench *b)
{
    return b->pyelastica;
}

bool bench_ok(bench *b, const cord_world *world, cord_status status, const char *subject)
{
    if (status == CORD_OK) return true;
    const char *message = world ? cord_world_get_error(world) : "";
    if (message[0] == '\0') message = cord_status_text(status);
    fprintf(stderr, "cordage bench: %s: %s\n", subject, message);
    b->failed = true;
    return false;
}

bool bench_quick(const bench *b)
{
    return b->quick;
}

const char *bench_text(bench *b, const char *format, ...)
{
    char *text = b->texts[b->next_text];
    b->next_text = (b->next_text + 1) % TEXT_SLOTS;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, TEXT_SIZE, format, arguments);
    va_end(arguments);
    return text;
}

static void print_json(const bench *b)
{
    json j;
    cord__json_begin(&j, stdout, JSON_LINES);
    cord__json_array(&j, NULL);
    for (int i = 0; i < b->row_count; i++) {
        const row *r = &b->rows[i];
        cord__json_object(&j, NULL);
        cord__json_string(&j, "name", r->name);
        cord__json_string(&j, "metric", r->metric);
        cord__json_number(&j, "value", r->value);
        cord__json_string(&j, "unit", r->unit);
        if (r->has_bar) {
            cord__json_number(&j, "bar", r->bar);
            cord__json_number(&j, "limit", r->limit);
            cord__json_bool(&j, "met", bench_met(r));
        }
        cord__json_end(&j, '}');
    }
    cord__json_end(&j, ']');
}

static void summarise(const bench *b)
{
    int bars = 0, met_count = 0;
    for (int i = 0; i < b->row_count; i++)
        if (b->rows[i].has_bar) bars++, met_count += bench_met(&b->rows[i]);
    printf("%d of %d bars met%s\n", met_count, bars, b->failed ? "; some measurements failed" : "");
}

/* ---- command line ---------------------------------------------------------------------------- */

static bool listed(const char *name, const char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

static bool suite_exists(const char *name)
{
    for (int i = 0; bench_suites[i] != NULL; i++)
        if (strcmp(name, bench_suites[i]->name) == 0) return true;
    return false;
}

static bool measurement_exists(const char *name)
{
    for (int i = 0; bench_suites[i] != NULL; i++)
        for (const bench_measurement *m = bench_suites[i]->measurements; m->name != NULL; m++)
            if (strcmp(name, m->name) == 0) return true;
    return false;
}

static bool report_usage(const char *problem, const char *name)
{
    fprintf(stderr,
            "cordage bench: %s '%s'; `cordage bench --list` lists the suites and measurements\n%s",
            problem, name, usage);
    return false;
}

/* An option with a value: its target, or NULL. */
static const char **valued(bench *b, const char *option)
{
    if (strcmp(option, "--report") == 0) return &b->report;
    if (strcmp(option, "--pyelastica") == 0) return &b->pyelastica;
    return NULL;
}

static bool parse_option(int argc, char **argv, int *i, bench *b)
{
    const char *argument = argv[*i];
    if (strcmp(argument, "--json") == 0)
        b->json = true;
    else if (strcmp(argument, "--quick") == 0)
        b->quick = true;
    else if (strcmp(argument, "--list") == 0)
        b->list = true;
    else if (strcmp(argument, "--help") == 0)
        b->help = true;
    else if (strcmp(argument, "--only") == 0 && *i + 1 < argc) {
        const char *name = argv[++*i];
        if (!measurement_exists(name)) return report_usage("there is no measurement", name);
        if (b->only_count == MAX_NAMES) return report_usage("too many names, from", name);
        b->only[b->only_count++] = name;
    } else if (valued(b, argument) && *i + 1 < argc)
        *valued(b, argument) = argv[++*i];
    else
        return report_usage("unknown or incomplete option", argument);
    return true;
}

static bool parse(int argc, char **argv, bench *b)
{
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-') {
            if (!parse_option(argc, argv, &i, b)) return false;
            continue;
        }
        if (!suite_exists(argv[i])) return report_usage("there is no suite", argv[i]);
        if (b->suite_count == MAX_NAMES) return report_usage("too many names, from", argv[i]);
        b->suites[b->suite_count++] = argv[i];
    }
    return true;
}

static void list(const bench *b)
{
    json j;
    cord__json_begin(&j, stdout, JSON_LINES);
    if (b->json) cord__json_array(&j, NULL);
    for (int i = 0; bench_suites[i] != NULL; i++) {
        const bench_suite *s = bench_suites[i];
        if (b->suite_count > 0 && !listed(s->name, b->suites, b->suite_count)) continue;
        if (!b->json) printf("%s: %s\n", s->name, s->about);
        for (const bench_measurement *m = s->measurements; m->name != NULL; m++) {
            if (b->only_count > 0 && !listed(m->name, b->only, b->only_count)) continue;
            if (!b->json) {
                printf("  %-12s %s\n", m->name, m->about);
                continue;
            }
            cord__json_inline_object(&j, NULL);
            cord__json_string(&j, "suite", s->name);
            cord__json_string(&j, "name", m->name);
            cord__json_string(&j, "about", m->about);
            cord__json_end(&j, '}');
        }
    }
    if (b->json) cord__json_end(&j, ']');
}

static void run_suite(bench *b, const bench_suite *s)
{
    if (b->suite_count > 0 && !listed(s->name, b->suites, b->suite_count)) return;
    for (const bench_measurement *m = s->measurements; m->name != NULL; m++) {
        if (b->only_count > 0 && !listed(m->name, b->only, b->only_count)) continue;
        b->pace = bench_calibration() / bench_calibration_reference;
        if (!b->json)
            printf("%s: %s (this processor takes %.2f of the reference's time)\n", s->name,
                   m->about, b->pace);
        m->run(b);
    }
}

static void free_rows(bench *b)
{
    for (int i = 0; i < b->row_count; i++) {
        free(b->rows[i].name);
        free(b->rows[i].metric);
        free(b->rows[i].unit);
    }
    free(b->rows);
    for (int i = 0; i < b->point_count; i++) free(b->points[i].curve);
    free(b->points);
}

int cordage_bench(int argc, char **argv)
{
    bench b = {0};
    if (!parse(argc, argv, &b)) return 64;
    if (b.help) {
        fputs(usage, stdout);
        return 0;
    }
    if (b.list) {
        list(&b);
        return 0;
    }
    for (int i = 0; bench_suites[i] != NULL; i++) run_suite(&b, bench_suites[i]);
    if (b.json)
        print_json(&b);
    else
        summarise(&b);
    if (b.report && !bench_write_report(b.report, &(bench_results){b.row_count, b.point_count,
                                                                   b.rows, b.points, b.pace}))
        b.failed = true;
    free_rows(&b);
    return b.failed ? 1 : 0;
}
