/* The frame of a report: a self-contained HTML page, light and dark. */
#ifndef CORDAGE_VALIDATION_PAGE_H
#define CORDAGE_VALIDATION_PAGE_H

#include <stdio.h>

/* Creates DIRECTORY and its parents, opens DIRECTORY/index.html and writes the head of the page with the style of
 * tables and plots. NULL, with a message on stderr, when that fails. */
FILE *page_open(const char *directory, const char *title);

#endif
