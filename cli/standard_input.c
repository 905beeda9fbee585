#include "standard_input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool copy_input(int file)
{
    char buffer[8192];
    size_t got;
    FILE *out = fdopen(file, "wb");
    if (!out) {
        close(file);
        return false;
    }
    bool good = true;
    while (good && (got = fread(buffer, 1, sizeof buffer, stdin)) > 0)
        good = fwrite(buffer, 1, got, out) == got;
    return fclose(out) == 0 && good && !ferror(stdin);
}

bool scene_input_open(scene_input *input, const char *command, const char *path)
{
    *input = (scene_input){.path = path};
    if (strcmp(path, "-") != 0) return true;
    strcpy(input->temporary, "stdin.yaml"); /* messages have its name */
    int file = open(input->temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (file < 0 && errno == EEXIST) {
        snprintf(input->temporary, sizeof input->temporary, "stdin-%ld.yaml", (long)getpid());
        file = open(input->temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
    }
    if (file < 0) *input->temporary = 0;
    if (file >= 0 && copy_input(file)) {
        input->path = input->temporary;
        return true;
    }
    fprintf(stderr,
            "cordage %s: the standard input cannot be copied to a file in this folder: %s\n",
            command, strerror(errno));
    scene_input_close(input);
    return false;
}

void scene_input_close(scene_input *input)
{
    if (*input->temporary) unlink(input->temporary);
    *input->temporary = 0;
}
