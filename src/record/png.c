/* PNG files: each row is filtered by whichever filter leaves the smallest differences, and all are
 * deflated by zlib. */
#include "record/render.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static void put32(unsigned char *p, uint32_t value)
{
    p[0] = (unsigned char)(value >> 24), p[1] = (unsigned char)(value >> 16);
    p[2] = (unsigned char)(value >> 8), p[3] = (unsigned char)value;
}

static bool write_chunk(FILE *out, const char *type, const unsigned char *data, size_t size)
{
    unsigned char head[8], tail[4];
    put32(head, (uint32_t)size);
    memcpy(head + 4, type, 4);
    uLong crc = crc32(0, head + 4, 4);
    if (size) crc = crc32(crc, data, (uInt)size); /* zlib answers NULL with a fresh start */
    put32(tail, (uint32_t)crc);
    return fwrite(head, 1, 8, out) == 8 && fwrite(data, 1, size, out) == size &&
           fwrite(tail, 1, 4, out) == 4;
}

static unsigned char paeth(int a, int b, int c)
{
    int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);
    if (pa <= pb && pa <= pc) return (unsigned char)a;
    return (unsigned char)(pb <= pc ? b : c);
}

/* One row by one of the five filters; returns the sum of absolute differences. */
static unsigned long filter_row(int filter, const unsigned char *row, const unsigned char *above,
                                size_t size, size_t step, unsigned char *out)
{
    unsigned long sum = 0;
    out[0] = (unsigned char)filter;
    for (size_t i = 0; i < size; i++) {
        int a = i >= step ? row[i - step] : 0, b = above ? above[i] : 0;
        int c = above && i >= step ? above[i - step] : 0;
        int guess = 0;
        if (filter == 1) guess = a;
        if (filter == 2) guess = b;
        if (filter == 3) guess = (a + b) / 2;
        if (filter == 4) guess = paeth(a, b, c);
        out[i + 1] = (unsigned char)(row[i] - guess);
        sum += (unsigned long)abs((signed char)out[i + 1]);
    }
    return sum;
}

/* `work` holds two rows; the best is returned. */
static const unsigned char *best_row(const unsigned char *row, const unsigned char *above,
                                     size_t size, size_t step, unsigned char *work)
{
    unsigned char *best = work, *trial = work + size + 1;
    unsigned long least = filter_row(0, row, above, size, step, best);
    for (int filter = 1; filter < 5; filter++) {
        unsigned long sum = filter_row(filter, row, above, size, step, trial);
        if (sum >= least) continue;
        unsigned char *other = best;
        best = trial, trial = other, least = sum;
    }
    return best;
}

static bool is_opaque(const unsigned char *rgba, size_t pixels)
{
    for (size_t i = 0; i < pixels; i++) {
        if (rgba[4 * i + 3] != 255) return false;
    }
    return true;
}

static void filter_all(const unsigned char *pixels, size_t rows, size_t size, size_t step,
                       unsigned char *work, unsigned char *out)
{
    for (size_t y = 0; y < rows; y++) {
        const unsigned char *row = pixels + y * size, *above = y ? row - size : NULL;
        memcpy(out + y * (size + 1), best_row(row, above, size, step, work), size + 1);
    }
}

static cord_status write_file(const char *path, int width, int height, bool opaque,
                              const unsigned char *data, size_t size)
{
    static const unsigned char signature[8] = {137, 80, 78, 71, 13, 10, 26, 10};
    unsigned char head[13] = {[8] = 8, [9] = opaque ? 2 : 6};
    static const unsigned char srgb[1] = {0};
    put32(head, (uint32_t)width);
    put32(head + 4, (uint32_t)height);
    FILE *out = fopen(path, "wb");
    if (!out) return CORD_ERROR_FILE;
    bool good = fwrite(signature, 1, 8, out) == 8 && write_chunk(out, "IHDR", head, 13) &&
                write_chunk(out, "sRGB", srgb, 1) && write_chunk(out, "IDAT", data, size) &&
                write_chunk(out, "IEND", srgb, 0);
    good = fclose(out) == 0 && good;
    return good ? CORD_OK : CORD_ERROR_FILE;
}

cord_status cord__png_write(memory *mem, const char *path, int width, int height,
                            const unsigned char *rgba)
{
    size_t pixels = (size_t)width * (size_t)height;
    bool opaque = is_opaque(rgba, pixels);
    size_t step = opaque ? 3 : 4, row = step * (size_t)width, raw = (row + 1) * (size_t)height;
    uLongf size = compressBound(raw);
    unsigned char *packed = NEW(mem, unsigned char, step *pixels);
    unsigned char *work = NEW(mem, unsigned char, 2 * (row + 1));
    unsigned char *filtered = NEW(mem, unsigned char, raw), *data = NEW(mem, unsigned char, size);
    cord_status status = CORD_ERROR_MEMORY;
    if (packed && work && filtered && data) {
        for (size_t i = 0; i < pixels; i++) memcpy(packed + step * i, rgba + 4 * i, step);
        filter_all(packed, (size_t)height, row, step, work, filtered);
        int effort = raw < 1000000 ? 9 : 6; /* small ones are for pages: their bytes count */
        if (compress2(data, &size, filtered, raw, effort) == Z_OK) {
            status = write_file(path, width, height, opaque, data, size);
        }
    }
    cord__release(mem, packed);
    cord__release(mem, work);
    cord__release(mem, filtered);
    cord__release(mem, data);
    return status;
}
