#include "engines/meeting_point.h"

#include <algorithm>
#include <utility>

namespace trainyard::engines {

CollectiveWork MeetingPoint::work(std::size_t core, const isa::Program& program,
                                  std::uint32_t instruction) const {
  const std::size_t cores = seats_.cores_of(program, instruction, core);
  return share_(core, program, instruction, static_cast<std::int64_t>(cores));
}

std::pair<MeetingPoint::GroupId, bool> MeetingPoint::group(std::size_t core,
                                                           const isa::Attendant& attendant) {
  Members who;
  if (members_) who = members_(core, attendant.instruction);
  const bool stand_for_others = !who.empty();
  if (!stand_for_others)
    who = seats_.members(attendant.execution->program, attendant.instruction, core);
  const auto [at, is_new] =
      group_ids_.try_emplace(std::move(who), static_cast<GroupId>(groups_.size()));
  if (is_new) groups_.push_back(&at->first);
  return {at->second, stand_for_others};
}

bool MeetingPoint::has(GroupId group, std::size_t core) const {
  return std::ranges::find(members(group), core) != members(group).end();
}

// A core's collectives on a channel come one after the other. When the first one of each of two
// cores waits for the other core, and they are not the same, neither ever takes place. Of those in
// one group, the first that came is compared; the others fit to it.
void MeetingPoint::check_standing(std::size_t core, const Arrival& arrival, GroupId group) {
  Heads& heads = standing_[arrival.channel];
  heads[core].push_back({arrival.attendant, group});
  const Standing& mine = heads[core].front();
  bool compared = false;
  for (const std::size_t member : members(mine.group)) {
    const auto line = heads.find(member);
    if (member == core || line == heads.end()) continue;
    const Standing& other = line->second.front();
    const bool together = other.group == mine.group;
    if (together ? compared : !has(other.group, core)) continue;
    isa::check_companions(other.attendant, mine.attendant);
    compared = compared || together;
  }
}

void MeetingPoint::join(std::size_t core, events::Port<Met>& port) {
  ports_[core] = &port;
  if (between_ != nullptr) between_->join(core, port);
}

void MeetingPoint::arrive(std::size_t core, Arrival arrival) {
  if (between_ != nullptr && crosses_(core, arrival.attendant.instruction))
    return between_->arrive(core, std::move(arrival));
  if (apart_.parts == nullptr) return take(core, std::move(arrival));
  coming_[core].arrivals.push_back(std::move(arrival));
  const auto number = static_cast<std::uint32_t>(core);
  apart_.parts->ask(apart_.part_of[core], *this, {will_come, number}, {comes, number});
}

void MeetingPoint::announce(std::size_t core) {
  Coming& coming = coming_[core];
  const Arrival& arrival = coming.arrivals[coming.announced++];
  const GroupId group = this->group(core, arrival.attendant).first;
  events::Rendezvous& parts = waiting_[{arrival.occasion, arrival.channel, group}].parts;
  if (parts.missing.empty()) {
    for (const std::size_t member : members(group)) ++parts.missing[apart_.part_of[member]];
  }
  const std::size_t part = apart_.part_of[core];
  base::check(parts.missing[part] > 0, "a core comes once to a meeting");
  if (--parts.missing[part] == 0) parts.missing.erase(part);
  apart_.parts->wait(part, parts);
}

MeetingPoint::Gathering MeetingPoint::remove_firsts(Waiting& waiting, GroupId group) {
  Gathering gathering{.group = group, .arrivals = {}};
  const Members& who = members(group);
  for (std::size_t k = 0; k < who.size(); ++k) {
    std::deque<Arrival>& line = waiting.arrivals[k];
    gathering.arrivals.push_back(std::move(line.front()));
    line.pop_front();
    if (line.empty()) --waiting.present;
    if (apart_.parts != nullptr) apart_.parts->met(apart_.part_of[who[k]], waiting.parts);
  }
  waiting.parts = {};
  return gathering;
}

void MeetingPoint::take(std::size_t core, Arrival arrival) {
  const Occasion occasion = arrival.occasion;
  const base::Ticks delay = arrival.delay;
  const std::int32_t channel = arrival.channel;
  const auto [group, stand_for_others] = this->group(core, arrival.attendant);
  const Members& members = this->members(group);
  Waiting& waiting = waiting_[{occasion, channel, group}];
  arrival.attendant.who = seats_.name(core);
  const bool checks = occasion == Occasion::begin && !stand_for_others;
  if (checks) check_standing(core, arrival, group);
  waiting.arrivals.resize(members.size());
  std::deque<Arrival>& line =
      waiting
          .arrivals[static_cast<std::size_t>(std::ranges::find(members, core) - members.begin())];
  if (line.empty()) ++waiting.present;
  line.push_back(std::move(arrival));
  if (waiting.present < members.size()) return;
  Gathering gathering = remove_firsts(waiting, group);
  std::vector<isa::Attendant> attendants;
  for (const Arrival& one : gathering.arrivals) attendants.push_back(one.attendant);
  if (occasion != Occasion::end && !stand_for_others) isa::check_match(attendants);
  if (checks) {
    Heads& heads = standing_[channel];
    for (const std::size_t member : members) {
      const auto line = heads.find(member);
      line->second.pop_front();
      if (line->second.empty()) heads.erase(line);
    }
  }
  const auto under_way =
      occasion == Occasion::end ? crossing_.find({channel, group}) : crossing_.end();
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
  queue_.after(delay, *this, {all_there, number}, events::Priority::early);
}

void MeetingPoint::check_standing(std::span<const MeetingPoint* const> points) {
  struct Head {
    const MeetingPoint* point;
    std::int32_t channel;
    std::size_t core;
    const Standing* standing;
    [[nodiscard]] bool waits_for(std::size_t other) const {
      return point->has(standing->group, other);
    }
  };
  std::vector<Head> heads;
  for (const MeetingPoint* point : points) {
    for (const auto& [channel, of_channel] : point->standing_) {
      for (const auto& [core, line] : of_channel)
        heads.push_back({point, channel, core, &line.front()});
    }
  }
  for (const Head& mine : heads) {
    for (const Head& other : heads) {
      if (mine.core == other.core || !mine.waits_for(other.core) || !other.waits_for(mine.core))
        continue;
      if (mine.point != other.point && mine.channel == other.channel)
        isa::check_companions(mine.standing->attendant, other.standing->attendant);
      isa::check_streams(mine.standing->attendant, other.standing->attendant);
    }
  }
}

void MeetingPoint::crossed(std::uint32_t crossing) {
  const auto held = held_.find(crossing);
  if (held == held_.end()) return;
  const std::uint32_t number = held->second;
  held_.erase(held);
  const Gathering& gathering = meetings_[number - first_meeting_];
  queue_.after(gathering.arrivals.front().delay, *this, {all_there, number},
               events::Priority::early);
}

void MeetingPoint::begin_crossing(const Gathering& met) {
  const Arrival& first = met.arrivals.front();
  if (!crossings_.begin || first.occasion != Occasion::begin) return;
  if (const auto crossing = crossings_.begin(members(met.group), first.attendant))
    crossing_[{first.channel, met.group}] = *crossing;
}

void MeetingPoint::handle(events::Message message) {
  switch (static_cast<What>(message.what)) {
    case all_there: return meet(message.index);
    case will_come: return announce(message.index);
    case comes: {
      Coming& coming = coming_[message.index];
      Arrival arrival = std::move(coming.arrivals.front());
      coming.arrivals.pop_front();
      --coming.announced;
      return take(message.index, std::move(arrival));
    }
  }
}

void MeetingPoint::meet(std::uint32_t number) {
  Gathering met = std::exchange(meetings_[number - first_meeting_], {});
  begin_crossing(met);
  std::vector<isa::Message> sent;
  for (Arrival& arrival : met.arrivals) sent.push_back(std::move(arrival.sent));
  isa::SharedSum sum;
  const Members& who = members(met.group);
  for (std::size_t k = 0; k < who.size(); ++k) {
    const Arrival& arrival = met.arrivals[k];
    if (apart_.parts != nullptr) apart_.parts->answer(apart_.part_of[who[k]]);
    ports_[who[k]]->send(
        {.occasion = arrival.occasion, .token = arrival.token, .received = sent, .sum = &sum});
  }
  // Meetings of different lengths end out of order.
  while (!meetings_.empty() && meetings_.front().arrivals.empty()) {
    meetings_.pop_front();
    ++first_meeting_;
  }
}

}  // namespace trainyard::engines
