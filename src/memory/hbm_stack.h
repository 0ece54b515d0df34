// The bandwidth of one HBM stack, which the DMA engines of the cores at its side share. Channels
// and banks are not told apart: addresses are interleaved finely, so that a stack fills evenly
// (machine-reference 11.6).
#pragma once

#include <algorithm>
#include <vector>

#include "base/units.h"
#include "events/server.h"
#include "machine/system.h"
#include "trace/recorder.h"

namespace trainyard::memory {

class HbmStack {
 public:
  // `recorder` may be null; what the stack does is told of `track`.
  explicit HbmStack(const machine::Chip& chip, trace::Recorder* recorder = nullptr,
                    trace::TrackId track = trace::no_track)
      : rate_{chip.hbm.bandwidth.bytes_per_second / chip.hbm.stacks},
        read_latency_(chip.hbm.read_latency),
        read_ahead_(chip.hbm.read_ahead),
        write_granule_(chip.hbm.write_granule),
        recorder_(recorder),
        track_(track) {}

  // What a transfer out of HBM waits longer for its first byte than one out of SBUF.
  [[nodiscard]] base::Ticks read_latency() const { return read_latency_; }
  // Of a transfer, what the engines ask for at once: none has its first bytes before all of these
  // have come.
  [[nodiscard]] base::Bytes read_ahead() const { return read_ahead_; }
  // Writes of less take the time of one of this size.
  [[nodiscard]] base::Bytes write_granule() const { return write_granule_; }

  // A place in the line of bytes to be moved; what comes in between moves it back.
  struct Place {
    base::Ticks end;
    std::size_t cuts = 0;  // that it knows of
  };
  // Reserves the time for `bytes` from `now` on, at the end of the line, on behalf of one run of an
  // instruction. No bytes, as of a transfer within SBUF, wait for nothing.
  Place move(base::Ticks now, base::Bytes bytes, std::uint32_t instruction,
             std::uint32_t iteration) {
    if (bytes.value == 0) return {now, cuts_.size()};
    return {serve(now, bytes, instruction, iteration), cuts_.size()};
  }
  // The same for bytes that do not wait for the whole line but move by turns with it, each side at
  // half of the rate.
  Place move_by_turns(base::Ticks now, base::Bytes bytes, std::uint32_t instruction,
                      std::uint32_t iteration) {
    const base::Ticks length = rate_(bytes);
    const base::Ticks line = std::max(base::Ticks{0}, server_.free_at() - now);
    serve(now, bytes, instruction, iteration);
    if (line.value > 0) cuts_.push_back({now, length});
    return {now + std::min(line, length) + length, cuts_.size()};
  }
  // When the stack is through with the bytes of a place, as far as is known.
  [[nodiscard]] base::Ticks end_of(const Place& place) const {
    base::Ticks end = place.end;
    for (std::size_t i = place.cuts; i < cuts_.size(); ++i)
      end += std::clamp(end - cuts_[i].at, base::Ticks{0}, cuts_[i].length);
    return end;
  }
  [[nodiscard]] base::Bytes moved() const { return moved_; }
  [[nodiscard]] base::Ticks busy() const { return server_.busy(); }
  void show(base::StateVisitor& visitor) {
    server_.show(visitor);
    visitor.value(cuts_.size());
    visitor.counter(moved_);
  }

 private:
  // Bytes that began to move in between.
  struct Cut {
    base::Ticks at, length;
  };

  // At the end of the line.
  base::Ticks serve(base::Ticks now, base::Bytes bytes, std::uint32_t instruction,
                    std::uint32_t iteration) {
    moved_ += bytes;
    const events::Server::Slot slot = server_.serve(now, rate_(bytes));
    if (recorder_ != nullptr && track_ != trace::no_track)
      recorder_->interval(track_, trace::Reason::working, slot.begin, slot.end, instruction,
                          iteration);
    return slot.end;
  }

  machine::Bandwidth rate_;
  base::Ticks read_latency_;
  base::Bytes read_ahead_;
  base::Bytes write_granule_;
  trace::Recorder* recorder_;
  trace::TrackId track_;
  events::Server server_;
  std::vector<Cut> cuts_;  // in the order of time
  base::Bytes moved_;
};

}  // namespace trainyard::memory
