/* The chain's matrix over its free columns alone, dense: the base's v and ω and all curvatures.
 * Nodes' motions are put in terms of what lies before them, from the tip to the base; nothing is
 * eliminated. For eigenvalues, and to compare the recursion of chain_solve.c with: below seven elements
 * this alone is faster, but a step also wants the nodes' motions and the forces that pass them, which
 * the recursion gives for nothing, and then it is faster from the first element on. */
#include "math/vec3.h"
#include "strand/chain/chain.h"

#include <string.h>

static int free_index(const chain_model *c, int e, int i)
{
    return i < 6 ? i : 6 + c->numbers * e + i - 6;
}

/* What an end's six numbers pull with is put on the start's and on the element's own. */
static void replace(const chain_model *c, const chain_local *end, int e, double *h, int step)
{
    double v[3] = {h[0], h[step], h[2 * step]}, w[3] = {h[3 * step], h[4 * step], h[5 * step]};
    double moment[3];
    v3_cross(moment, end->r, v);
    for (int k = 0; k < 3; k++) h[(3 + k) * step] += moment[k];
    for (int j = 0; j < c->local; j++)
        h[free_index(c, e, 6 + j) * step] += v3_dot(v, end->P + 3 * j) + v3_dot(w, end->W + 3 * j);
}

void cord__chain_dense(const chain_model *c, const double *own, int stride, double *a)
{
    const chain_matrix *m = (const chain_matrix *)own;
    const double *tip = (const double *)(m + c->elements);
    int n = chain_free_count(c), size = chain_size(c);
    for (int j = 0; j < n; j++) memset(a + j * stride, 0, (size_t)n * sizeof *a);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) a[j * stride + i] = tip[9 * i + j];
    for (int e = c->elements - 1; e >= 0; e--) {
        int later = free_index(c, e, 6);
        for (int i = 0; i < n; i++)
            if (i < 6 || i >= later) replace(c, &m[e].end, e, a + i, stride);
        for (int j = 0; j < n; j++)
            if (j < 6 || j >= later) replace(c, &m[e].end, e, a + j * stride, 1);
        for (int i = 0; i < size; i++)
            for (int j = 0; j < size; j++)
                a[free_index(c, e, j) * stride + free_index(c, e, i)] += m[e].a[i * size + j];
    }
}
