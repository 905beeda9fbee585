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

/* A contact that slips: b, and the force for some α. */
typedef struct slip {
    const coulomb_contact *contact;
    double b;                     /* b_N */
    double right_hand[2];         /* b̂ in the eigenbasis */
    double tangential[2], normal; /* p_T in the eigenbasis, p_N */
} slip;

/* Components of (x, y) in the eigenbasis. */
static void to_eigenbasis(const coulomb_contact *c, double x, double y, double *r)
{
    r[0] = c->axis[0] * x + c->axis[1] * y;
    r[1] = c->axis[0] * y - c->axis[1] * x;
}

/* The eigenbasis of [a c; c b] by the half angle, without cancellation. */
static void diagonalise(coulomb_contact *s, double a, double b, double c)
{
    double mean = 0.5 * (a + b), half = 0.5 * (a - b), radius = length_of(half, c);
    s->eigenvalue[0] = mean + radius, s->eigenvalue[1] = mean - radius;
    s->axis[0] = 1, s->axis[1] = 0;
    if (!(radius > 0)) return;
    double large = sqrt(0.5 * (1 + fabs(half) / radius)), small = 0.5 * c / (radius * large);
    s->axis[0] = half >= 0 ? large : small, s->axis[1] = half >= 0 ? small : large;
}

coulomb_contact cord__coulomb_prepare(const double *W, double friction)
{
    coulomb_contact c = {.friction = friction, .mobility = W[0]};
    if (!(friction > 0) || !(W[0] > 0)) return c;
    c.ratio[0] = W[1] / W[0], c.ratio[1] = W[2] / W[0];
    diagonalise(&c, W[4] - c.ratio[0] * W[1], W[8] - c.ratio[1] * W[2], W[5] - c.ratio[0] * W[2]);
    /* A singular Ŵ: rounding alone decides a smaller eigenvalue. */
    double least = 1e-14 * (W[0] + W[4] + W[8]);
    for (int k = 0; k < 2; k++) c.eigenvalue[k] = fmax(c.eigenvalue[k], least);
    to_eigenbasis(&c, W[1], W[2], c.coupling);
    return c;
}

/* Sets the force for α. Returns f; *slope = f'(α), *size a magnitude to compare f with. */
static double cone_excess(slip *s, double alpha, double *slope, double *size)
{
    const coulomb_contact *c = s->contact;
    double squares = 0, weighted = 0, coupled = 0, coupled_slope = 0;
    double inverse_mobility = 1 / c->mobility;
    for (int k = 0; k < 2; k++) {
        double inverse = 1 / (c->eigenvalue[k] + alpha), q = -s->right_hand[k] * inverse;
        squares += q * q, weighted += q * q * inverse;
        coupled += c->coupling[k] * q, coupled_slope -= c->coupling[k] * q * inverse;
        s->tangential[k] = q;
    }
    double length = sqrt(squares);
    s->normal = -(s->b + coupled) * inverse_mobility;
    *slope = (length > 0 ? -weighted / length : 0) + c->friction * coupled_slope * inverse_mobility;
    *size = length + c->friction * fabs(s->normal);
    return length - c->friction * s->normal;
}

/* α of a force that slips already, p_T·(b̂ + (Ŵ + α) p_T) = 0, or else the root without coupling of normal and tangential
 * directions. */
static double first_alpha(const slip *s, const double *p)
{
    const coulomb_contact *c = s->contact;
    double q[2], square = p[1] * p[1] + p[2] * p[2], sum = 0;
    to_eigenbasis(c, p[1], p[2], q);
    for (int k = 0; k < 2; k++) sum -= q[k] * (s->right_hand[k] + c->eigenvalue[k] * q[k]);
    if (sum > 0 && square > 0 && isfinite(sum / square)) return sum / square;
    return length_of(s->right_hand[0], s->right_hand[1]) * c->mobility / (c->friction * -s->b);
}

/* f(0) > 0. */
static void find_slip(slip *s, double alpha)
{
    double low = 0, high = INFINITY, slope, size;
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
    const coulomb_contact *c = s->contact;
    double x = s->tangential[0], y = s->tangential[1], normal = fmax(s->normal, 0);
    double length = length_of(x, y);
    double scale = !onto_cone ? 1 : length > 0 ? c->friction * normal / length : 0;
    v3_set(p, normal, scale * (c->axis[0] * x - c->axis[1] * y),
           scale * (c->axis[1] * x + c->axis[0] * y));
}

contact_state cord__coulomb_force(const coulomb_contact *c, const double *b, double *p)
{
    if (b[0] >= 0 || !(c->mobility > 0)) {
        v3_set(p, 0, 0, 0);
        return CONTACT_OPEN;
    }
    if (!(c->friction > 0)) {
        v3_set(p, -b[0] / c->mobility, 0, 0);
        return CONTACT_SLIP;
    }
    double slope, size;
    slip s = {.contact = c, .b = b[0]};
    to_eigenbasis(c, b[1] - c->ratio[0] * b[0], b[2] - c->ratio[1] * b[0], s.right_hand);
    bool stick = cone_excess(&s, 0, &slope, &size) <= 0;
    if (!stick) find_slip(&s, first_alpha(&s, p));
    slip_force(&s, !stick, p);
    return stick ? CONTACT_STICK : CONTACT_SLIP;
}

contact_state cord__coulomb_solve(const double *W, const double *b, double friction, double *p)
{
    const coulomb_contact c = cord__coulomb_prepare(W, friction);
    v3_set(p, 0, 0, 0);
    return cord__coulomb_force(&c, b, p);
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
