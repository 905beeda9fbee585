/* Images of scenes: their planes and pixels, and files that are refused, with the place where they are named. */
#include "record/png.h"
#include "scene/image_file.h"
#include "scene/scene_data.h"
#include "support/failing_allocator.h"
#include "support/test.h"

#include <cordage/picture.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COLUMNS = 6, ROWS = 4, MOST = 4096 };

static char root[] = "/tmp/cordage-test-XXXXXX", folder[64];
static unsigned char rgba[4 * COLUMNS * ROWS], good[MOST]; /* `good`: the file of these pixels */
static size_t good_size;

static const char *in_folder(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void put(const char *name, const void *bytes, size_t size)
{
    FILE *out = fopen(in_folder(name), "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, size, out), size);
    fclose(out);
}

static int make_folder(void **state)
{
    (void)state;
    memory mem;
    cord__memory_init(&mem, NULL);
    if (!mkdtemp(root)) return -1;
    snprintf(folder, sizeof folder, "%s/scene", root);
    if (mkdir(folder, 0700) != 0) return -1;
    for (int i = 0; i < 4 * COLUMNS * ROWS; i++) rgba[i] = (unsigned char)(37 * i + i * i);
    if (cord__png_write(&mem, in_folder("good.png"), COLUMNS, ROWS, rgba) != CORD_OK) return -1;
    FILE *in = fopen(in_folder("good.png"), "rb");
    good_size = fread(good, 1, MOST, in);
    fclose(in);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"good.png", "other.png", "scene.yaml"};
    for (int i = 0; i < 3; i++) unlink(in_folder(names[i]));
    rmdir(folder);
    return rmdir(root);
}

/* A scene with the given list of images, on line 3. */
static cord_status read_images(const char *images, cord_scene **scene)
{
    char text[1024];
    int size = snprintf(text, sizeof text,
                        "cordage: 1\nbodies: [{name: ball, shape: {sphere: {radius: 1 cm}}}]\n"
                        "images: [%s]\n",
                        images);
    put("scene.yaml", text, (size_t)size);
    return cord_scene_read(in_folder("scene.yaml"), NULL, scene);
}

static void lie_in_their_planes(void **state)
{
    (void)state;
    cord_scene *scene;
    cord_status status = read_images(
        "{name: a, file: good.png, width: 3 cm}, "
        "{file: good.png, height: 2, position: [1, 2, 3], offset: [0, 0, 1], right: [0, 2, 0], "
        "up: [0, 1, 1], opacity: 0.5}, {file: good.png, width: 1, height: 5}",
        &scene);
    if (status != CORD_OK) fail_msg("%s", cord_scene_get_error(scene, 0));
    assert_int_equal(cord_scene_get_info(scene).image_count, 3);
    cord_image_info a = cord_scene_get_image(scene, 0), b = cord_scene_get_image(scene, 1);
    assert_string_equal(a.name, "a");
    assert_null(b.name);
    assert_all_close(a.corner, ((const double[3]){0, 0, 0}), 3, 0);
    assert_all_close(a.right, ((const double[3]){0.03, 0, 0}), 3, 1e-15);
    assert_all_close(a.down, ((const double[3]){0, 0, -0.02}), 3, 1e-15);
    assert_all_close(b.corner, ((const double[3]){1, 2, 4}), 3, 1e-15);
    assert_all_close(b.right, ((const double[3]){0, 3, 0}), 3, 1e-15);
    assert_all_close(b.down, ((const double[3]){0, 0, -2}), 3, 1e-15);
    assert_close(a.opacity, 1, 0);
    assert_close(b.opacity, 0.5, 0);
    assert_int_equal(a.columns, COLUMNS);
    assert_int_equal(a.rows, ROWS);
    assert_memory_equal(a.rgba, rgba, sizeof rgba);
    assert_ptr_equal(a.rgba, b.rgba); /* one file is read once */
    assert_int_equal(b.file, 0);
    assert_close(cord_scene_get_image(scene, 2).down[2], -5, 1e-15);
    assert_null(cord_scene_get_image(scene, 3).rgba);
    cord_scene_free(scene);
}

/* Grey and indexed colours become red, green, blue and opacity. */
static void kinds_of_png(void **state)
{
    (void)state;
    static const unsigned char grey[4] = {0, 100, 200, 255}, index[4] = {0, 1, 2, 1};
    static const unsigned char map[12] = {1, 2, 3, 250, 128, 7, 9, 90, 200, 0, 0, 0};
    for (int kind = 0; kind < 2; kind++) {
        png_image image = {.version = PNG_IMAGE_VERSION, .width = 2, .height = 2};
        image.format = kind == 0 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB_COLORMAP;
        image.colormap_entries = 3;
        unsigned char file[MOST];
        png_alloc_size_t size = sizeof file;
        assert_true(png_image_write_to_memory(&image, file, &size, 0, kind == 0 ? grey : index, 0,
                                              kind == 0 ? NULL : map));
        put("other.png", file, size);
        cord_scene *scene;
        assert_int_equal(read_images("{file: other.png, width: 1}", &scene), CORD_OK);
        const unsigned char *pixels = cord_scene_get_image(scene, 0).rgba;
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 4; k++)
                assert_int_equal(pixels[4 * i + k], k == 3      ? 255
                                                    : kind == 0 ? grey[i]
                                                                : map[3 * index[i] + k]);
        cord_scene_free(scene);
    }
}

/* A picture of the scene, from the front, has the colour of the file in the middle of the image. */
static void pictures_show_them(void **state)
{
    (void)state;
    enum { SIDE = 64 };
    static const unsigned char yellow[4] = {250, 200, 0, 255};
    static unsigned char drawn[4 * SIDE * SIDE];
    memory mem;
    cord__memory_init(&mem, NULL);
    assert_int_equal(cord__png_write(&mem, in_folder("other.png"), 1, 1, yellow), CORD_OK);
    cord_scene *scene;
    cord_simulation *simulation;
    cord_film *film;
    assert_int_equal(
        read_images("{file: other.png, width: 10 cm, position: [-5 cm, 2 cm, 5 cm]}", &scene),
        CORD_OK);
    assert_int_equal(cord_simulation_create(scene, &simulation), CORD_OK);
    cord_picture_def def = cord_picture_def_default();
    def.width = def.height = SIDE;
    def.direction_given = true;
    def.direction[1] = 1;
    assert_int_equal(cord_film_create(simulation, &def, &film), CORD_OK);
    assert_int_equal(cord_film_take(film), CORD_OK);
    assert_int_equal(cord_film_draw(film, 0, drawn), CORD_OK);
    const size_t middle = 4 * (SIDE * SIDE / 2 + SIDE / 2), aside = middle - 4 * SIDE / 4;
    assert_memory_equal(drawn + aside, yellow, 4);
    assert_memory_not_equal(drawn + middle, yellow, 4); /* the ball is in front of it */
    assert_memory_not_equal(drawn, yellow, 4);
    cord_film_destroy(film);
    cord_simulation_destroy(simulation);
    cord_scene_free(scene);
}

/* ---- refusals ------------------------------------------------------------------------------- */

/* The error is at this column of line 3, and says so much. */
static void refuse(const char *images, int column, const char *message)
{
    cord_scene *scene;
    char place[32];
    snprintf(place, sizeof place, "scene.yaml:3:%d: ", column);
    assert_int_equal(read_images(images, &scene), CORD_ERROR_INPUT);
    assert_int_equal(cord_scene_get_error_count(scene), 1);
    const char *error = cord_scene_get_error(scene, 0);
    if (!strstr(error, place) || !strstr(error, message))
        fail_msg("expected %s%s, got %s", place, message, error);
    cord_scene_free(scene);
}

static void refuse_file(const void *bytes, size_t size, const char *message)
{
    put("other.png", bytes, size);
    refuse("{file: other.png, width: 1}", 17, message);
}

static void keys_are_checked(void **state)
{
    (void)state;
    refuse("{file: good.png}", 10, "needs a \"width\", a \"height\" or both");
    refuse("{file: good.png, width: 0}", 34, "positive");
    refuse("{file: good.png, width: 1, up: [2, 0, 0]}", 10, "two different directions");
    refuse("{file: good.png, width: 1, opacity: 2}", 46, "between 0 and 1");
    refuse("{file: none.png, width: 1}", 17, "none.png cannot be opened: No such file");
    refuse("{file: ../scene/../../x.png, width: 1}", 17, "is outside the folder of the scene");
    refuse("{file: /etc/hostname, width: 1}", 17, "is outside the folder of the scene");
}

static void other_formats_are_refused(void **state)
{
    (void)state;
    static const char svg[] = "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script>";
    static const unsigned char jpeg[] = {0xff, 0xd8, 0xff, 0xe0, 0, 16};
    refuse_file(svg, sizeof svg - 1, "is an SVG drawing or another text; images are PNG files");
    refuse_file(jpeg, sizeof jpeg, "is a JPEG file; images are PNG files");
    refuse_file("", 0, "is empty; images are PNG files");
    refuse_file("GIF89a...", 9, "is not a PNG file; images are PNG files");
}

/* Every prefix is refused; a changed byte is found by a checksum, or makes no difference to the size. */
static void damaged_files_are_refused(void **state)
{
    (void)state;
    for (size_t size = 8; size < good_size; size++)
        refuse_file(good, size, "is damaged: the file ends too early");
    for (size_t i = 8; i < good_size; i++) {
        unsigned char copy[MOST];
        memcpy(copy, good, good_size);
        copy[i] ^= 0x41;
        put("other.png", copy, good_size);
        cord_scene *scene;
        cord_status status = read_images("{file: other.png, width: 1}", &scene);
        if (status == CORD_OK)
            assert_int_equal(cord_scene_get_image(scene, 0).columns, COLUMNS);
        else
            assert_int_equal(cord_scene_get_error_count(scene), 1);
        cord_scene_free(scene);
    }
}

static void set_size(unsigned char *file, unsigned columns, unsigned rows)
{
    const unsigned sizes[2] = {columns, rows};
    for (int i = 0; i < 8; i++) file[16 + i] = (unsigned char)(sizes[i / 4] >> (24 - 8 * (i % 4)));
}

/* Sizes are refused before memory is requested for them. */
static void large_images_are_refused(void **state)
{
    (void)state;
    unsigned char copy[MOST];
    memcpy(copy, good, good_size);
    set_size(copy, 4000000000U, 3);
    refuse_file(copy, good_size, "has 4000000000 x 3 pixels; at most 4096 along a side");
    set_size(copy, 10, 4097);
    refuse_file(copy, good_size, "has 10 x 4097 pixels; at most 4096 along a side");
    set_size(copy, 0, 0);
    refuse_file(copy, good_size, "is damaged: ");
    set_size(copy, 4096, 4096);
    put("other.png", copy, good_size);
    refuse("{file: good.png, width: 1}, {file: other.png, width: 1}", 45,
           "the images of a scene at most 16777216 in total");
}

static void out_of_memory(void **state)
{
    (void)state;
    cord_scene *scene;
    assert_int_equal(read_images("{file: good.png, width: 1}", &scene), CORD_OK);
    cord_scene_free(scene);
    for (int k = 0;; k++) {
        failing_allocator heap = {.fail_at = k};
        cord_allocator ops = failing_allocator_ops(&heap);
        scene_source source = {
            .path = in_folder("scene.yaml"), .allocator = &ops, .piecewise = true};
        cord_status status = cord__scene_read_source(&source, NULL, &scene);
        cord_scene_free(scene);
        assert_int_equal(heap.live, 0);
        if (!heap.failed) {
            assert_int_equal(status, CORD_OK);
            assert_true(k > 40);
            return;
        }
        if (status != CORD_ERROR_MEMORY) fail_msg("piece %d: %s", k, cord_status_text(status));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lie_in_their_planes),       cmocka_unit_test(kinds_of_png),
        cmocka_unit_test(pictures_show_them),        cmocka_unit_test(keys_are_checked),
        cmocka_unit_test(other_formats_are_refused), cmocka_unit_test(damaged_files_are_refused),
        cmocka_unit_test(large_images_are_refused),  cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
