#include "bench/clothoids/clothoids.h"

static const bench_measurement measurements[] = {
    {"element", "frame and position at the end of one clothoid element, to round-off",
     bench_element},
    {"frames", "frames at the ten quadrature nodes of one element", bench_frames},
    {"precision", "time over precision [SSC 2013, Fig. 6]", bench_precision},
    {"products", "an element's dynamics by Cauchy products of series [SSC 2013, sec. 7.1]",
     bench_products},
    {"fig9", "cost over accuracy of the curled rod [SSC 2013, Fig. 9]", bench_fig9},
    {"step", "a step of four clothoids, gentle and strongly curved", bench_step},
    {"newton", "a Newton iteration over the number of elements", bench_newton},
    {"planar", "a planar step", bench_planar},
    {"dense", "the chain's recursive elimination, and a dense matrix over its free dofs",
     bench_dense},
    {0},
};

const bench_suite bench_clothoids = {"clothoids", "curvature chains", measurements};
