/* The local solver as a kernel; coulomb.c has the equations. */
#ifndef CORDAGE_SOLVE_CONE_COULOMB_KERNEL_H
#define CORDAGE_SOLVE_CONE_COULOMB_KERNEL_H

#include "math/multiversion.h"
#include "math/vec3.h"
#include "solve/cone/coulomb.h"

/* hypot() without its care for numbers beyond 1e±150, which costs more than the rest of the solver. */
INLINE double length_of(double x, double y)
{
    return sqrt(x * x + y * y);
}

/* A contact that slips: b, and the force for some α. */
typedef struct slip {
    const coulomb_contact *contact;
    double b;                     /* b_N */
    double right_hand[2];         /* b̂ in the eigenbasis */
    double tangential[2], normal; /* p_T in the eigenbasis, p_N */
    double length;                /* |p_T| */
} slip;

/* Components of (x, y) in the eigenbasis. */
INLINE void to_eigenbasis(const coulomb_contact *c, double x, double y, double *r)
{
    r[0] = c->axis[0] * x + c->axis[1] * y;
    r[1] = c->axis[0] * y - c->axis[1] * x;
}

/* Whether the contact sticks, f(0) ≤ 0; then sets the force. */
INLINE bool sticks(slip *s)
{
    const coulomb_contact *c = s->contact;
    for (int k = 0; k < 2; k++) s->tangential[k] = -s->right_hand[k] * c->inverse[k];
    const double *q = s->tangential;
    s->normal = -(s->b + c->coupling[0] * q[0] + c->coupling[1] * q[1]) * c->inverse_mobility;
    const double limit = c->friction * s->normal;
    return limit >= 0 && q[0] * q[0] + q[1] * q[1] <= limit * limit;
}

/* Sets the force for α. Returns f; *slope = f'(α). */
INLINE double cone_excess(slip *s, double alpha, double *slope)
{
    const coulomb_contact *c = s->contact;
    const double first = c->eigenvalue[0] + alpha, second = c->eigenvalue[1] + alpha;
    const double both = 1 / (first * second), inverse[2] = {second * both, first * both};
    double squares = 0, weighted = 0, coupled = 0, coupled_slope = 0;
    for (int k = 0; k < 2; k++) {
        const double q = -s->right_hand[k] * inverse[k];
        squares += q * q, weighted += q * q * inverse[k];
        coupled += c->coupling[k] * q, coupled_slope -= c->coupling[k] * q * inverse[k];
        s->tangential[k] = q;
    }
    s->length = sqrt(squares);
    s->normal = -(s->b + coupled) * c->inverse_mobility;
    *slope = (s->length > 0 ? -weighted / s->length : 0) +
             c->friction * coupled_slope * c->inverse_mobility;
    return s->length - c->friction * s->normal;
}

/* α of a force that slips already, p_T·(b̂ + (Ŵ + α) p_T) = 0, or else the root without coupling of normal and tangential
 * directions. */
INLINE double first_alpha(const slip *s, const double *p)
{
    const coulomb_contact *c = s->contact;
    double q[2], square = p[1] * p[1] + p[2] * p[2], sum = 0;
    to_eigenbasis(c, p[1], p[2], q);
    for (int k = 0; k < 2; k++) sum -= q[k] * (s->right_hand[k] + c->eigenvalue[k] * q[k]);
    if (sum > 0 && square > 0 && isfinite(sum / square)) return sum / square;
    return length_of(s->right_hand[0], s->right_hand[1]) * c->mobility / (c->friction * -s->b);
}

/* f(0) > 0. The force is the one after a step of Newton's method by less than `accuracy`, whose square is its error. */
INLINE void find_slip(slip *s, double alpha, double accuracy)
{
    const double least = s->contact->eigenvalue[1];
    double low = 0, high = INFINITY, slope;
    for (int i = 0; i < 100; i++) {
        const double excess = cone_excess(s, alpha, &slope);
        if (fabs(excess) <= 1e-15 * (s->length + s->contact->friction * fabs(s->normal))) return;
        if (excess > 0)
            low = alpha;
        else
            high = alpha;
        double next = alpha - excess / slope;
        if (!(next > low && next < high)) next = high < INFINITY ? 0.5 * (low + high) : 4 * alpha;
        if (fabs(next - alpha) <= accuracy * (least + alpha)) {
            cone_excess(s, next, &slope);
            return;
        }
        alpha = next;
    }
}

INLINE void slip_force(const slip *s, bool onto_cone, double *p)
{
    const coulomb_contact *c = s->contact;
    const double x = s->tangential[0], y = s->tangential[1], normal = fmax(s->normal, 0);
    const double scale = !onto_cone ? 1 : s->length > 0 ? c->friction * normal / s->length : 0;
    v3_set(p, normal, scale * (c->axis[0] * x - c->axis[1] * y),
           scale * (c->axis[1] * x + c->axis[0] * y));
}

INLINE contact_state coulomb_force(const coulomb_contact *c, const double *b, double accuracy,
                                   double *p)
{
    if (b[0] >= 0 || !(c->mobility > 0)) {
        v3_set(p, 0, 0, 0);
        return CONTACT_OPEN;
    }
    if (!(c->friction > 0)) {
        v3_set(p, -b[0] * c->inverse_mobility, 0, 0);
        return CONTACT_SLIP;
    }
    slip s = {.contact = c, .b = b[0]};
    to_eigenbasis(c, b[1] - c->ratio[0] * b[0], b[2] - c->ratio[1] * b[0], s.right_hand);
    const bool stick = sticks(&s);
    if (!stick) find_slip(&s, first_alpha(&s, p), accuracy);
    slip_force(&s, !stick, p);
    return stick ? CONTACT_STICK : CONTACT_SLIP;
}

#endif
