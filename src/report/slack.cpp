#include "report/slack.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <utility>

#include "base/error.h"
#include "base/stable_sort.h"

namespace trainyard::report {
namespace {

using base::Ticks;
using trace::Reason;
using trace::TrackId;

constexpr Ticks never{std::numeric_limits<std::int64_t>::max()};

// A stretch of an engine's or a queue's own time: it works, or pays its overhead.
struct Node {
  Ticks begin, end;
  Ticks held;  // between the node before it on its track and this one, by what no other track could
               // have shortened
  Ticks latest;  // it may end by then
  std::uint32_t instruction = trace::no_instruction;
  std::uint32_t iteration = 0;
  std::uint32_t before = none;  // the node before it on its track
  bool is_on_engine = false;
  bool stood_still = false;                // right before it
  bool is_first = false, is_last = false;  // of this run of the instruction on this track

  static constexpr std::uint32_t none = 0xFFFFFFFFu;
  [[nodiscard]] Ticks latest_begin() const { return latest - (end - begin); }
};

// `from` must end before `to` begins. Decisive: `to` stood still until the signal came.
struct Edge {
  std::uint32_t from, to;
  bool is_decisive;
};

bool is_node(Reason reason) { return reason == Reason::working || reason == Reason::overhead; }
// Time that passes whatever other tracks do.
bool is_held(Reason reason) {
  return reason == Reason::waiting_operand || reason == Reason::waiting_bank ||
         reason == Reason::throttle;
}

bool same_run(const Node& a, const Node& b) {
  return a.instruction == b.instruction && a.iteration == b.iteration;
}

class SlackGraph {
 public:
  SlackGraph(const isa::Program& program, const trace::Timeline& timeline) : program_(program) {
    for (std::size_t t = 0; t < timeline.tracks.size(); ++t) {
      const trace::TrackKind kind = timeline.tracks[t].kind;
      if (kind == trace::TrackKind::engine || kind == trace::TrackKind::dma_queue)
        add_track(kind == trace::TrackKind::engine, timeline.rows[t]);
    }
    add_semaphores();
    add_issues();
  }

  std::vector<std::optional<Ticks>> run() {
    Ticks last;
    for (const Node& node : nodes_) last = std::max(last, node.end);
    for (Node& node : nodes_) node.latest = last;
    std::ranges::sort(edges_, {}, &Edge::to);
    const auto lags = least_lags();
    // Whatever follows a node begins later than it does, so this order meets every node after all
    // that follow it.
    std::vector<std::uint32_t> order(nodes_.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::sort(order, std::ranges::greater{},
                      [&](std::uint32_t i) { return nodes_[i].begin; });
    for (const std::uint32_t i : order) {
      const Node& node = nodes_[i];
      if (node.before != Node::none) limit(node.before, node.latest_begin() - node.held);
      for (const Edge& edge : std::ranges::equal_range(edges_, i, {}, &Edge::to)) {
        limit(edge.from,
              node.latest_begin() - (edge.is_decisive ? lag_of(edge) : lags[kind_of(edge)]));
      }
    }
    return by_instruction();
  }

 private:
  void add_track(bool is_engine, const std::vector<trace::Interval>& rows) {
    std::uint32_t before = Node::none;
    Ticks held;
    Reason last_reason = Reason::idle;
    for (const trace::Interval& row : rows) {
      const Reason before_row = std::exchange(last_reason, row.reason);
      if (is_held(row.reason)) held += row.end - row.begin;
      if (!is_node(row.reason)) continue;
      Node node{.begin = row.begin,
                .end = row.end,
                .held = held,
                .latest = {},
                .instruction = row.instruction,
                .iteration = row.iteration,
                .before = before,
                .is_on_engine = is_engine};
      node.stood_still =
          before_row != Reason::working && before_row != Reason::overhead && !is_held(before_row);
      node.is_first = before == Node::none || !same_run(nodes_[before], node);
      node.is_last = true;
      if (!node.is_first) nodes_[before].is_last = false;
      before = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back(node);
      held = {};
    }
  }

  // One wait or signal of a semaphore as it happened.
  struct Happening {
    Ticks time;
    std::uint32_t node;
    std::int64_t amount;
  };
  using BySemaphore = std::vector<std::vector<Happening>>;

  void add_semaphores() {
    std::vector<const isa::StreamItem*> items(program_.instructions.size());
    for (const auto& stream : program_.streams) {
      for (const isa::StreamItem& item : stream) items[item.instruction] = &item;
    }
    BySemaphore waits(program_.semaphore_count), signals(program_.semaphore_count);
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      const Node& node = nodes_[n];
      if (node.instruction >= items.size() || items[node.instruction] == nullptr) continue;
      const isa::StreamItem& item = *items[node.instruction];
      if (node.is_on_engine && node.is_first) {
        for (const isa::Wait& w : program_.waits_of(item))
          waits[w.semaphore].push_back({node.begin, n, w.value});
      }
      // A transfer signals when its queue is done with it, everything else when its engine is.
      const bool is_transfer = program_.info_at(node.instruction).kind == isa::Kind::dma;
      if (node.is_last && node.is_on_engine != is_transfer) {
        for (const isa::Signal& s : program_.signals_of(item))
          signals[s.semaphore].push_back({node.end, n, s.amount});
      }
    }
    for (std::size_t s = 0; s < waits.size(); ++s) connect(waits[s], signals[s]);
  }

  // A wait takes its value from the semaphore, so the k-th wait needs the signals that follow those
  // the waits before it took.
  void connect(std::vector<Happening>& waits, std::vector<Happening>& signals) {
    base::stable_sort(waits, {}, &Happening::time);
    base::stable_sort(signals, {}, &Happening::time);
    std::size_t next = 0;
    std::int64_t count = 0;
    for (const Happening& wait : waits) {
      while (count < wait.amount && next < signals.size()) {
        const bool is_last = count + signals[next].amount >= wait.amount;
        add_edge({signals[next].node, wait.node, is_last && nodes_[wait.node].stood_still});
        count += signals[next++].amount;
      }
      count -= wait.amount;
    }
  }

  void add_issues() {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> issues;
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      if (nodes_[n].is_on_engine && nodes_[n].is_last)
        issues[{nodes_[n].instruction, nodes_[n].iteration}] = n;
    }
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      if (nodes_[n].is_on_engine || !nodes_[n].is_first) continue;
      const auto issue = issues.find({nodes_[n].instruction, nodes_[n].iteration});
      if (issue != issues.end()) add_edge({issue->second, n, nodes_[n].stood_still});
    }
  }

  void add_edge(const Edge& edge) {
    if (nodes_[edge.from].end <= nodes_[edge.to].begin) edges_.push_back(edge);
  }

  [[nodiscard]] Ticks lag_of(const Edge& edge) const {
    return nodes_[edge.to].begin - nodes_[edge.from].end;
  }
  [[nodiscard]] std::size_t kind_of(const Edge& edge) const {
    return (nodes_[edge.from].is_on_engine ? 2u : 0u) + (nodes_[edge.to].is_on_engine ? 1u : 0u);
  }

  [[nodiscard]] std::array<Ticks, 4> least_lags() const {
    std::array<Ticks, 4> lags;
    lags.fill(never);
    for (const Edge& edge : edges_) {
      Ticks& least = lags[kind_of(edge)];
      least = std::min(least, lag_of(edge));
    }
    return lags;
  }

  void limit(std::uint32_t node, Ticks latest) {
    nodes_[node].latest = std::min(nodes_[node].latest, latest);
  }

  [[nodiscard]] std::vector<std::optional<Ticks>> by_instruction() const {
    std::vector<std::optional<Ticks>> slack(program_.instructions.size());
    for (const Node& node : nodes_) {
      if (node.instruction >= slack.size()) continue;
      std::optional<Ticks>& least = slack[node.instruction];
      least = std::min(least.value_or(never), node.latest - node.end);
    }
    return slack;
  }

  const isa::Program& program_;
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
};

}  // namespace

std::vector<std::optional<Ticks>> slack_of(const isa::Program& program,
                                           const trace::Timeline& timeline) {
  return SlackGraph(program, timeline).run();
}

}  // namespace trainyard::report
