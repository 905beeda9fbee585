/* The world: everything that moves, and the step that moves it.
 *
 * SI units, z up, radians. A world is used by one thread at a time; different worlds are
 * independent. Every array handed in is copied; every array handed out is the caller's. */
#ifndef CORDAGE_WORLD_H
#define CORDAGE_WORLD_H

#include <cordage/status.h>
#include <stddef.h>
#include <stdint.h>

CORD_BEGIN

typedef struct cord_world cord_world;

/* Handles are values: index and generation. A zeroed handle is null; a handle to something
 * removed is recognised as stale. */
typedef struct cord_strand {
    uint32_t index, generation;
} cord_strand;
typedef struct cord_body {
    uint32_t index, generation;
} cord_body;
typedef struct cord_path {
    uint32_t index, generation;
} cord_path;
typedef struct cord_point {
    uint32_t index, generation;
} cord_point;
typedef struct cord_constraint {
    uint32_t index, generation;
} cord_constraint;
typedef struct cord_load {
    uint32_t index, generation;
} cord_load;

typedef enum cord_integrator {
    CORD_IMPLICIT,   /* Newton on `scheme`; the default */
    CORD_SYMPLECTIC, /* explicit elastic forces, fast projection, quasistatic twist */
    CORD_MIDPOINT,   /* energy-keeping: implicit midpoint with discrete gradients */
    /* An equilibrium at the end of every step, found from where things are: scripts, drives, loads and
     * wind move on, inertia, drag and damping play no part. Velocities are zero but for sliding points',
     * whose friction counts, friction × (the way slid) / step. An equilibrium that is lost (a snap, a
     * release) is left for a stable one at once, without friction. */
    CORD_QUASI_STATIC,
} cord_integrator;

typedef enum cord_scheme {
    CORD_TR_BDF2,        /* second order, L-stable; the default */
    CORD_BACKWARD_EULER, /* first order, strongly damping */
    CORD_LINEARISED,     /* backward Euler with one solve per step, then post-stabilised */
    /* the 2013 paper's step: elasticity and damping implicit, the rest explicit, one solve */
    CORD_SEMI_IMPLICIT,
    /* the same with its velocity terms implicit to first order (its section 7.2) */
    CORD_SEMI_IMPLICIT_VELOCITY,
} cord_scheme;

/* Memory for one world. `resize(user, NULL, n)` allocates, `resize(user, p, 0)` frees and
 * returns NULL; a NULL from any other call means failure and leaves `p` as it was. */
typedef struct cord_allocator {
    void *(*resize)(void *user, void *memory, size_t size);
    void *user;
} cord_allocator;

typedef struct cord_world_def {
    double gravity[3];          /* m/s²; default (0, 0, -9.81) */
    cord_integrator integrator; /* default CORD_IMPLICIT */
    cord_scheme scheme;         /* for CORD_IMPLICIT; default CORD_TR_BDF2 */
    double tolerance;           /* Newton stops at corrections below this fraction of an element's
                                   length (or of a radian); default 1e-8 */
    double length_tolerance;    /* symplectic: largest |e·e/ē·ē − 1|, and constraint residuals
                                   over an element's length; default 1e-6 */
    int max_iterations;         /* Newton iterations before the step is halved; default 25 */
    int max_halvings;           /* the step may shrink by 2 to this power; default 12 */
    int threads;                /* 0: as many as OpenMP offers. Results do not depend on it. */
    cord_allocator allocator;   /* default: realloc and free */
    double
        max_velocity_change; /* the 2012 paper's adaptive step: a step in which the velocity of an
                               unknown changes by more than this is halved; in elements' lengths (or
                               radians, or curvatures over 1/length) per second; 0: off */
} cord_world_def;

CORD_API cord_world_def cord_world_def_default(void);

/* On failure *world is NULL and the status says why. */
CORD_API cord_status cord_world_create(const cord_world_def *def, cord_world **world);
CORD_API void cord_world_destroy(cord_world *world);

/* The message of the last failure on this world; "" when there was none. It names the strand,
 * the time and the cause where they are known. Valid until the next call on the world. */
CORD_API const char *cord_world_get_error(const cord_world *world);

/* Advance by `duration` seconds (> 0). The world halves the step where it must and comes out
 * exactly at the end. On failure the world is at the last good state, which may be later than
 * where it began: cord_world_get_time() tells. */
CORD_API cord_status cord_world_step(cord_world *world, double duration);

CORD_API double cord_world_get_time(const cord_world *world);

CORD_API cord_status cord_world_set_gravity(cord_world *world, const double gravity[3]);

/* ---- statics ------------------------------------------------------------------------------ */

typedef struct cord_statics_def {
    double tolerance;   /* as in cord_world_def; default 1e-10 */
    int max_iterations; /* default 2000 */
    double kick;        /* when it lands on an unstable equilibrium: leave it along a pseudo-random
                           displacement of this size (m) and go on; 0 (the default) stays there */
} cord_statics_def;

typedef struct cord_statics_result {
    int iterations;
    double residual;         /* largest unbalanced force, N */
    int unstable_directions; /* 0 for a stable equilibrium */
} cord_statics_result;

CORD_API cord_statics_def cord_statics_def_default(void);

/* Move to an equilibrium: velocities become zero, potential energy is minimised under the
 * constraints, time does not pass. `def` and `result` may be NULL. */
CORD_API cord_status cord_world_find_equilibrium(cord_world *world, const cord_statics_def *def,
                                                 cord_statics_result *result);

/* The number of directions in which the potential energy decreases to second order about the
 * present state, under the constraints. Meaningful at an equilibrium. */
CORD_API cord_status cord_world_count_unstable_directions(const cord_world *world, int *count);

/* The lowest `count` angular frequencies (rad/s, ascending) of small motions about the present
 * equilibrium. Quasistatic angles follow; they have no modes of their own. */
CORD_API cord_status cord_world_find_frequencies(const cord_world *world, int count, double *omega);

/* ---- queries ------------------------------------------------------------------------------ */

typedef struct cord_energy {
    double kinetic, gravity, stretching, bending, twisting, constraints, total; /* J */
} cord_energy;

typedef struct cord_momentum {
    double linear[3];  /* kg m/s */
    double angular[3]; /* about the origin, kg m²/s */
} cord_momentum;

CORD_API cord_status cord_world_get_energy(const cord_world *world, cord_energy *energy);
CORD_API cord_status cord_world_get_momentum(const cord_world *world, cord_momentum *momentum);

/* Seconds spent since the world was created, by stage of the step. */
typedef struct cord_profile {
    double step;      /* all of it */
    double partition; /* islands, orderings, symbolic analysis */
    double forces;    /* refresh and assemble */
    double solve;     /* factor and back-substitute */
    double project;   /* fast projection, velocity projection */
    double twist;     /* frames and quasistatic twist */
} cord_profile;

typedef struct cord_counters {
    int strands, bodies, points, constraints, islands;
    int unknowns, rows;
    int released_points; /* sliding points that have slipped off their strands */
    int64_t steps;       /* steps taken, halved ones counted singly */
    int64_t halvings;
    int64_t impacts; /* impulses of constraints with restitution */
    int64_t newton_iterations;
    int64_t projection_iterations;
    int64_t heap_calls; /* calls to the allocator */
    size_t heap_bytes;  /* held now */
} cord_counters;

CORD_API cord_status cord_world_get_profile(const cord_world *world, cord_profile *profile);
CORD_API cord_status cord_world_get_counters(const cord_world *world, cord_counters *counters);

/* ---- checkpoints --------------------------------------------------------------------------- */

/* The state of a world as bytes: everything a step reads that is not in the definitions it was made
 * from. Put into a world made the same way (the same things added in the same order), it goes on bit
 * for bit. The bytes are of this machine's kind: not for other endianness.
 * `bytes` of get_state has room for state_size() bytes. set_state refuses, and changes nothing, when
 * the bytes are damaged or of another world. */
CORD_API cord_status cord_world_get_state_size(const cord_world *world, size_t *size);
CORD_API cord_status cord_world_get_state(const cord_world *world, void *bytes);
CORD_API cord_status cord_world_set_state(cord_world *world, const void *bytes, size_t size);

/* Numbers kept with the state for whoever drives the world (what a controller remembers): saved,
 * put back and hashed with it, and otherwise left alone. Room for `count` of them, zero at first, in
 * place of any before. */
CORD_API cord_status cord_world_reserve_user_state(cord_world *world, int count);
/* Where they are, until the next cord_world_reserve_user_state(); NULL when there are none. */
CORD_API double *cord_world_get_user_state(cord_world *world, int *count); /* `count` may be NULL */

/* ---- identity ------------------------------------------------------------------------------ */

/* A hash of all that moves (time, configuration, velocity, multipliers), and of what is kept with it:
 * equal for runs that went the same way bit for bit. */
CORD_API cord_status cord_world_hash(const cord_world *world, uint64_t *hash);

CORD_END

#endif
