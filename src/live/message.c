#include "live/message.h"

#include <math.h>
#include <string.h>

/* ---- writing -------------------------------------------------------------------------------- */

static uint8_t *room_for(live_text *t, size_t more)
{
    if (t->failed) return NULL;
    if (more > t->room - t->size) {
        size_t room = 2 * (t->size + more) + 256;
        uint8_t *grown = more > SIZE_MAX / 4 ? NULL : cord__reallocate(t->mem, t->at, room, 1);
        if (!grown) {
            t->failed = true;
            return NULL;
        }
        t->at = grown;
        t->room = room;
    }
    t->size += more;
    return t->at + t->size - more;
}

void cord__live_put(live_text *t, const void *data, size_t size)
{
    uint8_t *to = room_for(t, size);
    if (to && size) memcpy(to, data, size);
}

void cord__live_put_u32(live_text *t, uint32_t value)
{
    uint8_t b[4];
    for (int k = 0; k < 4; k++) b[k] = (uint8_t)(value >> 8 * k);
    cord__live_put(t, b, sizeof b);
}

void cord__live_put_f32(live_text *t, double value)
{
    float f = (float)value;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    cord__live_put_u32(t, bits);
}

void cord__live_put_f64(live_text *t, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    cord__live_put_u32(t, (uint32_t)bits);
    cord__live_put_u32(t, (uint32_t)(bits >> 32));
}

void cord__live_put_bytes(live_text *t, const void *data, size_t size)
{
    if (size > UINT32_MAX) {
        t->failed = true;
        return;
    }
    cord__live_put_u32(t, (uint32_t)size);
    cord__live_put(t, data, size);
    cord__live_put(t, "\0\0\0", (4 - size % 4) % 4);
}

void cord__live_put_text(live_text *t, const char *text)
{
    cord__live_put_bytes(t, text ? text : "", text ? strlen(text) : 0);
}

/* ---- reading -------------------------------------------------------------------------------- */

static size_t left(const live_reader *r)
{
    return (size_t)(r->end - r->at);
}

uint32_t cord__live_u32(live_reader *r)
{
    if (r->bad || left(r) < 4) {
        r->bad = true;
        return 0;
    }
    uint32_t value = 0;
    for (int k = 0; k < 4; k++) value |= (uint32_t)r->at[k] << 8 * k;
    r->at += 4;
    return value;
}

double cord__live_f64(live_reader *r)
{
    uint64_t bits = cord__live_u32(r);
    bits |= (uint64_t)cord__live_u32(r) << 32;
    double value;
    memcpy(&value, &bits, sizeof value);
    if (r->bad || !isfinite(value)) {
        r->bad = true;
        return 0;
    }
    return value;
}

void cord__live_vector(live_reader *r, double x[3])
{
    for (int k = 0; k < 3; k++) x[k] = cord__live_f64(r);
}

const uint8_t *cord__live_bytes(live_reader *r, size_t *size)
{
    size_t length = cord__live_u32(r), padded = (length + 3) / 4 * 4;
    *size = 0;
    if (r->bad || left(r) < padded) {
        r->bad = true;
        return r->end;
    }
    const uint8_t *bytes = r->at;
    r->at += padded;
    *size = length;
    return bytes;
}

uint32_t cord__live_count(live_reader *r, size_t least, uint32_t most)
{
    uint32_t count = cord__live_u32(r);
    if (count > most || (least && count > left(r) / least)) r->bad = true;
    return r->bad ? 0 : count;
}

bool cord__live_ended(const live_reader *r)
{
    return !r->bad && r->at == r->end;
}
