/* One run at a time writes to a folder of results. */
#ifndef CORDAGE_CLI_FOLDER_LOCK_H
#define CORDAGE_CLI_FOLDER_LOCK_H

typedef struct folder_lock {
    int file; /* -1: none is held */
    char path[1100];
} folder_lock;

/* Locks a folder, which is created where it does not exist. Prints a message and returns an exit code when another
 * process holds the lock, or nothing can be written there. The system releases the lock when the process ends,
 * however it ends. */
int lock_folder(folder_lock *l, const char *folder);
void unlock_folder(folder_lock *l);

#endif
