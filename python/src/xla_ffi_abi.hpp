// The structs of XLA's foreign function interface (major version 0) that handlers on the host see, as they
// lie in memory. XLA's own header, which jaxlib ships, is not needed to build: python/tests/xla_ffi_abi.cpp
// compares the two where both are there. Structs only grow at their end and say their size first.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tenferro::python::xla {

struct Extension {
    std::size_t size;
    int type;  ///< kMetadata
    Extension* next;
};
inline constexpr int kMetadata = 1;

struct ApiVersion {
    std::size_t size;
    Extension* extensions;
    int major, minor;
};

/// What a handler says of itself when it is registered.
struct Metadata {
    std::size_t size;
    ApiVersion version;
    std::uint32_t traits;
};
struct MetadataExtension {
    Extension base;
    Metadata* metadata;
};

enum class ErrorCode : int {  // of those of XLA
    Cancelled = 1,
    InvalidArgument = 3,
    ResourceExhausted = 8,
    Unimplemented = 12,
    Internal = 13,
};
struct Error;
struct ErrorArguments {
    std::size_t size;
    Extension* extensions;
    const char* message;
    ErrorCode code;
};

/// Its first functions.
struct Api {
    std::size_t size;
    Extension* extensions;
    ApiVersion version;
    const void* internal;
    Error* (*create_error)(ErrorArguments*);
};

enum class DataType : int { Pred = 1, S32 = 4, S64 = 5, F32 = 11, F64 = 12, C64 = 15, C128 = 18 };

/// An array in rows.
struct Array {
    std::size_t size;
    Extension* extensions;
    DataType dtype;
    void* data;
    std::int64_t rank;
    std::int64_t* extents;
};

struct Arrays {
    std::size_t size;
    Extension* extensions;
    std::int64_t count;
    int* types;  ///< all are arrays
    Array** arrays;
};

struct Text {
    const char* data;
    std::size_t length;
};
/// Of an attribute that is a list of numbers.
struct Numbers {
    DataType dtype;
    std::size_t count;
    const void* data;
};
inline constexpr int kNumbers = 1, kText = 4;

/// By name, in ascending order.
struct Attributes {
    std::size_t size;
    Extension* extensions;
    std::int64_t count;
    int* types;
    Text** names;
    void** values;  ///< Numbers or Text
};

struct Call {
    std::size_t size;
    Extension* extensions;
    const Api* api;
    void* context;
    int stage;
    Arrays operands, results;
    Attributes attributes;
};

}  // namespace tenferro::python::xla
