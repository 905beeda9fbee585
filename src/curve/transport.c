#include "curve/transport.h"

double cord__holonomy(const double *t0, const double *t1, const double *s0, const double *s1)
{
    double start[3], x[3];
    v3_any_normal(start, t0);
    bool exists = transport(x, t0, s0, start) && transport(x, s0, s1, x) &&
                  transport(x, s1, t1, x) && transport(x, t1, t0, x);
    return exists ? angle_about(t0, start, x) : NAN;
}

static void make_normal(double *u, const double *t)
{
    v3_axpy(u, -v3_dot(u, t), t);
    v3_normalize(u, u);
}

int cord__bishop_frames(int n, const double *tangents, const double *u0, double *u)
{
    if (n < 1) return 0;
    v3_copy(u, u0);
    make_normal(u, tangents);
    for (int i = 1; i < n; i++) {
        const double *t = tangents + 3 * i;
        if (!transport(u + 3 * i, t - 3, t, u + 3 * (i - 1))) return i;
        make_normal(u + 3 * i, t);
    }
    return n;
}
