/* Chains of curvature elements through the conformance suite: every element, in space and in the
 * plane; straight, curled, uneven, anisotropic, with natural curvatures, of one element and of
 * many, over several panels, damped. */
#include "math/rotation.h"
#include "strand/chain/chain.h"
#include "strand/registry.h"
#include "support/conformance.h"
#include "support/numbers.h"

#include <string.h>

#define DECLARE_STRAND(name) extern const strand_ops cord__##name;
STRAND_LIST(DECLARE_STRAND)
#undef DECLARE_STRAND

/* A node's v, ω and curvature rates. */
static void rigid(const void *model, const double *q, const double *cache, const double u[3],
                  const double w[3], double *v)
{
    const chain_model *c = model;
    const chain_node *node = chain_nodes(cache);
    (void)q;
    for (int n = 0; n <= c->elements; n++, node++) {
        double *own = v + chain_dof(c, n);
        v3_cross(own, w, node->position);
        v3_add(own, own, u);
        v3_copy(own + 3, w);
        for (int k = 0; k < chain_carried(c, n); k++) own[6 + k] = 0;
    }
}

static double storage[3 * 17 + 6 * 16 + 16];

/* `elements` of length 0.2 each or uneven, that rotate by about `turn` radians each. */
static void chain(cord_strand_def *def, int elements, double turn, bool uneven)
{
    double *curvatures = storage, *natural = storage + 3 * 17, *lengths = natural + 6 * 16;
    uint64_t random = 5;
    def->section = (cord_section){.kind = CORD_SECTION_EXPLICIT,
                                  .mass = 0.1,
                                  .bending = {0.01, 0.02},
                                  .twisting = 0.008,
                                  .rotary_inertia = 2e-5,
                                  .radius = 0.01};
    def->element_count = elements;
    def->vertex_count = 13;
    def->length = 0.2 * elements;
    def->curvatures = curvatures;
    random_vector(&random, 3 * (elements + 1), curvatures);
    for (int i = 0; i < 3 * (elements + 1); i++) curvatures[i] *= turn / 0.2;
    random_vector(&random, 6 * elements, natural);
    for (int e = 0; e < elements; e++) lengths[e] = 0.1 + 0.07 * (e % 3);
    if (uneven) def->element_lengths = lengths, def->length = 0;
    cord__rotation_exp(def->base_frame, (double[]){0.4, -0.9, 0.6});
    v3_set(def->base_position, 0.3, -0.1, 0.2);
}

static void isotropic(cord_strand_def *def)
{
    def->section.bending[1] = def->section.bending[0];
}

static void straight(conformance_shape *shape, cord_strand_def *def)
{
    (void)shape;
    chain(def, 3, 0, false);
    isotropic(def);
}
static void curled(conformance_shape *shape, cord_strand_def *def)
{
    (void)shape;
    chain(def, 4, 1.5, false);
    isotropic(def);
}
static void uneven(conformance_shape *shape, cord_strand_def *def)
{
    (void)shape;
    chain(def, 4, 1, true);
}
static void affine_natural(conformance_shape *shape, cord_strand_def *def)
{
    (void)shape;
    chain(def, 3, 1, true);
    def->natural_curvatures = storage + 3 * 17;
}
static void single(conformance_shape *shape, cord_strand_def *def)
{
    (void)shape;
    chain(def, 1, 2, false);
}
static void many(conformance_shape *shape, cord_strand_def *def)
{
    (void)shape;
    chain(def, 12, 0.4, true);
}
static void series(conformance_shape *shape, cord_strand_def *def)
{
    (void)shape;
    chain(def, 3, 2, false);
    def->kinematics = CORD_KINEMATICS_SERIES;
}
/* Joints of bars rotate by a few radians; other elements by about thirty, over several panels. */
static void wound(conformance_shape *shape, cord_strand_def *def)
{
    (void)shape;
    chain(def, 2, 25, false);
    def->vertex_count = 16;
}
static void bent_bars(conformance_shape *shape, cord_strand_def *def)
{
    (void)shape;
    chain(def, 2, 3, false);
}
static void damped(conformance_shape *shape, cord_strand_def *def)
{
    affine_natural(shape, def);
    def->damping = 0.004;
    def->drag = 0.2;
    def->quadratic_drag = 0.1;
    def->base_damping = 0.003;
}

#define IN_PLANE(name)                                                                             \
    static void name##_planar(conformance_shape *shape, cord_strand_def *def)                      \
    {                                                                                              \
        name(shape, def);                                                                          \
        def->planar = true;                                                                        \
    }
IN_PLANE(straight)
IN_PLANE(curled)
IN_PLANE(uneven)
IN_PLANE(affine_natural)
IN_PLANE(single)
IN_PLANE(many)
IN_PLANE(series)
IN_PLANE(wound)
IN_PLANE(bent_bars)
IN_PLANE(damped)

/* In a coordinate plane. */
static void flat(conformance_shape *shape, cord_strand_def *def)
{
    static const double frame[9] = {0.6, 0, 0.8, -0.8, 0, 0.6, 0, -1, 0};
    damped_planar(shape, def);
    memcpy(def->base_frame, frame, sizeof frame);
}

/* Positions move on arcs, so one solve in a step leaves terms of second order; where a chain is
 * released far from its natural shape they are large. Angular momentum is conserved to Newton's
 * tolerance. */
#define CHAIN .rigid = rigid, .curvatures = true, .no_symplectic = true, .step = 1e-3, .spin = 1e-8
#define BOTH(model, text, what, change)                                                            \
    {CHAIN, .ops = &cord__##model, .name = #model ", " text, .define = what, .drift = change},     \
    {                                                                                              \
        CHAIN, .ops = &cord__##model, .name = #model ", planar, " text, .define = what##_planar,   \
               .drift = change                                                                     \
    }
#define ALL(model)                                                                                 \
    BOTH(model, "straight", straight, 1e-5), BOTH(model, "curled", curled, 1e-5),                  \
        BOTH(model, "uneven", uneven, 1e-5),                                                       \
        BOTH(model, "natural curvature", affine_natural, 0.2),                                     \
        BOTH(model, "one element", single, 1e-5), BOTH(model, "many elements", many, 1e-5),        \
        BOTH(model, "series", series, 1e-5), BOTH(model, "damped", damped, 0.05),                  \
    {                                                                                              \
        CHAIN, .ops = &cord__##model, .name = #model ", in a plane of the world", .define = flat,  \
               .drift = 0.05                                                                       \
    }

static const conformance_case cases[] = {
    ALL(segment),
    ALL(helix),
    ALL(clothoid),
    BOTH(segment, "bent", bent_bars, 1e-5),
    BOTH(helix, "wound", wound, 1e-5),
    BOTH(clothoid, "wound", wound, 1e-5),
};
enum { CASES = sizeof cases / sizeof *cases };

int main(void)
{
    return conformance_group(cases, CASES, NULL, 0);
}
