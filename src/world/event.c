#include "world/event.h"

#include <math.h>

static const event_ops *const events[] = {
    &cord__event_slide,  &cord__event_release, &cord__event_growth,    &cord__event_topology,
    &cord__event_impact, &cord__event_break,   &cord__event_quadrature};
enum { EVENTS = sizeof events / sizeof *events };

double cord__time_to_next_event(const cord_world *w)
{
    double least = INFINITY;
    for (int i = 0; i < EVENTS; i++)
        if (events[i]->time_to_event) least = fmin(least, events[i]->time_to_event(w));
    return least;
}

double cord__event_in_attempt(const cord_world *w, double length, double left)
{
    double least = INFINITY;
    for (int i = 0; i < EVENTS; i++)
        if (events[i]->time_in_attempt)
            least = fmin(least, events[i]->time_in_attempt(w, length, left));
    return least;
}

cord_status cord__apply_events(cord_world *w, bool statics, bool *changed, bool *restart)
{
    cord_status status = CORD_OK;
    *changed = *restart = false;
    for (int i = 0; status == CORD_OK && i < EVENTS; i++) {
        bool occurred = false;
        if (events[i]->apply) status = events[i]->apply(w, statics, &occurred);
        *changed = *changed || occurred;
        *restart = *restart || (occurred && events[i]->before_start);
    }
    return status;
}

void cord__before_restart(cord_world *w)
{
    for (int i = 0; i < EVENTS; i++)
        if (events[i]->before_start) events[i]->before_start(w);
}

void cord__after_restart(cord_world *w)
{
    for (int i = 0; i < EVENTS; i++)
        if (events[i]->after_start) events[i]->after_start(w);
}
