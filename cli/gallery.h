/* The scenes that come with Cordage, as the parts of `cordage gallery` see them. */
#ifndef CORDAGE_CLI_GALLERY_H
#define CORDAGE_CLI_GALLERY_H

#include "run.h"

enum { MAX_SCENES = 512, MAX_PATH = 1024 };

typedef struct gallery_entry {
    char name[128]; /* file name without .yaml */
    char path[MAX_PATH];
} gallery_entry;

typedef struct gallery_list {
    int count;
    gallery_entry *entries; /* MAX_SCENES */
} gallery_list;

/* Run every scene and build a site from them in the directory o->out. Returns the exit code. */
int gallery_page(const gallery_list *list, const run_options *o);

#endif
