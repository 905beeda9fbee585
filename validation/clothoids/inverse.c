/* Inverse statics of super-clothoids [SC 2012, sec. 5, eqs. 22 and 23, Fig. 5]. */
#include "validation/clothoids/clothoids.h"
#include <math.h>
#include <string.h>

enum { VERTICES = 65, FLOWERS = 3, STIFFNESSES = 13 };

/* Stems of two clothoids that curl up at the top; base at the origin, nearly upright. */
typedef struct flower {
    const char *name;
    double lengths[2], curvatures[3], lean;
} flower;

static const flower flowers[FLOWERS] = {
    {"tall", {0.34, 0.40}, {-0.8, 1.2, 40}, 0.05},
    {"leaning", {0.26, 0.36}, {-0.5, -2, -44}, -0.15},
    {"low", {0.20, 0.34}, {2, 1, 48}, 0.1},
};

static const double density = 900, radius = 0.004;

/* EI/ρS = E r²/4ρ. */
static double young_for(double ratio)
{
    return ratio * 4 * density / (radius * radius);
}

typedef struct stem {
    validation *v;
    const flower *flower;
    cord_world *world;
    cord_strand strand;
    double length, drawn[3 * VERTICES];
    cord_inverse_result found;
} stem;

static bool fine(const stem *s, cord_status status, const char *what)
{
    return validation_ok(s->v, s->world, status, what);
}

static bool plant(stem *s, double ratio, bool inverse)
{
    const flower *f = s->flower;
    cord_world_def world = cord_world_def_default();
    cord_strand_def def = cord_strand_def_default();
    double curvatures[9] = {0}, size = hypot(1, f->lean);
    double frame[9] = {f->lean / size, 0, 1 / size, 1 / size, 0, -f->lean / size, 0, 1, 0};
    for (int i = 0; i < 3; i++) curvatures[3 * i + 1] = f->curvatures[i];
    def.model = CORD_MODEL_CLOTHOID;
    def.planar = true;
    def.element_count = 2;
    def.element_lengths = f->lengths;
    def.curvatures = curvatures;
    def.vertex_count = VERTICES;
    memcpy(def.base_frame, frame, sizeof frame);
    def.material = (cord_material){density, young_for(ratio), 0.4};
    def.section.radius = radius;
    def.damping = 0.04;
    def.drag = 0.1;
    s->length = f->lengths[0] + f->lengths[1];
    s->world = NULL;
    return fine(s, cord_world_create(&world, &s->world), "world") &&
           fine(s, cord_world_add_strand(s->world, &def, &s->strand), "stem") &&
           fine(s, cord_world_clamp_strand(s->world, s->strand, 0, NULL, NULL, NULL, NULL),
                "clamp") &&
           fine(s, cord_strand_get_positions(s->world, s->strand, s->drawn), "places") &&
           (!inverse ||
            fine(s, cord_strand_find_natural_shape(s->world, s->strand, NULL, &s->found),
                 "inverse statics"));
}

/* The largest distance of a vertex from its drawn position, over the length. */
static double away(const stem *s)
{
    double x[3 * VERTICES], worst = 0;
    cord_strand_get_positions(s->world, s->strand, x);
    for (int i = 0; i < VERTICES; i++) {
        double d[3];
        for (int k = 0; k < 3; k++) d[k] = x[3 * i + k] - s->drawn[3 * i + k];
        worst = fmax(worst, sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
    }
    return worst / s->length;
}

static bool let_go(const stem *s, double time)
{
    const double dt = 0.01;
    for (int i = 0; i < (int)(time / dt); i++)
        if (!fine(s, cord_world_step(s->world, dt), "step")) return false;
    return true;
}

static bool push(const stem *s, double speed)
{
    double v[3 * VERTICES] = {0};
    for (int i = 0; i < VERTICES; i++) v[3 * i] = speed * i / (VERTICES - 1);
    return fine(s, cord_strand_set_velocities(s->world, s->strand, v), "push");
}

/* ---- checks --------------------------------------------------------------------------------- */

static const double softness = 1.3; /* of EI/ρS over the sharp bound */

static bool stands(stem *s, double ratio)
{
    bool good = plant(s, ratio, true);
    if (good) {
        validation_row_below(s->v, s->flower->name, "residual over weight times length",
                             s->found.residual, 1e-13);
        good = let_go(s, 2);
        validation_row_below(s->v, s->flower->name, "moved in 2 s, inverse statics", away(s),
                             1e-10);
        good = good && push(s, 0.3) && let_go(s, 0.2);
        validation_row_above(s->v, s->flower->name, "moved 0.2 s after a push", away(s), 1e-2);
        good = good && let_go(s, 12);
        validation_row_below(s->v, s->flower->name, "moved when it is over", away(s), 1e-7);
    }
    cord_world_destroy(s->world);
    return good;
}

static bool droops(stem *s, double ratio)
{
    bool good = plant(s, ratio, false) && let_go(s, 4);
    if (good) validation_row_above(s->v, s->flower->name, "moved in 4 s, without", away(s), 0.1);
    cord_world_destroy(s->world);
    return good;
}

void check_inverse_flowers(validation *v)
{
    for (int i = 0; i < FLOWERS; i++) {
        stem s = {.v = v, .flower = &flowers[i]};
        bool good = plant(&s, 1, true);
        cord_world_destroy(s.world);
        double ratio = softness * s.found.sharp_ratio;
        if (!good || !droops(&s, ratio) || !stands(&s, ratio)) return;
    }
}

/* The number of unstable directions at EI/ρS; −1 on failure. */
static int unstable_at(stem *s, double ratio)
{
    int count = -1;
    if (plant(s, ratio, true))
        fine(s, cord_world_count_unstable_directions(s->world, &count, NULL),
             "unstable directions");
    cord_world_destroy(s->world);
    return count;
}

/* The ratio at which that number becomes zero, by bisection. */
static double threshold(stem *s, double low, double high)
{
    for (int i = 0; i < 30; i++) {
        double middle = sqrt(low * high);
        int count = unstable_at(s, middle);
        if (count < 0) return NAN;
        if (count > 0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return sqrt(low * high);
}

/* The distance from the drawn shape some time after a small impulse, over EI/ρS. */
static bool sweep(stem *s, double sharp, double *ratios, double *distances)
{
    bool good = true;
    for (int i = 0; good && i < STIFFNESSES; i++) {
        ratios[i] = pow(4, (double)(i - STIFFNESSES / 2) / (STIFFNESSES / 2)); /* 1/4 … 4 */
        good = plant(s, ratios[i] * sharp, true) && push(s, 1e-3) && let_go(s, 15);
        distances[i] = good ? away(s) : NAN;
        cord_world_destroy(s->world);
    }
    return good;
}

/* The smallest distance of softer stems, and the largest of stiffer ones. */
static void divide(const double *ratios, const double *distances, double *fallen, double *stayed)
{
    *fallen = INFINITY, *stayed = 0;
    for (int i = 0; i < STIFFNESSES; i++) {
        if (ratios[i] < 0.95) *fallen = fmin(*fallen, distances[i]);
        if (ratios[i] > 1.2) *stayed = fmax(*stayed, distances[i]);
    }
}

void check_inverse_bounds(validation *v)
{
    double ratios[STIFFNESSES], distances[FLOWERS][STIFFNESSES];
    plot_series series[FLOWERS];
    for (int i = 0; i < FLOWERS; i++) {
        stem s = {.v = v, .flower = &flowers[i]};
        const char *name = flowers[i].name;
        bool good = plant(&s, 1, true);
        cord_world_destroy(s.world);
        if (!good) return;
        cord_inverse_result found = s.found;
        double seen = threshold(&s, 0.2 * found.sharp_ratio, 5 * found.sharp_ratio);
        validation_row(v, name, "sharp bound, observed threshold (m⁴/s²)", seen, found.sharp_ratio,
                       1e-5 * found.sharp_ratio);
        validation_row_above(v, name, "−λ_N/γ_N (23) over the threshold",
                             found.sufficient_ratio / seen, 1);
        if (!sweep(&s, found.sharp_ratio, ratios, distances[i])) return;
        double fallen, stayed;
        divide(ratios, distances[i], &fallen, &stayed);
        validation_row_above(v, name, "least moved, softer than the bound", fallen, 0.02);
        validation_row_below(v, name, "most moved, stiffer than 1.2 times it", stayed, 1e-4);
        series[i] = (plot_series){name, STIFFNESSES, ratios, distances[i], PLOT_BOTH};
    }
    validation_plot(v, &(plot){"15 s after a push of 1 mm/s: how far from the drawn shape",
                               "EI/ρS over the sharp bound", "distance / length", true, true,
                               FLOWERS, series});
}
