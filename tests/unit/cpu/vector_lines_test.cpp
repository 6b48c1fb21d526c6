// Lines of vector math on every instruction set of the host: of every length, at every alignment, and with
// any neighbours they hold the same bits.
#include <algorithm>
#include <cstring>

#include "unit/cpu/vector_math.hpp"

namespace tenferro::cpu::test { namespace {

/// Calls f<Out, In>(op, operands) for every function of every type.
template <class F>
void for_each_line(F f) {
    const auto real = [&f](OpId op, std::size_t operands) {
        f.template operator()<float, float>(op, operands);
        f.template operator()<double, double>(op, operands);
    };
    for (const Function& function : kFunctions) real(function.op, 1);
    for (const BinaryFunction& function : kBinaryFunctions) real(function.op, 2);
    for (const ComplexFunction& function : kComplexFunctions) {
        if (function.op == OpId::Abs) {
            f.template operator()<float, Complex<float>>(function.op, 1);
            f.template operator()<double, Complex<double>>(function.op, 1);
        } else {
            f.template operator()<Complex<float>, Complex<float>>(function.op, function.operands);
            f.template operator()<Complex<double>, Complex<double>>(function.op, function.operands);
        }
    }
}

/// Operands with ordinary and some exceptional elements.
template <class T>
std::vector<T> line_operand(std::size_t count, double step, double first) {
    std::vector<T> x;
    for (std::size_t i = 0; i < count; ++i) {
        const double value = first + step * static_cast<double>(i);
        const double first_part = i % 17 == 5 ? 0 : i % 17 == 11 ? HUGE_VAL : value;
        if constexpr (std::is_floating_point_v<T>)
            x.push_back(static_cast<T>(first_part));
        else
            x.emplace_back(static_cast<typename T::value_type>(first_part),
                           static_cast<typename T::value_type>(0.5 - value));
    }
    return x;
}

/// Lines of 0 to 33 elements, at every alignment, in place too, give what one long plain line gives, and
/// write nothing beside.
template <class Out, class In>
void expect_any_line(OpId op, std::size_t operands, LineFunction plain, LineFunction line) {
    constexpr std::size_t kLongest = 33, kOffsets = 8;
    std::vector<Out> whole(kLongest + kOffsets);
    const std::vector<In> x = line_operand<In>(whole.size(), 0.37, -3),
                          y = line_operand<In>(whole.size(), 0.2, 1);
    const void* const all[] = {x.data(), y.data()};
    plain(whole.data(), all, static_cast<Index>(x.size()));
    for (std::size_t count = 0; count <= kLongest; ++count)
        for (std::size_t offset = 0; offset < kOffsets; ++offset) {
            std::vector<Out> z(offset + count + 1, Out(77));
            const void* const in[] = {x.data() + offset, y.data() + offset};
            line(z.data() + offset, in, static_cast<Index>(count));
            ASSERT_EQ(std::memcmp(z.data() + offset, whole.data() + offset, count * sizeof(Out)), 0)
                << info(op).name << " " << count;
            ASSERT_EQ(z[offset + count], Out(77));
            if constexpr (std::is_same_v<In, Out>) {
                for (std::size_t k = 0; k < operands; ++k) {
                    std::vector<In> in_place = k == 0 ? x : y;
                    const std::vector<In> before = in_place;
                    const void* same[] = {in[0], in[1]};
                    same[k] = in_place.data() + offset;
                    line(in_place.data() + offset, same, static_cast<Index>(count));
                    ASSERT_EQ(
                        std::memcmp(in_place.data() + offset, whole.data() + offset, count * sizeof(In)), 0)
                        << info(op).name << " " << count;
                    ASSERT_EQ(std::memcmp(in_place.data() + offset + count, before.data() + offset + count,
                                          (x.size() - offset - count) * sizeof(In)),
                              0);
                }
            }
        }
}

TEST(VectorLines, LinesMayHaveAnyLengthAndAlignment) {
    for_each_target([](const LineTable& table) {
        for_each_line([&table]<class Out, class In>(OpId op, std::size_t operands) {
            constexpr DType dtype = storage_dtype<In>;
            const LineFunction line = table.find(op, dtype), streaming = table.find_streaming(op, dtype);
            expect_any_line<Out, In>(op, operands, line, line);
            if (streaming != nullptr) expect_any_line<Out, In>(op, operands, line, streaming);
        });
    });
}

/// What a line gives for an element does not depend on its neighbours: that of the element alone has its
/// bits.
template <class Out, class In>
void expect_the_same_alone(OpId op, LineFunction line, const std::vector<In>& x, const std::vector<In>& y) {
    std::vector<Out> z(x.size());
    const void* const all[] = {x.data(), y.data()};
    line(z.data(), all, static_cast<Index>(x.size()));
    const std::size_t step = 1 + x.size() / 5000;
    for (std::size_t i = 0; i < x.size(); i += step) {
        Out alone;
        const void* const in[] = {&x[i], &y[i]};
        line(&alone, in, 1);
        ASSERT_EQ(std::memcmp(&alone, &z[i], sizeof(Out)), 0)
            << info(op).name << "(" << x[i] << ", " << y[i] << ") is " << alone << " or " << z[i];
    }
}

TEST(VectorLines, NeighboursDoNotMatter) {
    for_each_target([](const LineTable& table) {
        const auto real = [&table]<class T>(OpId op, const std::vector<T>& x, const std::vector<T>& y) {
            expect_the_same_alone<T, T>(op, table.find(op, storage_dtype<T>), x, y);
        };
        for (const Function& f : kFunctions) {
            real(f.op, arguments<float>(f.reach), arguments<float>(f.reach));
            real(f.op, arguments<double>(f.reach), arguments<double>(f.reach));
        }
        const auto pairs = [&real]<class T>(OpId op, T) {
            std::vector<T> x, y;
            draw_pairs(x, y);
            real(op, x, y);
        };
        for (const BinaryFunction& f : kBinaryFunctions) {
            pairs(f.op, 0.f);
            pairs(f.op, 0.);
        }
        const auto complex = [&table]<class T>(OpId op, T) {
            const LineFunction line = table.find(op, storage_dtype<Complex<T>>);
            const std::vector<Complex<T>> x = complex_numbers<T>(1);
            std::vector<Complex<T>> y = complex_numbers<T>(2);
            y.resize(x.size(), Complex<T>(1, 2));
            if (op == OpId::Abs)
                expect_the_same_alone<T, Complex<T>>(op, line, x, y);
            else
                expect_the_same_alone<Complex<T>, Complex<T>>(op, line, x, y);
        };
        for (const ComplexFunction& f : kComplexFunctions) {
            complex(f.op, 0.f);
            complex(f.op, 0.);
        }
    });
}

/// Long lines fetch ahead; they and those past the caches hold the bits of short ones.
TEST(VectorLines, LongLinesHoldTheBitsOfShortOnes) {
    for_each_target([](const LineTable& table) {
        for_each_line([&table]<class Out, class In>(OpId op, std::size_t) {
            constexpr std::size_t kLong = 5003, kShort = 100;
            const std::vector<In> x = line_operand<In>(kLong, 1e-3, -2), y = line_operand<In>(kLong, 7e-4, 1);
            std::vector<Out> z(kLong), whole(kLong);
            constexpr DType dtype = storage_dtype<In>;
            const LineFunction line = table.find(op, dtype);
            for (std::size_t i = 0; i < kLong; i += kShort) {
                const void* const in[] = {x.data() + i, y.data() + i};
                line(z.data() + i, in, static_cast<Index>(std::min(kShort, kLong - i)));
            }
            for (const LineFunction longer : {line, table.find_streaming(op, dtype)}) {
                if (longer == nullptr) continue;
                const void* const in[] = {x.data(), y.data()};
                longer(whole.data(), in, static_cast<Index>(kLong));
                EXPECT_EQ(std::memcmp(whole.data(), z.data(), sizeof(Out) * kLong), 0) << info(op).name;
            }
        });
    });
}

}}  // namespace tenferro::cpu::test
