/* Strands: things long and thin. A strand is made from a definition: a centreline, a natural
 * shape, a material and a section, and the name of the model that moves it. */
#ifndef CORDAGE_STRAND_H
#define CORDAGE_STRAND_H

#include <cordage/world.h>
#include <stdbool.h>

CORD_BEGIN

#define CORD_MODEL_DER "der" /* discrete elastic rods */
/* Chains of elements whose unknowns are curvatures; exactly inextensible. */
#define CORD_MODEL_SEGMENT "segment"   /* rigid bars, bending and twisting at their joints */
#define CORD_MODEL_HELIX "helix"       /* constant curvature per element: helices, circles */
#define CORD_MODEL_CLOTHOID "clothoid" /* affine curvature per element, continuous at nodes */
/* A cubic B-spline whose unknowns are control points and angles. */
#define CORD_MODEL_SPLINE "spline"

typedef enum cord_section_kind {
    CORD_SECTION_CIRCLE,    /* radius */
    CORD_SECTION_ELLIPSE,   /* size[0], size[1]: full axes along the first and second director */
    CORD_SECTION_RECTANGLE, /* size[0], size[1]: full sides along the first and second director */
    CORD_SECTION_TUBE,      /* radius, inner_radius */
    CORD_SECTION_EXPLICIT,  /* the stiffness fields below; radius is for drawing only */
} cord_section_kind;

typedef struct cord_section {
    cord_section_kind kind;
    double radius, inner_radius; /* m */
    double size[2];              /* m */
    /* CORD_SECTION_EXPLICIT */
    double mass;           /* kg/m */
    double stretching;     /* EA, N; needed for CORD_STRETCH_ELASTIC only */
    double bending[2];     /* N m²: for curvature whose vector points along the first director (the
                              centreline turns about it), and along the second */
    double twisting;       /* GJ, N m² */
    double rotary_inertia; /* of a cross-section about the tangent, kg m; for CORD_TWIST_DYNAMIC */
} cord_section;

typedef struct cord_material {
    double density; /* kg/m³ */
    double young;   /* Pa */
    double poisson; /* -1 < ν <= 0.5; the shear modulus is E / 2(1 + ν) */
} cord_material;

typedef enum cord_stretch {
    CORD_STRETCH_NONE,    /* inextensible: edge lengths are rows; the default */
    CORD_STRETCH_ELASTIC, /* a stretching energy with EA */
} cord_stretch;

typedef enum cord_twist {
    CORD_TWIST_QUASISTATIC, /* angles have no inertia and are always in equilibrium; the default */
    CORD_TWIST_DYNAMIC,     /* angles have the section's rotary inertia */
} cord_twist;

/* How a polyline's turning angle φ at a vertex becomes curvature. The two differ at second order in
 * the element length. */
typedef enum cord_curvature {
    CORD_CURVATURE_TANGENT, /* 2 tan φ/2, as in the 2008 paper; resists folding without bound; the
                               default */
    CORD_CURVATURE_SINE, /* 2 sin φ/2: far more accurate for rods wound into helices under tension,
                               less for strongly bent coarse ones */
} cord_curvature;

/* How chains integrate frames along an element; both to round-off. */
typedef enum cord_kinematics {
    CORD_KINEMATICS_MIDPOINT, /* quaternion series about the middle of each part; the default */
    CORD_KINEMATICS_SERIES,   /* the 2013 paper's power series with adaptive piecewise summation */
} cord_kinematics;

/* The ends of a spline: of the basis, that is; curves and their mechanics are the same. */
typedef enum cord_spline_ends {
    CORD_SPLINE_CLAMPED, /* the curve begins and ends at control points; the default */
    CORD_SPLINE_FREE,    /* every basis function is a shift of one (uniform) */
} cord_spline_ends;

typedef struct cord_strand_def {
    const char *model; /* default CORD_MODEL_DER */
    const char *name;  /* for messages; copied; may be NULL */

    int vertex_count;         /* >= 2; >= 3 when closed */
    const double *positions;  /* 3 × vertex_count, m: the initial centreline */
    const double *velocities; /* 3 × vertex_count, m/s; NULL: at rest */
    bool closed;              /* the last vertex is joined to the first */

    /* The natural shape, 3 × vertex_count, of a closed strand cut open at its first vertex:
     * 3 × (vertex_count + 1), edge j from point j to j + 1. NULL: the initial one. Its edge lengths are the natural lengths. Its
     * material frame is twist-free (a Bishop frame) from `natural_director`, turned further by
     * `natural_twist` (one angle per edge, rad; NULL: none). */
    const double *natural_positions;
    const double *natural_twist;
    double natural_director[3]; /* zero: any normal of the first edge */

    /* The initial material frame: twist-free from `director`, turned further by `twist` (one
     * continuous angle per edge, rad; NULL: the natural twist). */
    double director[3]; /* first director of the first edge; zero: any normal */
    const double *twist;
    double closing_twist; /* closed strands: the angle by which the last edge's frame is turned
                             before it is joined to the first, whole turns included; rad */

    cord_material material;
    cord_section section;
    cord_stretch stretch;
    cord_twist twist_mode;
    cord_curvature curvature;

    /* Chains. The curve is what `positions` says (curvatures are fitted to it and to the frames), or
     * `curvatures` from `base_position` and `base_frame` when `positions` is NULL. Either way the
     * chain is reported at vertex_count places: those of the given polyline, or equally spaced. */
    int element_count;             /* 0: 8, or what the polyline has if that is less */
    const double *element_lengths; /* element_count, m; NULL: all the same */
    double length;                 /* m, in all; 0: from element_lengths or positions */
    /* Curvature vectors in the material frame as cord_strand_get_curvatures() gives them: about the
     * first director, about the second, twist; 1/m. At nodes for clothoids (element_count + 1), else
     * per element. NULL: fitted to `positions`. */
    const double *curvatures;
    /* At the start and at the end of each element, 6 × element_count; NULL: fitted to
     * `natural_positions`, or what the chain has initially. */
    const double *natural_curvatures;
    double base_position[3], base_frame[9]; /* frame zero: the identity */
    bool planar; /* bends in the plane of tangent and first director only, and does not twist */
    cord_kinematics kinematics;
    double base_damping; /* N m s: resists the turning of a base that is free to turn */

    /* Splines. The control points are those whose curve comes nearest to `positions` (in least squares;
     * exactly through them by default), and the strand is reported at vertex_count places. An
     * inextensible one is moved a little from there where needed to have its length. */
    int control_points; /* >= 4, when closed 5; 0: vertex_count + 2, when closed vertex_count (5 at
                           least): a span for every edge */
    cord_spline_ends spline_ends; /* of open ones */

    double load[3];        /* N/m, world axes: a dead load spread evenly along the strand */
    double damping;        /* internal: stress is E(ε + damping ε̇); s */
    double drag;           /* N s/m²: force per length and speed relative to the air */
    double quadratic_drag; /* N s²/m³: force per length and squared relative speed */
} cord_strand_def;

/* A nylon-like circular rod, inextensible, quasistatic twist; positions are left to the caller. */
CORD_API cord_strand_def cord_strand_def_default(void);

CORD_API cord_status cord_world_add_strand(cord_world *world, const cord_strand_def *def,
                                           cord_strand *strand);
/* Also removes the points on it, and their constraints and loads. */
CORD_API cord_status cord_world_remove_strand(cord_world *world, cord_strand strand);

/* The names of the strand models, NULL-terminated. */
CORD_API const char *const *cord_model_names(void);

/* ---- what it is --------------------------------------------------------------------------- */

typedef struct cord_strand_info {
    const char *model, *name;
    cord_section section; /* as it was defined */
    int vertex_count, edge_count;
    int element_count; /* of a chain; 0 for other models */
    bool closed;
    bool cable;         /* it has nodes, segments and wraps: cordage/cable.h */
    double length;      /* natural, m */
    double mass;        /* kg */
    double stretching;  /* EA, N */
    double bending[2];  /* EI, N m² */
    double twisting;    /* GJ, N m² */
    double stable_step; /* an estimate of the largest stable explicit step, s */
} cord_strand_info;

CORD_API cord_status cord_strand_get_info(const cord_world *world, cord_strand strand,
                                          cord_strand_info *info);

/* ---- where it is -------------------------------------------------------------------------- */

/* 3 × vertex_count each. */
CORD_API cord_status cord_strand_get_positions(const cord_world *world, cord_strand strand,
                                               double *x);
CORD_API cord_status cord_strand_get_velocities(const cord_world *world, cord_strand strand,
                                                double *v);

/* Put the strand somewhere else, or give it a velocity; frames follow without twisting. */
CORD_API cord_status cord_strand_set_positions(cord_world *world, cord_strand strand,
                                               const double *x);
CORD_API cord_status cord_strand_set_velocities(cord_world *world, cord_strand strand,
                                                const double *v);

/* The material frame of each edge, 9 × edge_count: tangent, first director, second director. */
CORD_API cord_status cord_strand_get_frames(const cord_world *world, cord_strand strand,
                                            double *frames);

/* Per vertex: integrated curvature vector over vertex length, in the material frame (turning about
 * the first director, about the second; 1/m) and twist over length (rad/m). 3 × vertex_count; zero
 * at a free end. */
CORD_API cord_status cord_strand_get_curvatures(const cord_world *world, cord_strand strand,
                                                double *k);

/* Chains: their curvatures as cord_strand_def has them, at nodes (clothoid: element_count + 1) or of
 * elements, and natural ones at the start and at the end of each, 6 × element_count. Either may be
 * NULL. CORD_ERROR_UNSUPPORTED for other models. */
CORD_API cord_status cord_strand_get_elements(const cord_world *world, cord_strand strand,
                                              double *curvatures, double *natural);

/* The angle of each edge's material frame against the Bishop frame carried along the strand from
 * the first edge, continuous (never wrapped); edge_count. */
CORD_API cord_status cord_strand_get_angles(const cord_world *world, cord_strand strand,
                                            double *theta);

/* Axial force per edge, positive in tension; edge_count; N. */
CORD_API cord_status cord_strand_get_tensions(const cord_world *world, cord_strand strand,
                                              double *t);

/* Energies of one strand; `constraints` is zero here. */
CORD_API cord_status cord_strand_get_energy(const cord_world *world, cord_strand strand,
                                            cord_energy *energy);

/* Change the load spread along the strand, N/m. Its potential counts as gravity's. */
CORD_API cord_status cord_strand_set_load(cord_world *world, cord_strand strand,
                                          const double load[3]);

/* Closed strands: set the closing twist (see cord_strand_def); the change is spread evenly. */
CORD_API cord_status cord_strand_set_closing_twist(cord_world *world, cord_strand strand,
                                                   double angle);

CORD_END

#endif
