#include "yuv.h"

#include <stdint.h>
#include <string.h>

size_t yuv_size(int width, int height)
{
    size_t columns = ((size_t)width + 1) / 2, rows = ((size_t)height + 1) / 2;
    return 6 * columns * rows;
}

/* Red is the first byte in memory: the lowest one of a little-endian word. */
static inline uint32_t red(uint32_t p)
{
    return p & 255;
}

static inline uint32_t green(uint32_t p)
{
    return p >> 8 & 255;
}

static inline uint32_t blue(uint32_t p)
{
    return p >> 16 & 255;
}

/* Y = 16 + 219 (0.2126 R + 0.7152 G + 0.0722 B), R, G and B from 0 to 1, times 256 and rounded. */
static void convert_luma(const uint32_t *rgba, int width, unsigned char *y)
{
    for (int x = 0; x < width; x++)
        y[x] = (unsigned char)((47 * red(rgba[x]) + 157 * green(rgba[x]) + 16 * blue(rgba[x]) +
                                4224) >>
                               8);
}

/* Cb = 128 + 224 (B − Y) / 1.8556 and Cr = 128 + 224 (R − Y) / 1.5748, of sums of four pixels. */
static void convert_chroma(const uint32_t *upper, const uint32_t *lower, int columns,
                           unsigned char *cb, unsigned char *cr)
{
    for (int x = 0; x < columns; x++) {
        uint32_t a = upper[2 * x], b = upper[2 * x + 1], c = lower[2 * x], d = lower[2 * x + 1];
        int32_t r = (int32_t)(red(a) + red(b) + red(c) + red(d)),
                g = (int32_t)(green(a) + green(b) + green(c) + green(d)),
                l = (int32_t)(blue(a) + blue(b) + blue(c) + blue(d));
        cb[x] = (unsigned char)((-26 * r - 86 * g + 112 * l + 131584) >> 10);
        cr[x] = (unsigned char)((112 * r - 102 * g - 10 * l + 131584) >> 10);
    }
}

/* A row of pixels, of even length. */
static const uint32_t *even_row(const unsigned char *rgba, int width, uint32_t *own)
{
    memcpy(own, rgba, 4 * (size_t)width);
    own[width] = own[width - 1];
    return own;
}

void yuv_convert(const unsigned char *rgba, int width, int height, unsigned char *yuv)
{
    enum { MOST = 8192 };
    uint32_t first[MOST + 1], second[MOST + 1];
    int columns = (width + 1) / 2, rows = (height + 1) / 2;
    size_t plane = (size_t)columns * (size_t)rows, stride = 4 * (size_t)width;
    unsigned char *cb = yuv + 4 * plane, *cr = cb + plane;
    for (int j = 0; j < rows; j++) {
        int below = 2 * j + 1 < height ? 2 * j + 1 : 2 * j;
        const uint32_t *upper = even_row(rgba + 2 * (size_t)j * stride, width, first),
                       *lower = even_row(rgba + (size_t)below * stride, width, second);
        unsigned char *y = yuv + 4 * (size_t)j * (size_t)columns;
        convert_luma(upper, 2 * columns, y);
        convert_luma(lower, 2 * columns, y + 2 * columns);
        convert_chroma(upper, lower, columns, cb + (size_t)j * (size_t)columns,
                       cr + (size_t)j * (size_t)columns);
    }
}
