#include <array>

#include "base/hash.h"
#include "isa/forms/binary.h"
#include "isa/forms/record_defaults.h"
#include "isa/forms/value_bytes.h"

namespace trainyard::isa {

namespace {

using base::put_signed;
using base::put_string;
using base::put_varint;

// Into a string, or into a hash, which tells programs apart as the bytes would.
template <typename Out>
class Writer {
 public:
  explicit Writer(const Program& program) : program_(program) {}

  Out run() {
    for (const char letter : binary::magic) base::put_byte(out_, static_cast<std::uint8_t>(letter));
    put_varint(out_, binary::version);
    put_string(out_, program_.name);
    put_varint(out_, static_cast<std::uint64_t>(program_.generation));
    each(program_.strings, [&](const std::string& s) { put_string(out_, s); });
    each(program_.frames, [&](const Frame& f) { numbers(f.file, f.function, f.line, f.caller); });
    each(program_.loop_indices, [&](const LoopIndex& index) {
      put_varint(out_, index.name);
      put_signed(out_, index.value);
    });
    each(program_.locations,
         [&](const Location& l) { numbers(l.frame, l.first_index, l.index_count); });
    each(program_.tensors, [&](const Tensor& t) { tensor(t); });
    each(program_.dynamics, [&](const DynamicAddress& d) { value_bytes::write(out_, d); });
    instructions();
    each(program_.schedule_edges, [&](const ScheduleEdge& e) { numbers(e.producer, e.consumer); });
    value_bytes::write(out_, program_.compiled);
    if (program_.compiled) streams();
    return std::move(out_);
  }

 private:
  template <typename T, typename F>
  void each(const std::vector<T>& items, F&& write) {
    put_varint(out_, items.size());
    for (const T& item : items) write(item);
  }
  void numbers(auto... values) { (put_varint(out_, values), ...); }

  void tensor(const Tensor& tensor) {
    put_string(out_, tensor.name);
    each(tensor.shape, [&](std::int64_t extent) { put_signed(out_, extent); });
    value_bytes::write(out_, tensor.dtype);
    value_bytes::write(out_, tensor.space);
    value_bytes::write(out_, tensor.role);
    value_bytes::write(out_, tensor.shared);
    value_bytes::write(out_, tensor.manual_address);
    put_varint(out_, tensor.partition_start);
    put_signed(out_, tensor.address);
    numbers(tensor.location, tensor.created);
    put_string(out_,
               {reinterpret_cast<const char*>(tensor.constant.data()), tensor.constant.size()});
  }

  // The instructions in use, by their first appearance, with the names and types of their operands.
  void schema() {
    std::vector<Opcode> used;
    number_.fill(0);
    for (const Instruction& what : program_.instructions) {
      if (number_[what.opcode] != 0) continue;
      used.push_back(what.opcode);
      number_[what.opcode] = static_cast<std::uint32_t>(used.size());
    }
    each(used, [&](Opcode opcode) {
      put_string(out_, info(opcode).mnemonic);
      put_varint(out_, info(opcode).operands.size());
      for (const OperandInfo& operand : info(opcode).operands) {
        put_string(out_, operand.name);
        put_varint(out_, operand.type.index());
      }
    });
  }

  void instructions() {
    schema();
    put_varint(out_, program_.instructions.size());
    for (std::uint32_t i = 0; i < program_.instructions.size(); ++i) {
      const Instruction& what = program_.instructions[i];
      put_varint(out_, number_[what.opcode] - 1);
      value_bytes::write(out_, what.engine);
      numbers(what.queue, what.location);
      operands(what.opcode, program_.record(i));
    }
  }

  // A bit for each operand that is not its default, then their values. Of a hash those of all,
  // which is quicker.
  void operands(Opcode opcode, const void* record) {
    const std::span<const OperandInfo> all = info(opcode).operands;
    if constexpr (std::is_same_v<Out, std::string>) {
      std::uint64_t given = 0;
      values_.clear();
      for (std::size_t k = 0; k < all.size(); ++k) {
        if (defaults_.append_changed(values_, opcode, k, record)) given |= std::uint64_t{1} << k;
      }
      put_varint(out_, given);
      out_ += values_;
    } else {
      for (const OperandInfo& operand : all)
        append_operand(out_, program_, operand, record, WriteValue());
    }
  }

  void streams() {
    put_varint(out_, program_.semaphore_count);
    each(program_.waits, [&](const Wait& w) { numbers(w.semaphore, w.value); });
    each(program_.signals, [&](const Signal& s) { numbers(s.semaphore, s.amount); });
    for (const std::vector<StreamItem>& stream : program_.streams) {
      each(stream, [&](const StreamItem& item) {
        numbers(item.instruction, item.first_wait, item.wait_count, item.first_signal,
                item.signal_count, item.depends_back);
      });
    }
  }

  struct WriteValue {
    template <typename To>
    void operator()(To& out, const auto& value) const {
      value_bytes::write(out, value);
    }
  };

  const Program& program_;
  RecordDefaults<WriteValue> defaults_{program_};
  std::array<std::uint32_t, opcode_count> number_{};  // 1 + place in the file's schema
  Out out_{};
  std::string values_;  // of the operands at hand
};

}  // namespace

std::string to_binary(const Program& program) {
  std::string bytes = Writer<std::string>(program).run();
  base::put_fixed64(bytes, base::hash_bytes(std::as_bytes(std::span(bytes))));
  return bytes;
}

std::uint64_t binary_hash(const Program& program) {
  return Writer<base::WordHash>(program).run().value();
}

bool is_binary(std::string_view bytes) { return bytes.starts_with(binary::magic); }

}  // namespace trainyard::isa
