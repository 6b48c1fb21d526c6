/* The header compiles alone, as C. */
#include "tenferro_ext_tropical.h"

int main(void) { return 0; }
