#include "engines/meeting_point.h"

#include <algorithm>
#include <utility>

namespace trainyard::engines {

CollectiveWork MeetingPoint::work(std::size_t core, const isa::Program& program,
                                  std::uint32_t instruction) const {
  const std::size_t cores = seats_.members(program, instruction, core).size();
  const std::size_t ranks = isa::meeting_of(program, instruction).ranks.size();
  return share_(program, instruction, static_cast<std::int64_t>(cores / ranks));
}

void MeetingPoint::arrive(std::size_t core, Arrival arrival) {
  const Occasion occasion = arrival.occasion;
  const base::Ticks delay = arrival.delay;
  const isa::Program& program = arrival.attendant.execution->program;
  Gathering gathering{seats_.members(program, arrival.attendant.instruction, core), {}};
  const Members& members = gathering.members;
  std::vector<std::deque<Arrival>>& waiting = waiting_[{occasion, arrival.channel, members}];
  waiting.resize(members.size());
  arrival.attendant.who = seats_.name(core);
  waiting[static_cast<std::size_t>(std::ranges::find(members, core) - members.begin())].push_back(
      std::move(arrival));
  if (std::ranges::any_of(waiting, [](const auto& list) { return list.empty(); })) return;
  std::vector<isa::Attendant> attendants;
  for (std::deque<Arrival>& list : waiting) {
    attendants.push_back(list.front().attendant);
    gathering.arrivals.push_back(std::move(list.front()));
    list.pop_front();
  }
  if (occasion != Occasion::end) isa::check_match(attendants);
  meetings_.push_back(std::move(gathering));
  const auto number = first_meeting_ + static_cast<std::uint32_t>(meetings_.size() - 1);
  queue_.after(delay, *this, {0, number}, events::Priority::early);
}

void MeetingPoint::handle(events::Message message) {
  Gathering met = std::exchange(meetings_[message.index - first_meeting_], {});
  std::vector<isa::Message> sent;
  for (Arrival& arrival : met.arrivals) sent.push_back(std::move(arrival.sent));
  for (std::size_t k = 0; k < met.members.size(); ++k) {
    const Arrival& arrival = met.arrivals[k];
    ports_[met.members[k]]->send(
        {.occasion = arrival.occasion, .token = arrival.token, .received = sent});
  }
  // Meetings of different lengths end out of order.
  while (!meetings_.empty() && meetings_.front().members.empty()) {
    meetings_.pop_front();
    ++first_meeting_;
  }
}

}  // namespace trainyard::engines
