/* The world: strands, bodies, points, constraints and loads, and the step that advances them.
 *
 * Units       SI units throughout: m, kg, s, N, J, rad. The default gravity points along -z.
 * Frames      A frame is nine values: three orthonormal axes, one after the other, in world
 *             coordinates. Of a strand they are tangent, first director, second director.
 * Threads     One thread at a time uses a world. Different worlds are independent of each other. A
 *             query takes a const world: it changes no value of the state, but it may lay out the
 *             state in memory, refresh caches and set the message, so two queries of one world must
 *             not run at the same time either. cord_world_step() uses several threads internally.
 * Ownership   The library copies every array and string of a definition; the caller may free them
 *             when the call returns. The caller provides the memory of every output array. Strings
 *             and arrays in the `_info` structs belong to the world and are valid until the object
 *             is removed.
 * Errors      A function that takes a world returns CORD_ERROR_ARGUMENT when the world or a required
 *             pointer is NULL, or a value is not finite or out of range (no value of a definition may
 *             exceed 1e50 in magnitude); CORD_ERROR_HANDLE when a
 *             handle is null, stale or of another world; CORD_ERROR_MEMORY when an allocation fails.
 *             The comment of a function names the errors that it returns beside these. After a
 *             failure the world is as it was, except where the comment says otherwise.
 * Callbacks   While the library runs a function of the user's (an allocator, a surface, a cancel
 *             function), that function may call on any world: cord_world_get_time(),
 *             cord_world_get_error(), cord_world_get_counters(), cord_world_get_profile(),
 *             cord_world_get_user_state() and cord_world_get_wind(). Every other function on a world
 *             returns CORD_ERROR_BUSY and changes nothing; cord_world_destroy() does nothing.
 * Definitions Every object is added from a definition `cord_…_def`. Get its defaults from
 *             `cord_…_def_default()`, then set fields; a default that is not named is zero. */
#ifndef CORDAGE_WORLD_H
#define CORDAGE_WORLD_H

#include <cordage/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

CORD_BEGIN

/* A world; see the top of this file. */
typedef struct cord_world cord_world;

/* Handles are values: an index and a generation. A zeroed handle is null. The handle of an object
 * that was removed is stale, and every function recognises it as such. Generations begin at another value in every
 * world of a process, so that the handle of one world is recognised in another. */
typedef struct cord_strand {
    uint32_t index, generation;
} cord_strand; /* a strand, strand.h, or a cable, cable.h */
typedef struct cord_body {
    uint32_t index, generation;
} cord_body; /* a rigid body, body.h */
typedef struct cord_path {
    uint32_t index, generation;
} cord_path; /* a curve without mass, path.h */
typedef struct cord_point {
    uint32_t index, generation;
} cord_point; /* a point that constraints and loads act on, point.h */
typedef struct cord_constraint {
    uint32_t index, generation;
} cord_constraint; /* a constraint between two points, constraint.h */
typedef struct cord_load {
    uint32_t index, generation;
} cord_load; /* a force or torque on a point, field.h */

/* The time integrator of a world. */
typedef enum cord_integrator {
    CORD_IMPLICIT,   /* Newton's method on the scheme cord_world_def.scheme; the default */
    CORD_SYMPLECTIC, /* explicit elastic forces, fast projection, quasistatic twist */
    CORD_MIDPOINT,   /* conserves energy: implicit midpoint rule with discrete gradients */
    /* Every step ends in an equilibrium, found from the state before. Scripts, drives, loads and wind
     * change with time; inertia, drag and damping have no effect. Velocities are zero except those of
     * sliding points, whose friction force is friction × (distance slid) / step. Where an equilibrium
     * is lost (a snap, a release), the world goes to a stable one in the same step, without
     * friction. */
    CORD_QUASI_STATIC,
} cord_integrator;

/* The scheme of CORD_IMPLICIT. */
typedef enum cord_scheme {
    CORD_TR_BDF2,        /* second order, L-stable; the default */
    CORD_BACKWARD_EULER, /* first order, strongly damping */
    CORD_LINEARISED,     /* backward Euler with one solve per step, then post-stabilised */
    /* one solve per step: elasticity and damping implicit, the other forces explicit [Super space
     * clothoids, 2013] */
    CORD_SEMI_IMPLICIT,
    /* the same, with the velocity terms of the inertia implicit to first order [2013, section 7.2] */
    CORD_SEMI_IMPLICIT_VELOCITY,
} cord_scheme;

/* Interpolation between keys. */
typedef enum cord_ease {
    CORD_EASE_LINEAR, /* linear; the default */
    CORD_EASE_SMOOTH, /* a quintic with zero first and second derivative at every key */
} cord_ease;

/* A function of time, interpolated between keys. It is constant before the first and after the last
 * key. */
typedef struct cord_keys {
    int count;            /* number of keys; 0 (the default): the function is zero */
    const double *times;  /* count, ascending, s */
    const double *values; /* count × width; each field of this type states its width and unit */
    cord_ease ease;       /* default CORD_EASE_LINEAR */
} cord_keys;

/* The allocator of a world. `resize(user, NULL, n)` allocates n bytes, `resize(user, p, 0)` frees p
 * and returns NULL, and any other call changes the size of p. A NULL from an allocating call means
 * failure and leaves p as it was. The functions must remain valid for the life of the world. */
typedef struct cord_allocator {
    void *(*resize)(void *user, void *memory,
                    size_t size); /* NULL (the default): realloc and free */
    void *user;                   /* the first argument of `resize`; the caller owns it */
} cord_allocator;

/* A function that cancels a long call. The library calls it from the threads that compute, one at a time, in the
 * course of the call: at every iteration of a solver and at intervals during a factorisation. Once it has returned
 * true, the call returns CORD_ERROR_CANCELLED. See "Callbacks" at the top of this file. */
typedef struct cord_cancel {
    bool (*cancelled)(void *user); /* NULL (the default): the call is never cancelled */
    void *user;                    /* its argument; the caller owns it */
} cord_cancel;

/* The definition of a world. */
typedef struct cord_world_def {
    double gravity[3];          /* acceleration, m/s²; default (0, 0, -9.81); its constant part */
    cord_integrator integrator; /* default CORD_IMPLICIT */
    cord_scheme scheme;         /* of CORD_IMPLICIT; default CORD_TR_BDF2 */
    /* The error that Newton's iteration may leave in a step, as a fraction of an element's length (for
     * angles: of a radian); default 1e-7. It is estimated from the corrections. Where the inertia depends
     * on the configuration it is 1e-10 for a strand alone; with constraints there, at kinks, with one-sided
     * constraints and in contact the iteration ends at corrections of 1e-8, by CORD_MIDPOINT of 1e-11, or of the tolerance and a
     * thousandth of it where that is less. */
    double tolerance;
    /* CORD_SYMPLECTIC: largest |e·e/ē·ē − 1| of an edge e with rest edge ē, and largest constraint
     * residual in element lengths; default 1e-6. */
    double length_tolerance;
    int max_iterations; /* Newton iterations before the step is halved; default 25 */
    int max_halvings;   /* a step is halved at most this many times, 0 to 60; default 12 */
    /* Number of threads; 0 (the default): as many as OpenMP offers. Results do not depend on it,
     * bit for bit. */
    int threads;
    /* Islands of equal shape (strands of one model with as many elements and the same clamps, without contact) are stepped
     * several to a register; default true. Rounding then differs in the last bits from that of a strand alone. */
    bool batches;
    cord_allocator allocator; /* default: realloc and free */
    /* Adaptive step: a step in which the velocity of a degree of freedom changes by more than this
     * is halved; in element lengths (for angles: radians; for curvatures: 1/length) per second; 0
     * (the default): off [Super-clothoids, 2012, section 3.4]. */
    double max_velocity_change;
} cord_world_def;

/* Returns the default definition of a world. */
CORD_API cord_world_def cord_world_def_default(void);

/* Creates an empty world at time 0. `def` may be NULL: the defaults. The caller owns *world and
 * destroys it. On failure *world is NULL. Returns CORD_ERROR_ARGUMENT when a value of the definition
 * is out of range, and CORD_ERROR_MEMORY. */
CORD_API cord_status cord_world_create(const cord_world_def *def, cord_world **world);

/* Destroys a world and every object in it. `world` may be NULL. */
CORD_API void cord_world_destroy(cord_world *world);

/* Returns the message of the last failure on this world, "" when there was none. It names the
 * object, the time and the cause where they are known. The string belongs to the world and is valid
 * until the next call on the world. */
CORD_API const char *cord_world_get_error(const cord_world *world);

/* Advances the world by `duration` seconds, which must be above 0. The world divides the step where
 * an iteration does not converge or an event requires it, and ends exactly at the requested time.
 * After a failure the world has the last accepted state, which may be later than the state before the
 * call: cord_world_get_time() tells. Returns CORD_ERROR_UNSUPPORTED when the integrator cannot treat
 * an object of the world, CORD_ERROR_NOT_CONVERGED, CORD_ERROR_NOT_FINITE, CORD_ERROR_SINGULAR,
 * CORD_ERROR_CANCELLED, and CORD_ERROR_INCONSISTENT when constraints contradict each other. */
CORD_API cord_status cord_world_step(cord_world *world, double duration);

/* The failure of the last cord_world_step() or cord_world_find_equilibrium(). */
typedef struct cord_failure {
    cord_status status;         /* of the call; CORD_OK: it succeeded, and the rest is zero */
    double time;                /* of the world after the call, s */
    cord_strand strand;         /* the strand at which the call failed; null: none, or unknown */
    cord_body body;             /* the body at which the call failed; null: none, or unknown */
    cord_constraint constraint; /* the constraint that was not met; null: none, or unknown */
} cord_failure;

/* Gets the objects at which the last step or search for an equilibrium failed. cord_world_get_error()
 * has the message. */
CORD_API cord_status cord_world_get_failure(const cord_world *world, cord_failure *failure);

/* Does what the first step does before it solves: lays out the state, forms the islands, reserves their
 * memory, and checks that the integrator can treat every object. Every step and query that needs this
 * does it too; call it to find a refusal early. Returns CORD_ERROR_UNSUPPORTED as cord_world_step()
 * does, and CORD_ERROR_MEMORY. */
CORD_API cord_status cord_world_prepare(cord_world *world);

/* Sets the function that cancels cord_world_step(), cord_world_find_equilibrium(),
 * cord_world_count_unstable_directions(), cord_world_find_frequencies() and
 * cord_strand_find_natural_shape(), with its argument. `cancelled` may be NULL: nothing cancels them. After a
 * cancelled call the world has its last accepted state: of a step that was divided, the end of the last part that was
 * complete; of statics, the state before the call or the last equilibrium before a change of topology. */
CORD_API cord_status cord_world_set_cancel(cord_world *world, bool (*cancelled)(void *user),
                                           void *user);

/* Returns the time of the world, s. */
CORD_API double cord_world_get_time(const cord_world *world);

/* Sets the constant part of the gravitational acceleration, m/s². Its keys stay. */
CORD_API cord_status cord_world_set_gravity(cord_world *world, const double gravity[3]);

/* Sets a function of time that is added to the constant gravitational acceleration: width 3, m/s². `keys` may be NULL:
 * none. Keys belong to the definition of a world: a checkpoint does not contain them. */
CORD_API cord_status cord_world_set_gravity_keys(cord_world *world, const cord_keys *keys);

/* ---- statics ------------------------------------------------------------------------------ */

/* Options of cord_world_find_equilibrium(). */
typedef struct cord_statics_def {
    double tolerance; /* of corrections, in the units of cord_world_def.tolerance; default 1e-10 */
    int max_iterations; /* at least 1; default 2000 */
    /* The least displacement by which the search leaves an unstable equilibrium along its mode, m;
     * 0 (the default): the search ends there. */
    double kick;
    /* Newton's method without descent of the energy: it converges to the nearest equilibrium, stable or
     * not; `kick` is not used. Default false. */
    bool nearest;
} cord_statics_def;

/* The outcome of cord_world_find_equilibrium(). */
typedef struct cord_statics_result {
    int iterations;          /* Newton iterations of the cluster that took most */
    double residual;         /* largest unbalanced force, N */
    int unstable_directions; /* 0 for a stable equilibrium */
    /* Directions in which the energy does not change to second order: of a strand that is free to spin or to
     * slide, say. */
    int neutral_directions;
} cord_statics_result;

/* Returns the default options of statics. */
CORD_API cord_statics_def cord_statics_def_default(void);

/* Moves the world to an equilibrium: the potential energy is minimal under the constraints, velocities
 * are zero, and time does not pass. `def` may be NULL: the defaults. `result` may be NULL. Returns
 * CORD_ERROR_UNSUPPORTED, CORD_ERROR_NOT_CONVERGED, CORD_ERROR_NOT_FINITE, CORD_ERROR_SINGULAR and
 * CORD_ERROR_CANCELLED as cord_world_step() does. */
CORD_API cord_status cord_world_find_equilibrium(cord_world *world, const cord_statics_def *def,
                                                 cord_statics_result *result);

/* Counts the directions, under the constraints, in which the potential energy decreases to second
 * order about the present state, and those in which it does not change (`neutral`, which may be NULL).
 * The counts are meaningful at an equilibrium. Returns CORD_ERROR_SINGULAR when the tangent stiffness
 * cannot be factored. */
CORD_API cord_status cord_world_count_unstable_directions(const cord_world *world, int *unstable,
                                                          int *neutral);

/* Finds the lowest `count` angular frequencies of small vibrations about the present equilibrium and
 * writes them to `omega`, `count` values in rad/s, ascending. Degrees of freedom without inertia
 * (quasistatic twist) follow the others and have no frequencies. Returns CORD_ERROR_ARGUMENT when
 * there are fewer frequencies, CORD_ERROR_UNSTABLE when the equilibrium is unstable, and
 * CORD_ERROR_SINGULAR. */
CORD_API cord_status cord_world_find_frequencies(const cord_world *world, int count, double *omega);

/* ---- queries ------------------------------------------------------------------------------ */

/* Energies of a world or of one object, J. */
typedef struct cord_energy {
    double kinetic;                       /* of all mass and rotary inertia */
    double gravity;                       /* potential of gravity and of distributed loads */
    double stretching, bending, twisting; /* elastic energy of strands, by deformation */
    double constraints;                   /* elastic energy of compliant constraints */
    double total;                         /* the sum of the above */
} cord_energy;

/* Momenta of a world. */
typedef struct cord_momentum {
    double linear[3];  /* kg m/s */
    double angular[3]; /* about the origin, kg m²/s */
} cord_momentum;

/* Gets the energies of the whole world. Returns CORD_ERROR_UNSUPPORTED as cord_world_step() does. */
CORD_API cord_status cord_world_get_energy(const cord_world *world, cord_energy *energy);

/* Gets the linear and angular momentum of the whole world. */
CORD_API cord_status cord_world_get_momentum(const cord_world *world, cord_momentum *momentum);

/* Wall-clock seconds since the world was created, by stage of the step. */
typedef struct cord_profile {
    double step;      /* all of cord_world_step() */
    double partition; /* islands, elimination orders, symbolic analysis */
    double forces;    /* caches, forces and matrices */
    double solve;     /* factorisation and back substitution */
    double project;   /* fast projection and velocity projection */
    double twist;     /* frames and quasistatic twist */
    double detection; /* pairs that may come into contact */
    double contacts;  /* contact points and their Jacobians */
    double coupling;  /* responses to contact forces */
    double cones;     /* contact forces */
} cord_profile;

/* Numbers of objects, of unknowns, and of events since the world was created. */
typedef struct cord_counters {
    int strands, bodies, points, constraints; /* objects in the world */
    int islands;                              /* independent systems of equations */
    int unknowns;                             /* degrees of freedom */
    int rows;                                 /* scalar constraint equations */
    int released_points;           /* sliding points that have left the end of their strand */
    int64_t steps;                 /* steps taken, counting every part of a divided step */
    int64_t halvings;              /* steps that were halved */
    int64_t impacts;               /* impulses of constraints with restitution */
    int64_t newton_iterations;     /* of all islands */
    int64_t projection_iterations; /* of all islands */
    int64_t
        batched_steps; /* steps of islands that were taken together with others of equal shape */
    int candidates, contacts; /* of the last step: pairs near each other, contacts with a force */
    int64_t contact_solves;   /* systems of contact forces, */
    int64_t contact_sweeps;   /* sweeps over their contacts, */
    int64_t contact_newton_steps; /* steps of Newton's method on them, */
    int64_t contact_unsolved;     /* and those that ended with a residual above the tolerance */
    double contact_residual;      /* the largest one of the last step */
    int64_t heap_calls;           /* calls of the allocator */
    size_t heap_bytes;            /* bytes allocated now */
} cord_counters;

/* Gets the time spent by stage. */
CORD_API cord_status cord_world_get_profile(const cord_world *world, cord_profile *profile);

/* Gets the counters. `islands`, `unknowns` and `rows` are those of the last step or query that laid
 * out the whole world. */
CORD_API cord_status cord_world_get_counters(const cord_world *world, cord_counters *counters);

/* ---- checkpoints --------------------------------------------------------------------------- */

/* A checkpoint is the state of a world as bytes: every value that a step reads and that does not
 * follow from the definitions. A world made in the same way (the same objects added in the same
 * order) that is set to the checkpoint continues bit for bit on the same kind of processor (with or
 * without AVX-512). The bytes have the endianness of the machine that wrote them. */

/* Gets the number of bytes of a checkpoint. Returns CORD_ERROR_UNSUPPORTED as cord_world_step()
 * does. */
CORD_API cord_status cord_world_get_state_size(const cord_world *world, size_t *size);

/* Writes a checkpoint to `bytes`, which has room for the number of bytes that
 * cord_world_get_state_size() gives. Returns CORD_ERROR_UNSUPPORTED as cord_world_step() does. */
CORD_API cord_status cord_world_get_state(const cord_world *world, void *bytes);

/* Sets the world to a checkpoint of `size` bytes. Returns CORD_ERROR_ARGUMENT, and changes nothing,
 * when the bytes are damaged, of another version or of a world with other objects. */
CORD_API cord_status cord_world_set_state(cord_world *world, const void *bytes, size_t size);

/* The objects to which motion was carried over. */
typedef struct cord_carried {
    int strands, bodies; /* strands count their fragments */
    int coordinates;     /* of points that slide, rotate or measure */
} cord_carried;

/* Carries the motion of the world `from` over to a world whose definitions may differ: time, and the configuration and
 * velocity of the strands and bodies that have the same name (of several, or without a name, in the order in which they
 * were added), the same model and the same numbers of unknowns in both worlds. Coordinates of points are matched by their
 * source and the name of their object, constraints by kind and name: those released there are released here. A strand
 * breaks where that of `from` has broken. User values are carried over where their number is the same. Everything else
 * stays as it is in this world: gravity, wind, loads, drives, scripts, parameters of strands, and objects that `from` does
 * not have. The next step first satisfies the constraints, by the nearest configuration, and makes velocities consistent
 * with them. `carried` may be NULL. After a failure (CORD_ERROR_MEMORY, or CORD_ERROR_UNSUPPORTED as cord_world_step()
 * has it) this world may have part of the motion. */
CORD_API cord_status cord_world_carry_motion(cord_world *world, const cord_world *from,
                                             cord_carried *carried);

/* Reserves `count` user values, which are zero at first and replace any reserved before. User values
 * belong to the state: checkpoints contain them and cord_world_hash() covers them. The library does
 * not use them otherwise. A controller keeps its memory there. */
CORD_API cord_status cord_world_reserve_user_state(cord_world *world, int count);

/* Returns the user values, which the caller may read and write, and their number in *count unless
 * `count` is NULL. The array belongs to the world and is valid until the next
 * cord_world_reserve_user_state(). Returns NULL when there are none. */
CORD_API double *cord_world_get_user_state(cord_world *world, int *count);

/* Computes a hash of time, configuration, velocities, multipliers, quadratures that have changed, the values that
 * blocks, constraints and forces remember, and user values. Two runs that agree bit for bit have equal hashes. */
CORD_API cord_status cord_world_hash(const cord_world *world, uint64_t *hash);

CORD_END

#endif
