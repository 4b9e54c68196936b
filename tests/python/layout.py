"""A C program that compiles if the package sees the core as the compiler does: prototypes, structures, room."""

import ctypes

from vesicle.library import STRUCTURES

print('#include "vesicle.h"\n#include "prototypes.h"\n#include <stddef.h>')
for name, structure in STRUCTURES.items():
    if structure._fields_[0][0] == "room":
        print(f'_Static_assert(sizeof({name}) <= {ctypes.sizeof(structure)}, "room for {name}");')
        continue
    print(f'_Static_assert(sizeof({name}) == {ctypes.sizeof(structure)}, "size of {name}");')
    for field, *_ in structure._fields_:
        place = getattr(structure, field)
        print(f'_Static_assert(offsetof({name}, {field}) == {place.offset}, "{name}.{field}");')
        print(f'_Static_assert(sizeof((({name} *)0)->{field}) == {place.size}, "{name}.{field}");')
