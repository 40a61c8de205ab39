/* A model in two files. */
#include "included.h"
active proctype P()
{
	STEP;
	helper()
}
