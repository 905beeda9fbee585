#include "constraint/drive.h"

#include <string.h>

bool cord__drive_acts(const keys *k, const drive_state *s, int rows)
{
    bool driven = k->count > 0 && !s->manual;
    for (int row = 0; row < rows; row++) driven = driven || s->value[row] != 0 || s->rate[row] != 0;
    return driven;
}

void cord__drive_at(const keys *k, const drive_state *s, int rows, double time,
                    double value[DRIVE_VALUES], double rate[DRIVE_VALUES])
{
    double rates[DRIVE_VALUES] = {0};
    memset(value, 0, DRIVE_VALUES * sizeof *value);
    if (k->count > 0 && !s->manual) cord__keys_at(k, time, value, rates);
    for (int row = 0; row < rows; row++) {
        value[row] += s->value[row] + s->rate[row] * (time - s->time);
        rates[row] += s->rate[row];
    }
    if (rate) memcpy(rate, rates, sizeof rates);
}
