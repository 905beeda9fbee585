/* Rigid bodies with contacts, as a frictional contact problem of one step of symplectic Euler's method:
 *
 *     v⁺ = v + h M⁻¹ (f + Hᵀ p),     u = H v⁺ + gap/h n,     W = h H M⁻¹ Hᵀ. */
#ifndef CORDAGE_TESTS_RIGID_CONTACTS_H
#define CORDAGE_TESTS_RIGID_CONTACTS_H

#include "solve/cone/cone.h"

typedef struct rigid {
    double mass, inertia[3]; /* about the axes of the world */
    double radius, position[3];
    double velocity[6]; /* linear, angular */
    double force[3];
} rigid;

typedef struct rigid_contact {
    int body[2];              /* the second: −1 for the ground */
    double point[3], axes[9]; /* rows n, t₁, t₂; n points to the first body */
    double gap;
    double force[3]; /* of the last step, and after rigid_solve() */
} rigid_contact;

typedef struct rigid_scene {
    rigid *body;
    rigid_contact *contact;
    int bodies, contacts;
    double friction, h;
    double width; /* of a pit: see sphere_pile() */
} rigid_scene;

/* A contact at a point with the normal n; the tangents follow. */
rigid_contact rigid_contact_at(int first, int second, const double point[3], const double n[3],
                               double gap);

/* The problem, on the heap: rigid_free() frees it. */
cone_problem rigid_problem(const rigid_scene *s);
void rigid_free(cone_problem *problem);

/* Solves from the forces in the contacts, sets them and the velocities. */
cone_report rigid_solve(rigid_scene *s, const cone_options *options);

/* Spheres in a pit of square section, `side` by `side` of them in each of `layers`, jittered; the heaviest has `ratio` times
 * the mass of the lightest. */
rigid_scene sphere_pile(int side, int layers, double ratio, unsigned seed);
/* One step with new contacts; contacts of the same pair keep their forces. */
cone_report sphere_step(rigid_scene *s, const cone_options *options);
void sphere_contacts(rigid_scene *s);
void rigid_scene_free(rigid_scene *s);

#endif
