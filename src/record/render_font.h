/* The outlines of a font: quadratic curves, in units of 1/cord__font_em of its size, y up from the baseline. */
#ifndef CORDAGE_RECORD_RENDER_FONT_H
#define CORDAGE_RECORD_RENDER_FONT_H

typedef struct font_glyph {
    int code, advance; /* code point of Unicode; 0 ends the list */
    int outline;       /* where its contours begin */
} font_glyph;

extern const int cord__font_em;
extern const font_glyph cord__font_glyphs[];
/* Contours: the number of points, then of each 2x + 1 (on the curve) or 2x (a control point), and y. 0 ends a glyph. */
extern const short cord__font_outlines[];

#endif
