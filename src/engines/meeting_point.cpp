#include "engines/meeting_point.h"

#include <algorithm>

namespace trainyard::engines {

void MeetingPoint::arrive(std::size_t core, Arrival arrival) {
  const Occasion occasion = arrival.occasion;
  const base::Ticks delay = arrival.delay;
  std::vector<std::deque<Arrival>>& waiting = waiting_[{occasion, arrival.channel}];
  waiting.resize(ports_.size());
  waiting[core].push_back(std::move(arrival));
  if (std::any_of(waiting.begin(), waiting.end(), [](const auto& list) { return list.empty(); }))
    return;
  std::vector<Arrival> all;
  std::vector<isa::Attendant> attendants;
  for (std::deque<Arrival>& list : waiting) {
    attendants.push_back(list.front().attendant);
    all.push_back(std::move(list.front()));
    list.pop_front();
  }
  if (occasion != Occasion::end) isa::check_match(attendants);
  meetings_.push_back(std::move(all));
  const auto number = first_meeting_ + static_cast<std::uint32_t>(meetings_.size() - 1);
  queue_.after(delay, *this, {0, number}, events::Priority::early);
}

void MeetingPoint::handle(events::Message message) {
  std::vector<Arrival>& all = meetings_[message.index - first_meeting_];
  for (std::size_t core = 0; core < all.size(); ++core) {
    Met met{.occasion = all[core].occasion, .token = all[core].token};
    if (met.occasion == Occasion::end) {
      const isa::Attendant& a = all[core].attendant;
      const auto from = static_cast<std::size_t>(
          isa::meeting_of(a.execution->program, a.instruction).receive_from);
      met.received = all[from].sent;
    }
    ports_[core]->send(met);
  }
  all.clear();
  // Meetings of different lengths end out of order.
  while (!meetings_.empty() && meetings_.front().empty()) {
    meetings_.pop_front();
    ++first_meeting_;
  }
}

}  // namespace trainyard::engines
