# embed(NAME FILE): the bytes of a file as the C array NAME and their number, NAME_size; the source is added to `embedded`.
function(embed name file)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} bytes HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/embedded/${name}.c @ONLY CONTENT
"#include <stddef.h>

extern const unsigned char @name@[];
extern const size_t @name@_size;
const unsigned char @name@[] = {@bytes@};
const size_t @name@_size = sizeof @name@;
")
    set(embedded ${embedded} ${PROJECT_BINARY_DIR}/embedded/${name}.c PARENT_SCOPE)
endfunction()
