#include "gallery.h"
#include "math/nearest.h"

#include "cli.h"
#include "math/json.h"
#include "record/recorder.h"
#include "run.h"
#include "scene/schema.h"

#include <cordage/scene.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_WORDS = 64 };

/* ---- finding the scenes ------------------------------------------------------------------- */

static void add_file(gallery_list *list, const char *path, const char *file)
{
    size_t length = strlen(file);
    bool scene = length > 5 && strcmp(file + length - 5, ".yaml") == 0;
    gallery_entry *e = &list->entries[list->count];
    if (!scene || length - 5 >= sizeof e->name || list->count == MAX_SCENES) return;
    memcpy(e->name, file, length - 5);
    e->name[length - 5] = 0;
    snprintf(e->path, sizeof e->path, "%s", path);
    list->count++;
}

static void search(gallery_list *list, const char *directory, int depth)
{
    DIR *dir = opendir(directory);
    if (!dir) return;
    for (struct dirent *item; (item = readdir(dir));) {
        char path[MAX_PATH];
        int length = snprintf(path, sizeof path, "%s/%s", directory, item->d_name);
        struct stat info;
        bool usable = item->d_name[0] != '.' && length < MAX_PATH && stat(path, &info) == 0;
        if (!usable) continue;
        if (S_ISDIR(info.st_mode) && depth > 0) search(list, path, depth - 1);
        if (S_ISREG(info.st_mode)) add_file(list, path, item->d_name);
    }
    closedir(dir);
}

static int by_path(const void *a, const void *b)
{
    const gallery_entry *x = a, *y = b;
    /* Without the ".yaml", so that "ring" comes before "ring-below". */
    size_t m = strlen(x->path) - 5, n = strlen(y->path) - 5;
    int order = memcmp(x->path, y->path, m < n ? m : n);
    return order ? order : (m > n) - (m < n);
}

static bool is_at_end(const char *path, const char *name)
{
    size_t length = strlen(path) - strlen(".yaml"), n = strlen(name);
    return length > n && strncmp(path + length - n, name, n) == 0 && path[length - n - 1] == '/';
}

/* The scenes whose path ends with this name: "necklace" or "cables/necklace". */
static int count_named(const gallery_list *list, const char *name)
{
    int count = 0;
    for (int i = 0; i < list->count; i++) count += is_at_end(list->entries[i].path, name);
    return count;
}

/* Gives scenes of different folders with the same name the name of their folder, too. */
static void qualify_names(gallery_list *list)
{
    for (int i = 0; i < list->count; i++) {
        gallery_entry *e = &list->entries[i];
        size_t length = strlen(e->path) - strlen(".yaml"), from = length - strlen(e->name) - 1;
        bool shared = count_named(list, e->name) > 1;
        while (shared && from > 0 && e->path[from - 1] != '/') from--;
        if (shared) snprintf(e->name, sizeof e->name, "%.*s", (int)(length - from), e->path + from);
        snprintf(e->file, sizeof e->file, "%s", e->name);
        for (char *c = e->file; *c; c++) *c = *c == '/' ? '-' : *c;
    }
}

/* The first location with scenes: of the user (CORDAGE_HOME), installed, in the sources. */
static bool find_gallery(gallery_list *list)
{
    const char *const roots[] = {
        getenv("CORDAGE_HOME"),
#ifdef CORDAGE_INSTALL_DATA
        CORDAGE_INSTALL_DATA,
#endif
#ifdef CORDAGE_SOURCE_DATA
        CORDAGE_SOURCE_DATA,
#endif
    };
    list->count = 0;
    list->entries = calloc(MAX_SCENES, sizeof *list->entries);
    if (!list->entries) return false;
    for (size_t i = 0; i < sizeof roots / sizeof roots[0] && list->count == 0; i++) {
        char path[MAX_PATH];
        if (!roots[i] || snprintf(path, sizeof path, "%s/gallery", roots[i]) >= MAX_PATH) continue;
        search(list, path, 4);
    }
    qsort(list->entries, (size_t)list->count, sizeof *list->entries, by_path);
    qualify_names(list);
    if (list->count == 0)
        fprintf(stderr, "cordage: no gallery was found; set CORDAGE_HOME to the directory that "
                        "contains gallery/\n");
    return list->count > 0;
}

static const gallery_entry *find_entry(const gallery_list *list, const char *name)
{
    const char *names[MAX_SCENES + 1] = {NULL};
    int count = count_named(list, name);
    if (count > 1) fprintf(stderr, "cordage gallery: \"%s\" can be any of:", name);
    for (int i = 0, told = 0; i < list->count; i++) {
        const gallery_entry *e = &list->entries[i];
        names[i] = e->name;
        if (!is_at_end(e->path, name)) continue;
        if (count == 1) return e;
        fprintf(stderr, "%s %s", told++ ? "," : "", e->name);
    }
    if (count > 1) {
        fputc('\n', stderr);
        return NULL;
    }
    const char *near = cord__nearest_name(name, names);
    fprintf(stderr, "cordage gallery: there is no scene \"%s\"", name);
    if (near) fprintf(stderr, " (did you mean %s?)", near);
    fputc('\n', stderr);
    return NULL;
}

void gallery_print_names(void)
{
    gallery_list list;
    if (find_gallery(&list))
        for (int i = 0; i < list.count; i++) printf("%s\n", list.entries[i].name);
    free(list.entries);
}

const char *figure_word(const char *figure)
{
    return *figure >= '0' && *figure <= '9' ? "figure " : "";
}

/* ---- list --------------------------------------------------------------------------------- */

static void list_entry(const gallery_entry *e, json *j)
{
    cord_scene *scene;
    cord_scene_read(e->path, NULL, &scene);
    cord_scene_info info = {0};
    if (scene) info = cord_scene_get_info(scene);
    if (j) {
        cord__json_object(j, NULL);
        cord__json_string(j, "name", e->name);
        cord__json_string(j, "title", info.title);
        cord__json_string(j, "paper", info.paper);
        cord__json_string(j, "figure", info.figure);
        cord__json_string(j, "path", e->path);
        cord__json_end(j, '}');
    } else {
        printf("%-28s %s", e->name, info.title ? info.title : "");
        if (info.figure) printf(" (%s%s)", figure_word(info.figure), info.figure);
        putchar('\n');
    }
    cord_scene_free(scene);
}

static int gallery_list_all(const gallery_list *list, const run_options *o)
{
    json j;
    cord__json_begin(&j, stdout, JSON_LINES);
    if (o->json) cord__json_array(&j, NULL);
    for (int i = 0; i < list->count; i++) list_entry(&list->entries[i], o->json ? &j : NULL);
    if (o->json) cord__json_end(&j, ']');
    return EXIT_GOOD;
}

/* ---- run and check ------------------------------------------------------------------------ */

static int gallery_run(const gallery_list *list, const run_options *o, const char **names,
                       int count)
{
    if (count != 1) {
        fprintf(stderr, "cordage gallery run: which scene? See: cordage gallery list\n");
        return EXIT_USAGE;
    }
    const gallery_entry *e = find_entry(list, names[0]);
    json j;
    cord__json_begin(&j, stdout, JSON_LINES);
    if (!e) return EXIT_USAGE;
    char directory[sizeof e->file + 16];
    snprintf(directory, sizeof directory, "%s-results", e->file);
    run_options named = *o;
    if (!named.out) named.out = directory;
    return run_scene(e->path, &named, named.json ? &j : NULL);
}

/* The largest exit code counts; all scenes are run even when some fail. */
static int gallery_check(const gallery_list *list, const run_options *options, const char **names,
                         int count)
{
    run_options o = *options;
    o.check = true;
    o.no_files = o.out == NULL;
    int worst = EXIT_GOOD, total = count ? count : list->count;
    json j;
    cord__json_begin(&j, stdout, JSON_LINES);
    if (o.json) cord__json_array(&j, NULL);
    for (int i = 0; i < total && worst < EXIT_SIGNAL; i++) {
        const gallery_entry *e = count ? find_entry(list, names[i]) : &list->entries[i];
        int code = e ? run_scene(e->path, &o, o.json ? &j : NULL) : EXIT_USAGE;
        if (code > worst) worst = code;
        const char *result = code == EXIT_GOOD    ? "passed"
                             : code > EXIT_SIGNAL ? "stopped"
                                                  : "FAILED";
        if (!o.json && !o.quiet && e) printf("%s: %s\n", e->name, result);
    }
    if (o.json) cord__json_end(&j, ']');
    return worst;
}

/* ---- copy --------------------------------------------------------------------------------- */

static bool copy_bytes(FILE *in, FILE *out)
{
    char buffer[8192];
    size_t got;
    while ((got = fread(buffer, 1, sizeof buffer, in)) > 0)
        if (fwrite(buffer, 1, got, out) != got) return false;
    return !ferror(in);
}

/* The line by which editors find the schema. */
static const char schema_line[] = "# yaml-language-server: $schema=scene.schema.json\n";

/* `first` is written before the file. Never overwrites a file, not even an incomplete copy. */
static bool copy_file(const char *from, const char *to, const char *first)
{
    FILE *in = fopen(from, "rb"), *out = in ? fopen(to, "wbx") : NULL;
    int error = errno;
    bool good = out && fputs(first, out) >= 0 && copy_bytes(in, out), read = in != NULL;
    if (in) fclose(in);
    if (out) good = fclose(out) == 0 && good;
    if (!good)
        fprintf(stderr, "cordage gallery copy: cannot write %s: %s\n", read ? to : from,
                strerror(error));
    return good;
}

static bool mentions(const char *path, const char *word)
{
    char line[1024];
    bool found = false;
    FILE *in = fopen(path, "rb");
    while (in && !found && fgets(line, sizeof line, in)) found = strstr(line, word) != NULL;
    if (in) fclose(in);
    return found;
}

/* Copies the files next to a scene that its text names, as in "svg: {file: cat-tail.svg". */
static bool copy_drawings(const gallery_entry *e, const char *folder, bool quiet)
{
    char from[MAX_PATH], path[1200];
    const char *slash = strrchr(e->path, '/');
    int length = slash ? (int)(slash - e->path) : 0;
    snprintf(from, sizeof from, "%.*s", length, e->path);
    DIR *dir = opendir(from);
    bool good = true;
    for (struct dirent *item; dir && good && (item = readdir(dir));) {
        const char *end = strrchr(item->d_name, '.');
        bool scene = end && strcmp(end, ".yaml") == 0;
        if (!end || end == item->d_name || scene || !mentions(e->path, item->d_name)) continue;
        if (snprintf(from, sizeof from, "%.*s/%s", length, e->path, item->d_name) >= MAX_PATH)
            continue;
        snprintf(path, sizeof path, "%.1000s/%.190s", folder, item->d_name);
        good = copy_file(from, path, "");
        if (good && !quiet) printf("%s\n", path);
    }
    if (dir) closedir(dir);
    return good;
}

/* Writes the schema beside the scene, unless one is there. */
static bool write_schema(const char *folder, bool quiet)
{
    char path[1200];
    snprintf(path, sizeof path, "%.1000s/scene.schema.json", folder);
    FILE *out = fopen(path, "wbx");
    if (!out && errno == EEXIST) return true;
    if (out) cord__schema_json(out);
    bool good = out && !ferror(out);
    if (out) good = fclose(out) == 0 && good;
    if (!good)
        fprintf(stderr, "cordage gallery copy: cannot write %s: %s\n", path, strerror(errno));
    if (good && !quiet) printf("%s\n", path);
    return good;
}

/* Copies a scene into --out, or here, for editing. */
static int gallery_copy(const gallery_list *list, const run_options *o, const char **names,
                        int count)
{
    if (count != 1) {
        fprintf(stderr, "cordage gallery copy: which scene? See: cordage gallery list\n");
        return EXIT_USAGE;
    }
    const gallery_entry *e = find_entry(list, names[0]);
    if (!e) return EXIT_USAGE;
    char path[1200];
    const char *folder = o->out ? o->out : ".";
    snprintf(path, sizeof path, "%.1000s/%.160s.yaml", folder, e->file);
    if (!cord__make_directory(folder)) {
        fprintf(stderr, "cordage gallery copy: cannot write %s: %s\n", folder, strerror(errno));
        return EXIT_ENGINE;
    }
    if (!copy_file(e->path, path, schema_line)) return EXIT_ENGINE;
    if (!o->quiet) printf("%s\n", path);
    bool good = copy_drawings(e, folder, o->quiet) && write_schema(folder, o->quiet);
    return good ? EXIT_GOOD : EXIT_ENGINE;
}

/* ---- page --------------------------------------------------------------------------------- */

/* Of all scenes, or of those that are named. */
static int gallery_page_of(const gallery_list *list, const run_options *o, const char **names,
                           int count)
{
    if (count == 0) return gallery_page(list, o);
    gallery_list some = {.entries = calloc((size_t)count, sizeof *some.entries)};
    bool good = some.entries != NULL;
    for (int i = 0; good && i < count; i++) {
        const gallery_entry *e = find_entry(list, names[i]);
        good = e != NULL;
        if (good) some.entries[some.count++] = *e;
    }
    int code = good ? gallery_page(&some, o) : EXIT_USAGE;
    free(some.entries);
    return code;
}

/* ---- the command -------------------------------------------------------------------------- */

static int dispatch(const gallery_list *list, const run_options *o, const char **words, int count)
{
    static const char *const verbs[] = {"list", "run", "check", "copy", "page", NULL};
    const char *verb = count ? words[0] : "list";
    if (strcmp(verb, "list") == 0) return gallery_list_all(list, o);
    if (strcmp(verb, "run") == 0) return gallery_run(list, o, words + 1, count - 1);
    if (strcmp(verb, "check") == 0) return gallery_check(list, o, words + 1, count - 1);
    if (strcmp(verb, "copy") == 0) return gallery_copy(list, o, words + 1, count - 1);
    if (strcmp(verb, "page") == 0) return gallery_page_of(list, o, words + 1, count - 1);
    const char *near = cord__nearest_name(verb, verbs);
    if (count_named(list, verb) > 0) {
        fprintf(stderr, "cordage gallery: to run that scene: cordage gallery run %s\n", verb);
        return EXIT_USAGE;
    }
    fprintf(stderr,
            "cordage gallery: there is no action \"%s\"; use list, run, check, copy or page", verb);
    if (near) fprintf(stderr, " (did you mean %s?)", near);
    fputc('\n', stderr);
    return EXIT_USAGE;
}

static int gallery(int argc, char **argv)
{
    if (asked_for_help(&gallery_command, argc, argv)) return EXIT_GOOD;
    run_options options = {0};
    const char *words[MAX_WORDS];
    int count;
    if (!parse_options(&gallery_command, argc, argv, &options, words, MAX_WORDS, &count)) {
        return EXIT_USAGE;
    }
    gallery_list list;
    int code = find_gallery(&list) ? dispatch(&list, &options, words, count) : EXIT_SCENE;
    free(list.entries);
    return code;
}

const command gallery_command = {
    "gallery",
    "[list | run NAME | check [NAME ...] | copy NAME | page [NAME ...]] [options]",
    "Lists, runs, checks and shows the scenes of the gallery",
    "Examples:\n"
    "  cordage gallery list\n"
    "  cordage gallery run heavy-cantilever\n"
    "  cordage gallery check\n"
    "  cordage gallery copy hanging-rope      # to change it\n"
    "  cordage gallery page --out site",
    run_option_list,
    gallery,
};
