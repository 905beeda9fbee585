/* The world's own data. Things live in slots found by handles; a problem (solve/problem.h) lists
 * the live ones for the solvers and is made anew when the topology has changed. */
#ifndef CORDAGE_WORLD_WORLD_H
#define CORDAGE_WORLD_WORLD_H

#include "math/nearest.h"
#include "solve/problem.h"
#include "strand/registry.h"

#include <cordage/cordage.h>

typedef struct slots {
    void **item; /* NULL: free */
    uint32_t *generation;
    int count, used, capacity; /* slots ever used, in use now, allocated */
} slots;

typedef struct strand {
    const strand_ops *ops;
    block block;
    char *name;
    bool placed; /* its numbers are in the world's arrays */
    bool grown;  /* it has attachments that have no numbers yet */
    int index;   /* in the problem's list */
} strand;

static inline strand *cord__strand_of(block *b)
{
    return (strand *)((char *)b - offsetof(strand, block));
}

struct cord_world {
    memory memory;
    cord_world_def def;
    slots strands, points, relations, loads;
    wind wind;

    problem problem;
    partition partition;
    bool layout_stale;    /* strands, relations or loads came, went, or grew attachments */
    bool strands_left;    /* so that indices in the problem's list are not to be trusted */
    bool partition_stale; /* relations or loads, too */
    bool start_stale;     /* velocities and accelerations are not consistent yet */

    cord_profile profile;
    cord_counters counters;
    char error[512];
};

/* Sets the message (printf) and returns the status. */
cord_status cord__fail(cord_world *w, cord_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- slots.c --------------------------------------------------------------------------------- */

cord_status cord__slots_add(slots *s, memory *m, void *item, uint32_t *index, uint32_t *generation);
/* NULL: null, stale or not of this world. */
void *cord__slots_get(const slots *s, uint32_t index, uint32_t generation);
void cord__slots_remove(slots *s, uint32_t index);

/* Look up by handle; on failure the message is set. */
strand *cord__get_strand(const cord_world *w, cord_strand handle);
point *cord__get_point(const cord_world *w, cord_point handle);

/* Relations and loads on a point (slot) go. */
void cord__remove_relations_on(cord_world *w, int slot);

/* ---- layout.c: from slots to the problem ------------------------------------------------------ */

/* The problem's lists and state arrays match the slots. */
cord_status cord__world_layout(cord_world *w);
/* At least this strand's numbers are in place and current, whatever else has changed: adding many
 * things must not lay out everything for each. */
cord_status cord__strand_ready(cord_world *w, const strand *s);
cord_status cord__point_ready(cord_world *w, const point *p); /* and what carries it */
/* And islands are made, and the world can step. */
cord_status cord__world_ready(cord_world *w);
void cord__layout_free(cord_world *w);

/* Refresh the cache of all blocks, or of one, from the committed configuration. */
void cord__refresh_all(cord_world *w);
void cord__refresh_strand(const cord_world *w, const strand *s);

void cord__strand_free(cord_world *w, strand *s);
void cord__point_free(cord_world *w, point *p);
void cord__relation_free(cord_world *w, relation *r);
void cord__load_free(cord_world *w, load *l);

/* Add a strand of a model that need not be registered (tests bring their own). */
cord_status cord__world_add_strand(cord_world *w, const strand_ops *ops, const cord_strand_def *def,
                                   cord_strand *out);

/* "strand 'rope'" or "strand 3", into a static-free buffer. */
const char *cord__strand_label(const cord_world *w, int block_index, char *buffer, size_t size);

#endif
