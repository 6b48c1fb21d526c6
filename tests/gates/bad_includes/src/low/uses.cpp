// Known bad for tools/check_includes.py: compiles only behind a file that includes heap.hpp.
int least(const BinaryHeap& heap) { return least_item(heap); }
