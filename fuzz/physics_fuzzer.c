/* Fuzzer of the physics: values, units, counts and integrators of valid scenes are changed, and the result is stepped. A
 * scene that is refused, and a step that fails, say why. A step that succeeds leaves a finite state, whose energy has not
 * grown where nothing drives the motion. Every case runs in a process of its own: a crash and an endless loop are findings. */
#include "math/vec3.h"
#include "scene/simulation_data.h"
#include "world/world.h"

#include <ctype.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* No step is begun after LONG_ENOUGH seconds of computing; a single one that takes CASE_SECONDS is taken for endless. */
enum { STEPS = 60, CHANGES = 3, LONG_ENOUGH = 2, CASE_SECONDS = 60, TEXT = 1 << 16 };

/* The engine's own limit is a factor of 4 between checks; it is taken from the state after the first step. */
static const double GROWTH = 8, ROUND_OFF = 1e-12;

static uint64_t random_state = 1;

/* xorshift64* [Marsaglia 2003; Vigna 2016] */
static uint64_t any(uint64_t below)
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return (random_state * 2685821657736338717ull >> 11) % below;
}

/* ---- mutations -------------------------------------------------------------------------------- */

typedef struct number {
    char *at;
    size_t length;
} number;

/* Whether a number begins here: not within a name, a colour or another number. */
static bool begins_number(const char *text, const char *c)
{
    if (!isdigit((unsigned char)*c)) return false;
    if (c == text) return true;
    unsigned char before = (unsigned char)c[-1];
    return !isalnum(before) && before != '.' && before != '#' && before != '_' && before != '^';
}

/* A number of the text after its first line, which is the version. */
static number any_number(char *text)
{
    int count = 0, chosen = 0;
    for (int pass = 0; pass < 2; pass++) {
        char *c = strchr(text, '\n');
        for (count = 0; c && *c; c++) {
            char *end;
            if (!begins_number(text, c)) continue;
            strtod(c, &end);
            if (pass == 1 && count == chosen) return (number){c, (size_t)(end - c)};
            count++;
            c = end - 1;
        }
        if (count == 0) break;
        if (pass == 0) chosen = (int)any((uint64_t)count);
    }
    return (number){NULL, 0};
}

/* Whether the number counts something: it is changed by small factors, so that no case is merely large. */
static bool is_count(const char *text, number n)
{
    static const char *const keys[] = {"count", "vertices", "elements", "parts", "turns", "every"};
    const char *line = n.at;
    while (line > text && line[-1] != '\n') line--;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *key = strstr(line, keys[i]);
        if (key && key < n.at) return true;
    }
    return false;
}

static void replace(char *text, number n, const char *by)
{
    size_t more = strlen(by);
    if (strlen(text) + more >= TEXT) return;
    memmove(n.at + more, n.at + n.length, strlen(n.at + n.length) + 1);
    memcpy(n.at, by, more);
}

static void change_number(char *text)
{
    static const double factors[] = {0.5,  2,   0.9,  1.1,  0,     -1,   1e3,
                                     1e-3, 1e9, 1e-9, 1e30, 1e-30, 1e160};
    number n = any_number(text);
    char by[64];
    if (!n.at) return;
    size_t choices = is_count(text, n) ? 6 : sizeof factors / sizeof *factors;
    double factor = factors[any(choices)];
    snprintf(by, sizeof by, "%.9g", strtod(n.at, NULL) * factor);
    replace(text, n, by);
}

/* One unit of length, time or mass by another one of its kind. */
static void change_unit(char *text)
{
    static const char *const units[][2] = {{" cm", " m"}, {" mm", " km"}, {" m", " mm"},
                                           {" ms", " s"}, {" s", " us"},  {" kg", " g"},
                                           {" g", " t"},  {" N", " kN"},  {" GPa", " Pa"}};
    size_t which = any(sizeof units / sizeof *units), count = 0;
    const char *unit = units[which][0];
    for (int pass = 0, chosen = 0; pass < 2; pass++) {
        size_t seen = 0;
        for (char *c = strstr(text, unit); c; c = strstr(c + 1, unit)) {
            bool whole = c > text && isdigit((unsigned char)c[-1]) &&
                         !isalnum((unsigned char)c[strlen(unit)]);
            if (!whole) continue;
            if (pass == 1 && seen == (size_t)chosen) {
                replace(text, (number){c, strlen(unit)}, units[which][1]);
                return;
            }
            seen++;
        }
        count = seen;
        if (count == 0) return;
        chosen = (int)any(count);
    }
}

static void change_integrator(char *text)
{
    static const char *const by[] = {"integrator: symplectic",   "integrator: midpoint",
                                     "integrator: quasi-static", "scheme: tr-bdf2",
                                     "scheme: backward-euler",   "scheme: linearised",
                                     "scheme: semi-implicit",    "scheme: semi-implicit-velocity"};
    char key[80];
    char *world = strstr(text, "\nworld: {");
    const char *chosen = by[any(sizeof by / sizeof *by)];
    if (strstr(text, "integrator:") || strstr(text, "scheme:")) return;
    snprintf(key, sizeof key, world ? "%s, " : "world: {%s}\n", chosen);
    char *at = world ? world + strlen("\nworld: {") : strchr(text, '\n') + 1;
    replace(text, (number){at, 0}, key);
}

static void mutate(char *text)
{
    for (uint64_t i = 0, changes = 1 + any(CHANGES); i < changes; i++) {
        uint64_t kind = any(8);
        if (kind == 0)
            change_integrator(text);
        else if (kind == 1)
            change_unit(text);
        else
            change_number(text);
    }
}

/* ---- one case, in a child ---------------------------------------------------------------------- */

static int finding(const char *why)
{
    fprintf(stderr, "physics_fuzzer: %s\n", why);
    return 1;
}

static bool all_finite(const double *x, int count)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

static bool state_is_finite(const cord_world *w)
{
    const problem *p = &w->problem;
    return all_finite(p->now.q, p->q_count) && all_finite(p->now.v, p->v_count);
}

/* As energy_check.c, by its own account of the steps. */
typedef struct balance {
    bool known;
    double motion_and_strain, gravity, largest;
} balance;

static bool grows(balance *b, const cord_energy *e, double least)
{
    double now = e->total - e->gravity;
    if (!b->known) *b = (balance){true, now, e->gravity, now};
    double available = b->motion_and_strain + b->gravity - e->gravity;
    b->largest = fmax(b->largest, available);
    return now - available > GROWTH * b->largest + least + ROUND_OFF * fabs(e->gravity);
}

/* With more unknowns, one step with sanitizers takes as long as one that hangs. */
enum { MOST_UNKNOWNS = 10000 };

static int step_all(cord_simulation *simulation, const cord_scene_info *info)
{
    cord_world *w = cord_simulation_get_world(simulation);
    balance b = {0};
    cord_counters counters = {0};
    if (cord_world_get_counters(w, &counters) != CORD_OK || counters.unknowns > MOST_UNKNOWNS)
        return 0;
    for (int i = 0; i < STEPS && clock() < LONG_ENOUGH * CLOCKS_PER_SEC; i++) {
        cord_energy e;
        cord_status status = cord_simulation_step(simulation, info->dt);
        if (!state_is_finite(w)) return finding("the state is not finite");
        if (status != CORD_OK)
            return *cord_world_get_error(w) ? 0 : finding("a step failed without a message");
        if (cord__is_driven(w) || cord_world_get_energy(w, &e) != CORD_OK) continue;
        if (!isfinite(e.total)) return finding("the energy is not finite");
        if (grows(&b, &e, w->energy_check.least)) return finding("the energy grows without drive");
    }
    return 0;
}

static int run_scene(const char *text)
{
    cord_scene *scene;
    cord_simulation *simulation = NULL;
    cord_status status = cord__scene_read_text(text, strlen(text), &scene);
    int code = 0;
    if (status != CORD_OK) {
        code = cord_scene_get_error_count(scene) > 0 ? 0 : finding("refused without a message");
    } else if (cord_simulation_create(scene, &simulation) != CORD_OK) {
        bool said = cord_simulation_get_error_count(simulation) > 0;
        code = said ? 0 : finding("not built, without a message");
    } else {
        cord_scene_info info = cord_scene_get_info(scene);
        code = step_all(simulation, &info);
    }
    cord_simulation_destroy(simulation);
    cord_scene_free(scene);
    return code;
}

static int run_in_child(const char *text)
{
    int status = -1;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_CPU, &(struct rlimit){CASE_SECONDS, CASE_SECONDS + 1});
        _exit(run_scene(text));
    }
    if (child > 0) waitpid(child, &status, 0);
    return status;
}

/* ---- all of them ------------------------------------------------------------------------------- */

static bool read_text(const char *path, char text[TEXT])
{
    FILE *in = fopen(path, "rb");
    size_t size = in ? fread(text, 1, TEXT - 1, in) : 0;
    text[size] = 0;
    if (in) fclose(in);
    return size > 0;
}

static bool run_case(const char *path, uint64_t seed)
{
    static char text[TEXT];
    random_state = seed;
    if (!read_text(path, text)) return finding("a scene cannot be read") == 0;
    mutate(text);
    int status = run_in_child(text);
    if (status == 0) return true;
    char to[64];
    snprintf(to, sizeof to, "physics-finding-%llu.yaml", (unsigned long long)seed);
    FILE *out = fopen(to, "wb");
    if (out) fputs(text, out), fclose(out);
    if (WIFSIGNALED(status))
        fprintf(stderr, "physics_fuzzer: %s\n",
                WTERMSIG(status) == SIGXCPU ? "no end in sight" : strsignal(WTERMSIG(status)));
    fprintf(stderr, "physics_fuzzer: from %s; see %s\n", path, to);
    return false;
}

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    if (argc < 5) {
        fprintf(stderr, "usage: physics_fuzzer CASES SECONDS SEED SCENE...\n");
        return 2;
    }
    uint64_t cases = strtoull(argv[1], NULL, 10), seed = strtoull(argv[3], NULL, 10), done = 0;
    uint64_t wrong = 0;
    double began = seconds_now(), most = strtod(argv[2], NULL);
    for (; done < cases && seconds_now() - began < most; done++) {
        const char *path = argv[4 + done % (uint64_t)(argc - 4)];
        wrong += !run_case(path, 1 + seed * 1000003 + done * 7919);
    }
    printf("physics_fuzzer: %llu cases, %llu findings\n", (unsigned long long)done,
           (unsigned long long)wrong);
    return wrong > 0;
}
