/* The targets of the fuzzers (make fuzz), which tests/test_fuzz.c runs on small corpora, too. Each takes any bytes, and
 * aborts where the library does not keep its word. No file is read or written. */
#ifndef CORDAGE_FUZZ_TARGETS_H
#define CORDAGE_FUZZ_TARGETS_H

#include <stddef.h>
#include <stdint.h>

/* A scene is read, and built if it is valid. */
int fuzz_scene(const uint8_t *data, size_t size);
/* A shape: 0, 1 or 2 (CSV, OBJ, SVG), then the text of the file. */
int fuzz_shape(const uint8_t *data, size_t size);
/* A scene of at most STEP_UNKNOWNS unknowns is advanced by STEPS steps. */
int fuzz_step(const uint8_t *data, size_t size);

/* Commands to a live session in which a rope is open: of each two bytes with its size, then the command. */
int fuzz_live(const uint8_t *data, size_t size);

enum { STEPS = 3, STEP_UNKNOWNS = 400, STEP_HALVINGS = 3 };

#endif
