// Builds a program on behalf of one operation of a tensor program after the other: what isa/builder
// does not know, such as the cores that share the program, is here. It is validated as a whole.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compiler/balance.h"
#include "compiler/lowering/emit/counted.h"
#include "compiler/lowering/emit/lowered.h"
#include "compiler/lowering/emit/share.h"
#include "compiler/lowering/emit/strided.h"
#include "compiler/variation.h"
#include "graph/module.h"
#include "isa/builder/builder.h"
#include "machine/core.h"

namespace trainyard::compiler {

class Scorer;

// Thrown where a program cannot do what a loop asks of it: the host turns that loop instead.
struct NotInHardware {};

class Emitter {
 public:
  // `cores`: how many run the program, one or two.
  Emitter(const graph::Module& module, const machine::Core& core, std::string name, int cores);

  [[nodiscard]] const machine::Core& core() const { return builder_.core(); }
  // From here on instructions and tensors belong to this place.
  void at(graph::LocationId location);

  // Who says which way to compute a region is fastest, or null.
  void set_scorer(Scorer* scorer) { scorer_ = scorer; }
  [[nodiscard]] Scorer* scorer() const { return scorer_; }
  // What is chosen otherwise than by rule for what comes next.
  void set_variation(Variation variation) { variation_ = std::move(variation); }
  [[nodiscard]] const Variation& variation() const { return variation_; }
  // What ways to compute what comes next take: explained with it.
  void set_way_times(std::vector<WayTime> times) { way_times_ = std::move(times); }
  // The same where that has not been explained yet, but will be with the operation of that place.
  void tell_later(graph::LocationId operation) {
    if (!way_times_.empty()) told_later_[operation] = std::exchange(way_times_, {});
  }
  // What other layouts of the values of these products would take.
  void tell_layouts(std::vector<graph::LocationId> products, std::vector<WayTime> times) {
    told_layouts_.push_back({.locations = {},
                             .how = {},
                             .operations = std::move(products),
                             .ways = std::move(times),
                             .are_layouts = true});
  }
  [[nodiscard]] const graph::Module& module() const { return module_; }

  // In loops whose turns are known both cores turn; in others, and in branches, core 0 does
  // everything.
  [[nodiscard]] int cores() const {
    const bool both_turn = std::ranges::all_of(loops_, [](bool both) { return both; });
    return both_turn && variation_.divides ? cores_ : 1;
  }
  [[nodiscard]] std::uint8_t core_at_hand() const { return share_.core; }
  // Calls f(0) and f(1): what they emit belongs to core 0 and core 1, and the halves need nothing
  // of each other.
  template <typename F>
  void in_halves(F&& f) {
    ++share_.section;
    in_half_ = true;
    for (const std::uint8_t core : {std::uint8_t{0}, std::uint8_t{1}}) {
      share_.core = core;
      f(core);
    }
    in_half_ = false;
    share_.core = 0;
    ++share_.section;
  }

  [[nodiscard]] isa::TensorId hbm(isa::DType dtype, std::span<const std::int64_t> shape,
                                  isa::TensorRole role = isa::TensorRole::internal);
  [[nodiscard]] isa::TensorId constant(isa::DType dtype, std::span<const std::int64_t> shape,
                                       std::vector<std::byte> content);
  // Says of operations that are computed together how they are, and why so: compile --explain.
  void explain(std::vector<graph::LocationId> operations, std::string how);
  [[nodiscard]] std::vector<FusionGroup> groups() const;
  // Fresh tiles: [partitions, elements].
  [[nodiscard]] isa::Tile sbuf(isa::DType dtype, std::int64_t partitions, std::int64_t elements);
  [[nodiscard]] isa::Tile psum(isa::DType dtype, std::int64_t partitions, std::int64_t elements);
  [[nodiscard]] isa::Register fresh_register() { return builder_.next_register(); }
  // One that is not given out again while its lease lives. Throws NotInHardware where none is left.
  [[nodiscard]] isa::RegisterRef keep_register();
  // A register that holds the number, for the next instructions.
  [[nodiscard]] isa::Register register_of(const Counted& number);

  template <typename Record>
  std::uint32_t emit(Record record, isa::Engine engine = isa::Engine::any) {
    if (!moved_.empty()) address(isa::info(isa::opcode_of<Record>), &record);
    shares_.push_back(share_);
    return builder_.emit(record, engine);
  }
  // What was emitted for one tile, from an instruction and a tensor on, up to its result: values
  // between go to PSUM where that is faster, and instructions are spread over the engines. `loads`:
  // of the tiles before, to which it is added.
  void spread_from(std::size_t first, std::size_t tensor, std::span<const isa::Tile> results,
                   EngineLoads& loads);
  // What is emitted for later tiles reads it, too.
  void keep(const isa::Tile& tile) { kept_.push_back(tile.tensor); }
  // Over Vector and Scalar alone.
  void spread_engines_from(std::size_t first);
  // Transfers alone.
  void spread_transfers_from(std::size_t first);
  [[nodiscard]] std::uint32_t add(const isa::DynamicAddress& dynamic);

  // What is emitted until end_loop() is the body of a hardware loop.
  void begin_loop(const isa::LoopBegin& loop);
  void end_loop();

  // A name for a tensor in HBM whose elements lie `by` elements further on. Instructions get the
  // tensor itself, and the address in a register.
  [[nodiscard]] isa::TensorId moved(isa::TensorId tensor, Counted by);
  [[nodiscard]] bool is_moved(isa::TensorId id) const { return id >= first_moved; }
  // The tensor that a name stands for.
  [[nodiscard]] isa::TensorId origin(isa::TensorId id) const {
    return is_moved(id) ? moved_.at(id - first_moved).tensor : id;
  }

  [[nodiscard]] isa::Tensor& tensor(isa::TensorId id) {
    return builder_.program().tensors.at(origin(id));
  }
  [[nodiscard]] std::size_t tensors() const { return builder_.program().tensors.size(); }
  [[nodiscard]] std::size_t instructions() const { return builder_.program().instructions.size(); }
  // The program of each core that has something to do, core 0 at least.
  [[nodiscard]] std::vector<isa::Program> take() { return shared_out(builder_.take(), shares_); }

 private:
  struct Moved {
    isa::TensorId tensor = isa::no_tensor;
    Counted by;
  };
  static constexpr isa::TensorId first_moved = isa::TensorId{1} << 31;

  // Puts tensors and registers in the place of names that moved() gave.
  void address(const isa::InstructionInfo& info, void* record);
  // The place of an operation, which has none in the program yet.
  [[nodiscard]] std::uint32_t add_place(const graph::Location& where);
  [[nodiscard]] isa::TensorId declare(isa::DType dtype, std::span<const std::int64_t> shape,
                                      isa::TensorRole role, std::vector<std::byte> content);
  [[nodiscard]] isa::Tile on_chip(isa::Space space, isa::DType dtype, std::int64_t partitions,
                                  std::int64_t elements);

  const graph::Module& module_;
  isa::Builder builder_;
  int cores_;
  Scorer* scorer_ = nullptr;
  Variation variation_{};
  std::vector<WayTime> way_times_{};
  std::map<graph::LocationId, std::vector<WayTime>> told_later_{};
  Share share_;
  std::vector<Share> shares_;  // of each instruction
  std::vector<bool> loops_;    // around what comes next: whether both cores turn
  bool in_half_ = false;
  std::vector<Moved> moved_;
  std::vector<isa::TensorId> kept_;
  std::map<graph::LocationId, std::uint32_t> locations_;
  std::vector<FusionGroup> notes_, told_layouts_;
};

// The part of a tile [partitions, elements] that begins there.
[[nodiscard]] isa::Tile part(const isa::Tile& tile, std::int64_t partition, std::int64_t partitions,
                             std::int64_t element, std::int64_t elements);
// Each partition's one element `elements` times.
[[nodiscard]] isa::Tile repeated(const isa::Tile& column, std::int64_t elements);

}  // namespace trainyard::compiler
