/* Initial frames for fits of space curves.
 *
 * The curvature vectors of elements are constant or affine in the material frame, whose twist is
 * free: only the centreline is fitted. Twist-free (Bishop) frames suit gentle curves. Along a coil
 * the curvature vector rotates in them and averages to zero, a poor initial guess; in a frame at a
 * constant angle to the binormal it is constant. Hence both are tried. */
#include "curve/fit_search.h"
#include "curve/transport.h"
#include "math/rotation.h"

#include <math.h>

#define PI 3.14159265358979323846

static cord_status bishop(const fit_task *t, double *frames)
{
    for (int e = 0; e + 1 < t->vertices; e++) {
        double *r = frames + 9 * (size_t)e, tangent[3];
        v3_sub(tangent, t->x + 3 * (size_t)(e + 1), t->x + 3 * (size_t)e);
        v3_normalize(tangent, tangent);
        if (e == 0) v3_any_normal(r + 3, tangent);
        if (e > 0 && !transport(r + 3, r - 9, tangent, r - 6)) return CORD_ERROR_ARGUMENT;
        v3_copy(r, tangent);
        cord__rotation_orthonormalise(r);
    }
    return CORD_OK;
}

/* The curvature binormal at a vertex in the directors of the edge before it. */
static void binormal_components(const fit_task *t, const double *frames, int vertex, double k[2])
{
    (void)t;
    const double *r = frames + 9 * (size_t)(vertex - 1);
    double kb[3];
    curvature_binormal(kb, r, r + 9);
    k[0] = v3_dot(r + 3, kb);
    k[1] = v3_dot(r + 6, kb);
}

/* Direction of the curvature binormal about the tangent, modulo half turns, since curvature may
 * pass through zero and reverse: the branch nearest to the previous angle. Averaged over
 * neighbouring vertices as double angles, weighted by the squared curvature. */
static double binormal_angle(const fit_task *t, const double *frames, int vertex, double before)
{
    const int last = t->vertices - 2, reach = 1 + t->vertices / 100;
    double c = 0, s = 0;
    for (int i = vertex - reach; i <= vertex + reach; i++) {
        double k[2];
        if (i < 1 || i > last) continue;
        binormal_components(t, frames, i, k);
        c += k[0] * k[0] - k[1] * k[1];
        s += 2 * k[0] * k[1];
    }
    if (c == 0 && s == 0) return before;
    double angle = 0.5 * atan2(s, c);
    return angle + PI * round((before - angle) / PI);
}

cord_status cord__fit_space_frames(const fit_task *t, bool binormal, double *frames)
{
    cord_status status = bishop(t, frames);
    if (status != CORD_OK || !binormal || t->vertices < 4) return status;
    double *angle = NEW(t->m, double, t->vertices);
    if (!angle) return CORD_ERROR_MEMORY;
    const int edges = t->vertices - 1;
    for (int i = 1; i < edges; i++) angle[i] = binormal_angle(t, frames, i, angle[i - 1]);
    angle[0] = 2 * angle[1] - angle[2];
    angle[edges] = 2 * angle[edges - 1] - angle[edges - 2];
    for (int e = 0; e < edges; e++) {
        double *r = frames + 9 * (size_t)e, theta = 0.5 * (angle[e] + angle[e + 1]);
        double m1[3], m2[3], c = cos(theta), s = sin(theta);
        v3_combine(m1, c, r + 3, s, r + 6);
        v3_combine(m2, -s, r + 3, c, r + 6);
        v3_copy(r + 3, m1);
        v3_copy(r + 6, m2);
    }
    cord__release(t->m, angle);
    return CORD_OK;
}
