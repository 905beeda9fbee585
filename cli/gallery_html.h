/* Parts that the pages of the gallery's site share. */
#ifndef CORDAGE_CLI_GALLERY_HTML_H
#define CORDAGE_CLI_GALLERY_HTML_H

#include <cordage/scene.h>
#include <stdio.h>

/* cli/site/, as bytes. */
extern const unsigned char cli_site_css[], cli_site_js[];
extern const size_t cli_site_css_size, cli_site_js_size;

/* An image that picture_options.by_night has left in both themes. `stem`: its name without ".png"; `attributes` of the image. */
void html_put_image(FILE *out, const char *stem, const char *attributes, const char *text);
void html_begin(FILE *out, const char *title);
void html_end(FILE *out);

/* "discrete-elastic-rods-2008" and "5": "Discrete elastic rods 2008, figure 5". */
void html_put_paper(FILE *out, const cord_scene_info *info);

#endif
