#include "bench/clothoids/clothoids.h"

static const bench_measurement measurements[] = {
    {"element", "frame and place at the end of one clothoid element, to round-off", bench_element},
    {"frames", "frames at ten nodes of one element, as a chain asks for them", bench_frames},
    {"precision", "time against precision, the 2013 paper's Fig. 6", bench_precision},
    {"products", "an element's dynamics by products of series, the 2013 paper's section 7.1",
     bench_products},
    {"fig9", "cost against accuracy of the curled rod, the 2013 paper's Fig. 9", bench_fig9},
    {"newton", "a Newton iteration against the number of elements", bench_newton},
    {"planar", "a planar step", bench_planar},
    {"dense", "the chain's own elimination, and a dense matrix over its free columns", bench_dense},
    {0},
};

const bench_suite bench_clothoids = {"clothoids", "curvature chains", measurements};
