#include "trace/track.h"

#include <array>

#include "base/error.h"

namespace trainyard::trace {
namespace {

constexpr std::array<std::string_view, track_kind_count> names = {"engine", "dma_queue",
                                                                  "dma_engine", "memory", "link"};

}  // namespace

std::string_view name(TrackKind kind) {
  base::check(static_cast<std::size_t>(kind) < track_kind_count, "a track kind is out of range");
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace trainyard::trace
