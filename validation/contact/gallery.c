/* Coulomb's conditions contact by contact in the scenes of the gallery, and energy that never grows in those without drive. */
#include "validation/contact/contact.h"
#include "validation/contact/scenes.h"
#include "validation/files.h"
#include <cordage/scene.h>
#include <cordage/simulation.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SCENES = 100, NAME = 256 };

/* Scenes in which neither a motion, a load nor an overlap at the start does work. */
static const char *const without_drive[] = {"boxes-and-ball.yaml",           "elastic-ball.yaml",
                                            "one-element-on-the-floor.yaml", "pile-of-rods.yaml",
                                            "pile-of-strands.yaml",          "rolling-rings.yaml",
                                            "spaghetti-plate.yaml"};

typedef struct audited {
    coulomb_audit audit;
    double least, growth; /* the least energy so far, and the most above the least before, J */
    double kinetic;       /* the largest one, J */
} audited;

static bool is_driven(const char *name)
{
    for (size_t i = 0; i < sizeof without_drive / sizeof *without_drive; i++)
        if (strcmp(name, without_drive[i]) == 0) return false;
    return true;
}

static cord_status record_energy(const cord_world *w, audited *a)
{
    cord_energy e;
    cord_status status = cord_world_get_energy(w, &e);
    if (status != CORD_OK) return status;
    a->growth = fmax(a->growth, e.total - a->least);
    a->least = fmin(a->least, e.total);
    a->kinetic = fmax(a->kinetic, e.kinetic);
    return CORD_OK;
}

/* The forces of a step are right to the tolerance of contact, and velocities to that of the change of velocity that they cause:
 * g h where gravity presses. */
static cord_status advance(cord_simulation *sim, const cord_scene_info *info, double duration,
                           audited *a)
{
    cord_world *w = cord_simulation_get_world(sim);
    cord_status status = CORD_OK;
    if (info->equilibrium_first) status = cord_world_find_equilibrium(w, NULL, NULL);
    a->audit.velocity = 9.81 * info->dt;
    for (int i = 0; status == CORD_OK && i < (int)lround(duration / info->dt); i++) {
        status = cord_simulation_step(sim, info->dt);
        if (status == CORD_OK) status = contact_audit(w, &a->audit);
        if (status == CORD_OK) status = record_energy(w, a);
    }
    return status;
}

static void report(validation *v, const char *name, const audited *a)
{
    const coulomb_audit *c = &a->audit;
    if (c->contacts == 0) validation_skip(v, name, "no contacts in the part that was run");
    if (c->contacts == 0) return;
    validation_row_below(v, name, "force outside of the cone", fmax(c->outside, c->tension), 1e-9);
    validation_row_below(v, name, "slip of contacts that stick", c->creep, 0.02);
    validation_row_below(v, name, "friction that is not against the slip", c->defect, 0.02);
    if (is_driven(name)) return;
    validation_row_below(v, name, "growth of the energy, of the largest kinetic one",
                         a->growth / a->kinetic, 1e-3);
}

static void check_scene(validation *v, const char *path, const char *name)
{
    cord_scene *scene = NULL;
    cord_simulation *sim = NULL;
    audited a = {.audit = {.friction = -1, .radius = 1, .least = 1e-2}, .least = INFINITY};
    cord_status status = cord_scene_read(path, NULL, &scene);
    if (status == CORD_OK) status = cord_simulation_create(scene, &sim);
    if (status == CORD_OK) {
        const cord_scene_info info = cord_scene_get_info(scene);
        const double duration = info.until * (validation_quick(v) ? 0.1 : 1);
        status = advance(sim, &info, duration, &a);
    }
    if (validation_ok(v, sim ? cord_simulation_get_world(sim) : NULL, status, name))
        report(v, name, &a);
    cord_simulation_destroy(sim);
    cord_scene_free(scene);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* The scenes of a folder, in the order of their names. Returns their number. */
static int list_scenes(const char *path, char names[MOST_SCENES][NAME])
{
    DIR *folder = opendir(path);
    int count = 0;
    for (struct dirent *item; folder && (item = readdir(folder));) {
        const char *dot = strrchr(item->d_name, '.');
        if (!dot || strcmp(dot, ".yaml") != 0 || count == MOST_SCENES) continue;
        snprintf(names[count++], NAME, "%s", item->d_name);
    }
    if (folder) closedir(folder);
    qsort(names, (size_t)count, NAME, by_name);
    return count;
}

/* `path` has room for FILE_PATH characters. */
static void check_folder(validation *v, char *path)
{
    static char names[MOST_SCENES][NAME];
    const int count = list_scenes(path, names);
    char *end = path + strlen(path);
    for (int i = 0; i < count; i++) {
        snprintf(end, (size_t)(path + FILE_PATH - end), "/%s", names[i]);
        check_scene(v, path, names[i]);
    }
    *end = 0;
}

void check_contact_gallery(validation *v)
{
    char path[FILE_PATH];
    if (!file_find("gallery/contact", "braid.yaml", path)) {
        validation_fail(v, "gallery", "its folder is not found");
        return;
    }
    char *end = strrchr(path, '/');
    *end = 0;
    check_folder(v, path);
    snprintf(end, (size_t)(path + FILE_PATH - end), "/long");
    if (validation_complete(v)) check_folder(v, path);
}
