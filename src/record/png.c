/* PNG files, by libpng. */
#include "record/png.h"

#include <png.h>
#include <stdbool.h>

static png_voidp allocate(png_structp png, png_alloc_size_t size)
{
    return cord__allocate(png_get_mem_ptr(png), 1, size);
}

static void release(png_structp png, png_voidp block)
{
    cord__release(png_get_mem_ptr(png), block);
}

static void on_error(png_structp png, png_const_charp text)
{
    (void)text;
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text)
{
    (void)png, (void)text;
}

static bool is_opaque(const unsigned char *rgba, size_t pixels)
{
    for (size_t i = 0; i < pixels; i++) {
        if (rgba[4 * i + 3] != 255) return false;
    }
    return true;
}

static void write_image(png_structp png, png_infop info, FILE *out, int width, int height,
                        const unsigned char *rgba)
{
    size_t pixels = (size_t)width * (size_t)height;
    bool opaque = is_opaque(rgba, pixels);
    png_init_io(png, out);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8,
                 opaque ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGB_ALPHA, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_set_compression_level(png, pixels < 300000 ? 9 : 6); /* small images go into web pages */
    png_write_info(png, info);
    if (opaque) png_set_filler(png, 0, PNG_FILLER_AFTER); /* the fourth byte is left out */
    for (int y = 0; y < height; y++) {
        png_write_row(png, rgba + 4 * (size_t)y * (size_t)width);
    }
    png_write_end(png, info);
}

/* Errors of libpng come back here by a jump. */
static bool try_to_write(png_structp png, png_infop info, FILE *out, int width, int height,
                         const unsigned char *rgba)
{
    if (setjmp(png_jmpbuf(png))) return false;
    write_image(png, info, out, width, height, rgba);
    return true;
}

cord_status cord__png_write(memory *mem, const char *path, int width, int height,
                            const unsigned char *rgba)
{
    png_structp png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, NULL, on_error, on_warning,
                                                mem, allocate, release);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    FILE *out = info ? fopen(path, "wb") : NULL;
    bool good = out && try_to_write(png, info, out, width, height, rgba);
    if (out) good = fclose(out) == 0 && good;
    cord_status failure = info ? CORD_ERROR_FILE : CORD_ERROR_MEMORY;
    png_destroy_write_struct(&png, &info);
    return good ? CORD_OK : failure;
}
