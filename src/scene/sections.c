#include "scene/sections.h"

#include "scene/scene_data.h"

#include <stddef.h>

/* ---- circle ------------------------------------------------------------------------------- */

typedef struct round_section {
    const node *at;
    double radius, inner;
} round_section;

static void fill_circle(const void *data, cord_section *section)
{
    const round_section *s = data;
    section->kind = CORD_SECTION_CIRCLE;
    section->radius = s->radius;
}

#define RADIUS_FIELD                                                                               \
    {                                                                                              \
        "radius", FIELD_NUMBER, offsetof(round_section, radius), true, NULL, "m", LIMIT_POSITIVE,  \
            NULL, "the outer radius"                                                               \
    }

static const field circle_fields[] = {RADIUS_FIELD};
static const section_ops circle_ops = {{"circle", "a full circle", sizeof(round_section),
                                        circle_fields, FIELD_COUNT(circle_fields), NULL},
                                       true,
                                       fill_circle};

/* ---- tube --------------------------------------------------------------------------------- */

static bool finish_tube(reader *r, void *item)
{
    const round_section *s = item;
    if (s->inner < s->radius) return true;
    cord__diagnose(r->errors, s->at->at, "tube: inner must be smaller than radius");
    return false;
}

static void fill_tube(const void *data, cord_section *section)
{
    const round_section *s = data;
    section->kind = CORD_SECTION_TUBE;
    section->radius = s->radius;
    section->inner_radius = s->inner;
}

static const field tube_fields[] = {
    RADIUS_FIELD,
    {"inner", FIELD_NUMBER, offsetof(round_section, inner), true, NULL, "m", LIMIT_POSITIVE, NULL,
     "the radius of the hole"},
};
static const section_ops tube_ops = {{"tube", "a circle with a round hole", sizeof(round_section),
                                      tube_fields, FIELD_COUNT(tube_fields), finish_tube},
                                     true,
                                     fill_tube};

/* ---- ellipse, rectangle ------------------------------------------------------------------- */

typedef struct flat_section {
    const node *at;
    double width, height;
} flat_section;

static void fill_flat(const flat_section *s, cord_section_kind kind, cord_section *section)
{
    section->kind = kind;
    section->size[0] = s->width;
    section->size[1] = s->height;
}

static void fill_ellipse(const void *data, cord_section *section)
{
    fill_flat(data, CORD_SECTION_ELLIPSE, section);
}

static void fill_rectangle(const void *data, cord_section *section)
{
    fill_flat(data, CORD_SECTION_RECTANGLE, section);
}

static const field flat_fields[] = {
    {"width", FIELD_NUMBER, offsetof(flat_section, width), true, NULL, "m", LIMIT_POSITIVE, NULL,
     "the full size along the first director"},
    {"height", FIELD_NUMBER, offsetof(flat_section, height), true, NULL, "m", LIMIT_POSITIVE, NULL,
     "the full size along the second director"},
};
static const section_ops ellipse_ops = {{"ellipse", "a full ellipse", sizeof(flat_section),
                                         flat_fields, FIELD_COUNT(flat_fields), NULL},
                                        true,
                                        fill_ellipse};
static const section_ops rectangle_ops = {{"rectangle", "a full rectangle", sizeof(flat_section),
                                           flat_fields, FIELD_COUNT(flat_fields), NULL},
                                          true,
                                          fill_rectangle};

/* ---- explicit ----------------------------------------------------------------------------- */

typedef struct explicit_section {
    const node *at;
    double mass, stretching, twisting, rotary_inertia, radius;
    number_list bending;
} explicit_section;

static void fill_explicit(const void *data, cord_section *section)
{
    const explicit_section *s = data;
    section->kind = CORD_SECTION_EXPLICIT;
    section->mass = s->mass;
    section->stretching = s->stretching;
    section->bending[0] = s->bending.values[0];
    section->bending[1] = s->bending.values[s->bending.count - 1];
    section->twisting = s->twisting;
    section->rotary_inertia = s->rotary_inertia;
    section->radius = s->radius;
}

static const count_range one_or_two = {1, 2};

static const field explicit_fields[] = {
    {"mass", FIELD_NUMBER, offsetof(explicit_section, mass), true, NULL, "kg/m", LIMIT_POSITIVE,
     NULL, "mass per length"},
    {"bending", FIELD_NUMBERS, offsetof(explicit_section, bending), true, NULL, "N m^2",
     LIMIT_POSITIVE, &one_or_two,
     "bending stiffness: one, or two: about the first and the second director"},
    {"twisting", FIELD_NUMBER, offsetof(explicit_section, twisting), true, NULL, "N m^2",
     LIMIT_POSITIVE, NULL, "twisting stiffness"},
    {"stretching", FIELD_NUMBER, offsetof(explicit_section, stretching), false, "0", "N",
     LIMIT_NOT_NEGATIVE, NULL, "stretching stiffness; needed with stretch: elastic"},
    {"rotary_inertia", FIELD_NUMBER, offsetof(explicit_section, rotary_inertia), false, "0", "kg m",
     LIMIT_NOT_NEGATIVE, NULL, "rotary inertia per length; needed with twist: dynamic"},
    {"radius", FIELD_NUMBER, offsetof(explicit_section, radius), false, "0.01 m", "m",
     LIMIT_POSITIVE, NULL, "for drawing only"},
};
static const section_ops explicit_ops = {{"explicit", "stiffness and mass given outright",
                                          sizeof(explicit_section), explicit_fields,
                                          FIELD_COUNT(explicit_fields), NULL},
                                         false,
                                         fill_explicit};

/* ---- the list ----------------------------------------------------------------------------- */

static const mapping *const *section_list(void)
{
    static const mapping *const list[] = {
        &circle_ops.map, &ellipse_ops.map,  &rectangle_ops.map,
        &tube_ops.map,   &explicit_ops.map, NULL,
    };
    return list;
}

const variant_set cord__sections = {"section", section_list};
