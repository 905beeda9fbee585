/* The front page of the gallery's site. */
#ifndef CORDAGE_CLI_GALLERY_INDEX_H
#define CORDAGE_CLI_GALLERY_INDEX_H

#include "gallery_groups.h"

#include <stdio.h>

/* What a run has left for its card. */
typedef struct site_card {
    char *title, *paper, *about; /* allocated */
    int pictures;                /* 0: none */
    bool player;                 /* there is a page that plays it */
} site_card;

void gallery_index_write(FILE *out, const gallery_list *list, const gallery_groups *groups,
                         const site_card *cards);

#endif
