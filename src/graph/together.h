// A program of one device run by several: pieces that each device runs alone, and what devices
// exchange between them. Who runs the pieces may count time; exchanges pass while pieces run that
// do not wait for them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <variant>
#include <vector>

#include "graph/evaluate.h"
#include "graph/pieces.h"

namespace trainyard::graph {

using Shared = std::shared_ptr<const Literal>;  // null in a run without values

// Operations of one device that meet no other one, as a module of their own. What it alone reads
// last it may overwrite: such arguments are donated.
struct Piece {
  Module module;
  std::vector<ValueId> inputs{}, outputs{};  // of the whole program
};

// A collective: its groups of devices, and the larger of what a device gives and gets.
struct Exchange {
  const Op* op = nullptr;
  std::vector<std::vector<std::size_t>> groups{};
  std::int64_t bytes = 0;
};

// Runs pieces and hears of exchanges; both take time, in any unit.
class PieceRunner {
 public:
  virtual ~PieceRunner() = default;
  // The results of each device for the inputs of each.
  virtual std::vector<std::vector<Shared>> run(std::size_t piece,
                                               std::span<const std::vector<Shared>> inputs,
                                               std::int64_t& time) = 0;
  virtual std::int64_t exchanged(const Exchange& exchange) = 0;
};

struct TogetherRun {
  std::vector<std::vector<Shared>> results;  // of main, of each device
  std::int64_t time = 0;                     // from the first piece to the last result
  std::int64_t computing = 0;                // of it, pieces
  std::int64_t exchanging = 0;               // exchanges, one after the other
  std::int64_t counted_once = 0;             // loops of unknown turns, without values
  [[nodiscard]] std::int64_t exposed() const { return time - computing; }  // exchanges alone
};

class Together {
 public:
  // `module`: of one device, calls in place (partition()). Throws InputError "graph.devices" where
  // a collective stands in a branch.
  Together(Module module, std::size_t devices);

  [[nodiscard]] const Module& module() const { return module_; }
  [[nodiscard]] std::size_t devices() const { return devices_; }
  [[nodiscard]] const std::vector<Piece>& pieces() const { return pieces_; }
  // `inputs`: of each device, in the order of their partitions; null for a run without values.
  // There, a loop whose turns depend on values turns once. Throws InputError "graph.devices" where
  // devices take different ways through a loop.
  [[nodiscard]] TogetherRun run(std::span<const std::vector<Shared>> inputs, PieceRunner& runner,
                                const EvaluateLimits& limits = {}) const;

 private:
  friend class RunningTogether;
  struct Loop;
  struct Step {
    const Op* op = nullptr;  // a collective, or a loop
    // A collective of what is the same in each turn, as layers' weights are: it may begin while
    // the turn before runs.
    bool is_ahead = false;
    std::size_t piece = 0;  // where there is no operation
    std::shared_ptr<const Loop> loop{};
  };
  using Steps = std::vector<Step>;
  struct Loop {
    Steps condition, body;
    std::optional<std::int64_t> turns;  // where they are known
  };

  [[nodiscard]] bool meets(const Op& op) const;
  // What one piece computes and a later one reads, where keeping it costs more.
  void recompute(Function& function, Region& region) const;
  // `owned`: arguments of the region whose memory nothing else holds.
  [[nodiscard]] Steps steps_of(const Region& region, std::set<ValueId> owned);
  // Whether a value in a loop's body lies in what turns do not change, at a place that they count.
  [[nodiscard]] bool is_of_invariants(ValueId value, const Region& region) const;
  [[nodiscard]] Loop loop_of(const Op& op, std::size_t at, const Region& around,
                             const Pieces& pieces, const std::set<ValueId>& owned);
  void add_piece(const Pieces& pieces, std::size_t begin, std::size_t end,
                 const std::set<ValueId>& owned, Steps& steps);
  [[nodiscard]] std::optional<std::int64_t> turns_of(const Op& loop, const Region& around) const;
  [[noreturn]] void refuse(const Op& op, std::string found) const;

  Module module_;
  const Function* main_ = nullptr;
  std::size_t devices_;
  std::vector<Piece> pieces_;
  Steps steps_;
};

// With the evaluator's values; sums of collectives go through a group in its order.
[[nodiscard]] std::vector<std::vector<Shared>> evaluate_together(
    const Together& together, std::span<const std::vector<Shared>> inputs,
    const EvaluateLimits& limits = {});

}  // namespace trainyard::graph
