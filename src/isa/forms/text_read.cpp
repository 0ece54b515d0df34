#include <fmt/format.h>

#include <unordered_map>

#include "isa/core/references.h"
#include "isa/forms/record_defaults.h"
#include "isa/forms/text.h"
#include "isa/forms/value_text.h"

namespace trainyard::isa {

namespace {

class Parser {
 public:
  Parser(std::string_view text, std::string_view place) : text_(text), place_(place) {
    known_.emplace("", 0);
  }

  Program run() {
    bool first = true;
    std::size_t number = 1;
    for (; !text_.empty(); ++number) {
      const std::size_t end = std::min(text_.find('\n'), text_.size());
      LineReader line(text_.substr(0, end), place_, number);
      text_.remove_prefix(std::min(end + 1, text_.size()));
      if (line.at_end()) continue;
      if (first) {
        header(line);
      } else {
        statement(line);
      }
      first = false;
      line.expect_end();
    }
    LineReader end("", place_, number);
    if (first) end.fail("a program starts with \"trainyard program\"", "nothing");
    check_constants(end);
    return std::move(program_);
  }

 private:
  static void header(LineReader& line) {
    line.expect("trainyard");
    line.expect("program");
    if (line.integer<int>() != 1) line.fail("this reader knows version 1", "another version");
  }

  void statement(LineReader& line) {
    if (line.next_is_digit()) return instruction(line);
    if (line.accept("run")) return stream_item(line);
    if (line.accept("frame")) return frame(line);
    if (line.accept("loc")) return location(line);
    if (line.accept("tensor")) return tensor(line);
    if (line.accept("data")) return data(line);
    if (line.accept("dynamic")) return dynamic(line);
    if (line.accept("edge")) return edge(line);
    if (line.accept("stream")) return stream(line);
    if (line.accept("name")) {
      program_.name = line.quoted();
    } else if (line.accept("generation")) {
      program_.generation = static_cast<int>(line.integer_between(2, 4));
    } else if (line.accept("compiled")) {
      line.expect("semaphores");
      program_.compiled = true;
      program_.semaphore_count = line.integer<std::uint16_t>();
    } else {
      line.fail("a statement of the text form comes next", line.word());
    }
  }

  // Parts are numbered from 0 (or 1, where 0 stands for none), so that a reader can find them.
  static void expect_number(LineReader& line, std::size_t expected) {
    const auto number = line.integer<std::uint32_t>();
    if (number != expected)
      line.fail(fmt::format("the next of these is number {}", expected), std::to_string(number));
  }
  static void refuse(LineReader& line, const Problem& problem) {
    if (problem) line.fail("what is named exists and fits into a machine", problem.text());
  }

  std::uint32_t string(const std::string& text) {
    const auto [at, added] =
        known_.try_emplace(text, static_cast<std::uint32_t>(program_.strings.size()));
    if (added) program_.strings.push_back(text);
    return at->second;
  }

  void frame(LineReader& line) {
    expect_number(line, program_.frames.size());
    Frame frame;
    frame.file = string(line.quoted());
    line.expect(":");
    frame.line = line.integer<std::uint32_t>();
    line.expect("in");
    frame.function = string(line.quoted());
    if (line.accept("from")) frame.caller = line.integer<std::uint32_t>();
    refuse(line, problem(frame, program_));
    program_.frames.push_back(frame);
  }

  void location(LineReader& line) {
    expect_number(line, program_.locations.size());
    line.expect("frame");
    Location where{line.integer<std::uint32_t>(),
                   static_cast<std::uint32_t>(program_.loop_indices.size()), 0};
    for (; !line.at_end(); ++where.index_count) {
      const std::uint32_t name = string(line.quoted());
      line.expect("=");
      program_.loop_indices.push_back({name, line.integer<std::int64_t>()});
    }
    refuse(line, problem(where, program_));
    program_.locations.push_back(where);
  }

  void tensor(LineReader& line) {
    line.expect("%");
    expect_number(line, program_.tensors.size());
    Tensor tensor;
    value_text::read(line, tensor.role);
    value_text::read(line, tensor.space);
    value_text::read(line, tensor.dtype);
    line.expect("[");
    if (!line.accept("]")) {
      do tensor.shape.push_back(line.integer<std::int64_t>());
      while (line.accept(","));
      line.expect("]");
    }
    tensor.name = line.quoted();
    tensor.shared = line.accept("shared");
    tensor.manual_address = line.accept("manual");
    if (line.accept("partition")) tensor.partition_start = line.integer<std::uint16_t>();
    if (line.accept("at")) tensor.address = line.integer<std::int64_t>();
    if (line.accept("loc")) tensor.location = line.integer<std::uint32_t>();
    if (line.accept("after")) tensor.created = line.integer<std::uint32_t>();
    refuse(line, problem(tensor, program_));
    program_.tensors.push_back(std::move(tensor));
  }

  // Content of the last tensor, appended line by line.
  void data(LineReader& line) {
    line.expect("%");
    if (program_.tensors.empty()) line.fail("data follows its tensor", "no tensor");
    expect_number(line, program_.tensors.size() - 1);
    Tensor& tensor = program_.tensors.back();
    const std::string_view digits = line.word();
    if (digits.size() % 2 != 0) line.fail("two digits make a byte", digits.substr(0, 20));
    for (std::size_t i = 0; i < digits.size(); i += 2) {
      tensor.constant.push_back(byte(line, digits.substr(i, 2)));
    }
    if (static_cast<std::int64_t>(tensor.constant.size()) > tensor.bytes())
      line.fail("a constant has as many bytes as its tensor", "more");
  }

  static std::byte byte(LineReader& line, std::string_view digits) {
    unsigned value = 0;
    for (const char c : digits) {
      const std::size_t digit = std::string_view("0123456789abcdef").find(c);
      if (digit == std::string_view::npos) line.fail("a byte is two digits 0-9, a-f", digits);
      value = value * 16 + static_cast<unsigned>(digit);
    }
    return static_cast<std::byte>(value);
  }

  void dynamic(LineReader& line) {
    line.expect("!");
    expect_number(line, program_.dynamics.size() + 1);
    DynamicAddress how;
    value_text::read(line, how.kind);
    if (!line.next_is("index") && !line.next_is("stride")) value_text::read(line, how.reg);
    if (line.accept("index")) value_text::read(line, how.index);
    line.expect("stride");
    how.stride = line.integer<std::int64_t>();
    line.expect("limit");
    how.limit = line.integer<std::int64_t>();
    refuse(line, problem(how, program_));
    program_.dynamics.push_back(how);
  }

  void instruction(LineReader& line) {
    check_constants(line);
    expect_number(line, program_.instructions.size());
    Engine engine = Engine::any;
    value_text::read(line, engine);
    const std::string_view mnemonic = line.word();
    const std::optional<Opcode> opcode = opcode_from_mnemonic(mnemonic);
    if (!opcode) line.fail("an instruction's mnemonic comes next", mnemonic);
    const InstructionInfo& what = info(*opcode);
    RecordBuffer record(what);
    operands(line, what, record.data());
    std::uint8_t queue = 0;
    std::uint32_t where = 0;
    while (line.accept(";")) {
      if (line.accept("queue")) {
        queue = line.integer<std::uint8_t>();
      } else {
        line.expect("loc");
        where = line.integer<std::uint32_t>();
      }
    }
    refuse(line, problem(what, record.data(), where, program_));
    const std::uint32_t i = program_.append_raw(*opcode, record.data(), engine, where);
    program_.instructions[i].queue = queue;
  }

  void operands(LineReader& line, const InstructionInfo& what, void* record) {
    std::uint64_t seen = 0;
    for (bool first = true; !line.at_end() && (first || line.accept(",")); first = false) {
      if (first && line.next_is(";")) return;
      const std::string_view name = line.word();
      std::size_t k = 0;
      while (k < what.operands.size() && what.operands[k].name != name) ++k;
      if (k == what.operands.size())
        line.fail(fmt::format("{} has an operand of that name", what.mnemonic), name);
      if ((seen >> k & 1u) != 0) line.fail("an operand is given once", name);
      seen |= std::uint64_t{1} << k;
      line.expect("=");
      visit_operand(what.operands[k], record,
                    [&](auto& value) { value_text::read(line, program_, value); });
    }
  }

  void check_constants(LineReader& line) {
    for (; checked_ < program_.tensors.size(); ++checked_) {
      const Tensor& tensor = program_.tensors[checked_];
      refuse(line, problem(tensor, program_));
    }
  }

  void edge(LineReader& line) {
    ScheduleEdge edge;
    edge.producer = line.integer<std::uint32_t>();
    line.expect("->");
    edge.consumer = line.integer<std::uint32_t>();
    refuse(line, problem(edge, program_));
    program_.schedule_edges.push_back(edge);
  }

  void stream(LineReader& line) {
    value_text::read(line, stream_);
    if (stream_ == Engine::any) line.fail("a stream belongs to an engine", "any");
  }

  void stream_item(LineReader& line) {
    if (stream_ == Engine::any) line.fail("a stream line comes first", "run");
    StreamItem item;
    item.instruction = line.integer<std::uint32_t>();
    item.first_wait = static_cast<std::uint32_t>(program_.waits.size());
    item.first_signal = static_cast<std::uint32_t>(program_.signals.size());
    while (line.accept("wait")) {
      if (item.wait_count == 0xFFFF) line.fail("an item has at most 65535 waits", "more");
      Wait wait{line.integer<std::uint16_t>(), 0};
      line.expect(">=");
      wait.value = line.integer<std::uint32_t>();
      program_.waits.push_back(wait);
      ++item.wait_count;
    }
    while (line.accept("signal")) {
      if (item.signal_count == 0xFFFF) line.fail("an item has at most 65535 signals", "more");
      Signal signal{line.integer<std::uint16_t>(), 0};
      line.expect("+");
      signal.amount = line.integer<std::uint32_t>();
      program_.signals.push_back(signal);
      ++item.signal_count;
    }
    if (line.accept("after")) item.depends_back = line.integer<std::uint32_t>();
    refuse(line, problem(item, program_));
    program_.streams[static_cast<std::size_t>(stream_)].push_back(item);
  }

  std::string_view text_, place_;
  Program program_;
  std::unordered_map<std::string, std::uint32_t> known_;  // strings; look-up only
  std::size_t checked_ = 0;                               // tensors whose content is complete
  Engine stream_ = Engine::any;
};

}  // namespace

Program parse_text(std::string_view text, std::string_view place) {
  return Parser(text, place).run();
}

}  // namespace trainyard::isa
