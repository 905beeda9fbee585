/* The dense matrix of a chain over its independent dofs: v and ω of the base and all curvatures [SC
 * 2012, eq. 15, 16; SSC 2013, eq. 7, 8]. The velocities of the nodes are expressed by those of the
 * preceding nodes, from the tip to the base, without elimination. Uses: eigenvalues, and the
 * comparison with the recursion of solve.c. Below seven elements the dense solve alone is faster,
 * but a step also needs the velocities of the nodes and their internal forces, which are
 * by-products of the recursion; with them the recursion is faster from one element on. */
#include "math/vec3.h"
#include "strand/chain/chain.h"

#include <string.h>

static int free_index(const chain_model *c, int e, int i)
{
    return i < 6 ? i : 6 + c->numbers * e + i - 6;
}

/* The generalised force at the six dofs of an end is transferred to the start and to the curvature
 * components. */
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
