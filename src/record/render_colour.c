/* Colours: of strands, and of scales. */
#include "record/render.h"

#include <math.h>

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
