/* Strands: slender deformable bodies. A definition gives a strand's centreline, its natural shape, its
 * material and cross-section, and the name of the mechanical model. */
#ifndef CORDAGE_STRAND_H
#define CORDAGE_STRAND_H

#include <cordage/world.h>
#include <stdbool.h>

CORD_BEGIN

/* Names of the strand models. */
#define CORD_MODEL_DER "der" /* discrete elastic rods */
/* Chains of elements whose degrees of freedom are curvatures; exactly inextensible. */
#define CORD_MODEL_SEGMENT "segment"   /* rigid bars that bend and twist at their joints */
#define CORD_MODEL_HELIX "helix"       /* constant curvature per element: helices, circles */
#define CORD_MODEL_CLOTHOID "clothoid" /* affine curvature per element, continuous at nodes */
/* A cubic B-spline whose degrees of freedom are control points and angles. */
#define CORD_MODEL_SPLINE "spline"

/* The shape of a cross-section. */
typedef enum cord_section_kind {
    CORD_SECTION_CIRCLE,    /* `radius` */
    CORD_SECTION_ELLIPSE,   /* `size`: full axes along the first and second director */
    CORD_SECTION_RECTANGLE, /* `size`: full sides along the first and second director */
    CORD_SECTION_TUBE,      /* `radius` and `inner_radius` */
    CORD_SECTION_EXPLICIT,  /* mass and stiffnesses are given; `radius` is for pictures only */
} cord_section_kind;

/* A cross-section. */
typedef struct cord_section {
    cord_section_kind kind;      /* default CORD_SECTION_CIRCLE */
    double radius, inner_radius; /* m; default radius 2 mm */
    double size[2];              /* m */
    /* The fields below are for CORD_SECTION_EXPLICIT. */
    double mass;       /* per length, kg/m */
    double stretching; /* EA, N; CORD_STRETCH_ELASTIC needs it */
    /* EI, N m², for curvature vectors along the first director (the centreline bends about it) and
     * along the second. */
    double bending[2];
    double twisting;       /* GJ, N m² */
    double rotary_inertia; /* per length, about the tangent, kg m; CORD_TWIST_DYNAMIC needs it */
} cord_section;

/* An isotropic elastic material. The shear modulus is E / 2(1 + ν). */
typedef struct cord_material {
    double density; /* kg/m³; default 1150 */
    double young;   /* Young's modulus E, Pa; default 2.7e9 */
    double poisson; /* Poisson's ratio ν, -1 < ν <= 0.5; default 0.39 */
} cord_material;

/* Whether a strand stretches. */
typedef enum cord_stretch {
    CORD_STRETCH_NONE,    /* inextensible: constraints keep the lengths; the default */
    CORD_STRETCH_ELASTIC, /* a stretching energy with stiffness EA */
} cord_stretch;

/* The inertia of twist. */
typedef enum cord_twist {
    /* Angles have no inertia and are in equilibrium; the default. Chains in space have rotary inertia in every case; in steps
     * of CORD_MIDPOINT those with a natural curvature have as much more as keeps their spin resolved, and energies and
     * momenta include it. */
    CORD_TWIST_QUASISTATIC,
    CORD_TWIST_DYNAMIC, /* angles have the rotary inertia of the section, chains no more than that */
} cord_twist;

/* The curvature of a polyline at a vertex, as a function of the turning angle φ. They differ at
 * second order in the element length. */
typedef enum cord_curvature {
    /* 2 tan(φ/2) √(1 − 5/6 x + 11/6 x²), x = sin² φ/2: corrects the leading error of the polyline in
     * strongly bent rods, and is unbounded as an edge folds back; the default. */
    CORD_CURVATURE_CORRECTED,
    /* 2 tan φ/2 [Discrete elastic rods, 2008], unbounded as an edge folds back; too stiff. */
    CORD_CURVATURE_TANGENT,
    /* 2 sin φ/2: the most accurate for rods wound into helices under tension; too soft elsewhere,
     * and bounded as an edge folds back. */
    CORD_CURVATURE_SINE,
} cord_curvature;

/* The integration of frames along an element of a chain; both are accurate to round-off. */
typedef enum cord_kinematics {
    CORD_KINEMATICS_MIDPOINT, /* quaternion series about the middle of each part; the default */
    /* Power series with adaptive piecewise summation [Super space clothoids, 2013]. */
    CORD_KINEMATICS_SERIES,
} cord_kinematics;

/* The knots at the ends of an open spline. They change the basis, not the curves. */
typedef enum cord_spline_ends {
    CORD_SPLINE_CLAMPED, /* the curve begins and ends at control points; the default */
    CORD_SPLINE_FREE,    /* uniform knots: all basis functions are shifts of one */
} cord_spline_ends;

/* The definition of a strand. */
typedef struct cord_strand_def {
    const char *model; /* name of the model; default CORD_MODEL_DER */
    const char *name;  /* for messages; may be NULL (the default) */

    /* The initial centreline. */
    int vertex_count;        /* at least 2, closed 3 */
    const double *positions; /* 3 × vertex_count, m; required except for chains with `curvatures` */
    const double *velocities; /* 3 × vertex_count, m/s; NULL (the default): at rest */
    bool closed;              /* the last vertex is joined to the first; default false */

    /* The natural shape. Its edge lengths are the natural lengths. Its material frame is the
     * twist-free (Bishop) frame that begins with `natural_director`, rotated by `natural_twist`. */
    /* 3 × vertex_count, m; of a closed strand, cut open at its first vertex, 3 × (vertex_count +
     * 1), edge j from point j to j + 1; NULL (the default): the initial positions. */
    const double *natural_positions;
    const double *natural_twist; /* one angle per edge, rad; NULL (the default): 0 */
    /* First director of the first edge; zero (the default): `director`. */
    double natural_director[3];

    /* The initial material frame: the twist-free frame that begins with `director`, rotated by
     * `twist`. */
    double director[3];  /* first director of the first edge; zero (the default): any normal */
    const double *twist; /* one continuous angle per edge, rad; NULL (the default): natural_twist */
    /* Closed strands: rotation of the last edge's frame before it is joined to the first, whole
     * turns included, rad. */
    double closing_twist;

    cord_material material;   /* default: nylon */
    cord_section section;     /* default: a circle of radius 2 mm */
    cord_stretch stretch;     /* default CORD_STRETCH_NONE */
    cord_twist twist_mode;    /* default CORD_TWIST_QUASISTATIC */
    cord_curvature curvature; /* of CORD_MODEL_DER; default CORD_CURVATURE_CORRECTED */

    /* Chains (segment, helix, clothoid). The curve begins at `base_position` with `base_frame` and has
     * the given `curvatures`; where these are NULL, curvatures are fitted to `positions` and the
     * frames. Queries report a chain at vertex_count vertices: those of `positions`, or equally
     * spaced ones. */
    int element_count;             /* default 0: 8, or the number of edges if that is less */
    const double *element_lengths; /* element_count, m; NULL (the default): equal lengths */
    double length; /* total length, m; default 0: that of element_lengths or positions */
    /* Curvatures in the material frame about the first director, about the second, and twist, 1/m:
     * 3 × (element_count + 1) at the nodes of clothoids, else 3 × element_count. NULL (the default):
     * fitted to `positions`. */
    const double *curvatures;
    /* Natural curvatures at the start and at the end of each element, 6 × element_count, 1/m. NULL
     * (the default): fitted to `natural_positions`, or the initial curvatures. */
    const double *natural_curvatures;
    double base_position[3];    /* m */
    double base_frame[9];       /* zero (the default): the identity */
    bool planar;                /* bends about the second director only and does not twist */
    cord_kinematics kinematics; /* default CORD_KINEMATICS_MIDPOINT */
    double base_damping;        /* N m s: damps the rotation of a base that is free to rotate */

    /* Splines. The curve is the least-squares fit to `positions`; with the default number of control
     * points it passes through them. An inextensible spline is then corrected to its length. Queries
     * report a spline at vertex_count vertices. */
    /* At least 4, closed 5; default 0: one span per edge, which is vertex_count + 2, closed the
     * larger of vertex_count and 5. */
    int control_point_count;
    cord_spline_ends spline_ends; /* of open splines; default CORD_SPLINE_CLAMPED */

    double load[3];        /* dead load per length, world axes, N/m */
    double damping;        /* internal damping time d, s: the stress is E(ε + d ε̇) */
    double drag;           /* force per length and velocity relative to the air, N s/m² */
    double quadratic_drag; /* force per length and squared relative velocity, N s²/m³ */
} cord_strand_def;

/* Returns the default definition: a nylon rod of circular section, inextensible, with quasistatic
 * twist. The caller sets vertex_count and positions. */
CORD_API cord_strand_def cord_strand_def_default(void);

/* Adds a strand and writes its handle to *strand. Returns CORD_ERROR_UNKNOWN_NAME when there is no
 * such model, and CORD_ERROR_UNSUPPORTED when the model does not have a requested property. */
CORD_API cord_status cord_world_add_strand(cord_world *world, const cord_strand_def *def,
                                           cord_strand *strand);

/* Removes a strand or a cable, the points on it, their constraints and loads, and the cables that it
 * carries. A broken strand is removed with all its fragments; a fragment by itself cannot be removed. */
CORD_API cord_status cord_world_remove_strand(cord_world *world, cord_strand strand);

/* Returns the names of the strand models, a static array that ends with NULL. */
CORD_API const char *const *cord_model_names(void);

/* ---- properties --------------------------------------------------------------------------- */

/* Properties of a strand. The strings belong to the world. */
typedef struct cord_strand_info {
    const char *model;            /* name of the model */
    const char *name;             /* NULL when the definition had none */
    cord_section section;         /* as defined */
    int vertex_count, edge_count; /* sizes of the arrays of the queries below */
    int element_count;            /* of a chain; 0 for other models */
    bool closed;                  /* the last vertex is joined to the first */
    bool has_nodes;               /* a row of nodes on guides: the queries of cable.h answer */
    double length;                /* natural length, m */
    double mass;                  /* kg */
    double stretching;            /* EA, N */
    double bending[2];            /* EI, N m² */
    double twisting;              /* GJ, N m² */
    double stable_step;           /* estimate of the largest stable step of an explicit scheme, s */
} cord_strand_info;

/* Gets the properties of a strand. */
CORD_API cord_status cord_strand_get_info(const cord_world *world, cord_strand strand,
                                          cord_strand_info *info);

/* ---- state -------------------------------------------------------------------------------- */

/* Gets the positions of the vertices, 3 × vertex_count, m; of a slack span of a cable on the curve in which it hangs. */
CORD_API cord_status cord_strand_get_positions(const cord_world *world, cord_strand strand,
                                               double *positions);

/* Gets the material coordinates of the vertices, vertex_count values, m. They ascend. Those of a cable follow the
 * material that passes its ends. */
CORD_API cord_status cord_strand_get_coordinates(const cord_world *world, cord_strand strand,
                                                 double *coordinates);

/* Finds the point of a strand that is nearest to a position, m: its material coordinate *s, m, its position and its
 * distance, m; the last two may be NULL. Between vertices the strand is taken as straight, and the coordinate as linear. */
CORD_API cord_status cord_strand_find_nearest(const cord_world *world, cord_strand strand,
                                              const double position[3], double *s, double where[3],
                                              double *distance);

/* Gets the velocities of the vertices, 3 × vertex_count, m/s. */
CORD_API cord_status cord_strand_get_velocities(const cord_world *world, cord_strand strand,
                                                double *velocities);

/* Moves the vertices to `positions`, 3 × vertex_count, m. Material frames follow by parallel
 * transport, without twisting. Returns CORD_ERROR_ARGUMENT when an edge has no length
 * and CORD_ERROR_UNSUPPORTED when the model cannot be moved so. */
CORD_API cord_status cord_strand_set_positions(cord_world *world, cord_strand strand,
                                               const double *positions);

/* Sets the velocities of the vertices, 3 × vertex_count, m/s. The next step makes them consistent with
 * the constraints. Returns CORD_ERROR_UNSUPPORTED when the model has no such function. */
CORD_API cord_status cord_strand_set_velocities(cord_world *world, cord_strand strand,
                                                const double *velocities);

/* Gets the material frame of each edge, 9 × edge_count. Returns CORD_ERROR_UNSUPPORTED when the model
 * has no frames. */
CORD_API cord_status cord_strand_get_frames(const cord_world *world, cord_strand strand,
                                            double *frames);

/* Gets the curvatures at the vertices in the material frame, 3 × vertex_count: about the first
 * director, about the second, and twist, each integrated over the vertex's cell and divided by its
 * length, 1/m. They are zero at a free end. Returns CORD_ERROR_UNSUPPORTED when the model has no
 * frames. */
CORD_API cord_status cord_strand_get_curvatures(const cord_world *world, cord_strand strand,
                                                double *curvatures);

/* Gets the curvatures that are a chain's degrees of freedom, and its natural curvatures, in the
 * layout of cord_strand_def.curvatures and natural_curvatures, 1/m. Either output may be NULL, not
 * both. Returns CORD_ERROR_UNSUPPORTED for models that are not chains. */
CORD_API cord_status cord_strand_get_element_curvatures(const cord_world *world, cord_strand strand,
                                                        double *curvatures,
                                                        double *natural_curvatures);

/* Gets the angle of each edge's material frame against the twist-free frame of the first edge,
 * edge_count values, rad. The angles are continuous: they are never wrapped. Returns
 * CORD_ERROR_UNSUPPORTED when the model has no frames. */
CORD_API cord_status cord_strand_get_angles(const cord_world *world, cord_strand strand,
                                            double *angles);

/* Gets the axial force of each edge, positive in tension, edge_count values, N. Returns
 * CORD_ERROR_UNSUPPORTED when the model has no tensions. */
CORD_API cord_status cord_strand_get_tensions(const cord_world *world, cord_strand strand,
                                              double *tensions);

/* Gets the energies of one strand. The field `constraints` is zero. */
CORD_API cord_status cord_strand_get_energy(const cord_world *world, cord_strand strand,
                                            cord_energy *energy);

/* ---- parameters that change ----------------------------------------------------------------- */

/* Load, natural curvature, length and stiffness of a strand can change while it moves: by the functions below, whose
 * values are part of the state (checkpoints contain them), and by a schedule of functions of time, which is part of the
 * definition. They leave its mass as it is. Such a change does work on the motion. The functions other than
 * cord_strand_set_load() return CORD_ERROR_UNSUPPORTED for cables. */

/* Sets the constant dead load of a strand per natural length, world axes, N/m. Its potential counts as gravity's. */
CORD_API cord_status cord_strand_set_load(cord_world *world, cord_strand strand,
                                          const double load[3]);

/* The largest number of natural curvatures along a strand. */
#define CORD_MAX_CURVATURES 100000

/* Sets the natural curvature of a strand, in place of that of its natural shape: `count` vectors (about the first
 * director, about the second, twist), 1/m, at positions that are equally spaced from the start to the end, affine between
 * them; one: the same everywhere. `count` 0: the natural shape of the definition again. A planar chain has the second
 * component only. */
CORD_API cord_status cord_strand_set_natural_curvatures(cord_world *world, cord_strand strand,
                                                        int count, const double *curvatures);

/* Sets the natural length of a strand, m; a schedule multiplies it by a factor. The natural shape of the definition is
 * scaled with it, so that its angles stay. Material coordinates of points are scaled, too. The growth of a chain itself has
 * no inertia: masses move with its degrees of freedom alone. Returns CORD_ERROR_UNSUPPORTED when a point slides on the
 * strand. */
CORD_API cord_status cord_strand_set_length(cord_world *world, cord_strand strand, double length);

/* Sets factors of the stiffnesses of a strand: of bending, of twisting, and of stretching where the strand stretches. */
CORD_API cord_status cord_strand_set_stiffness(cord_world *world, cord_strand strand,
                                               const double factors[3]);

/* Functions of time of a strand's parameters; no keys (the default): none. */
typedef struct cord_schedule_def {
    cord_keys load; /* width 3: added to the constant load, N/m */
    /* Width 3 × natural_curvature_count: added to the natural curvature, 1/m, in the layout of
     * cord_strand_set_natural_curvatures(). */
    cord_keys natural_curvature;
    int natural_curvature_count; /* default 1 */
    cord_keys length;            /* width 1: factor of the natural length */
    cord_keys stiffness;         /* width 3: factors of bending, twisting and stretching */
} cord_schedule_def;

/* Returns the default definition: no functions. */
CORD_API cord_schedule_def cord_schedule_def_default(void);

/* Sets the schedule of a strand, in place of any before. `def` may be NULL: none. Returns CORD_ERROR_UNSUPPORTED when the
 * model cannot change a parameter that has keys, or when there are keys of the length and a point slides on the strand. */
CORD_API cord_status cord_strand_set_schedule(cord_world *world, cord_strand strand,
                                              const cord_schedule_def *def);

/* ---- growth --------------------------------------------------------------------------------- */

/* Growth at the end of a strand. After each step the last element (of a chain; of `der` the last edge) is longer by the
 * growth in that step. It is divided in two halves when it has twice the length `element_length`. Shape and motion of
 * the material that exists are unchanged; new material continues them, with the density and the section of the strand: its
 * momentum enters with it. cord_strand_get_info() has the present length, mass and number of elements of a chain.
 *
 * Points stay at their material coordinates; those at the end of the strand stay at its end. A `der` strand that grows is
 * reported at as many vertices as it has at its final length, at equal distances along it, which cannot be set; a chain at those of its
 * definition, at constant fractions of its length.
 *
 * The present length and natural curvature are part of the state (checkpoints contain them); this definition is not. */
typedef struct cord_growth_def {
    cord_keys rate; /* width 1: of the natural length, m/s, at least 0; no keys: no growth */
    double until;   /* the natural length at which growth ends, m; at least the present one */
    double element_length; /* m; 0 (the default): that of the last element now */
    /* Width 3: the natural curvature (about the first director, about the second, twist) of new material, 1/m, as a
     * function of its material coordinate in m, which takes the place of time. No keys (the default): the natural
     * curvature at the present end. A planar chain has the second component only. */
    cord_keys natural_curvature;
    /* Circumnutation, s: the first two components rotate by 2π t/period, from the first director towards the second;
     * 0 (the default): they do not. */
    double period;
    /* The length at the end in which they rotate while the strand grows, m; material that leaves it keeps its natural
     * curvature. 0 (the default): new material alone, which is resolved to an element. */
    double zone;
} cord_growth_def;

/* Returns the default definition: no growth. */
CORD_API cord_growth_def cord_growth_def_default(void);

/* Sets the growth of a strand from the present time on, in place of any before. `def` may be NULL: it ends. Returns
 * CORD_ERROR_UNSUPPORTED for closed strands, for models that do not grow (segment, spline, cable), when a point slides on
 * the strand, when it may break or has broken, when its natural curvature, length or stiffness was set or has keys, and for
 * `der` when a constraint acts on the frame at its end. */
CORD_API cord_status cord_strand_set_growth(cord_world *world, cord_strand strand,
                                            const cord_growth_def *def);

/* Sets the closing twist of a closed strand, rad (see cord_strand_def). The change is distributed
 * evenly over the edges. Returns CORD_ERROR_UNSUPPORTED for open strands and for models without
 * closing twist. */
CORD_API cord_status cord_strand_set_closing_twist(cord_world *world, cord_strand strand,
                                                   double angle);

/* ---- breakage -------------------------------------------------------------------------------- */

/* A strand of the models der, segment, helix and clothoid may break. It is divided at a vertex, of a chain at a node between
 * two elements: positions, velocities, frames and natural shapes stay, and the elastic energy of the joint is lost. The
 * first fragment keeps the handle of the strand; the other one is a new strand with the name NAME.2, then NAME.3. Points at
 * coordinates beyond the break, with their constraints and loads, move to it; their coordinates count from its start. A
 * closed strand becomes an open one that begins at the break, and coordinates count from there. A strand does not break
 * while a point slides on it or a cable runs over it, nor at a vertex at which a constraint acts on the frame.
 *
 * Limits are compared at the end of every step. A step of a dynamic integrator that exceeds a limit by more than 1e-4 of it
 * is repeated up to the time at which the limit is reached, to 1/256 of the step; a quasi-static step is not. */

/* A location with limits of its own, such as a weak link; a limit of 0 is that of the whole strand. */
typedef struct cord_break_location {
    double s;         /* material coordinate, m; the nearest vertex or node */
    double tension;   /* N */
    double curvature; /* 1/m */
} cord_break_location;

/* The limits at which a strand breaks. */
typedef struct cord_breakage_def {
    double tension;   /* N; default 0: no tension breaks it */
    double curvature; /* of bending, 1/m; default 0: no curvature breaks it */
    int location_count;
    const cord_break_location *locations; /* location_count; copied */
    int most;                             /* breaks at most; default 3 */
} cord_breakage_def;

/* The largest number of breaks of a strand, also by cord_strand_cut(). */
#define CORD_MAX_BREAKS 1000

/* Returns the default definition: no limits. */
CORD_API cord_breakage_def cord_breakage_def_default(void);

/* Sets the limits at which a strand breaks, in place of any before. They are part of its definition; locations are
 * coordinates of the strand as it was defined. `def` may be NULL: it does not break. Returns CORD_ERROR_UNSUPPORTED for
 * splines and cables, which do not break (a constraint that releases at a force divides these), and for strands that grow
 * or whose natural curvature, length or stiffness changes. */
CORD_API cord_status cord_strand_set_breakage(cord_world *world, cord_strand strand,
                                              const cord_breakage_def *def);

/* Gets the limits; the array belongs to the world. */
CORD_API cord_status cord_strand_get_breakage(const cord_world *world, cord_strand strand,
                                              cord_breakage_def *def);

/* Divides a strand at the vertex or node nearest to its coordinate s, m, in its present state. It needs no limits. */
CORD_API cord_status cord_strand_cut(cord_world *world, cord_strand strand, double s);

/* One break. */
typedef struct cord_break {
    double s;                  /* coordinate on the strand as it was defined, m */
    double time;               /* s */
    double tension, curvature; /* there before the break, N, 1/m */
    double energy;             /* elastic energy that was lost, J */
    cord_strand fragment;      /* the strand that begins there */
} cord_break;

/* Gets the number of breaks of a strand as it was defined, and one of them in the order of time. */
CORD_API cord_status cord_strand_get_break_count(const cord_world *world, cord_strand strand,
                                                 int *count);
CORD_API cord_status cord_strand_get_break(const cord_world *world, cord_strand strand, int index,
                                           cord_break *out);

/* Gets the fragment that has the coordinate s of the strand as it was defined, m, and the coordinate on the fragment. At a
 * break it is the fragment that ends there. */
CORD_API cord_status cord_strand_find_fragment(const cord_world *world, cord_strand strand,
                                               double s, cord_strand *fragment, double *fragment_s);

CORD_END

#endif
