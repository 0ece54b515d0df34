// Values that stay on chip between the group that makes them and those that read them: tiles of a
// matrix whose place in HBM is written only where somebody needs it there. Of two cores, core 0 has
// them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "compiler/lowering/values/window.h"

namespace trainyard::compiler {

// Of SBUF, what values may take that stay on chip between operations.
inline constexpr std::int64_t resident_percent = 25;

// How many operations ahead tensors are read next.
struct NextReads {
  std::map<isa::TensorId, std::int64_t> of;  // without those that are read no more
  std::int64_t of_made = 0;                  // of what is made by the operation at hand,
  isa::TensorId first_made = 0;              // whose tensors are those from here on
};

class Residents {
 public:
  // `bytes`: of each partition, what residents may take.
  Residents(Emitter& emitter, std::int64_t bytes) : emitter_(emitter), bytes_max_(bytes) {}

  // Who knows of later reads. Without it, nothing is evicted.
  using Reads = std::function<NextReads(std::optional<graph::ValueId> made)>;
  void watch(Reads reads) { reads_ = std::move(reads); }

  // Makes room for a tensor that the operation at hand makes, to hold that value. Those whose place
  // is worth least are evicted: of two tensors, keeping the one that is read earlier saves as much
  // for less time, and evicting one that HBM does not hold moves its bytes twice. False, and
  // nothing is evicted, where room would cost ones that are worth more.
  [[nodiscard]] bool admit(std::int64_t bytes, std::optional<graph::ValueId> value = {});
  // A tensor [rows, columns] in HBM is from here on what put() gives of it.
  void begin(isa::TensorId tensor, std::int64_t rows, std::int64_t columns, std::int64_t bytes);
  void put(isa::TensorId tensor, const Window& window, const isa::Tile& tile);

  // The columns of a resident tensor's row; nothing where it lies in HBM alone.
  [[nodiscard]] std::optional<std::int64_t> columns(isa::TensorId tensor) const;
  // How many of them one tile holds.
  [[nodiscard]] std::int64_t tile_width(isa::TensorId tensor) const;
  // The window as part of one resident tile, where it is one that an instruction can read.
  [[nodiscard]] std::optional<isa::Tile> find(const Matrix& matrix, const Window& window) const;

  // Writes the tensor to HBM, unless it lies there.
  void write_back(isa::TensorId tensor);
  // Its tiles have been written: what lies in HBM is an earlier content.
  void changed(isa::TensorId tensor) { all_.at(tensor).is_in_hbm = false; }
  // It lies in HBM alone from here on.
  void forget(isa::TensorId tensor);

  // A hardware loop begins that reads `read`; behind it `later` is read. The latter go to HBM, and
  // so do the former if the loop may turn not at all; what stays, stays until leave_loop().
  void enter_loop(const std::set<isa::TensorId>& read, const std::set<isa::TensorId>& later,
                  bool may_not_run);
  // It has ended, and with it the values that it made.
  void leave_loop();

 private:
  struct Piece {
    Window window;
    isa::Tile tile;
  };
  struct Loop {
    std::size_t kept = 0;  // of counted_: from before it
    isa::TensorId first = 0;
  };
  struct Resident {
    std::int64_t rows = 0, columns = 0, bytes = 0;
    bool is_in_hbm = false;
    std::vector<Piece> pieces;
  };

  [[nodiscard]] std::size_t kept() const { return loops_.empty() ? 0 : loops_.back().kept; }
  [[nodiscard]] NextReads reads(std::optional<graph::ValueId> made) const {
    return reads_ ? reads_(made) : NextReads{};
  }
  // Leaves those that nothing reads any more out of counted_.
  void drop_unread(const NextReads& reads);
  // Those that may leave, which the operation at hand did not make, and how far ahead each is read;
  // of one that HBM holds, twice as far. The furthest first.
  [[nodiscard]] std::vector<std::pair<std::int64_t, isa::TensorId>> by_distance(
      const NextReads& reads) const;
  void evict(isa::TensorId tensor);

  Emitter& emitter_;
  std::int64_t bytes_max_;
  std::int64_t bytes_ = 0;
  Reads reads_;
  std::map<isa::TensorId, Resident> all_;
  std::vector<isa::TensorId> counted_;  // oldest first: those that bytes_ counts
  std::vector<Loop> loops_;             // around what comes next
};

}  // namespace trainyard::compiler
