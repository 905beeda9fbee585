/* Dense kernels of sparse_ldl.c on panels, for vectors of LANES doubles; included once for each
 * variant, which NAME() names. Every variant sums over k in ascending order. Panels are stored by
 * columns, PANEL_ROWS(height) apart; U = L D is stored next to L. */

typedef double NAME(lanes) __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
typedef long long NAME(mask) __attribute__((vector_size(8 * LANES), aligned(8), may_alias));

/* out_ij = Σ_k l_ik u_jk (with `subtract`: out_ij −= …) for j < count, k < depth and `vectors`
 * times LANES rows; u begins at row j = 0, and four of its rows are read. */
INLINE void NAME(tile)(int vectors, bool subtract, int count, int depth, size_t ld, const double *l,
                       const double *u, double *out)
{
    NAME(lanes) sum[PANEL_COLUMNS][3];
    for (int j = 0; j < PANEL_COLUMNS; j++)
        for (int v = 0; v < vectors; v++) sum[j][v] = (NAME(lanes)){0};
    UNROLLED_BY(2)
    for (int k = 0; k < depth; k++, l += ld, u += ld) {
        NAME(lanes) row[3];
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

/* tile() for all rows from `from` (a multiple of LANES) to ld. Three vectors of rows: their sums, the rows and a factor
 * are the sixteen registers of most processors. At least two in flight hide the latency of additions. */
INLINE void NAME(tiles)(bool subtract, int count, int from, int depth, size_t ld, const double *l,
                        const double *u, double *out)
{
    int i = from, left = ((int)ld - from) / LANES;
    for (; left == 3 || left > 4; left -= 3, i += 3 * LANES)
        NAME(tile)(3, subtract, count, depth, ld, l + i, u, out + i);
    for (; left > 1; left -= 2, i += 2 * LANES)
        NAME(tile)(2, subtract, count, depth, ld, l + i, u, out + i);
    if (left == 1) NAME(tile)(1, subtract, count, depth, ld, l + i, u, out + i);
}

/* Rows of columns first .. first + count − 1 of a panel below their diagonal block, which is
 * factored:
 *     u_ij = c_ij − Σ_{k<j} l_ik u_jk,   l_ij = u_ij/d_j,   j and k among these columns. */
INLINE void NAME(finish_rows)(int count, int first, size_t ld, const double *inverse, double *l,
                              double *u)
{
    static const long long from[16] = {0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1};
    int begin = first + count, i = begin - begin % LANES;
    NAME(mask) mask = *(const NAME(mask) *)(from + 8 - begin % LANES);
    for (; i < (int)ld; i += LANES) {
        NAME(lanes) l_rows[PANEL_COLUMNS];
        for (int j = 0; j < count; j++) {
            NAME(lanes) *column = (NAME(lanes) *)(l + (size_t)j * ld + i), value = *column;
            NAME(lanes) *u_rows = (NAME(lanes) *)(u + (size_t)j * ld + i);
            for (int k = 0; k < j; k++)
                value -= l_rows[k] * u[(size_t)k * ld + (size_t)(first + j)];
            l_rows[j] = value * inverse[j];
            *column =
                (NAME(lanes))(((NAME(mask))l_rows[j] & mask) | ((NAME(mask)) * column & ~mask));
            *u_rows = (NAME(lanes))(((NAME(mask))value & mask) | ((NAME(mask)) * u_rows & ~mask));
        }
        mask = ~(mask ^ mask);
    }
}

/* Dense L D Lᵀ of a panel after its updates from earlier supernodes. Returns the column of the
 * pivot that fails, or -1. */
INLINE int NAME(factor_panel)(int width, size_t ld, double *l, double *u, double *inverse,
                              int *negative)
{
    for (int first = 0; first < width; first += PANEL_COLUMNS) {
        int count = width - first < PANEL_COLUMNS ? width - first : PANEL_COLUMNS;
        double *l_first = l + (size_t)first * ld, *u_first = u + (size_t)first * ld;
        if (first > 0)
            NAME(tiles)(true, count, first - first % LANES, first, ld, l, u + first, l_first);
        int bad = count == PANEL_COLUMNS ? factor_triangle(PANEL_COLUMNS, first, ld, l_first,
                                                           u_first, inverse + first, negative)
                                         : factor_triangle(count, first, ld, l_first, u_first,
                                                           inverse + first, negative);
        if (bad >= 0) return first + bad;
        if (count == PANEL_COLUMNS)
            NAME(finish_rows)(PANEL_COLUMNS, first, ld, inverse + first, l_first, u_first);
        else
            NAME(finish_rows)(count, first, ld, inverse + first, l_first, u_first);
    }
    return -1;
}

/* to_j[i] −= panel_work_j[i] for i < run, in `count` columns. The rest of the last vector is masked
 * out. */
INLINE void NAME(subtract_run)(int count, int run, const double *panel_work, size_t ld,
                               double *const *to)
{
    static const long long first[16] = {-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0};
    for (int i = 0; i < run; i += LANES) {
        int left = run - i < LANES ? run - i : LANES;
        NAME(mask) mask = *(const NAME(mask) *)(first + 8 - left);
        for (int j = 0; j < count; j++) {
            NAME(lanes) by = *(const NAME(lanes) *)(panel_work + (size_t)j * ld + i);
            *(NAME(lanes) *)(to[j] + i) -= (NAME(lanes))((NAME(mask))by & mask);
        }
    }
}

/* Subtracts L Uᵀ, for the rows of panel s below its diagonal block, from the panels of later
 * supernodes. Entries above the diagonal are written too, but never read. */
INLINE void NAME(update_ancestors)(sparse_ldl *f, int s)
{
    int w = width_of(f, s);
    size_t ld = stride_of(f, s);
    const double *l = f->a + f->panel[s], *u = f->scaled;
    const int *rows = f->rows + f->below[s];
    for (size_t k = f->update_start[s]; k < f->update_start[s + 1]; k++) {
        const sparse_update *up = &f->updates[k];
        size_t target_ld = stride_of(f, up->target);
        double *target = f->a + f->panel[up->target];
        for (int j = up->begin; j < up->end; j += PANEL_COLUMNS) {
            int count = up->end - j < PANEL_COLUMNS ? up->end - j : PANEL_COLUMNS;
            double *column[PANEL_COLUMNS];
            for (int c = 0; c < PANEL_COLUMNS; c++)
                column[c] = target + (size_t)(rows[c < count ? j + c : j] - f->first[up->target]) *
                                         target_ld;
            NAME(tiles)(false, count, w + j - (w + j) % LANES, w, ld, l, u + w + j, f->panel_work);
            for (size_t n = up->run; n < up->run_end; n++) {
                const sparse_run *run = f->runs + n;
                int skip = run->row < j ? j - run->row : 0;
                double *to[PANEL_COLUMNS];
                if (skip >= run->count) continue;
                for (int c = 0; c < PANEL_COLUMNS; c++) to[c] = column[c] + run->panel_row + skip;
                const double *panel_work = f->panel_work + w + run->row + skip;
                if (count == PANEL_COLUMNS)
                    NAME(subtract_run)(PANEL_COLUMNS, run->count - skip, panel_work, ld, to);
                else
                    NAME(subtract_run)(count, run->count - skip, panel_work, ld, to);
            }
        }
    }
}

/* ---- solving; y has the length of a panel's columns
 * ----------------------------------------------- */

/* y −= Σ_k l_k x_k over `count` columns, in rows from `from` (a multiple of LANES) to ld. */
INLINE void NAME(subtract_columns)(int count, int from, size_t ld, const double *l, const double *x,
                                   double *y)
{
    for (int i = from; i < (int)ld; i += LANES) {
        NAME(lanes) sum = *(const NAME(lanes) *)(l + i) * x[0];
        for (int k = 1; k < count; k++)
            sum += *(const NAME(lanes) *)(l + (size_t)k * ld + i) * x[k];
        *(NAME(lanes) *)(y + i) -= sum;
    }
}

/* Σ_i l_ik y_i of `count` columns, over rows from `from` (a multiple of 4) to ld: eight partial
 * sums over every eighth row, so that all variants add in the same order and no addition waits for
 * the last one. */
INLINE void NAME(products)(int count, int from, size_t ld, const double *l, const double *y,
                           double *out)
{
    enum { SUMS = 8, HALF = 4 / LANES, VECTORS = SUMS / LANES };
    NAME(lanes) sum[PANEL_COLUMNS][VECTORS];
    int i = from;
    for (int k = 0; k < count; k++)
        for (int v = 0; v < VECTORS; v++) sum[k][v] = (NAME(lanes)){0};
    for (; i + SUMS <= (int)ld; i += SUMS)
        for (int v = 0; v < VECTORS; v++) {
            NAME(lanes) y_rows = *(const NAME(lanes) *)(y + i + v * LANES);
            for (int k = 0; k < count; k++)
                sum[k][v] += *(const NAME(lanes) *)(l + (size_t)k * ld + i + v * LANES) * y_rows;
        }
    for (int v = 0; i < (int)ld && v < HALF; v++) {
        NAME(lanes) y_rows = *(const NAME(lanes) *)(y + i + v * LANES);
        for (int k = 0; k < count; k++)
            sum[k][v] += *(const NAME(lanes) *)(l + (size_t)k * ld + i + v * LANES) * y_rows;
    }
    for (int k = 0; k < count; k++) {
        for (int v = 0; v < HALF; v++) sum[k][v] += sum[k][v + HALF];
        const double *s = (const double *)sum[k];
        out[k] = (s[0] + s[1]) + (s[2] + s[3]);
    }
}

/* Forward substitution of `count` columns of L y = x from row `first`; y accumulates their effect
 * on later rows. */
INLINE void NAME(lower_columns)(int count, int first, size_t ld, const double *l, double *x_first,
                                double *y)
{
    double known[PANEL_COLUMNS];
    UNROLLED
    for (int k = 0; k < count; k++) {
        known[k] = y[first + k];
        UNROLLED
        for (int i = 0; i < k; i++) known[k] -= l[(size_t)i * ld + (size_t)(first + k)] * known[i];
        x_first[first + k] = known[k];
    }
    NAME(subtract_columns)(count, first - first % LANES, ld, l, known, y);
}

/* L y = x in place: the contribution of one panel. */
INLINE void NAME(solve_lower)(const sparse_ldl *f, int s, double *x)
{
    int w = width_of(f, s), m = below_of(f, s);
    size_t ld = stride_of(f, s);
    const double *l = f->a + f->panel[s];
    const int *rows = f->rows + f->below[s];
    double *x_first = x + f->first[s], *y = f->panel_work;
    memcpy(y, x_first, (size_t)w * sizeof *y);
    memset(y + w, 0, (ld - (size_t)w) * sizeof *y);
    for (int j = 0; j < w; j += PANEL_COLUMNS, l += PANEL_COLUMNS * ld) {
        int count = w - j < PANEL_COLUMNS ? w - j : PANEL_COLUMNS;
        if (count == PANEL_COLUMNS)
            NAME(lower_columns)(PANEL_COLUMNS, j, ld, l, x_first, y);
        else
            NAME(lower_columns)(count, j, ld, l, x_first, y);
    }
    for (int i = 0; i < m; i++) x[rows[i]] += y[w + i];
}

/* Back substitution of `count` columns of D Lᵀ y = x from row `first`, after all later ones; l is
 * the first of these columns. */
INLINE void NAME(upper_columns)(int count, int first, size_t ld, const double *l,
                                const double *inverse, double *x_first, double *y)
{
    double sum[PANEL_COLUMNS], known[PANEL_COLUMNS];
    NAME(products)(count, first - first % 4, ld, l, y, sum);
    UNROLLED
    for (int k = count - 1; k >= 0; k--) {
        double value = x_first[first + k] * inverse[first + k] - sum[k];
        UNROLLED
        for (int i = count - 1; i > k; i--)
            value -= l[(size_t)k * ld + (size_t)(first + i)] * known[i];
        known[k] = value;
        y[first + k] = x_first[first + k] = value;
    }
}

/* D Lᵀ y = x in place, that is y = L⁻ᵀ D⁻¹ x. */
INLINE void NAME(solve_upper)(const sparse_ldl *f, double *x)
{
    for (int s = f->supernodes - 1; s >= 0; s--) {
        int w = width_of(f, s), m = below_of(f, s);
        size_t ld = stride_of(f, s);
        const double *inverse = f->inverse_pivot + f->first[s];
        const int *rows = f->rows + f->below[s];
        double *x_first = x + f->first[s], *y = f->panel_work;
        if (is_isolated(f, s)) {
            x_first[0] *= inverse[0];
            continue;
        }
        memset(y, 0, ld * sizeof *y); /* zero also for the columns still to be solved */
        for (int i = 0; i < m; i++) y[w + i] = x[rows[i]];
        for (int j = (w - 1) / PANEL_COLUMNS * PANEL_COLUMNS; j >= 0; j -= PANEL_COLUMNS) {
            const double *l = f->a + f->panel[s] + (size_t)j * ld;
            if (w - j >= PANEL_COLUMNS)
                NAME(upper_columns)(PANEL_COLUMNS, j, ld, l, inverse, x_first, y);
            else
                NAME(upper_columns)(w - j, j, ld, l, inverse, x_first, y);
        }
    }
}

/* ---- either kind ------------------------------------------------------------------------------------ */

/* Right-looking: factor a panel, subtract its updates from all later ones, and apply its forward
 * substitution to y unless that is NULL. */
INLINE cord_status NAME(factor)(sparse_ldl *f, int begin, int end, double *y)
{
    size_t work = 0;
    if (f->simplicial) return simplicial_factor(f, y);
    for (int s = begin; s < end; s++) {
        work += (f->panel[s + 1] - f->panel[s]) * (size_t)width_of(f, s);
        if (work > POLL_INTERVAL) {
            if (cord__cancelled()) return CORD_ERROR_CANCELLED;
            work = 0;
        }
        const bool isolated = is_isolated(f, s);
        const int first = f->first[s];
        double *a = f->a + f->panel[s], *inverse = f->inverse_pivot + first;
        int bad = isolated ? factor_isolated(a, inverse, &f->negative)
                           : NAME(factor_panel)(width_of(f, s), stride_of(f, s), a, f->scaled,
                                                inverse, &f->negative);
        if (bad >= 0) {
            f->failed_pivot = original_index(f, first + bad);
            return CORD_ERROR_SINGULAR;
        }
        if (isolated) continue;
        NAME(update_ancestors)(f, s);
        if (y) NAME(solve_lower)(f, s, y);
    }
    return CORD_OK;
}

INLINE void NAME(lower)(const sparse_ldl *f, double *y)
{
    if (f->simplicial)
        simplicial_lower(f, y);
    else
        for (int s = 0; s < f->supernodes; s++)
            if (!is_isolated(f, s)) NAME(solve_lower)(f, s, y);
}

INLINE void NAME(upper)(const sparse_ldl *f, double *y)
{
    if (f->simplicial)
        simplicial_upper(f, y);
    else
        NAME(solve_upper)(f, y);
}
