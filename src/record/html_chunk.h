/* Frames of a page, some at a time. A chunk, before it is deflated (pack.h); web/src/recording.js reads it:
 *   u32 frames, f64 time of each;
 *   per strand: f64 origin[3], f64 step, three channels of 16 bits (a vertex is origin + step × n);
 *     a channel of 9 bits, the angle of each edge's first director, 512 to a revolution, against a frame
 *     carried along the vertices as they are unpacked; 8-bit scalars per vertex: curvature, twist,
 *     tension, speed. Those that a model does not give are left out, and the description says so;
 *   per point: f32 position[3], tangent[3], first director[3], each for all frames;
 *   per constraint: f32 for all frames, 1, or 0 while it is released;
 *   per body: f32 position[3] and quaternion[4] (w first), each for all frames;
 *   per series: f32 for all frames;
 *   of scenes with contacts: u32 for all frames, how many, then for each of them f32 position[3], normal[3], force[3] on
 *     the first object (on the second where the first is an obstacle), and 1,
 *     or 0 while it slips. */
#ifndef CORDAGE_RECORD_HTML_CHUNK_H
#define CORDAGE_RECORD_HTML_CHUNK_H

#include "record/pack.h"
#include "record/snapshot.h"

typedef struct page_chunk {
    const snapshot_layout *layout;
    size_t size;          /* numbers of a snapshot */
    int frames, capacity; /* those that it has, and can have */
    double *numbers;      /* its snapshots, one after the other */
    double *gathered;     /* a quantity of one strand in all frames */
    uint16_t *integer;    /* any channel */
    int *contact_counts;  /* per frame */
    size_t contact_count, contact_room;
    double *contacts;
    pack pack; /* its bytes, once it is packed */
} page_chunk;

/* False: memory is out. End it also then. Snapshots are of this layout. */
bool cord__page_chunk_begin(page_chunk *h, memory *mem, const snapshot_layout *layout);
void cord__page_chunk_end(page_chunk *h);
/* A frame more, of which there is room for `capacity`. False: memory is out. */
bool cord__page_chunk_add(page_chunk *h, const frame_snapshot *now);
/* The frames, if any, into `pack`; the chunk is empty afterwards. */
void cord__page_chunk_pack(page_chunk *h);
/* What was packed, as an element of a page. */
cord_status cord__page_chunk_write(page_chunk *h, FILE *out);

#endif
