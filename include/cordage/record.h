/* Recording a run: results in files, in any of the registered formats. */
#ifndef CORDAGE_RECORD_H
#define CORDAGE_RECORD_H

#include <cordage/scene.h>

CORD_BEGIN

typedef struct cord_recorder cord_recorder;

/* The names of the output formats, NULL-terminated. */
CORD_API const char *const *cord_format_names(void);

/* Start recording a built scene into `directory` (made when it is not there), in the given formats
 * (NULL-terminated). *recorder is NULL only when memory is out; on other failures it holds the
 * message and is to be closed. */
CORD_API cord_status cord_recorder_open(cord_scene *scene, cord_world *world, const char *directory,
                                        const char *const *formats, cord_recorder **recorder);

/* Record the world as it is now. */
CORD_API cord_status cord_recorder_frame(cord_recorder *recorder);

/* Complete the files. The recorder is gone afterwards, whatever the status; NULL is fine. */
CORD_API cord_status cord_recorder_close(cord_recorder *recorder);

/* The message of the last failure, "" when there was none; valid until closed. */
CORD_API const char *cord_recorder_error(const cord_recorder *recorder);

CORD_END

#endif
