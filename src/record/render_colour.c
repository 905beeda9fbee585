/* Colours: of strands, and of scales. */
#include "record/render.h"

#include <math.h>
#include <string.h>

const char *const *cord_colour_names(void)
{
#define SCALAR_NAME(id, name, unit, from, has_sign) name,
    static const char *const names[] = {"strand", SCALAR_LIST(SCALAR_NAME) NULL};
#undef SCALAR_NAME
    return names;
}

float cord__to_linear(float c)
{
    return c <= 0.04045F ? c / 12.92F : powf((c + 0.055F) / 1.055F, 2.4F);
}

float cord__to_srgb(float c)
{
    if (!(c > 0)) return 0;
    if (c >= 1) return 1;
    return c <= 0.0031308F ? 12.92F * c : 1.055F * powf(c, 1 / 2.4F) - 0.055F;
}

void cord__from_rgb(int rgb, float linear[3])
{
    for (int k = 0; k < 3; k++) {
        linear[k] = cord__to_linear((float)(rgb >> (16 - 8 * k) & 255) / 255);
    }
}

int cord__to_rgb(const float linear[3])
{
    int rgb = 0;
    for (int k = 0; k < 3; k++) rgb = rgb << 8 | (int)(255 * cord__to_srgb(linear[k]) + 0.5F);
    return rgb;
}

void cord__lift(float linear[3], float luminance)
{
    float missing = luminance - (0.2126F * linear[0] + 0.7152F * linear[1] + 0.0722F * linear[2]);
    for (int k = 0; k < 3 && missing > 0; k++) linear[k] += missing;
}

void cord__palette(int i, float linear[3])
{
    static const int colours[] = {0xe0762f, 0x2f7fb8, 0x4a9c5d, 0xb8506a,
                                  0x8a6bb5, 0xc9a227, 0x3aa6a0, 0x8d6e53};
    cord__from_rgb(colours[i % (int)(sizeof colours / sizeof colours[0])], linear);
}

/* Viridis for scalars without a sign, blue through pale to red for those with one: a few colours, and
 * straight lines between them. */
void cord__colour_map(bool diverging, double t, float linear[3])
{
    enum { STOPS = 9 };
    static const int viridis[STOPS] = {0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c,
                                       0x28ae80, 0x5ec962, 0xaddc30, 0xfde725};
    static const int signs[STOPS] = {0x2c4fb5, 0x4a7bd6, 0x7ea6ee, 0xb5cdf7, 0xe3e1de,
                                     0xf3bfa3, 0xe98a6b, 0xcf4f45, 0xab1730};
    const int *stops = diverging ? signs : viridis;
    t = t > 0 ? fmin(t, 1) * (STOPS - 1) : 0;
    int i = (int)fmin(t, STOPS - 2);
    float a[3], b[3], f = (float)(t - i);
    cord__from_rgb(stops[i], a);
    cord__from_rgb(stops[i + 1], b);
    for (int k = 0; k < 3; k++) linear[k] = a[k] + f * (b[k] - a[k]);
}

/* ---- colours of objects ---------------------------------------------------------------------- */

/* The same hue and saturation, lighter by so much (HSL, of linear colours). */
static void lighten(float c[3], float by)
{
    float high = fmaxf(c[0], fmaxf(c[1], c[2])), low = fminf(c[0], fminf(c[1], c[2]));
    float light = (high + low) / 2, wanted = fminf(fmaxf(light + by, 0), 1), spread = high - low;
    if (!(spread > 0)) {
        c[0] = c[1] = c[2] = wanted;
        return;
    }
    float saturation = spread / (1 - fabsf(2 * light - 1));
    float wide = saturation * (1 - fabsf(2 * wanted - 1));
    for (int k = 0; k < 3; k++) c[k] = wanted + (c[k] - light) * wide / spread;
}

typedef struct named {
    const char *name;
    int colour; /* -1: none given */
} named;

static named object_at(const snapshot_layout *l, int i)
{
    if (i < l->strand_count) return (named){l->strands[i].name, l->strands[i].colour};
    const snapshot_body *b = &l->bodies[i - l->strand_count];
    return (named){b->name, b->colour};
}

/* The length of a name without its index. */
static size_t stem(const char *name)
{
    return name ? strcspn(name, "[") : 0;
}

static bool same_family(const snapshot_layout *l, int i, int j)
{
    const char *a = object_at(l, i).name, *b = object_at(l, j).name;
    bool kinds = (i < l->strand_count) == (j < l->strand_count);
    return kinds && a && b && stem(a) == stem(b) && strncmp(a, b, stem(a)) == 0;
}

static bool is_scenery(const snapshot_layout *l, int i)
{
    return i >= l->strand_count && l->bodies[i - l->strand_count].scenery;
}

void cord__choose_colours(const snapshot_layout *l, int *rgb)
{
    static const float shades[] = {0, 0.09F, -0.09F, 0.045F, -0.045F};
    int count = l->strand_count + l->body_count, families = 0;
    for (int first = 0; first < count;) {
        /* The members of an array follow each other. */
        int end = first + 1;
        while (end < count && same_family(l, first, end)) end++;
        for (int i = first; i < end; i++) {
            float c[3];
            int own = object_at(l, i).colour;
            if (own >= 0)
                cord__from_rgb(own, c);
            else
                cord__palette(families, c);
            if (end - first > 1 && !is_scenery(l, i)) lighten(c, shades[(i - first) % 5]);
            rgb[i] = cord__to_rgb(c);
        }
        if (!is_scenery(l, first)) families++;
        first = end;
    }
}
