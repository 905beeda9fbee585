/* The dense work of sparse_ldl.c on panels, for vectors of LANES doubles; NAME() names the variant.
 * Included once for each. A sum is over k in ascending order in every variant, so that all give the same
 * bits. Panels are by columns, PANEL_ROWS(height) apart; next to L is kept U = L D. */

typedef double NAME(lanes) __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
typedef long long NAME(mask) __attribute__((vector_size(8 * LANES), aligned(8), may_alias));

/* out_ij = Σ_k l_ik u_jk (or out_ij less that) for j < count, k < depth and `vectors` times LANES rows;
 * u begins at row j = 0, and four of its rows are read. */
INLINE void NAME(tile)(int vectors, bool subtract, int count, int depth, size_t ld, const double *l,
                       const double *u, double *out)
{
    NAME(lanes) sum[PANEL_COLUMNS][2];
    for (int j = 0; j < PANEL_COLUMNS; j++)
        for (int v = 0; v < vectors; v++) sum[j][v] = (NAME(lanes)){0};
    for (int k = 0; k < depth; k++, l += ld, u += ld) {
        NAME(lanes) row[2];
        for (int v = 0; v < vectors; v++) row[v] = *(const NAME(lanes) *)(l + v * LANES);
        for (int j = 0; j < PANEL_COLUMNS; j++)
            for (int v = 0; v < vectors; v++) sum[j][v] += row[v] * u[j];
    }
    for (int j = 0; j < PANEL_COLUMNS; j++)
        for (int v = 0; j < count && v < vectors; v++) {
            NAME(lanes) *to = (NAME(lanes) *)(out + (size_t)j * ld + (size_t)(v * LANES));
            if (subtract)
                *to -= sum[j][v];
            else
                *to = sum[j][v];
        }
}

/* The same for all rows from `from` (a multiple of LANES) to ld. */
INLINE void NAME(tiles)(bool subtract, int count, int from, int depth, size_t ld, const double *l,
                        const double *u, double *out)
{
    int i = from;
    for (; i + 2 * LANES <= (int)ld; i += 2 * LANES)
        NAME(tile)(2, subtract, count, depth, ld, l + i, u, out + i);
    if (i < (int)ld) NAME(tile)(1, subtract, count, depth, ld, l + i, u, out + i);
}

/* Columns first .. first + count − 1 of a panel, below their own triangle, which is done:
 *     u_ij = c_ij − Σ_{k<j} l_ik u_jk,   l_ij = u_ij/d_j,   j and k among them. */
INLINE void NAME(finish_rows)(int count, int first, size_t ld, const double *inverse, double *l,
                              double *u)
{
    static const long long from[16] = {0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1};
    int begin = first + count, i = begin - begin % LANES;
    NAME(mask) own = *(const NAME(mask) *)(from + 8 - begin % LANES);
    for (; i < (int)ld; i += LANES) {
        NAME(lanes) done[PANEL_COLUMNS];
        for (int j = 0; j < count; j++) {
            NAME(lanes) *to = (NAME(lanes) *)(l + (size_t)j * ld + i), value = *to;
            NAME(lanes) *also = (NAME(lanes) *)(u + (size_t)j * ld + i);
            for (int k = 0; k < j; k++) value -= done[k] * u[(size_t)k * ld + (size_t)(first + j)];
            done[j] = value * inverse[j];
            *to = (NAME(lanes))(((NAME(mask))done[j] & own) | ((NAME(mask)) * to & ~own));
            *also = (NAME(lanes))(((NAME(mask))value & own) | ((NAME(mask)) * also & ~own));
        }
        own = ~(own ^ own);
    }
}

/* Dense L D Lᵀ of a panel whose updates from earlier supernodes are done. Returns the place of the
 * pivot that fails, or -1. */
INLINE int NAME(factor_panel)(int width, size_t ld, double *l, double *u, double *inverse,
                              int *negative)
{
    for (int first = 0; first < width; first += PANEL_COLUMNS) {
        int count = width - first < PANEL_COLUMNS ? width - first : PANEL_COLUMNS;
        double *own = l + (size_t)first * ld, *scaled = u + (size_t)first * ld;
        if (first > 0)
            NAME(tiles)(true, count, first - first % LANES, first, ld, l, u + first, own);
        int bad = factor_triangle(count, first, ld, own, scaled, inverse + first, negative);
        if (bad >= 0) return first + bad;
        if (count == PANEL_COLUMNS)
            NAME(finish_rows)(PANEL_COLUMNS, first, ld, inverse + first, own, scaled);
        else
            NAME(finish_rows)(count, first, ld, inverse + first, own, scaled);
    }
    return -1;
}

/* Subtract L U ᵀ from the panels of later supernodes, of the rows of panel s below its triangle. */
INLINE void NAME(update_ancestors)(sparse_ldl *f, int s)
{
    int w = width_of(f, s), m = below_of(f, s);
    size_t ld = PANEL_ROWS(w + m);
    const double *l = f->l + f->panel[s], *u = f->scaled;
    const int *rows = f->rows + f->below[s];
    for (size_t k = f->update_start[s]; k < f->update_start[s + 1]; k++) {
        const sparse_update *up = &f->updates[k];
        size_t target_ld = PANEL_ROWS(width_of(f, up->target) + below_of(f, up->target));
        double *target = f->l + f->panel[up->target];
        for (int j = up->begin; j < up->end; j += PANEL_COLUMNS) {
            int count = up->end - j < PANEL_COLUMNS ? up->end - j : PANEL_COLUMNS;
            NAME(tiles)(false, count, w + j - (w + j) % LANES, w, ld, l, u + w + j, f->piece);
            subtract_pieces(count, m - j, f->piece + w + j, ld, rows + j,
                            f->relative + up->start + (j - up->begin), up->contiguous,
                            target - (size_t)f->first[up->target] * target_ld, target_ld);
        }
    }
}
