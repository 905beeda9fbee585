#include "scene/units.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

enum { MAX_EXPONENT = 9 };

typedef struct unit {
    const char *name;
    double factor;
    dimension dim;
} unit;

static const unit units[] = {
    {"m", 1, {1, 0, 0, 0}},          {"km", 1e3, {1, 0, 0, 0}},
    {"cm", 1e-2, {1, 0, 0, 0}},      {"mm", 1e-3, {1, 0, 0, 0}},
    {"um", 1e-6, {1, 0, 0, 0}},      {"nm", 1e-9, {1, 0, 0, 0}},
    {"in", 0.0254, {1, 0, 0, 0}},    {"ft", 0.3048, {1, 0, 0, 0}},
    {"kg", 1, {0, 1, 0, 0}},         {"g", 1e-3, {0, 1, 0, 0}},
    {"mg", 1e-6, {0, 1, 0, 0}},      {"ug", 1e-9, {0, 1, 0, 0}},
    {"t", 1e3, {0, 1, 0, 0}},        {"s", 1, {0, 0, 1, 0}},
    {"ms", 1e-3, {0, 0, 1, 0}},      {"us", 1e-6, {0, 0, 1, 0}},
    {"min", 60, {0, 0, 1, 0}},       {"h", 3600, {0, 0, 1, 0}},
    {"Hz", 1, {0, 0, -1, 0}},        {"kHz", 1e3, {0, 0, -1, 0}},
    {"N", 1, {1, 1, -2, 0}},         {"mN", 1e-3, {1, 1, -2, 0}},
    {"uN", 1e-6, {1, 1, -2, 0}},     {"kN", 1e3, {1, 1, -2, 0}},
    {"MN", 1e6, {1, 1, -2, 0}},      {"Pa", 1, {-1, 1, -2, 0}},
    {"kPa", 1e3, {-1, 1, -2, 0}},    {"MPa", 1e6, {-1, 1, -2, 0}},
    {"GPa", 1e9, {-1, 1, -2, 0}},    {"J", 1, {2, 1, -2, 0}},
    {"W", 1, {2, 1, -3, 0}},         {"mJ", 1e-3, {2, 1, -2, 0}},
    {"kJ", 1e3, {2, 1, -2, 0}},      {"rad", 1, {0, 0, 0, 1}},
    {"deg", PI / 180, {0, 0, 0, 1}}, {"turn", 2 * PI, {0, 0, 0, 1}},
    {"turns", 2 * PI, {0, 0, 0, 1}}, {"rpm", 2 * PI / 60, {0, 0, -1, 1}},
    {"%", 0.01, {0, 0, 0, 0}},       {"1", 1, {0, 0, 0, 0}}, /* as in 1/m */
};

/* The names of dimensions in messages. */
static const struct {
    const char *unit, *text;
} names[] = {
    {"", "a plain number"},
    {"m", "a length (m)"},
    {"kg", "a mass (kg)"},
    {"s", "a time (s)"},
    {"rad", "an angle (rad)"},
    {"Hz", "a frequency (Hz)"},
    {"N", "a force (N)"},
    {"Pa", "a pressure (Pa)"},
    {"J", "an energy or torque (J, N m)"},
    {"m/s", "a speed (m/s)"},
    {"m/s^2", "an acceleration (m/s^2)"},
    {"rad/s", "an angular speed (rad/s)"},
    {"kg/m^3", "a density (kg/m^3)"},
    {"kg/m", "a mass per length (kg/m)"},
    {"kg m", "a rotary inertia per length (kg m)"},
    {"N m^2", "a bending or twisting stiffness (N m^2)"},
    {"N s/m^2", "a linear drag (N s/m^2)"},
    {"N s^2/m^3", "a quadratic drag (N s^2/m^3)"},
    {"m^2/s", "a circulation (m^2/s)"},
    {"1/m", "a curvature (1/m)"},
    {"rad/m", "a twist (rad/m)"},
    {"m/N", "a compliance (m/N)"},
    {"rad/J", "a rotational compliance (rad/(N m))"},
    {"m^2", "an area (m^2)"},
    {"N/m", "a stiffness (N/m)"},
    {"N s/m", "a friction (N s/m)"},
    {"J s/rad", "a rotational friction (N m s)"},
    {"J s", "a rotational friction (N m s)"},
    {"J/rad", "a rotational stiffness (N m/rad)"},
    {"m/rad", "a length per angle (m/rad)"},
};

#define COUNT(list) ((int)(sizeof(list) / sizeof((list)[0])))

bool cord__same_dimension(dimension a, dimension b)
{
    return a.metre == b.metre && a.kilogram == b.kilogram && a.second == b.second &&
           a.radian == b.radian;
}

/* ---- numbers ------------------------------------------------------------------------------ */

static const char *skip_digits(const char *p)
{
    while (isdigit((unsigned char)*p)) p++;
    return p;
}

/* The end of a decimal number at p, p itself if there is none. Hexadecimal, "inf" and "nan", which strtod accepts,
 * are not accepted. */
static const char *number_end(const char *p)
{
    const char *start = p;
    if (*p == '+' || *p == '-') p++;
    const char *whole = skip_digits(p);
    const char *part = *whole == '.' ? skip_digits(whole + 1) : whole;
    bool digits = whole > p || part > whole + 1;
    if (!digits) return start;
    if (*part == 'e' || *part == 'E') {
        const char *e = part + 1;
        if (*e == '+' || *e == '-') e++;
        if (isdigit((unsigned char)*e)) part = skip_digits(e);
    }
    return part;
}

/* strtod uses the decimal point of the locale of the process; scenes always use a dot. */
static double parse_decimal(const char *start, const char *end)
{
    char text[128];
    const char *point = localeconv()->decimal_point;
    size_t used = 0;
    for (const char *p = start; p < end && used + 8 < sizeof text; p++) {
        if (*p == '.') {
            for (const char *q = point; *q && used + 8 < sizeof text; q++) text[used++] = *q;
        } else {
            text[used++] = *p;
        }
    }
    text[used] = 0;
    return strtod(text, NULL);
}

/* ---- units -------------------------------------------------------------------------------- */

static const unit *find_unit(const char *name, size_t length)
{
    for (int i = 0; i < COUNT(units); i++) {
        if (strlen(units[i].name) == length && memcmp(units[i].name, name, length) == 0) {
            return &units[i];
        }
    }
    return NULL;
}

static bool is_name_char(char c)
{
    return isalpha((unsigned char)c) || c == '%';
}

static size_t name_length(const char *p)
{
    if (*p == '1') return 1;
    size_t n = 0;
    while (is_name_char(p[n])) n++;
    return n;
}

/* "^2", "2", "^-1", "²", "³" after a unit; 1 when there is none. */
static int parse_exponent(const char **text)
{
    const char *p = *text;
    if (strncmp(p, "\xc2\xb2", 2) == 0 || strncmp(p, "\xc2\xb3", 2) == 0) {
        *text = p + 2;
        return (unsigned char)p[1] == 0xb2 ? 2 : 3;
    }
    int sign = 1;
    if (*p == '^') p++;
    if (p > *text && *p == '-') sign = -1, p++;
    if (!isdigit((unsigned char)*p)) return 1;
    int value = *p - '0';
    *text = p + 1;
    return sign * value;
}

static void multiply(quantity *q, const unit *u, int power)
{
    q->value *= pow(u->factor, power);
    q->dim.metre = (signed char)(q->dim.metre + power * u->dim.metre);
    q->dim.kilogram = (signed char)(q->dim.kilogram + power * u->dim.kilogram);
    q->dim.second = (signed char)(q->dim.second + power * u->dim.second);
    q->dim.radian = (signed char)(q->dim.radian + power * u->dim.radian);
    q->has_unit = true;
}

static const char *skip_spaces(const char *p)
{
    while (*p == ' ' || *p == '\t') p++;
    return p;
}

/* The operator between two units: none or a product, or a quotient. */
static int parse_operator(const char **text)
{
    const char *p = skip_spaces(*text);
    int power = 1;
    if (*p == '/') {
        power = -1;
        p++;
    } else if (*p == '*') {
        p++;
    } else if (strncmp(p, "\xc2\xb7", 2) == 0) { /* · */
        p += 2;
    }
    *text = skip_spaces(p);
    return power;
}

bool cord__dimension_in_range(dimension d)
{
    return abs(d.metre) <= MAX_EXPONENT && abs(d.kilogram) <= MAX_EXPONENT &&
           abs(d.second) <= MAX_EXPONENT && abs(d.radian) <= MAX_EXPONENT;
}

/* Whether the word at p is a unit, or a misspelt one: functions and pi are not. */
static bool is_unit_word(const char *p, size_t length)
{
    const char *after = skip_spaces(p + length);
    return is_name_char(*p) && *after != '(' && !(length == 2 && strncmp(p, "pi", 2) == 0);
}

/* "3 1/m": the 1 is part of the quotient of units. */
static bool is_unit_one(const char *p)
{
    if (*p != '1') return false;
    p = skip_spaces(p + 1);
    return *p == '/' && is_name_char(*skip_spaces(p + 1));
}

bool cord__parse_units(const char **text, quantity *q, char *error, size_t size)
{
    for (bool first = true;; first = false) {
        const char *p = *text;
        int power = parse_operator(&p);
        bool plain = skip_spaces(*text) == p;
        size_t length = name_length(p);
        if (!is_unit_word(p, length) && !(first && plain && is_unit_one(p))) return true;
        const unit *u = find_unit(p, length);
        if (!u) {
            snprintf(error, size, "\"%.*s\" is not a unit", (int)(length < 40 ? length : 40), p);
            return false;
        }
        p += length;
        if (*u->name == '%') q->percent = true;
        multiply(q, u, power * parse_exponent(&p));
        if (!cord__dimension_in_range(q->dim)) {
            snprintf(error, size, "the unit has too high a power");
            return false;
        }
        *text = p;
    }
}

bool cord__parse_number(const char **text, double *value)
{
    const char *end = number_end(*text);
    if (end == *text || end - *text > 64) return false;
    *value = parse_decimal(*text, end);
    *text = end;
    return true;
}

bool cord__parse_quantity(const char *text, quantity *q, char *error, size_t error_size)
{
    memset(q, 0, sizeof *q);
    const char *p = skip_spaces(text);
    if (!cord__parse_number(&p, &q->value)) {
        snprintf(error, error_size, "\"%.40s\" is not a number", text);
        return false;
    }
    if (!cord__parse_units(&p, q, error, error_size)) return false;
    p = skip_spaces(p);
    if (*p) {
        snprintf(error, error_size, "\"%.20s\" is not a unit", p);
        return false;
    }
    if (!isfinite(q->value)) {
        snprintf(error, error_size, "\"%.40s\" is too large a number", text);
        return false;
    }
    return true;
}

dimension cord__unit_dimension(const char *text)
{
    quantity q = {.value = 1};
    char ignored[64];
    cord__parse_units(&text, &q, ignored, sizeof ignored);
    return q.dim;
}

static int append_power(char *buffer, size_t size, int used, const char *name, int power)
{
    if (power == 0 || used < 0 || (size_t)used >= size) return used;
    const char *gap = used ? " " : "";
    int more = power == 1
                   ? snprintf(buffer + used, size - (size_t)used, "%s%s", gap, name)
                   : snprintf(buffer + used, size - (size_t)used, "%s%s^%d", gap, name, power);
    return used + more;
}

const char *cord__dimension_text(dimension d, char *buffer, size_t size)
{
    for (int i = 0; i < COUNT(names); i++) {
        if (cord__same_dimension(d, cord__unit_dimension(names[i].unit))) return names[i].text;
    }
    int used = snprintf(buffer, size, "something in");
    used = append_power(buffer, size, used, "kg", d.kilogram);
    used = append_power(buffer, size, used, "m", d.metre);
    used = append_power(buffer, size, used, "s", d.second);
    append_power(buffer, size, used, "rad", d.radian);
    return buffer;
}
