#include <cordage/cordage.h>
#include <stdio.h>

int main(void)
{
    cord_world_def def = cord_world_def_default();
    cord_world *world;
    cord_status status = cord_world_create(&def, &world);
    if (status != CORD_OK) return 1;
    printf("cordage %s\n", cord_version());
    cord_world_destroy(world);
    return 0;
}
