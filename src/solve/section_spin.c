/* Sections of strands that spin about their tangents: a rod that rolls, or that a torque twists.
 *
 * The directors d₁, d₂ of a section are inertial coordinates. Where it spins by Ω h in a step they move on arcs, and the
 * formulas of a scheme, which are exact on straight lines, lose the spin: TR-BDF2 at the rate 0.02 Ω (Ωh)³, backward
 * Euler at Ω (Ωh)/3. So the formulas act on the angle φ of the spin beyond Ω t, in the plane of the section at the start,
 *
 *     θ = Ω t + φ,     φ̇ = c_v φ + v̂_φ,     φ̈ = c_a φ + â_φ,     φ₀ = φ̇₀ = 0,     φ̈₀ = (d̈₁·d₂ − d̈₂·d₁)/2,
 *
 * and on the tilt Δt of the tangent. Both are those of the directors, whose residuals are linear: with any guess of φ at the
 * end of a stage, and x_f the directors that have rotated by θ,
 *
 *     ẋ = ẋ_f + c_v (x − x_f) + v̂,     ẍ = ẍ_f + c_a (x − x_f) + â
 *
 * are these formulas in the plane of the section, up to the square of the error of the guess, and beyond it, where
 * x = −(x_f·Δt) t₀, with v̂ and â of the tilt, Coriolis' terms −Ω (t₀ × x_f)·Δt and −2Ω (t₀ × x_f)·Δṫ explicit. Strands whose
 * sections do not spin have the formulas of the scheme.
 *
 * The increment that rotates the base by an angle θ is 2 tan θ/2 and not θ. A strand that is alone and free rotates with its
 * base before the first guess, and the velocities of its dofs are those of φ, too. */
#include "math/vec3.h"
#include "solve/problem.h"

#include <math.h>

enum { SECTION = 6 }; /* coordinates of two directors */

static int section_count(const block *b)
{
    return BLOCK_HAS(b, inertial, section_count) ? b->ops->inertial->section_count(b->model) : 0;
}

static int first_section(const block *b, int sections)
{
    return b->inertial0 + b->shape.inertial_count - SECTION * sections;
}

static double spin(const double *x, const double *rate)
{
    return 0.5 * (v3_dot(rate, x + 3) - v3_dot(rate + 3, x));
}

/* Whether a section rotates by more than `least` in a step, and mostly about its tangent: Ω > 2 ω_⊥. From the rates alone, since
 * coordinates are known within a step only: |ḋ₁|² + |ḋ₂|² = 2 Ω² + ω_⊥², and |ḋ₁ × ḋ₂|² = Ω² (Ω² + ω_⊥²). */
static bool section_spins(const double *rate, double h, double least)
{
    double product[3];
    v3_cross(product, rate, rate + 3);
    const double sum = v3_dot(rate, rate) + v3_dot(rate + 3, rate + 3);
    const double across = sqrt(fmax(sum * sum - 4 * v3_dot(product, product), 0));
    const double along = 0.5 * (sum - across);
    return along * h * h > least * least && along > 4 * across;
}

bool cord__spins(const problem *w, const block *b, double h, double least)
{
    const int sections = section_count(b);
    bool any = false;
    for (int n = 0, at = first_section(b, sections); n < sections && !any; n++, at += SECTION)
        any = section_spins(w->now.inertial_v + at, h, least);
    return any;
}

/* A motion on a circle at one time. */
typedef struct arc {
    double angle, rate, acceleration;
} arc;

/* That of a section: at the start of the step and of a stage, and as it is expected at the end of the stage, with φ. */
typedef struct section_spin {
    arc first, before, after;
    double phi_before, phi_after;
    double phi_expected; /* at the start of the stage, as the trapezoidal one expected it */
} section_spin;

/* A guess has to be near in angle. */
static double bounded(double phi)
{
    static const double LARGEST = 0.5;
    return fmax(-LARGEST, fmin(phi, LARGEST));
}

static section_spin find_spin(const problem *w, int at, const stage *t, const predictor *f,
                              double before, double duration)
{
    const double *x0 = w->inertial_x0 + at, *x = w->inertial_x + at;
    section_spin s = {
        .first = {0, spin(x0, w->now.inertial_v + at), spin(x0, w->now.inertial_a + at)}};
    const double rate = s.first.rate, end = before + duration;
    s.before = s.first;
    if (before > 0) {
        const double c = v3_dot(x, x0) + v3_dot(x + 3, x0 + 3);
        const double sine = v3_dot(x, x0 + 3) - v3_dot(x + 3, x0), uniform = rate * before;
        s.phi_before = remainder(atan2(sine, c) - uniform, 2 * M_PI);
        s.phi_expected = bounded(0.5 * s.first.acceleration * before * before);
        s.before = (arc){uniform + s.phi_before, spin(x, w->trial.inertial_v + at), 0};
    }
    const double a_hat =
        f->a_d * s.phi_before + f->a_a * s.first.acceleration + f->a_stage * (s.before.rate - rate);
    s.phi_after = bounded((s.first.acceleration - a_hat) / t->c_a);
    s.after.angle = rate * end + s.phi_after;
    s.after.rate = rate + t->c_v * s.phi_after + f->v_d * s.phi_before;
    s.after.acceleration = t->c_a * s.phi_after + a_hat;
    return s;
}

/* x_f, ẋ_f and ẍ_f without the acceleration towards the tangent: that of x has no torque, but that of x_f would rotate x
 * towards x_f. */
static void set_arc(const double x0[SECTION], const arc *a, double x[SECTION], double x_v[SECTION],
                    double x_a[SECTION])
{
    const double c = cos(a->angle), s = sin(a->angle);
    for (int k = 0; k < 3; k++) {
        x[k] = c * x0[k] + s * x0[k + 3], x[k + 3] = c * x0[k + 3] - s * x0[k];
        x_v[k] = a->rate * x[k + 3], x_v[k + 3] = -a->rate * x[k];
        x_a[k] = a->acceleration * x[k + 3], x_a[k + 3] = -a->acceleration * x[k];
    }
}

/* The change of the tangent, or its rate, of which the directors have the given values; `coriolis`: of its own rate. */
static void find_tilt(const double x[SECTION], const double tangent[3], const double value[SECTION],
                      double coriolis, const double of[3], double tilt[3])
{
    const double first = v3_dot(value, tangent) + coriolis * v3_dot(x + 3, of);
    const double second = v3_dot(value + 3, tangent) - coriolis * v3_dot(x, of);
    for (int k = 0; k < 3; k++) tilt[k] = -first * x[k] - second * x[k + 3];
}

static void add_tilt(const double x[SECTION], const double tangent[3], const double tilt[3],
                     double coriolis, const double of[3], double value[SECTION])
{
    v3_axpy(value, -v3_dot(x, tilt) - coriolis * v3_dot(x + 3, of), tangent);
    v3_axpy(value + 3, -v3_dot(x + 3, tilt) + coriolis * v3_dot(x, of), tangent);
}

/* Ω in Coriolis' terms. Backward Euler is not stable with them as explicit terms above 2 rad in a step, and has none there. */
static double coriolis_rate(const arc *first, const predictor *f, double duration)
{
    static const double LARGEST = 2;
    const bool one_stage = f->a_a == 0 && f->a_stage == 0;
    return one_stage && fabs(first->rate) * duration > LARGEST ? 0 : first->rate;
}

/* The tilt, its rate and its acceleration: at the start of the step and of the stage. */
typedef struct section_tilt {
    double v0[3], a0[3], before[3], v_before[3];
} section_tilt;

static section_tilt find_tilts(const problem *w, int at, const section_spin *s, double before,
                               const double tangent[3])
{
    const double *x0 = w->inertial_x0 + at;
    double x[SECTION], unused[SECTION], expected[3];
    section_tilt y = {.before = {0}};
    find_tilt(x0, tangent, w->now.inertial_v + at, 0, tangent, y.v0);
    find_tilt(x0, tangent, w->now.inertial_a + at, 2 * s->first.rate, y.v0, y.a0);
    if (before == 0) return y;
    set_arc(x0, &s->before, x, unused, unused);
    find_tilt(x, tangent, w->inertial_x + at, 0, tangent, y.before);
    v3_scale(expected, before, y.v0);
    find_tilt(x, tangent, w->trial.inertial_v + at, s->first.rate, expected, y.v_before);
    return y;
}

static void follow_section(problem *w, int at, const stage *t, const predictor *f, double before,
                           double duration)
{
    const section_spin s = find_spin(w, at, t, f, before, duration);
    const double *x0 = w->inertial_x0 + at;
    double tangent[3], tilt[3], expected[3], x[SECTION], v[SECTION], a[SECTION];
    const double coriolis = coriolis_rate(&s.first, f, duration);
    v3_cross(tangent, x0, x0 + 3);
    const section_tilt y = find_tilts(w, at, &s, before, tangent);
    set_arc(x0, &s.after, x, v, a);
    v3_scale(expected, before + duration, y.v0);
    for (int k = 0; k < 3; k++) tilt[k] = f->v_d * y.before[k] + f->v_v * y.v0[k];
    add_tilt(x, tangent, tilt, coriolis, expected, v);
    for (int k = 0; k < 3; k++)
        tilt[k] =
            f->a_d * y.before[k] + f->a_v * y.v0[k] + f->a_a * y.a0[k] + f->a_stage * y.v_before[k];
    add_tilt(x, tangent, tilt, 2 * coriolis, y.v0, a);
    for (int k = 0; k < SECTION; k++) {
        w->inertial_v_predictor[at + k] = v[k] - t->c_v * (x[k] - x0[k]);
        w->inertial_a_predictor[at + k] = a[k] - t->c_a * (x[k] - x0[k]);
    }
}

/* The size of an increment of retract() that rotates by an angle. Half a revolution has none and is approached. */
static double increment_of(double angle)
{
    static const double LEAST = 1e-3;
    const double c = cos(0.5 * angle);
    return 2 * sin(0.5 * angle) / copysign(fmax(fabs(c), LEAST), c);
}

static bool moves_prescribed(const block *b, const double *d)
{
    bool any = false;
    for (int c = 0; c < b->shape.dofs; c++) any = any || (b->prescribed[c] && d[c] != 0);
    return any;
}

static void rotate_base(problem *w, const block *b, int base, const stage *t, const predictor *f,
                        double before, double duration)
{
    const section_spin s = find_spin(w, base, t, f, before, duration);
    const double *x0 = w->inertial_x0 + base;
    double axis[3], *d = w->delta + b->v0;
    v3_cross(axis, x0, x0 + 3);
    b->ops->inertial->base_rotation(b->model, w->cache + b->cache0, axis, d);
    if (moves_prescribed(b, d)) return;
    const double expected = s.first.rate * before + s.phi_expected;
    const double d_before = increment_of(expected) + s.phi_before - s.phi_expected;
    const double d_more = increment_of(s.after.angle - s.before.angle);
    const double v_hat =
        s.after.rate - t->c_v * (d_before + d_more) - f->v_d * d_before - f->v_v * s.first.rate;
    for (int c = 0; c < b->shape.dofs; c++) {
        const int at = b->v0 + c;
        w->v_predictor[at] += v_hat * d[c];
        w->trial.v[at] -= s.before.rate * d[c];
        d[c] *= d_more;
        w->d[at] += d[c];
    }
    b->ops->retract(b->model, w->trial.q + b->q0, d);
}

void cord__follow_spin(problem *w, const cluster *s, const stage *t, const predictor *f, double h,
                       double least, double before, double duration)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        const int sections = section_count(b);
        for (int n = 0, at = first_section(b, sections); n < sections; n++, at += SECTION) {
            if (!section_spins(w->now.inertial_v + at, h, least)) continue;
            if (n == 0 && s->blocks == 1 && s->constraints == 0)
                rotate_base(w, b, at, t, f, before, duration);
            follow_section(w, at, t, f, before, duration);
        }
    }
}

/* Accelerations that a short step finds are those at its end, where the centre has another direction: by −Ω³τ along the circle. */
void cord__complete_spin(problem *w, const cluster *s, double tau)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        const int sections = section_count(b);
        for (int n = 0, at = first_section(b, sections); n < sections; n++, at += SECTION) {
            const double *x0 = w->inertial_x0 + at, rate = spin(x0, w->now.inertial_v + at);
            const double more = rate * rate * rate * tau;
            if (!section_spins(w->now.inertial_v + at, tau, 0)) continue;
            v3_axpy(w->now.inertial_a + at, more, x0 + 3);
            v3_axpy(w->now.inertial_a + at + 3, -more, x0);
        }
    }
}
