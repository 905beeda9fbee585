#include "strand/definition.h"
#include "math/vec3.h"

#include <string.h>

static cord_status check_polyline(const double *x, int n, bool closed, const char *which, char *why,
                                  size_t size)
{
    if (!cord__in_range(x, 3 * n)) return SAY("a %s position is not finite or exceeds 1e50", which);
    for (int j = 0; j < n - !closed; j++)
        if (!(v3_distance(x + 3 * j, x + 3 * ((j + 1) % n)) > 0))
            return SAY("%s edge %d has no length", which, j);
    return CORD_OK;
}

static cord_status check_shape(const cord_strand_def *def, char *why, size_t size)
{
    int least = def->closed ? 3 : 2, n = def->vertex_count, edges = def->closed ? n : n - 1;
    if (n < least) return SAY("%d vertices; at least %d are needed", n, least);
    if (!def->positions) return SAY("positions are missing");
    cord_status status = check_polyline(def->positions, n, def->closed, "initial", why, size);
    if (status == CORD_OK && def->natural_positions) /* a closed strand's is cut open */
        status = check_polyline(def->natural_positions, edges + 1, false, "natural", why, size);
    if (status != CORD_OK) return status;
    if (!cord__in_range(def->velocities, 3 * n))
        return SAY("a velocity is not finite or exceeds 1e50");
    if (!cord__in_range(def->twist, edges) || !cord__in_range(def->natural_twist, edges))
        return SAY("a twist is not finite or exceeds 1e50");
    if (!cord__in_range(def->director, 3) || !cord__in_range(def->natural_director, 3))
        return SAY("a director is not finite or exceeds 1e50");
    if (!is_admissible(def->closing_twist))
        return SAY("closing_twist is not finite or exceeds 1e50");
    return CORD_OK;
}

static cord_status check_options(const cord_strand_def *def, char *why, size_t size)
{
    if (def->stretch != CORD_STRETCH_NONE && def->stretch != CORD_STRETCH_ELASTIC)
        return SAY("stretch is %d; it must be one of cord_stretch", (int)def->stretch);
    if (def->twist_mode != CORD_TWIST_QUASISTATIC && def->twist_mode != CORD_TWIST_DYNAMIC)
        return SAY("twist_mode is %d; it must be one of cord_twist", (int)def->twist_mode);
    if ((unsigned)def->curvature > CORD_CURVATURE_SINE)
        return SAY("curvature is %d; it must be one of cord_curvature", (int)def->curvature);
    if (!(def->damping >= 0 && is_admissible(def->damping)))
        return SAY("damping is %g; it must be at least 0", def->damping);
    if (!(def->drag >= 0 && is_admissible(def->drag)))
        return SAY("drag is %g; it must be at least 0", def->drag);
    if (!(def->quadratic_drag >= 0 && is_admissible(def->quadratic_drag)))
        return SAY("quadratic_drag is %g; it must be at least 0", def->quadratic_drag);
    return CORD_OK;
}

cord_status cord__check_definition(const cord_strand_def *def, section_stiffness *section,
                                   char *why, size_t size)
{
    cord_status status = check_shape(def, why, size);
    if (status == CORD_OK) status = check_options(def, why, size);
    if (status == CORD_OK)
        status = cord__section(&def->material, &def->section, section, why, size);
    if (status != CORD_OK) return status;
    if (def->stretch == CORD_STRETCH_ELASTIC && !(section->stretching > 0))
        return SAY("an elastic strand needs a stretching stiffness above 0");
    if (def->twist_mode == CORD_TWIST_DYNAMIC && !(section->rotary_inertia > 0))
        return SAY("dynamic twist needs a rotary_inertia above 0");
    return CORD_OK;
}

void cord__section_info(const cord_section *shape, const section_stiffness *section,
                        cord_strand_info *out)
{
    out->section = *shape;
    out->mass = section->mass * out->length;
    out->stretching = section->stretching;
    memcpy(out->bending, section->bending, sizeof out->bending);
    out->twisting = section->twisting;
}

void cord__first_director(const double *given, const double *t, double *u)
{
    v3_copy(u, given);
    v3_axpy(u, -v3_dot(u, t), t);
    if (v3_norm(u) <= 1e-9 * v3_norm(given)) /* not defined, or parallel to the tangent */
        v3_any_normal(u, t);
    else
        v3_normalize(u, u);
}

const double *cord__natural_director(const cord_strand_def *def)
{
    return v3_norm(def->natural_director) > 0 ? def->natural_director : def->director;
}

double cord__stable_step(double omega, double damping, double drag)
{
    double c = damping * omega * omega + drag;
    return 4 / (c + sqrt(c * c + 4 * omega * omega));
}
