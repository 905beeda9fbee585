/* Gauss's quadrature rule, and integrals from the start of a panel to any point in it. */
#include "strand/chain/chain.h"

#include <math.h>

/* Newton on Legendre's polynomial, from Tricomi's guess. */
static void legendre(gauss_rule *rule, int n)
{
    rule->n = n;
    for (int i = 0; i < (n + 1) / 2; i++) {
        double x = cos(3.14159265358979323846 * (i + 0.75) / (n + 0.5)), derivative = 1;
        for (int pass = 0; pass < 100; pass++) {
            double p = 1, before = 0;
            for (int k = 1; k <= n; k++) {
                double next = ((2 * k - 1) * x * p - (k - 1) * before) / k;
                before = p, p = next;
            }
            derivative = n * (x * p - before) / (x * x - 1);
            double step = p / derivative;
            x -= step;
            if (fabs(step) < 1e-16) break;
        }
        if (2 * i + 1 == n) x = 0;
        rule->x[i] = -x, rule->x[n - 1 - i] = x;
        rule->w[i] = rule->w[n - 1 - i] = 2 / ((1 - x * x) * derivative * derivative);
    }
}

double cord__gauss_cardinal(const gauss_rule *rule, int j, double x)
{
    double value = 1;
    for (int k = 0; k < rule->n; k++)
        if (k != j) value *= (x - rule->x[k]) / (rule->x[j] - rule->x[k]);
    return value;
}

void cord__gauss_cardinals(const gauss_rule *rule, double x, double *value)
{
    const int n = rule->n;
    double below = 1, above = 1;
    for (int j = 0; j < n; j++) {
        value[j] = rule->scale[j] * below;
        below *= x - rule->x[j];
    }
    for (int j = n - 1; j >= 0; j--) {
        value[j] *= above;
        above *= x - rule->x[j];
    }
}

static void set_scales(gauss_rule *rule)
{
    for (int j = 0; j < rule->n; j++) {
        double product = 1;
        for (int k = 0; k < rule->n; k++)
            if (k != j) product *= rule->x[j] - rule->x[k];
        rule->scale[j] = 1 / product;
    }
}

/* ∫ from −1 to x of the cardinal functions. */
static void gauss_partial(const gauss_rule *rule, double x, double *weight)
{
    double half = 0.5 * (x + 1); /* the rule is exact for the cardinal functions on any part */
    for (int j = 0; j < rule->n; j++) {
        weight[j] = 0;
        for (int k = 0; k < rule->n; k++)
            weight[j] +=
                half * rule->w[k] * cord__gauss_cardinal(rule, j, half * (rule->x[k] + 1) - 1);
    }
}

void cord__gauss_rule(gauss_rule *rule, int n)
{
    double sum[RULE_MOST][RULE_MOST]; /* ∫ from −1 to x_i of the cardinal function of node j */
    *rule = (gauss_rule){0};          /* lanes beyond the last node have no weight */
    legendre(rule, n);
    set_scales(rule);
    for (int i = 0; i < n; i++) rule->inverse_w[i] = 1 / rule->w[i];
    for (int i = 0; i < n; i++) gauss_partial(rule, rule->x[i], sum[i]);
    for (int i = 0; 2 * i < n; i++)
        for (int j = 0; 2 * j < n; j++) {
            double a = sum[i][j] - 0.5 * rule->w[j];
            double b = sum[i][n - 1 - j] - 0.5 * rule->w[j];
            bool middle = 2 * j + 1 == n;
            rule->even[i][j] = middle ? a : 0.5 * (a + b);
            rule->odd[i][j] = 0.5 * (a - b);
        }
}
