#include "validation/report.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char page_css[] =
    ":root{color-scheme:light dark;--paper:#fff;--ink:#1c1c1e;--soft:#777;--line:#e2e2e2;"
    "--good:#1a7f37;--bad:#c0271a}\n"
    "@media(prefers-color-scheme:dark){:root{--paper:#16171a;--ink:#e8e8ea;--soft:#9a9aa0;"
    "--line:#34363b;--good:#6cd08a;--bad:#ff8b80}}\n"
    "body{background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif;"
    "max-width:60rem;margin:2rem auto;padding:0 1rem}\n"
    "h2{margin-top:3rem;border-top:1px solid var(--line);padding-top:1.5rem}\n"
    "h2 small{font-weight:400;color:var(--soft);font-size:.8rem}\n"
    ".scroll{overflow-x:auto}\n"
    "table{border-collapse:collapse;font-size:.85rem;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.2rem .8rem .2rem 0;text-align:left;border-bottom:1px solid var(--line);"
    "white-space:nowrap}\n"
    "td.n{text-align:right}\n"
    ".good{color:var(--good)}.bad{color:var(--bad);font-weight:600}\n"
    "details summary{cursor:pointer;color:var(--soft)}\n";

static bool make_directories(const char *path)
{
    char *copy = strdup(path);
    if (copy == NULL) return false;
    bool made = true;
    for (char *c = copy + 1; made && *c; c++) {
        if (*c != '/') continue;
        *c = '\0';
        made = mkdir(copy, 0777) == 0 || errno == EEXIST;
        *c = '/';
    }
    made = made && (mkdir(copy, 0777) == 0 || errno == EEXIST);
    free(copy);
    return made;
}

bool report_open(report *r, const char *directory)
{
    size_t size = strlen(directory) + sizeof "/index.html";
    char *path = malloc(size);
    if (path == NULL) return false;
    snprintf(path, size, "%s/index.html", directory);
    r->out = make_directories(directory) ? fopen(path, "w") : NULL;
    if (r->out == NULL) fprintf(stderr, "cordage: cannot write %s: %s\n", path, strerror(errno));
    free(path);
    if (r->out == NULL) return false;
    fputs("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width\">\n"
          "<title>Cordage: validation</title>\n<style>\n",
          r->out);
    fputs(page_css, r->out);
    fputs(plot_css, r->out);
    fprintf(r->out,
            "</style>\n<h1>Validation of Cordage %s</h1>\n"
            "<p>Simulations against closed forms and independently computed reference data. A row "
            "passes when the measured value is within the tolerance of the expected one, or on the "
            "admissible side of its bound.</p>\n",
            cord_version());
    return true;
}

void report_check_begin(report *r, validation *v)
{
    if (r->out == NULL) return;
    r->plots = NULL, r->plots_size = 0;
    v->plots = open_memstream(&r->plots, &r->plots_size);
}

static void write_row(FILE *out, const row *w)
{
    const char *class = w->passed ? "good" : w->skipped ? "" : "bad";
    fprintf(out, "<tr><td class=\"%s\">%s</td><td>", class,
            w->passed    ? "✓"
            : w->skipped ? "–"
                         : "✗");
    plot_escape(out, w->name);
    fputs("</td><td>", out);
    plot_escape(out, w->quantity);
    fputs("</td>", out);
    if (w->message != NULL) {
        fprintf(out, "<td colspan=\"3\" class=\"%s\">", class);
        plot_escape(out, w->message);
        fputs("</td></tr>\n", out);
        return;
    }
    fprintf(out, "<td class=\"n\">%.7g</td><td class=\"n\">%s%.7g</td><td class=\"n\">",
            w->measured, row_sign(w), w->expected);
    if (w->side == ROW_WITHIN) fprintf(out, "± %.2g", w->tolerance);
    fputs("</td></tr>\n", out);
}

static void write_rows(FILE *out, const validation *v, int passed)
{
    int count = v->row_count - v->check_first_row;
    /* Long tables are folded, unless a row failed. */
    bool fold = count > 12 && passed == count;
    if (fold) fprintf(out, "<details><summary>%d rows, all passed</summary>\n", count);
    fputs("<div class=\"scroll\"><table>\n<tr><th></th><th>name</th><th>quantity</th>"
          "<th>measured</th><th>expected</th><th>tolerance</th></tr>\n",
          out);
    for (int i = v->check_first_row; i < v->row_count; i++) write_row(out, &v->rows[i]);
    fputs("</table></div>\n", out);
    if (fold) fputs("</details>\n", out);
}

void report_check_end(report *r, validation *v, const char *suite, double seconds)
{
    if (r->out == NULL) return;
    if (v->plots != NULL) fclose(v->plots);
    v->plots = NULL;
    int passed = 0;
    for (int i = v->check_first_row; i < v->row_count; i++) passed += v->rows[i].passed;
    int count = v->row_count - v->check_first_row;
    fprintf(r->out, "<h2 id=\"%s-%s\">%s: %s <small>%.1f s</small></h2>\n<p>", suite,
            v->check->name, suite, v->check->name, seconds);
    plot_escape(r->out, v->check->about);
    fprintf(r->out, "</p>\n<p class=\"%s\">%d of %d rows passed</p>\n",
            passed == count ? "good" : "bad", passed, count);
    if (r->plots != NULL) fputs(r->plots, r->out);
    write_rows(r->out, v, passed);
    free(r->plots);
    r->plots = NULL;
}

bool report_close(report *r, const validation *v)
{
    if (r->out == NULL) return true;
    int passed = 0;
    for (int i = 0; i < v->row_count; i++) passed += v->rows[i].passed;
    fprintf(r->out, "<h2>Total</h2>\n<p class=\"%s\">%d of %d rows passed</p>\n</html>\n",
            validation_passed(v) ? "good" : "bad", passed, v->row_count);
    bool whole = !ferror(r->out);
    whole = fclose(r->out) == 0 && whole;
    r->out = NULL;
    if (!whole)
        fputs("cordage: the report could not be written completely; is the disk full?\n", stderr);
    return whole;
}
