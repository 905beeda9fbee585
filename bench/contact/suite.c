#include "bench/contact/contact.h"

static const bench_measurement measurements[] = {
    {"knots", "a trefoil that tightens, and a plectoneme", bench_contact_knots},
    {"entangled", "five strands that cross each other", bench_contact_entangled},
    {"piles", "rods in a box", bench_contact_piles},
    {"numbers", "cost against the number of contacts", bench_contact_numbers},
    {"hair", "hair on a head that moves", bench_contact_hair},
    {"detection", "cost of detection against the number of segments", bench_contact_detection},
    {0},
};

const bench_suite bench_contact = {"contact", "strands in contact with friction", measurements};

static double per_step(double seconds, int steps)
{
    return 1e3 * seconds / steps;
}

void bench_contact_steps(bench *b, cord_world *w, const char *name, double h, int warm, int steps,
                         double bar)
{
    cord_profile from = {0}, to = {0};
    cord_counters before = {0}, after = {0};
    cord_status status = CORD_OK;
    for (int i = 0; status == CORD_OK && i < warm; i++) status = cord_world_step(w, h);
    cord_world_get_profile(w, &from);
    cord_world_get_counters(w, &before);
    double began = bench_processor_time();
    for (int i = 0; status == CORD_OK && i < steps; i++) status = cord_world_step(w, h);
    double seconds = bench_processor_time() - began;
    if (!bench_ok(b, w, status, name)) return;
    cord_world_get_profile(w, &to);
    cord_world_get_counters(w, &after);
    const double solves = (double)(after.contact_solves - before.contact_solves);
    if (bar > 0)
        bench_bar(b, name, "step", per_step(seconds, steps), "ms", bar);
    else
        bench_row(b, name, "step", per_step(seconds, steps), "ms");
    bench_row(b, name, "detection", per_step(to.detection - from.detection, steps), "ms");
    bench_row(b, name, "contacts and Jacobians", per_step(to.contacts - from.contacts, steps),
              "ms");
    bench_row(b, name, "coupling", per_step(to.coupling - from.coupling, steps), "ms");
    bench_row(b, name, "cones", per_step(to.cones - from.cones, steps), "ms");
    bench_row(b, name, "contacts with a force", after.contacts, "");
    bench_row(b, name, "sweeps per solve",
              (double)(after.contact_sweeps - before.contact_sweeps) / (solves > 0 ? solves : 1),
              "");
    bench_row(b, name, "unsolved", (double)(after.contact_unsolved - before.contact_unsolved), "");
}
