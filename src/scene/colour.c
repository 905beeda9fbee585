#include "scene/colour.h"
#include "math/nearest.h"

#include <cordage/scene.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define COLOURS                                                                                    \
    COLOUR(orange, 0xe0762f)                                                                       \
    COLOUR(blue, 0x2f7fb8)                                                                         \
    COLOUR(green, 0x4a9c5d)                                                                        \
    COLOUR(red, 0xc0392b)                                                                          \
    COLOUR(purple, 0x8a6bb5)                                                                       \
    COLOUR(yellow, 0xc9a227)                                                                       \
    COLOUR(teal, 0x3aa6a0)                                                                         \
    COLOUR(brown, 0x7a5236)                                                                        \
    COLOUR(pink, 0xd0708c)                                                                         \
    COLOUR(cream, 0xe3d3a8)                                                                        \
    COLOUR(white, 0xececec)                                                                        \
    COLOUR(grey, 0x8d949b)                                                                         \
    COLOUR(black, 0x2b2d30)

#define COLOUR(name, rgb) #name,
static const char *const names[] = {COLOURS NULL};
#undef COLOUR
#define COLOUR(name, rgb) rgb,
static const int values[] = {COLOURS};
#undef COLOUR

static bool hexadecimal(const char *text)
{
    if (*text != '#' || strlen(text) != 7) return false;
    for (int i = 1; i < 7; i++)
        if (!isxdigit((unsigned char)text[i])) return false;
    return true;
}

static bool read_colour(reader *r, const field *f, const node *n, void *target)
{
    colour_value *c = target;
    c->given = true;
    bool word = n->kind == NODE_SCALAR;
    for (int i = 0; word && names[i]; i++)
        if (strcmp(n->text, names[i]) == 0) return c->rgb = values[i], true;
    if (word && hexadecimal(n->text)) return c->rgb = (int)strtol(n->text + 1, NULL, 16), true;
    const char *near = word ? cord__nearest_name(n->text, names) : NULL;
    cord__diagnose(r->errors, n->at, "%s: expected a colour, as in green or \"#4a9c5d\"%s%s%s",
                   f->key, near ? " (did you mean " : "", near ? near : "", near ? "?)" : "");
    return false;
}

#define COLOUR(name, rgb) #name "|"
const special cord__colour_special = {
    "orange, blue, green, red, purple, yellow, teal, brown, pink, cream, white, grey, black or "
    "\"#rrggbb\"",
    "{\"type\": \"string\", \"pattern\": \"^(" COLOURS "#[0-9a-fA-F]{6})$\"}", read_colour, NULL};
#undef COLOUR
