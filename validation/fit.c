#include "validation/fit.h"
#include <math.h>

double fit_order(int count, const double *n, const double *error)
{
    if (count < 2) return NAN;
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int i = 0; i < count; i++) {
        double x = log(n[i]), y = log(error[i]);
        sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    return -(count * sxy - sx * sy) / (count * sxx - sx * sx);
}
