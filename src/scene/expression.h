/* Arithmetic expressions for all numbers of a scene: "$n * 2 cm", "($r + 1 mm) / 2", "sqrt(2) * 1 m".
 *
 *     sum     = product { (+ | -) product }
 *     product = power { (* | /) power }
 *     power   = [-] value [^ power]
 *     value   = (number | $name | pi | function "(" sum ")" | "(" sum ")") [units]
 *
 * Functions are sqrt, sin, cos, tan, exp, log and abs. Dimensions are computed and checked. Length and depth are
 * bounded. */
#ifndef CORDAGE_SCENE_EXPRESSION_H
#define CORDAGE_SCENE_EXPRESSION_H

#include "scene/diagnostics.h"
#include "scene/units.h"
#include "scene/yaml_tree.h"

enum {
    EXPRESSION_MAX_LENGTH = 1000,
    EXPRESSION_MAX_DEPTH = 32, /* brackets, powers, and variables that depend on variables */
};

typedef enum variable_state {
    VARIABLE_WRITTEN, /* not evaluated yet */
    VARIABLE_BUSY,    /* being evaluated: a second visit is a circular definition */
    VARIABLE_KNOWN,
    VARIABLE_WRONG,
} variable_state;

typedef struct variable {
    const char *name;
    const node *at;
    variable_state state;
    bool used;
    quantity value;
} variable;

typedef struct scope {
    int count;
    variable *list;
    bool circular;   /* the expression being evaluated depends on itself */
    bool incomplete; /* definitions could not be read: an unknown variable may be one of them */
} scope;

/* The value of an expression; `names` may be NULL. False with a message in `error`, which is empty if a variable has an
 * error that is diagnosed where it is defined. */
bool cord__evaluate(scope *names, const char *text, quantity *q, char *error, size_t error_size);

/* The length of the name at p: letters, digits and _, not beginning with a digit; 0: none. */
size_t cord__identifier_length(const char *p);

#endif
