// Argument records of the slots of a topology, compilation ahead of time included. See common.h.
#pragma once

#include "pjrt/abi/common.h"

namespace trainyard::pjrt {

struct TopologyDescriptionCreateArgs {
  Header header{};
  const char* topology_name{};
  std::size_t topology_name_size{};
  const NamedValue* create_options{};
  std::size_t num_options{};
  TopologyDescription* topology{};
};

struct TopologyDescriptionDestroyArgs {
  Header header{};
  TopologyDescription* topology{};
};

struct TopologyDescriptionPlatformNameArgs {
  Header header{};
  TopologyDescription* topology{};
  const char* platform_name{};
  std::size_t platform_name_size{};
};

struct TopologyDescriptionPlatformVersionArgs {
  Header header{};
  TopologyDescription* topology{};
  const char* platform_version{};
  std::size_t platform_version_size{};
};

struct TopologyDescriptionGetDeviceDescriptionsArgs {
  Header header{};
  TopologyDescription* topology{};
  DeviceDescription* const* descriptions{};
  std::size_t num_descriptions{};
};

struct TopologyDescriptionSerializeArgs {
  Header header{};
  TopologyDescription* topology{};
  const char* serialized_bytes{};
  std::size_t serialized_bytes_size{};
  SerializedBytes* serialized_topology{};
  BytesDeleter serialized_topology_deleter{};
};

struct TopologyDescriptionAttributesArgs {
  Header header{};
  TopologyDescription* topology{};
  const NamedValue* attributes{};
  std::size_t num_attributes{};
};

struct CompileArgs {
  Header header{};
  TopologyDescription* topology{};
  Program* program{};
  const char* compile_options{};
  std::size_t compile_options_size{};
  Client* client{};
  Executable* executable{};
};

struct TopologyDescriptionDeserializeArgs {
  Header header{};
  const char* serialized_topology{};
  std::size_t serialized_topology_size{};
  TopologyDescription* topology{};
};

struct TopologyDescriptionFingerprintArgs {
  Header header{};
  TopologyDescription* topology{};
  std::size_t fingerprint{};
};

struct TopologyDescriptionMakeCanonicalShapeForMemorySpaceArgs {
  Header header{};
  TopologyDescription* topology{};
  std::int32_t memory_space_kind_id{};
  const std::int64_t* dims{};
  std::size_t num_dims{};
  BufferType element_type{};
  const MemoryLayout* layout{};
  SerializedBytes* serialized_shape{};
  std::size_t serialized_shape_size{};
  BytesDeleter serialized_shape_deleter{};
};

struct TopologyDescriptionGetMemorySpaceKindIdsArgs {
  Header header{};
  TopologyDescription* topology{};
  const int* memory_space_kind_ids{};
  std::size_t num_memory_space_kind_ids{};
};

}  // namespace trainyard::pjrt
