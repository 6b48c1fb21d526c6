/* Ends what matrix_names.h began. */
#undef SAME_SHAPE
#undef JOIN_
#undef JOIN
#undef REAL
#undef COMPLEX
#undef TENSOR
#undef REAL_TENSOR
#undef COMPLEX_TENSOR
#undef T
#undef F
#undef OWN
#undef SUFFIX
#undef SCALAR
#undef PARTS
