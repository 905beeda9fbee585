#include "strand/registry.h"
#include "strand/traits.h"

#include <string.h>

#define DECLARE_STRAND(name) extern const strand_ops cord__##name;
STRAND_LIST(DECLARE_STRAND)
#undef DECLARE_STRAND

const strand_ops *cord__strand_find(const char *name)
{
#define STRAND_ADDRESS(name) &cord__##name,
    static const strand_ops *const models[] = {STRAND_LIST(STRAND_ADDRESS)};
#undef STRAND_ADDRESS
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        if (strcmp(models[i]->block.name, name) == 0) return models[i];
    return NULL;
}

const strand_traits *cord__strand_traits(const char *name)
{
    static const strand_traits none;
    const strand_ops *ops = cord__strand_find(name);
    return ops ? &ops->traits : &none;
}

const char *const *cord_model_names(void)
{
#define STRAND_NAME(name) #name,
    static const char *const names[] = {STRAND_LIST(STRAND_NAME) NULL};
#undef STRAND_NAME
    return names;
}
