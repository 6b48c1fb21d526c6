/* Includes TEMPLATE once per element type, with SUFFIX, SCALAR and PARTS (scalars per element), which it
 * undefines. */
#define SUFFIX f64
#define SCALAR double
#define PARTS 1
#include TEMPLATE
#define SUFFIX f32
#define SCALAR float
#define PARTS 1
#include TEMPLATE
#define SUFFIX c32
#define SCALAR float
#define PARTS 2
#include TEMPLATE
#define SUFFIX c64
#define SCALAR double
#define PARTS 2
#include TEMPLATE
