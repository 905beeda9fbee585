#include "record/pack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* ---- bytes -------------------------------------------------------------------------------- */

/* Room for `count` more; NULL when there is none. */
static unsigned char *extend(pack *p, size_t count)
{
    if (p->failed) return NULL;
    if (p->size + count > p->capacity) {
        size_t capacity = 2 * p->capacity + count;
        unsigned char *bytes = cord__reallocate(p->mem, p->bytes, capacity, 1);
        p->failed = !bytes;
        if (!bytes) return NULL;
        p->bytes = bytes;
        p->capacity = capacity;
    }
    p->size += count;
    return p->bytes + p->size - count;
}

static void put_integer(pack *p, uint64_t value, size_t count)
{
    unsigned char *at = extend(p, count);
    for (size_t i = 0; at && i < count; i++) at[i] = (unsigned char)(value >> (8 * i));
}

void cord__pack_u32(pack *p, uint32_t value)
{
    put_integer(p, value, 4);
}

void cord__pack_f32(pack *p, double value)
{
    float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    put_integer(p, bits, 4);
}

void cord__pack_f64(pack *p, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_integer(p, bits, 8);
}

void cord__pack_free(pack *p)
{
    cord__release(p->mem, p->bytes);
    *p = (pack){.mem = p->mem};
}

/* ---- prediction --------------------------------------------------------------------------- */

/* Differences in time of the given order, modulo 2^16: 0 none, 1 against the frame before, 2 against
 * a straight line through the two before. The first frames make do with a lower order. */
static unsigned in_time(const uint16_t *at, int frame, size_t items, int order)
{
    unsigned now = at[0];
    if (order == 0 || frame == 0) return now;
    unsigned last = *(at - items);
    if (order == 1 || frame == 1) return now - last;
    return now - 2 * last + *(at - 2 * items);
}

/* The integer nearest to zero that is `value` modulo 2^bits. */
static int nearest_zero(unsigned value, int bits)
{
    int wrapped = (int)(value & ((1u << bits) - 1u));
    return wrapped >= 1 << (bits - 1) ? wrapped - (1 << bits) : wrapped;
}

static uint64_t cost(const uint16_t *values, int frames, int items, int bits, int order)
{
    uint64_t sum = 0;
    for (int f = 0; f < frames; f++) {
        unsigned before = 0;
        for (int i = 0; i < items; i++) {
            unsigned now = in_time(values + (size_t)f * (size_t)items + i, f, (size_t)items, order);
            sum += (uint64_t)abs(nearest_zero(now - before, bits));
            before = now;
        }
    }
    return sum;
}

static int best_order(const uint16_t *values, int frames, int items, int bits)
{
    int best = 0;
    uint64_t least = UINT64_MAX;
    for (int order = 0; order <= 2; order++) {
        uint64_t size = cost(values, frames, items, bits, order);
        if (size < least) best = order;
        if (size < least) least = size;
    }
    return best;
}

/* Signs in the lowest bit, so that small numbers of either sign have zero high bytes. Frames are
 * gone through backwards because a frame is predicted from values not yet overwritten. */
static void predict(uint16_t *values, int frames, int items, int bits, int order)
{
    for (int f = frames - 1; f >= 0; f--) {
        unsigned before = 0;
        for (int i = 0; i < items; i++) {
            uint16_t *at = values + (size_t)f * (size_t)items + i;
            unsigned now = in_time(at, f, (size_t)items, order);
            int rest = nearest_zero(now - before, bits);
            *at = (uint16_t)(rest < 0 ? -2 * rest - 1 : 2 * rest);
            before = now;
        }
    }
}

void cord__pack_channel(pack *p, uint16_t *values, int frames, int items, int bits)
{
    size_t count = (size_t)frames * (size_t)items;
    int order = best_order(values, frames, items, bits);
    predict(values, frames, items, bits, order);
    put_integer(p, (uint64_t)bits, 1);
    put_integer(p, (uint64_t)order, 1);
    for (int plane = 0; plane < (bits > 8 ? 2 : 1); plane++) {
        unsigned char *at = extend(p, count);
        for (size_t i = 0; at && i < count; i++) at[i] = (unsigned char)(values[i] >> (8 * plane));
    }
}

void cord__pack_scalars(pack *p, const double *values, int frames, int items, uint16_t *scratch)
{
    size_t count = (size_t)frames * (size_t)items;
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(values[i])) continue;
        low = fmin(low, values[i]);
        high = fmax(high, values[i]);
    }
    if (low > high) low = high = 0;
    for (size_t i = 0; i < count; i++) {
        double part = high > low ? (values[i] - low) / (high - low) : 0;
        scratch[i] = part > 0 ? (uint16_t)lround(255 * fmin(part, 1)) : 0;
    }
    cord__pack_f32(p, low);
    cord__pack_f32(p, high);
    cord__pack_channel(p, scratch, frames, items, 8);
}

/* ---- deflate, base64 ---------------------------------------------------------------------- */

enum { BLOCK = 24 * 1024 }; /* a multiple of 3, so that only the last block is padded */

static void write_base64(const unsigned char *bytes, size_t size, FILE *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char text[BLOCK / 3 * 4];
    size_t length = 0;
    for (size_t i = 0; i < size; i += 3) {
        unsigned second = i + 1 < size ? bytes[i + 1] : 0, third = i + 2 < size ? bytes[i + 2] : 0;
        unsigned three = (unsigned)bytes[i] << 16 | second << 8 | third;
        text[length++] = digits[three >> 18];
        text[length++] = digits[three >> 12 & 63];
        text[length++] = i + 1 < size ? digits[three >> 6 & 63] : '=';
        text[length++] = i + 2 < size ? digits[three & 63] : '=';
    }
    if (length > 0) fwrite(text, 1, length, out);
}

static void *zlib_allocate(void *mem, unsigned count, unsigned size)
{
    return cord__allocate(mem, count, size);
}

static void zlib_release(void *mem, void *bytes)
{
    cord__release(mem, bytes);
}

typedef void write_block(const unsigned char *bytes, size_t size, FILE *out);

static bool deflate_to(pack *p, FILE *out, write_block *write)
{
    z_stream z = {.zalloc = zlib_allocate, .zfree = zlib_release, .opaque = p->mem};
    if (deflateInit(&z, 6) != Z_OK) return false;
    unsigned char block[BLOCK];
    const unsigned char *next = p->bytes;
    size_t left = p->size;
    int code = Z_OK;
    do {
        z.next_out = block;
        z.avail_out = BLOCK;
        while (z.avail_out > 0 && code == Z_OK) { /* fill the block: base64 wants whole threes */
            if (z.avail_in == 0 && left > 0) {
                uInt part = left < 1u << 30 ? (uInt)left : 1u << 30;
                z.next_in = (unsigned char *)next; /* zlib does not write through it */
                z.avail_in = part;
                next += part;
                left -= part;
            }
            code = deflate(&z, left > 0 ? Z_NO_FLUSH : Z_FINISH);
        }
        write(block, BLOCK - z.avail_out, out);
    } while (code == Z_OK);
    deflateEnd(&z);
    return code == Z_STREAM_END;
}

static void write_plain(const unsigned char *bytes, size_t size, FILE *out)
{
    fwrite(bytes, 1, size, out);
}

static cord_status write_with(pack *p, FILE *out, write_block *write)
{
    bool good = !p->failed && deflate_to(p, out, write); /* zlib fails for want of memory only */
    p->size = 0;
    p->failed = false;
    if (!good) return CORD_ERROR_MEMORY;
    return ferror(out) == 0 ? CORD_OK : CORD_ERROR_FILE;
}

cord_status cord__pack_write(pack *p, FILE *out)
{
    return write_with(p, out, write_base64);
}

cord_status cord__pack_write_bytes(pack *p, FILE *out)
{
    return write_with(p, out, write_plain);
}

void cord__base64_write(const unsigned char *bytes, size_t size, FILE *out)
{
    for (; size > BLOCK; bytes += BLOCK, size -= BLOCK) write_base64(bytes, BLOCK, out);
    write_base64(bytes, size, out);
}

void cord__pack_bytes(pack *p, const void *bytes, size_t size)
{
    unsigned char *at = extend(p, size);
    if (at && size) memcpy(at, bytes, size);
}
