/* The renderer and its PNG files. Most pictures are drawn without a background: then a pixel's opacity
 * is the part of it that is covered. */
#include "record/png.h"
#include "record/render.h"

#include "support/failing_allocator.h"
#include "support/test.h"

#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 320, HEIGHT = 240, VERTICES = 101 };

/* ---- reading a PNG back --------------------------------------------------------------------- */

typedef struct image {
    int width, height, channels;
    unsigned char *pixels;
} image;

/* Reads the file back by libpng, which checks every checksum, and removes it. */
static image read_png(const char *path)
{
    png_image file = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&file, path));
    file.format = file.format & PNG_FORMAT_FLAG_ALPHA ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB;
    image m = {(int)file.width, (int)file.height, (int)PNG_IMAGE_SAMPLE_CHANNELS(file.format),
               malloc(PNG_IMAGE_SIZE(file))};
    assert_true(png_image_finish_read(&file, NULL, m.pixels, 0, NULL));
    unlink(path);
    return m;
}

static void png_reads_back(void **state)
{
    (void)state;
    enum { W = 37, H = 21 };
    static unsigned char rgba[4 * W * H];
    char path[] = "/tmp/cordage-png-XXXXXX";
    close(mkstemp(path));
    memory mem;
    cord__memory_init(&mem, NULL);
    /* A gradient beside noise; the same, opaque; means of neighbours and a
     * little noise, for which the filter of means is best. */
    for (int kind = 0; kind < 3; kind++) {
        bool opaque = kind == 1;
        uint32_t noise = 1;
        for (int i = 0; i < 4 * W * H; i++) {
            noise = noise * 1664525 + 1013904223;
            int left = i >= 4 ? rgba[i - 4] : 128, above = i >= 4 * W ? rgba[i - 4 * W] : 128;
            rgba[i] = (unsigned char)((left + above) / 2 + (int)(noise >> 27) - 15);
            if (kind < 2)
                rgba[i] = (unsigned char)(i / 4 % W < W / 2 ? (uint32_t)i / 4 * 3 : noise >> 24);
            if (opaque && i % 4 == 3) rgba[i] = 255;
        }
        assert_int_equal(cord__png_write(&mem, path, W, H, rgba), CORD_OK);
        image m = read_png(path);
        assert_int_equal(m.width, W);
        assert_int_equal(m.height, H);
        assert_int_equal(m.channels, opaque ? 3 : 4);
        for (int i = 0; i < W * H; i++) {
            assert_memory_equal(m.pixels + i * m.channels, rgba + 4 * i, (size_t)m.channels);
        }
        free(m.pixels);
    }
    assert_int_equal(cord__png_write(&mem, "/nowhere/at/all.png", W, H, rgba), CORD_ERROR_FILE);
    assert_int_equal(mem.bytes, 0);
}

/* ---- pictures ------------------------------------------------------------------------------- */

static double x[3 * VERTICES], frames[6 * VERTICES];
static unsigned char first[4 * WIDTH * HEIGHT], second[4 * WIDTH * HEIGHT];

/* A rod along x from -1 to 1 at height z, its first director rotated by the given number of
 * turns from `start` (0: away from a viewer at -y) about the rod. */
static picture_strand straight(int vertices, double radius, double z, double start, double turns)
{
    for (int i = 0; i < vertices; i++) {
        x[3 * i] = -1 + 2.0 * i / (vertices - 1), x[3 * i + 1] = 0, x[3 * i + 2] = z;
    }
    for (int i = 0; i < vertices - 1; i++) {
        double angle = 2 * M_PI * (start + turns * (i + 0.5) / (vertices - 1));
        double frame[6] = {1, 0, 0, 0, cos(angle), sin(angle)};
        memcpy(frames + 6 * i, frame, sizeof frame);
    }
    return (picture_strand){.vertices = vertices,
                            .edges = vertices - 1,
                            .x = x,
                            .frames = frames,
                            .section = {.kind = CORD_SECTION_CIRCLE, .radius = radius}};
}

static picture_strand circle(double radius)
{
    int count = VERTICES - 1;
    for (int i = 0; i < count; i++) {
        double angle = 2 * M_PI * i / count, middle = angle + M_PI / count;
        double frame[6] = {-sin(middle), cos(middle), 0, cos(middle), sin(middle), 0};
        x[3 * i] = cos(angle), x[3 * i + 1] = sin(angle), x[3 * i + 2] = 0;
        memcpy(frames + 6 * i, frame, sizeof frame);
    }
    return (picture_strand){.vertices = count,
                            .edges = count,
                            .closed = true,
                            .x = x,
                            .frames = frames,
                            .section = {.kind = CORD_SECTION_CIRCLE, .radius = radius}};
}

static cord_picture_def small_def(void)
{
    cord_picture_def def = cord_picture_def_default();
    def.width = WIDTH, def.height = HEIGHT;
    def.no_legend = true;
    return def;
}

/* From ten metres at -y, no background. */
static cord_picture_def cut_out(void)
{
    cord_picture_def def = small_def();
    def.theme = CORD_THEME_TRANSPARENT;
    def.no_ground = def.view_given = true;
    def.from[1] = -10;
    return def;
}

static cord_status render(const picture_strand *s, const cord_picture_def *def, unsigned char *rgba)
{
    memory mem;
    cord__memory_init(&mem, NULL);
    picture p = {.strand_count = s ? 1 : 0, .strands = s};
    cord_status status = cord__render(&mem, &p, def, rgba);
    assert_int_equal(mem.bytes, 0);
    return status;
}

static const unsigned char *pixel(const unsigned char *rgba, double px, double py)
{
    int i = (int)floor(px), j = (int)floor(py);
    assert_true(i >= 0 && j >= 0 && i < WIDTH && j < HEIGHT);
    return rgba + 4 * (j * WIDTH + i);
}

static double covered(const unsigned char *rgba)
{
    double sum = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) sum += rgba[4 * i + 3] / 255.0;
    return sum;
}

static camera camera_of(const cord_picture_def *def)
{
    camera c;
    picture_extent none = {0};
    assert_true(cord__camera_choose(&c, &none, def));
    return c;
}

static void rod_covers_its_pixels(void **state)
{
    (void)state;
    const double radius = 0.1;
    cord_picture_def def = cut_out();
    camera c = camera_of(&def);
    /* Independent of the mesh: two vertices or a hundred. */
    for (int vertices = 2; vertices <= VERTICES; vertices += VERTICES - 2) {
        picture_strand rod = straight(vertices, radius, 0, 0, 0);
        assert_int_equal(render(&rod, &def, first), CORD_OK);
        double half = c.scale / 10, thick = radius * half;
        for (double at = 0; at < half - 2; at++) {
            for (int side = -1; side <= 1; side += 2) {
                double px = c.center[0] + side * at;
                assert_int_equal(pixel(first, px, c.center[1])[3], 255);
                assert_int_equal(pixel(first, px, c.center[1] + thick - 1.5)[3], 255);
                assert_int_equal(pixel(first, px, c.center[1] - thick + 1.5)[3], 255);
                assert_int_equal(pixel(first, px, c.center[1] + thick + 1.5)[3], 0);
                assert_int_equal(pixel(first, px, c.center[1] - thick - 1.5)[3], 0);
            }
        }
        assert_int_equal(pixel(first, c.center[0] + half + 2.5, c.center[1])[3], 0);
        /* Edges are antialiased, and accurate to a tenth of a pixel, measured by the area. */
        assert_close(covered(first) / (4 * half * thick), 1, 0.02);
    }
}

/* A lens of diameter D that is focused at the distance F draws a point at the distance d as a disc of scale D |1/d − 1/F| pixels.
 * The rod is at 10 m. */
static void lens_blurs_what_is_not_in_focus(void **state)
{
    (void)state;
    const double radius = 0.1;
    picture_strand rod = straight(2, radius, 0, 0, 0);
    for (int focus = 10; focus <= 20; focus += 10) {
        cord_picture_def def = cut_out();
        camera c = camera_of(&def);
        double thick = radius * c.scale / 10, disc = focus == 10 ? 0 : 0.8 * thick;
        def.to[1] = focus - 10;
        def.aperture =
            0.8 * thick / c.scale; /* D / F; seen from 10 m, focused at 20 m, F (1/d − 1/F) is 1 */
        assert_int_equal(render(&rod, &def, first), CORD_OK);
        for (int side = -1; side <= 1; side += 2) {
            double px = c.center[0] + 5, edge = c.center[1] + side * thick, out = side;
            assert_int_equal(pixel(first, px, edge + out * (disc / 2 + 1.5))[3], 0);
            assert_int_equal(pixel(first, px, edge - out * (disc / 2 + 1.5))[3], 255);
            if (focus == 10) continue;
            assert_close(pixel(first, px, edge)[3], 128, 40);
            assert_true(pixel(first, px, edge + out * 0.3 * disc)[3] > 5);
        }
    }
    cord_picture_def def = cut_out();
    for (int i = 0; i < 3; i++) {
        def.aperture = (double[]){-0.1, 0.6, NAN}[i];
        assert_int_equal(render(&rod, &def, first), CORD_ERROR_ARGUMENT);
    }
}

/* Picture i of a short film: a strand and a ball move, stop and go on; another strand and a box rest; a marker is taken away, and a
 * strand becomes longer. */
static picture film_picture(int i, picture_strand strands[2], picture_body bodies[3],
                            picture_marker markers[2], const solid_mesh solids[3],
                            const cord_shape shapes[3])
{
    static double moving[2][6 * VERTICES], resting_frames[6 * VERTICES], own_frames[6 * VERTICES];
    int step = i < 3 ? i : i < 9 ? 3 : i - 5; /* at rest from the third to the eighth */
    strands[0] = straight(i < 12 ? 11 : 21, 0.06, 1 + 0.05 * step, 0, 0);
    memcpy(moving[0], x, 3 * 21 * sizeof *x), memcpy(own_frames, frames, sizeof frames);
    strands[0].x = moving[0], strands[0].frames = own_frames;
    strands[1] = straight(11, 0.04, 0.3, 0, 1);
    memcpy(moving[1], x, 3 * 11 * sizeof *x), memcpy(resting_frames, frames, sizeof frames);
    strands[1].x = moving[1], strands[1].frames = resting_frames;
    strands[1].look = CORD_LOOK_ROPE;
    for (int b = 0; b < 3; b++) {
        bodies[b] = (picture_body){.shape = &shapes[b],
                                   .solid = &solids[b],
                                   .position = {0.4 * b, 1.2 * b - 0.4, 0.3},
                                   .frame = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                                   .colour = {0.5F, 0.2F, 0.1F},
                                   .look = (cord_look)(2 * b)};
    }
    bodies[0].position[0] = 0.07 * step, bodies[0].position[1] = -0.31;
    bodies[2].position[2] += i > 6 ? 0.02 * (i - 6) : 0;
    for (int k = 0; k < 2; k++)
        markers[k] = (picture_marker){.kind = MARKER_BALL,
                                      .position = {1.0 - 2 * k, 0, 1 + 0.05 * step},
                                      .frame = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                                      .half = {0.06, 0.06}};
    return (picture){.strand_count = 2,
                     .body_count = 3,
                     .marker_count = i < 10 ? 2 : 1,
                     .strands = strands,
                     .bodies = bodies,
                     .markers = markers};
}

/* A picture of a film is the same, bit for bit, whether all of it is drawn or only what has changed since another one. */
static void what_is_kept_is_the_same(void **state)
{
    (void)state;
    enum { PICTURES = 14 };
    static const cord_theme themes[] = {CORD_THEME_LIGHT, CORD_THEME_DARK, CORD_THEME_TRANSPARENT};
    const cord_shape shapes[3] = {{.kind = CORD_SHAPE_SPHERE, .radius = 0.2},
                                  {.kind = CORD_SHAPE_BOX, .size = {2, 1.6, 0.3}},
                                  {.kind = CORD_SHAPE_CYLINDER, .radius = 0.1, .length = 0.4}};
    solid_mesh solids[3];
    memory mem;
    cord__memory_init(&mem, NULL);
    for (int b = 0; b < 3; b++)
        assert_int_equal(cord__solid_mesh(&mem, &shapes[b], 40, 0.01, &solids[b]), CORD_OK);
    picture_strand strands[2];
    picture_body bodies[3];
    picture_marker markers[2];
    picture_extent extent = {0};
    for (int i = 0; i < PICTURES; i++) {
        picture p = film_picture(i, strands, bodies, markers, solids, shapes);
        for (int k = 0; k < 2; k++) cord__extent_add(&extent, &p.strands[k]);
        for (int k = 0; k < 3; k++) cord__extent_add_body(&extent, &p.bodies[k]);
        for (int k = 0; k < p.marker_count; k++) cord__extent_add_marker(&extent, &p.markers[k]);
    }
    for (int stride = 1; stride <= 3; stride++) { /* as by so many threads, with other themes */
        picture_cache cache = {0};
        cord_picture_def def = small_def();
        def.theme = themes[stride - 1];
        for (int i = 0; i < PICTURES; i += stride) {
            picture p = film_picture(i, strands, bodies, markers, solids, shapes);
            p.extent = &extent;
            def.threads = 1;
            assert_int_equal(cord__render(&mem, &p, &def, first), CORD_OK);
            p.cache = &cache;
            def.threads = stride;
            assert_int_equal(cord__render(&mem, &p, &def, second), CORD_OK);
            assert_memory_equal(first, second, sizeof first);
        }
        cord__picture_cache_free(&mem, &cache);
    }
    for (int b = 0; b < 3; b++) cord__solid_free(&mem, &solids[b]);
    assert_int_equal(mem.bytes, 0);
}

static void sections_have_their_sizes(void **state)
{
    (void)state;
    cord_picture_def def = cut_out();
    camera c = camera_of(&def);
    double half = c.scale / 10;
    static const cord_section_kind kinds[2] = {CORD_SECTION_ELLIPSE, CORD_SECTION_RECTANGLE};
    for (int k = 0; k < 4; k++) {
        /* First director away from the viewer (the second up), or up. */
        bool up = k / 2, flat = k % 2;
        picture_strand ribbon = straight(VERTICES, 0, 0, up ? 0.25 : 0, 0);
        ribbon.section = (cord_section){.kind = kinds[k % 2], .size = {0.6, 0.2}};
        assert_int_equal(render(&ribbon, &def, first), CORD_OK);
        /* A rectangle's face is nearer than its middle, and looks larger both ways. */
        double height = up ? 0.6 : 0.2, nearer = flat ? 10 / (10 - (up ? 0.1 : 0.3)) : 1;
        assert_close(covered(first) / (2 * half * height * half * nearer * nearer), 1, 0.025);
    }
}

static void strands_have_their_colours(void **state)
{
    (void)state;
    cord_picture_def def = cut_out();
    camera c = camera_of(&def);
    static const int rgb[] = {0xff0000, 0x00ff00, 0x0000ff};
    for (int k = 0; k < 3; k++) {
        picture_strand rod = straight(VERTICES, 0.1, 0, 0.25, 0);
        rod.coloured = true, rod.rgb = rgb[k];
        assert_int_equal(render(&rod, &def, first), CORD_OK);
        const unsigned char *seen = pixel(first, c.center[0], c.center[1]);
        for (int i = 0; i < 3; i++)
            if (i != k) assert_true(seen[k] > seen[i] + 60);
    }
}

static void ring_is_a_ring(void **state)
{
    (void)state;
    cord_picture_def def = cut_out();
    def.from[1] = 0, def.from[2] = 10;
    camera c = camera_of(&def);
    picture_strand ring = circle(0.08);
    assert_int_equal(render(&ring, &def, first), CORD_OK);
    double r = c.scale / 10;
    assert_int_equal(pixel(first, c.center[0], c.center[1])[3], 0);
    for (int i = 0; i < 360; i++) {
        double a = i * M_PI / 180;
        for (int k = -1; k <= 1; k++) {
            double reach = r * (1 + 0.16 * k), px = c.center[0] + reach * cos(a);
            int opacity = pixel(first, px, c.center[1] + reach * sin(a))[3];
            assert_int_equal(opacity, k == 0 ? 255 : 0);
        }
    }
    assert_close(covered(first) / (2 * M_PI * r * 0.16 * r), 1, 0.02);
}

static int luminance(const unsigned char *p)
{
    return p[0] + p[1] + p[2];
}

static void shadow_is_darker_than_ground(void **state)
{
    (void)state;
    memory mem;
    cord__memory_init(&mem, NULL);
    picture_strand rod = straight(VERTICES, 0.05, 0.4, 0, 0);
    picture_extent extent = {0};
    cord__extent_add(&extent, &rod);
    picture with = {.strand_count = 1, .strands = &rod, .extent = &extent};
    picture without = {.extent = &extent};
    cord_picture_def def = small_def();
    def.ground = 0.1;
    static unsigned char clear[4 * WIDTH * HEIGHT];
    for (int theme = CORD_THEME_LIGHT; theme <= CORD_THEME_DARK; theme++) {
        def.theme = (cord_theme)theme;
        assert_int_equal(cord__render(&mem, &with, &def, first), CORD_OK);
        assert_int_equal(cord__render(&mem, &without, &def, second), CORD_OK);
        cord_picture_def bare = def;
        bare.theme = CORD_THEME_TRANSPARENT, bare.no_ground = true;
        assert_int_equal(cord__render(&mem, &with, &bare, clear), CORD_OK);
        int dark = 0;
        for (int i = 0; i < WIDTH * HEIGHT; i++) {
            if (clear[4 * i + 3]) continue; /* the rod itself */
            int before = luminance(second + 4 * i), after = luminance(first + 4 * i);
            assert_true(after <= before);
            dark += 10 * after < 9 * before;
        }
        /* A band about as long as the rod and a few pixels wide, not the whole ground. */
        assert_in_range(dark, 500, 6000);
    }
    assert_int_equal(mem.bytes, 0);
}

/* Along the rod's middle: how often a bright stripe begins. */
static int count_stripes(const unsigned char *rgba, const camera *c)
{
    int count = 0, half = (int)(c->scale / 10) - 2, centre = (int)c->center[0];
    bool bright = false;
    for (int px = centre - half; px < centre + half; px++) {
        const unsigned char *p = pixel(rgba, px, c->center[1]);
        bool now = p[2] > p[0] * 3 / 4; /* the first colour, an orange, has little blue */
        count += now && !bright;
        bright = now;
    }
    return count;
}

static void stripe_turns_with_twist(void **state)
{
    (void)state;
    cord_picture_def def = cut_out();
    camera c = camera_of(&def);
    for (int turns = -6; turns <= 6; turns++) {
        picture_strand rod = straight(VERTICES, 0.1, 0, 0, turns);
        assert_int_equal(render(&rod, &def, first), CORD_OK);
        assert_int_equal(count_stripes(first, &c), abs(turns));
    }
    /* Between the middles of two edges it rotates uniformly: half way at the vertex. */
    picture_strand two = straight(3, 0.1, 0, 0.25, 0.5);
    assert_int_equal(render(&two, &def, first), CORD_OK);
    const unsigned char *middle = pixel(first, c.center[0], c.center[1]);
    assert_true(middle[2] > middle[0] * 3 / 4);
    picture_strand towards = straight(VERTICES, 0.1, 0, 0.5, 0), away;
    assert_int_equal(render(&towards, &def, first), CORD_OK);
    assert_int_equal(count_stripes(first, &c), 1);
    /* From the other side the dark stripe is seen; without stripes, neither. */
    away = straight(VERTICES, 0.1, 0, 0, 0);
    assert_int_equal(render(&away, &def, first), CORD_OK);
    def.no_stripe = true;
    assert_int_equal(render(&away, &def, second), CORD_OK);
    assert_true(2 * luminance(pixel(first, c.center[0], c.center[1])) <
                luminance(pixel(second, c.center[0], c.center[1])) * 3 / 2);
}

/* ---- text ------------------------------------------------------------------------------------- */

static void text_covers_its_pixels(void **state)
{
    (void)state;
    static const unsigned char ink[4] = {0, 0, 0, 255};
    memset(first, 0, sizeof first);
    /* The bar of DejaVu's | is 170/2048 wide and 2048/2048 high or nearly so. */
    cord__draw_text(first, WIDTH, HEIGHT, 20, 20, 100, ink, "|");
    assert_in_range((int)covered(first), 700, 1100);
    assert_close(cord__text_width(50, "mm"), 2 * cord__text_width(50, "m"), 1e-9);
    assert_close(cord__text_width(100, "m"), 2 * cord__text_width(50, "m"), 1e-9);
    assert_true(cord__text_width(50, "i") < cord__text_width(50, "m"));
    /* One letter of two bytes; bytes that are no UTF-8; text that leaves the picture. */
    assert_true(cord__text_width(50, "\xC2\xB5") > 10 && cord__text_width(50, "\xC2\xB5") < 50);
    assert_close(cord__text_width(50, "\xFF"), cord__text_width(50, "?"), 1e-9);
    assert_close(cord__text_width(50, "\xC2"), cord__text_width(50, "?"), 1e-9);
    cord__draw_text(first, WIDTH, HEIGHT, WIDTH - 10, HEIGHT - 10, 40, ink, "beyond \xC2\xB5");
    cord__draw_text(first, WIDTH, HEIGHT, -30, -20, 500, ink, "M");
}

/* ---- looks ------------------------------------------------------------------------------------ */

/* Relief and grain vary along a rod, where a smooth one has one colour; and no look makes a hole. */
static void looks_differ(void **state)
{
    (void)state;
    cord_picture_def def = cut_out();
    def.no_stripe = true;
    int smooth = 0;
    for (int look = CORD_LOOK_PLAIN; look <= CORD_LOOK_HAIR; look++) {
        picture_strand rod = straight(VERTICES, 0.3, 0, 0, 0);
        rod.look = (cord_look)look;
        assert_int_equal(render(&rod, &def, first), CORD_OK);
        int variation = 0;
        for (int px = WIDTH / 2 - 35; px < WIDTH / 2 + 35; px++) {
            const unsigned char *a = pixel(first, px, HEIGHT / 2.0 - 6), *b = a + 4;
            variation += abs(a[0] - b[0]);
            assert_int_equal(a[3], 255);
        }
        if (look == CORD_LOOK_PLAIN) smooth = variation;
        if (look == CORD_LOOK_ROPE || look == CORD_LOOK_WOOD) assert_true(variation > smooth + 20);
        if (look == CORD_LOOK_STEEL || look == CORD_LOOK_HAIR) assert_true(variation < smooth + 20);
    }
}

static void same_for_any_threads(void **state)
{
    (void)state;
    picture_strand ring = circle(0.1);
    cord_picture_def def = small_def();
    def.threads = 1;
    assert_int_equal(render(&ring, &def, first), CORD_OK);
    for (def.threads = 2; def.threads <= 5; def.threads++) {
        assert_int_equal(render(&ring, &def, second), CORD_OK);
        assert_memory_equal(first, second, sizeof first);
    }
}

static void values_are_coloured(void **state)
{
    (void)state;
    double value[VERTICES];
    picture_strand rod = straight(VERTICES, 0.1, 0, 0.25, 0);
    for (int i = 0; i < VERTICES; i++) value[i] = i - 50.0;
    rod.value = value;
    cord_picture_def def = cut_out();
    def.colour_by = CORD_COLOUR_TWIST;
    def.no_legend = false;
    camera c = camera_of(&def);
    assert_int_equal(render(&rod, &def, first), CORD_OK);
    const unsigned char *left = pixel(first, c.center[0] - 35, c.center[1]);
    const unsigned char *right = pixel(first, c.center[0] + 35, c.center[1]);
    assert_true(left[2] > left[0] && right[0] > right[2]); /* blue to red */
    for (int i = 0; i < VERTICES; i++) value[i] = 7;       /* a scale without width */
    assert_int_equal(render(&rod, &def, first), CORD_OK);
}

static void degenerate_inputs(void **state)
{
    (void)state;
    cord_picture_def def = small_def();
    assert_int_equal(render(NULL, &def, first), CORD_OK); /* nothing at all */
    picture_strand rod = straight(VERTICES, 0.05, 0, 0, 0);
    for (int i = 0; i < 3 * VERTICES; i++) x[i] = 0.3; /* all of it in one point */
    assert_int_equal(render(&rod, &def, first), CORD_OK);
    rod.section.radius = 0;
    assert_int_equal(render(&rod, &def, first), CORD_OK);
    rod = straight(2, 0.05, 0, 0, 0); /* there and back in one point; upright */
    memcpy(x + 3, x, 3 * sizeof *x);
    assert_int_equal(render(&rod, &def, first), CORD_OK);
    rod = straight(3, 0.05, 0, 0, 0); /* folded back onto itself */
    memcpy(x + 6, x, 3 * sizeof *x);
    assert_int_equal(render(&rod, &def, first), CORD_OK);
    rod = straight(VERTICES, 1e-9, 0, 0, 0); /* too thin to be seen is drawn all the same */
    def = cut_out();
    assert_int_equal(render(&rod, &def, first), CORD_OK);
    assert_true(covered(first) > 60);
    def.from[1] = -0.01; /* the camera inside */
    rod = straight(VERTICES, 0.05, 0, 0, 0);
    assert_int_equal(render(&rod, &def, first), CORD_OK);
}

static void bad_inputs_are_refused(void **state)
{
    (void)state;
    cord_picture_def def = small_def();
    picture_strand rod = straight(VERTICES, 0.05, 0, 0, 0);
    x[7] = NAN;
    assert_int_equal(render(&rod, &def, first), CORD_ERROR_NOT_FINITE);
    rod = straight(VERTICES, 0.05, 0, 0, 0);
    frames[11] = INFINITY;
    assert_int_equal(render(&rod, &def, first), CORD_ERROR_NOT_FINITE);
    rod = straight(VERTICES, 0.05, 0, 0, 0);
    rod.edges = rod.vertices;
    assert_int_equal(render(&rod, &def, first), CORD_ERROR_ARGUMENT);
    rod.vertices = 1, rod.edges = 0;
    assert_int_equal(render(&rod, &def, first), CORD_ERROR_ARGUMENT);
    rod = straight(VERTICES, 0.05, 0, 0, 0);
    def.view_given = true;
    assert_int_equal(render(&rod, &def, first), CORD_ERROR_ARGUMENT); /* from the camera */
    def.from[0] = NAN;
    assert_int_equal(render(&rod, &def, first), CORD_ERROR_NOT_FINITE);
    def = small_def();
    def.width = 8193;
    assert_int_equal(render(&rod, &def, first), CORD_ERROR_ARGUMENT);
    def = small_def();
    def.colour_by = (cord_colour_by)17;
    assert_int_equal(render(&rod, &def, first), CORD_ERROR_ARGUMENT);
}

static void out_of_memory(void **state)
{
    (void)state;
    picture_strand rod = straight(VERTICES, 0.05, 0, 0, 0);
    picture p = {.strand_count = 1, .strands = &rod};
    cord_picture_def def = small_def();
    for (int k = 0;; k++) {
        failing_allocator heap = {.fail_at = k};
        cord_allocator allocator = failing_allocator_ops(&heap);
        memory mem;
        cord__memory_init(&mem, &allocator);
        cord_status status = cord__render(&mem, &p, &def, first);
        assert_int_equal(heap.live, 0);
        assert_int_equal(status, heap.failed ? CORD_ERROR_MEMORY : CORD_OK);
        if (!heap.failed) break;
    }
}

static void everything_is_in_the_picture(void **state)
{
    (void)state;
    cord_picture_def def = small_def();
    def.theme = CORD_THEME_TRANSPARENT, def.no_ground = true;
    for (int k = 0; k < 4; k++) {
        static const double directions[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 0, -1}, {1, 2, 0.5}};
        picture_strand s = k % 2 ? circle(0.1) : straight(VERTICES, 0.1, 300, 0, 0);
        def.direction_given = k > 0;
        memcpy(def.direction, directions[k], sizeof def.direction);
        assert_int_equal(render(&s, &def, first), CORD_OK);
        int left = WIDTH, right = 0, top = HEIGHT, bottom = 0;
        for (int i = 0; i < WIDTH * HEIGHT; i++) {
            if (!first[4 * i + 3]) continue;
            int px = i % WIDTH, py = i / WIDTH;
            left = px < left ? px : left, right = px > right ? px : right;
            top = py < top ? py : top, bottom = py > bottom ? py : bottom;
        }
        assert_true(left > 5 && top > 5 && right < WIDTH - 6 && bottom < HEIGHT - 6);
        assert_true(right - left > 0.7 * WIDTH || bottom - top > 0.7 * HEIGHT);
    }
}

/* ---- of a scene ------------------------------------------------------------------------------ */

static const char scene_text[] =
    "cordage: 1\n"
    "strands:\n"
    "  - name: rope\n"
    "    shape: {line: {from: [0, 0, 1], to: [1, 0, 1], vertices: 9}}\n"
    "    material: rubber\n"
    "    section: {tube: {radius: 30 mm, inner: 20 mm}}\n"
    "points: [{name: hook, at: [1, 0, 1]}]\n"
    "clamps: [{name: wall, at: rope@start}]\n";

/* The pictures that cord_film_draw_all() gives. */
typedef struct received {
    cord_film *film;
    unsigned char *alone;
    size_t size;
    int count, end;
} received;

static bool receive(void *user, int i, const unsigned char *rgba)
{
    received *r = user;
    assert_int_equal(i, r->count);
    r->count++;
    if (!r->film) return r->count < r->end;
    assert_int_equal(cord_film_draw(r->film, i, r->alone), CORD_OK);
    assert_memory_equal(rgba, r->alone, r->size);
    return true;
}

static void films_by_several_threads(cord_simulation *simulation, cord_picture_def def)
{
    enum { PICTURES = 7 };
    cord_film *film, *other;
    received r = {.size = 4 * (size_t)def.width * (size_t)def.height};
    r.alone = malloc(r.size);
    def.threads = 3;
    assert_int_equal(cord_film_create(simulation, &def, &film), CORD_OK);
    assert_int_equal(cord_film_create(simulation, &def, &other), CORD_OK);
    assert_int_equal(cord_film_draw_all(film, receive, &r), CORD_ERROR_ARGUMENT);
    for (int i = 0; i < PICTURES; i++) {
        assert_int_equal(cord_film_take(film), CORD_OK);
        assert_int_equal(cord_film_take(other), CORD_OK);
        assert_int_equal(cord_simulation_step(simulation, 0.05), CORD_OK);
    }
    r.film = other; /* a film draws one picture at a time */
    assert_int_equal(cord_film_draw_all(film, receive, &r), CORD_OK);
    assert_int_equal(r.count, PICTURES);
    r.film = NULL, r.count = 0, r.end = 3;
    assert_int_equal(cord_film_draw_all(film, receive, &r), CORD_ERROR_CANCELLED);
    assert_int_equal(r.count, 3);
    cord_film_destroy(film);
    cord_film_destroy(other);
    free(r.alone);
}

static void films(void **state)
{
    (void)state;
    char path[] = "/tmp/cordage-film-XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    fputs(scene_text, file);
    fclose(file);
    cord_scene *scene;
    cord_simulation *simulation;
    cord_world *world;
    cord_status status = cord_scene_read(path, NULL, &scene);
    for (int i = 0; i < cord_scene_get_error_count(scene); i++)
        puts(cord_scene_get_error(scene, i));
    assert_int_equal(status, CORD_OK);
    assert_int_equal(cord_simulation_create(scene, &simulation), CORD_OK);
    world = cord_simulation_get_world(simulation);
    cord_picture_def def = small_def();
    for (int by = 0; cord_colour_names()[by]; by++) {
        def.colour_by = (cord_colour_by)by;
        assert_int_equal(cord_picture_write(simulation, path, &def), CORD_OK);
        image m = read_png(path);
        assert_int_equal(m.width, WIDTH);
        assert_int_equal(m.channels, 3);
        free(m.pixels);
    }
    cord_film *film;
    assert_int_equal(cord_film_create(simulation, &def, &film), CORD_OK);
    assert_int_equal(cord_film_take(film), CORD_OK);
    assert_int_equal(cord_world_step(world, 0.1), CORD_OK);
    assert_int_equal(cord_film_take(film), CORD_OK);
    assert_int_equal(cord_film_get_count(film), 2);
    assert_close(cord_film_get_time(film, 1), 0.1, 1e-12);
    assert_true(isnan(cord_film_get_time(film, 2)));
    assert_int_equal(cord_film_draw(film, 1, first), CORD_OK);
    assert_int_equal(cord_film_draw(film, 0, second), CORD_OK);
    assert_memory_not_equal(first, second, sizeof first);
    assert_int_equal(cord_film_draw(film, 1, second), CORD_OK);
    assert_memory_equal(first, second, sizeof first);
    assert_int_equal(cord_film_draw(film, 2, second), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_film_draw_together(film, second), CORD_OK);
    assert_memory_not_equal(first, second, sizeof first); /* the earlier one is there too */
    assert_int_equal(cord_film_write(film, 0, "/nowhere/at/all.png"), CORD_ERROR_FILE);
    assert_string_equal(cord_film_get_error(film), "cannot write: /nowhere/at/all.png");
    cord_film_destroy(film);
    films_by_several_threads(simulation, def);
    cord_simulation_destroy(simulation);
    cord_scene_free(scene);
}

/* ---- bodies ------------------------------------------------------------------------------------ */

typedef struct drawn_body {
    memory mem;
    cord_shape shape;
    solid_mesh solid;
    picture_body body;
} drawn_body;

static void make_body(drawn_body *d, cord_shape shape, double bevel)
{
    cord__memory_init(&d->mem, NULL);
    d->shape = shape;
    assert_int_equal(cord__solid_mesh(&d->mem, &shape, 72, bevel, &d->solid), CORD_OK);
    d->body = (picture_body){.shape = &d->shape,
                             .solid = &d->solid,
                             .frame = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                             .colour = {0.7F, 0.1F, 0.1F}};
}

static cord_status render_body(const drawn_body *d, const cord_picture_def *def,
                               unsigned char *rgba)
{
    memory mem;
    cord__memory_init(&mem, NULL);
    picture p = {.body_count = 1, .bodies = &d->body};
    cord_status status = cord__render(&mem, &p, def, rgba);
    assert_int_equal(mem.bytes, 0);
    return status;
}

static void bodies_cover_their_pixels(void **state)
{
    (void)state;
    cord_picture_def def = cut_out();
    camera c = camera_of(&def);
    double unit = c.scale / 10, near = 10 / (10 - 0.3);
    drawn_body d;
    make_body(&d, (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = 0.8}, 0);
    assert_int_equal(render_body(&d, &def, first), CORD_OK);
    /* its outline is a tangent cone's: a little larger */
    assert_close(covered(first) / (M_PI * 0.64 * unit * unit / (1 - 0.0064)), 1, 0.01);
    cord__solid_free(&d.mem, &d.solid);
    make_body(&d, (cord_shape){.kind = CORD_SHAPE_BOX, .size = {1.6, 0.6, 1}}, 0);
    assert_int_equal(render_body(&d, &def, first), CORD_OK);
    assert_close(covered(first) / (1.6 * unit * unit * near * near), 1, 0.01);
    /* rotated by π/2 about y, and moved aside */
    const double turned[9] = {0, 0, -1, 0, 1, 0, 1, 0, 0};
    memcpy(d.body.frame, turned, sizeof turned);
    d.body.position[0] = 0.2;
    assert_int_equal(render_body(&d, &def, first), CORD_OK);
    double right = c.center[0] + unit * near * (0.2 + 0.5), top = c.center[1] - unit * near * 0.8;
    assert_int_equal(pixel(first, right - 1.5, c.center[1])[3], 255);
    assert_int_equal(pixel(first, right + 1.5, c.center[1])[3], 0);
    assert_int_equal(pixel(first, c.center[0] + unit * 0.2, top + 1.5)[3], 255);
    assert_int_equal(pixel(first, c.center[0] + unit * 0.2, top - 1.5)[3], 0);
    d.body.position[0] = NAN;
    assert_int_equal(render_body(&d, &def, first), CORD_ERROR_NOT_FINITE);
    cord__solid_free(&d.mem, &d.solid);
}

/* With the automatic camera: nothing at the rim, much in the middle; a shadow on the ground; and
 * the same for any number of threads. */
static void bodies_are_framed(void **state)
{
    (void)state;
    static const cord_shape shapes[] = {
        {.kind = CORD_SHAPE_SPHERE, .radius = 3},
        {.kind = CORD_SHAPE_BOX, .size = {0.01, 0.02, 0.005}},
        {.kind = CORD_SHAPE_CYLINDER, .radius = 1, .length = 8},
        {.kind = CORD_SHAPE_CAPSULE, .radius = 1, .length = 8},
    };
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        drawn_body d;
        make_body(&d, shapes[k], 0.01 * cord__solid_reach(&shapes[k]));
        d.body.position[0] = 100;
        cord_picture_def def = small_def();
        def.theme = CORD_THEME_TRANSPARENT;
        def.no_ground = true;
        assert_int_equal(render_body(&d, &def, first), CORD_OK);
        for (int i = 0; i < WIDTH; i++)
            for (int j = 0; j < HEIGHT; j++)
                if (i == 0 || j == 0 || i == WIDTH - 1 || j == HEIGHT - 1)
                    assert_int_equal(pixel(first, i, j)[3], 0);
        double lone = covered(first);
        assert_true(lone > 0.04 * WIDTH * HEIGHT);
        def.no_ground = false;
        assert_int_equal(render_body(&d, &def, first), CORD_OK);
        assert_true(covered(first) > lone + 10); /* its shadow */
        def.threads = 1;
        assert_int_equal(render_body(&d, &def, second), CORD_OK);
        assert_memory_equal(first, second, sizeof first);
        cord__solid_free(&d.mem, &d.solid);
    }
}

/* ---- images ------------------------------------------------------------------------------- */

static cord_status render_image(const picture_strand *s, const cord_image_info *images, int count,
                                const cord_picture_def *def, unsigned char *rgba)
{
    memory mem;
    cord__memory_init(&mem, NULL);
    picture p = {.strand_count = s ? 1 : 0, .strands = s, .image_count = count, .images = images};
    cord_status status = cord__render(&mem, &p, def, rgba);
    assert_int_equal(mem.bytes, 0);
    return status;
}

/* Red and green above, blue and half transparent white below; 2 m wide, 1 m high, about the origin at this y. */
static cord_image_info four_colours(double y)
{
    static const unsigned char colours[16] = {255, 0, 0,   255, 0,   255, 0,   255,
                                              0,   0, 255, 255, 255, 255, 255, 128};
    return (cord_image_info){.corner = {-1, y, 0.5},
                             .right = {2, 0, 0},
                             .down = {0, 0, -1},
                             .opacity = 1,
                             .columns = 2,
                             .rows = 2,
                             .rgba = colours};
}

static void image_is_where_it_lies(void **state)
{
    (void)state;
    cord_picture_def def = cut_out();
    camera c = camera_of(&def);
    double metre = c.scale / 10;
    cord_image_info shown = four_colours(0);
    assert_int_equal(render_image(NULL, &shown, 1, &def, first), CORD_OK);
    const unsigned char red[4] = {255, 0, 0, 255}, blue[4] = {0, 0, 255, 255};
    const unsigned char half[4] = {255, 255, 255, 128};
    double left = c.center[0] - 0.8 * metre, right = c.center[0] + 0.8 * metre;
    assert_memory_equal(pixel(first, left, c.center[1] - 0.4 * metre), red, 4);
    assert_memory_equal(pixel(first, left, c.center[1] + 0.4 * metre), blue, 4);
    assert_memory_equal(pixel(first, right, c.center[1] + 0.4 * metre), half, 4);
    assert_int_equal(pixel(first, c.center[0] + 1.05 * metre, c.center[1])[3], 0);
    assert_int_equal(pixel(first, c.center[0], c.center[1] + 0.55 * metre)[3], 0);
    def.threads = 1;
    assert_int_equal(render_image(NULL, &shown, 1, &def, second), CORD_OK);
    assert_memory_equal(first, second, sizeof first);
    def.from[1] = 10; /* from behind it is mirrored */
    assert_int_equal(render_image(NULL, &shown, 1, &def, second), CORD_OK);
    assert_memory_equal(pixel(second, right, c.center[1] - 0.4 * metre), red, 4);
    shown.opacity = 0;
    assert_int_equal(render_image(NULL, &shown, 1, &def, second), CORD_OK);
    assert_close(covered(second), 0, 0);
    shown.corner[0] = NAN;
    assert_int_equal(render_image(NULL, &shown, 1, &def, second), CORD_ERROR_NOT_FINITE);
}

/* A rod hides an image behind it, an image hides a rod behind it, and the nearer image the farther one. */
static void images_and_rods_by_distance(void **state)
{
    (void)state;
    cord_picture_def def = cut_out();
    camera c = camera_of(&def);
    picture_strand rod = straight(2, 0.1, 0, 0, 0);
    assert_int_equal(render(&rod, &def, first), CORD_OK);
    double px = c.center[0] - 0.3 * c.scale / 10, py = c.center[1] + 2;
    for (int side = -1; side <= 1; side += 2) {
        cord_image_info images[2] = {four_colours(0.5 * side), four_colours(side)};
        images[1].rgba = (const unsigned char *)"\xff\xff\x00\xff";
        images[1].columns = images[1].rows = 1;
        assert_int_equal(render_image(&rod, images, 2, &def, second), CORD_OK);
        bool same = abs(pixel(first, px, py)[0] - pixel(second, px, py)[0]) < 4;
        assert_int_equal(same, side > 0);
        bool yellow = pixel(second, px, py + 15)[0] > 200;
        assert_int_equal(yellow, side < 0);
    }
}

/* A fine pattern becomes its mean, not some of its pixels. */
static void fine_images_are_averaged(void **state)
{
    (void)state;
    enum { SIDE = 1024 };
    unsigned char *fine = malloc(4 * (size_t)SIDE * SIDE);
    for (int i = 0; i < SIDE * SIDE; i++)
        memset(fine + 4 * i, (i + i / SIDE) % 2 ? 255 : 0, 3), fine[4 * i + 3] = 255;
    cord_image_info shown = four_colours(0);
    shown.rgba = fine, shown.columns = shown.rows = SIDE;
    cord_picture_def def = cut_out();
    camera c = camera_of(&def);
    assert_int_equal(render_image(NULL, &shown, 1, &def, first), CORD_OK);
    for (int i = -20; i <= 20; i++) /* half the light is 188 in sRGB */
        assert_close(pixel(first, c.center[0] + i, c.center[1] + i / 2)[1], 188, 2);
    free(fine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(png_reads_back),
        cmocka_unit_test(rod_covers_its_pixels),
        cmocka_unit_test(lens_blurs_what_is_not_in_focus),
        cmocka_unit_test(what_is_kept_is_the_same),
        cmocka_unit_test(sections_have_their_sizes),
        cmocka_unit_test(strands_have_their_colours),
        cmocka_unit_test(ring_is_a_ring),
        cmocka_unit_test(shadow_is_darker_than_ground),
        cmocka_unit_test(stripe_turns_with_twist),
        cmocka_unit_test(text_covers_its_pixels),
        cmocka_unit_test(looks_differ),
        cmocka_unit_test(same_for_any_threads),
        cmocka_unit_test(values_are_coloured),
        cmocka_unit_test(degenerate_inputs),
        cmocka_unit_test(bad_inputs_are_refused),
        cmocka_unit_test(everything_is_in_the_picture),
        cmocka_unit_test(out_of_memory),
        cmocka_unit_test(films),
        cmocka_unit_test(bodies_cover_their_pixels),
        cmocka_unit_test(bodies_are_framed),
        cmocka_unit_test(image_is_where_it_lies),
        cmocka_unit_test(images_and_rods_by_distance),
        cmocka_unit_test(fine_images_are_averaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
