#include "gallery_html.h"

#include "gallery.h"

#include <ctype.h>

void html_put_escaped(FILE *out, const char *text)
{
    for (; text && *text; text++) {
        switch (*text) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        default: fputc(*text, out);
        }
    }
}

void html_begin(FILE *out, const char *title)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
          "name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
          "<link rel=\"icon\" href=\"data:,\">\n<link rel=\"stylesheet\" href=\"site.css\">\n"
          "<title>",
          out);
    html_put_escaped(out, title);
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
        html_put_escaped(out, text);
    }
    if (!info->figure) return;
    fprintf(out, "%s%s", info->paper ? ", " : "", figure_word(info->figure));
    html_put_escaped(out, info->figure);
}
