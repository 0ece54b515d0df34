#include "engines/stream_walker.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/random.h"
#include "isa/core/control_flow.h"
#include "isa/semantics/meeting.h"

namespace trainyard::engines {

namespace {

// Where a stream stands when all before instruction `at` of the author's order is complete. Drains
// belong to the instruction behind them.
std::size_t position_of(const isa::Program& program, const std::vector<isa::StreamItem>& stream,
                        std::uint32_t at) {
  const auto drains = [&](const isa::StreamItem& item) {
    return isa::flow_of(program, item.instruction) == isa::Flow::drain;
  };
  auto first = std::ranges::find_if(
      stream, [&](const isa::StreamItem& item) { return !drains(item) && item.instruction >= at; });
  while (first != stream.begin() && drains(*std::prev(first))) --first;
  return static_cast<std::size_t>(first - stream.begin());
}

bool holds(const isa::Program& program, std::uint32_t instruction) {
  return isa::meeting_of(program, instruction).encounter == isa::Encounter::barrier;
}

}  // namespace

bool StreamWalker::can_begin(const isa::Program& program, std::uint32_t at) {
  if (!program.compiled || isa::has_branches(program)) return false;
  return std::ranges::all_of(program.streams, [&](const std::vector<isa::StreamItem>& stream) {
    const auto rest = std::span(stream).subspan(position_of(program, stream, at));
    return std::ranges::all_of(rest,
                               [&](const isa::StreamItem& item) { return item.instruction >= at; });
  });
}

StreamWalker::StreamWalker(Steps& steps, const std::vector<bool>& dynamic)
    : steps_(steps),
      program_(steps.program()),
      dynamic_(dynamic),
      observer_(steps.observer()),
      semaphores_(program_.semaphore_count),
      flows_(flows_of_streams(program_)) {
  for (const ControlFlow& flow : flows_) cursors_.emplace_back(program_, flow);
}

StreamWalker::StreamWalker(Steps& steps, const std::vector<bool>& dynamic, std::uint32_t at,
                           const ControlCursor& loops)
    : StreamWalker(steps, dynamic) {
  observer_ = nullptr;
  cursors_.clear();
  // Loops leave every count as they found it, so that each item behind counts once.
  for (std::size_t e = 0; e < flows_.size(); ++e) {
    cursors_.emplace_back(flows_[e], loops, position_of(program_, program_.streams[e], at));
    for (const isa::StreamItem& item : std::span(program_.streams[e]).first(cursors_[e].at())) {
      for (const isa::Signal& signal : program_.signals_of(item)) semaphores_.add(signal);
    }
  }
  for (std::size_t e = 0; e < cursors_.size(); ++e) {
    for (const isa::StreamItem& item : std::span(program_.streams[e]).first(cursors_[e].at()))
      semaphores_.take(program_.waits_of(item));
  }
}

void StreamWalker::go_on(const std::function<void()>& applied) {
  for (bool any = true; any;) {
    any = false;
    for (std::size_t e = 0; e < cursors_.size(); ++e) {
      for (; can_go_on(e); any = true) {
        const std::uint64_t before = steps_.applied();
        step(e, true);
        if (steps_.applied() > before) applied();
      }
    }
  }
  if (posts_.empty() && !ended()) throw_deadlock(program_, semaphores_, stuck(), "");
}

void StreamWalker::go_on_by(std::uint64_t seed) {
  base::Random random(seed);
  for (;;) {
    std::vector<std::size_t> ready, busy;  // engines, and queues with a transfer to complete
    for (std::size_t e = 0; e < cursors_.size(); ++e) {
      if (can_go_on(e)) ready.push_back(e);
    }
    for (std::size_t queue = 0; queue < transfers_.size(); ++queue) {
      if (!transfers_[queue].empty()) busy.push_back(queue);
    }
    if (ready.empty() && busy.empty()) break;
    const std::size_t pick = random.below(ready.size() + busy.size());
    if (pick < ready.size()) {
      step(ready[pick], false);
      continue;
    }
    std::deque<Post>& queue = transfers_[busy[pick - ready.size()]];
    const Post transfer = queue.front();
    queue.pop_front();
    complete(transfer);
  }
  base::check(posts_.empty(), "the core runs alone");
  if (!ended()) throw_deadlock(program_, semaphores_, stuck(), "");
  if (observer_ != nullptr) observer_->finish();
}

bool StreamWalker::can_go_on(std::size_t e) const {
  if (held_[e] || is_at_end(e)) return false;
  return semaphores_.missing(program_.waits_of(item(e))) == nullptr;
}

void StreamWalker::step(std::size_t e, bool applies_transfers) {
  const isa::StreamItem& item = this->item(e);
  const auto engine = static_cast<isa::Engine>(e);
  const bool dynamic = dynamic_[item.instruction];
  semaphores_.take(program_.waits_of(item));
  if (observer_ != nullptr) observer_->waited(engine, program_.waits_of(item));
  const Post post{.issued = observer_ == nullptr ? steps_.issue(item.instruction, engine, dynamic)
                                                 : steps_.issue(item, engine, dynamic, 0, {}),
                  .item = &item};
  cursors_[e].pass();
  const isa::InstructionInfo& info = program_.info_at(item.instruction);
  if (info.encounter(program_.record(item.instruction)) != isa::Encounter::none) {
    held_[e] = holds(program_, item.instruction);
    posts_.push_back(post);
  } else if (info.kind == isa::Kind::dma && !applies_transfers) {
    transfers_[program_.instructions[item.instruction].queue].push_back(post);
  } else {
    complete(post);
  }
}

void StreamWalker::complete(const Post& post) {
  steps_.apply(post.issued);
  const auto e = static_cast<std::size_t>(post.issued.engine);
  if (program_.info_at(post.issued.instruction).kind == isa::Kind::control)
    cursors_[e].follow(post.issued.instruction, steps_.execution(), observer_);
  if (observer_ != nullptr) observer_->signalled(post.issued.engine, *post.item);
  for (const isa::Signal& signal : program_.signals_of(*post.item)) semaphores_.add(signal);
}

std::vector<Stuck> StreamWalker::stuck() const {
  std::vector<Stuck> found;
  for (std::size_t e = 0; e < cursors_.size(); ++e) {
    if (!is_at_end(e)) found.push_back({static_cast<isa::Engine>(e), cursors_[e].at()});
  }
  return found;
}

bool StreamWalker::ended() const {
  if (!posts_.empty()) return false;
  for (std::size_t e = 0; e < cursors_.size(); ++e) {
    if (!is_at_end(e)) return false;
  }
  return true;
}

std::vector<StreamWalker::Post> StreamWalker::first_posts() const {
  std::vector<Post> found;
  const auto shares_queue = [&](const Post& one, const Post& other) {
    const std::uint32_t a = one.issued.instruction, b = other.issued.instruction;
    return !holds(program_, a) && !holds(program_, b) &&
           program_.instructions[a].queue == program_.instructions[b].queue;
  };
  for (const Post& post : posts_) {
    if (std::ranges::none_of(found, [&](const Post& first) { return shares_queue(first, post); }))
      found.push_back(post);
  }
  return found;
}

void StreamWalker::meet(const void* record) {
  const auto found = std::ranges::find_if(
      posts_, [&](const Post& post) { return steps_.record(post.issued) == record; });
  base::check(found != posts_.end(), "a core meets others where it stands");
  const Post post = *found;
  posts_.erase(found);
  complete(post);
  if (holds(program_, post.issued.instruction))
    held_[static_cast<std::size_t>(post.issued.engine)] = false;
}

}  // namespace trainyard::engines
