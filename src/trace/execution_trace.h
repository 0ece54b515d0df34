// Reads Chakra execution traces (mlcommons/chakra, schema/protobuf/et_def.proto): what one rank of
// a training step computed and sent, recorded on any accelerator. The file is a sequence of
// length-delimited messages, first the metadata, then one for each node. What a node costs is not
// decided here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace trainyard::trace {

// NodeType of the schema.
enum class NodeType : std::uint8_t {
  invalid,
  metadata,
  memory_load,
  memory_store,
  compute,
  send,
  receive,
  collective,
};
[[nodiscard]] std::string_view name(NodeType type);

// A scalar or, of the schema's lists, those of numbers. Other attributes are left out.
using AttributeValue = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>>;
using Attributes = std::vector<std::pair<std::string, AttributeValue>>;

struct ExecutionNode {
  std::uint64_t id = 0;
  std::string name = {};
  NodeType type = NodeType::invalid;
  std::vector<std::uint64_t> control = {}, data = {};  // ids of nodes that come before
  std::uint64_t microseconds = 0;                      // that it took where it was recorded
  // Lists as Python prints them: "[[64, 128], []]", "['Tensor(float)', 'Int']". The values of
  // tensors are who they are: "[[4, 5, 0, 8192, 4, 'cuda:0'], 1]".
  std::string input_values = {}, input_shapes = {}, input_types = {}, output_shapes = {},
              output_types = {};
  Attributes attributes = {};
};

struct ExecutionTrace {
  std::string version = {};
  Attributes metadata = {};
  std::vector<ExecutionNode> nodes = {};  // in the order of the file
};

// Throws InputError "trace.chakra" with the byte where the file stops making sense.
[[nodiscard]] ExecutionTrace read_execution_trace(std::string_view bytes, std::string_view place);

}  // namespace trainyard::trace
