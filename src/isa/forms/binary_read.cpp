#include <fmt/format.h>

#include <limits>

#include "base/hash.h"
#include "isa/core/references.h"
#include "isa/forms/binary.h"
#include "isa/forms/record_defaults.h"
#include "isa/forms/value_bytes.h"

namespace trainyard::isa {

namespace {

constexpr base::ByteFormat format{"program.binary",
                                  "a binary program follows docs/formats/program.md",
                                  "write the program again; the file may be cut short, damaged or "
                                  "from a newer version"};

class Reader {
 public:
  Reader(std::string_view bytes, std::string_view place) : in_(bytes, place, format) {}

  Program run() {
    if (in_.take(binary::magic.size()) != binary::magic) in_.malformed("the first bytes differ");
    version_ = in_.varint();
    if (version_ == 0 || version_ > binary::version) in_.malformed("a version other than 1 or 2");
    program_.name = in_.text();
    program_.generation = static_cast<int>(in_.varint_at_most(4, "the generation"));
    texts();
    each(program_.tensors, "tensors", [&](Tensor& t) { tensor(t); });
    each(program_.dynamics, "run-time addresses", [&](DynamicAddress& d) {
      value_bytes::read(in_, d);
      refuse(problem(d, program_));
    });
    schema();
    for (std::size_t left = in_.count(4, "instructions"); left > 0; --left) instruction();
    each(program_.schedule_edges, "edges", [&](ScheduleEdge& e) {
      e = {index("an instruction"), index("an instruction")};
      refuse(problem(e, program_));
    });
    value_bytes::read(in_, program_.compiled);
    if (program_.compiled) streams();
    in_.expect_end();
    return std::move(program_);
  }

 private:
  struct Kind {
    Opcode opcode = 0;
    std::vector<std::size_t> operands;  // by place in the file, the operand's place here
  };

  std::uint32_t index(std::string_view what) {
    return static_cast<std::uint32_t>(
        in_.varint_at_most(std::numeric_limits<std::uint32_t>::max(), what));
  }
  std::uint16_t small(std::string_view what) {
    return static_cast<std::uint16_t>(
        in_.varint_at_most(std::numeric_limits<std::uint16_t>::max(), what));
  }
  void refuse(const Problem& problem) {
    if (problem) in_.malformed(problem.text());
  }

  // Every item takes at least a byte, so a count never asks for more memory than the file has.
  template <typename T, typename F>
  void each(std::vector<T>& items, std::string_view what, F&& read) {
    items.clear();
    for (std::size_t left = in_.count(1, what); left > 0; --left) {
      T item{};
      read(item);
      items.push_back(std::move(item));
    }
  }

  void texts() {
    each(program_.strings, "strings", [&](std::string& s) { s = in_.text(); });
    if (program_.strings.empty()) in_.malformed("the empty string is missing");
    each(program_.frames, "frames", [&](Frame& f) {
      f = {index("a file"), index("a function"), index("a line"), index("a caller")};
      if (!program_.frames.empty()) refuse(problem(f, program_));
    });
    each(program_.loop_indices, "loop indices", [&](LoopIndex& i) {
      i.name = static_cast<std::uint32_t>(
          in_.varint_at_most(program_.strings.size() - 1, "the name of a loop index"));
      i.value = in_.signed_varint();
    });
    each(program_.locations, "locations", [&](Location& l) {
      l = {index("a frame"), index("a loop index"), index("loop indices")};
      refuse(problem(l, program_));
    });
    if (program_.frames.empty() || program_.frames[0] != Frame{} || program_.locations.empty())
      in_.malformed("the frame and location that stand for none are missing");
  }

  void tensor(Tensor& tensor) {
    tensor.name = in_.text();
    each(tensor.shape, "dimensions", [&](std::int64_t& extent) { extent = in_.signed_varint(); });
    value_bytes::read(in_, tensor.dtype);
    value_bytes::read(in_, tensor.space);
    value_bytes::read(in_, tensor.role);
    value_bytes::read(in_, tensor.shared);
    value_bytes::read(in_, tensor.manual_address);
    tensor.partition_start = small("a start partition");
    tensor.address = in_.signed_varint();
    tensor.location = index("a location");
    if (version_ > 1) tensor.created = index("an instruction");
    const auto content = std::as_bytes(std::span(in_.string()));
    tensor.constant.assign(content.begin(), content.end());
    refuse(problem(tensor, program_));
  }

  void schema() {
    each(kinds_, "instruction kinds", [&](Kind& kind) {
      const std::string_view mnemonic = in_.text();
      const std::optional<Opcode> opcode = opcode_from_mnemonic(mnemonic);
      if (!opcode) in_.malformed(fmt::format("no instruction is called {}", mnemonic));
      kind.opcode = *opcode;
      each(kind.operands, "operands", [&](std::size_t& operand) { operand = this->operand(kind); });
      if (kind.operands.size() > 64) in_.malformed("more than 64 operands");
    });
  }

  std::size_t operand(const Kind& kind) {
    const InstructionInfo& what = info(kind.opcode);
    const std::string_view name = in_.text();
    const std::uint64_t type = in_.varint();
    for (std::size_t k = 0; k < what.operands.size(); ++k) {
      if (what.operands[k].name != name) continue;
      if (what.operands[k].type.index() != type)
        in_.malformed(fmt::format("{}'s {} has another type here", what.mnemonic, name));
      return k;
    }
    in_.malformed(fmt::format("{} has no operand {}", what.mnemonic, name));
  }

  void instruction() {
    if (kinds_.empty()) in_.malformed("instructions without a schema");
    const Kind& kind = kinds_[in_.varint_at_most(kinds_.size() - 1, "the kind of an instruction")];
    const InstructionInfo& what = info(kind.opcode);
    Engine engine = Engine::any;
    value_bytes::read(in_, engine);
    const auto queue = static_cast<std::uint8_t>(in_.varint_at_most(0xFF, "a queue"));
    const std::uint32_t location = index("a location");
    std::uint64_t given = in_.varint();
    RecordBuffer record(what);
    for (const std::size_t k : kind.operands) {
      if ((given & 1u) != 0)
        visit_operand(what.operands[k], record.data(),
                      [&](auto& value) { value_bytes::read(in_, program_, value); });
      given >>= 1;
    }
    if (given != 0) in_.malformed("an operand that the schema lacks");
    refuse(problem(what, record.data(), location, program_));
    const std::uint32_t i = program_.append_raw(kind.opcode, record.data(), engine, location);
    program_.instructions[i].queue = queue;
  }

  void streams() {
    program_.semaphore_count = small("semaphores");
    each(program_.waits, "waits", [&](Wait& w) { w = {small("a semaphore"), index("a count")}; });
    each(program_.signals, "signals", [&](Signal& s) {
      s = {small("a semaphore"), index("a count")};
    });
    for (std::vector<StreamItem>& stream : program_.streams) {
      each(stream, "stream items", [&](StreamItem& item) {
        item.instruction = index("an instruction");
        item.first_wait = index("a wait");
        item.wait_count = small("waits");
        item.first_signal = index("a signal");
        item.signal_count = small("signals");
        item.depends_back = index("a distance");
        refuse(problem(item, program_));
      });
    }
  }

  base::ByteReader in_;
  Program program_;
  std::uint64_t version_ = binary::version;
  std::vector<Kind> kinds_;
};

}  // namespace

Program from_binary(std::string_view bytes, std::string_view place) {
  base::ByteReader whole(bytes, place, format);
  if (!is_binary(bytes)) whole.malformed("the first bytes are not those of a program");
  if (bytes.size() < binary::magic.size() + binary::checksum_bytes)
    whole.malformed("the bytes end before the checksum");
  const std::string_view content = whole.take(bytes.size() - binary::checksum_bytes);
  if (whole.fixed64() != base::hash_bytes(std::as_bytes(std::span(content))))
    whole.malformed("the checksum differs from the content");
  return Reader(content, place).run();
}

}  // namespace trainyard::isa
