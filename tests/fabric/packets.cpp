#include "packets.h"

#include <algorithm>
#include <cmath>
#include <deque>

#include "base/error.h"
#include "events/queue.h"

namespace trainyard::fabric {

namespace {

using base::Ticks;

struct Server {
  double rate = 0;  // bytes per tick
  bool busy = false;
  std::uint32_t serves = 0;              // transfer
  std::deque<std::uint32_t> turns = {};  // transfers with packets here, in the order of their turns
};

struct Stage {
  std::uint32_t server = 0;
  double weight = 1;
  std::uint32_t packets = 0;  // that wait here
};

struct Stream {
  std::vector<Stage> stages;
  Ticks latency;
  std::uint64_t to_send = 0, arrived = 0, all = 0;
  std::uint32_t under_way = 0;
  double size = 0;
};

class Packets final : public events::Handler {
 public:
  Packets(const Problem& problem, const PacketOptions& options) : options_(options) {
    constexpr double second = static_cast<double>(base::ticks_per_nanosecond) * 1e9;
    for (const double capacity : problem.capacity) servers_.push_back({.rate = capacity / second});
    for (std::size_t f = 0; f < problem.flows.size() && problem.flows[f].phase == 0; ++f) {
      Stream stream;
      // Each transfer is paced by a channel of its own.
      stream.stages.push_back({static_cast<std::uint32_t>(servers_.size()), 1});
      servers_.push_back({.rate = problem.rate_max / second});
      for (std::uint32_t u = problem.begin[f]; u < problem.begin[f + 1]; ++u)
        stream.stages.push_back({problem.uses[u].resource, problem.uses[u].weight});
      stream.all = static_cast<std::uint64_t>(std::ceil(problem.flows[f].bytes / options.packet));
      stream.to_send = stream.all;
      if (options.has_latency) stream.latency = problem.flows[f].latency;
      stream.size = stream.all == 0 ? 0 : problem.flows[f].bytes / static_cast<double>(stream.all);
      streams_.push_back(std::move(stream));
    }
    times_.resize(streams_.size());
  }

  std::vector<Ticks> run() {
    for (std::uint32_t s = 0; s < streams_.size(); ++s) send(s);
    queue_.run();
    for (const Stream& stream : streams_) base::check(stream.arrived == stream.all, "all arrive");
    return times_;
  }

  // `what`: the server that is done with a packet; `index`: of the transfer's stages, or that a
  // credit of transfer `what` is back.
  void handle(events::Message message) override {
    if (message.index == credit_is_back) {
      --streams_[message.what].under_way;
      return send(message.what);
    }
    Server& server = servers_[message.what];
    const std::uint32_t which = server.serves;
    Stream& stream = streams_[which];
    server.busy = false;
    const std::uint32_t at = message.index;
    if (at + 1 < stream.stages.size()) {
      enter(which, at + 1);
    } else {
      ++stream.arrived;
      times_[which] = queue_.now() + stream.latency;
      queue_.after(stream.latency + stream.latency, *this, {which, credit_is_back});
    }
    serve(message.what);
  }

 private:
  static constexpr std::uint32_t credit_is_back = 0xFFFFFFFFu;

  void send(std::uint32_t which) {
    Stream& stream = streams_[which];
    while (stream.to_send > 0 && stream.under_way < options_.credits) {
      --stream.to_send;
      ++stream.under_way;
      enter(which, 0);
    }
  }

  void enter(std::uint32_t which, std::uint32_t at) {
    Stage& stage = streams_[which].stages[at];
    if (stage.packets++ == 0) servers_[stage.server].turns.push_back(which);
    serve(stage.server);
  }

  void serve(std::uint32_t number) {
    Server& server = servers_[number];
    if (server.busy || server.turns.empty()) return;
    const std::uint32_t which = server.turns.front();
    server.turns.pop_front();
    auto& stages = streams_[which].stages;
    const auto at = std::ranges::find(stages, number, &Stage::server);
    if (--at->packets > 0) server.turns.push_back(which);
    server.busy = true;
    server.serves = which;
    const double ticks = streams_[which].size * at->weight / server.rate;
    queue_.after(Ticks{static_cast<std::int64_t>(std::ceil(ticks))}, *this,
                 {number, static_cast<std::uint32_t>(at - stages.begin())});
  }

  PacketOptions options_;
  std::vector<Server> servers_;
  std::vector<Stream> streams_;
  std::vector<Ticks> times_;
  events::Queue queue_;
};

}  // namespace

std::vector<Ticks> packet_times(const Problem& problem, const PacketOptions& options) {
  return Packets(problem, options).run();
}

}  // namespace trainyard::fabric
