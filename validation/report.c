#include "validation/report.h"
#include "math/markup.h"
#include "validation/page.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool report_open(report *r, const char *directory)
{
    r->out = page_open(directory, "validation");
    if (r->out == NULL) return false;
    fprintf(r->out,
            "<h1>Validation of Cordage %s</h1>\n"
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
    cord__markup_put(out, w->name);
    fputs("</td><td>", out);
    cord__markup_put(out, w->quantity);
    fputs("</td>", out);
    if (w->message != NULL) {
        fprintf(out, "<td colspan=\"3\" class=\"%s\">", class);
        cord__markup_put(out, w->message);
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
    cord__markup_put(r->out, v->check->about);
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
