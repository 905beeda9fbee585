/* A path, by its arc length. Segments between prescribed nodes have a table of points. */
#include "strand/cable/guide.h"

static void position(const cable_guide *g, const double *u, double x[3], double *J, double *H)
{
    double tangent[3], r_ss[3], r_sss[3];
    cord__path_at(g->path, u[0], x, tangent, r_ss, r_sss);
    if (J) v3_copy(J, tangent);
    if (!H) return;
    memset(H, 0, 9 * sizeof *H);
    v3_copy(H, r_ss);
}

/* Panels of a quadrature that sees every span of the path. */
static int table_panels(const cable_guide *g, double from, double to)
{
    return 1 + (int)(2 * g->path->spans * fabs(to - from) / g->path->length);
}

/* As many as its curvature asks for, or two to each of its spans. */
static int panels_between(const cable_guide *g, const double *from, const double *to)
{
    double length = fabs(to[0] - from[0]),
           rotation = g->path->max_curvature * length / 0.7853981633974483;
    return 1 + (int)fmin(rotation, 2 * g->path->spans * length / g->path->length);
}

/* ∫ κ ds */
static double turning(const cable_guide *g, const double *u0, const double *u1)
{
    const double from = u0[0], to = u1[0];
    int panels = table_panels(g, from, to);
    double sum = 0, x[3], tangent[3], r_ss[3], r_sss[3];
    for (int i = 0; i < 4 * panels; i++) {
        double alpha = (i / 4 + cord__gauss[i % 4][0]) / panels;
        cord__path_at(g->path, from + alpha * (to - from), x, tangent, r_ss, r_sss);
        sum += cord__gauss[i % 4][1] / panels * v3_norm(r_ss);
    }
    return sum * fabs(to - from);
}

/* Of a segment between prescribed nodes. */
static double prescribed_square(const cable *c, const cable_element *e)
{
    double sum = 0;
    for (int k = 0; k < e->points; k++) {
        const double *r_ss = c->layout.table[e->table + k] + 6;
        sum += cord__gauss[k % 4][1] / (e->points / 4) * v3_dot(r_ss, r_ss);
    }
    return sum;
}

/* E = ½ EI Δs ∫ κ² dα: over the coordinate of an end EI Δs ∫ part · κ κ' dα; of its matrix the part κ'², which is never
 * negative. */
static void bending(const cable *c, const cable_element *e, const element_input *in,
                    element_terms *out)
{
    const cable_guide *on = c->def.guide + c->topology.node[e->node].guide;
    double from = cable_coordinates(in->cache, e->node)[0];
    double to = cable_coordinates(in->cache, e->node + 1)[0];
    double ds = cable_s(in->cache, e->node + 1) - cable_s(in->cache, e->node), square = 0;
    double first[4] = {0}, second[4][4] = {{0}};
    segment_ends ends = cord__segment_ends(c, e, in);
    int panels = e->points > 0 ? 0 : panels_between(on, &from, &to);
    if (e->points > 0) square = prescribed_square(c, e);
    for (int i = 0; i < 4 * panels; i++) {
        double alpha = (i / 4 + cord__gauss[i % 4][0]) / panels, part[4] = {1 - alpha, 0, alpha};
        double weight = cord__gauss[i % 4][1] / panels, x[3], tangent[3], r_ss[3], r_sss[3], B[4];
        cord__path_at(on->path, (1 - alpha) * from + alpha * to, x, tangent, r_ss, r_sss);
        double stiff = c->def.material.bending * weight, k2_s = v3_dot(r_ss, r_sss);
        double k2 = v3_dot(r_ss, r_ss), k_s = k2 > 0 ? k2_s / sqrt(k2) : 0;
        square += weight * k2;
        for (int k = 0; k < 4; k++) {
            B[k] = part[k] * k_s;
            first[k] += stiff * part[k] * k2_s;
            for (int l = 0; l <= k; l++) second[k][l] += stiff * B[k] * B[l];
        }
        if (c->def.material.damping > 0) cord__segment_viscosity(c, in, &ends, B, ds * weight, out);
    }
    double line = 0.5 * c->def.material.bending * square;
    cord__segment_bending(e, in, &ends, ds, line, first, second, out);
}

const guide_ops cord__guide_path = {.kind = CORD_GUIDE_PATH,
                                    .name = "path",
                                    .segment = "curve",
                                    .coordinates = 1,
                                    .needs = GUIDE_NEEDS_PATH,
                                    .along = true,
                                    .isometric = true,
                                    .no_slip = true,
                                    .hessian = GUIDE_HESSIAN_FULL,
                                    .position = position,
                                    .turning = turning,
                                    .panels = panels_between,
                                    .table_panels = table_panels,
                                    .bending = bending};
