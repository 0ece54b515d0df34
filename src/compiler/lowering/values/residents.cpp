#include "compiler/lowering/values/residents.h"

#include <algorithm>

#include "base/error.h"
#include "base/stable_sort.h"

namespace trainyard::compiler {

namespace {

// Nothing where the tensor is read no more.
std::optional<std::int64_t> distance(const NextReads& reads, isa::TensorId tensor) {
  if (const auto found = reads.of.find(tensor); found != reads.of.end()) return found->second;
  return tensor >= reads.first_made ? std::optional(reads.of_made) : std::nullopt;
}

}  // namespace

bool Residents::admit(std::int64_t bytes, std::optional<graph::ValueId> value) {
  if (bytes > bytes_max_) return false;
  if (bytes_ + bytes <= bytes_max_) return true;
  const NextReads reads = this->reads(value);
  drop_unread(reads);
  std::int64_t missing = bytes_ + bytes - bytes_max_;
  std::vector<isa::TensorId> leaving;
  for (const auto& [distance, tensor] : by_distance(reads)) {
    if (missing <= 0 || distance <= reads.of_made) break;
    leaving.push_back(tensor);
    missing -= all_.at(tensor).bytes;
  }
  if (missing > 0) return false;
  for (const isa::TensorId tensor : leaving) evict(tensor);
  return true;
}

void Residents::drop_unread(const NextReads& reads) {
  const auto first = counted_.begin() + static_cast<std::ptrdiff_t>(kept());
  counted_.erase(std::remove_if(first, counted_.end(),
                                [&](isa::TensorId id) {
                                  if (distance(reads, id)) return false;
                                  bytes_ -= all_.at(id).bytes;
                                  return true;
                                }),
                 counted_.end());
}

std::vector<std::pair<std::int64_t, isa::TensorId>> Residents::by_distance(
    const NextReads& reads) const {
  std::vector<std::pair<std::int64_t, isa::TensorId>> all;
  for (std::size_t i = kept(); i < counted_.size(); ++i) {
    const isa::TensorId tensor = counted_[i];
    if (tensor >= reads.first_made) continue;
    const std::int64_t moves = all_.at(tensor).is_in_hbm ? 2 : 1;
    all.emplace_back(moves * distance(reads, tensor).value_or(0), tensor);
  }
  base::stable_sort(all, std::ranges::greater{}, &std::pair<std::int64_t, isa::TensorId>::first);
  return all;
}

void Residents::evict(isa::TensorId tensor) {
  write_back(tensor);
  forget(tensor);
}

void Residents::forget(isa::TensorId tensor) {
  const auto found = all_.find(tensor);
  if (found == all_.end()) return;
  const auto place = std::ranges::find(counted_, tensor);
  if (place != counted_.end()) {
    bytes_ -= found->second.bytes;
    for (Loop& loop : loops_) {
      if (std::distance(counted_.begin(), place) < static_cast<std::ptrdiff_t>(loop.kept))
        --loop.kept;
    }
    counted_.erase(place);
  }
  all_.erase(found);
}

void Residents::enter_loop(const std::set<isa::TensorId>& read,
                           const std::set<isa::TensorId>& later, bool may_not_run) {
  for (std::size_t i = kept(); i < counted_.size();) {
    const isa::TensorId tensor = counted_[i];
    if (read.contains(tensor)) {
      ++i;
    } else if (later.contains(tensor)) {
      evict(tensor);
    } else {
      forget(tensor);
    }
  }
  for (const auto& [distance, leaving] : by_distance(reads({}))) {
    if (bytes_ <= bytes_max_ / 2) break;
    evict(leaving);
  }
  if (may_not_run) {
    for (std::size_t i = 0; i < counted_.size(); ++i) write_back(counted_[i]);
  }
  loops_.push_back({counted_.size(), static_cast<isa::TensorId>(emitter_.tensors())});
}

void Residents::leave_loop() {
  const Loop loop = loops_.back();
  while (counted_.size() > loop.kept) forget(counted_.back());
  loops_.pop_back();
  std::erase_if(all_, [&](const auto& entry) { return entry.first >= loop.first; });
}

void Residents::begin(isa::TensorId tensor, std::int64_t rows, std::int64_t columns,
                      std::int64_t bytes) {
  all_[tensor] = {.rows = rows, .columns = columns, .bytes = bytes, .pieces = {}};
  counted_.push_back(tensor);
  bytes_ += bytes;
}

void Residents::put(isa::TensorId tensor, const Window& window, const isa::Tile& tile) {
  all_.at(tensor).pieces.push_back({window, tile});
}

std::optional<std::int64_t> Residents::columns(isa::TensorId tensor) const {
  const auto found = all_.find(tensor);
  return found == all_.end() ? std::nullopt : std::optional(found->second.columns);
}

std::int64_t Residents::tile_width(isa::TensorId tensor) const {
  return all_.at(tensor).pieces.front().window.columns;
}

namespace {

// A tile of so many partitions may start there (tile.partition_start).
bool may_start(std::int64_t start, std::int64_t partitions, std::int64_t quadrant) {
  const std::int64_t multiple = partitions > 2 * quadrant ? 4 * quadrant
                                : partitions > quadrant   ? 2 * quadrant
                                                          : quadrant;
  return start % multiple == 0;
}

}  // namespace

std::optional<isa::Tile> Residents::find(const Matrix& matrix, const Window& window) const {
  const auto found = all_.find(matrix.tensor);
  if (found == all_.end() || emitter_.core_at_hand() != 0) return std::nullopt;
  const Resident& resident = found->second;
  const auto rows = pieces(matrix.rows, window.row, window.row + window.rows, isa::rank_max);
  const auto columns =
      pieces(matrix.columns, window.column, window.column + window.columns, isa::rank_max);
  if (rows.size() != 1 || columns.size() != 1) return std::nullopt;
  const std::vector<Extent> down = merged(rows[0].dims), along = merged(columns[0].dims);
  const bool is_run =
      down.empty() || (down.size() == 1 && down[0].step == resident.columns && down[0].step > 0);
  if (!is_run || std::ssize(along) > emitter_.core().access.dimensions) return std::nullopt;
  const std::int64_t first = matrix.offset + rows[0].offset + columns[0].offset;
  const std::int64_t row = first / resident.columns, column = first % resident.columns;
  std::int64_t lowest = column, highest = column;
  for (const Extent& dim : along) {
    const std::int64_t reach = (dim.size - 1) * dim.step;
    (reach < 0 ? lowest : highest) += reach;
  }
  for (const Piece& piece : resident.pieces) {
    const Window& has = piece.window;
    if (row < has.row || row + window.rows > has.row + has.rows || lowest < has.column ||
        highest >= has.column + has.columns)
      continue;
    if (!may_start(row - has.row, window.rows, emitter_.core().sbuf.quadrant)) return std::nullopt;
    isa::Tile tile = part(piece.tile, row - has.row, window.rows, column - has.column, 1);
    tile.rank = static_cast<std::uint8_t>(std::max<std::size_t>(1, along.size()));
    for (std::size_t i = 0; i < along.size(); ++i)
      tile.dims.at(i) = {static_cast<std::int32_t>(along[i].step),
                         static_cast<std::int32_t>(along[i].size)};
    return tile;
  }
  return std::nullopt;
}

void Residents::write_back(isa::TensorId tensor) {
  const auto found = all_.find(tensor);
  if (found == all_.end() || found->second.is_in_hbm) return;
  base::check(emitter_.core_at_hand() == 0, "values on chip are those of core 0");
  Resident& resident = found->second;
  resident.is_in_hbm = true;
  const Matrix place{tensor,
                     emitter_.tensor(tensor).dtype,
                     0,
                     {{resident.rows, resident.columns}},
                     {{resident.columns, 1}}};
  for (const Piece& piece : resident.pieces) store(emitter_, piece.tile, place, piece.window);
}

}  // namespace trainyard::compiler
