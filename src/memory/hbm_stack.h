// The bandwidth of one HBM stack, which the DMA engines of the cores at its side share. Channels
// and banks are not told apart: addresses are interleaved finely, so that a stack fills evenly
// (machine-reference 11.6).
#pragma once

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
        write_granule_(chip.hbm.write_granule),
        recorder_(recorder),
        track_(track) {}

  // What a transfer out of HBM waits longer for its first byte than one out of SBUF.
  [[nodiscard]] base::Ticks read_latency() const { return read_latency_; }
  // Writes of less take the time of one of this size.
  [[nodiscard]] base::Bytes write_granule() const { return write_granule_; }

  // Reserves the time for `bytes` from `now` on, on behalf of one run of an instruction; returns
  // when the stack is through with them.
  base::Ticks move(base::Ticks now, base::Bytes bytes, std::uint32_t instruction,
                   std::uint32_t iteration) {
    moved_ += bytes;
    const events::Server::Slot slot = server_.serve(now, rate_(bytes));
    if (recorder_ != nullptr && track_ != trace::no_track)
      recorder_->interval(track_, trace::Reason::working, slot.begin, slot.end, instruction,
                          iteration);
    return slot.end;
  }
  [[nodiscard]] base::Bytes moved() const { return moved_; }
  [[nodiscard]] base::Ticks busy() const { return server_.busy(); }

 private:
  machine::Bandwidth rate_;
  base::Ticks read_latency_;
  base::Bytes write_granule_;
  trace::Recorder* recorder_;
  trace::TrackId track_;
  events::Server server_;
  base::Bytes moved_;
};

}  // namespace trainyard::memory
