// The public headers in a C++ program. CMake writes two translation units for each header, one in C and
// one in C++, which include that header alone; the one in C++ lists the addresses of all functions that
// the header declares, so that one without C linkage does not link. This program checks the lists, and
// uses the library as a program in C++ does.
#include <cordage/cordage.h>
#include <cordage/picture.h>
#include <cordage/record.h>
#include <cordage/scene.h>

#include <cstdio>
#include <cstring>

#include "header_list.h" // DECLARE(header), one for each

namespace
{

int failures;

void check(bool condition, const char *what)
{
    if (condition) return;
    std::fprintf(stderr, "test_headers: %s\n", what);
    failures++;
}

void check_list(const char *header, void (*const *function)(), int count)
{
    for (int i = 0; i < count; i++) check(function[i] != nullptr, header);
}

void check_a_world()
{
    cord_world_def def = cord_world_def_default();
    cord_world *world = nullptr;
    check(cord_world_create(&def, &world) == CORD_OK, "no world");
    const double positions[] = {0, 0, 0, 0.1, 0, 0, 0.2, 0, 0};
    cord_strand_def rope = cord_strand_def_default();
    cord_strand made{};
    rope.vertex_count = 3;
    rope.positions = positions;
    check(cord_world_add_strand(world, &rope, &made) == CORD_OK, cord_world_get_error(world));
    check(cord_world_step(world, 1e-3) == CORD_OK, cord_world_get_error(world));
    double now[9] = {};
    check(cord_strand_get_positions(world, made, now) == CORD_OK && now[2] < 0, "nothing fell");
    cord_world_destroy(world);
}

} // namespace

int main()
{
    check(std::strcmp(cord_version(), CORD_VERSION) == 0, "the version differs from the header's");
    check(cord_picture_def_default().width == 1280, "the default width of a picture");
#define DECLARE(name) check_list(#name, cord_functions_of_##name, cord_function_count_of_##name);
    HEADER_LIST(DECLARE)
#undef DECLARE
    check_a_world();
    return failures > 0;
}
