/* The final and the extreme values of probes, for `cordage run --json`. */
#ifndef CORDAGE_CLI_PROBE_SUMMARY_H
#define CORDAGE_CLI_PROBE_SUMMARY_H

#include <cordage/simulation.h>

struct json;

typedef struct probe_summary probe_summary;

/* NULL when there is no memory. */
probe_summary *probe_summary_create(cord_simulation *simulation);
void probe_summary_free(probe_summary *p); /* may be NULL */

/* Measures all probes now; after every step. */
cord_status probe_summary_observe(probe_summary *p);

/* The array `probes`: per column the value at the end, the least and the largest with their times. A probe of several
 * items, such as all vertices of a strand, has the extremes over all of them, and no final value. */
void probe_summary_json(const probe_summary *p, struct json *j);

#endif
