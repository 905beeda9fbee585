/* Ends held, released and joined: the fifteen configurations of the 2012 paper's Fig. 4, in the plane
 * and in space, and the smoothness of what is joined. */
#include "validation/clothoids/chains.h"
#include "validation/clothoids/clothoids.h"
#include <math.h>
#include <string.h>

enum {
    MOST_ELEMENTS = 8,
    PER_ELEMENT = 4,
    STEPS = 200,
    BASES = 3,
    JOINTS = 5,
    MOST_CONSTRAINTS = 3
};

static const char *const bases[BASES] = {"clamped", "pinned", "free"};
static const char *const joints[JOINTS] = {"free end", "end held", "loop", "smooth loop",
                                           "super-smooth loop"};

typedef struct looped {
    chain_kind kind;
    int base, joint, elements;
    rod r;
    int count;
    cord_constraint constraint[MOST_CONSTRAINTS];
    double gap;  /* largest residual of a constraint, lengths over L, curvatures times L */
    double jump; /* largest jump of the curvature at a node, times L */
    double seam; /* the same between the two ends */
} looped;

static const double length = 1;

/* A hanging arc of two radians; for loops a ring, of a rod that would be straight. In the plane x–z;
 * curvature about the second director turns up. */
static cord_status make(looped *l)
{
    double kappa[3 * (MOST_ELEMENTS + 1)] = {0}, straight[6 * MOST_ELEMENTS] = {0};
    bool loop = l->joint >= 2;
    double turn = loop ? 2 * 3.14159265358979323846 : 2, first = loop ? 0 : 1;
    rod_plan p = rod_plan_common(1);
    const double frame[9] = {cos(first), 0, -sin(first), sin(first), 0, cos(first), 0, -1, 0};
    chain_of(&p, &l->kind, l->elements, PER_ELEMENT * l->elements);
    for (int i = 0; i <= l->elements; i++) kappa[3 * i + 1] = (loop ? -1 : 1) * turn / length;
    p.length = length;
    p.strand.curvatures = kappa;
    p.strand.natural_curvatures = straight;
    p.strand.damping = 0.02;
    memcpy(p.strand.base_frame, frame, sizeof frame);
    return rod_make(&p, &l->r);
}

static cord_status point_at(rod *r, double s, cord_point *point)
{
    cord_point_def def = cord_point_def_default();
    def.source = CORD_SOURCE_STRAND;
    def.strand = r->strand;
    def.s = s;
    return cord_world_add_point(r->world, &def, point);
}

static cord_status join(looped *l)
{
    static const char *const rows[] = {CORD_COINCIDE, CORD_ALIGN, CORD_CURVATURE};
    cord_constraint_def def = cord_constraint_def_default();
    for (int k = 0; k < 9; k++) def.relative_frame[k] = k % 4 == 0;
    cord_status status = point_at(&l->r, length, &def.first);
    if (status == CORD_OK) status = point_at(&l->r, 0, &def.second);
    for (int i = 0; status == CORD_OK && i < l->joint - 1; i++) {
        def.kind = rows[i];
        status = cord_world_add_constraint(l->r.world, &def, &l->constraint[l->count++]);
    }
    return status;
}

static cord_status hold(looped *l)
{
    cord_status status = CORD_OK;
    if (l->base == 0) status = rod_clamp_first(&l->r, NULL, NULL);
    if (l->base == 1) status = rod_pin(&l->r, 0, NULL, NULL);
    if (status == CORD_OK && l->joint == 1)
        status = rod_pin(&l->r, length, NULL, &l->constraint[l->count++]);
    if (status == CORD_OK && l->joint >= 2) status = join(l);
    return status;
}

/* Curvature is affine along an element: what it is at the ends follows from two places inside. */
static void end_curvatures(const double *k, int element, double start[3], double end[3])
{
    const double *at = k + 3 * PER_ELEMENT * element;
    for (int i = 0; i < 3; i++) {
        start[i] = 2 * at[3 + i] - at[6 + i];
        end[i] = 2 * at[9 + i] - at[6 + i];
    }
}

static double apart(const double a[3], const double b[3])
{
    double worst = 0;
    for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(a[i] - b[i]));
    return worst * length;
}

static cord_status observe(looped *l)
{
    double k[3 * (PER_ELEMENT * MOST_ELEMENTS + 1)], start[MOST_ELEMENTS][3], end[MOST_ELEMENTS][3];
    int last = l->elements - 1;
    cord_status status = cord_strand_get_curvatures(l->r.world, l->r.strand, k);
    for (int e = 0; e <= last; e++) end_curvatures(k, e, start[e], end[e]);
    for (int e = 0; e < last; e++) l->jump = fmax(l->jump, apart(end[e], start[e + 1]));
    l->seam = fmax(l->seam, apart(end[last], start[0]));
    for (int i = 0; status == CORD_OK && i < l->count; i++) {
        double g[3] = {0};
        int rows = 0;
        status = cord_constraint_get_residual(l->r.world, l->constraint[i], &rows, g);
        for (int row = 0; row < rows; row++) l->gap = fmax(l->gap, fabs(g[row]));
    }
    return status;
}

static bool move(validation *v, looped *l)
{
    cord_status status = make(l);
    if (status == CORD_OK) status = hold(l);
    for (int i = 0; status == CORD_OK && i < STEPS; i++) {
        status = cord_world_step(l->r.world, 0.005);
        if (status == CORD_OK) status = observe(l);
    }
    bool ok = chain_ok(
        v, &l->r, status,
        validation_text(v, "%s, %s base, %s", l->kind.name, bases[l->base], joints[l->joint]));
    rod_free(&l->r);
    return ok;
}

static void all_configurations(validation *v, const chain_kind *kind)
{
    double jump = 0, seam = 0;
    for (int base = 0; base < BASES; base++)
        for (int joint = 0; joint < JOINTS; joint++) {
            looped l = {.kind = *kind, .base = base, .joint = joint, .elements = 4};
            if (!move(v, &l)) continue;
            const char *name =
                validation_text(v, "%s, %s, %s", kind->name, bases[base], joints[joint]);
            validation_row_below(v, name, "largest gap in 1 s", l.gap, 1e-10);
            jump = fmax(jump, l.jump);
            if (joint == 4) seam = fmax(seam, l.seam);
        }
    /* Extrapolated from inside: rounding of curvatures of up to 100/L. */
    validation_row_below(v, kind->name, "largest jump of the curvature at nodes, times L", jump,
                         1e-11);
    validation_row_below(v, kind->name, "the same across the super-smooth loop's seam", seam,
                         1e-10);
}

/* For comparison: a smooth loop of helices has the jumps that clothoids do not have. (Four of them
 * would be rigid.) */
static void with_helices(validation *v, const chain_kind *kind)
{
    looped l = {.kind = *kind, .base = 1, .joint = 3, .elements = 8};
    if (!move(v, &l)) return;
    validation_row_above(v, validation_text(v, "%s, pinned, smooth loop", kind->name),
                         "largest jump of the curvature at nodes, times L", l.jump, 0.1);
    validation_row_below(v, validation_text(v, "%s, pinned, smooth loop", kind->name),
                         "largest gap in 1 s", l.gap, 1e-10);
}

void check_loops(validation *v)
{
    all_configurations(v, &(chain_kind){"planar", CORD_MODEL_CLOTHOID, true});
    all_configurations(v, &(chain_kind){"spatial", CORD_MODEL_CLOTHOID, false});
    with_helices(v, &(chain_kind){"planar circles", CORD_MODEL_HELIX, true});
    with_helices(v, &(chain_kind){"spatial helices", CORD_MODEL_HELIX, false});
}
