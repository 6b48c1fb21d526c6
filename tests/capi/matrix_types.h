/* The element types of real and of complex results for matrices of each element type. */
#ifndef TENFERRO_TESTS_MATRIX_TYPES_H
#define TENFERRO_TESTS_MATRIX_TYPES_H

#define REAL_OF_f64 f64
#define REAL_OF_c64 f64
#define REAL_OF_f32 f32
#define REAL_OF_c32 f32
#define COMPLEX_OF_f64 c64
#define COMPLEX_OF_c64 c64
#define COMPLEX_OF_f32 c32
#define COMPLEX_OF_c32 c32

#endif
