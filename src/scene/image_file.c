/* PNG files, by libpng. Sizes are checked before memory is requested for the pixels. */
#include "scene/image_file.h"

#ifndef __wasi__
#include <png.h>
#endif
#include <stdio.h>
#include <string.h>

#ifndef __wasi__

/* ---- libpng's callbacks --------------------------------------------------------------------- */

typedef struct decoder {
    arena *memory;
    const unsigned char *next;
    size_t left;
    char error[96];
} decoder;

static png_voidp allocate(png_structp png, png_alloc_size_t size)
{
    arena *a = png_get_mem_ptr(png);
    void *block = cord__allocate(&a->mem, 1, size);
    if (!block) a->failed = true;
    return block;
}

static void release(png_structp png, png_voidp block)
{
    arena *a = png_get_mem_ptr(png);
    cord__release(&a->mem, block);
}

static void on_error(png_structp png, png_const_charp text)
{
    decoder *d = png_get_error_ptr(png);
    snprintf(d->error, sizeof d->error, "%s", text);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text)
{
    (void)png, (void)text;
}

static void read_bytes(png_structp png, png_bytep out, size_t count)
{
    decoder *d = png_get_io_ptr(png);
    if (count > d->left) png_error(png, "the file ends too early");
    memcpy(out, d->next, count);
    d->next += count, d->left -= count;
}

/* ---- decoding ------------------------------------------------------------------------------- */

/* Every kind of PNG becomes red, green, blue and opacity of 8 bits. */
static void read_image(png_structp png, png_infop info, arena *a, image_pixels *image)
{
    png_read_info(png, info);
    png_set_expand(png);
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
    size_t row = 4 * (size_t)image->columns;
    image->rgba = TAKE(a, unsigned char, row *(size_t)image->rows);
    png_bytepp rows = TAKE(a, png_bytep, image->rows);
    if (!image->rgba || !rows) png_error(png, "out of memory");
    for (int y = 0; y < image->rows; y++) rows[y] = image->rgba + (size_t)y * row;
    png_read_image(png, rows);
    png_read_end(png, NULL);
}

/* Errors of libpng return here by a jump. */
static bool try_to_read(png_structp png, png_infop info, decoder *d, image_pixels *image)
{
    if (setjmp(png_jmpbuf(png))) return false;
    png_set_read_fn(png, d, read_bytes);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, 0);
    read_image(png, info, d->memory, image);
    return true;
}

#endif

/* ---- checks --------------------------------------------------------------------------------- */

static const char *other_format(const unsigned char *text, size_t size)
{
    if (size == 0) return "is empty";
    if (memchr(text, '<', size < 64 ? size : 64)) return "is an SVG drawing or another text";
    if (size > 2 && text[0] == 0xff && text[1] == 0xd8) return "is a JPEG file";
    return "is not a PNG file";
}

static uint32_t big_endian(const unsigned char *b)
{
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

/* The size in the header: 8 bytes of signature, then length and name of the first chunk. */
static bool check_header(diagnostics *d, mark at, const unsigned char *text, size_t size,
                         int64_t left, image_pixels *image)
{
    enum { SIZE_AT = 16, HEADER = 33 };
    static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    if (size < 8 || memcmp(text, signature, 8) != 0) {
        cord__diagnose(d, at, "%s %s; images are PNG files: convert it to PNG", image->path,
                       other_format(text, size));
        return false;
    }
    if (size < HEADER) {
        cord__diagnose(d, at, "%s is damaged: the file ends too early", image->path);
        return false;
    }
    uint32_t columns = big_endian(text + SIZE_AT), rows = big_endian(text + SIZE_AT + 4);
    if (columns > IMAGE_MAX_SIDE || rows > IMAGE_MAX_SIDE) {
        cord__diagnose(d, at, "%s has %u x %u pixels; at most %d along a side are read: reduce it",
                       image->path, columns, rows, IMAGE_MAX_SIDE);
        return false;
    }
    if ((int64_t)columns * rows > left) {
        cord__diagnose(d, at,
                       "%s has %u x %u pixels, and the images of a scene at most %d in total: "
                       "reduce them",
                       image->path, columns, rows, SCENE_MAX_PIXELS);
        return false;
    }
    image->columns = (int)columns, image->rows = (int)rows;
    return true;
}

/* ---- pixels --------------------------------------------------------------------------------- */

#ifndef __wasi__

static bool read_pixels(arena *a, diagnostics *d, mark at, const unsigned char *text, size_t size,
                        image_pixels *image)
{
    decoder state = {.memory = a, .next = text, .left = size};
    png_structp png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &state, on_error, on_warning,
                                               a, allocate, release);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    bool good = info && try_to_read(png, info, &state, image);
    if (!info) a->failed = true;
    png_destroy_read_struct(&png, &info, NULL);
    if (!good && !a->failed) cord__diagnose(d, at, "%s is damaged: %s", image->path, state.error);
    return good;
}

#else /* libpng needs setjmp(); a page decodes images by itself */

static bool read_pixels(arena *a, diagnostics *d, mark at, const unsigned char *text, size_t size,
                        image_pixels *image)
{
    (void)a, (void)d, (void)at, (void)text, (void)size, (void)image;
    return true;
}

#endif

bool cord__image_decode(arena *a, diagnostics *d, mark at, const unsigned char *text, size_t size,
                        int64_t *left, image_pixels *image)
{
    if (!check_header(d, at, text, size, *left, image)) return false;
    if (!read_pixels(a, d, at, text, size, image)) return false;
    *left -= (int64_t)image->columns * image->rows;
    return true;
}
