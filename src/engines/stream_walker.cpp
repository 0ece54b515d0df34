#include "engines/stream_walker.h"

#include <algorithm>

#include "engines/deadlock.h"
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
                           const std::vector<Decoded>& decoded, std::uint32_t at,
                           const ControlCursor& loops)
    : program_(program),
      execution_(execution),
      decoded_(decoded),
      semaphores_(program.semaphore_count) {
  for (const std::vector<isa::StreamItem>& stream : program.streams)
    flows_.emplace_back(program, instructions_of(stream));
  for (const ControlFlow& flow : flows_) cursors_.emplace_back(flow, loops);
  // Loops leave every count as they found it, so that each item behind counts once.
  for (std::size_t e = 0; e < at_.size(); ++e) {
    at_[e] = position_of(program, program.streams[e], at);
    for (const isa::StreamItem& item : std::span(program.streams[e]).first(at_[e])) {
      for (const isa::Signal& signal : program.signals_of(item)) semaphores_.add(signal);
    }
  }
  for (std::size_t e = 0; e < at_.size(); ++e) {
    for (const isa::StreamItem& item : std::span(program.streams[e]).first(at_[e]))
      semaphores_.take(program.waits_of(item));
  }
}

void StreamWalker::go_on(const Run& run) {
  for (bool any = true; any;) {
    any = false;
    for (std::size_t e = 0; e < at_.size(); ++e) {
      while (step(e, run)) any = true;
    }
  }
  if (!posts_.empty() || ended()) return;
  std::vector<Stuck> stuck;
  for (std::size_t e = 0; e < at_.size(); ++e) {
    if (at_[e] != program_.streams[e].size())
      stuck.push_back({static_cast<isa::Engine>(e), at_[e]});
  }
  throw_deadlock(program_, semaphores_, stuck, "");
}

bool StreamWalker::step(std::size_t e, const Run& run) {
  if (held_[e] || at_[e] == program_.streams[e].size()) return false;
  const isa::StreamItem& item = program_.streams[e][at_[e]];
  if (semaphores_.missing(program_.waits_of(item)) != nullptr) return false;
  semaphores_.take(program_.waits_of(item));
  const Decoded& d = decoded_[item.instruction];
  if (d.info->encounter(d.record) != isa::Encounter::none) {
    ++at_[e];
    post(e, item);
    return true;
  }
  run(item.instruction, static_cast<isa::Engine>(e));
  at_[e] = d.info->kind == isa::Kind::control
               ? cursors_[e].after(at_[e], item.instruction, execution_)
               : at_[e] + 1;
  for (const isa::Signal& signal : program_.signals_of(item)) semaphores_.add(signal);
  return true;
}

void StreamWalker::post(std::size_t e, const isa::StreamItem& item) {
  Post& post = *posts_.emplace_back(std::make_unique<Post>());
  const Decoded& d = decoded_[item.instruction];
  post.instruction = item.instruction;
  post.engine = static_cast<isa::Engine>(e);
  post.item = &item;
  post.record = d.record;
  if (d.is_dynamic) {
    post.buffer = std::make_unique<RecordBuffer>();
    resolve_at(program_, item.instruction, post.engine, execution_, post.buffer->bytes);
    post.record = post.buffer->bytes;
  }
  held_[e] = holds(program_, item.instruction);
}

bool StreamWalker::ended() const {
  if (!posts_.empty()) return false;
  for (std::size_t e = 0; e < at_.size(); ++e) {
    if (at_[e] != program_.streams[e].size()) return false;
  }
  return true;
}

std::vector<const StreamWalker::Post*> StreamWalker::first_posts() const {
  std::vector<const Post*> found;
  const auto shares_queue = [&](const Post& one, const Post& other) {
    return !holds(program_, one.instruction) && !holds(program_, other.instruction) &&
           program_.instructions[one.instruction].queue ==
               program_.instructions[other.instruction].queue;
  };
  for (const std::unique_ptr<Post>& post : posts_) {
    if (std::ranges::none_of(found, [&](const Post* first) { return shares_queue(*first, *post); }))
      found.push_back(post.get());
  }
  return found;
}

void StreamWalker::leave(const Post& post) {
  for (const isa::Signal& signal : program_.signals_of(*post.item)) semaphores_.add(signal);
  if (holds(program_, post.instruction)) held_[static_cast<std::size_t>(post.engine)] = false;
  std::erase_if(posts_, [&](const std::unique_ptr<Post>& one) { return one.get() == &post; });
}

}  // namespace trainyard::engines
