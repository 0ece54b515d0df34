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

StreamWalker::StreamWalker(const isa::Program& program, isa::Execution& execution,
                           const std::vector<Decoded>& decoded, isa::Observer* observer)
    : program_(program),
      execution_(execution),
      decoded_(decoded),
      observer_(observer),
      semaphores_(program.semaphore_count) {
  base::check(program.compiled, "only a compiled program has streams");
  for (const std::vector<isa::StreamItem>& stream : program.streams)
    flows_.emplace_back(program, instructions_of(stream));
  for (const ControlFlow& flow : flows_) cursors_.emplace_back(program, flow);
}

StreamWalker::StreamWalker(const isa::Program& program, isa::Execution& execution,
                           const std::vector<Decoded>& decoded, std::uint32_t at,
                           const ControlCursor& loops)
    : StreamWalker(program, execution, decoded) {
  cursors_.clear();
  // Loops leave every count as they found it, so that each item behind counts once.
  for (std::size_t e = 0; e < flows_.size(); ++e) {
    cursors_.emplace_back(flows_[e], loops, position_of(program, program.streams[e], at));
    for (const isa::StreamItem& item : std::span(program.streams[e]).first(cursors_[e].at())) {
      for (const isa::Signal& signal : program.signals_of(item)) semaphores_.add(signal);
    }
  }
  for (std::size_t e = 0; e < cursors_.size(); ++e) {
    for (const isa::StreamItem& item : std::span(program.streams[e]).first(cursors_[e].at()))
      semaphores_.take(program.waits_of(item));
  }
}

void StreamWalker::go_on(const Apply& apply) {
  for (bool any = true; any;) {
    any = false;
    for (std::size_t e = 0; e < cursors_.size(); ++e) {
      for (; can_go_on(e); any = true) step(e, true, apply);
    }
  }
  if (posts_.empty() && !ended()) throw_deadlock(program_, semaphores_, stuck(), "");
}

void StreamWalker::go_on_by(std::uint64_t seed, const Apply& apply) {
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
    pick < ready.size() ? step(ready[pick], false, apply)
                        : complete(busy[pick - ready.size()], apply);
  }
  base::check(posts_.empty(), "the core runs alone");
  if (!ended()) throw_deadlock(program_, semaphores_, stuck(), "");
  if (observer_ != nullptr) observer_->finish();
}

bool StreamWalker::can_go_on(std::size_t e) const {
  if (held_[e] || is_at_end(e)) return false;
  return semaphores_.missing(program_.waits_of(item(e))) == nullptr;
}

StreamWalker::Issued StreamWalker::issue(std::size_t e, const isa::StreamItem& item) const {
  const Decoded& d = decoded_[item.instruction];
  Issued issued{.instruction = item.instruction,
                .engine = static_cast<isa::Engine>(e),
                .item = &item,
                .record = d.record};
  if (d.is_dynamic) {
    issued.buffer = std::make_unique<RecordBuffer>();
    resolve_at(program_, item.instruction, issued.engine, execution_, issued.buffer->bytes);
    issued.record = issued.buffer->bytes;
  }
  return issued;
}

void StreamWalker::step(std::size_t e, bool applies_transfers, const Apply& apply) {
  const isa::StreamItem& item = this->item(e);
  semaphores_.take(program_.waits_of(item));
  const Decoded& d = decoded_[item.instruction];
  Issued issued = issue(e, item);
  cursors_[e].pass();
  if (observer_ != nullptr) {
    observer_->waited(issued.engine, program_.waits_of(item));
    observer_->issued(issued.engine, item, issued.record, 0, {});
  }
  if (d.info->encounter(d.record) != isa::Encounter::none) {
    held_[e] = holds(program_, item.instruction);
    posts_.push_back(std::make_unique<Issued>(std::move(issued)));
  } else if (d.info->kind == isa::Kind::dma && !applies_transfers) {
    transfers_[program_.instructions[item.instruction].queue].push_back(std::move(issued));
  } else {
    apply(issued.instruction, issued.engine, issued.record);
    if (d.info->kind == isa::Kind::control)
      cursors_[e].follow(item.instruction, execution_, observer_);
    signal(issued.engine, item);
  }
}

void StreamWalker::complete(std::size_t queue, const Apply& apply) {
  const Issued transfer = std::move(transfers_[queue].front());
  transfers_[queue].pop_front();
  apply(transfer.instruction, transfer.engine, transfer.record);
  signal(transfer.engine, *transfer.item);
}

void StreamWalker::signal(isa::Engine engine, const isa::StreamItem& item) {
  if (observer_ != nullptr) observer_->signalled(engine, item);
  for (const isa::Signal& signal : program_.signals_of(item)) semaphores_.add(signal);
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

std::vector<const StreamWalker::Issued*> StreamWalker::first_posts() const {
  std::vector<const Issued*> found;
  const auto shares_queue = [&](const Issued& one, const Issued& other) {
    return !holds(program_, one.instruction) && !holds(program_, other.instruction) &&
           program_.instructions[one.instruction].queue ==
               program_.instructions[other.instruction].queue;
  };
  for (const std::unique_ptr<Issued>& post : posts_) {
    if (std::ranges::none_of(found,
                             [&](const Issued* first) { return shares_queue(*first, *post); }))
      found.push_back(post.get());
  }
  return found;
}

void StreamWalker::leave(const Issued& post) {
  for (const isa::Signal& signal : program_.signals_of(*post.item)) semaphores_.add(signal);
  if (holds(program_, post.instruction)) held_[static_cast<std::size_t>(post.engine)] = false;
  std::erase_if(posts_, [&](const std::unique_ptr<Issued>& one) { return one.get() == &post; });
}

}  // namespace trainyard::engines
