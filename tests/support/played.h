/* A scene from a text with its world, stepped as a run steps it. Every call asserts success, or refusal. */
#ifndef CORDAGE_TESTS_PLAYED_H
#define CORDAGE_TESTS_PLAYED_H

#include <cordage/simulation.h>

typedef struct played {
    cord_scene *scene;
    cord_simulation *simulation;
    cord_world *world; /* of the simulation */
} played;

played played_text(const char *text);
void played_end(played p);
void played_advance(played p, double h, int steps);

/* The probe of that name: all of its values, and its only value. */
int played_probe(played p, const char *name);
void played_sample(played p, const char *name, double *values);
double played_number(played p, const char *name);

/* The first error of reading, or of building; NULL: none. */
const char *played_error(const cord_scene *scene, const cord_simulation *simulation);

/* A text from which no world can be built; the first error gives the reason. */
void played_refused(const char *text, const char *why);

#endif
