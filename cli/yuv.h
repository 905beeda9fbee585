/* Pictures of films as video wants them. */
#ifndef CORDAGE_CLI_YUV_H
#define CORDAGE_CLI_YUV_H

#include <stddef.h>

/* Bytes of a picture in yuv420p: sizes are rounded up to even ones. */
size_t yuv_size(int width, int height);

/* From 4 × width × height bytes of sRGB to Y, Cb and Cr (BT.709, 16 to 235 and 240), one after the other; Cb and Cr of every
 * 2 × 2 pixels. Opacity is left out. The last row and column are repeated where a size is odd. */
void yuv_convert(const unsigned char *rgba, int width, int height, unsigned char *yuv);

#endif
