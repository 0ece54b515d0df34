// Which way a region of a tensor program is computed in: by rule, or by the alternatives of
// variation.h that time-only runs of the region alone find faster.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/lowering/emit/emitter.h"

namespace trainyard::compiler {

struct AloneRegion {
  std::vector<isa::Program> programs{};  // one a core; none where the region cannot stand alone
  std::string how{};                     // it is computed
};

struct Ways {
  std::string_view of;  // what kind of region: "attention", "rows", "cluster", "elements", ...
  // Equal for regions that take the same time: operations, shapes, formats, and how operands lie.
  std::string region;
  graph::LocationId location = 0;  // of its last operation
  std::function<AloneRegion(const Variation&)> alone;
  // Of a region whose layouts are chosen: its products whose values only products read. Of all of
  // it, how many instructions it takes at least.
  std::size_t layouts = 0;
  std::int64_t instructions_min = 0;
  bool weighs_apart = false;  // of rows: its operations one after the other may well be faster
};

struct ChosenWay {
  Variation variation{};
  std::vector<WayTime> times{};  // of all ways, where they are to be told
};
// The fastest of what is known, or worth timing now.
[[nodiscard]] ChosenWay best_way(const Emitter& emitter, const Ways& ways);

// While it lives, the emitter takes that way.
class Choosing {
 public:
  Choosing(Emitter& emitter, ChosenWay way, graph::LocationId location)
      : emitter_(emitter), before_(emitter.variation()), location_(location) {
    emitter.set_variation(std::move(way.variation));
    emitter.set_way_times(std::move(way.times));
  }
  ~Choosing() {
    emitter_.set_variation(std::move(before_));
    emitter_.tell_later(location_);
  }
  Choosing(const Choosing&) = delete;
  Choosing& operator=(const Choosing&) = delete;

 private:
  Emitter& emitter_;
  Variation before_;
  graph::LocationId location_;
};

// Calls f, whose instructions are those of the region, in its best way.
template <typename F>
decltype(auto) in_best_way(Emitter& emitter, const Ways& ways, F&& f) {
  if (emitter.scorer() == nullptr) return std::forward<F>(f)();
  const Choosing choosing(emitter, best_way(emitter, ways), ways.location);
  return std::forward<F>(f)();
}

}  // namespace trainyard::compiler
