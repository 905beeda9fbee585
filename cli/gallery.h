/* The scenes of the gallery, for the actions of `cordage gallery`. */
#ifndef CORDAGE_CLI_GALLERY_H
#define CORDAGE_CLI_GALLERY_H

#include "run.h"

enum { MAX_SCENES = 512, MAX_PATH = 1024 };

typedef struct gallery_entry {
    char name
        [160]; /* the file name without .yaml; with its folder, "cables/necklace", if others share it */
    char file[160]; /* the same with - for /, for names of results */
    char path[MAX_PATH];
} gallery_entry;

typedef struct gallery_list {
    int count;
    gallery_entry *entries; /* MAX_SCENES */
} gallery_list;

/* "figure ", where the scene gives only its number; else its text says what it is ("section 6.1"): "". */
const char *figure_word(const char *figure);

/* Prints the names of all scenes, one to a line; nothing when there is no gallery. */
void gallery_print_names(void);

/* Runs every scene and writes a site with the results into the directory o->out. Returns the exit
 * code. */
int gallery_page(const gallery_list *list, const run_options *o);

#endif
