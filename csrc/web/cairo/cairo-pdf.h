#include "cairo.h"
