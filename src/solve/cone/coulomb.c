/* The local solver enumerates take-off, stick and slip. Slip with u_N = 0 and u_T = −α p_T, α > 0, leaves, after elimination
 * of p_N = −(b_N + W_NT p_T)/W_NN,
 *
 *     (Ŵ + α I) p_T = −b̂,     Ŵ = W_TT − W_TN W_NT/W_NN,     b̂ = b_T − W_TN b_N/W_NN,
 *     f(α) = |p_T(α)| − μ p_N(α) = 0.
 *
 * f(0) ≤ 0 is stick. Otherwise f(0) > 0 > f(∞) = μ b_N/W_NN, so that a root exists; Newton's method finds it inside a bracket,
 * in the eigenbasis of Ŵ, where each evaluation is two divisions [Bonnefon and Daviet 2011 state the quartic]. */
#include "solve/cone/coulomb.h"

#include "math/vec3.h"

/* hypot() without its care for numbers beyond 1e±150, which costs more than the rest of the solver. */
static double length_of(double x, double y)
{
    return sqrt(x * x + y * y);
}

typedef struct slip {
    double friction;
    double mobility, b;                /* W_NN, b_N */
    double eigenvalue[2], axis[2];     /* of Ŵ; the first eigenvector */
    double coupling[2], right_hand[2]; /* W_NT, b̂ in the eigenbasis */
    double tangential[2], normal;      /* p_T in the eigenbasis, p_N */
} slip;

/* Components of (x, y) in the eigenbasis. */
static void to_eigenbasis(const slip *s, double x, double y, double *r)
{
    r[0] = s->axis[0] * x + s->axis[1] * y;
    r[1] = s->axis[0] * y - s->axis[1] * x;
}

/* The eigenbasis of [a c; c b] by the half angle, without cancellation. */
static void diagonalise(slip *s, double a, double b, double c)
{
    double mean = 0.5 * (a + b), half = 0.5 * (a - b), radius = length_of(half, c);
    s->eigenvalue[0] = mean + radius, s->eigenvalue[1] = mean - radius;
    s->axis[0] = 1, s->axis[1] = 0;
    if (!(radius > 0)) return;
    double large = sqrt(0.5 * (1 + fabs(half) / radius)), small = 0.5 * c / (radius * large);
    s->axis[0] = half >= 0 ? large : small, s->axis[1] = half >= 0 ? small : large;
}

static slip eliminate_normal(const double *W, const double *b, double friction)
{
    slip s = {.friction = friction, .mobility = W[0], .b = b[0]};
    double x = W[1] / W[0], y = W[2] / W[0];
    diagonalise(&s, W[4] - x * W[1], W[8] - y * W[2], W[5] - x * W[2]);
    /* A singular Ŵ: rounding alone decides a smaller eigenvalue. */
    double least = 1e-14 * (W[0] + W[4] + W[8]);
    for (int k = 0; k < 2; k++) s.eigenvalue[k] = fmax(s.eigenvalue[k], least);
    to_eigenbasis(&s, W[1], W[2], s.coupling);
    to_eigenbasis(&s, b[1] - x * b[0], b[2] - y * b[0], s.right_hand);
    return s;
}

/* Sets the force for α. Returns f; *slope = f'(α), *size a magnitude to compare f with. */
static double cone_excess(slip *s, double alpha, double *slope, double *size)
{
    double squares = 0, weighted = 0, coupled = 0, coupled_slope = 0;
    for (int k = 0; k < 2; k++) {
        double inverse = 1 / (s->eigenvalue[k] + alpha), q = -s->right_hand[k] * inverse;
        squares += q * q, weighted += q * q * inverse;
        coupled += s->coupling[k] * q, coupled_slope -= s->coupling[k] * q * inverse;
        s->tangential[k] = q;
    }
    double length = sqrt(squares);
    s->normal = -(s->b + coupled) / s->mobility;
    *slope = (length > 0 ? -weighted / length : 0) + s->friction * coupled_slope / s->mobility;
    *size = length + s->friction * fabs(s->normal);
    return length - s->friction * s->normal;
}

/* f(0) > 0. The first α is the root without coupling of normal and tangential directions. */
static void find_slip(slip *s)
{
    double low = 0, high = INFINITY, slope, size;
    double alpha =
        length_of(s->right_hand[0], s->right_hand[1]) * s->mobility / (s->friction * -s->b);
    for (int i = 0; i < 100; i++) {
        double excess = cone_excess(s, alpha, &slope, &size);
        if (fabs(excess) <= 1e-15 * size) return;
        if (excess > 0)
            low = alpha;
        else
            high = alpha;
        double next = alpha - excess / slope;
        if (!(next > low && next < high)) next = high < INFINITY ? 0.5 * (low + high) : 4 * alpha;
        if (fabs(next - alpha) <= 1e-9 * alpha) { /* the error of the next one is its square */
            cone_excess(s, next, &slope, &size);
            return;
        }
        alpha = next;
    }
}

static void slip_force(const slip *s, bool onto_cone, double *p)
{
    double x = s->tangential[0], y = s->tangential[1], normal = fmax(s->normal, 0);
    double length = length_of(x, y);
    double scale = !onto_cone ? 1 : length > 0 ? s->friction * normal / length : 0;
    v3_set(p, normal, scale * (s->axis[0] * x - s->axis[1] * y),
           scale * (s->axis[1] * x + s->axis[0] * y));
}

contact_state cord__coulomb_solve(const double *W, const double *b, double friction, double *p)
{
    v3_set(p, 0, 0, 0);
    if (b[0] >= 0 || !(W[0] > 0)) return CONTACT_OPEN;
    p[0] = -b[0] / W[0];
    if (!(friction > 0)) return CONTACT_SLIP;
    double slope, size;
    slip s = eliminate_normal(W, b, friction);
    bool stick = cone_excess(&s, 0, &slope, &size) <= 0;
    if (!stick) find_slip(&s);
    slip_force(&s, !stick, p);
    return stick ? CONTACT_STICK : CONTACT_SLIP;
}

void cord__cone_project(double friction, double *p)
{
    double length = length_of(p[1], p[2]);
    if (length <= friction * p[0]) return;
    double normal = (friction * length + p[0]) / (1 + friction * friction);
    if (!(normal > 0)) {
        v3_set(p, 0, 0, 0);
        return;
    }
    double scale = length > 0 ? friction * normal / length : 0;
    v3_set(p, normal, scale * p[1], scale * p[2]);
}

double cord__natural_map(double scale, double friction, const double *u, const double *p)
{
    double z[3], shifted[3] = {u[0] + friction * length_of(u[1], u[2]), u[1], u[2]};
    v3_combine(z, 1, p, -1 / scale, shifted);
    if (isnan(z[0] + z[1] + z[2])) return NAN; /* the projection would make it zero */
    cord__cone_project(friction, z);
    v3_sub(z, z, p);
    return v3_dot(z, z);
}
