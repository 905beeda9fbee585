/* One snapshot of a frame feeds pages, pictures and recordings: they all contain the same
 * values. */
#include "record/recorder.h"
#include "record/render.h"
#include "record/scalars.h"

#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

/* A rod that is clamped at one end and free at the other, and a ring on a tether; both fall. */
static const char scene_text[] =
    "cordage: 1\n"
    "strands:\n"
    "  - name: rope\n"
    "    shape: {line: {from: [0, 0, 1], to: [1, 0, 1], vertices: 9}}\n"
    "    material: rubber\n"
    "    section: {circle: {radius: 10 mm}}\n"
    "  - name: ring\n"
    "    shape: {ring: {radius: 0.3, vertices: 12}}\n"
    "    material: rubber\n"
    "    section: {circle: {radius: 10 mm}}\n"
    "clamps: [{name: wall, at: rope@start}]\n"
    "points: [{name: hook, at: [0, 0, 1]}]\n"
    "constraints: [{name: tether, kind: distance, first: ring@start, second: hook}]\n"
    "probes: [{name: tip, of: rope@end, measure: position}, {of: rope, measure: curvature}]\n";

typedef struct stage {
    char directory[64], path[128];
    cord_scene *scene;
    cord_simulation *simulation;
    cord_world *world;
    memory mem;
} stage;

static int set_up(void **state)
{
    stage *s = calloc(1, sizeof *s);
    *state = s;
    strcpy(s->directory, "/tmp/cordage-test-XXXXXX");
    assert_non_null(mkdtemp(s->directory));
    snprintf(s->path, sizeof s->path, "%s/scene.yaml", s->directory);
    FILE *file = fopen(s->path, "w");
    fputs(scene_text, file);
    fclose(file);
    assert_int_equal(cord_scene_read(s->path, NULL, &s->scene), CORD_OK);
    assert_int_equal(cord_simulation_create(s->scene, &s->simulation), CORD_OK);
    s->world = cord_simulation_get_world(s->simulation);
    for (int i = 0; i < 20; i++) assert_int_equal(cord_world_step(s->world, 0.005), CORD_OK);
    cord__memory_init(&s->mem, NULL);
    return 0;
}

static int tear_down(void **state)
{
    stage *s = *state;
    cord_simulation_destroy(s->simulation);
    cord_scene_free(s->scene);
    unlink(s->path);
    rmdir(s->directory);
    assert_int_equal(s->mem.bytes, 0);
    free(s);
    return 0;
}

/* ---- the library's queries -------------------------------------------------------------------- */

static void has_what_the_queries_give(void **state)
{
    stage *s = *state;
    snapshot_layout layout;
    char error[SNAPSHOT_ERROR] = "";
    assert_int_equal(cord__snapshot_layout_make(&s->mem, s->simulation, &layout), CORD_OK);
    double *numbers = NEW(&s->mem, double, cord__snapshot_size(&layout));
    frame_snapshot f = cord__snapshot_in(&layout, numbers);
    assert_int_equal(cord__snapshot_take(&f, s->simulation, error), CORD_OK);
    assert_true(*f.time == cord_world_get_time(s->world));
    cord_energy energy;
    assert_int_equal(cord_world_get_energy(s->world, &energy), CORD_OK);
    assert_true(f.energies[0] == energy.kinetic);
    assert_true(f.energies[ENERGY_COUNT - 1] == energy.total);
    assert_string_equal(cord__energy_names[ENERGY_COUNT - 1], "total");
    double tip[3];
    assert_int_equal(cord_simulation_sample(s->simulation, 0, tip), CORD_OK);
    assert_memory_equal(cord__snapshot_probe(&f, 0), tip, sizeof tip);
    for (int i = 0; i < layout.strand_count; i++) {
        double frames[9 * 16], k[3 * 16], scalar[16];
        const snapshot_strand *strand = &layout.strands[i];
        cord_strand handle = cord_simulation_get_strand(s->simulation, i);
        assert_int_equal(cord_strand_get_frames(s->world, handle, frames), CORD_OK);
        const double *kept = cord__snapshot_strand(&f, i, QUANTITY_FRAMES);
        for (int e = 0; e < strand->edge_count; e++)
            assert_memory_equal(kept + 6 * e, frames + 9 * e, 6 * sizeof *kept);
        assert_int_equal(cord_strand_get_curvatures(s->world, handle, k), CORD_OK);
        cord__vertex_scalar(&f, i, SCALAR_CURVATURE, scalar);
        for (int v = 0; v < strand->vertex_count; v++)
            assert_true(scalar[v] == hypot(k[3 * v], k[3 * v + 1]));
    }
    /* The curvature of the rope is largest at its clamp and zero at its free end. */
    double curvature[9];
    cord__vertex_scalar(&f, 0, SCALAR_CURVATURE, curvature);
    assert_true(curvature[0] > curvature[1] && curvature[1] > 0);
    assert_true(curvature[8] == 0 && curvature[7] > 0);
    cord__release(&s->mem, numbers);
    cord__snapshot_layout_free(&s->mem, &layout);
}

/* ---- the page ---------------------------------------------------------------------------------- */

/* Reads little-endian values one after another. */
typedef struct reader {
    const unsigned char *at;
} reader;

static void get(reader *r, void *into, size_t size)
{
    memcpy(into, r->at, size);
    r->at += size;
}

static int base64_digit(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = strchr(digits, c);
    assert_true(c && found);
    return (int)(found - digits);
}

/* The first chunk of a page, unpacked. */
static unsigned char *read_chunk(const char *path)
{
    static char page[1 << 22];
    static unsigned char packed[1 << 16];
    uLongf size = 1 << 20;
    unsigned char *bytes = calloc(1, size);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    size_t length = fread(page, 1, sizeof page - 1, in);
    page[length] = 0;
    fclose(in);
    unlink(path);
    const char *mark = "class=\"frames\">", *text = strstr(strstr(page, "id=\"scene\""), mark);
    assert_non_null(text);
    text += strlen(mark);
    size_t count = 0;
    uint32_t bits = 0;
    for (int n = 0; *text != '<' && *text != '='; text++) {
        bits = bits << 6 | (uint32_t)base64_digit(*text);
        if (++n % 4 != 1) packed[count++] = (unsigned char)(bits >> (6 - 2 * ((n - 1) % 4)));
    }
    assert_int_equal(uncompress(bytes, &size, packed, count), Z_OK);
    return bytes;
}

/* A channel of one frame: each value differs from the one before by z / 2, or -(z + 1) / 2 when z is odd. */
static void read_channel(reader *r, int items, int *values)
{
    const unsigned char *low = r->at + 2, *high = r->at[0] > 8 ? low + items : NULL;
    int mask = (1 << r->at[0]) - 1;
    for (int i = 0, sum = 0; i < items; i++) {
        int z = low[i] | (high ? high[i] << 8 : 0);
        sum += z & 1 ? -(z + 1) / 2 : z / 2;
        values[i] = sum & mask;
    }
    r->at += 2 + (high ? 2 : 1) * items;
}

typedef struct page_scalar {
    float low, high;
    int steps[16]; /* of 255 from low to high */
} page_scalar;

/* The page of one frame, with the scalars of each strand. */
static void read_page(const stage *s, page_scalar scalars[2][SCALAR_COUNT])
{
    static const char *const formats[] = {"html", NULL};
    char path[128];
    cord_recorder *recorder;
    assert_int_equal(cord_recorder_open(s->simulation, s->directory, formats, &recorder), CORD_OK);
    assert_int_equal(cord_recorder_frame(recorder), CORD_OK);
    assert_int_equal(cord_recorder_close(recorder), CORD_OK);
    snprintf(path, sizeof path, "%s/index.html", s->directory);
    unsigned char *bytes = read_chunk(path);
    reader r = {bytes};
    uint32_t frames;
    get(&r, &frames, sizeof frames);
    assert_int_equal(frames, 1);
    r.at += sizeof(double);
    for (int i = 0; i < 2; i++) {
        cord_strand_info info;
        int skipped[16];
        assert_int_equal(
            cord_strand_get_info(s->world, cord_simulation_get_strand(s->simulation, i), &info),
            CORD_OK);
        r.at += 4 * sizeof(double);
        for (int axis = 0; axis < 3; axis++) read_channel(&r, info.vertex_count, skipped);
        read_channel(&r, info.edge_count, skipped);
        for (int k = 0; k < SCALAR_COUNT; k++) {
            get(&r, &scalars[i][k].low, sizeof(float));
            get(&r, &scalars[i][k].high, sizeof(float));
            read_channel(&r, info.vertex_count, scalars[i][k].steps);
        }
    }
    free(bytes);
}

static bool is_built_in(void)
{
    const char *const *name = cord_format_names();
    while (*name && strcmp(*name, "html") != 0) name++;
    return *name != NULL;
}

/* The page has the least and the largest value of a scalar in single precision, and each value in steps
 * of a 255th of the difference. */
static void expect_equal(const picture_strand *drawn, const page_scalar *shown)
{
    double low = INFINITY, high = -INFINITY;
    for (int v = 0; v < drawn->vertices; v++) {
        low = fmin(low, drawn->value[v]), high = fmax(high, drawn->value[v]);
    }
    assert_true(shown->low == (float)low && shown->high == (float)high);
    double step = ((double)shown->high - shown->low) / 255;
    for (int v = 0; v < drawn->vertices; v++) {
        double value = shown->low + step * shown->steps[v];
        assert_close(value, drawn->value[v], 0.501 * step + 1e-6 * fabs(high));
    }
}

static void picture_and_page_agree(void **state)
{
    if (!is_built_in()) skip();
    const stage *s = *state;
    page_scalar scalars[2][SCALAR_COUNT];
    read_page(s, scalars);
    for (int by = CORD_COLOUR_CURVATURE; by <= CORD_COLOUR_SPEED; by++) {
        cord_picture_def def = cord_picture_def_default();
        def.colour_by = (cord_colour_by)by;
        vertex_scalar which = colour_scalar(def.colour_by);
        assert_string_equal(cord_colour_names()[by], cord__scalars[which].name);
        cord_film *film;
        picture p;
        assert_int_equal(cord_film_create(s->simulation, &def, &film), CORD_OK);
        assert_int_equal(cord_film_take(film), CORD_OK);
        assert_int_equal(cord__film_picture(film, 0, &p), CORD_OK);
        assert_int_equal(p.strand_count, 2);
        for (int i = 0; i < 2; i++) expect_equal(&p.strands[i], &scalars[i][which]);
        cord_film_destroy(film);
    }
}

/* ---- released constraints ---------------------------------------------------------------------- */

static int count_markers(cord_film *film, int i, marker_kind kind)
{
    picture p;
    int count = 0;
    assert_int_equal(cord__film_picture(film, i, &p), CORD_OK);
    for (int k = 0; k < p.marker_count; k++) count += p.markers[k].kind == kind;
    return count;
}

/* Neither the link nor its hook is drawn while the tether is released. Without constraints there are only dots. */
static void released_constraints_are_not_drawn(void **state)
{
    const stage *s = *state;
    cord_film *film;
    cord_constraint tether = cord_simulation_get_constraint(s->simulation, 0);
    cord_picture_def def = cord_picture_def_default();
    assert_int_equal(cord_film_create(s->simulation, &def, &film), CORD_OK);
    assert_int_equal(cord_film_take(film), CORD_OK);
    assert_int_equal(count_markers(film, 0, MARKER_DOT), 2);
    assert_int_equal(count_markers(film, 0, MARKER_LINK), 0);
    cord_film_destroy(film);
    def.constraints = true;
    assert_int_equal(cord_film_create(s->simulation, &def, &film), CORD_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(cord_constraint_set_attached(s->world, tether, i != 1), CORD_OK);
        assert_int_equal(cord_film_take(film), CORD_OK);
        assert_int_equal(count_markers(film, i, MARKER_LINK), i != 1);
        assert_int_equal(count_markers(film, i, MARKER_BALL), i != 1);
        assert_int_equal(count_markers(film, i, MARKER_BLOCK), 1);
    }
    unsigned char *rgba = malloc(4 * 1280 * 720);
    assert_int_equal(cord_film_draw_together(film, rgba), CORD_OK);
    free(rgba);
    cord_film_destroy(film);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(has_what_the_queries_give, set_up, tear_down),
        cmocka_unit_test_setup_teardown(picture_and_page_agree, set_up, tear_down),
        cmocka_unit_test_setup_teardown(released_constraints_are_not_drawn, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
