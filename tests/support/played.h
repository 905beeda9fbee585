/* A scene from a text with its world, stepped as a run steps it. Every call asserts success, or refusal. */
#ifndef CORDAGE_TESTS_PLAYED_H
#define CORDAGE_TESTS_PLAYED_H

#include <cordage/scene.h>

typedef struct played {
    cord_scene *scene;
    cord_world *world;
} played;

played played_text(const char *text);
void played_end(played p);
void played_advance(played p, double h, int steps);

/* The probe of that name, all that it measures, and the one number that it does. */
int played_probe(played p, const char *name);
void played_sample(played p, const char *name, double *values);
double played_number(played p, const char *name);

/* A text of which no world can be made; the first error says why. */
void played_refused(const char *text, const char *why);

#endif
