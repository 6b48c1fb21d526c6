// Compiles where the structs of python/src/xla_ffi_abi.hpp lie in memory as XLA's header says.
#include "xla/ffi/api/c_api.h"

#include "xla_ffi_abi.hpp"

namespace ours = tenferro::python::xla;

static_assert(offsetof(ours::Extension, type) == offsetof(XLA_FFI_Extension_Base, type));
static_assert(offsetof(ours::MetadataExtension, metadata) == offsetof(XLA_FFI_Metadata_Extension, metadata));
static_assert(offsetof(ours::Metadata, version) == offsetof(XLA_FFI_Metadata, api_version));
static_assert(offsetof(ours::Metadata, traits) == offsetof(XLA_FFI_Metadata, traits));
static_assert(offsetof(ours::ApiVersion, major) == offsetof(XLA_FFI_Api_Version, major_version));
static_assert(offsetof(ours::ApiVersion, minor) == offsetof(XLA_FFI_Api_Version, minor_version));
static_assert(offsetof(ours::ErrorArguments, message) == offsetof(XLA_FFI_Error_Create_Args, message));
static_assert(offsetof(ours::ErrorArguments, code) == offsetof(XLA_FFI_Error_Create_Args, errc));
static_assert(offsetof(ours::Api, version) == offsetof(XLA_FFI_Api, api_version));
static_assert(offsetof(ours::Api, create_error) == offsetof(XLA_FFI_Api, XLA_FFI_Error_Create));
static_assert(offsetof(ours::Array, dtype) == offsetof(XLA_FFI_Buffer, dtype));
static_assert(offsetof(ours::Array, data) == offsetof(XLA_FFI_Buffer, data));
static_assert(offsetof(ours::Array, rank) == offsetof(XLA_FFI_Buffer, rank));
static_assert(offsetof(ours::Array, extents) == offsetof(XLA_FFI_Buffer, dims));
static_assert(offsetof(ours::Arrays, count) == offsetof(XLA_FFI_Args, size));
static_assert(offsetof(ours::Arrays, arrays) == offsetof(XLA_FFI_Args, args));
static_assert(sizeof(ours::Arrays) == sizeof(XLA_FFI_Args) && sizeof(ours::Arrays) == sizeof(XLA_FFI_Rets));
static_assert(offsetof(ours::Text, length) == offsetof(XLA_FFI_ByteSpan, len));
static_assert(offsetof(ours::Numbers, count) == offsetof(XLA_FFI_Array, size));
static_assert(offsetof(ours::Numbers, data) == offsetof(XLA_FFI_Array, data));
static_assert(offsetof(ours::Attributes, count) == offsetof(XLA_FFI_Attrs, size));
static_assert(offsetof(ours::Attributes, types) == offsetof(XLA_FFI_Attrs, types));
static_assert(offsetof(ours::Attributes, names) == offsetof(XLA_FFI_Attrs, names));
static_assert(offsetof(ours::Attributes, values) == offsetof(XLA_FFI_Attrs, attrs));
static_assert(offsetof(ours::Call, api) == offsetof(XLA_FFI_CallFrame, api));
static_assert(offsetof(ours::Call, stage) == offsetof(XLA_FFI_CallFrame, stage));
static_assert(offsetof(ours::Call, operands) == offsetof(XLA_FFI_CallFrame, args));
static_assert(offsetof(ours::Call, results) == offsetof(XLA_FFI_CallFrame, rets));
static_assert(offsetof(ours::Call, attributes) == offsetof(XLA_FFI_CallFrame, attrs));

static_assert(ours::kMetadata == XLA_FFI_Extension_Metadata && XLA_FFI_API_MAJOR == 0);
static_assert(ours::kNumbers == XLA_FFI_AttrType_ARRAY && ours::kText == XLA_FFI_AttrType_STRING);
static_assert(static_cast<int>(ours::DataType::Pred) == XLA_FFI_DataType_PRED);
static_assert(static_cast<int>(ours::DataType::S32) == XLA_FFI_DataType_S32);
static_assert(static_cast<int>(ours::DataType::S64) == XLA_FFI_DataType_S64);
static_assert(static_cast<int>(ours::DataType::F32) == XLA_FFI_DataType_F32);
static_assert(static_cast<int>(ours::DataType::F64) == XLA_FFI_DataType_F64);
static_assert(static_cast<int>(ours::DataType::C64) == XLA_FFI_DataType_C64);
static_assert(static_cast<int>(ours::DataType::C128) == XLA_FFI_DataType_C128);
static_assert(static_cast<int>(ours::ErrorCode::Cancelled) == XLA_FFI_Error_Code_CANCELLED);
static_assert(static_cast<int>(ours::ErrorCode::InvalidArgument) == XLA_FFI_Error_Code_INVALID_ARGUMENT);
static_assert(static_cast<int>(ours::ErrorCode::ResourceExhausted) == XLA_FFI_Error_Code_RESOURCE_EXHAUSTED);
static_assert(static_cast<int>(ours::ErrorCode::Unimplemented) == XLA_FFI_Error_Code_UNIMPLEMENTED);
static_assert(static_cast<int>(ours::ErrorCode::Internal) == XLA_FFI_Error_Code_INTERNAL);
