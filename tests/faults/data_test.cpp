// Tensors, views, files, texts, DLPack, symbolic extents, backends and the small things beside them.
#include <unistd.h>
#include <array>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <sstream>

#include "faults/sweep.hpp"
#include "support/dlpack_lender.hpp"
#include "tenferro/base/cancellation.hpp"
#include "tenferro/base/json_place.hpp"
#include "tenferro/base/output_file.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/cpu/contraction/contract.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/cpu/cpu_context.hpp"
#include "tenferro/ops/constant_array.hpp"
#include "tenferro/ops/number.hpp"
#include "tenferro/ops/tensor_meta.hpp"
#include "tenferro/reference/reference_backend.hpp"
#include "tenferro/tensor/creation.hpp"
#include "tenferro/tensor/npy.hpp"
#include "tenferro/tensor/print.hpp"
#include "tenferro/tensor_core/sym_dim_parts.hpp"

namespace tenferro::faults { namespace {

const Dims kLong{2, 1, 1, 1, 1, 1, 1, 1, 1, 3}, kAll{9, 8, 7, 6, 5, 4, 3, 2, 1, 0}, kOnes(10, 1),
    kNone(10, 0);

TEST(Data, TensorsAndViews) {
    const Tensor a = ones(DType::F64, kLong);
    const double values[] = {1, 2, 3, 4, 5, 6};
    (void)sweep({"Tensor::zeros"}, [] { (void)Tensor::zeros(DType::F64, kLong); });
    (void)sweep({"Tensor::from_bytes"}, [&] { (void)Tensor::from_bytes(DType::F64, values, 6, kLong); });
    (void)sweep({"Tensor::copy_of"}, [&] { (void)Tensor::copy_of(a.read().transpose_view(kAll)); });
    (void)sweep({"Tensor::share"}, [&] { (void)a.share(); });
    (void)sweep({"Tensor::share_as"}, [&] { (void)a.share_as(a.read().transpose_view(kAll)); });
    (void)sweep({"Tensor::Tensor", "allocate_buffer"},
                [] { (void)Tensor(allocate_buffer(48), DType::F64, kLong); });
    (void)sweep({"tfe_detail::filled", "ones"}, [] { (void)ones(DType::F32, kLong); });
    (void)sweep({"eye"}, [] { (void)eye(DType::F64, 3); });
    (void)sweep({"Tensor tfe_detail::counted", "tfe_detail::count_of"}, [] {
        (void)arange(5);
        (void)arange(std::int64_t{5});
        (void)arange(0.F, 1.F, 0.5F);
        (void)arange(0., 1., 0.5);
    });
    const TensorRead& view = a.read();
    (void)sweep({"TensorRead::transpose_view"}, [&] { (void)view.transpose_view(kAll); });
    (void)sweep({"TensorRead::reshape_view"}, [&] { (void)view.reshape_view(kLong); });
    (void)sweep({"TensorRead::reverse_view"}, [&] { (void)view.reverse_view(kAll); });
    (void)sweep({"TensorRead::select_view"}, [&] { (void)view.select_view(9, 1); });
    (void)sweep({"TensorRead::slice_view"}, [&] { (void)view.slice_view(kNone, kLong, kOnes); });
    (void)sweep({"TensorRead::diagonal_view"}, [&] { (void)view.diagonal_view(1, 2); });
    Dims wide = kLong, axes{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    wide[1] = 4;
    (void)sweep({"TensorRead::broadcast_view"}, [&] { (void)view.broadcast_view(wide, axes); });
    (void)sweep(
        {"TensorRead::read_element", "TensorRead::read_item", "Tensor::check_dtype", "Tensor::check_present"},
        [&] {
            (void)a.at(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
            (void)a.data_as<double>();
            Tensor one = Tensor::zeros(DType::F64, {});
            (void)one.item();
        });
}

TEST(Data, Layouts) {
    (void)sweep({"element_count", "byte_count", "column_major_strides", "is_injective", "check_axes",
                 "check_permutation", "free_axes"},
                [] {
                    (void)element_count(kLong, "test");
                    (void)byte_count(kLong, 8, "test");
                    (void)is_injective(kLong, column_major_strides(kLong));
                    check_axes(kAll, 10, "test", "all");
                    check_permutation(kAll, 10, "test");
                    (void)free_axes(10, kAll, {});
                });
    const DotGeneralConfig outer;
    (void)sweep({"dot_general_shape"}, [&] { (void)dot_general_shape(kLong, kLong, outer); });
    (void)sweep({"throw_different_shapes"}, [] {
        try {
            check_same_shape(kLong, kAll, "test");
        } catch (const Error& error) {
            if (error.kind() != ErrorKind::ShapeMismatch) throw;
        }
    });
}

TEST(Data, Texts) {
    const Tensor a = ones(DType::F64, {3, 4});
    const std::string longer(100, 'x');
    sweep_of(2, {"tfe_detail::joined", "tfe_detail::TextPart::append_to"},
             [&] { (void)text(longer, 1, longer, -1, longer); });
    sweep_of(2, {"tfe_detail::joined"}, [&] { (void)list_text(Dims(100, 7)); });
    (void)sweep({"to_string"}, [&] { (void)to_string(a); });
    std::ostringstream out;
    (void)sweep({"operator<<"}, [&] {
        {
            const Pause pause;
            out.str(std::string(4096, ' '));
            out.seekp(0);
        }
        out << a;
    });
}

TEST(Data, Files) {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / text("tenferro_faults_", ::getpid());
    std::filesystem::create_directory(folder);
    const std::filesystem::path file = folder / "a.npy";
    const Tensor a = ones(DType::F64, {3, 4});
    (void)sweep({"save_npy", "write_npy", "OutputFile::OutputFile", "OutputFile::commit"},
                [&] { save_npy(file, a); });
    (void)sweep({"load_npy", "read_npy"}, [&] { (void)load_npy(file); });
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1) << "nothing is left over";
    std::filesystem::remove_all(folder);
}

TEST(Data, Dlpack) {
    const double value = 7;
    alignas(8) const char memory[16] = {};
    for (const int shift : {0, 1})
        (void)sweep({"from_dlpack", "DlpackDeleter::operator"}, [&] {
            std::optional<test::Lender> lender;
            {
                const Pause pause;
                lender.emplace(DType::F64, memory + shift, Dims{1}, Dims{1});
            }
            struct Check {
                test::Lender& lender;
                ~Check() {
                    const Pause pause;
                    EXPECT_EQ(lender.deleted, 1);
                }
            } check{*lender};
            (void)from_dlpack(&lender->managed);
        });
    Tensor tensor = Tensor::from_data<double>({value}, {1});
    (void)sweep({"to_dlpack"}, [&] { tensor = from_dlpack(to_dlpack(std::move(tensor))); });
    EXPECT_EQ(tensor.item(), 7) << "kept by what failed";
    (void)sweep({"share_dlpack", "claim_dlpack"}, [&] {
        OwnedDlpack shared = share_dlpack(tensor);
        const OwnedDlpack claimed(claim_dlpack(std::move(shared)));
    });
}

TEST(Data, SymbolicExtents) {
    const SymDim n = SymDim::input(1, 0), m = SymDim::input(1, 1), sum = n * m + max(n, m);
    const auto bind = [](DimSymbol symbol) { return Index{symbol.axis + 2}; };
    (void)sweep({"SymDim::input"}, [] { (void)SymDim::input(3, 0); });
    (void)sweep({"operator+"}, [&] { (void)(n + m); });
    (void)sweep({"operator-"}, [&] { (void)(n - m); });
    (void)sweep({"operator*"}, [&] { (void)(sum * sum); });
    (void)sweep({"exact_div"}, [&] { (void)exact_div(sum, n); });
    (void)sweep({"min"}, [&] { (void)min(n, m); });
    (void)sweep({"max"}, [&] { (void)max(n, m); });
    (void)sweep({"SymDim::text"}, [&] { (void)sum.text(); });
    (void)sweep({"SymDim::evaluate"}, [&] { (void)sum.evaluate(bind); });
    (void)sweep({"SymDim::substitute"}, [&] { (void)sum.substitute([&](DimSymbol) { return n + 1; }); });
    (void)sweep({"SymDim::symbols"}, [&] { (void)sum.symbols(); });
    (void)sweep({"parts_of"}, [&] { (void)parts_of(sum); });
    const SymShape shape{n, 3};
    (void)sweep({"symbolic", "shape_text", "element_count", "concrete"}, [&] {
        (void)shape_text(shape);
        (void)element_count(shape);
        (void)concrete(symbolic(kLong), "test");
    });
    without_memory({"SymDim::hash", "operator=="}, [&] { (void)(sum.hash() + (sum == n ? 1U : 0U)); });
}

TEST(Data, Backends) {
    (void)sweep({"CpuBackend::CpuBackend", "CpuBackend::with_threads", "CpuBackend::with_kind",
                 "CpuBackend::with_threads_and_kind"},
                [] {
                    const CpuBackend one, other(CpuOptions{.threads = 2});
                    (void)CpuBackend::with_kind(CpuKind::Builtin);
                    (void)CpuBackend::with_threads(2);
                    (void)CpuBackend::with_threads_and_kind(1, CpuKind::Builtin);
                });
    (void)sweep({"CpuBackend::CpuBackend"}, [] {
        try {
            (void)CpuBackend::with_kind(CpuKind::Blas);
        } catch (const Error& error) {
            if (error.kind() != ErrorKind::Unsupported) throw;
        }
    });
    (void)sweep({"ReferenceBackend::ReferenceBackend"}, [] { const ReferenceBackend backend; });
    (void)sweep({"CpuContext::CpuContext", "CpuContext::parallel_for", "CpuContext::set_threads"}, [] {
        CpuContext context(1);
        context.set_threads(3);
        context.parallel_for(3, [](Index) {});
    });
    CpuBackend backend(CpuOptions{.threads = 2});
    without_memory(
        {"CpuBackend::has_kind", "CpuBackend::kind", "CpuBackend::provider", "CpuBackend::threads",
         "CpuBackend::set_threads", "CpuBackend::stream_bytes", "CpuBackend::set_stream_bytes",
         "CpuBackend::pool_stats", "CpuBackend::set_pool_limit", "CpuBackend::trim_pool",
         "CpuContext::threads", "CpuContext::stream_bytes", "CpuContext::set_stream_bytes",
         "BackendSession::concurrency", "CpuBackend::open_session", "ReferenceBackend::open_session",
         "BackendScope::BackendScope", "current_backend", "cpu::context_of"},
        [&] {
            (void)CpuBackend::has_kind(CpuKind::Blas);
            (void)backend.kind();
            (void)backend.provider();
            backend.set_threads(backend.threads());
            backend.set_stream_bytes(backend.stream_bytes());
            (void)backend.pool_stats();
            backend.set_pool_limit(1 << 20);
            backend.trim_pool();
            backend.with_backend_session([](BackendSession& session) {
                (void)session.concurrency();
                (void)cpu::context_of(session);
            });
            const BackendScope scope(backend);
            (void)current_backend();
        });
    CpuContext context(1);
    without_memory({"CpuContext::threads"}, [&] { context.set_stream_bytes(context.stream_bytes()); });
}

TEST(Data, SmallThings) {
    (void)sweep({"CancellationToken::cancellable"}, [] { (void)CancellationToken::cancellable(); });
    (void)sweep({"CancellationToken::asking"},
                [] { (void)CancellationToken::asking([] { return false; }).cancelled(); });
    const CancellationToken token = CancellationToken::cancellable();
    without_memory({"CancellationToken::cancel", "CancellationToken::glance", "CancellationToken::look"},
                   [&] {
                       token.cancel();
                       (void)token.cancelled();
                   });
    const CancellationToken other = CancellationToken::cancellable();
    without_memory({"CancellationScope::enter", "CancellationScope::leave", "CancellationScope::current",
                    "CancellationScope::check", "CancellationScope::is_due"},
                   [&] {
                       const CancellationScope outer(other, "outer"), inner(other, "inner");
                       const CancellationScope same(CancellationScope::current());
                       CancellationScope::check_current();
                       (void)inner.is_due();
                   });
    (void)sweep({"CancellationToken::stop"}, [&] {
        try {
            token.check("test");
        } catch (const Error& error) {
            if (error.kind() != ErrorKind::Cancelled) throw;
        }
    });
    const Tensor array = ones(DType::F64, kLong);
    (void)sweep({"ElementwiseFusionPlan::ElementwiseFusionPlan"}, [] {
        std::vector<DType> inputs;
        std::vector<FusionStep> steps;
        std::vector<std::uint16_t> outputs;
        {
            const Pause pause;
            inputs = {DType::F64};
            steps = {{OpId::Exp, {0}, DType::F64}};
            outputs = {1};
        }
        const ElementwiseFusionPlan plan(std::move(inputs), std::move(steps), std::move(outputs));
    });
    (void)sweep({"call_stack"}, [] { (void)call_stack(); });
    without_memory({"Error::Error", "Error::what", "Error::kind", "Error::op", "Error::message",
                    "Error::cause", "Error::root_kind", "Error::backtrace", "Error::operator=", "version",
                    "is_fusible", "elementwise_operands", "Number::beside", "op_graph::new_input_id"},
                   [] {
                       (void)is_fusible(OpId::Exp, DType::F64);
                       (void)elementwise_operands(OpId::Exp);
                       (void)Number(2).beside(DType::F64);
                   });
}

/// What has been read so far is destroyed without memory.
TEST(Data, JsonValues) {
    const std::string text =
        R"({"numbers":[1,2.5,18446744073709551615],"nested":[[{"key":"a long text in it"}]]})";
    const Json read = Json::parse(text, "test");
    sweep_of(8, {"Json::parse"}, [&] { (void)Json::parse(text, "test"); });
    sweep_of(1, {"Json::dump"}, [&] { (void)read.dump("test"); });
    sweep_of(5, {"Json::Json", "Json::digits_of", "Json::add"}, [] {
        Json list = Json::list();
        list.add(std::numeric_limits<std::uint64_t>::max());
        list.add(-1.2345678901234567e-300);
        list.add("a text that is longer than those in place");
        (void)Json::object().with("a key that is longer than those in place", std::move(list));
    });
    const Json places = Json::parse(R"({"numbers":[1,2],"text":"a","flag":true})", "test");
    const Json invalid = Json::object().with("a key that is longer than those in place", "\xff");
    sweep_of(3, {"Json::dump", "JsonPlace::fail", "JsonPlace::where"}, [&] {
        try {
            (void)invalid.dump("test");
        } catch (const Error& error) {
            if (error.kind() != ErrorKind::InvalidArgument) throw;
        }
    });
    without_memory({"Json::find", "Json::type_name", "Json::list", "Json::object", "Json::operator="}, [&] {
        (void)read.find("nested")->type_name();
        Json value = Json::list();
        value = Json::object();
    });
    without_memory({"JsonPlace::members", "JsonPlace::check_keys", "JsonPlace::member", "JsonPlace::size",
                    "JsonPlace::integer", "JsonPlace::integer_to", "JsonPlace::index", "JsonPlace::string",
                    "JsonPlace::boolean"},
                   [&] {
                       const JsonPlace document(places, "test");
                       document.check_keys({"numbers", "text", "flag"});
                       const JsonPlace numbers = document.at("numbers");
                       for (std::size_t i = 0; i < numbers.size(); ++i) {
                           (void)numbers.at(i).integer();
                           (void)numbers.at(i).integer_to(2);
                           (void)numbers.at(i).index(3, "number");
                       }
                       (void)document.at("text").string();
                       (void)document.at("flag").boolean();
                   });
}

/// Errors without memory: cut, counted by a reserve, and given back.
TEST(Data, ErrorsNeedNoMemory) {
    const std::string longest(1000, 'x');
    for (int round = 0; round < 300; ++round) {
        fault_arm(1, 0, 1);
        const Error cause(ErrorKind::OutOfMemory, "inner", "17 bytes"),
            error(ErrorKind::Singular, "op", longest, cause), copy(error);
        const bool failed = fault_disarm() != 0;
        EXPECT_TRUE(failed);
        EXPECT_EQ(copy.kind(), ErrorKind::Singular);
        EXPECT_EQ(copy.op(), "op");
        EXPECT_EQ(copy.message().substr(0, 3), "xxx");
        EXPECT_EQ(copy.message().substr(copy.message().size() - 3), "...") << "a cut message says so";
        EXPECT_EQ(copy.root_kind(), ErrorKind::OutOfMemory);
        EXPECT_STREQ(copy.cause()->what(), "inner: 17 bytes");
    }
    // More than the reserve holds.
    fault_arm(1, 0, 1);
    std::array<std::optional<Error>, 80> many;
    for (std::optional<Error>& error : many) error.emplace(ErrorKind::Singular, "op", "message");
    fault_disarm();
    EXPECT_STREQ(many.front()->what(), "op: message");
    EXPECT_STREQ(many.back()->what(), "tenferro: out of memory");
    EXPECT_EQ(many.back()->op(), "tenferro");
    EXPECT_EQ(many.back()->message(), "out of memory");
    EXPECT_EQ(many.back()->kind(), ErrorKind::Singular);
}

}}  // namespace tenferro::faults
