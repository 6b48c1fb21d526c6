/* The header compiles alone, and declares what the list of C names has. */
#include "tenferro_ext_tropical.h"

int main(void) { return 0; }
