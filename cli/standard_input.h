/* Scenes from the standard input: `cordage run -`. */
#ifndef CORDAGE_CLI_STANDARD_INPUT_H
#define CORDAGE_CLI_STANDARD_INPUT_H

#include <stdbool.h>

/* A scene to open: the given path or, for "-", a temporary file here with the text of the standard input, so that the files
 * that it names are relative to this folder. */
typedef struct scene_input {
    const char *path;
    char temporary[32]; /* empty: none */
} scene_input;

/* False with a message. `command` is for the message. */
bool scene_input_open(scene_input *input, const char *command, const char *path);
/* Removes the temporary file. */
void scene_input_close(scene_input *input);

#endif
