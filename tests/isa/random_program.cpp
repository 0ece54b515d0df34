#include "random_program.h"

#include <limits>

#include "base/random.h"
#include "cases.h"
#include "isa/core/operand_types.h"
#include "isa/core/visit.h"

namespace trainyard::isa {

namespace {

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : seed_(seed), random_(seed) {}

  Program run() {
    const std::vector<LegalCase>& legal = all_cases().legal;
    // Twelve each, so that a few dozen seeds leave none out, however many there are.
    for (std::size_t i = 0; i < 12; ++i)
      static_cast<void>(legal[(seed_ * 12 + i) % legal.size()].append(bench_));
    Program& p = bench_.program;
    p.name = text();
    p.generation = static_cast<int>(2 + random_.below(3));
    locations();
    for (Tensor& tensor : p.tensors) change(tensor);
    for (std::uint32_t i = 0; i < p.instructions.size(); ++i) change(i);
    for (std::uint64_t left = random_.below(3); left > 0; --left)
      p.schedule_edges.push_back({any_instruction(), any_instruction()});
    if (random_.below(3) != 0) streams();
    return std::move(p);
  }

 private:
  [[nodiscard]] std::string text() {
    constexpr auto letters = std::to_array<std::string_view>(
        {"a", "b", "_", "1", " ", ".", "\"", "\\", "\n", "#", "%", "[", "\x01", "é"});
    std::string result;
    for (std::uint64_t left = random_.below(9); left > 0; --left)
      result += letters[random_.below(letters.size())];
    return result;
  }
  [[nodiscard]] std::uint32_t any_instruction() {
    return static_cast<std::uint32_t>(random_.below(bench_.program.instructions.size()));
  }
  [[nodiscard]] std::uint32_t string() {
    bench_.program.strings.push_back(text());
    return static_cast<std::uint32_t>(bench_.program.strings.size() - 1);
  }

  void locations() {
    Program& p = bench_.program;
    for (std::uint32_t f = 1; f < 4; ++f)
      p.frames.push_back(
          {string(), string(), random_.next32(), static_cast<std::uint32_t>(random_.below(f))});
    for (std::uint32_t l = 1; l < 6; ++l) {
      const auto first = static_cast<std::uint32_t>(p.loop_indices.size());
      const auto count = static_cast<std::uint32_t>(random_.below(3));
      for (std::uint32_t k = 0; k < count; ++k)
        p.loop_indices.push_back({string(), static_cast<std::int64_t>(random_.next())});
      p.locations.push_back({static_cast<std::uint32_t>(random_.below(4)), first, count});
    }
  }

  void change(Tensor& tensor) {
    tensor.name = text();
    tensor.role = any<TensorRole>();
    tensor.shared = random_.below(2) == 0;
    tensor.manual_address = random_.below(2) == 0;
    tensor.created = static_cast<std::uint32_t>(random_.below(4));
    tensor.address = random_.below(2) == 0 ? -1 : static_cast<std::int64_t>(random_.below(1 << 20));
    tensor.partition_start = static_cast<std::uint16_t>(32 * random_.below(4));
    tensor.location = static_cast<std::uint32_t>(random_.below(6));
    if (tensor.bytes() > 1000) return;
    tensor.constant.resize(static_cast<std::size_t>(tensor.bytes()));
    for (std::byte& byte : tensor.constant) byte = static_cast<std::byte>(random_.next());
  }

  void change(std::uint32_t i) {
    Instruction& what = bench_.program.instructions[i];
    what.engine = any<Engine>();
    what.queue = static_cast<std::uint8_t>(random_.below(3) * 100);
    what.location = static_cast<std::uint32_t>(random_.below(6));
    for (const OperandInfo& operand : bench_.program.info_at(i).operands) {
      if (random_.below(3) == 0)
        visit_operand(operand, bench_.program.record(i), [&](auto& value) { vary(value); });
    }
  }

  template <NamedEnum Enum>
  [[nodiscard]] Enum any() {
    return static_cast<Enum>(random_.below(enum_count<Enum>));
  }
  void vary(NamedEnum auto& value) { value = any<std::remove_reference_t<decltype(value)>>(); }
  void vary(bool& value) { value = !value; }
  void vary(std::int32_t& value) { value = static_cast<std::int32_t>(random_.next()); }
  void vary(std::int64_t& value) { value = static_cast<std::int64_t>(random_.next()); }
  void vary(double& value) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr double some[] = {0.1, -0.0, 1e-300, -infinity, infinity, 16777217, 5e-324};
    value = some[random_.below(std::size(some))];
  }
  void vary(Register& value) { value.index = static_cast<std::uint8_t>(random_.below(256)); }
  void vary(RegisterOrInt& value) {
    value = {};
    if (random_.below(2) == 0) {
      vary(value.reg);
    } else {
      vary(value.constant);
    }
  }
  void vary(Dim& value) {
    value = {static_cast<std::int32_t>(random_.below(2000)) - 1000,
             static_cast<std::int32_t>(random_.below(200))};
  }
  void vary(Tile& value) {
    if (!value) return;
    value.dtype = any<DType>();
    value.offset = static_cast<std::int64_t>(random_.below(2000)) - 1000;
    value.partition_start = static_cast<std::uint16_t>(random_.next());
    value.partitions = static_cast<std::uint16_t>(random_.next());
    value.rank = static_cast<std::uint8_t>(random_.below(rank_max + 1));
    for (std::size_t d = 0; d < value.dims.size(); ++d) {
      value.dims[d] = {};
      if (d < value.rank) vary(value.dims[d]);
    }
  }
  void vary(Scalar& value) {
    if (value.is_tile()) return vary(value.tile);
    vary(value.constant);
  }
  void vary(RankGroups& value) {
    RankLists lists(random_.below(4));
    for (std::vector<std::int32_t>& ranks : lists) {
      ranks.resize(random_.below(300));
      for (std::int32_t& rank : ranks) vary(rank);
    }
    value = bench_.program.groups_of(std::move(lists));
  }
  template <NamedStruct T>
  void vary(T& value) {
    for_each_field(value, [&](std::string_view, auto& field) { vary(field); });
  }
  template <typename T, std::size_t capacity>
  void vary(List<T, capacity>& list) {
    if constexpr (!std::is_same_v<T, Tile>)
      list.count = static_cast<std::uint32_t>(random_.below(capacity + 1));
    for (std::uint32_t i = 0; i < list.count; ++i) vary(list.items[i]);
  }

  void streams() {
    Program& p = bench_.program;
    p.compiled = true;
    p.semaphore_count = static_cast<std::uint16_t>(random_.next());
    for (std::vector<StreamItem>& stream : p.streams) {
      for (std::uint64_t left = random_.below(6); left > 0; --left) {
        StreamItem item{.instruction = any_instruction(),
                        .first_wait = static_cast<std::uint32_t>(p.waits.size()),
                        .first_signal = static_cast<std::uint32_t>(p.signals.size()),
                        .wait_count = static_cast<std::uint16_t>(random_.below(3)),
                        .signal_count = static_cast<std::uint16_t>(random_.below(3)),
                        .depends_back = static_cast<std::uint32_t>(random_.below(4))};
        for (int k = 0; k < item.wait_count; ++k)
          p.waits.push_back({static_cast<std::uint16_t>(random_.next()), random_.next32()});
        for (int k = 0; k < item.signal_count; ++k)
          p.signals.push_back({static_cast<std::uint16_t>(random_.next()), random_.next32()});
        stream.push_back(item);
      }
    }
  }

  std::uint64_t seed_;
  base::Random random_;
  Bench bench_;
};

}  // namespace

Program random_program(std::uint64_t seed) { return Maker(seed).run(); }

}  // namespace trainyard::isa
