/* A scene from a text with its world, stepped as a run steps it. Every call asserts success. */
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

/* The probe of that name. */
int played_probe(played p, const char *name);

#endif
