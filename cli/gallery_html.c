#include "gallery_html.h"

#include "gallery.h"
#include "math/markup.h"

#include <ctype.h>

void html_put_image(FILE *out, const char *stem, const char *attributes, const char *text)
{
    fprintf(out,
            "<picture><source media=\"(prefers-color-scheme: dark)\" srcset=\"%s-dark.png\"><img "
            "width=\"960\" height=\"540\" loading=\"lazy\" %s src=\"%s.png\" alt=\"",
            stem, attributes, stem);
    cord__markup_put(out, text);
    fputs("\"></picture>", out);
}

void html_begin(FILE *out, const char *title)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
          "name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
          "<link rel=\"icon\" href=\"data:,\">\n<link rel=\"stylesheet\" href=\"site.css\">\n"
          "<title>",
          out);
    cord__markup_put(out, title);
    fputs("</title>\n</head>\n<body>\n<main>\n", out);
}

void html_end(FILE *out)
{
    fputs("</main>\n</body>\n</html>\n", out);
}

void html_put_paper(FILE *out, const cord_scene_info *info)
{
    for (const char *c = info->paper; c && *c; c++) {
        char text[2] = {*c == '-' ? ' ' : *c, 0};
        if (c == info->paper) text[0] = (char)toupper((unsigned char)*text);
        cord__markup_put(out, text);
    }
    if (!info->figure) return;
    fprintf(out, "%s%s", info->paper ? ", " : "", figure_word(info->figure));
    cord__markup_put(out, info->figure);
}
