#include "resume.h"

#ifdef CORDAGE_HDF5
#include "recording.h"
#endif

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

long long step_number(double time, double dt)
{
    return llround(time / dt);
}

long long frame_stride(const cord_scene_info *info)
{
    return (long long)fmin(fmax(1, round(info->frame_interval / info->dt)), 1e15);
}

#ifdef CORDAGE_HDF5

static const char UNTIL[] = "run.until=";

static bool is_until(const char *text)
{
    return strncmp(text, UNTIL, sizeof UNTIL - 1) == 0;
}

static bool contains(char *const *list, int count, const char *text)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(list[i], text) == 0) return true;
    }
    return false;
}

/* A resumed run keeps the settings of the first one, except for its duration. */
static int merge_overrides(resumption *r, const run_options *o)
{
    const reading_info *info = cord__reading_info(r->from);
    bool new_until = false;
    for (int i = 0; i < o->scene.override_count; i++) {
        const char *text = o->scene.overrides[i];
        new_until = new_until || is_until(text);
        if (is_until(text) || contains(info->overrides, info->override_count, text)) continue;
        fprintf(stderr,
                "cordage run: --resume keeps the settings of the first run; %s cannot be changed, "
                "only --until can\n",
                text);
        return EXIT_USAGE;
    }
    int count = 0;
    for (int i = 0; i < info->override_count && count < MAX_OVERRIDES; i++) {
        if (!new_until || !is_until(info->overrides[i])) r->overrides[count++] = info->overrides[i];
    }
    for (int i = 0; i < o->scene.override_count; i++) {
        if (is_until(o->scene.overrides[i])) r->overrides[count++] = o->scene.overrides[i];
    }
    return EXIT_GOOD;
}

int resume_open(resumption *r, const char *directory, const run_options *options)
{
    char path[1100];
    snprintf(path, sizeof path, "%s/" RECORDING_FILE, directory);
    if (access(path, F_OK) == 0 && verify_recording(path, stderr) != EXIT_GOOD) {
        fprintf(
            stderr,
            "cordage: %s is not continued, because not all of it can be read. To begin anew, run "
            "without --resume; to keep the frames that are good, first copy the recording or "
            "export them (cordage export --until).\n",
            path);
        return EXIT_ENGINE;
    }
    cord_status status = cord__reading_open(path, &r->from);
    if (status == CORD_OK) return merge_overrides(r, options);
    fprintf(stderr, "cordage: there is nothing to resume: %s\n",
            r->from ? cord__reading_error(r->from) : cord_status_text(status));
    return EXIT_ENGINE;
}

/* A frame recorded between the regular ones, because the run was interrupted or ended, would not
 * exist in an uninterrupted run. */
static int64_t frames_to_keep(const reading_info *recorded, const cord_scene_info *info,
                              double time)
{
    double steps = time / info->dt;
    bool whole = fabs(steps - round(steps)) < 1e-6 * fmax(1, steps);
    bool regular = whole && step_number(time, info->dt) % frame_stride(info) == 0;
    bool extra = !regular && recorded->last_time == time && recorded->frames > 1;
    return recorded->frames - extra;
}

int resume_simulation(resumption *r, cord_simulation *simulation)
{
    cord_status status = cord__reading_resume(r->from, simulation);
    if (status != CORD_OK) {
        fprintf(stderr, "cordage: %s\n", cord__reading_error(r->from));
        return status == CORD_ERROR_INPUT ? EXIT_SCENE : EXIT_ENGINE;
    }
    cord_scene_info info = cord_scene_get_info(cord_simulation_get_scene(simulation));
    double time = cord_world_get_time(cord_simulation_get_world(simulation));
    r->keep = frames_to_keep(cord__reading_info(r->from), &info, time);
    return EXIT_GOOD;
}

void resume_close(resumption *r)
{
    cord__reading_close(r->from);
    r->from = NULL;
}

#else

int resume_open(resumption *r, const char *directory, const run_options *options)
{
    (void)r, (void)directory, (void)options;
    fprintf(stderr,
            "cordage: runs cannot be resumed, because this cordage was built without HDF5\n");
    return EXIT_USAGE;
}

int resume_simulation(resumption *r, cord_simulation *simulation)
{
    (void)r, (void)simulation;
    return EXIT_USAGE;
}

void resume_close(resumption *r)
{
    (void)r;
}

#endif
