/* Text in HTML and SVG. */
#ifndef CORDAGE_MATH_MARKUP_H
#define CORDAGE_MATH_MARKUP_H

#include <stdio.h>

/* Writes a text, with &, <, > and " escaped. NULL: nothing. */
void cord__markup_put(FILE *out, const char *text);

#endif
