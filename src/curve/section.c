#include "curve/section.h"
#include "math/vec3.h"

#include "math/range.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* A quantity and its admissible interval: low end excluded if `open`, high end included. */
typedef struct bound {
    const char *name;
    double value, low, high;
    bool open;
    const char *allowed;
} bound;

typedef struct message {
    char *text;
    size_t size;
} message;

static bool within(const bound *b)
{
    if (!is_admissible(b->value) || b->value > b->high) return false;
    return b->open ? b->value > b->low : b->value >= b->low;
}

/* Writes a message for the first bound that is violated. */
static bool check(const bound *bounds, int count, message why)
{
    for (int i = 0; i < count; i++) {
        const bound *b = &bounds[i];
        if (within(b)) continue;
        bool large = isfinite(b->value) && b->value > LARGEST_VALUE;
        if (why.size)
            snprintf(why.text, why.size, "%s is %g; it must be %s", b->name, b->value,
                     large ? "at most 1e50" : b->allowed);
        return false;
    }
    return true;
}

static bound positive(const char *name, double value)
{
    return (bound){name, value, 0, LARGEST_VALUE, true, "finite and > 0"};
}

static bound not_negative(const char *name, double value)
{
    return (bound){name, value, 0, LARGEST_VALUE, false, "finite and >= 0"};
}

static bool check_material(const cord_material *m, message why)
{
    bound bounds[] = {
        positive("density", m->density),
        positive("young", m->young),
        {"poisson", m->poisson, -1, 0.5, true, "> -1 and <= 0.5"},
    };
    return check(bounds, 3, why);
}

static bool check_shape(const cord_section *s, message why)
{
    bound radius[] = {positive("section radius", s->radius),
                      not_negative("section inner_radius", s->inner_radius)};
    bound sizes[] = {positive("section size[0]", s->size[0]),
                     positive("section size[1]", s->size[1])};
    switch (s->kind) {
    case CORD_SECTION_CIRCLE: return check(radius, 1, why);
    case CORD_SECTION_TUBE:
        if (!check(radius, 2, why)) return false;
        if (s->inner_radius < s->radius) return true;
        if (why.size)
            snprintf(why.text, why.size,
                     "section inner_radius is %g; it must be less "
                     "than radius, %g",
                     s->inner_radius, s->radius);
        return false;
    case CORD_SECTION_ELLIPSE:
    case CORD_SECTION_RECTANGLE: return check(sizes, 2, why);
    case CORD_SECTION_EXPLICIT:
        radius[0] = not_negative("section radius", s->radius);
        return check(radius, 1, why);
    }
    if (why.size)
        snprintf(why.text, why.size,
                 "section kind is %d; it must be one of "
                 "cord_section_kind",
                 (int)s->kind);
    return false;
}

/* Geometry of the shape: area, second moments of area I_k = ∫ y² dA with y normal to the k-th
 * director, and Saint-Venant's torsion constant J. */
typedef struct moments {
    double area, second[2], torsion;
} moments;

static moments annulus(double outer, double inner)
{
    double ro2 = outer * outer, ri2 = inner * inner;
    double area = pi * (outer - inner) * (outer + inner), second = area * (ro2 + ri2) / 4;
    return (moments){area, {second, second}, 2 * second};
}

/* Semi-axes a, b: J = π a³ b³/(a² + b²)   [Timoshenko and Goodier, Theory of Elasticity, sec. 105] */
static moments ellipse(double a, double b)
{
    double area = pi * a * b;
    return (moments){
        area, {area * b * b / 4, area * a * a / 4}, area * (a * b) * (a * b) / (a * a + b * b)};
}

/* Saint-Venant torsion of a rectangle with sides a >= b [Timoshenko and Goodier, sec. 109]:
 *     J = a b³ [1/3 − (64/π⁵)(b/a) Σ_{n odd} tanh(nπa/2b)/n⁵]
 * With tanh z = 1 − 2/(e^{2z} + 1) and Σ_{n odd} n⁻⁵ = 31 ζ(5)/32, the remaining terms decrease
 * like e^{−nπ a/b}: four of them are exact to round-off even for the square. */
static double rectangle_torsion(double a, double b)
{
    const double zeta5 = 1.03692775514336992633;
    double sum = 31 * zeta5 / 32, ratio = b / a;
    for (int n = 1; n <= 7; n += 2) sum -= 2 / ((exp(n * pi / ratio) + 1) * pow(n, 5));
    return a * b * b * b * (1.0 / 3 - 64 / pow(pi, 5) * ratio * sum);
}

static moments rectangle(double a, double b)
{
    double area = a * b, torsion = a > b ? rectangle_torsion(a, b) : rectangle_torsion(b, a);
    return (moments){area, {area * b * b / 12, area * a * a / 12}, torsion};
}

static moments moments_of(const cord_section *s)
{
    switch (s->kind) {
    case CORD_SECTION_TUBE: return annulus(s->radius, s->inner_radius);
    case CORD_SECTION_ELLIPSE: return ellipse(s->size[0] / 2, s->size[1] / 2);
    case CORD_SECTION_RECTANGLE: return rectangle(s->size[0], s->size[1]);
    default: return annulus(s->radius, 0);
    }
}

static section_stiffness from_material(const cord_material *m, const cord_section *s)
{
    bool sized = s->kind == CORD_SECTION_ELLIPSE || s->kind == CORD_SECTION_RECTANGLE;
    moments i = moments_of(s);
    double shear = m->young / (2 * (1 + m->poisson));
    return (section_stiffness){
        .mass = m->density * i.area,
        .stretching = m->young * i.area,
        .bending = {m->young * i.second[0], m->young * i.second[1]},
        .twisting = shear * i.torsion,
        .rotary_inertia = m->density * (i.second[0] + i.second[1]),
        .half = {sized ? s->size[0] / 2 : s->radius, sized ? s->size[1] / 2 : s->radius},
    };
}

static section_stiffness from_explicit_values(const cord_section *s)
{
    return (section_stiffness){
        .mass = s->mass,
        .stretching = s->stretching,
        .bending = {s->bending[0], s->bending[1]},
        .twisting = s->twisting,
        .rotary_inertia = s->rotary_inertia,
        .half = {s->radius, s->radius},
    };
}

/* Checks explicit values of the user, and derived values that over- or underflow for extreme sizes. */
static bool check_stiffness(const section_stiffness *s, message why)
{
    bound bounds[] = {
        positive("section mass", s->mass),
        not_negative("section stretching", s->stretching),
        positive("section bending[0]", s->bending[0]),
        positive("section bending[1]", s->bending[1]),
        positive("section twisting", s->twisting),
        not_negative("section rotary_inertia", s->rotary_inertia),
    };
    return check(bounds, 6, why);
}

cord_status cord__section(const cord_material *material, const cord_section *section,
                          section_stiffness *out, char *why, size_t why_size)
{
    message message_buffer = {why, why_size};
    bool is_explicit = section->kind == CORD_SECTION_EXPLICIT;
    memset(out, 0, sizeof *out);
    if (why_size) why[0] = 0;
    if (!check_shape(section, message_buffer)) return CORD_ERROR_ARGUMENT;
    if (!is_explicit && !check_material(material, message_buffer)) return CORD_ERROR_ARGUMENT;
    section_stiffness stiffness =
        is_explicit ? from_explicit_values(section) : from_material(material, section);
    if (!check_stiffness(&stiffness, message_buffer)) return CORD_ERROR_ARGUMENT;
    *out = stiffness;
    return CORD_OK;
}

double cord__contact_radius(const section_stiffness *section)
{
    return sqrt(section->half[0] * section->half[1]);
}
