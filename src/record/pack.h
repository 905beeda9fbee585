/* Packing of a run's numbers for the page (html.c), undone by web/src/unpack.js: small integers,
 * predicted from the frames before and from the neighbour, deflated, in base64. */
#ifndef CORDAGE_RECORD_PACK_H
#define CORDAGE_RECORD_PACK_H

#include "math/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Bytes in a row, little-endian. After a failed growth everything put is dropped. */
typedef struct pack {
    memory *mem;
    unsigned char *bytes;
    size_t size, capacity;
    bool failed;
} pack;

void cord__pack_u32(pack *p, uint32_t value);
void cord__pack_bytes(pack *p, const void *bytes, size_t size);
void cord__pack_f32(pack *p, double value);
void cord__pack_f64(pack *p, double value);

/* frames × items integers below 2^bits (at most 16), frame by frame. Overwrites `values`. */
void cord__pack_channel(pack *p, uint16_t *values, int frames, int items, int bits);

/* Numbers in 8 bits between their least and largest, which go first. NaN counts as the least. */
void cord__pack_scalars(pack *p, const double *values, int frames, int items, uint16_t *scratch);

/* Writes the bytes, deflated (zlib), in base64, and empties the pack. Fails when memory or the disk is
 * full. */
cord_status cord__pack_write(pack *p, FILE *out);
cord_status cord__pack_write_bytes(pack *p, FILE *out); /* likewise, not in base64 */

void cord__pack_free(pack *p);

/* Any bytes in base64. */
void cord__base64_write(const unsigned char *bytes, size_t size, FILE *out);

#endif
