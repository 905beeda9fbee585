/* cordage validate: the command line, and the loop over suites and checks. */
#include "math/json.h"
#include "validation/context.h"
#include "validation/report.h"
#include <string.h>
#include <time.h>

enum { MAX_NAMES = 32 };

typedef struct options {
    const char *suites[MAX_NAMES], *only[MAX_NAMES];
    int suite_count, only_count;
    const char *report;
    bool list, json, quick, complete, help;
} options;

static const char usage[] =
    "usage: cordage validate [SUITE…] [--list] [--only NAME] [--json] [--report DIR] [--quick | "
    "--complete]\n";

static bool listed(const char *name, const char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

static bool suite_exists(const char *name)
{
    for (int i = 0; validation_suites[i] != NULL; i++)
        if (strcmp(name, validation_suites[i]->name) == 0) return true;
    return false;
}

static bool check_exists(const char *name)
{
    for (int i = 0; validation_suites[i] != NULL; i++)
        for (const validation_check *c = validation_suites[i]->checks; c->name != NULL; c++)
            if (strcmp(name, c->name) == 0) return true;
    return false;
}

static bool complain(const char *what, const char *name)
{
    fprintf(stderr,
            "cordage validate: %s '%s'; `cordage validate --list` lists the suites and checks\n%s",
            what, name, usage);
    return false;
}

/* The value of an option, from the same argument after '=' or from the next one. */
static const char *value_of(int argc, char **argv, int *i, const char *option)
{
    size_t length = strlen(option);
    if (strncmp(argv[*i], option, length) != 0) return NULL;
    if (argv[*i][length] == '=') return argv[*i] + length + 1;
    if (argv[*i][length] != '\0' || *i + 1 >= argc) return NULL;
    return argv[++*i];
}

static bool parse_option(int argc, char **argv, int *i, options *o)
{
    const char *argument = argv[*i], *value;
    if (strcmp(argument, "--list") == 0)
        o->list = true;
    else if (strcmp(argument, "--json") == 0)
        o->json = true;
    else if (strcmp(argument, "--quick") == 0)
        o->quick = true;
    else if (strcmp(argument, "--complete") == 0)
        o->complete = true;
    else if (strcmp(argument, "--help") == 0)
        o->help = true;
    else if ((value = value_of(argc, argv, i, "--report")) != NULL)
        o->report = value;
    else if ((value = value_of(argc, argv, i, "--only")) != NULL) {
        if (!check_exists(value)) return complain("no check", value);
        if (o->only_count == MAX_NAMES) return complain("too many names at", value);
        o->only[o->only_count++] = value;
    } else
        return complain("unknown or incomplete option", argument);
    return true;
}

static bool parse(int argc, char **argv, options *o)
{
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-') {
            if (!parse_option(argc, argv, &i, o)) return false;
            continue;
        }
        if (!suite_exists(argv[i])) return complain("no suite", argv[i]);
        if (o->suite_count == MAX_NAMES) return complain("too many names at", argv[i]);
        o->suites[o->suite_count++] = argv[i];
    }
    return true;
}

static bool wanted(const options *o, const validation_suite *s, const validation_check *c)
{
    return (o->suite_count == 0 || listed(s->name, o->suites, o->suite_count)) &&
           (o->only_count == 0 || listed(c->name, o->only, o->only_count));
}

static void list(const options *o)
{
    json j;
    cord__json_begin(&j, stdout, JSON_LINES);
    if (o->json) cord__json_array(&j, NULL);
    for (int i = 0; validation_suites[i] != NULL; i++) {
        const validation_suite *s = validation_suites[i];
        if (!o->json) printf("%s: %s\n", s->name, s->about);
        for (const validation_check *c = s->checks; c->name != NULL; c++) {
            if (!wanted(o, s, c)) continue;
            if (!o->json) {
                printf("  %-22s %s\n", c->name, c->about);
                continue;
            }
            cord__json_inline_object(&j, NULL);
            cord__json_string(&j, "suite", s->name);
            cord__json_string(&j, "name", c->name);
            cord__json_string(&j, "about", c->about);
            cord__json_end(&j, '}');
        }
    }
    if (o->json) cord__json_end(&j, ']');
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void run_check(validation *v, report *r, const options *o, const validation_suite *s,
                      const validation_check *c)
{
    v->check = c;
    v->check_first_row = v->row_count;
    if (!o->json) {
        printf("%s: %s\n", s->name, c->name);
        fflush(stdout);
    }
    report_check_begin(r, v);
    double start = now();
    c->run(v);
    double seconds = now() - start;
    /* A check without rows is a failure. */
    if (v->row_count == v->check_first_row) validation_fail(v, c->name, "the check added no rows");
    report_check_end(r, v, s->name, seconds);
    if (!o->json) {
        print_rows(stdout, v, v->check_first_row, v->row_count);
        printf("  %.1f s\n\n", seconds);
        fflush(stdout);
    }
}

static void summarise(const validation *v)
{
    int passed = 0, skipped = 0;
    for (int i = 0; i < v->row_count; i++)
        passed += v->rows[i].passed, skipped += v->rows[i].skipped;
    printf("%d of %d rows passed", passed, v->row_count);
    if (skipped > 0) printf(", %d not run", skipped);
    puts(v->out_of_memory ? "; out of memory, rows were lost" : "");
}

int cordage_validate(int argc, char **argv)
{
    options o = {0};
    if (!parse(argc, argv, &o)) return 64;
    if (o.help) {
        fputs(usage, stdout);
        return 0;
    }
    if (o.quick && o.complete) {
        complain("--quick excludes", "--complete");
        return 64;
    }
    if (o.list) {
        list(&o);
        return 0;
    }
    validation v = {.quick = o.quick, .complete = o.complete};
    report r = {0};
    if (o.report != NULL && !report_open(&r, o.report)) return 3;
    for (int i = 0; validation_suites[i] != NULL; i++)
        for (const validation_check *c = validation_suites[i]->checks; c->name != NULL; c++)
            if (wanted(&o, validation_suites[i], c)) run_check(&v, &r, &o, validation_suites[i], c);
    if (o.json)
        print_json(stdout, &v);
    else
        summarise(&v);
    bool passed = report_close(&r, &v) && validation_passed(&v);
    validation_free(&v);
    return passed ? 0 : 1;
}
