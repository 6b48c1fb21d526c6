// Known bad for tools/check_includes.py: what others use without including it, and a vector without its
// header.
#pragma once

#define TENFERRO_LOW low

struct BinaryHeap {
    std::vector<int> items;
};

int least_item(const BinaryHeap& heap);
