/* The data of a world. Objects live in slots, which handles address; a problem (solve/problem.h) lists the
 * live ones for the solvers, and is rebuilt when the topology has changed. */
#ifndef CORDAGE_WORLD_WORLD_H
#define CORDAGE_WORLD_WORLD_H

#include "force/load.h"
#include "force/point_mass.h"
#include "force/flywheel.h"
#include "force/viscous_friction.h"
#include "math/callback.h"
#include "math/nearest.h"
#include "solve/integrator.h"
#include "strand/registry.h"

#include <cordage/cordage.h>

typedef struct world_contacts world_contacts; /* contacts.h */

typedef struct slots {
    void **item; /* NULL: free */
    uint32_t *generation;
    int *left;                 /* binary heap of the free slots below count, lowest first */
    int count, used, capacity; /* slots ever used, in use now, allocated */
    uint32_t first_generation; /* even: the generation of a slot in use is odd */
} slots;

/* The arrays in which objects have ranges of values: an index of lengths, or of starts. */
typedef enum extent { IN_Q, IN_V, IN_LAMBDA, IN_CACHE, IN_INERTIAL, IN_SIDE, EXTENTS } extent;

/* An object with degrees of freedom: a strand, a body, or the coordinate of a point (a slider). */
typedef enum object_kind { OBJECT_STRAND, OBJECT_BODY, OBJECT_SLIDER } object_kind;
/* The last event of a block, until the next search for events. */
typedef struct object_event {
    double *momentum, *lambda; /* of its topology_successor; momentum NULL: no event to count */
    block_energy before;       /* of the block, then of its cluster */
} object_event;
/* A strand that may break or has broken: breakage.c. */
typedef struct breakage breakage;

typedef struct object {
    object_kind kind;
    int slot;
    const strand_ops *ops; /* of a strand; NULL: no strand */
    block block;
    char *name;
    bool laid_out;             /* its values are in the world's arrays */
    bool grown;                /* it has attachments whose values are not in the arrays yet */
    int index;                 /* in the problem's list of blocks */
    int room[EXTENTS];         /* lengths of its ranges in the world's arrays */
    int64_t cache_revision;    /* cord_world.revision when its cache was computed */
    int64_t jacobian_revision; /* the same for the part of the cache that point Jacobians read */
    list_link *points;         /* points on it; those on its paths are in the lists of the paths */
    list_link *paths;          /* paths fixed in it */
    list_link *children;       /* shared_dofs of the cables that share its degrees of freedom */
    int mark;                  /* scratch of builders, 0 between */
    list_link *along;          /* its entries in the lists of paths that it follows */
    int along_count;
    struct triangle_mesh *mesh; /* of a body whose surface is a mesh; owned */
    object_event event;
    breakage *breakage;    /* of its first fragment; NULL: it has no limits and is whole */
    int fragment_of;       /* slot + 1 of the strand that it broke from; 0: none */
    double fragment_start; /* where it begins, a coordinate of the strand as it was defined */
    strand_fragment given; /* the state of a new fragment until it is laid out, without model */
} object;
typedef object strand;

/* A curve in world axes, or in the principal axes of a body. */
typedef struct world_path {
    path_curve curve;
    char *name;
    int owner; /* slot of the body in which it is fixed; -1: the world */
    int slot;
    list_link on;               /* its entry in the list of its body */
    list_link *points, *blocks; /* along it: removed with it */
} world_path;

static inline object *cord__object_of(block *b)
{
    return (object *)((char *)b - offsetof(object, block));
}

/* The growth of the energy since a state of reference: energy_check.c. */
typedef struct energy_check {
    bool known;       /* there is a reference; not in a motion that something drives */
    bool each_step;   /* the energy must not grow in any step */
    double step_gain; /* and then its growth in one step, of the largest energy, is at most this */
    double motion_and_strain, gravity; /* of the reference, J */
    double largest;                    /* energy that was ever available, J */
    double least;                      /* below this energies are rounding, J */
    double kinetic, total;             /* at the last check, J */
    double gain, limit;                /* the growth that was last compared, and its limit, J */
    int fastest;                       /* the block with the most kinetic energy */
    int steps;                         /* since the last check */
} energy_check;

/* Workspace of batches (solve/batch.h), one for each thread. */
typedef struct batch_workspace {
    int threads;
    size_t size; /* of each, in doubles */
    double *memory, **of_thread;
} batch_workspace;

struct cord_world {
    /* The world itself. Queries take a const world and still set the message, lay out the state and refresh
     * caches, none of which changes a value of the state; only the functions that do so use this pointer. */
    cord_world *self;
    memory memory;
    cord_world_def def;
    slots strands, bodies, sliders, paths, points;
    slots
        terms; /* constraints, which have handles, and forces that the library adds: assembled in this order */
    slots loads, obstacles;
    world_contacts *contacts; /* NULL: it never had a surface or an obstacle */
    wind wind;

    problem problem;
    partition partition;
    batch_workspace batch_workspace;
    bool layout_stale;    /* objects were added, removed or extended since cord__world_layout() */
    bool partition_stale; /* the clusters must be rebuilt, with the layout */
    bool elements_stale;  /* the clusters must be rebuilt: sliding points depend on other dofs */
    bool start_stale;     /* velocities and accelerations are not consistent with the constraints */
    bool forces_changed;  /* accelerations alone are not */

    /* Between two layouts the values of a new object follow those of all others. */
    int used[EXTENTS], room[EXTENTS]; /* lengths of the arrays: in use, allocated */
    int listed, list_room;            /* the same for the list of blocks */
    int64_t unused_count;             /* values in ranges that removed or moved objects have left */

    int64_t revision; /* counts changes of the data from which caches and reactions are computed */
    int internal_terms, released; /* for the counters */
    int breaks;                   /* of all strands so far */

    double *user_state;
    int user_state_count;

    energy_check energy_check;
    bool joining;       /* the partition is made again, with more joined clusters */
    bool poses_pending; /* of points: cord_point_move() */
    void *
        unrefined; /* the committed state before attempts refined quadratures: event_quadrature.c; NULL: none did */
    size_t unrefined_size;
    cord_profile profile;
    cord_counters counters;
    cord_failure failure;
    cord_cancel cancel;
    char error[1024];
};

/* Sets the message, formatted as by printf, and returns the status. */
cord_status cord__fail(const cord_world *w, cord_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Begins a call that changes the world, or that computes from its state: CORD_ERROR_ARGUMENT without a world,
 * CORD_ERROR_BUSY within a callback. */
cord_status cord__enter(const cord_world *w);
/* The status of a call whose object was not found (cord__get_strand() and the like); its message is set. */
cord_status cord__refused(const cord_world *w);

/* A long call: its polls ask the world's cancel function. The second returns `status`, or CORD_ERROR_CANCELLED with a
 * message that names the call. */
typedef struct long_call {
    cancellation own, *before;
} long_call;
void cord__begin_long_call(const cord_world *w, long_call *c);
cord_status cord__end_long_call(const cord_world *w, const long_call *c, const char *what,
                                cord_status status);

/* ---- schedule.c: parameters that change --------------------------------------------------------- */

/* Sets gravity and the parameters of all strands to those at the present time. */
void cord__update_schedules(cord_world *w);
/* Sets the length and the stiffnesses of all strands to those of their definitions: the scales of a partition must not
 * depend on the time at which it was made. */
void cord__reset_schedules(cord_world *w);
/* Whether gravity, or a parameter or a load of a strand, is a function of time. */
bool cord__is_scheduled(const cord_world *w);
/* Adds a schedule to a strand that has none. */
cord_status cord__need_schedule(cord_world *w, strand *s);
/* The constants of all strands as bytes, for checkpoints. Reserving checks the bytes and allocates memory;
 * reading cannot fail afterwards. */
size_t cord__schedules_size(const cord_world *w);
void cord__schedules_write(const cord_world *w, char *to);
cord_status cord__schedules_reserve(cord_world *w, const char *from, size_t size);
void cord__schedules_read(cord_world *w, const char *from, size_t size);

/* ---- event_growth.c: strands that grow ---------------------------------------------------------- */

bool cord__is_growing(const cord_world *w);
/* Strands have grown up to the present time, which was set. */
void cord__set_growth_time(cord_world *w);

/* ---- energy_check.c ---------------------------------------------------------------------------- */

/* Whether something does work on the motion: wind, loads, scripts, drives, schedules, a gap that closes. */
bool cord__is_driven(const cord_world *w);
/* Before the first attempt of a step. */
void cord__energy_begin(cord_world *w);
/* After a commit: whether the energy has grown by more than a motion without drive can explain. */
bool cord__energy_grows(cord_world *w);
/* After an event, whose change of the energy is recorded with it: the next step is compared with the new state. */
void cord__energy_after_event(cord_world *w);

/* ---- slots.c --------------------------------------------------------------------------------- */

cord_status cord__slots_add(slots *s, memory *m, void *item, uint32_t *index, uint32_t *generation);
/* Finds an object by its handle. When the handle is null, stale or of another world, sets the message, which names the
 * `kind` of object, and returns NULL. */
void *cord__find(const cord_world *w, const slots *s, const char *kind, uint32_t index,
                 uint32_t generation);
void cord__slots_remove(slots *s, uint32_t index);
void cord__slots_free(slots *s, memory *m);

/* Find an object by its handle; on failure they set the message and return NULL. */
strand *cord__get_strand(const cord_world *w, cord_strand handle);
object *cord__get_body(const cord_world *w, cord_body handle);
point *cord__get_point(const cord_world *w, cord_point handle);
world_path *cord__get_path(const cord_world *w, cord_path handle);

constraint *cord__get_constraint(const cord_world *w, cord_constraint handle);

/* ---- constraints.c ---------------------------------------------------------------------------- */

/* Adds a constraint of any kind, also of one that has no public name. */
cord_status cord__world_add_constraint(cord_world *w, const constraint_ops *ops,
                                       const cord_constraint_def *def, cord_constraint *out);
/* The present poses of a constraint's points, as far as its kind needs them. */
cord_status cord__present_poses(const cord_world *w, const constraint *r, pose poses[2]);
/* Marks a constraint as internal to the library: counters do not count it. */
constraint *cord__mark_internal(cord_world *w, cord_constraint made);

/* ---- terms.c: constraints and forces in their slots and in the lists of their points ------------- */

/* The constraint in a slot; NULL: there is none, or a force. */
constraint *cord__constraint_at(const cord_world *w, int slot);
/* With its ops and points set. On failure the caller frees it. */
cord_status cord__add_term(cord_world *w, term *x, uint32_t *index, uint32_t *generation);
/* Adds a force that belongs to a point or a constraint; frees it on failure. */
cord_status cord__add_force(cord_world *w, force_term *f);
/* Removes a term with those that follow it. */
void cord__remove_term(cord_world *w, term *x);
void cord__term_free(cord_world *w, term *x);
void cord__remove_load(cord_world *w, load *l);

/* Removes a point with its terms and loads. */
void cord__remove_point(cord_world *w, point *p);
void cord__set_released(cord_world *w, point *p, bool released);
/* Poses to which points were moved since the last step are reached at the end of this one. */
void cord__begin_pose_changes(cord_world *w, double duration);
/* Removes a path with its points and cables. */
void cord__remove_path(cord_world *w, world_path *p);
/* Removes a strand or a body with its points and paths and the blocks that share its dofs. */
void cord__remove_object(cord_world *w, object *t);
/* Updates the dofs of points that have slid to another element. `gently`: a constraint on a tangent that has jumped
 * closes the gap over some time. Returns whether any point has. (event_slide.c) */
bool cord__update_elements(cord_world *w, bool gently);
/* Whether a point has slid beyond the next element in the trial. */
bool cord__skips_elements(const cord_world *w);
/* Attaches the measures of a point that a constraint or a load needs: its position is always attached, other
 * measures on first use. */
cord_status cord__attach_needs(cord_world *w, point *p, int needs);
/* The parent object of a point; NULL: the world. Of a point on a path in the world it is its slider. */
object *cord__point_parent(const cord_world *w, const point *p);

/* ---- islands.c --------------------------------------------------------------------------------- */

/* Run the step of every batch of islands, or a task on every cluster, in parallel; the first status that is not CORD_OK. */
cord_status cord__step_islands(cord_world *w, double h);
cord_status cord__each_cluster(cord_world *w, cluster_operation *task, double h);
/* The workspaces of batches, after a change of the partition. */
cord_status cord__reserve_batches(cord_world *w);
void cord__free_batches(cord_world *w);
/* The trial state becomes the committed one, at this time. */
void cord__commit(cord_world *w, double time);
/* Returns to the state before the last commit. */
void cord__revert(cord_world *w);
/* Counts and times of the clusters are added to the world's; and, after every attempt, those of contacts. */
void cord__collect_counters(cord_world *w);
void cord__collect_contacts(cord_world *w);
/* Whether a search for an equilibrium ended since it left the margin of detection, and the error after the most such searches. */
bool cord__left_margin(const cord_world *w);
enum { DETECTIONS = 1000 };
cord_status cord__report_far(cord_world *w);

/* ---- failure.c: messages of failed clusters ------------------------------------------------------- */

/* Sets the message of the first cluster that failed, and returns its status, or CORD_ERROR_INCONSISTENT where constraints
 * turn out to contradict each other; `h`, if above 0, is the step that failed. Without such a cluster `status` is
 * returned. */
cord_status cord__report_islands(cord_world *w, cord_status status, double h);
/* The message of a step of length h whose energy grows, and its status. */
cord_status cord__report_gain(cord_world *w, double h);
/* Begins a call that may fail; ends it with its status. */
void cord__begin_failure(cord_world *w);
cord_status cord__end_failure(cord_world *w, cord_status status);

/* ---- step.c ------------------------------------------------------------------------------------ */

/* The largest number of searches for an equilibrium when the topology changes during them. */
enum { TOPOLOGY_PASSES = 100 };

/* After a division of a strand by hand: velocities keep the momenta of the present motion. */
cord_status cord__restart_divided(cord_world *w);
/* Applies changes of topology at a computed equilibrium: the state is an equilibrium only when there are none. */
cord_status cord__equilibrium_events(cord_world *w, bool *changed);

/* ---- checkpoint.c: the state that constraints and forces keep, added to a hash ----------------- */

uint64_t cord__hash_terms(const cord_world *w, uint64_t hash);

/* ---- layout.c: from slots to the problem ------------------------------------------------------ */

/* Ensures that the problem's lists and state arrays match the slots. */
cord_status cord__world_layout(const cord_world *w);

/* Every array of the problem that is workspace, not part of the state, with its length. */
enum { WORKSPACES = 25 };
typedef struct workspace {
    double **array;
    int count;
} workspace;
void cord__list_workspaces(problem *p, workspace out[WORKSPACES]);

/* Sets the scales and the inertia per dof of a block, whose storage exists, from its model. */
void cord__set_block_scales(block *b);
/* Ensures that the values of this object are laid out and current, whatever else has changed: adding many objects
 * must not cause a complete layout for each. */
cord_status cord__object_ready(const cord_world *w, object *t);
cord_status cord__point_ready(const cord_world *w, const point *p); /* of its parent */
/* Counts the range of an object that is removed or moved as unused. */
void cord__abandon_range(cord_world *w, const object *t);
/* Also builds the clusters, so that the world can step. */
cord_status cord__world_ready(const cord_world *w);
void cord__layout_free(cord_world *w);

/* Refresh the cache of all blocks from the committed configuration; of one block, or only the part that point
 * Jacobians read, if it is not current. */
void cord__refresh_all(cord_world *w);
void cord__refresh_object(const cord_world *w, object *t);
void cord__refresh_jacobians(const cord_world *w, object *t);
/* The same for the points of a term. */
void cord__refresh_term(const cord_world *w, const term *x);
/* Invalidates caches, and marks velocities and accelerations as inconsistent, after a change by the user. */
void cord__invalidate_start(cord_world *w);
/* The same after a change of forces, by which velocities stay consistent. */
void cord__invalidate_accelerations(cord_world *w);
/* Accelerations are those by the present loads. */
void cord__forget_jumps(cord_world *w);
/* Copies the shared dofs of an object that the user has moved to its children. The layout does so too. */
void cord__update_children(cord_world *w, const object *t);
/* The block whose dofs another one shares. */
object *cord__parent_of(const cord_world *w, const shared_dofs *on);

/* ---- event_topology.c: blocks whose unknowns change ------------------------------------------- */

/* The shared dofs of a block follow its private ones. */
void cord__lay_out_shared_dofs(block *b);
/* Remove the blocks that share dofs with a body, a coordinate or a strand. */
void cord__remove_children(cord_world *w, object *t);
void cord__forget_event(cord_world *w, object *t);
/* Attaches the points of an object again, and updates the shared dofs of its children. `q`: its configuration. */
void cord__attach_again(cord_world *w, const object *t, const double *q);
/* Replaces the model of an object by a successor, whose initial state is the next one; if memory is exhausted, frees the
 * successor instead. */
cord_status cord__replace_model(cord_world *w, object *t, void *made);
/* Points at the end of a strand that grows stay at its end. */
void cord__follow_end(const object *t, double before, double length);
/* The topologies of blocks as bytes. Reading replaces the models of blocks with another topology, if the world then
 * has the given numbers of additional values (q, v, λ, side, inertial coordinates); otherwise it fails, and changes
 * nothing. Their quadratures are with them. */
size_t cord__topologies_size(const cord_world *w);
void cord__topologies_write(const cord_world *w, char *to);
cord_status cord__topologies_read(cord_world *w, const char *from, size_t size,
                                  const int64_t more[5]);

/* ---- breakage.c: limits of strands; fragments.c: their division ---------------------------------- */

typedef struct strand_break {
    double s, time, tension, curvature, energy; /* as in cord_break */
    int slot;                                   /* of the fragment that begins there */
    int order;                                  /* among the breaks of all strands */
} strand_break;

struct breakage {
    cord_breakage_def def;
    cord_break_location *locations; /* of def, at coordinates of joints */
    double length;                  /* of the strand as it was defined, m */
    bool closed;
    void *whole; /* the model of the strand as it was defined; NULL: it is whole */
    int count, capacity;
    strand_break *breaks;
};

/* The strand as it was defined that this one is a fragment of, or itself. */
strand *cord__whole_strand(const cord_world *w, const strand *t);
/* Its breakage, without limits where it has none yet; NULL: out of memory, with a message. */
breakage *cord__need_breakage(cord_world *w, strand *t);
/* Why a strand cannot be divided; NULL: it can. */
const char *cord__indivisible(const strand *t);
/* The joint nearest to a coordinate, of those where the strand can be divided; -1: there is none. */
int cord__nearest_joint(const strand *t, double s);
/* The fragment that has a coordinate of the strand as it was defined, and the coordinate on it. */
strand *cord__find_fragment(const cord_world *w, const strand *whole, double s, double *own);
/* Divides a strand, whose cache is refreshed, at a joint. On failure nothing has changed. */
cord_status cord__divide_strand(cord_world *w, strand *t, int joint, double tension,
                                double curvature);
void cord__breakage_free(cord_world *w, object *t);
/* The breaks of all strands as bytes, for checkpoints. Reading joins fragments and divides strands until the breaks are
 * those of the bytes; the state of the world is then undefined. CORD_ERROR_ARGUMENT, before anything changes: the bytes are
 * not those of this world. */
size_t cord__breaks_size(const cord_world *w);
void cord__breaks_write(const cord_world *w, char *to);
cord_status cord__breaks_read(cord_world *w, const char *from, size_t size);

void cord__object_free(cord_world *w, object *t);
void cord__point_free(cord_world *w, point *p);
void cord__path_release(cord_world *w, world_path *p);

/* Adds a strand of a model that need not be registered, for models that tests define. */
cord_status cord__world_add_strand(cord_world *w, const strand_ops *ops, const cord_strand_def *def,
                                   cord_strand *out);

/* Clamps a point of an object in its present pose, or along a script, by coincide and align. */
cord_status cord__clamp(cord_world *w, const cord_point_def *on, const cord_point_def *script,
                        cord_point *clamp, cord_constraint *coincide, cord_constraint *align);

/* The present energy of a block; and the sum of energies. */
/* The committed state of a block, whose cache is refreshed. */
block_eval cord__block_now(const cord_world *w, const block *b, const environment *env);
void cord__block_energy(const cord_world *w, block *b, block_energy *e);
/* Of the inertia of a force of the problem's list; all blocks are refreshed. False: it has none. */
bool cord__force_energy(const cord_world *w, int force, block_energy *e);
void cord__add_energy(cord_energy *sum, const block_energy *e);

/* Writes a label of a block for messages to `buffer`: "strand 'rope'" or "body 3". */
const char *cord__object_label(const cord_world *w, int block_index, char *buffer, size_t size);

#endif
