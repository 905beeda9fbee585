/* Contact detection: closest points between strands, and between strands and obstacles.
 *
 * Detection knows blocks only by the two tables below: segments, which bound them, and curves, on which contacts lie.
 * It neither knows the solver nor keeps state between calls. */
#ifndef CORDAGE_CONTACT_CONTACT_H
#define CORDAGE_CONTACT_CONTACT_H

#include <stdbool.h>
#include <stdint.h>

/* The centreline of a block. */
typedef struct contact_curve {
    /* Position and derivatives along the strand at s in a segment (sliding_ops.jacobian). NULL: segments determine them. */
    void (*evaluate)(const void *context, int segment, double s, double r[3], double r_s[3],
                     double r_ss[3]);
    const void *context;
    double period; /* of s on a closed strand; 0: the strand is open */
    int first;     /* the number of its first segment, see cord__contact_key() */
    bool self;     /* contact of the strand with itself */
    uint32_t group,
        mask; /* two blocks may be in contact when each mask has a bit of the other's group */
} contact_curve;

/* A chord of a curve. The curve between its ends is within `bulge` of it, κ Δs²/8. Where it has no other form, with
 * u = s − s₀, l = s₁ − s₀, f = u/l and the differences D₀, D₁, which are r″/2 at both ends,
 *
 *     r = x₀ + f (x₁ − x₀) − u (l − u) ((1 − β) D₀ + β D₁),     β = 3f² − 2f³. */
typedef struct contact_segment {
    double x[2][3]; /* ends */
    double s[2];    /* their material coordinates, s[0] < s[1] */
    double difference[2][3];
    double radius, bulge;
    int block;         /* index of its contact_curve */
    int segment;       /* along the block */
    int before, after; /* the segments next to it along the strand, in the list; -1: none */
} contact_segment;

/* Two segments of the list whose bounds overlap; first < second. */
typedef struct contact_candidate {
    int first, second;
} contact_candidate;

/* The normal points from the second side to the first. The first tangent is the first strand's direction without its part
 * along the normal: tangents that depend on the normal alone would rotate between steps where two cylinders are parallel. */
typedef struct contact {
    uint64_t key;
    int segment[2]; /* in the list; of an obstacle: -1 */
    int obstacle
        [2];     /* in the list; of a segment: -1. The first side is one only where the second is */
    double s[2]; /* material coordinates; 0 of an obstacle */
    double x[2][3]; /* on the centrelines; of an obstacle: on its surface */
    double normal[3], tangent[2][3];
    double gap;   /* between the surfaces; negative: overlap */
    double taper; /* the part of the radii that is left out of the gap, since a joint is near */
} contact;

/* Which of the contacts of one pair: a part of the key. */
typedef enum contact_which {
    CONTACT_LEAST, /* at the least distance */
    CONTACT_START, /* at the start and the end of the overlap of parallel segments, or of a flat segment */
    CONTACT_END
} contact_which;

#define PAIR_CONTACTS 3 /* at most of one pair */

/* Segments nearer to parallel than this count as parallel: sin² of their angle. */
#define PARALLEL_SIN2 0.01
/* A further contact at the least distance is of use where its gap is less by more than this fraction of the radii. */
#define LOWER_GAP 1e-3

/* ---- closest points (closest.c, curve_point.c) ----------------------------------------------- */

/* Fractions t ∈ [0, 1]² of the closest points of two segments, from a₀ to a₁ and from b₀ to b₁, exact for parallel segments and segments of length zero;
 * returns the distance. *sin2 (NULL: not asked for) is sin² of the angle, 0 where a length is zero. */
double cord__closest_points(const double *a0, const double *a1, const double *b0, const double *b1,
                            double t[2], double *sin2);

/* A point of a curve and its derivatives. */
typedef struct curve_point {
    double s, r[3], r_s[3], r_ss[3];
} curve_point;

void cord__curve_point(const contact_curve *curve, const contact_segment *segment, double s,
                       curve_point *p);

/* Newton's method for min ½|r₁(s₁) − r₂(s₂)|² within the segments' intervals of s, from p[0].s and p[1].s, of those that
 * are free; returns the distance. */
double cord__closest_on_curves(const contact_curve *const curve[2],
                               const contact_segment *const segment[2], const bool free[2],
                               curve_point p[2]);

/* ---- contacts of one pair (pair.c) ----------------------------------------------------------- */

/* The contacts of two segments with gaps up to the margin, at most PAIR_CONTACTS, in the order of their keys; `pair` are
 * indices in the list. Contacts that another pair owns and those of neighbours along a strand are left out. */
int cord__pair_contacts(const contact_curve *curves, const contact_segment *segments,
                        contact_candidate pair, double margin, contact *out);

/* The least gap of two segments, also of neighbours along a strand; `at` receives sides, coordinates, points, normal and gap. */
double cord__pair_gap(const contact_curve *curves, const contact_segment *segments,
                      contact_candidate pair, contact *at);

/* Tangents from the normal and the first strand's direction. */
void cord__contact_tangents(contact *c, const double direction[3]);

/* ---- identity, ownership, merging (manifold.c) ----------------------------------------------- */

/* A side of a contact has a number of 30 bits: curve.first + segment, or OBSTACLE_NUMBERS + obstacle. Keys sort by the
 * first number, the second, then which, of 4 bits: a contact_which, or a feature of two obstacles (solids.h). */
#define OBSTACLE_NUMBERS (1u << 29)
uint64_t cord__contact_key(uint32_t first, uint32_t second, int which);
uint32_t cord__key_side(uint64_t key, int side);
int cord__key_which(uint64_t key);
bool cord__same_sides(uint64_t key, uint64_t other);
uint32_t cord__segment_number(const contact_curve *curves, const contact_segment *segment);

/* Whether points at s on a and b are nearer along their strand than πρ plus an edge. A strand that is bent to the radius ρ
 * is in contact with itself at πρ; nearer points are in contact only where its curvature exceeds 1/ρ. */
bool cord__along_neighbours(const contact_curve *curves, const contact_segment *a,
                            const contact_segment *b, const double s[2]);

/* Their distance along the strand over that; INFINITY on different strands. */
double cord__along_ratio(const contact_curve *curves, const contact_segment *a,
                         const contact_segment *b, const double s[2]);

/* A contact at the start of an edge belongs to the edge before it. */
bool cord__owned(const contact_segment *segment, double s);

/* Merges contacts, sorted by key, of one pair of blocks that are nearer than half an edge along both: the one with the
 * smaller gap remains. Returns the number that remains, in the same order. */
int cord__merge_contacts(const contact_curve *curves, const contact_segment *segments,
                         contact *contacts, int count);

/* Sorts `order` (initially any indices) by key, stably, by radix; the spare arrays have `count` entries too. */
void cord__sort_by_key(int count, uint64_t *key, int *order, uint64_t *spare_key, int *spare_order);

/* ---- crossing (crossing.c, passage.c) -------------------------------------------------------- */

/* The linear motion of a segment over a step: ends at its start and at its end. */
typedef struct segment_motion {
    double from[2][3], to[2][3];
} segment_motion;

/* Additive continuous collision detection: a time t ∈ [0, 1] up to which the two axes stay farther apart than
 * `separation`, 1 where they do during the whole motion. 0 where they are nearer at the start. */
double cord__free_time(const segment_motion *a, const segment_motion *b, double separation);

/* Whether the axes of two segments pass through each other during the motion. It shares no code with the rest of
 * detection, so that it can check its results. */
bool cord__pass_through(const segment_motion *a, const segment_motion *b);

#endif
