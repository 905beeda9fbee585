# The viewer: web/ bundled to one page, which is embedded in the library. Sets viewer_found and viewer_source.
# npm installs its packages in web/node_modules, shared by all builds.

set(viewer_found FALSE)
set(viewer_folder ${PROJECT_SOURCE_DIR}/web)
find_program(NODE NAMES node nodejs)
find_program(NPM npm)

if(NOT NODE OR NOT NPM)
    message(STATUS "No viewer: node and npm are required; runs will write no page. Install nodejs and npm to get it")
    return()
endif()

# npm ci runs again whenever the list of packages has changed.
set(viewer_lock ${viewer_folder}/package-lock.json)
set(viewer_installed ${viewer_folder}/node_modules/.package-lock.json)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${viewer_lock})
if(NOT EXISTS ${viewer_installed} OR ${viewer_lock} IS_NEWER_THAN ${viewer_installed})
    message(STATUS "Installing the viewer's packages (npm ci in web/)")
    execute_process(COMMAND ${NPM} ci --no-audit --no-fund --loglevel=error
                    WORKING_DIRECTORY ${viewer_folder} RESULT_VARIABLE failed)
    if(failed)
        message(STATUS "No viewer: npm ci failed in web/; runs will write no page")
        return()
    endif()
    file(TOUCH ${viewer_installed})
endif()

set(viewer_output ${PROJECT_BINARY_DIR}/web)
set(viewer_source ${viewer_output}/viewer_page.c)
file(GLOB viewer_inputs CONFIGURE_DEPENDS ${viewer_folder}/src/*)
add_custom_command(
    OUTPUT ${viewer_source} ${viewer_output}/viewer.html
    COMMAND ${NODE} ${viewer_folder}/build.mjs ${viewer_output}
    DEPENDS ${viewer_inputs} ${viewer_folder}/build.mjs ${viewer_lock}
    COMMENT "Bundling the viewer"
    VERBATIM)
set(viewer_found TRUE)
