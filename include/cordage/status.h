/* Status codes, and the macros that every public header uses.
 *
 * Every function that can fail returns a cord_status: zero on success, a negative value on failure.
 * cord_world_get_error() returns the message that belongs to the last failure on a world. */
#ifndef CORDAGE_STATUS_H
#define CORDAGE_STATUS_H

/* CORD_BEGIN and CORD_END enclose declarations that have C linkage in C++. */
#ifdef __cplusplus
#define CORD_BEGIN extern "C" {
#define CORD_END }
#else
#define CORD_BEGIN
#define CORD_END
#endif

/* CORD_API marks a symbol that the shared library exports. */
#if defined(__GNUC__)
#define CORD_API __attribute__((visibility("default")))
#else
#define CORD_API
#endif

CORD_BEGIN

/* The list of all status codes: name, value, and the text that cord_status_text() returns. */
#define CORD_STATUS_LIST(X)                                                                        \
    X(OK, 0, "no error")                                                                           \
    X(ERROR_MEMORY, -1, "out of memory")                                                           \
    X(ERROR_ARGUMENT, -2, "invalid argument")                                                      \
    X(ERROR_HANDLE, -3, "handle is null, stale or of another world")                               \
    X(ERROR_UNKNOWN_NAME, -4, "no model or constraint of that name")                               \
    X(ERROR_UNSUPPORTED, -5, "this model or constraint cannot do that")                            \
    X(ERROR_INCONSISTENT, -6, "constraints contradict each other")                                 \
    X(ERROR_NOT_CONVERGED, -7, "the solver did not converge")                                      \
    X(ERROR_NOT_FINITE, -8, "a value is not finite")                                               \
    X(ERROR_SINGULAR, -9, "the system is singular")                                                \
    X(ERROR_UNSTABLE, -10, "the equilibrium is unstable")                                          \
    X(ERROR_INPUT, -11, "the scene has errors")                                                    \
    X(ERROR_FILE, -12, "a file cannot be read or written")                                         \
    X(ERROR_CANCELLED, -13, "cancelled by the caller")                                             \
    X(ERROR_BUSY, -14, "a callback must not make this call")

/* The result of a call: CORD_OK or one of CORD_ERROR_MEMORY, CORD_ERROR_ARGUMENT, … as listed above. */
typedef enum cord_status {
#define CORD_STATUS_ENUM(name, value, text) CORD_##name = (value),
    CORD_STATUS_LIST(CORD_STATUS_ENUM)
#undef CORD_STATUS_ENUM
} cord_status;

/* Returns a short English text for a status. The text is static and never NULL; a value that is not
 * in the list gives "unknown status". */
CORD_API const char *cord_status_text(cord_status status);

CORD_END

#endif
