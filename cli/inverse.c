#include "cli.h"
#include "math/json.h"

#include "scene/simulation_data.h"
#include "strand/traits.h"

#include <cordage/cordage.h>
#include <cordage/scene.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAMES = 64 };

typedef struct inverse_options {
    scene_options scene;
    cord_inverse_def def;
    const char *out;
    bool json;
    int strand_count;
    const char *strands[MAX_NAMES + 1];
} inverse_options;

/* ---- options -------------------------------------------------------------------------------- */

static bool take_strand(void *target, const char *text)
{
    inverse_options *o = target;
    if (o->strand_count == MAX_NAMES) return false;
    o->strands[o->strand_count++] = text;
    return true;
}

static bool take_rotate(void *target, const char *text)
{
    (void)text;
    return ((inverse_options *)target)->def.rotate = true;
}

static bool take_stiffen(void *target, const char *text)
{
    (void)text;
    return ((inverse_options *)target)->def.stiffen = true;
}

static bool take_margin(void *target, const char *text)
{
    quantity q;
    char error[128];
    if (!cord__parse_quantity(text, &q, error, sizeof error)) return false;
    if (q.has_unit && !q.percent) return false;
    ((inverse_options *)target)->def.margin = q.value;
    return q.value >= 0 && isfinite(q.value);
}

static bool take_out(void *target, const char *text)
{
    ((inverse_options *)target)->out = text;
    return *text != 0;
}

static bool take_json(void *target, const char *text)
{
    (void)text;
    return ((inverse_options *)target)->json = true;
}

static const option inverse_option_list[] = {
    {"--strand", "NAME", "only this strand; may be repeated; default: every chain", take_strand},
    {"--rotate", NULL, "first rotate strands about bases that are free to rotate, into balance",
     take_rotate},
    {"--stiffen", NULL, "stiffen strands that would be unstable", take_stiffen},
    {"--margin", "PART", "additional stiffness as a fraction; default: 10%", take_margin},
    {"--out", "NEW.yaml", "write a scene in which the strands are at rest", take_out},
    SCENE_OPTIONS,
    {"--json", NULL, "print JSON, with the natural curvatures", take_json},
    {NULL, NULL, NULL, NULL},
};

/* ---- finding -------------------------------------------------------------------------------- */

typedef struct finding {
    const strand_data *strand;
    cord_strand_info info; /* before */
    cord_inverse_result before, found;
    cord_status status;
    const char *why; /* of a failure */
    double *natural; /* 6 × elements */
    double young;    /* Young's modulus before, which the scene's `rest` may have raised, Pa */
    bool turned;
} finding;

typedef struct inversion {
    const inverse_options *options;
    cord_scene *scene;
    cord_simulation *simulation;
    cord_world *world; /* of the simulation */
    arena memory;
    int count;
    finding *list;
} inversion;

static bool is_selected(const inverse_options *o, const char *name)
{
    for (int i = 0; i < o->strand_count; i++) {
        if (strcmp(o->strands[i], name) == 0) return true;
    }
    return o->strand_count == 0;
}

static int check_names(const inversion *a)
{
    const inverse_options *o = a->options;
    for (int i = 0; i < o->strand_count; i++) {
        const symbol *s = cord__find_symbol(a->scene, o->strands[i]);
        bool strand = s && s->kind == SUBJECT_STRAND;
        const char *model =
            strand ? ITEM(a->scene->data.strands, strand_data, s->index)->model : NULL;
        if (strand && cord__strand_traits(model)->has_elements) continue;
        fprintf(stderr, "cordage inverse: \"%s\" is not a chain (segment, helix, clothoid)%s%s\n",
                o->strands[i], strand ? "; its model is " : ": the scene has no such strand",
                strand ? model : "");
        return EXIT_USAGE;
    }
    return EXIT_GOOD;
}

static bool acts_at_first(const load_data *l)
{
    const drive_key *first = l->keys.count ? ITEM(l->keys, drive_key, 0) : NULL;
    bool acts = first && first->t < 0;
    for (int k = 0; k < 3; k++)
        acts = acts || l->force[k] != 0 || (first && first->value.values[k] != 0);
    return acts;
}

/* A lower density does not reduce loads. */
static bool is_loaded(const inversion *a, const char *name)
{
    for (int i = 0; i < a->scene->data.loads.count; i++) {
        const load_data *l = ITEM(a->scene->data.loads, load_data, i);
        if (l->where.name && strcmp(l->where.name, name) == 0 && acts_at_first(l)) return true;
    }
    return false;
}

static cord_status find_base_pose(cord_world *w, cord_strand strand, double *position,
                                  double *frame)
{
    cord_point_def def = cord_point_def_default();
    cord_point base;
    def.source = CORD_SOURCE_STRAND;
    def.strand = strand;
    cord_status status = cord_world_add_point(w, &def, &base);
    return status == CORD_OK ? cord_point_get_pose(w, base, position, frame) : status;
}

/* First as given, then stiffened if required. */
static cord_status find_one(inversion *a, finding *f)
{
    cord_strand handle = cord__strand_handle(a->simulation, f->strand);
    cord_inverse_def def = a->options->def;
    double position[3], before[9], after[9];
    cord_status status = cord_strand_get_info(a->world, handle, &f->info);
    if (status == CORD_OK) status = find_base_pose(a->world, handle, position, before);
    if (status != CORD_OK) return status;
    def.stiffen = false;
    status = cord_strand_find_natural_shape(a->world, handle, &def, &f->before);
    f->found = f->before;
    if (status == CORD_OK && a->options->def.stiffen && !f->before.stable)
        status = cord_strand_find_natural_shape(a->world, handle, &a->options->def, &f->found);
    if (status != CORD_OK) return status;
    status = find_base_pose(a->world, handle, position, after);
    for (int i = 0; i < 9; i++) f->turned = f->turned || fabs(after[i] - before[i]) > 1e-12;
    f->natural = TAKE(&a->memory, double, 6 * f->info.element_count);
    if (!f->natural) return CORD_ERROR_MEMORY;
    return status == CORD_OK
               ? cord_strand_get_element_curvatures(a->world, handle, NULL, f->natural)
               : status;
}

static double young_of(const strand_data *s, const cord_inverse_result *rest)
{
    double factor = s->rest && rest->applied_factor > 0 ? rest->applied_factor : 1;
    return s->material ? s->material->young * factor : 0;
}

static int find_all(inversion *a)
{
    int code = check_names(a), strands = a->scene->data.strands.count;
    if (code != EXIT_GOOD) return code;
    a->list = TAKE(&a->memory, finding, strands);
    for (int i = 0; a->list && i < strands; i++) {
        const strand_data *s = ITEM(a->scene->data.strands, strand_data, i);
        if (!cord__strand_traits(s->model)->has_elements || !is_selected(a->options, s->name))
            continue;
        finding *f = &a->list[a->count++];
        f->strand = s;
        f->young = young_of(s, &a->simulation->strands[i].rest);
        f->status = find_one(a, f);
        const char *why = cord_world_get_error(a->world);
        if (f->status != CORD_OK) f->why = cord__arena_text(&a->memory, why, strlen(why));
        if (f->status != CORD_OK && f->status != CORD_ERROR_UNSTABLE) {
            fprintf(stderr, "cordage: %s: %s\n", s->name, why);
            return EXIT_ENGINE;
        }
        if (f->status != CORD_OK || !f->found.stable) code = EXIT_CHECK_FAILED;
    }
    if (a->memory.failed) return EXIT_ENGINE;
    if (a->count > 0) return code;
    fprintf(stderr, "cordage inverse: the scene has no chain (model segment, helix or clothoid)\n");
    return EXIT_SCENE;
}

/* ---- report --------------------------------------------------------------------------------- */

static void print_bound(double ratio)
{
    if (ratio > 0) {
        printf(" %11.4g", ratio);
    } else {
        printf(" %11s", "any");
    }
}

static void print_row(const inversion *a, const finding *f)
{
    const cord_inverse_result *r = &f->before;
    printf("%-16s %8d", f->strand->name, f->info.element_count);
    if (f->status != CORD_OK) {
        printf(" %11s %11s %11s  %-7s %9s %9s %9s\n", "-", "-", "-", "no", "-", "-", "-");
        return;
    }
    printf(" %11.4g", r->stiffness_ratio);
    print_bound(r->sufficient_ratio);
    print_bound(r->sharp_ratio);
    printf("  %-7s", r->stable ? "yes" : "no");
    if (r->stable) {
        printf(" %9s %9s", "", "");
    } else if (is_loaded(a, f->strand->name)) {
        printf(" %9.4g %9s", r->stability_factor, "-");
    } else {
        printf(" %9.4g %9.4g", r->stability_factor, 1 / r->stability_factor);
    }
    printf(" %9.1e\n", f->found.residual);
}

static void print_advice(const inversion *a, const finding *f)
{
    const strand_data *s = f->strand;
    double factor = f->before.stability_factor;
    if (f->status != CORD_OK) {
        printf("%s cannot be at rest as drawn: %s.\n", s->name, f->why);
        return;
    }
    if (f->before.stable) return;
    printf("%s would be unstable at rest: it needs ", s->name);
    if (s->material) {
        printf("a Young's modulus above %.4g MPa (%.4g times the present one)",
               1e-6 * f->young * factor, factor);
        if (!is_loaded(a, s->name))
            printf(", or a density below %.4g kg/m^3", s->material->density / factor);
    } else {
        printf("stiffnesses above %.4g times the present ones", factor);
    }
    if (f->found.applied_factor > 1)
        printf("; it is stable with %.4g times the stiffness", f->found.applied_factor);
    printf(".\n");
}

static void print_table(const inversion *a)
{
    printf("%-16s %8s %11s %11s %11s  %-7s %9s %9s %9s\n", "strand", "elements", "EI/rhoS",
           "sufficient", "sharp", "stable", "E times", "rho times", "residual");
    printf("%-16s %8s %11s %11s %11s\n", "", "", "(m^4/s^2)", "(m^4/s^2)", "(m^4/s^2)");
    for (int i = 0; i < a->count; i++) print_row(a, &a->list[i]);
    for (int i = 0; i < a->count; i++) print_advice(a, &a->list[i]);
}

static void json_finding(json *j, const inversion *a, const finding *f)
{
    bool good = f->status == CORD_OK;
    cord__json_object(j, NULL);
    cord__json_string(j, "strand", f->strand->name);
    cord__json_string(j, "model", f->strand->model);
    cord__json_integer(j, "elements", f->info.element_count);
    cord__json_bool(j, "found", good);
    cord__json_string(j, "error", f->why);
    if (good) {
        cord__json_number(j, "ratio", f->before.stiffness_ratio);
        cord__json_number(j, "sufficient_ratio", f->before.sufficient_ratio);
        cord__json_number(j, "sharp_ratio", f->before.sharp_ratio);
        cord__json_bool(j, "stable", f->before.stable);
        cord__json_number(j, "stiffen", f->before.stability_factor);
        if (!is_loaded(a, f->strand->name) && f->before.stability_factor > 0)
            cord__json_number(j, "lighten", 1 / f->before.stability_factor);
        cord__json_number(j, "stiffened", f->found.applied_factor);
        cord__json_bool(j, "stable_now", f->found.stable);
        cord__json_bool(j, "rotated", f->turned);
        cord__json_number(j, "residual", f->found.residual);
        cord__json_array(j, "natural_curvatures");
        for (int i = 0; i < 2 * f->info.element_count; i++) {
            cord__json_array(j, NULL);
            for (int k = 0; k < 3; k++) cord__json_number(j, NULL, f->natural[3 * i + k]);
            cord__json_end(j, ']');
        }
        cord__json_end(j, ']');
    }
    cord__json_end(j, '}');
}

static void print_json(const inversion *a, const char *path)
{
    json j;
    cord__json_begin(&j, stdout, JSON_LINES);
    cord__json_object(&j, NULL);
    cord__json_string(&j, "scene", path);
    cord__json_array(&j, "strands");
    for (int i = 0; i < a->count; i++) json_finding(&j, a, &a->list[i]);
    cord__json_end(&j, ']');
    cord__json_end(&j, '}');
}

/* ---- writing -------------------------------------------------------------------------------- */

static void write_quoted(FILE *out, const char *text, size_t length)
{
    fputc('"', out);
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"' || text[i] == '\\') fputc('\\', out);
        fputc(text[i], out);
    }
    fputs("\"\n", out);
}

static void write_vectors(FILE *out, const char *key, int count, const double *k, bool planar)
{
    fprintf(out, "    %s:\n", key);
    for (int i = 0; i < count; i++, k += 3) {
        if (planar) {
            fprintf(out, "      - %.17g\n", k[1]);
        } else {
            fprintf(out, "      - [%.17g, %.17g, %.17g]\n", k[0], k[1], k[2]);
        }
    }
}

static void remove_keys(FILE *out, const strand_data *s, const char *const *keys)
{
    for (; *keys; keys++) {
        if (cord__node_get(s->at, *keys)) fprintf(out, "    %s: ~\n", *keys);
    }
}

/* A rotated strand no longer has its drawn shape: it is written by its curvatures. */
static bool write_rotated(FILE *out, inversion *a, const finding *f)
{
    static const char *const keys[] = {"shape",   "director", "initial_twist",
                                       "perturb", "offset",   NULL};
    const strand_data *s = f->strand;
    bool nodes = cord__strand_traits(s->model)->has_nodal_curvature;
    int n = f->info.element_count;
    double position[3], frame[9], *k = TAKE(&a->memory, double, 3 * (n + 1));
    cord_strand handle = cord__strand_handle(a->simulation, s);
    if (!k || cord_strand_get_element_curvatures(a->world, handle, k, NULL) != CORD_OK ||
        find_base_pose(a->world, handle, position, frame) != CORD_OK)
        return false;
    remove_keys(out, s, keys);
    fprintf(out, "    elements: %d\n    samples: %d\n    length: %.17g\n", n, f->info.vertex_count,
            f->info.length);
    write_vectors(out, "curvatures", nodes ? n + 1 : n, k, s->chain.planar);
    fprintf(out, "    base:\n      position: [%.17g, %.17g, %.17g]\n      frame:\n", position[0],
            position[1], position[2]);
    for (int i = 0; i < 3; i++)
        fprintf(out, "        - [%.17g, %.17g, %.17g]\n", frame[3 * i], frame[3 * i + 1],
                frame[3 * i + 2]);
    if (s->chain.base && !s->chain.base->frame.values) {
        if (cord__node_get(s->chain.base->at, "tangent")) fprintf(out, "      tangent: ~\n");
        if (cord__node_get(s->chain.base->at, "director")) fprintf(out, "      director: ~\n");
    }
    return true;
}

static void write_stiffness(FILE *out, const inversion *a, const finding *f)
{
    const strand_data *s = f->strand;
    cord_strand_info now;
    double young = f->young * f->found.applied_factor;
    if (s->material) {
        if (young == s->material->young) return;
        fprintf(out, "    material: {density: %.17g, young: %.17g, poisson: %.17g}\n",
                s->material->density, young, s->material->poisson);
    } else if (cord_strand_get_info(a->world, cord__strand_handle(a->simulation, s), &now) ==
               CORD_OK) {
        fprintf(out, "    section: {explicit: {bending: [%.17g, %.17g], twisting: %.17g}}\n",
                now.bending[0], now.bending[1], now.twisting);
    }
}

/* Copies of an array are not written one by one: their item gets the key `rest`. */
static void write_array(FILE *out, const inversion *a, const finding *f)
{
    static const char *const keys[] = {"natural", "natural_curvatures", "natural_director",
                                       "natural_twist", NULL};
    const cord_inverse_def *def = &a->options->def;
    fprintf(out, "  - name: ");
    write_quoted(out, f->strand->name, strcspn(f->strand->name, "["));
    remove_keys(out, f->strand, keys);
    fprintf(out, "    rest: {rotate_base: %s, stiffen: %s, margin: %.17g}\n",
            def->rotate ? "yes" : "no", def->stiffen ? "yes" : "no", def->margin);
}

static bool write_strand(FILE *out, inversion *a, const finding *f)
{
    static const char *const keys[] = {"rest", "natural", "natural_director", "natural_twist",
                                       NULL};
    const strand_data *s = f->strand;
    fprintf(out, "  - name: ");
    write_quoted(out, s->name, strlen(s->name));
    remove_keys(out, s, keys);
    if (f->turned && !write_rotated(out, a, f)) return false;
    if (!f->turned) fprintf(out, "    elements: %d\n", f->info.element_count);
    write_vectors(out, "natural_curvatures", 2 * f->info.element_count, f->natural,
                  s->chain.planar);
    write_stiffness(out, a, f);
    return true;
}

static bool same_array(const finding *f, const finding *last)
{
    size_t length = strcspn(f->strand->name, "[");
    return last && strncmp(f->strand->name, last->strand->name, length + 1) == 0;
}

/* The path of the old scene in the new one: relative in the same folder, absolute otherwise. */
static void name_from(const char *new_path, const char *path, char *name)
{
    const char *slash = strrchr(path, '/'), *new_slash = strrchr(new_path, '/');
    size_t folder = slash ? (size_t)(slash - path) : 0;
    size_t new_folder = new_slash ? (size_t)(new_slash - new_path) : 0;
    if (folder == new_folder && strncmp(path, new_path, folder) == 0) {
        snprintf(name, PATH_MAX, "%s", slash ? slash + 1 : path);
    } else if (!realpath(path, name)) {
        snprintf(name, PATH_MAX, "%s", path);
    }
}

static bool write_scene(FILE *out, inversion *a, const char *path)
{
    char name[PATH_MAX];
    const finding *last = NULL;
    bool good = true;
    name_from(a->options->out, path, name);
    fprintf(out,
            "# Strands at rest as drawn, found by cordage inverse. The entries below change the\n"
            "# strands of these names; ~ removes a key.%s\ncordage: 1\ninclude: ",
            *name == '/' ? " The scene is in another folder: read it with --allow-outside." : "");
    write_quoted(out, name, strlen(name));
    fprintf(out, "strands:\n");
    for (int i = 0; i < a->count; i++) {
        const finding *f = &a->list[i];
        if (f->status != CORD_OK) continue;
        if (!strchr(f->strand->name, '[')) {
            good = write_strand(out, a, f) && good;
        } else if (!same_array(f, last)) {
            write_array(out, a, f);
        }
        last = f;
    }
    return good;
}

static int write_out(inversion *a, const char *path)
{
    char old[PATH_MAX], new[PATH_MAX];
    if (realpath(path, old) && realpath(a->options->out, new) && strcmp(old, new) == 0) {
        fprintf(
            stderr,
            "cordage inverse: --out would overwrite the scene it includes; give another file\n");
        return EXIT_USAGE;
    }
    FILE *out = fopen(a->options->out, "w");
    bool good = out && write_scene(out, a, path) && !ferror(out);
    if (out && fclose(out) != 0) good = false;
    if (good) return EXIT_GOOD;
    fprintf(stderr, "cordage: %s cannot be written: %s\n", a->options->out, strerror(errno));
    return EXIT_ENGINE;
}

/* ---- the command ---------------------------------------------------------------------------- */

static int find_and_report(inversion *a, const char *path)
{
    int code = find_all(a);
    if (code != EXIT_GOOD && code != EXIT_CHECK_FAILED) return code;
    if (a->options->json) {
        print_json(a, path);
    } else {
        print_table(a);
    }
    int written = a->options->out ? write_out(a, path) : EXIT_GOOD;
    return written == EXIT_GOOD ? code : written;
}

static int invert_scene(const char *path, const inverse_options *options)
{
    inversion a = {.options = options};
    int code = open_scene_or_say(path, &options->scene, &a.scene, &a.simulation);
    cord__arena_init(&a.memory, NULL);
    if (code == EXIT_GOOD) {
        a.world = cord_simulation_get_world(a.simulation);
        code = find_and_report(&a, path);
    }
    cord__arena_free(&a.memory);
    cord_simulation_destroy(a.simulation);
    cord_scene_free(a.scene);
    return code;
}

static int inverse(int argc, char **argv)
{
    if (asked_for_help(&inverse_command, argc, argv)) return EXIT_GOOD;
    inverse_options options = {.def = cord_inverse_def_default()};
    const char *path = NULL;
    int count;
    if (!parse_options(&inverse_command, argc, argv, &options, &path, 1, &count)) return EXIT_USAGE;
    if (count == 0) {
        fprintf(stderr, "cordage inverse: which scene?\nUsage: cordage inverse %s\n",
                inverse_command.usage);
        return EXIT_USAGE;
    }
    if (options.out && options.scene.override_count > 0) {
        fprintf(stderr,
                "cordage inverse: --out includes the scene file without the changes of --set; "
                "make the changes in the scene instead\n");
        return EXIT_USAGE;
    }
    return invert_scene(path, &options);
}

const command inverse_command = {
    "inverse",
    "SCENE [options]",
    "Finds natural shapes for which strands are at rest as drawn",
    "For the chains of a scene (models segment, helix, clothoid), under gravity and its loads. A "
    "strand\n"
    "is stable there if EI/rhoS is above the sharp bound; the sufficient bound -lambda_N/gamma_N "
    "is\n"
    "that of [SC 2012, eq. 23]. The key \"rest\" of the scene is applied before.\n"
    "\n"
    "--out writes a scene that includes SCENE and changes these strands: their "
    "natural_curvatures, and\n"
    "with --stiffen their material. Exit code 1: a strand is unstable, or cannot be at rest "
    "there.\n"
    "\n"
    "Examples:\n"
    "  cordage inverse flowers.yaml\n"
    "  cordage inverse flowers.yaml --stiffen --margin 20% --out standing.yaml",
    inverse_option_list,
    inverse,
};
