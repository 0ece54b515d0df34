#include "pjrt/hlo_module.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace trainyard::pjrt {

namespace {

using graph::ElementType;

// A protobuf message under construction.
class Message {
 public:
  Message& number(int field, std::int64_t value) {
    key(field, 0);
    varint(static_cast<std::uint64_t>(value));
    return *this;
  }
  Message& text(int field, std::string_view value) {
    key(field, 2);
    varint(value.size());
    bytes_ += value;
    return *this;
  }
  Message& message(int field, const Message& value) { return text(field, value.bytes_); }
  Message& numbers(int field, std::span<const std::int64_t> values) {
    Message packed;
    for (const std::int64_t value : values) packed.varint(static_cast<std::uint64_t>(value));
    return values.empty() ? *this : message(field, packed);
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  void key(int field, int wire) {
    varint(static_cast<std::uint64_t>(field) << 3U | static_cast<std::uint64_t>(wire));
  }
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) bytes_ += static_cast<char>(value | 0x80U);
    bytes_ += static_cast<char>(value);
  }
  std::string bytes_;
};

// Of xla_data.proto.
int primitive_type(const graph::Type& type) {
  if (type.kind == graph::Type::Kind::token) return 17;
  switch (type.element) {
    case ElementType::pred: return 1;
    case ElementType::s8: return 2;
    case ElementType::s16: return 3;
    case ElementType::s32: return 4;
    case ElementType::s64: return 5;
    case ElementType::u8: return 6;
    case ElementType::u16: return 7;
    case ElementType::u32: return 8;
    case ElementType::u64: return 9;
    case ElementType::f16: return 10;
    case ElementType::f32: return 11;
    case ElementType::f64: return 12;
    case ElementType::c64: return 15;
    case ElementType::bf16: return 16;
    case ElementType::c128: return 18;
    default: return 6;  // its bytes: nobody computes with it here
  }
}

Message shape_of(const graph::Type& type) {
  Message shape, layout;
  shape.number(2, primitive_type(type));
  if (type.kind == graph::Type::Kind::token) return shape;
  std::vector<std::int64_t> order;
  for (std::int64_t d = type.rank() - 1; d >= 0; --d) order.push_back(d);
  layout.numbers(1, order);
  shape.numbers(3, type.shape).message(5, layout);
  shape.numbers(6, std::vector<std::int64_t>(type.shape.size(), 0));
  return shape;
}

Message sharding_of(const graph::Type& type, const graph::Sharding& sharding) {
  Message result;
  if (sharding.is_whole() || type.kind != graph::Type::Kind::tensor) return result.number(1, 0);
  const graph::Mesh& mesh = *sharding.mesh;
  graph::Axes used, others;
  std::vector<std::int64_t> tiles;
  for (std::size_t d = 0; d < type.shape.size(); ++d) {
    tiles.push_back(sharding.ways(d));
    used.insert(used.end(), sharding.axes(d).begin(), sharding.axes(d).end());
  }
  for (std::size_t axis = 0; axis < mesh.axes.size(); ++axis) {
    if (std::ranges::find(used, axis) == used.end()) others.push_back(axis);
  }
  const std::int64_t copies = graph::size_of(mesh, others);
  if (copies > 1) tiles.push_back(copies);
  const std::vector<std::int64_t> tile = graph::places_along(mesh, used),
                                  copy = graph::places_along(mesh, others);
  std::vector<std::int64_t> devices(tile.size());
  for (std::size_t device = 0; device < tile.size(); ++device)
    devices[static_cast<std::size_t>(tile[device] * copies + copy[device])] =
        static_cast<std::int64_t>(device);
  result.number(1, 3).numbers(3, tiles).numbers(4, devices);
  if (copies > 1) result.number(6, 1);
  return result;
}

}  // namespace

std::string hlo_module(const graph::Partitioned& program) {
  const graph::Function& main = program.module.entry();
  const std::vector<graph::ValueId>& arguments = main.body.arguments;
  const std::span<const graph::ValueId> results = main.results();
  Message signature, all_results, results_lie, computation, module;
  constexpr std::int64_t computation_id = 1;
  all_results.number(2, 13);
  results_lie.number(1, 2);
  for (std::size_t i = 0; i < results.size(); ++i) {
    all_results.message(4, shape_of(main.type(results[i])));
    results_lie.message(5, sharding_of(main.type(results[i]), program.results[i]));
  }
  computation.text(1, "main");
  std::vector<std::int64_t> operands;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string name = "p" + std::to_string(i);
    const Message shape = shape_of(main.type(arguments[i]));
    signature.message(1, shape);
    Message parameter;
    operands.push_back(static_cast<std::int64_t>(i));
    parameter.text(1, name).text(2, "parameter").message(3, shape);
    parameter.number(9, operands.back()).number(35, operands.back());
    computation.message(2, parameter);
  }
  signature.message(2, all_results);
  for (const std::int64_t i : operands) signature.text(3, "p" + std::to_string(i));
  const auto root_id = static_cast<std::int64_t>(arguments.size());
  Message root;
  root.text(1, "program").text(2, "custom-call").message(3, all_results);
  root.text(28, "neuron").number(35, root_id).numbers(36, operands);
  computation.message(2, root).message(4, signature).number(5, computation_id).number(6, root_id);
  module.text(1, program.module.name).text(2, "main").message(3, computation);
  module.message(4, signature).number(5, 1).number(6, computation_id).message(12, results_lie);
  for (std::size_t i = 0; i < arguments.size(); ++i)
    module.message(14, sharding_of(main.type(arguments[i]), program.arguments[i]));
  Message config, both;
  config.message(1, signature);
  return both.message(1, module).message(2, config).bytes();
}

}  // namespace trainyard::pjrt
