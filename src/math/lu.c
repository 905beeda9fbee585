#include "math/lu.h"

#include <math.h>

bool cord__lu_factor(int n, double *a, int *pivot)
{
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[p * n + k])) p = i;
        pivot[k] = p;
        if (!(fabs(a[p * n + k]) > 0)) return false;
        for (int j = 0; p != k && j < n; j++) {
            double swap = a[k * n + j];
            a[k * n + j] = a[p * n + j], a[p * n + j] = swap;
        }
        for (int i = k + 1; i < n; i++) {
            double l = a[i * n + k] /= a[k * n + k];
            for (int j = k + 1; l != 0 && j < n; j++) a[i * n + j] -= l * a[k * n + j];
        }
    }
    return true;
}

void cord__lu_solve(int n, const double *a, const int *pivot, double *x)
{
    for (int k = 0; k < n; k++) {
        double swap = x[k];
        x[k] = x[pivot[k]], x[pivot[k]] = swap;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) x[i] -= a[i * n + j] * x[j];
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) x[i] -= a[i * n + j] * x[j];
        x[i] /= a[i * n + i];
    }
}
