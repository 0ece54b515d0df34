#include "engines/meeting_point.h"

#include <algorithm>
#include <utility>

namespace trainyard::engines {

CollectiveWork MeetingPoint::work(std::size_t core, const isa::Program& program,
                                  std::uint32_t instruction) const {
  const std::size_t cores = seats_.cores_of(program, instruction, core);
  return share_(program, instruction, static_cast<std::int64_t>(cores));
}

std::pair<Members, bool> MeetingPoint::members(std::size_t core,
                                               const isa::Attendant& attendant) const {
  if (members_) {
    Members stand_ins = members_(core, attendant.instruction);
    if (!stand_ins.empty()) return {std::move(stand_ins), true};
  }
  return {seats_.members(attendant.execution->program, attendant.instruction, core), false};
}

// A core's collectives on a channel come one after the other. When the first one of each of two
// cores waits for the other core, and they are not the same, neither ever takes place.
void MeetingPoint::check_standing(std::size_t core, const Arrival& arrival,
                                  const Members& members) {
  Heads& heads = standing_[arrival.channel];
  heads[core].push_back({arrival.attendant, members});
  const Standing& mine = heads[core].front();
  for (const std::size_t member : mine.members) {
    if (member == core) continue;
    const auto found = heads.find(member);
    if (found == heads.end() || found->second.empty()) continue;
    const Standing& other = found->second.front();
    if (std::ranges::find(other.members, core) == other.members.end()) continue;
    isa::check_companions(other.attendant, mine.attendant);
  }
}

void MeetingPoint::arrive(std::size_t core, Arrival arrival) {
  const Occasion occasion = arrival.occasion;
  const base::Ticks delay = arrival.delay;
  const std::int32_t channel = arrival.channel;
  auto [members, stand_for_others] = this->members(core, arrival.attendant);
  std::vector<std::deque<Arrival>>& waiting = waiting_[{occasion, channel, members}];
  waiting.resize(members.size());
  arrival.attendant.who = seats_.name(core);
  const bool checks = occasion == Occasion::begin && !stand_for_others;
  if (checks) check_standing(core, arrival, members);
  waiting[static_cast<std::size_t>(std::ranges::find(members, core) - members.begin())].push_back(
      std::move(arrival));
  if (std::ranges::any_of(waiting, [](const auto& list) { return list.empty(); })) return;
  std::vector<isa::Attendant> attendants;
  Gathering gathering;
  for (std::deque<Arrival>& list : waiting) {
    attendants.push_back(list.front().attendant);
    gathering.arrivals.push_back(std::move(list.front()));
    list.pop_front();
  }
  if (occasion != Occasion::end && !stand_for_others) isa::check_match(attendants);
  if (checks) {
    for (const std::size_t member : members) standing_[channel][member].pop_front();
  }
  const auto under_way =
      occasion == Occasion::end ? crossing_.find({channel, members}) : crossing_.end();
  gathering.members = std::move(members);
  meetings_.push_back(std::move(gathering));
  const auto number = first_meeting_ + static_cast<std::uint32_t>(meetings_.size() - 1);
  if (under_way != crossing_.end()) {
    const std::uint32_t crossing = under_way->second;
    crossing_.erase(under_way);
    if (!crossings_.is_done(crossing)) {
      held_[crossing] = number;
      return;
    }
  }
  queue_.after(delay, *this, {0, number}, events::Priority::early);
}

void MeetingPoint::check_streams() const {
  std::vector<std::pair<std::size_t, const Standing*>> heads;
  for (const auto& [channel, of_channel] : standing_) {
    for (const auto& [core, line] : of_channel) {
      if (!line.empty()) heads.emplace_back(core, &line.front());
    }
  }
  const auto waits_for = [](const Standing& one, std::size_t core) {
    return std::ranges::find(one.members, core) != one.members.end();
  };
  for (const auto& [core, mine] : heads) {
    for (const auto& [member, other] : heads) {
      if (member != core && waits_for(*mine, member) && waits_for(*other, core))
        isa::check_streams(mine->attendant, other->attendant);
    }
  }
}

void MeetingPoint::crossed(std::uint32_t crossing) {
  const auto held = held_.find(crossing);
  if (held == held_.end()) return;
  const std::uint32_t number = held->second;
  held_.erase(held);
  const Gathering& gathering = meetings_[number - first_meeting_];
  queue_.after(gathering.arrivals.front().delay, *this, {0, number}, events::Priority::early);
}

void MeetingPoint::begin_crossing(const Gathering& met) {
  const Arrival& first = met.arrivals.front();
  if (!crossings_.begin || first.occasion != Occasion::begin) return;
  if (const auto crossing = crossings_.begin(met.members, first.attendant))
    crossing_[{first.channel, met.members}] = *crossing;
}

void MeetingPoint::handle(events::Message message) {
  Gathering met = std::exchange(meetings_[message.index - first_meeting_], {});
  begin_crossing(met);
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
