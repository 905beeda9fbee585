/* The parts of a page by which it can be taken over: the scene's files, states of its world, the engine. A live session
 * opens the files, goes on from the last state at or before the frame shown, and steps to it (src/live/message.h). */
#include "record/html_scene.h"
#include "record/pack.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 16 << 20, MOST_STATE = 4 << 20 };

/* ---- files ------------------------------------------------------------------------------------ */

static char *read_whole(memory *m, const char *path, size_t *size)
{
    FILE *in = fopen(path, "rb");
    char *text = NULL;
    size_t room = 0, got = 1;
    *size = 0;
    while (in && got > 0) {
        if (*size + 1 >= room) {
            room = 2 * room + 4096;
            char *grown = room <= MOST_BYTES ? cord__reallocate(m, text, room, 1) : NULL;
            if (!grown) break;
            text = grown;
        }
        got = fread(text + *size, 1, room - 1 - *size, in);
        *size += got;
    }
    bool good = in && got == 0 && !ferror(in);
    if (in) fclose(in);
    if (good) return text;
    cord__release(m, text);
    return NULL;
}

const char *cord__page_file_name(const char *scene, const char *path)
{
    const char *slash = strrchr(scene, '/');
    size_t folder = slash ? (size_t)(slash - scene) + 1 : 0;
    if (strncmp(scene, path, folder) != 0) return NULL;
    path += folder;
    while (strncmp(path, "./", 2) == 0) path += 2;
    return *path == '/' || strstr(path, "..") ? NULL : path;
}

static bool is_text(const char *name, const char *bytes, size_t size)
{
    const char *dot = strrchr(name, '.');
    return !memchr(bytes, 0, size) && !(dot && strcmp(dot, ".png") == 0);
}

static void write_file(json *j, const char *name, const char *bytes, size_t size)
{
    cord__json_object(j, NULL);
    cord__json_string(j, "name", name);
    if (is_text(name, bytes, size)) {
        cord__json_string(j, "text", bytes);
    } else {
        fputs(",\"base64\":\"", j->out);
        cord__base64_write((const unsigned char *)bytes, size, j->out);
        fputs("\"", j->out);
    }
    cord__json_end(j, '}');
}

/* Whether all files are in the folder of the scene, can be read, and are not too long. */
static bool can_write(const cord_scene *scene)
{
    const char *first = cord_scene_get_file(scene, 0);
    long total = 0;
    for (int i = 0; i < cord_scene_get_file_count(scene); i++) {
        const char *path = cord_scene_get_file(scene, i);
        FILE *in = cord__page_file_name(first, path) ? fopen(path, "rb") : NULL;
        if (!in) return false;
        long size = fseek(in, 0, SEEK_END) == 0 ? ftell(in) : -1;
        fclose(in);
        if (size < 0 || (total += size) > MOST_BYTES / 2) return false;
    }
    return first != NULL;
}

cord_status cord__page_files_write(const recording *r, FILE *out, bool *written)
{
    const cord_scene *scene = cord_simulation_get_scene(r->simulation);
    const char *first = cord_scene_get_file(scene, 0);
    *written = can_write(scene);
    if (!*written) return CORD_OK;
    json j;
    fputs("<script type=\"application/json\" id=\"files\">\n", out);
    cord__json_begin(&j, out, JSON_SCRIPT);
    cord__json_object(&j, NULL);
    cord__json_array(&j, "files");
    for (int i = 0; i < cord_scene_get_file_count(scene); i++) {
        const char *path = cord_scene_get_file(scene, i);
        size_t size;
        char *bytes = read_whole(r->mem, path, &size);
        if (!bytes) return CORD_ERROR_MEMORY;
        write_file(&j, cord__page_file_name(first, path), bytes, size);
        cord__release(r->mem, bytes);
    }
    cord__json_end(&j, ']');
    cord__json_array(&j, "overrides");
    for (const char *const *o = r->overrides; o && *o; o++) cord__json_string(&j, NULL, *o);
    cord__json_end(&j, ']');
    cord__json_end(&j, '}');
    fputs("</script>\n", out);
    return CORD_OK;
}

/* ---- states and the engine ----------------------------------------------------------------------- */

cord_status cord__page_state_write(const recording *r, int64_t frame, FILE *out)
{
    const cord_world *world = cord_simulation_get_world(r->simulation);
    size_t size;
    if (cord_world_get_state_size(world, &size) != CORD_OK || size > MOST_STATE) return CORD_OK;
    char *bytes = NEW(r->mem, char, size);
    if (!bytes) return CORD_ERROR_MEMORY;
    pack p = {.mem = r->mem};
    cord_status status = cord_world_get_state(world, bytes);
    if (status == CORD_OK) {
        cord__pack_bytes(&p, bytes, size);
        fprintf(
            out,
            "<script type=\"text/plain\" class=\"state\" data-frame=\"%lld\" data-time=\"%.17g\">",
            (long long)frame, cord_world_get_time(world));
        status = cord__pack_write(&p, out);
        fputs("</script>\n", out);
    }
    cord__pack_free(&p);
    cord__release(r->mem, bytes);
    return status;
}

/* engine.js is globalThis.cordage_engine = "…"; */
void cord__page_engine_embed(memory *mem, const char *path, FILE *out)
{
    size_t size;
    char *text = read_whole(mem, path, &size);
    char *begin = text ? strchr(text, '"') : NULL, *end = begin ? strchr(begin + 1, '"') : NULL;
    if (end) {
        fputs("<script type=\"text/plain\" id=\"engine\">", out);
        fwrite(begin + 1, 1, (size_t)(end - begin - 1), out);
        fputs("</script>\n", out);
    }
    cord__release(mem, text);
}

void cord__page_engine_write(const recording *r, FILE *out)
{
    if (!r->engine) return;
    if (r->engine_shared)
        fprintf(out, "<script type=\"text/plain\" id=\"engine\" data-src=\"%s\"></script>\n",
                r->engine);
    else
        cord__page_engine_embed(r->mem, r->engine, out);
}
