/* The viewer, one page of HTML without its data, made from web/ when Cordage is built. */
#ifndef CORDAGE_RECORD_VIEWER_PAGE_H
#define CORDAGE_RECORD_VIEWER_PAGE_H

#include <stddef.h>

extern const unsigned char cord__viewer_page[];
extern const size_t cord__viewer_page_size;

#endif
