/* Cumulative quadrature over the nodes of a panel, Σ_j sum_ij f_j, of vectors of values over a lane type
 * (math/lane_type.h): LANES values at a time. */

/* Values at a node: 3 × LOCAL_MOST at most, and zeros up to whole vectors. Vectors that are summed at once, in registers. */
enum { NAME(NODE_VECTORS) = (3 * LOCAL_MOST + LANES - 1) / LANES, NAME(AT_ONCE) = 5 };
typedef double NAME(node_values)[RULE_MOST][LANES * NAME(NODE_VECTORS)];

/* The first `count` values; the other lanes are zero, and are not written. */
INLINE REAL NAME(load_part)(const double *from, int count)
{
    if (count >= LANES) return NAME(load)(from);
#if LANES == 2
    return (REAL){from[0]};
#else
    return (REAL){from[0], count > 1 ? from[1] : 0, count > 2 ? from[2] : 0};
#endif
}
INLINE void NAME(store_part)(double *to, REAL x, int count)
{
    if (count >= LANES) NAME(store)(to, x);
    for (int l = 0; count < LANES && l < count; l++) to[l] = *NAME(lane)(&x, l);
}

#define FOR_VECTORS(v) UNROLLED for (int v = 0; v < (count + LANES - 1) / LANES; v++)

/* `count` values, at most those of AT_ONCE vectors; those of a node are `width` after those of the one before. Relative to half of the whole integral, the
 * integral up to a node is odd for even f and even for odd f, so a node and its mirror image use the same partial sums. */
INLINE void NAME(sum_some)(const gauss_rule *rule, const int count, const double *start,
                           double half, const double *f, int width, double *out, int stride,
                           double *end)
{
    const int n = rule->n, pairs = n / 2, middle_node = n % 2;
    REAL even[RULE_MOST / 2 + 1][NAME(AT_ONCE)], odd[RULE_MOST / 2][NAME(AT_ONCE)];
    REAL first[NAME(AT_ONCE)], middle[NAME(AT_ONCE)];
    FOR_VECTORS(v) middle[v] = NAME(broadcast)(0);
    for (int j = 0; j < pairs; j++) FOR_VECTORS(v)
        {
            REAL a = NAME(load)(f + j * width + LANES * v),
                 b = NAME(load)(f + (n - 1 - j) * width + LANES * v);
            even[j][v] = a + b, odd[j][v] = a - b;
            middle[v] += rule->w[j] * even[j][v];
        }
    FOR_VECTORS(v)
    {
        if (middle_node) even[pairs][v] = NAME(load)(f + pairs * width + LANES * v);
        if (middle_node) middle[v] += rule->w[pairs] * even[pairs][v];
        middle[v] *= 0.5 * half;
        first[v] = NAME(load_part)(start + LANES * v, count - LANES * v);
        NAME(store_part)(end + LANES * v, first[v] + 2 * middle[v], count - LANES * v);
        middle[v] += first[v];
    }
    for (int i = 0; i < pairs + middle_node; i++) {
        REAL up[NAME(AT_ONCE)], down[NAME(AT_ONCE)];
        FOR_VECTORS(v) up[v] = down[v] = NAME(broadcast)(0);
        for (int j = 0; j < pairs; j++) FOR_VECTORS(v)
            {
                up[v] += rule->even[i][j] * even[j][v];
                down[v] += rule->odd[i][j] * odd[j][v];
            }
        FOR_VECTORS(v)
        {
            if (middle_node) up[v] += rule->even[i][pairs] * even[pairs][v];
            double *low = out + i * stride + LANES * v,
                   *high = out + (n - 1 - i) * stride + LANES * v;
            NAME(store_part)(high, middle[v] + half * (down[v] - up[v]), count - LANES * v);
            NAME(store_part)(low, middle[v] + half * (down[v] + up[v]), count - LANES * v);
        }
    }
}

/* start + half × the sum at each node of the rule, `stride` apart in `out`, and for the whole panel in `end`. `count` is a
 * constant where this is inlined. */
INLINE void NAME(sum_parts)(const gauss_rule *rule, const int count, const double *start,
                            double half, NAME(node_values) f, double *out, int stride, double *end)
{
    const int most = LANES * NAME(AT_ONCE), width = LANES * NAME(NODE_VECTORS);
    UNROLLED for (int k = 0; k < count; k += most)
        NAME(sum_some)(rule, count - k < most ? count - k : most, start + k, half, f[0] + k, width,
                       out + k, stride, end + k);
}

/* The same with counts known to the compiler for the usual ones. */
INLINE void NAME(cumulate)(const gauss_rule *rule, int count, const double *start, double half,
                           NAME(node_values) f, double *out, int stride, double *end)
{
    switch (count) {
    case 18: NAME(sum_parts)(rule, 18, start, half, f, out, stride, end); break;
    case 9: NAME(sum_parts)(rule, 9, start, half, f, out, stride, end); break;
    case 6: NAME(sum_parts)(rule, 6, start, half, f, out, stride, end); break;
    default: NAME(sum_parts)(rule, 3, start, half, f, out, stride, end); break;
    }
}

/* Lanes beyond the values of a node. */
INLINE void NAME(clear_rest)(double *values, int count)
{
    for (int k = count; k % LANES != 0; k++) values[k] = 0;
}

#undef FOR_VECTORS
