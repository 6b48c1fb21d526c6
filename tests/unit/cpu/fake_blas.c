/* What is asked of a BLAS before it computes, by a library that says it was built for one thread on OpenMP.
 */
#include <stdint.h>

static int team = 7;

int64_t isamax_(const int64_t* count, const float* x, const int64_t* step) {
    return *count == 3 && x[2] == 3 && *step == 1 ? 3 : (int32_t)*count;
}
const char* openblas_get_config(void) { return "OpenBLAS of a test USE_OPENMP SINGLE_THREADED"; }
int omp_get_max_threads(void) { return team; }
void omp_set_num_threads(int threads) { team = threads; }
