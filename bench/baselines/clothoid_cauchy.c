/* With κ = Σ q_j F_j e_j (F_j the two hat functions of the element), E_j = [e_j]× and the direction
 * q̇:
 *     R'      = R [κ]×
 *     D_j'    = D_j [κ]× + F_j R E_j,            D_j = ∂R/∂q_j
 *     S'      = S [κ]× + 2 Ṙ [κ̇]×,               Ṙ = Σ q̇_j D_j,  S = q̇ᵀ ∂²R/∂q² q̇
 *     (r, ∂r/∂q_j, q̇ᵀ ∂²r/∂q² q̇)' = (R, D_j, S) e₁
 * In a subinterval of length h all of them are power series in t = u/h ∈ [0, 1]. The general terms
 * are stored; products of series are Cauchy products, and ∫ tⁿ dt = 1/(n + 1)   [SSC 2013, sec.
 * 7.1] */
#include "bench/baselines/clothoid_cauchy.h"
#include "curve/darboux_piecewise.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

enum { MOST_TERMS = 80, MATRICES = 8, ROTATION = 0, FIRST = 1, SECOND = 7 };

/* R, the six D_j and S; and their integrals along e₁: r, ∂r/∂q_j and q̇ᵀ ∂²r/∂q² q̇. */
typedef double matrices[MATRICES][9];
typedef double positions[MATRICES][3];

typedef struct part {
    double h;
    double kappa[3], slope[3]; /* times h, h² */
    double rate[3], rise[3];   /* κ̇ = rate + t rise, times h */
    double hat[2][2];          /* F = hat[·][0] + t hat[·][1], times h */
} part;

/* r += s a [k]× */
static void add_cross(double r[9], double s, const double a[9], const double k[3])
{
    for (int i = 0; i < 3; i++) {
        r[i] += s * (a[3 + i] * k[2] - a[6 + i] * k[1]);
        r[3 + i] += s * (a[6 + i] * k[0] - a[i] * k[2]);
        r[6 + i] += s * (a[i] * k[1] - a[3 + i] * k[0]);
    }
}

/* Term n + 1 of R, D_j and S from terms n and n − 1, by the equations above. */
static void next_terms(const part *p, const double rates[6], int n, matrices next, matrices now,
                       matrices before)
{
    memset(next, 0, sizeof(matrices));
    double s = 1.0 / (n + 1), rotation_rate[2][9] = {{0}};
    for (int m = 0; m < MATRICES; m++) {
        add_cross(next[m], s, now[m], p->kappa);
        add_cross(next[m], s, before[m], p->slope);
    }
    for (int j = 0; j < 6; j++) {
        double axis[3] = {j % 3 == 0, j % 3 == 1, j % 3 == 2};
        add_cross(next[FIRST + j], s * p->hat[j / 3][0], now[ROTATION], axis);
        add_cross(next[FIRST + j], s * p->hat[j / 3][1], before[ROTATION], axis);
        for (int i = 0; i < 9; i++) {
            rotation_rate[0][i] += rates[j] * now[FIRST + j][i];
            rotation_rate[1][i] += rates[j] * before[FIRST + j][i];
        }
    }
    add_cross(next[SECOND], 2 * s, rotation_rate[0], p->rate);
    add_cross(next[SECOND], 2 * s, rotation_rate[1], p->rise);
}

/* Whether every term is below the rounding error of its sum. */
static bool negligible(matrices terms, matrices sums)
{
    for (int m = 0; m < MATRICES; m++) {
        double size = 0, sum = 0;
        for (int i = 0; i < 9; i++) {
            size = fmax(size, fabs(terms[m][i]));
            sum = fmax(sum, fabs(sums[m][i]));
        }
        if (size > DARBOUX_SERIES_PRECISION * sum) return false;
    }
    return true;
}

/* The terms of the positions over the subinterval; `frames` and `position` become the values at its
 * end. Returns the number of terms. */
static int expand(const part *p, const double rates[6], matrices frames, positions position,
                  positions terms[MOST_TERMS])
{
    matrices space[3] = {{{0}}}, *before = &space[0], *now = &space[1], *next = &space[2];
    memcpy(*now, frames, sizeof *now);
    memcpy(terms[0], position, sizeof terms[0]);
    int n = 0, small = 0;
    while (n + 1 < MOST_TERMS && small < 2) {
        for (int m = 0; m < MATRICES; m++)
            for (int i = 0; i < 3; i++) {
                terms[n + 1][m][i] = p->h / (n + 1) * (*now)[m][i];
                position[m][i] += terms[n + 1][m][i];
            }
        next_terms(p, rates, n, *next, *now, *before);
        for (int m = 0; m < MATRICES; m++)
            for (int i = 0; i < 9; i++) frames[m][i] += (*next)[m][i];
        small = negligible(*next, frames) ? small + 1 : 0;
        matrices *free = before;
        before = now, now = next, next = free;
        n++;
    }
    return n + 1;
}

/* ∫₀¹ a·b dt = Σ_n 1/(n + 1) Σ_k a_k·b_{n−k}, over all products of stored terms */
static double product(positions terms[], int count, int a, int b)
{
    double sum = 0;
    for (int n = 0; n < 2 * count - 1; n++) {
        double c = 0;
        for (int k = n < count ? 0 : n - count + 1; k <= n && k < count; k++)
            c += v3_dot(terms[k][a], terms[n - k][b]);
        sum += c / (n + 1);
    }
    return sum;
}

/* M += ρS ∫ JᵀJ (upper triangle), G −= ρS ∫ Jᵀg, A += ρS ∫ Jᵀ(q̇ᵀ ∂²r/∂q² q̇) over one subinterval */
static void accumulate(const clothoid_element *e, double h, positions terms[], int count,
                       clothoid_terms *t)
{
    const double weight = e->density * h;
    for (int i = 0; i < 6; i++) {
        for (int j = i; j < 6; j++)
            t->mass[6 * i + j] += weight * product(terms, count, FIRST + i, FIRST + j);
        t->velocity[i] += weight * product(terms, count, FIRST + i, SECOND);
        for (int n = 0; n < count; n++)
            t->gravity[i] -= weight / (n + 1) * v3_dot(e->gravity, terms[n][FIRST + i]);
    }
}

/* The subinterval from `from`, as long as [SSC 2013, eq. 14] allows */
static part next_part(const clothoid_element *e, double from)
{
    const double *start = e->ends, *end = e->ends + 3, a = from / e->length;
    double kappa[3], slope[3];
    part p;
    for (int i = 0; i < 3; i++) {
        kappa[i] = (1 - a) * start[i] + a * end[i];
        slope[i] = (end[i] - start[i]) / e->length;
    }
    double h =
        fmin(cord__darboux_safe_length(kappa, slope, DARBOUX_SERIES_LIMIT), e->length - from);
    p.h = h;
    for (int i = 0; i < 3; i++) {
        p.kappa[i] = h * kappa[i], p.slope[i] = h * h * slope[i];
        p.rate[i] = h * ((1 - a) * e->rates[i] + a * e->rates[3 + i]);
        p.rise[i] = h * h * (e->rates[3 + i] - e->rates[i]) / e->length;
    }
    p.hat[0][0] = h * (1 - a), p.hat[0][1] = -h * h / e->length;
    p.hat[1][0] = h * a, p.hat[1][1] = h * h / e->length;
    return p;
}

int cord__clothoid_cauchy(const clothoid_element *e, clothoid_terms *t)
{
    matrices frames = {{0}};
    positions position = {{0}}, terms[MOST_TERMS];
    memset(t, 0, sizeof *t);
    memcpy(frames[ROTATION], e->frame, sizeof frames[ROTATION]);
    int count = 0;
    for (double from = 0; from < e->length; count++) {
        part p = next_part(e, from);
        int n = expand(&p, e->rates, frames, position, terms);
        accumulate(e, p.h, terms, n, t);
        if (!(from + p.h > from))
            break; /* the curvature is so large that h vanishes against `from` */
        from += p.h;
    }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < i; j++) t->mass[6 * i + j] = t->mass[6 * j + i];
    return count;
}
