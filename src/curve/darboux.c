#include "curve/darboux.h"
#include "math/rotation.h"

#include <math.h>
#include <string.h>

/* Parts short enough for the fourth-order exponential with many of them. */
void cord__darboux_at(const curvature *k, double u, const double R0[9], double R[9], double r[3])
{
    double end[3], most = 0, frame[9], place[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
        end[i] = k->start[i] + u * k->slope[i];
        most = fmax(most, fmax(fabs(k->start[i]), fabs(end[i])));
    }
    int parts = 4 + (int)ceil(400 * most * u);
    double h = u / parts;
    memcpy(frame, R0, sizeof frame);
    for (int p = 0; p < parts; p++) {
        double middle[3], w[3], cross[3], half[9], turn[9], m[9];
        for (int i = 0; i < 3; i++) middle[i] = k->start[i] + (p + 0.5) * h * k->slope[i];
        v3_cross(cross, middle, k->slope); /* Magnus: ∫κ + h³/12 [..] */
        for (int i = 0; i < 3; i++) w[i] = h * middle[i] + h * h * h / 12 * cross[i];
        cord__rotation_exp(turn, w);
        v3_scale(w, 0.5, w);
        cord__rotation_exp(half, w);
        m3_multiply(m, frame, half);
        double next[9];
        m3_multiply(next, frame, turn);
        for (int i = 0; i < 3; i++) place[i] += h / 6 * (frame[i] + 4 * m[i] + next[i]);
        memcpy(frame, next, sizeof frame);
    }
    if (R) memcpy(R, frame, sizeof frame);
    if (r) v3_copy(r, place);
}
