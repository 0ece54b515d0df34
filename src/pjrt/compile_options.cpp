#include "pjrt/compile_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <utility>

#include "base/bytes.h"
#include "base/error.h"
#include "pjrt/error.h"
#include "session/compiler_flags.h"

namespace trainyard::pjrt {

namespace {

constexpr std::string_view place = "compile options";
constexpr base::ByteFormat format{
    .label = "pjrt.compile_options",
    .rule = "compile options are a serialised CompileOptionsProto",
    .fix = "pass what jaxlib's CompileOptions.SerializeAsString gives",
};

// Compiler options that are flags of neuronx-cc.
struct FlagOption {
  std::string_view name, flag;
};
constexpr std::array flag_options{
    FlagOption{"auto_cast", "--auto-cast"}, FlagOption{"auto_cast_type", "--auto-cast-type"},
    FlagOption{"matmul_format", "--matmul-format"}, FlagOption{"precision", "--precision"},
    FlagOption{"division", "--division"}};

// One field of a protobuf message: a number, or bytes.
struct Field {
  std::uint64_t number = 0;
  std::uint64_t value = 0;
  std::string_view bytes{};
  double real = 0;
};

// Calls back for each field. Source of the wire types: Protocol Buffers encoding.
void for_each_field(std::string_view message, const std::function<void(const Field&)>& use) {
  base::ByteReader reader(message, place, format);
  while (!reader.at_end()) {
    const std::uint64_t tag = reader.varint();
    Field field{.number = tag >> 3};
    switch (tag & 7) {
      case 0: field.value = reader.varint(); break;
      case 1:
        field.value = reader.fixed64();
        field.real = std::bit_cast<double>(field.value);
        break;
      case 2: field.bytes = reader.string(); break;
      case 5: field.bytes = reader.take(4); break;
      default: reader.malformed("a wire type that is not in use");
    }
    use(field);
  }
}

std::int64_t count(const Field& field, std::string_view name) {
  constexpr std::uint64_t limit = 1 << 20;
  if (field.value > limit) {
    throw Failure(ErrorCode::invalid_argument,
                  fmt::format("compile options: {} is {}", name, field.value));
  }
  return static_cast<std::int64_t>(field.value);
}

// repeated int64, packed or one by one.
void append_ids(const Field& field, std::vector<std::int64_t>& ids) {
  if (field.bytes.empty()) {
    ids.push_back(count(field, "a device id"));
    return;
  }
  base::ByteReader reader(field.bytes, place, format);
  while (!reader.at_end()) ids.push_back(count({.value = reader.varint()}, "a device id"));
}

// A DeviceAssignmentProto holds one list for each partition, with an id for each replica.
std::vector<std::int64_t> read_device_assignment(std::string_view message) {
  std::vector<std::vector<std::int64_t>> by_partition;
  for_each_field(message, [&](const Field& field) {
    if (field.number != 3) return;
    std::vector<std::int64_t>& ids = by_partition.emplace_back();
    for_each_field(field.bytes, [&](const Field& id) {
      if (id.number == 1) append_ids(id, ids);
    });
  });
  std::vector<std::int64_t> result;
  const std::size_t replicas = by_partition.empty() ? 0 : by_partition.front().size();
  for (std::size_t replica = 0; replica < replicas; ++replica) {
    for (const auto& ids : by_partition) {
      if (ids.size() != replicas) {
        throw Failure(ErrorCode::invalid_argument,
                      "compile options: the device assignment is not a rectangle");
      }
      result.push_back(ids[replica]);
    }
  }
  return result;
}

void read_build_options(std::string_view message, CompileOptions& options) {
  for_each_field(message, [&](const Field& field) {
    switch (field.number) {
      case 4: options.replicas = count(field, "num_replicas"); break;
      case 5: options.partitions = count(field, "num_partitions"); break;
      case 9: options.device_ids = read_device_assignment(field.bytes); break;
      default: break;  // how XLA compiles
    }
  });
}

// A map entry: the key, and a value of one of four kinds.
std::pair<std::string, std::string> read_override(std::string_view message) {
  std::pair<std::string, std::string> result;
  for_each_field(message, [&](const Field& entry) {
    if (entry.number == 1) result.first = entry.bytes;
    if (entry.number != 2) return;
    for_each_field(entry.bytes, [&](const Field& value) {
      switch (value.number) {
        case 1: result.second = value.bytes; break;
        case 2: result.second = value.value != 0 ? "true" : "false"; break;
        case 3: result.second = fmt::format("{}", static_cast<std::int64_t>(value.value)); break;
        case 4: result.second = fmt::format("{}", value.real); break;
        default: break;
      }
    });
  });
  return result;
}

// XLA's options for its own platforms and for what it writes beside a program.
bool has_no_effect(std::string_view name) {
  constexpr std::array<std::string_view, 3> platforms{"xla_cpu_", "xla_gpu_", "xla_tpu_"};
  return name == "xla_embed_ir_in_executable" || name == "xla_dump_max_hlo_modules" ||
         std::ranges::any_of(platforms,
                             [&](std::string_view platform) { return name.starts_with(platform); });
}

// In XLA's words, which scripts look for.
void check_override(const std::string& name, const std::string& value) {
  if (name == "xla_embed_ir_in_executable" && value != "true" && value != "false") {
    throw Failure(ErrorCode::invalid_argument,
                  fmt::format("{}: '{}' is not a valid bool value.", name, value));
  }
  if (name == "mode" || has_no_effect(name) ||
      std::ranges::find(flag_options, name, &FlagOption::name) != flag_options.end())
    return;
  throw Failure(ErrorCode::invalid_argument,
                fmt::format("No such compile option: '{}'; the plugin `neuron` knows `mode` "
                            "(\"reference\" or \"machine\"), `auto_cast`, "
                            "`auto_cast_type`, `matmul_format`, `precision` and `division`",
                            name));
}

}  // namespace

CompileOptions read_compile_options(std::string_view bytes) {
  CompileOptions options;
  for_each_field(bytes, [&](const Field& field) {
    switch (field.number) {
      case 3: read_build_options(field.bytes, options); break;
      case 4: options.portable = field.value != 0; break;
      case 7: {
        auto [name, value] = read_override(field.bytes);
        check_override(name, value);
        options.overrides.insert_or_assign(std::move(name), std::move(value));
        break;
      }
      default: break;
    }
  });
  if (options.replicas < 1 || options.partitions < 1) {
    throw Failure(ErrorCode::invalid_argument,
                  fmt::format("compile options: {} replicas and {} partitions; each must be 1 or "
                              "more",
                              options.replicas, options.partitions));
  }
  if (!options.device_ids.empty() &&
      std::ssize(options.device_ids) != options.replicas * options.partitions) {
    throw Failure(ErrorCode::invalid_argument,
                  fmt::format("compile options: {} devices are assigned to {} replicas x {} "
                              "partitions",
                              options.device_ids.size(), options.replicas, options.partitions));
  }
  return options;
}

graph::Precision precision_of(const CompileOptions& options, const graph::Precision& base) {
  std::string flags;
  for (const FlagOption& each : flag_options) {
    const auto given = options.overrides.find(std::string(each.name));
    if (given != options.overrides.end()) flags += fmt::format("{}={} ", each.flag, given->second);
  }
  return session::read_compiler_flags(flags, base).precision;
}

std::string device_assignment(std::int64_t replicas, std::int64_t partitions,
                              const std::vector<std::int64_t>& device_ids) {
  const auto put_integer = [](std::string& out, std::uint64_t number, std::int64_t value) {
    base::put_varint(out, number << 3);
    base::put_varint(out, static_cast<std::uint64_t>(value));
  };
  std::string out;
  put_integer(out, 1, replicas);
  put_integer(out, 2, partitions);
  for (std::int64_t partition = 0; partition < partitions; ++partition) {
    std::string ids;
    for (std::int64_t replica = 0; replica < replicas; ++replica)
      put_integer(ids, 1,
                  device_ids.at(static_cast<std::size_t>(replica * partitions + partition)));
    base::put_varint(out, (3u << 3) | 2u);
    base::put_string(out, ids);
  }
  return out;
}

}  // namespace trainyard::pjrt
