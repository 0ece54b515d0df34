#include <fmt/format.h>

#include "isa/forms/record_defaults.h"
#include "isa/forms/text.h"
#include "isa/forms/value_text.h"

namespace trainyard::isa {

namespace {

class TextWriter {
 public:
  explicit TextWriter(const Program& program) : program_(program) {}

  std::string run() {
    line("trainyard program 1");
    line("name {}", quote(program_.name));
    line("generation {}", program_.generation);
    frames();
    locations();
    for (std::size_t t = 0; t < program_.tensors.size(); ++t) tensor(t);
    for (std::size_t d = 0; d < program_.dynamics.size(); ++d) dynamic(d);
    for (std::uint32_t i = 0; i < program_.instructions.size(); ++i) instruction(i);
    for (const ScheduleEdge& edge : program_.schedule_edges)
      line("edge {} -> {}", edge.producer, edge.consumer);
    if (program_.compiled) streams();
    return std::move(out_);
  }

 private:
  template <typename... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    out_ += fmt::format(format, std::forward<Args>(args)...);
  }
  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    add(format, std::forward<Args>(args)...);
    out_ += '\n';
  }

  void frames() {
    for (std::size_t f = 1; f < program_.frames.size(); ++f) {
      const Frame& frame = program_.frames[f];
      add("frame {} {}:{} in {}", f, quote(program_.strings[frame.file]), frame.line,
          quote(program_.strings[frame.function]));
      if (frame.caller != 0) add(" from {}", frame.caller);
      out_ += '\n';
    }
  }

  void locations() {
    for (std::size_t l = 1; l < program_.locations.size(); ++l) {
      const Location& where = program_.locations[l];
      add("loc {} frame {}", l, where.frame);
      for (std::uint32_t k = 0; k < where.index_count; ++k) {
        const LoopIndex& index = program_.loop_indices[where.first_index + k];
        add(" {}={}", quote(program_.strings[index.name]), index.value);
      }
      out_ += '\n';
    }
  }

  void tensor(std::size_t t) {
    const Tensor& tensor = program_.tensors[t];
    add("tensor %{} {} {} {} [{}] {}", t, name(tensor.role), name(tensor.space), name(tensor.dtype),
        fmt::join(tensor.shape, ", "), quote(tensor.name));
    if (tensor.shared) out_ += " shared";
    if (tensor.manual_address) out_ += " manual";
    if (tensor.partition_start != 0) add(" partition {}", tensor.partition_start);
    if (tensor.address != -1) add(" at {}", tensor.address);
    if (tensor.location != 0) add(" loc {}", tensor.location);
    if (tensor.created != 0) add(" after {}", tensor.created);
    out_ += '\n';
    constexpr std::size_t bytes_per_line = 64;
    for (std::size_t at = 0; at < tensor.constant.size(); ++at) {
      if (at % bytes_per_line == 0) add("{}data %{} ", at == 0 ? "" : "\n", t);
      add("{:02x}", std::to_integer<unsigned>(tensor.constant[at]));
    }
    if (!tensor.constant.empty()) out_ += '\n';
  }

  void dynamic(std::size_t d) {
    const DynamicAddress& how = program_.dynamics[d];
    add("dynamic !{} {}", d + 1, name(how.kind));
    if (how.reg) add(" r{}", how.reg.index);
    if (how.index) {
      out_ += " index ";
      value_text::write(out_, how.index);
    }
    line(" stride {} limit {}", how.stride, how.limit);
  }

  void instruction(std::uint32_t i) {
    const Instruction& what = program_.instructions[i];
    add("{} {} {}", i, name(what.engine), program_.info_at(i).mnemonic);
    std::string_view before = " ";
    for (std::size_t k = 0; k < program_.info_at(i).operands.size(); ++k) {
      std::string text;
      if (!defaults_.append_changed(text, what.opcode, k, program_.record(i))) continue;
      add("{}{}={}", before, program_.info_at(i).operands[k].name, text);
      before = ", ";
    }
    if (what.queue != 0) add("; queue {}", what.queue);
    if (what.location != 0) add("; loc {}", what.location);
    out_ += '\n';
  }

  void streams() {
    line("compiled semaphores {}", program_.semaphore_count);
    for (std::size_t e = 0; e < program_.streams.size(); ++e) {
      line("stream {}", name(static_cast<Engine>(e)));
      for (const StreamItem& item : program_.streams[e]) stream_item(item);
    }
  }

  void stream_item(const StreamItem& item) {
    add("  run {}", item.instruction);
    for (const Wait& wait : program_.waits_of(item))
      add(" wait {}>={}", wait.semaphore, wait.value);
    for (const Signal& signal : program_.signals_of(item))
      add(" signal {}+{}", signal.semaphore, signal.amount);
    if (item.depends_back != 0) add(" after {}", item.depends_back);
    out_ += '\n';
  }

  struct WriteValue {
    void operator()(std::string& out, const auto& value) const { value_text::write(out, value); }
  };

  const Program& program_;
  RecordDefaults<WriteValue> defaults_{program_};
  std::string out_;
};

}  // namespace

std::string to_text(const Program& program) { return TextWriter(program).run(); }

}  // namespace trainyard::isa
