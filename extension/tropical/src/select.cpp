// The winner pass for operands that carry numbers. Lines of the result are compared with their terms in runs
// that the compiler vectorises; only where one is equal are numbers looked at.
#include "select.hpp"

#include <algorithm>

#include "arithmetic.hpp"

namespace tropical {

namespace {

constexpr Index kRun = 64;  ///< elements that are compared at once

template <class T, Algebra kAlgebra>
class Selector {
public:
    explicit Selector(const Selection& selection) : s_(selection) {}

    /// One column of the result in one slice of the batch.
    void column(Index n, Index b) const {
        const T* const lhs = static_cast<const T*>(s_.lhs) + b * s_.rows * s_.depth;
        const T* const rhs = static_cast<const T*>(s_.rhs) + (b * s_.columns + n) * s_.depth;
        const Index place = (b * s_.columns + n) * s_.rows;
        const T* const result = static_cast<const T*>(s_.result) + place;
        for (Index first = 0; first < s_.rows; first += kRun) {
            const Index count = std::min(kRun, s_.rows - first);
            bool found[kRun] = {};
            for (Index k = 0; k < s_.depth; ++k) {
                bool equal[kRun];
                if (!compare(lhs + k * s_.rows + first, rhs[k], result + first, count, equal)) continue;
                for (Index i = 0; i < count; ++i)
                    if (equal[i] && result[first + i] != zero_of<T>(kAlgebra))
                        take(first + i, n, k, b, found[i]);
            }
        }
    }

private:
    static bool compare(const T* __restrict lhs, T factor, const T* __restrict result, Index count,
                        bool* __restrict equal) {
        unsigned any = 0;
        for (Index i = 0; i < count; ++i) {
            const T term = product<kAlgebra>(lhs[i], factor);
            const bool same = (term == result[i]) | ((term != term) & (result[i] != result[i]));
            equal[i] = same;
            any |= static_cast<unsigned>(same);
        }
        return any != 0;
    }

    [[nodiscard]] Index number(const SelectionWord& word, Index m, Index n, Index k, Index b) const {
        Index sum = word.terms[static_cast<std::size_t>(k)];
        if (word.lhs != nullptr) sum += word.lhs[(b * s_.depth + k) * s_.rows + m];
        if (word.rhs != nullptr) sum += word.rhs[(b * s_.columns + n) * s_.depth + k];
        return sum;
    }

    /// Term k is equal to the element: it is the winner if it is the first or its number is less.
    void take(Index m, Index n, Index k, Index b, bool& found) const {
        const Index place = (b * s_.columns + n) * s_.rows + m;
        if (found) {
            bool less = false;
            for (std::size_t w = s_.words.size(); w-- > 0;) {
                const Index sum = number(s_.words[w], m, n, k, b), best = s_.words[w].out[place];
                if (sum == best) continue;
                less = sum < best;
                break;
            }
            if (!less) return;
        }
        found = true;
        for (const SelectionWord& word : s_.words) word.out[place] = number(word, m, n, k, b);
    }

    const Selection& s_;
};

}  // namespace

void select(Algebra algebra, tenferro::DType dtype, const Selection& selection,
            tenferro::CpuContext& context) {
    visit(algebra, dtype, [&]<class T, Algebra kAlgebra>() {
        const Selector<T, kAlgebra> selector(selection);
        const Index columns = selection.columns * selection.batch;
        const auto run = [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) selector.column(i % selection.columns, i / selection.columns);
        };
        const double work = static_cast<double>(columns) * static_cast<double>(selection.rows) *
                            static_cast<double>(selection.depth);
        constexpr double kParallelWork = 2e5;
        if (work < kParallelWork) return run(0, columns);
        // Between two parts it is looked at whether the result is still wanted.
        const Index parts = std::min<Index>(columns, 32 * context.threads());
        context.parallel_for(parts,
                             [&](Index part) { run(part * columns / parts, (part + 1) * columns / parts); });
    });
}

}  // namespace tropical
