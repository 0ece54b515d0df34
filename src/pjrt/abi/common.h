// The words that every part of the PJRT C interface shares: headers, codes, element types, layouts,
// named values, programs. Interface facts of version 0.114; field names are the public ones. A test
// compares each size and offset with an independent description.
#pragma once

#include <cstddef>
#include <cstdint>

namespace trainyard::pjrt {

// What a caller holds pointers to. The first two begin with a table of functions, see below.
struct Error;
struct Memory;
struct Event;
struct Client;
struct Device;
struct DeviceDescription;
struct Executable;
struct LoadedExecutable;
struct Buffer;
struct TopologyDescription;
struct ExecuteContext;
struct TransferManager;
struct CopyToDeviceStream;
struct AsyncTrackingEvent;
struct FulfillAlias;
struct SerializedBytes;  // owns what a serialised object points into
struct DeviceAttributes;
struct Chunk;
struct ExtensionBase;

// How each argument record begins; struct_size is the size that the caller was built with.
struct Header {
  std::size_t struct_size{};
  ExtensionBase* extension_start{};
};

enum class ErrorCode : std::uint32_t {
  ok,
  cancelled,
  unknown,
  invalid_argument,
  deadline_exceeded,
  not_found,
  already_exists,
  permission_denied,
  resource_exhausted,
  failed_precondition,
  aborted,
  out_of_range,
  unimplemented,
  internal,
  unavailable,
  data_loss,
  unauthenticated,
};

enum class BufferType : std::uint32_t {
  invalid,
  pred,
  s8,
  s16,
  s32,
  s64,
  u8,
  u16,
  u32,
  u64,
  f16,
  f32,
  f64,
  bf16,
  c64,
  c128,
  f8e5m2,
  f8e4m3fn,
  f8e4m3b11fnuz,
  f8e5m2fnuz,
  f8e4m3fnuz,
  s4,
  u4,
  token,
  s2,
  u2,
  f8e4m3,
  f8e3m4,
  f8e8m0fnu,
  f4e2m1fn,
  s1,
  u1,
  f6e2m3fn,
  f6e3m2fn,
};

enum class HostBufferSemantics : std::uint32_t {
  immutable_only_during_call,
  immutable_until_transfer_completes,
  immutable_zero_copy,
  mutable_zero_copy,
};

enum class NamedValueType : std::uint32_t { string, int64, int64_list, float32, boolean };

struct NamedValue {
  Header header;
  const char* name;
  std::size_t name_size;
  NamedValueType type;
  union {
    const char* string_value;
    std::int64_t int64_value;
    const std::int64_t* int64_array_value;
    float float_value;
    bool bool_value;
  };
  std::size_t value_size;  // elements of the value: characters, integers, or 1
};

enum class LayoutType : std::uint32_t { tiled, strides };

struct TiledLayout {
  Header header;
  const std::int64_t* minor_to_major;
  std::size_t minor_to_major_size;
  const std::int64_t* tile_dims;
  const std::size_t* tile_dim_sizes;
  std::size_t num_tiles;
};
struct StridedLayout {
  Header header;
  const std::int64_t* byte_strides;
  std::size_t num_byte_strides;
};
struct MemoryLayout {
  Header header;
  union {
    TiledLayout tiled;
    StridedLayout strides;
  };
  LayoutType type;
};

struct Program {
  Header header{};
  char* code{};
  std::size_t code_size{};
  const char* format{};
  std::size_t format_size{};
};

struct ShapeSpec {
  Header header{};
  const std::int64_t* dims{};
  std::size_t num_dims{};
  BufferType element_type{};
};

struct LogicalDeviceIds {
  std::int32_t replica;
  std::int32_t partition;
};

using OnReady = void (*)(Error* error, void* user_arg);
using BytesDeleter = void (*)(SerializedBytes*);
using PayloadVisitor = void (*)(const char* key, std::size_t key_size, const char* value,
                                std::size_t value_size, void* user_arg);

// The first word of an Error and of a Memory points to one of these: callers built for 0.112 and
// later call them without going through the table of slots.
struct ErrorFunctions {
  std::size_t struct_size;
  std::size_t instance_size;
  ExtensionBase* extension_start;
  void (*destroy)(Error*);
  void (*message)(const Error*, const char** message, std::size_t* message_size);
  ErrorCode (*get_code)(const Error*);
  void (*for_each_payload)(const Error*, PayloadVisitor visitor, void* user_arg);
};
struct MemoryFunctions {
  std::size_t struct_size;
  ExtensionBase* extension_start;
  std::size_t instance_struct_size;
  void* (*get_user_data)(Memory*, const void* key);
  void (*set_user_data)(Memory*, const void* key, void* data, void (*destructor)(void*));
};

}  // namespace trainyard::pjrt
