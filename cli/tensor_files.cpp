// One progress bar per file.
#include "cli/tensor_files.hpp"

#include <memory>

#include "cli/input_file.hpp"
#include "cli/interrupt.hpp"
#include "cli/progress_bar.hpp"
#include "cli/terminal_text.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/output_file.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/tensor/npy.hpp"

namespace tenferro::cli {

std::vector<Tensor> load_operands(const std::vector<std::string>& files) {
    expect_one_standard_input(files);
    std::vector<Tensor> operands;
    for (const std::string& file : files) {
        ProgressBar bar(text("reading ", printable(file)));
        const ReadProgress progress(bar);
        InputFile input(file);
        operands.push_back(read_npy(input.stream(), input.bytes(), input.name(), &progress));
        const DType first = operands.front().dtype(), last = operands.back().dtype();
        if (last != first)
            throw Error(ErrorKind::DTypeMismatch, "operands",
                        text(files.front(), " has dtype ", info(first).name, " but ", file, " has dtype ",
                             info(last).name));
    }
    return operands;
}

void save_result(const std::string& file, const Tensor& result) {
    const NamedTensor named{file, &result};
    save_results({&named, 1});
}

void save_results(std::span<const NamedTensor> results) {
    struct Writing {
        explicit Writing(const std::string& file) : out(file), guard(out.temporary()) {}
        OutputFile out;
        RemovedOnInterrupt guard;
    };
    std::vector<std::unique_ptr<Writing>> files;
    for (const NamedTensor& result : results) {
        OutputFile& out = files.emplace_back(std::make_unique<Writing>(result.file))->out;
        write_npy(out.stream(), *result.tensor, result.file);
    }
    for (const auto& file : files) file->out.commit();
}

}  // namespace tenferro::cli
