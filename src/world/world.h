/* The world's own data. Things live in slots found by handles; a problem (solve/problem.h) lists
 * the live ones for the solvers and is made anew when the topology has changed. */
#ifndef CORDAGE_WORLD_WORLD_H
#define CORDAGE_WORLD_WORLD_H

#include "force/load.h"
#include "force/point_mass.h"
#include "force/viscous_friction.h"
#include "math/nearest.h"
#include "solve/integrator.h"
#include "strand/registry.h"

#include <cordage/cordage.h>

typedef struct slots {
    void **item; /* NULL: free */
    uint32_t *generation;
    int *left;                 /* slots below count that are free */
    int count, used, capacity; /* slots ever used, in use now, allocated */
} slots;

/* The arrays that the numbers of things are in: how long each is, or where in each. */
typedef enum extent { IN_Q, IN_V, IN_LAMBDA, IN_CACHE, IN_INERTIAL, EXTENTS } extent;

/* What moves: a strand, a body, or where a point is on a strand. */
typedef enum object_kind { OBJECT_STRAND, OBJECT_BODY, OBJECT_SLIDER } object_kind;
typedef struct object {
    object_kind kind;
    int slot;
    const strand_ops *ops; /* of a strand */
    block block;
    char *name;
    bool laid_out;             /* its numbers are in the world's arrays */
    bool grown;                /* it has attachments that have no numbers yet */
    int index;                 /* in the problem's list */
    int room[EXTENTS];         /* for its numbers, where they are now */
    int64_t cache_revision;    /* the moment (cord_world.moment) that its cache is of */
    int64_t jacobian_revision; /* and that part of it which jets read */
    linked *points, *paths,
        *children; /* that are on it; points on its paths are in lists of those */
    int carrier;   /* while a cable is made: 1 + which of its ports it is */
    linked *along; /* of a cable: per guide, in the list of the path it is along */
    int guides;
} object;
typedef object strand;

/* A curve in the world's axes, or in a body's principal ones. */
typedef struct world_path {
    path_curve curve;
    char *name;
    int owner; /* slot of the body, or -1: the world */
    int slot;
    linked on;               /* in the list of its body */
    linked *points, *cables; /* along it */
} world_path;

static inline object *cord__object_of(block *b)
{
    return (object *)((char *)b - offsetof(object, block));
}

struct cord_world {
    /* The world itself. Queries take a const world and still set the message, lay out the state and refresh
     * caches, none of which changes a value of the state; only the functions that do so use this pointer. */
    cord_world *self;
    memory memory;
    cord_world_def def;
    slots strands, bodies, sliders, paths, points;
    slots
        terms; /* constraints, which have handles, and forces that the library adds: assembled in this order */
    slots loads;
    wind wind;

    problem problem;
    partition partition;
    bool layout_stale; /* strands, bodies, constraints or loads came, went, or grew attachments */
    bool partition_stale; /* constraints or loads, too */
    bool elements_stale;  /* only that points have slid to where they depend on other columns */
    bool start_stale;     /* velocities and accelerations are not consistent yet */

    /* Until all is laid out anew, what is new has its numbers behind those that were there. */
    int used[EXTENTS], room[EXTENTS];
    int listed, list_room; /* and so in the list of blocks */
    int64_t unused_count;  /* numbers of what has gone, or has moved */

    int64_t revision;             /* counts changes of what caches and reactions are made from */
    int internal_terms, released; /* for the counters */

    double *user_state; /* numbers of whoever drives the world */
    int user_state_count;

    cord_profile profile;
    cord_counters counters;
    char error[512];
};

/* Sets the message (printf) and returns the status. */
cord_status cord__fail(const cord_world *w, cord_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- slots.c --------------------------------------------------------------------------------- */

cord_status cord__slots_add(slots *s, memory *m, void *item, uint32_t *index, uint32_t *generation);
/* NULL: null, stale or not of this world. */
void *cord__slots_get(const slots *s, uint32_t index, uint32_t generation);
void cord__slots_remove(slots *s, uint32_t index);
void cord__slots_free(slots *s, memory *m);

/* Look up by handle; on failure the message is set. */
strand *cord__get_strand(const cord_world *w, cord_strand handle);
object *cord__get_body(const cord_world *w, cord_body handle);
point *cord__get_point(const cord_world *w, cord_point handle);
world_path *cord__get_path(const cord_world *w, cord_path handle);

constraint *cord__get_constraint(const cord_world *w, cord_constraint handle);

/* ---- constraints.c ---------------------------------------------------------------------------- */

/* Of a kind that need not be one for scenes. */
cord_status cord__world_add_constraint(cord_world *w, const constraint_ops *ops,
                                       const cord_constraint_def *def, cord_constraint *out);
/* The present poses of its points, as far as it needs them. */
cord_status cord__present_poses(const cord_world *w, const constraint *r, pose poses[2]);
/* The constraint was added by the library. */
constraint *cord__mark_internal(cord_world *w, cord_constraint made);

/* ---- terms.c: constraints and forces in their slots and in the lists of their points ------------- */

/* The constraint in a slot; NULL: there is none, or a force. */
constraint *cord__constraint_at(const cord_world *w, int slot);
/* With its ops and points set. On failure the caller frees it. */
cord_status cord__add_term(cord_world *w, term *x, uint32_t *index, uint32_t *generation);
/* Adds a force that a point or a constraint brings along; frees it on failure. */
cord_status cord__add_force(cord_world *w, force_term *f);
/* Removes a term with those that follow it. */
void cord__remove_term(cord_world *w, term *x);
void cord__term_free(cord_world *w, term *x);
cord_status cord__add_point_mass(cord_world *w, const point *p);
cord_status cord__add_friction(cord_world *w, constraint *owner, double coefficient);
void cord__remove_load(cord_world *w, load *l);

/* A point goes, with what is on it. */
void cord__remove_point(cord_world *w, point *p);
void cord__set_released(cord_world *w, point *p, bool released);
/* A path goes, with its points. */
void cord__remove_path(cord_world *w, world_path *p);
/* A strand or a body goes, with the points and paths on it and the cables that ride on it. */
void cord__remove_object(cord_world *w, object *t);
/* Points that have slid to another element depend on other degrees of freedom from now on. `gently`: a constraint on a
 * tangent that has jumped closes the gap over a while. Whether any has. (event_slide.c) */
bool cord__update_elements(cord_world *w, bool gently);
/* Whether a point has slid beyond the next element in the trial. */
bool cord__skips_elements(const cord_world *w);
struct cable;
/* Cables leave wheels that they no longer touch, and come to others. */
cord_status cord__update_wraps(cord_world *w, bool *changed);
/* What changes of cables' nodes cost: between the change and the start from it, and after that. */
void cord__changes_begin(cord_world *w);
void cord__changes_end(cord_world *w);
/* A change is noted in the cable that is made, or forgotten when it is over. */
cord_status cord__note_change(cord_world *w, int slot, struct cable *made);
void cord__forget_change(cord_world *w, struct cable *c);
/* How long a step may be so that no arc of a cable is used up in the midst of it, and no free end runs on by more than
 * a part of what is left of its way; not shorter than CLOSEST_CHANGE of what was asked for. INFINITY: any. */
double cord__time_to_event(const cord_world *w);
/* What a constraint or a load needs of a point: a place is always attached, the rest when first asked for. */
cord_status cord__attach_needs(cord_world *w, point *p, int needs);
/* What carries a point; NULL: the world. Of one that runs on a path in the world it is its slider. */
object *cord__point_parent(const cord_world *w, const point *p);

/* ---- islands.c --------------------------------------------------------------------------------- */

/* Runs a task on every island, side by side; the first status that is not CORD_OK. */
cord_status cord__each_island(cord_world *w, island_operation *task, double h);
/* The trial state becomes the committed one, at this time. */
void cord__commit(cord_world *w, double time);
/* The message of the first island that failed; `h`, if above 0, is the step that failed. Without such an
 * island `status` is returned. */
cord_status cord__report_islands(cord_world *w, cord_status status, double h);
/* Counts and times of the islands are added to the world's. */
void cord__collect_counters(cord_world *w);

/* ---- step.c ------------------------------------------------------------------------------------ */

/* Equilibria are sought again this often where the topology changes on the way. */
enum { TOPOLOGY_PASSES = 100 };

/* Changes of topology at an equilibrium that was found: it is one only when there are none. */
cord_status cord__equilibrium_events(cord_world *w, bool *changed);

/* ---- layout.c: from slots to the problem ------------------------------------------------------ */

/* The problem's lists and state arrays match the slots. */
cord_status cord__world_layout(const cord_world *w);
/* At least this thing's numbers are in place and current, whatever else has changed: adding many
 * things must not lay out everything for each. */
cord_status cord__object_ready(const cord_world *w, object *t);
cord_status cord__point_ready(const cord_world *w, const point *p); /* what carries it */
/* A thing goes from where its numbers are. */
void cord__abandon_range(cord_world *w, const object *t);
/* And islands are made, and the world can step. */
cord_status cord__world_ready(const cord_world *w);
void cord__layout_free(cord_world *w);

/* Refresh the cache of all blocks from the committed configuration; of one, or what jets read of that, where it is not
 * so already. */
void cord__refresh_all(cord_world *w);
void cord__refresh_object(const cord_world *w, object *t);
void cord__refresh_jacobians(const cord_world *w, object *t);
/* And for the points of a term. */
void cord__refresh_term(const cord_world *w, const term *x);
/* Something was changed by hand: caches are of the past, and velocities and accelerations not consistent. */
void cord__invalidate_start(cord_world *w);
/* After a thing was moved by hand, what rides on it is with it. Laying out does so too. */
void cord__update_children(cord_world *w, const object *t);
/* The cable in a slot becomes another one on the same carriers; the old one goes. */
void cord__replace_cable(cord_world *w, int slot, struct cable *made);
/* cable_state.c: what a checkpoint has of cables beside their numbers. Reading makes those anew that have other nodes
 * now, if the world has so many more numbers then (q, v, λ); else it refuses, and changes nothing. */
size_t cord__cables_size(const cord_world *w);
void cord__cables_write(const cord_world *w, char *to);
cord_status cord__cables_read(cord_world *w, const char *from, size_t size, const int64_t more[3]);
/* Remove the cables that ride on a body, a coordinate or a strand. */
void cord__remove_children(cord_world *w, object *t);
/* What a block rides on. */
object *cord__parent_of(const cord_world *w, const shared_dofs *on);

void cord__object_free(cord_world *w, object *t);
void cord__point_free(cord_world *w, point *p);
void cord__path_release(cord_world *w, world_path *p);

/* Add a strand of a model that need not be registered (tests bring their own). */
cord_status cord__world_add_strand(cord_world *w, const strand_ops *ops, const cord_strand_def *def,
                                   cord_strand *out);

/* Hold a point on something where it is, or along a script, by coincide and align. */
cord_status cord__clamp(cord_world *w, const cord_point_def *on, const cord_point_def *script,
                        cord_point *clamp, cord_constraint *coincide, cord_constraint *align);

/* Energy of a block as it is now, and adding it up. */
void cord__block_energy(const cord_world *w, block *b, block_energy *e);
void cord__add_energy(cord_energy *sum, const block_energy *e);

/* "strand 'rope'" or "body 3", into a static-free buffer. */
const char *cord__object_label(const cord_world *w, int block_index, char *buffer, size_t size);

#endif
