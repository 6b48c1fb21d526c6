/* Names for one element type in tests of linear algebra, from SUFFIX, SCALAR and PARTS (scalars per element);
 * matrix_names_end.h ends them. */
#define JOIN_(a, b, c) a##b##c
#define JOIN(a, b, c) JOIN_(a, b, c)
#define REAL JOIN(REAL_OF_, SUFFIX, )
#define COMPLEX JOIN(COMPLEX_OF_, SUFFIX, )
#define TENSOR JOIN(tfe_tensor_, SUFFIX, )
#define REAL_TENSOR JOIN(tfe_tensor_, REAL, )
#define COMPLEX_TENSOR JOIN(tfe_tensor_, COMPLEX, )
#define T(name) JOIN(tfe_tensor_, SUFFIX, _##name)
#define F(name) JOIN(tfe_##name, _, SUFFIX)
#define OWN(name) JOIN(name, _, SUFFIX)

#define SAME_SHAPE(tensor, n, ...) \
    has_shape(T(ndim)(tensor), n, (T(shape)(tensor, shape_seen), shape_seen), (const size_t[]){__VA_ARGS__})
