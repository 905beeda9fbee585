/* The contacts of the last step, for recordings. */
#ifndef CORDAGE_SCENE_CONTACT_RECORDS_H
#define CORDAGE_SCENE_CONTACT_RECORDS_H

#include <cordage/simulation.h>

/* Doubles only, so that a list of them is a table. Objects are numbered: strands, then solids; -1: one that is not shown. */
typedef struct contact_record {
    double first, second;
    double s[2];        /* material coordinates on strands, m */
    double position[3]; /* on the surface of the first, m */
    double normal[3];   /* from the second to the first */
    double gap;         /* m */
    double force[3];    /* on the first, N */
    double slip[3];     /* m/s */
    double sticks;      /* 1, or 0 while it slips */
} contact_record;

enum { CONTACT_NUMBERS = sizeof(contact_record) / sizeof(double) };

/* Whether the scene has contacts. */
bool cord__has_contacts(const cord_scene *scene);
/* The array belongs to the simulation until the next call. */
cord_status cord__contact_records(cord_simulation *sim, const contact_record **list, int *count);

#endif
