// 1, as far as the compiler knows any number: a product with it is not optimised away.
#pragma once

namespace tropical {

template <class T>
inline T kOpaqueOne = 1;
extern template float kOpaqueOne<float>;
extern template double kOpaqueOne<double>;

}  // namespace tropical
