/* The speed of this processor now, beside that of the processor for which limits are given. */
#ifndef CORDAGE_BENCH_CALIBRATION_H
#define CORDAGE_BENCH_CALIBRATION_H

/* The processor time of the calibration loop in seconds, the least of several runs of about 2 ms. */
double bench_calibration(void);

/* The same on the reference processor: limits of times are multiplied by the ratio of the two. */
extern const double bench_calibration_reference;

#endif
