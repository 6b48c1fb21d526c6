// Known bad for tools/check_includes.py: compiles only behind a file that includes heap.hpp.
namespace TENFERRO_LOW {
int least(const BinaryHeap& heap) { return least_item(heap); }
}  // namespace TENFERRO_LOW
