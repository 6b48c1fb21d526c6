// Elements of .npy files: reading with byte swapping, and writing through an OutputFile.
#include "tenferro/tensor/npy.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <fstream>
#include <istream>
#include <new>
#include <ostream>
#include <string>
#include <system_error>

#include "tenferro/base/error.hpp"
#include "tenferro/base/output_file.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/tensor_core/row_major.hpp"
#include "tensor/npy_header.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

static_assert(std::endian::native == std::endian::little, "write_npy writes the memory image");

namespace {

/// So many bytes are read or written at a time: little enough for progress, and for an interrupt, which comes
/// through between two calls of the system.
constexpr std::size_t kChunk = std::size_t{4} << 20;

/// Up to `count` bytes from the current position.
std::size_t read_up_to(std::istream& in, char* to, std::size_t count) {
    in.read(to, static_cast<std::streamsize>(count));
    return static_cast<std::size_t>(in.gcount());
}

/// Reverses the bytes of every real number.
void swap_bytes(DType dtype, std::byte* data, std::size_t bytes) {
    const std::size_t width = info(dtype).is_complex ? info(dtype).bytes / 2 : info(dtype).bytes;
    for (std::size_t at = 0; at < bytes; at += width) std::reverse(data + at, data + at + width);
}

/// Throws unless the file holds as many bytes of data as its header says.
void expect_size(const NpyHeader& header, std::uint64_t present, std::string_view name) {
    if (present == header.data_bytes) return;
    throw Error(ErrorKind::InvalidArgument, name,
                text(present < header.data_bytes ? "is truncated" : "has trailing bytes", ": shape ",
                     list_text(header.shape), " of ", info(header.dtype).name, " needs ", header.data_bytes,
                     " bytes but the file holds ", present));
}

/// The data of a file whose first bytes, `begun`, have been read. What is missing or too much is found at the
/// end of the stream.
void read_data(std::istream& in, std::string_view begun, const NpyHeader& header, char* to,
               std::string_view name, const ReadProgress* progress) {
    const std::size_t total = header.data_bytes;
    std::size_t done = std::min(begun.size(), total);
    std::copy_n(begun.data(), done, to);
    while (done < total && in) {
        done += read_up_to(in, to + done, std::min(kChunk, total - done));
        if (progress != nullptr) (*progress)(done, total);
    }
    char more = 0;
    expect_size(header, std::max(done, begun.size()) + read_up_to(in, &more, 1), name);
}

}  // namespace

Tensor read_npy(std::istream& in, std::optional<std::uint64_t> bytes, std::string_view name,
                const ReadProgress* progress) try {
    std::string prefix(kMaxNpyPrefix, '\0');
    prefix.resize(read_up_to(in, prefix.data(), prefix.size()));
    const NpyHeader header = parse_npy_header(prefix, name);
    if (bytes) expect_size(header, *bytes - header.data_offset, name);

    Buffer buffer = allocate_buffer(header.data_bytes, name);
    std::byte* data = buffer.data();
    read_data(in, std::string_view(prefix).substr(header.data_offset), header, reinterpret_cast<char*>(data),
              name, progress);
    if (header.swapped) swap_bytes(header.dtype, data, header.data_bytes);
    if (header.dtype == DType::Bool)  // any byte but 0 is true, in NumPy too
        std::transform(data, data + header.data_bytes, data,
                       [](std::byte b) { return std::byte{b != std::byte{0}}; });
    if (header.fortran_order) return {std::move(buffer), header.dtype, header.shape};
    return {std::move(buffer), header.dtype, data, header.shape, row_major_strides(header.shape)};
} catch (const std::bad_alloc&) {
    throw_out_of_memory("npy");
}

Tensor load_npy(const std::filesystem::path& path, const ReadProgress* progress) try {
    const std::string name = path.string();
    const auto refuse = [&](std::string_view why) { throw Error(ErrorKind::InvalidArgument, name, why); };
    std::error_code code;
    const auto status = std::filesystem::status(path, code);
    if (status.type() == std::filesystem::file_type::not_found) refuse("no such file");
    if (std::filesystem::is_directory(status)) refuse("is a folder");
    std::ifstream file(path, std::ios::binary);
    if (!file) refuse(text("cannot be opened: ", std::generic_category().message(errno)));
    std::optional<std::uint64_t> bytes;  // a pipe has no size
    if (std::filesystem::is_regular_file(status)) bytes = std::filesystem::file_size(path, code);
    return read_npy(file, code ? std::nullopt : bytes, name, progress);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("npy");
}

void write_npy(std::ostream& out, const Tensor& tensor, std::string_view name) try {
    const Tensor compact = tensor.is_compact() ? tensor.share() : tensor.duplicate();
    const std::string header = npy_header_text(compact.dtype(), compact.shape(), name);
    out.write(header.data(), static_cast<std::streamsize>(header.size()));
    const std::size_t bytes = static_cast<std::size_t>(compact.size()) * info(compact.dtype()).bytes;
    for (std::size_t at = 0; at < bytes && out; at += kChunk)
        out.write(static_cast<const char*>(compact.data()) + at,
                  static_cast<std::streamsize>(std::min(kChunk, bytes - at)));
} catch (const std::bad_alloc&) {
    throw_out_of_memory("npy");
}

void save_npy(const std::filesystem::path& path, const Tensor& tensor) try {
    OutputFile file(path);
    write_npy(file.stream(), tensor, path.string());
    file.commit();
} catch (const std::bad_alloc&) {
    throw_out_of_memory("npy");
}

}}  // namespace tenferro::TENFERRO_ABI
