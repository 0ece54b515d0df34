// Between the core and Python during a run: lets Ctrl-C through and tells `told(instructions,
// nanoseconds)` how far the run is, both a few times a second. The run itself does not hold the
// interpreter's lock.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>

#include "base/units.h"
#include "engines/watch.h"

namespace trainyard::binding {

class Watcher {
 public:
  explicit Watcher(nanobind::handle told) : told_(told) {}

  void look(const engines::Progress& progress) {
    const Clock::time_point now = Clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(50);
    const nanobind::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
    if (!told_.is_none()) told_(progress.instructions, base::to_nanoseconds(progress.time));
  }

 private:
  using Clock = std::chrono::steady_clock;
  nanobind::handle told_;
  Clock::time_point next_ = Clock::now();
};

}  // namespace trainyard::binding
