#include "cli.h"
#include "math/json.h"
#include "matrix_picture.h"

#include "world/world.h"

#include <cordage/simulation.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct matrix_options {
    scene_options scene;
    int cluster; /* from 1; 0: all */
    const char *png;
    bool json;
} matrix_options;

static bool take_cluster(void *target, const char *text)
{
    char *end;
    long n = strtol(text, &end, 10);
    ((matrix_options *)target)->cluster = (int)n;
    return end != text && *end == 0 && n > 0 && n < 1000000000;
}

static bool take_png(void *target, const char *text)
{
    ((matrix_options *)target)->png = text;
    return *text != 0;
}

static bool take_json(void *target, const char *text)
{
    (void)text;
    return ((matrix_options *)target)->json = true;
}

static const option matrix_option_list[] = {
    {"--cluster", "N", "only this cluster, from 1; default: all", take_cluster},
    {"--png", "FILE", "draw the sparsity pattern; without --cluster, of the largest cluster",
     take_png},
    SCENE_OPTIONS,
    {"--json", NULL, "print JSON", take_json},
    {NULL, NULL, NULL, NULL},
};

/* ---- output --------------------------------------------------------------------------------- */

static const char *solver_name(const cluster *s)
{
    return s->private_solve ? "private" : s->banded ? "band" : "sparse";
}

static void print_head(void)
{
    printf("%32s%20s%46s%36s\n", "", "multipliers of", "half-bandwidth", "entries of L");
    printf("%-8s%7s%8s%9s%9s%11s%10s", "cluster", "objects", "solver", "dofs", "strands",
           "constraints", "entries");
    for (int i = 0; i < 2; i++) printf("%12s%12s%12s", "assembled", "RCM", "cordage");
    printf("\n");
}

static void print_cluster(int number, const cluster *s, const cluster_matrix *x)
{
    printf("%-8d%7d%8s%9d%9d%11d%10lld", number, s->blocks, solver_name(s), x->count[UNKNOWN_DOF],
           x->count[UNKNOWN_BLOCK_ROW], x->count[UNKNOWN_CONSTRAINT_ROW], cord__matrix_entries(x));
    for (int i = 0; i < MATRIX_ORDERS; i++) printf("%12d", x->half_bandwidth[i]);
    for (int i = 0; i < MATRIX_ORDERS; i++) printf("%12zu", x->factor_entries[i]);
    printf("\n");
}

static void json_cluster(json *j, const cord_world *w, int number, const cluster *s,
                         const cluster_matrix *x)
{
    static const char *const names[MATRIX_ORDERS] = {"assembled", "cuthill_mckee", "cordage"};
    cord__json_object(j, NULL);
    cord__json_integer(j, "cluster", number);
    cord__json_array(j, "objects");
    for (int k = 0; k < s->blocks; k++) {
        char label[64];
        cord__json_string(j, NULL, cord__object_label(w, s->block[k], label, sizeof label));
    }
    cord__json_end(j, ']');
    cord__json_string(j, "solver", solver_name(s));
    cord__json_integer(j, "unknowns", x->unknowns);
    cord__json_integer(j, "dofs", x->count[UNKNOWN_DOF]);
    cord__json_integer(j, "strand_rows", x->count[UNKNOWN_BLOCK_ROW]);
    cord__json_integer(j, "constraint_rows", x->count[UNKNOWN_CONSTRAINT_ROW]);
    cord__json_integer(j, "entries", cord__matrix_entries(x));
    for (int i = 0; i < MATRIX_ORDERS; i++) {
        cord__json_object(j, names[i]);
        cord__json_integer(j, "half_bandwidth", x->half_bandwidth[i]);
        cord__json_integer(j, "factor_entries", (long long)x->factor_entries[i]);
        cord__json_end(j, '}');
    }
    cord__json_end(j, '}');
}

/* ---- the command ---------------------------------------------------------------------------- */

static int largest(const partition *p)
{
    int best = 0;
    for (int i = 1; i < p->clusters; i++)
        if (p->cluster[i].unknowns > p->cluster[best].unknowns) best = i;
    return best;
}

static int out_of_memory(void)
{
    fprintf(stderr, "cordage: %s\n", cord_status_text(CORD_ERROR_MEMORY));
    return EXIT_ENGINE;
}

static int draw(cord_world *w, const matrix_options *o, int index)
{
    cluster_matrix x;
    memory *m = &w->memory;
    if (cord__matrix_read(&x, m, &w->problem, w->partition.cluster + index) != CORD_OK)
        return out_of_memory();
    cord_status status = matrix_picture(&x, m, o->png);
    int error = errno;
    cord__matrix_free(&x, m);
    if (status == CORD_OK) return EXIT_GOOD;
    if (status == CORD_ERROR_MEMORY) return out_of_memory();
    fprintf(stderr, "cordage: %s cannot be written: %s\n", o->png, strerror(error));
    return EXIT_ENGINE;
}

static int report(cord_world *w, const matrix_options *o, const char *path)
{
    const partition *p = &w->partition;
    int first = o->cluster ? o->cluster - 1 : 0, last = o->cluster ? o->cluster : p->clusters;
    if (o->cluster > p->clusters) {
        fprintf(stderr, "cordage matrix: there is no cluster %d; the scene has %d\n", o->cluster,
                p->clusters);
        return EXIT_USAGE;
    }
    if (p->clusters == 0) {
        fprintf(stderr, "cordage matrix: the scene has no strand or body that can move\n");
        return EXIT_SCENE;
    }
    json j;
    cord__json_begin(&j, stdout, JSON_LINES);
    if (o->json) {
        cord__json_object(&j, NULL);
        cord__json_string(&j, "scene", path);
        cord__json_array(&j, "clusters");
    } else {
        print_head();
    }
    for (int i = first; i < last; i++) {
        cluster_matrix x;
        if (cord__matrix_read(&x, &w->memory, &w->problem, p->cluster + i) != CORD_OK)
            return out_of_memory();
        if (o->json)
            json_cluster(&j, w, i + 1, p->cluster + i, &x);
        else
            print_cluster(i + 1, p->cluster + i, &x);
        cord__matrix_free(&x, &w->memory);
    }
    if (o->json) {
        cord__json_end(&j, ']');
        cord__json_end(&j, '}');
    }
    return o->png ? draw(w, o, o->cluster ? first : largest(p)) : EXIT_GOOD;
}

static int open_and_report(const char *path, const matrix_options *options)
{
    cord_scene *scene;
    cord_simulation *simulation;
    int code = open_scene_or_say(path, &options->scene, &scene, &simulation);
    cord_world *world = cord_simulation_get_world(simulation);
    if (code == EXIT_GOOD) code = report(world, options, path);
    cord_simulation_destroy(simulation);
    cord_scene_free(scene);
    return code;
}

static int matrix(int argc, char **argv)
{
    if (asked_for_help(&matrix_command, argc, argv)) return EXIT_GOOD;
    matrix_options options = {0};
    const char *path = NULL;
    int count;
    if (!parse_options(&matrix_command, argc, argv, &options, &path, 1, &count)) return EXIT_USAGE;
    if (count == 0) {
        fprintf(stderr, "cordage matrix: which scene?\nUsage: cordage matrix %s\n",
                matrix_command.usage);
        return EXIT_USAGE;
    }
    return open_and_report(path, &options);
}

const command matrix_command = {
    "matrix",
    "SCENE [options]",
    "Shows the matrices of a scene and the effect of elimination orders",
    "Strands and bodies coupled by constraints form a cluster and are solved as one system. "
    "Listed\n"
    "are, for each cluster, its degrees of freedom, the multipliers of strands and of constraints, "
    "the\n"
    "entries of the matrix, and for three elimination orders the half-bandwidth and the entries "
    "of\n"
    "the factor L: as assembled (strand by strand, then the constraints), by reverse "
    "Cuthill-McKee\n"
    "(RCM), and the order of Cordage (minimum degree, every multiplier after the unknowns it\n"
    "couples). L is without pivoting, which is only possible in the last order.\n"
    "\n"
    "solver: sparse; band, of a single strand; or private, the elimination of a strand model.\n"
    "\n"
    "Examples:\n"
    "  cordage matrix bridge.yaml\n"
    "  cordage matrix bridge.yaml --cluster 1 --png bridge-matrix.png",
    matrix_option_list,
    matrix,
};
