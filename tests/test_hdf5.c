/* A recording returns the recorded values, and a world restored from it continues bit for bit;
 * files that are no recordings, are truncated, or belong to another scene are refused with a
 * message. */
#include "math/rotation.h"
#include "record/export.h"
#include "record/hdf5_values.h"
#include "record/reading.h"

#include <cordage/cordage.h>
#include <cordage/record.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char scene_text[] =
    "cordage: 1\n"
    "title: A test \"of\" recording\n"
    "run: {until: 0.2 s, dt: 1 ms, frames: 100 Hz}\n"
    "strands:\n"
    "  - name: rope\n"
    "    shape: {line: {from: [0, 0, 1], to: [1, 0, 1], vertices: 9}}\n"
    "    material: nylon\n"
    "    section: {circle: {radius: 5 mm}}\n"
    "  - name: hoop\n"
    "    shape: {ring: {radius: 20 cm, vertices: 12}}\n"
    "    material: rubber\n"
    "    section: {rectangle: {width: 8 mm, height: 2 mm}}\n"
    "clamps: [{name: hook, at: rope@start}]\n"
    "probes: [{name: tip, of: rope@end, measure: position}, {of: rope, measure: tension}]\n"
    "expect: [{probe: tip, component: z, at: 15 ms, below: 1, because: it falls}]\n";

/* Many strands: a frame of their positions is longer than a chunk; and one that has no curvatures. */
static const char crowd_text[] =
    "cordage: 1\n"
    "let: {n: 3}\n"
    "run: {until: 0.2 s, dt: 1 ms, frames: 100 Hz}\n"
    "strands:\n"
    "  - name: hair\n"
    "    repeat: {count: $n, offset: [1 mm, 0, 0]}\n"
    "    shape: {line: {from: [0, 0, 1], to: [10 cm, 0, 1], vertices: 10 + 40 * $i}}\n"
    "    material: rubber\n"
    "    section: {circle: {radius: 1 mm}}\n"
    "bodies:\n"
    "  - {name: crate, shape: {box: {size: [30 cm, 30 cm, 30 cm]}}, mass: 20 kg, position: [-0.2, "
    "0, -1]}\n"
    "  - {name: ball, shape: {sphere: {radius: 10 cm}}, mass: 18 kg, position: [0.2, 0, -1], "
    "colour: red}\n"
    "pulleys: [{name: sheave, at: [0, 0, 0], radius: 20 cm, axis: [0, 1, 0]}]\n"
    "cables: [{name: rope, density: 0.2 kg/m, route: [crate, over sheave, ball]}]\n"
    "probes:\n"
    "  - {name: height, of: ball, measure: position}\n"
    "  - {name: pull, of: \"hair[$i]\", measure: tension, repeat: {count: $n}}\n";

/* A rod that falls on the floor within the first frames, and a ball that none touches. */
static const char contact_text[] =
    "cordage: 1\n"
    "run: {until: 0.2 s, dt: 1 ms, frames: 100 Hz}\n"
    "obstacles:\n"
    "  - {name: ball, sphere: {radius: 1 cm}, at: [0, 0, 1]}\n"
    "  - {name: floor, plane: {}}\n"
    "strands:\n"
    "  - name: rod\n"
    "    shape: {line: {from: [0, 0, 10.5 mm], to: [50 cm, 0, 10.5 mm], vertices: 9}}\n"
    "    material: rubber\n"
    "    section: {circle: {radius: 1 cm}}\n";

enum { STEPS = 60, STRIDE = 5, BREAK = 23 };

typedef struct place {
    char directory[64], scene[128], recording[128];
} place;

typedef struct stage {
    cord_scene *scene;
    cord_simulation *simulation;
    cord_world *world;
    cord_recorder *recorder;
} stage;

static void write_file(const char *path, const char *text, size_t size)
{
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(text, 1, size, out), size);
    assert_int_equal(fclose(out), 0);
}

static place make_place(void)
{
    place p = {"/tmp/cordage-hdf5-XXXXXX", "", ""};
    assert_non_null(mkdtemp(p.directory));
    snprintf(p.scene, sizeof p.scene, "%s/scene.yaml", p.directory);
    snprintf(p.recording, sizeof p.recording, "%s/recording.h5", p.directory);
    write_file(p.scene, scene_text, sizeof scene_text - 1);
    return p;
}

static void remove_place(const place *p)
{
    unlink(p->scene);
    unlink(p->recording);
    assert_int_equal(rmdir(p->directory), 0);
}

static void build(stage *s, const char *path, const char *const *overrides)
{
    memset(s, 0, sizeof *s);
    cord_status status = cord_scene_read(path, overrides, &s->scene);
    for (int i = 0; status != CORD_OK && i < cord_scene_get_error_count(s->scene); i++)
        print_error("%s\n", cord_scene_get_error(s->scene, i));
    assert_int_equal(status, CORD_OK);
    assert_int_equal(cord_simulation_create(s->scene, &s->simulation), CORD_OK);
    s->world = cord_simulation_get_world(s->simulation);
}

static void record(stage *s, const char *directory, int64_t keep)
{
    static const char *const formats[] = {"hdf5", NULL};
    cord_recorder_def def = cord_recorder_def_default();
    def.directory = directory;
    def.formats = formats;
    def.keep = keep;
    cord_status status = cord_recorder_create(s->simulation, &def, &s->recorder);
    if (status != CORD_OK) print_error("%s\n", cord_recorder_get_error(s->recorder));
    assert_int_equal(status, CORD_OK);
}

static void frame(stage *s)
{
    cord_status status = cord_recorder_frame(s->recorder);
    if (status != CORD_OK) print_error("%s\n", cord_recorder_get_error(s->recorder));
    assert_int_equal(status, CORD_OK);
}

static void step(stage *s, int from, int to)
{
    for (int i = from; i <= to; i++) {
        assert_int_equal(cord_world_step(s->world, 1e-3), CORD_OK);
        assert_int_equal(cord_simulation_observe(s->simulation, i == STEPS), CORD_OK);
        if (i % STRIDE == 0) frame(s);
    }
}

static void finish(stage *s)
{
    assert_int_equal(cord_recorder_close(s->recorder), CORD_OK);
    cord_simulation_destroy(s->simulation);
    cord_scene_free(s->scene);
}

static reading *must_open(const char *path)
{
    reading *r;
    cord_status status = cord__reading_open(path, &r);
    if (status != CORD_OK) print_error("%s\n", cord__reading_error(r));
    assert_int_equal(status, CORD_OK);
    return r;
}

/* ---- round trip ---------------------------------------------------------------------------- */

static void expect_strands(const reading_info *info)
{
    assert_int_equal(info->layout.strand_count, 2);
    assert_string_equal(info->layout.strands[0].name, "rope");
    assert_int_equal(info->layout.strands[0].vertex_count, 9);
    assert_false(info->layout.strands[0].closed);
    assert_true(info->layout.strands[0].section.radius == 5e-3);
    assert_true(info->layout.strands[1].closed);
    assert_int_equal(info->layout.strands[1].edge_count, 12);
    assert_int_equal(info->layout.strands[1].section.kind, CORD_SECTION_RECTANGLE);
    for (int q = 0; q < QUANTITY_COUNT; q++) assert_true(info->layout.strands[1].has[q]);
}

static void expect_last_frame(reading *r, const stage *s)
{
    const reading_info *info = cord__reading_info(r);
    double x[27], recorded[27], frames[9 * 12], some[6 * 12], time;
    assert_int_equal(cord__reading_time(r, info->frames - 1, &time), CORD_OK);
    assert_true(time == cord_world_get_time(s->world));
    cord_strand rope = cord_simulation_get_strand(s->simulation, 0),
                hoop = cord_simulation_get_strand(s->simulation, 1);
    cord_strand_get_positions(s->world, rope, x);
    assert_int_equal(cord__reading_strand(r, 0, QUANTITY_POSITIONS, info->frames - 1, recorded),
                     CORD_OK);
    assert_memory_equal(x, recorded, sizeof x);
    cord_strand_get_velocities(s->world, rope, x);
    assert_int_equal(cord__reading_strand(r, 0, QUANTITY_VELOCITIES, info->frames - 1, recorded),
                     CORD_OK);
    assert_memory_equal(x, recorded, sizeof x);
    cord_strand_get_frames(s->world, hoop, frames);
    assert_int_equal(cord__reading_strand(r, 1, QUANTITY_FRAMES, info->frames - 1, some), CORD_OK);
    for (int e = 0; e < 12; e++) {
        for (int c = 0; c < 6; c++) assert_true((float)frames[9 * e + c] == some[6 * e + c]);
    }
    assert_int_equal(cord_simulation_sample(s->simulation, 0, x), CORD_OK);
    assert_int_equal(cord__reading_probe(r, 0, info->frames - 1, recorded), CORD_OK);
    assert_memory_equal(x, recorded, 3 * sizeof *x);
}

/* A whole frame has the same values as its parts. */
static void expect_whole_frame(reading *r)
{
    const snapshot_layout *l = &cord__reading_info(r)->layout;
    int64_t last = cord__reading_info(r)->frames - 1;
    double *numbers = calloc(cord__snapshot_size(l), sizeof *numbers), part[6 * 12];
    assert_non_null(numbers);
    frame_snapshot f = cord__snapshot_in(l, numbers);
    assert_int_equal(cord__reading_frame(r, last, ALL_QUANTITIES, &f), CORD_OK);
    assert_true(*f.time == cord__reading_info(r)->last_time);
    for (int i = 0; i < QUANTITY_COUNT * l->strand_count; i++) {
        const quantity_info *q = &cord__quantities[i % QUANTITY_COUNT];
        const snapshot_strand *strand = &l->strands[i / QUANTITY_COUNT];
        int rows = q->per_edge ? strand->edge_count : strand->vertex_count;
        quantity what = (quantity)(i % QUANTITY_COUNT);
        assert_int_equal(cord__reading_strand(r, i / QUANTITY_COUNT, what, last, part), CORD_OK);
        assert_memory_equal(part, cord__snapshot_strand(&f, i / QUANTITY_COUNT, what),
                            (size_t)(rows * q->columns) * sizeof *part);
    }
    assert_int_equal(cord__reading_probe(r, 0, last, part), CORD_OK);
    assert_memory_equal(part, cord__snapshot_probe(&f, 0), 3 * sizeof *part);
    assert_int_equal(cord__reading_frame(r, last + 1, ALL_QUANTITIES, &f), CORD_ERROR_ARGUMENT);
    free(numbers);
}

/* The scene of a folder, recorded there from its first frame on. */
static void begin(stage *s, const place *p)
{
    build(s, p->scene, NULL);
    record(s, p->directory, 0);
    frame(s);
}

static void gives_back(void **state)
{
    (void)state;
    place p = make_place();
    stage s;
    begin(&s, &p);
    /* It can be read while it is written: the first frame is flushed at once. */
    reading *r = must_open(p.directory);
    assert_int_equal(cord__reading_info(r)->frames, 1);
    cord__reading_close(r);
    step(&s, 1, STEPS);
    assert_int_equal(cord_recorder_close(s.recorder), CORD_OK);
    s.recorder = NULL;
    r = must_open(p.recording);
    const reading_info *info = cord__reading_info(r);
    assert_string_equal(info->title, "A test \"of\" recording");
    assert_int_equal(info->frames, 1 + STEPS / STRIDE);
    assert_true(info->resumable);
    assert_int_equal(info->file_count, 1);
    assert_int_equal(info->files[0].size, sizeof scene_text - 1);
    assert_memory_equal(info->files[0].text, scene_text, sizeof scene_text - 1);
    assert_int_equal(info->layout.probe_count, 2);
    assert_string_equal(info->layout.probes[0].column_names[2], "z");
    assert_string_equal(info->layout.probes[0].column_units[2], "m");
    expect_strands(info);
    expect_last_frame(r, &s);
    expect_whole_frame(r);
    int64_t found;
    assert_int_equal(cord__reading_find(r, 0.0149, &found), CORD_OK);
    assert_int_equal(found, 3);
    double none;
    assert_int_equal(cord__reading_time(r, info->frames, &none), CORD_ERROR_ARGUMENT);
    cord__reading_close(r);
    finish(&s);
    remove_place(&p);
}

/* ---- many strands -------------------------------------------------------------------------- */

/* A scene of the crowd with the given number of hairs, recorded for two frames. */
static void begin_crowd(stage *s, const place *p, const char *count)
{
    const char *const overrides[] = {count, NULL};
    write_file(p->scene, crowd_text, sizeof crowd_text - 1);
    build(s, p->scene, overrides);
    record(s, p->directory, 0);
    frame(s);
    step(s, 1, STRIDE);
}

static void expect_strand(reading *r, const stage *s, int i)
{
    const snapshot_strand *info = &cord__reading_info(r)->layout.strands[i];
    cord_strand strand = cord_simulation_get_strand(s->simulation, i);
    size_t vertices = (size_t)info->vertex_count;
    double *now = calloc(2 * 9 * vertices, sizeof *now), *then = now + 9 * vertices;
    assert_non_null(now);
    assert_string_equal(info->name, cord_scene_get_strand_name(s->scene, i));
    assert_int_equal(cord_strand_get_positions(s->world, strand, now), CORD_OK);
    assert_int_equal(cord__reading_strand(r, i, QUANTITY_POSITIONS, 1, then), CORD_OK);
    assert_memory_equal(now, then, 3 * vertices * sizeof *now);
    assert_int_equal(cord_strand_get_frames(s->world, strand, now), CORD_OK);
    assert_int_equal(cord__reading_strand(r, i, QUANTITY_FRAMES, 1, then), CORD_OK);
    for (int e = 0; e < info->edge_count; e++) {
        for (int c = 0; c < 6; c++) assert_true((float)now[9 * e + c] == then[6 * e + c]);
    }
    bool curved = cord_strand_get_curvatures(s->world, strand, now) == CORD_OK;
    cord_status status = cord__reading_strand(r, i, QUANTITY_CURVATURES, 1, then);
    assert_int_equal(status, curved ? CORD_OK : CORD_ERROR_UNSUPPORTED);
    for (size_t k = 0; curved && k < 3 * vertices; k++) assert_true((float)now[k] == then[k]);
    free(now);
}

static void expect_bodies_and_probes(reading *r, const stage *s)
{
    const reading_info *info = cord__reading_info(r);
    assert_int_equal(info->layout.body_count, cord_scene_get_info(s->scene).solid_count);
    for (int i = 0; i < info->layout.body_count; i++) {
        double now[13], then[13], frame[9], *row = then;
        assert_string_equal(info->layout.bodies[i].name, cord_scene_get_solid_name(s->scene, i));
        assert_int_equal(
            cord_simulation_get_solid_motion(s->simulation, i, now, frame, now + 7, now + 10),
            CORD_OK);
        cord__rotation_quaternion(now + 3, frame);
        for (int q = 0; q < BODY_QUANTITY_COUNT; row += cord__body_quantities[q++].columns)
            assert_int_equal(cord__reading_body(r, i, (body_quantity)q, 1, row), CORD_OK);
        assert_memory_equal(now, then, sizeof now);
    }
    assert_int_equal(info->layout.bodies[0].shape.kind, CORD_SHAPE_BOX);
    assert_int_equal(info->layout.bodies[0].colour, -1); /* none was given */
    assert_int_equal(info->layout.bodies[1].colour, cord_scene_get_solid_colour(s->scene, 1));
    assert_true(info->layout.bodies[1].colour >= 0);
    for (int i = 0; i < info->layout.probe_count; i++) {
        double now[600], then[600];
        const snapshot_probe *probe = &info->layout.probes[i];
        assert_int_equal(probe->columns, i == 0 ? 3 : 1);
        assert_int_equal(probe->items, i == 0 ? 1 : info->layout.strands[i - 1].edge_count);
        assert_string_equal(info->layout.probes[i].name, cord_scene_get_probe(s->scene, i).name);
        assert_int_equal(cord_simulation_sample(s->simulation, i, now), CORD_OK);
        assert_int_equal(cord__reading_probe(r, i, 1, then), CORD_OK);
        assert_memory_equal(now, then, (size_t)(probe->items * probe->columns) * sizeof *now);
    }
    assert_string_equal(info->layout.probes[1].column_units[0], "N");
}

static void many_strands(void **state)
{
    (void)state;
    place p = make_place();
    stage s;
    begin_crowd(&s, &p, "let.n=12"); /* 2760 vertices: 66 kB of positions */
    assert_int_equal(cord_recorder_close(s.recorder), CORD_OK);
    s.recorder = NULL;
    reading *r = must_open(p.recording);
    assert_int_equal(cord__reading_info(r)->layout.strand_count, 13);
    assert_int_equal(cord__reading_info(r)->frames, 2);
    int curved = 0;
    for (int i = 0; i < 13; i++) {
        expect_strand(r, &s, i);
        curved += cord__reading_info(r)->layout.strands[i].has[QUANTITY_CURVATURES];
    }
    assert_int_equal(curved, 12);
    expect_bodies_and_probes(r, &s);
    cord__reading_close(r);
    finish(&s);
    remove_place(&p);
}

static uint64_t objects_of(const place *p)
{
    uint64_t count = 0;
    hid_t file = H5Fopen(p->recording, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    static const char *const groups[] = {"/", "/strands", "/bodies", "/probes"};
    for (int i = 0; i < 4; i++) {
        H5G_info_t group;
        assert_true(H5Gget_info_by_name(file, groups[i], &group, H5P_DEFAULT) >= 0);
        count += group.nlinks;
    }
    H5Fclose(file);
    return count;
}

/* Otherwise the cost of a flush in HDF5 would grow faster than the frames. */
static void no_more_datasets_for_more_strands(void **state)
{
    (void)state;
    uint64_t few, more;
    stage s;
    place p = make_place();
    begin_crowd(&s, &p, "let.n=1");
    finish(&s);
    few = objects_of(&p);
    begin_crowd(&s, &p, "let.n=7");
    finish(&s);
    more = objects_of(&p);
    assert_int_equal(few, more);
    remove_place(&p);
}

/* ---- resuming ------------------------------------------------------------------------------ */

static void same_frames(reading *a, reading *b)
{
    const reading_info *info = cord__reading_info(a);
    assert_int_equal(info->frames, cord__reading_info(b)->frames);
    double u[72], v[72];
    for (int64_t i = 0; i < info->frames; i++) {
        for (int q = 0; q < QUANTITY_COUNT; q++) {
            for (int k = 0; k < 2; k++) {
                memset(u, 0, sizeof u);
                memset(v, 0, sizeof v);
                assert_int_equal(cord__reading_strand(a, k, (quantity)q, i, u), CORD_OK);
                assert_int_equal(cord__reading_strand(b, k, (quantity)q, i, v), CORD_OK);
                assert_memory_equal(u, v, sizeof u);
            }
        }
        assert_int_equal(cord__reading_time(a, i, u), CORD_OK);
        assert_int_equal(cord__reading_time(b, i, v), CORD_OK);
        assert_true(u[0] == v[0]);
    }
}

static void goes_on(void **state)
{
    (void)state;
    place whole = make_place(), broken = make_place();
    stage s, t;
    uint64_t expected, got;
    begin(&s, &whole);
    step(&s, 1, STEPS);
    assert_int_equal(cord_world_hash(s.world, &expected), CORD_OK);

    build(&t, broken.scene, NULL);
    record(&t, broken.directory, 0);
    frame(&t);
    step(&t, 1, BREAK);
    frame(&t); /* interrupted: an extra frame */
    finish(&t);

    build(&t, broken.scene, NULL);
    reading *r = must_open(broken.directory);
    int64_t frames = cord__reading_info(r)->frames;
    assert_int_equal(frames, 1 + BREAK / STRIDE + 1);
    assert_int_equal(cord__reading_resume(r, t.simulation), CORD_OK);
    cord__reading_close(r);
    record(&t, broken.directory, frames - 1);
    step(&t, BREAK + 1, STEPS);
    assert_int_equal(cord_world_hash(t.world, &got), CORD_OK);
    assert_true(expected == got);
    assert_true(cord_simulation_get_expectation(t.simulation, 0).measured ==
                cord_simulation_get_expectation(s.simulation, 0).measured);
    finish(&s);
    finish(&t);
    reading *a = must_open(whole.recording), *b = must_open(broken.recording);
    same_frames(a, b);
    cord__reading_close(a);
    cord__reading_close(b);
    remove_place(&whole);
    remove_place(&broken);
}

/* Compressed rows, of which the reading has some in its cache while the recording is copied. */
static void goes_on_with_long_rows(void **state)
{
    (void)state;
    const char *const overrides[] = {"let.n=12", NULL};
    place p = make_place();
    stage s;
    begin_crowd(&s, &p, overrides[0]);
    finish(&s);
    build(&s, p.scene, overrides);
    reading *r = must_open(p.recording);
    assert_int_equal(cord__reading_resume(r, s.simulation), CORD_OK);
    record(&s, p.directory, cord__reading_info(r)->frames);
    step(&s, STRIDE + 1, 2 * STRIDE);
    cord__reading_close(r);
    finish(&s);
    r = must_open(p.recording);
    assert_int_equal(cord__reading_info(r)->frames, 3);
    assert_int_equal(cord__reading_verify(r, NULL, NULL), CORD_OK);
    cord__reading_close(r);
    remove_place(&p);
}

/* ---- refusals ------------------------------------------------------------------------------ */

static void refused(const char *path, const char *words)
{
    reading *r;
    assert_int_equal(cord__reading_open(path, &r), CORD_ERROR_FILE);
    if (!strstr(cord__reading_error(r), words))
        fail_msg("\"%s\" does not say \"%s\"", cord__reading_error(r), words);
    cord__reading_close(r);
}

static void refuses(void **state)
{
    (void)state;
    place p = make_place();
    refused(p.directory, "has no recording");
    refused(p.recording, "cannot be read");
    write_file(p.recording, "stone", 5);
    refused(p.recording, "is not a recording of Cordage");

    stage s;
    begin(&s, &p);
    step(&s, 1, 20);
    finish(&s);
    struct stat info;
    assert_int_equal(stat(p.recording, &info), 0);
    char *bytes = malloc((size_t)info.st_size);
    assert_non_null(bytes);
    FILE *in = fopen(p.recording, "rb");
    assert_non_null(in);
    assert_int_equal(fread(bytes, 1, (size_t)info.st_size, in), info.st_size);
    fclose(in);
    for (int part = 1; part < 8; part++) {
        write_file(p.recording, bytes, (size_t)info.st_size * (size_t)part / 8);
        refused(p.recording, "is damaged or cut short");
    }
    write_file(p.recording, bytes, (size_t)info.st_size);
    free(bytes);

    /* A recording of an earlier version. */
    hid_t file = H5Fopen(p.recording, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t about = H5Gopen2(file, "about", H5P_DEFAULT);
    assert_true(H5Adelete(about, "version") >= 0);
    assert_true(cord__hdf5_put_number(about, "version", 1));
    H5Gclose(about);
    assert_true(H5Fclose(file) >= 0);
    refused(p.recording, "is a recording of version 1, and this Cordage reads version 3");
    begin(&s, &p);
    finish(&s);

    /* Another scene: a difference of one word suffices. */
    char other[sizeof scene_text + 16];
    snprintf(other, sizeof other, "%s# more\n", scene_text);
    write_file(p.scene, other, strlen(other));
    build(&s, p.scene, NULL);
    reading *r = must_open(p.recording);
    assert_int_equal(cord__reading_resume(r, s.simulation), CORD_ERROR_INPUT);
    assert_non_null(strstr(cord__reading_error(r), "another scene"));
    assert_true(cord_world_get_time(s.world) == 0);
    cord__reading_close(r);
    finish(&s);
    remove_place(&p);
}

/* ---- damage --------------------------------------------------------------------------------- */

/* Flips one bit of the chunk that has the values of a frame. */
static void damage_frame(const place *p, const char *dataset, hsize_t frame)
{
    hid_t file = H5Fopen(p->recording, H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t set = H5Dopen2(file, dataset, H5P_DEFAULT);
    assert_true(set >= 0);
    const hsize_t offset[3] = {frame, 0, 0};
    unsigned mask;
    haddr_t address;
    hsize_t size;
    assert_true(H5Dget_chunk_info_by_coord(set, offset, &mask, &address, &size) >= 0);
    assert_int_equal(mask, 0); /* no filter was left out */
    H5Dclose(set);
    H5Fclose(file);
    FILE *both = fopen(p->recording, "r+b");
    assert_non_null(both);
    fseek(both, (long)address + 3, SEEK_SET);
    int byte = fgetc(both);
    fseek(both, (long)address + 3, SEEK_SET);
    fputc(byte ^ 16, both);
    assert_int_equal(fclose(both), 0);
}

static void list_damage(void *user, const char *dataset, int64_t first, int64_t last)
{
    char *list = user, item[96];
    snprintf(item, sizeof item, "%s %lld-%lld;", dataset, (long long)first, (long long)last);
    assert_true(strlen(list) + strlen(item) < 400);
    strcat(list, item);
}

static void names_damage(void **state)
{
    (void)state;
    place p = make_place();
    stage s;
    char list[400] = "";
    double values[64];
    begin(&s, &p);
    step(&s, 1, STEPS);
    finish(&s);
    reading *r = must_open(p.recording);
    assert_int_equal(cord__reading_verify(r, list_damage, list), CORD_OK);
    assert_string_equal(list, "");
    cord__reading_close(r);
    damage_frame(&p, "/probes/values", 3);
    damage_frame(&p, "/probes/values", 4);
    damage_frame(&p, "/energies", 7);
    damage_frame(&p, "/strands/tensions", 0);
    r = must_open(p.recording); /* its last frame is good */
    assert_int_equal(cord__reading_verify(r, list_damage, list), CORD_ERROR_FILE);
    assert_string_equal(list, "/energies 7-7;/probes/values 3-4;/strands/tensions 0-0;");
    assert_int_equal(cord__reading_probe(r, 0, 2, values), CORD_OK);
    assert_int_equal(cord__reading_probe(r, 0, 3, values), CORD_ERROR_FILE);
    assert_non_null(
        strstr(cord__reading_error(r), "is damaged or cut short: frame 3 of /probes/values"));
    cord__reading_close(r);
    remove_place(&p);
}

/* A writer that is killed may leave the state that does not count half written: the run goes on all the same. */
static void goes_on_beside_a_torn_state(void **state)
{
    (void)state;
    place p = make_place();
    stage s;
    uint64_t commit[2];
    begin(&s, &p);
    step(&s, 1, 20);
    finish(&s);
    hid_t file = H5Fopen(p.recording, H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t set = H5Dopen2(file, "commit", H5P_DEFAULT);
    assert_true(H5Dread(set, H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, commit) >= 0);
    H5Dclose(set);
    H5Fclose(file);
    damage_frame(&p, commit[1] ? "/state/0" : "/state/1", 0);
    build(&s, p.scene, NULL);
    reading *r = must_open(p.recording);
    assert_int_equal(cord__reading_verify(r, NULL, NULL), CORD_OK);
    assert_int_equal(cord__reading_resume(r, s.simulation), CORD_OK);
    int64_t frames = cord__reading_info(r)->frames;
    cord__reading_close(r);
    record(&s, p.directory, frames);
    step(&s, 21, 40);
    finish(&s);
    r = must_open(p.recording);
    assert_true(cord__reading_info(r)->resumable);
    assert_int_equal(cord__reading_info(r)->frames, 1 + 40 / STRIDE);
    assert_int_equal(cord__reading_verify(r, NULL, NULL), CORD_OK);
    cord__reading_close(r);
    remove_place(&p);
}

/* ---- contacts ------------------------------------------------------------------------------- */

/* Rows differ in number from frame to frame; a run that goes on has the same. */
static void contacts_come_back(void **state)
{
    (void)state;
    place whole = make_place(), broken = make_place();
    stage s;
    write_file(whole.scene, contact_text, sizeof contact_text - 1);
    write_file(broken.scene, contact_text, sizeof contact_text - 1);
    begin(&s, &whole);
    step(&s, 1, STEPS);
    cord_contact contacts[64];
    int count, rows;
    assert_int_equal(cord_world_get_contacts(s.world, 64, contacts, &count), CORD_OK);
    assert_true(count > 1 && count <= 64);
    finish(&s);
    begin(&s, &broken);
    step(&s, 1, BREAK);
    finish(&s);
    build(&s, broken.scene, NULL);
    reading *a = must_open(broken.directory);
    int64_t frames = cord__reading_info(a)->frames;
    assert_int_equal(cord__reading_resume(a, s.simulation), CORD_OK);
    cord__reading_close(a);
    record(&s, broken.directory, frames);
    step(&s, frames > 0 ? (int)(frames - 1) * STRIDE + 1 : 1, STEPS);
    finish(&s);

    a = must_open(whole.recording);
    reading *b = must_open(broken.recording);
    const contact_record *first, *second;
    int64_t last = cord__reading_info(a)->frames - 1;
    assert_int_equal(cord__reading_contacts(a, 0, &first, &rows), CORD_OK);
    assert_int_equal(rows, 0);
    assert_int_equal(cord__reading_contacts(a, last, &first, &rows), CORD_OK);
    assert_int_equal(rows, count);
    for (int i = 0; i < count; i++) {
        assert_true(first[i].first == 0 && first[i].second == 2); /* the rod; the ball is 1 */
        assert_memory_equal(first[i].force, contacts[i].force, sizeof contacts[i].force);
        assert_memory_equal(first[i].position, contacts[i].position, sizeof contacts[i].position);
        assert_true(first[i].s[0] == contacts[i].first.s && first[i].gap == contacts[i].gap);
        assert_true((first[i].sticks != 0) == contacts[i].sticks);
    }
    for (int64_t f = 0; f <= last; f++) {
        assert_int_equal(cord__reading_contacts(a, f, &first, &count), CORD_OK);
        assert_int_equal(cord__reading_contacts(b, f, &second, &rows), CORD_OK);
        assert_int_equal(count, rows);
        if (rows > 0) assert_memory_equal(first, second, (size_t)rows * sizeof *first);
    }
    assert_int_equal(cord__reading_verify(b, NULL, NULL), CORD_OK);
    cord__reading_close(a);
    cord__reading_close(b);
    char list[400] = "";
    damage_frame(&whole, "/contacts/rows", 0);
    a = must_open(whole.recording);
    assert_int_equal(cord__reading_verify(a, list_damage, list), CORD_ERROR_FILE);
    assert_string_equal(list, "/contacts/rows -1--1;");
    cord__reading_close(a);
    remove_place(&whole);
    remove_place(&broken);
}

/* ---- exporters ------------------------------------------------------------------------------ */

static void every_exporter(void **state)
{
    (void)state;
    place p = make_place();
    stage s;
    begin(&s, &p);
    step(&s, 1, STEPS);
    finish(&s);
    reading *r = must_open(p.recording);
    for (const export_ops *const *e = cord__exporters(); *e; e++) {
        export_result result = {"", 0, ""};
        export_selection wanted = cord__export_everything();
        wanted.from = 0.01;
        wanted.until = 0.05;
        wanted.every = 3;
        assert_ptr_equal(cord__find_exporter((*e)->name), *e);
        assert_int_equal(cord__export(r, *e, &wanted, NULL, &result), CORD_OK);
        assert_int_equal(result.frames, 3);
        char command[1300];
        struct stat info;
        assert_int_equal(stat(result.path, &info), 0);
        assert_int_equal(S_ISDIR(info.st_mode) != 0, (*e)->directory);
        snprintf(command, sizeof command, "rm -r '%s'", result.path);
        assert_int_equal(system(command), 0);
        wanted.from = 5;
        wanted.until = 6;
        assert_int_equal(cord__export(r, *e, &wanted, NULL, &result), CORD_ERROR_ARGUMENT);
        assert_non_null(strstr(result.error, "no frame"));
    }
    assert_null(cord__find_exporter("stone"));
    cord__reading_close(r);
    remove_place(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_back),
        cmocka_unit_test(many_strands),
        cmocka_unit_test(no_more_datasets_for_more_strands),
        cmocka_unit_test(goes_on),
        cmocka_unit_test(goes_on_with_long_rows),
        cmocka_unit_test(refuses),
        cmocka_unit_test(names_damage),
        cmocka_unit_test(goes_on_beside_a_torn_state),
        cmocka_unit_test(contacts_come_back),
        cmocka_unit_test(every_exporter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
