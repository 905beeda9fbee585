#include "scene/expression.h"

#include "math/nearest.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

typedef struct parser {
    scope *names;
    const char *whole, *p;
    int depth;
    char *error;
    size_t error_size;
} parser;

static const dimension plain = {0, 0, 0, 0}, angle = {0, 0, 0, 1};

static bool sum(parser *x, quantity *q);
static bool evaluate(scope *names, const char *text, int depth, quantity *q, char *error,
                     size_t size);

size_t cord__identifier_length(const char *p)
{
    size_t n = 0;
    if (isdigit((unsigned char)*p)) return 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '_') n++;
    return n;
}

static void skip_spaces(parser *x)
{
    while (*x->p == ' ' || *x->p == '\t' || *x->p == '\n') x->p++;
}

static bool take(parser *x, char c)
{
    skip_spaces(x);
    if (*x->p != c) return false;
    x->p++;
    return true;
}

static bool not_a_number(parser *x)
{
    if (skip_spaces(x), x->p == x->whole || !*x->p) {
        snprintf(x->error, x->error_size, "\"%.40s\" is not a number", x->whole);
    } else {
        snprintf(x->error, x->error_size, "\"%.20s\" is not a number, in \"%.40s\"", x->p,
                 x->whole);
    }
    return false;
}

static const char *dimension_text(const quantity *q, char *buffer, size_t size)
{
    return cord__dimension_text(q->dim, buffer, size);
}

/* ---- variables ---------------------------------------------------------------------------- */

static bool work_out(parser *x, variable *v)
{
    if (v->state == VARIABLE_BUSY) {
        snprintf(x->error, x->error_size, "$%.40s is defined by itself", v->name);
        x->names->circular = true;
        return false;
    }
    if (v->state == VARIABLE_WRITTEN) {
        v->state = VARIABLE_BUSY;
        bool good =
            evaluate(x->names, v->at->text, x->depth + 1, &v->value, x->error, x->error_size);
        v->state = good ? VARIABLE_KNOWN : VARIABLE_WRONG;
    } else if (v->state == VARIABLE_WRONG) {
        x->names->circular = false;
    }
    if (v->state == VARIABLE_KNOWN) return true;
    if (!x->names->circular) *x->error = 0; /* it is diagnosed where the variable is defined */
    return false;
}

static bool variable_value(parser *x, quantity *q)
{
    size_t length = cord__identifier_length(x->p);
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), x->p);
    nearest best = cord__nearest_begin(word);
    for (int i = 0; x->names && i < x->names->count; i++) {
        variable *v = &x->names->list[i];
        cord__nearest_offer(&best, v->name);
        if (strlen(v->name) != length || memcmp(v->name, x->p, length) != 0) continue;
        v->used = true;
        x->p += length;
        if (!work_out(x, v)) return false;
        *q = v->value;
        return true;
    }
    char hint[96];
    if (x->names && x->names->incomplete) {
        *x->error = 0;
        return false;
    }
    snprintf(x->error, x->error_size, "there is no variable $%.40s%s", word,
             cord__nearest_hint(&best, hint, sizeof hint));
    return false;
}

/* ---- functions ---------------------------------------------------------------------------- */

static bool square_root(quantity *q)
{
    dimension *d = &q->dim;
    if (q->value < 0 || d->metre % 2 || d->kilogram % 2 || d->second % 2 || d->radian % 2) {
        return false;
    }
    *d = (dimension){(signed char)(d->metre / 2), (signed char)(d->kilogram / 2),
                     (signed char)(d->second / 2), (signed char)(d->radian / 2)};
    q->value = sqrt(q->value);
    return true;
}

static bool of_angle(quantity *q, double (*f)(double))
{
    if (!cord__same_dimension(q->dim, plain) && !cord__same_dimension(q->dim, angle)) return false;
    *q = (quantity){.value = f(q->value)};
    return true;
}

static bool sine(quantity *q)
{
    return of_angle(q, sin);
}

static bool cosine(quantity *q)
{
    return of_angle(q, cos);
}

static bool tangent(quantity *q)
{
    return of_angle(q, tan);
}

static bool exponential(quantity *q)
{
    return cord__same_dimension(q->dim, plain) && of_angle(q, exp);
}

static bool logarithm(quantity *q)
{
    return cord__same_dimension(q->dim, plain) && q->value > 0 && of_angle(q, log);
}

static bool absolute(quantity *q)
{
    q->value = fabs(q->value);
    return true;
}

static const struct {
    const char *name;
    bool (*apply)(quantity *q); /* false: the argument has no such value */
} functions[] = {{"sqrt", square_root}, {"sin", sine},      {"cos", cosine},  {"tan", tangent},
                 {"exp", exponential},  {"log", logarithm}, {"abs", absolute}};

static bool closed_sum(parser *x, quantity *q)
{
    if (!sum(x, q)) return false;
    if (take(x, ')')) return true;
    snprintf(x->error, x->error_size, "a closing bracket is missing in \"%.40s\"", x->whole);
    return false;
}

static bool function_value(parser *x, quantity *q)
{
    size_t length = cord__identifier_length(x->p);
    if (length == 2 && strncmp(x->p, "pi", 2) == 0) {
        x->p += 2;
        *q = (quantity){.value = PI};
        return true;
    }
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        const char *name = functions[i].name;
        if (strlen(name) != length || strncmp(name, x->p, length) != 0) continue;
        x->p += length;
        if (!take(x, '(')) break;
        if (!closed_sum(x, q)) return false;
        char buffer[96];
        snprintf(buffer, sizeof buffer, "%g", q->value);
        if (functions[i].apply(q)) return true;
        char dim[96];
        snprintf(x->error, x->error_size, "%s() cannot be taken of %s, %s", name, buffer,
                 dimension_text(q, dim, sizeof dim));
        return false;
    }
    return not_a_number(x);
}

/* ---- operators ---------------------------------------------------------------------------- */

static bool value(parser *x, quantity *q)
{
    *q = (quantity){0};
    skip_spaces(x);
    bool digits = isdigit((unsigned char)*x->p) || *x->p == '.', good;
    if (digits) {
        good = cord__parse_number(&x->p, &q->value) || not_a_number(x);
    } else if (*x->p == '$') {
        x->p++;
        good = variable_value(x, q);
    } else if (take(x, '(')) {
        good = closed_sum(x, q);
    } else {
        good = function_value(x, q);
    }
    const char *before = x->p;
    if (!good || !cord__parse_units(&x->p, q, x->error, x->error_size)) return false;
    if (x->p > before && *x->p == '^') {
        snprintf(x->error, x->error_size, "write (2 cm)^$n for a power of the whole, in \"%.40s\"",
                 x->whole);
        return false;
    }
    return true;
}

static bool in_range(parser *x, const quantity *q)
{
    if (isnan(q->value)) {
        snprintf(x->error, x->error_size, "\"%.40s\" has no real value", x->whole);
        return false;
    }
    if (!isfinite(q->value)) {
        snprintf(x->error, x->error_size, "\"%.40s\" is too large a number", x->whole);
        return false;
    }
    if (cord__dimension_in_range(q->dim)) return true;
    snprintf(x->error, x->error_size, "the unit has too high a power");
    return false;
}

static bool raise(parser *x, quantity *q, const quantity *to)
{
    bool dimensionless = cord__same_dimension(q->dim, plain);
    bool whole = to->value == floor(to->value) && fabs(to->value) <= 9;
    if (!cord__same_dimension(to->dim, plain) || (!dimensionless && !whole)) {
        snprintf(x->error, x->error_size, "the power in \"%.40s\" must be a %s number", x->whole,
                 dimensionless ? "plain" : "small whole");
        return false;
    }
    if (!dimensionless) {
        int n = (int)to->value;
        q->dim = (dimension){(signed char)(n * q->dim.metre), (signed char)(n * q->dim.kilogram),
                             (signed char)(n * q->dim.second), (signed char)(n * q->dim.radian)};
    }
    q->value = pow(q->value, to->value);
    return in_range(x, q);
}

static bool power(parser *x, quantity *q)
{
    if (++x->depth > EXPRESSION_MAX_DEPTH) {
        snprintf(x->error, x->error_size, "\"%.40s\" is nested too deeply", x->whole);
        return false;
    }
    bool minus = take(x, '-');
    if (!minus) take(x, '+');
    if (!value(x, q)) return false;
    quantity to;
    if (take(x, '^') && (!power(x, &to) || !raise(x, q, &to))) return false;
    if (minus) q->value = -q->value;
    x->depth--;
    return true;
}

static bool times(parser *x, quantity *q, const quantity *by, int sign)
{
    if (sign < 0 && by->value == 0) {
        snprintf(x->error, x->error_size, "\"%.40s\" divides by zero", x->whole);
        return false;
    }
    q->value = sign > 0 ? q->value * by->value : q->value / by->value;
    q->dim = (dimension){(signed char)(q->dim.metre + sign * by->dim.metre),
                         (signed char)(q->dim.kilogram + sign * by->dim.kilogram),
                         (signed char)(q->dim.second + sign * by->dim.second),
                         (signed char)(q->dim.radian + sign * by->dim.radian)};
    q->has_unit = q->has_unit || by->has_unit;
    q->percent = q->percent || by->percent;
    return in_range(x, q);
}

static bool product(parser *x, quantity *q)
{
    if (!power(x, q)) return false;
    for (;;) {
        int sign = take(x, '*') ? 1 : take(x, '/') ? -1 : 0;
        quantity by;
        if (sign == 0) return true;
        if (!power(x, &by) || !times(x, q, &by, sign)) return false;
    }
}

static bool plus(parser *x, quantity *q, const quantity *more, int sign)
{
    char first[96], second[96];
    if (!cord__same_dimension(q->dim, more->dim)) {
        snprintf(x->error, x->error_size, "\"%.40s\" adds %s and %s", x->whole,
                 dimension_text(q, first, sizeof first),
                 dimension_text(more, second, sizeof second));
        return false;
    }
    q->value += sign * more->value;
    q->has_unit = q->has_unit || more->has_unit;
    q->percent = q->percent || more->percent;
    return in_range(x, q);
}

static bool sum(parser *x, quantity *q)
{
    if (!product(x, q)) return false;
    for (;;) {
        int sign = take(x, '+') ? 1 : take(x, '-') ? -1 : 0;
        quantity more;
        if (sign == 0) return true;
        if (!product(x, &more) || !plus(x, q, &more, sign)) return false;
    }
}

static bool evaluate(scope *names, const char *text, int depth, quantity *q, char *error,
                     size_t size)
{
    parser x = {names, text, text, depth, error, size};
    if (strlen(text) > EXPRESSION_MAX_LENGTH) {
        snprintf(error, size, "it is longer than %d characters", EXPRESSION_MAX_LENGTH);
        return false;
    }
    if (!sum(&x, q) || !in_range(&x, q)) return false;
    skip_spaces(&x);
    if (!*x.p) return true;
    snprintf(error, size, "\"%.20s\" is not a unit", x.p);
    return false;
}

bool cord__evaluate(scope *names, const char *text, quantity *q, char *error, size_t error_size)
{
    return evaluate(names, text, 0, q, error, error_size);
}
