#include "trace/execution_trace.h"

#include <fmt/format.h>

#include <array>
#include <bit>

#include "base/bytes.h"
#include "base/error.h"

namespace trainyard::trace {

namespace {

constexpr base::ByteFormat chakra_format{
    "trace.chakra", "an execution trace is a file of Chakra messages (.et)",
    "write it with chakra_converter, version 0.0.4 or later; JSON traces are converted by it"};

// Fields of a message, one after the other.
class Fields {
 public:
  Fields(std::string_view bytes, std::string_view place) : reader_(bytes, place, chakra_format) {}

  // Goes to the next field, if there is one.
  bool next() {
    if (reader_.at_end()) return false;
    const std::uint64_t key = reader_.varint();
    number_ = key >> 3;
    switch (key & 7) {
      case 0: integer_ = reader_.varint(); break;
      case 1: integer_ = reader_.fixed64(); break;
      case 2: bytes_ = reader_.string(); break;
      case 5: integer_ = fixed32(); break;
      default: reader_.malformed(fmt::format("wire type {}", key & 7));
    }
    wire_ = key & 7;
    return true;
  }

  [[nodiscard]] std::uint64_t number() const { return number_; }
  [[nodiscard]] bool is_message() const { return wire_ == 2; }
  [[nodiscard]] std::uint64_t integer() const {
    if (wire_ == 2) reader_.malformed(fmt::format("field {} is no number", number_));
    return integer_;
  }
  [[nodiscard]] std::string_view bytes() const {
    if (wire_ != 2) reader_.malformed(fmt::format("field {} is no message", number_));
    return bytes_;
  }
  [[noreturn]] void malformed(std::string_view what) const { reader_.malformed(what); }

 private:
  std::uint64_t fixed32() {
    std::uint64_t value = 0;
    int shift = 0;
    for (const char byte : reader_.take(4)) {
      value |= static_cast<std::uint64_t>(static_cast<unsigned char>(byte)) << shift;
      shift += 8;
    }
    return value;
  }

  base::ByteReader reader_;
  std::uint64_t number_ = 0, wire_ = 0, integer_ = 0;
  std::string_view bytes_;
};

class Reader {
 public:
  explicit Reader(std::string_view place) : place_(place) {}

  [[nodiscard]] ExecutionTrace read(std::string_view bytes) const {
    base::ByteReader file(bytes, place_, chakra_format);
    ExecutionTrace trace;
    if (file.at_end()) file.malformed("no message");
    read_metadata(file.string(), trace);
    while (!file.at_end()) trace.nodes.push_back(node(file.string()));
    return trace;
  }

 private:
  void read_metadata(std::string_view bytes, ExecutionTrace& trace) const {
    Fields fields(bytes, place_);
    while (fields.next()) {
      if (fields.number() == 1) trace.version = fields.bytes();
      if (fields.number() == 2) add_attribute(fields.bytes(), trace.metadata);
    }
  }

  [[nodiscard]] ExecutionNode node(std::string_view bytes) const {
    ExecutionNode node;
    Fields fields(bytes, place_);
    while (fields.next()) {
      switch (fields.number()) {
        case 1: node.id = fields.integer(); break;
        case 2: node.name = fields.bytes(); break;
        case 3: node.type = type(fields); break;
        case 4: add_numbers(fields, node.control); break;
        case 5: add_numbers(fields, node.data); break;
        case 7: node.microseconds = fields.integer(); break;
        case 8:
          read_tensors(fields.bytes(), &node.input_values, node.input_shapes, node.input_types);
          break;
        case 9: read_tensors(fields.bytes(), nullptr, node.output_shapes, node.output_types); break;
        case 10: add_attribute(fields.bytes(), node.attributes); break;
        default: break;  // start times, and what later versions add
      }
    }
    return node;
  }

  static NodeType type(const Fields& fields) {
    if (fields.integer() > static_cast<std::uint64_t>(NodeType::collective))
      fields.malformed(fmt::format("node type {}", fields.integer()));
    return static_cast<NodeType>(fields.integer());
  }

  // Repeated numbers are packed into one field, or each one has its own.
  void add_numbers(const Fields& fields, std::vector<std::uint64_t>& list) const {
    if (!fields.is_message()) {
      list.push_back(fields.integer());
      return;
    }
    base::ByteReader packed(fields.bytes(), place_, chakra_format);
    while (!packed.at_end()) list.push_back(packed.varint());
  }

  void read_tensors(std::string_view bytes, std::string* values, std::string& shapes,
                    std::string& types) const {
    Fields fields(bytes, place_);
    while (fields.next()) {
      if (fields.number() == 1 && values != nullptr) *values = fields.bytes();
      if (fields.number() == 2) shapes = fields.bytes();
      if (fields.number() == 3) types = fields.bytes();
    }
  }

  void add_attribute(std::string_view bytes, Attributes& list) const {
    std::string key;
    AttributeValue value;
    bool is_known = false;
    Fields fields(bytes, place_);
    while (fields.next()) {
      if (fields.number() == 1)
        key = fields.bytes();
      else
        is_known |= read_value(fields, value);
    }
    if (is_known) list.emplace_back(std::move(key), std::move(value));
  }

  // Field numbers of the schema's oneof. Lists of numbers that are packed as varints are kept.
  bool read_value(const Fields& fields, AttributeValue& value) const {
    switch (fields.number()) {
      case 3: value = std::bit_cast<double>(fields.integer()); return true;
      case 5:
        value =
            static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(fields.integer())));
        return true;
      case 7:
      case 9:
      case 11:
      case 13:
      case 19:
      case 21:
      case 23:
      case 25:
      case 27: value = static_cast<std::int64_t>(fields.integer()); return true;
      case 15:
      case 17: value = base::unzigzag(fields.integer()); return true;
      case 29: value = std::string(fields.bytes()); return true;
      case 8:
      case 10:
      case 12:
      case 14:
      case 28: value = numbers(fields.bytes()); return true;
      default: return false;
    }
  }

  [[nodiscard]] std::vector<std::int64_t> numbers(std::string_view bytes) const {
    std::vector<std::uint64_t> list;
    Fields fields(bytes, place_);
    while (fields.next()) {
      if (fields.number() == 1) add_numbers(fields, list);
    }
    return {list.begin(), list.end()};
  }

  std::string_view place_;
};

}  // namespace

std::string_view name(NodeType type) {
  constexpr auto names =
      std::to_array<std::string_view>({"invalid", "metadata", "memory load", "memory store",
                                       "compute", "send", "receive", "collective"});
  return names.at(static_cast<std::size_t>(type));
}

ExecutionTrace read_execution_trace(std::string_view bytes, std::string_view place) {
  return Reader(place).read(bytes);
}

}  // namespace trainyard::trace
