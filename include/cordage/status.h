/* Status codes. Every call that can fail returns one; zero is success, errors are negative.
 * The message that goes with the last failure on a world is cord_world_get_error(). */
#ifndef CORDAGE_STATUS_H
#define CORDAGE_STATUS_H

#ifdef __cplusplus
#define CORD_BEGIN extern "C" {
#define CORD_END }
#else
#define CORD_BEGIN
#define CORD_END
#endif

#if defined(__GNUC__)
#define CORD_API __attribute__((visibility("default")))
#else
#define CORD_API
#endif

CORD_BEGIN

/* One list: name, value, text. */
#define CORD_STATUS_LIST(X)                                                                        \
    X(OK, 0, "no error")                                                                           \
    X(ERROR_MEMORY, -1, "out of memory")                                                           \
    X(ERROR_ARGUMENT, -2, "invalid argument")                                                      \
    X(ERROR_HANDLE, -3, "handle is null, stale or of another world")                               \
    X(ERROR_UNKNOWN_NAME, -4, "no model or constraint of that name")                               \
    X(ERROR_UNSUPPORTED, -5, "this model or constraint cannot do that")                            \
    X(ERROR_INCONSISTENT, -6, "constraints contradict each other")                                 \
    X(ERROR_NOT_CONVERGED, -7, "the solver did not converge")                                      \
    X(ERROR_NOT_FINITE, -8, "a number is not finite")                                              \
    X(ERROR_SINGULAR, -9, "the system is singular")                                                \
    X(ERROR_UNSTABLE, -10, "the equilibrium is unstable")                                          \
    X(ERROR_INPUT, -11, "the scene is wrong")                                                      \
    X(ERROR_FILE, -12, "a file cannot be read or written")

typedef enum cord_status {
#define CORD_STATUS_ENUM(name, value, text) CORD_##name = (value),
    CORD_STATUS_LIST(CORD_STATUS_ENUM)
#undef CORD_STATUS_ENUM
} cord_status;

/* A short text for a status; never NULL. */
CORD_API const char *cord_status_text(cord_status status);

CORD_END

#endif
