#include "engines/meeting_point.h"

#include <algorithm>
#include <utility>

namespace trainyard::engines {

CollectiveWork MeetingPoint::work(std::size_t core, const isa::Program& program,
                                  std::uint32_t instruction) const {
  const std::size_t cores = spec_.seats.cores_of(program, instruction, core);
  return spec_.share(core, program, instruction, static_cast<std::int64_t>(cores));
}

std::pair<MeetingPoint::GroupId, bool> MeetingPoint::group(std::size_t core,
                                                           const isa::Attendant& attendant) {
  Members who;
  if (spec_.members) who = spec_.members(core, attendant.instruction);
  const bool stand_for_others = !who.empty();
  if (!stand_for_others)
    who = spec_.seats.members(attendant.execution->program, attendant.instruction, core);
  const auto [at, is_new] =
      state_.group_ids.try_emplace(std::move(who), static_cast<GroupId>(state_.groups.size()));
  if (is_new) state_.groups.push_back(&at->first);
  return {at->second, stand_for_others};
}

bool MeetingPoint::has(GroupId group, std::size_t core) const {
  return std::ranges::find(members(group), core) != members(group).end();
}

// A core's collectives on a channel come one after the other. When the first one of each of two
// cores waits for the other core, and they are not the same, neither ever takes place. Of those in
// one group, the first that came is compared; the others fit to it.
void MeetingPoint::check_standing(std::size_t core, const Arrival& arrival, GroupId group) {
  Heads& heads = state_.standing[arrival.channel];
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
  spec_.ports[core] = &port;
  if (spec_.between != nullptr) spec_.between->join(core, port);
}

void MeetingPoint::arrive(std::size_t core, Arrival arrival) {
  if (spec_.between != nullptr && spec_.crosses(core, arrival.attendant.instruction))
    return spec_.between->arrive(core, std::move(arrival));
  if (spec_.apart.parts == nullptr) return take(core, std::move(arrival));
  state_.coming[core].arrivals.push_back(std::move(arrival));
  const auto number = static_cast<std::uint32_t>(core);
  spec_.apart.parts->ask(spec_.apart.part_of[core], *this, {will_come, number}, {comes, number});
}

void MeetingPoint::announce(std::size_t core) {
  Coming& coming = state_.coming[core];
  const Arrival& arrival = coming.arrivals[coming.announced++];
  const GroupId group = this->group(core, arrival.attendant).first;
  events::Rendezvous& parts = state_.waiting[{arrival.occasion, arrival.channel, group}].parts;
  if (parts.missing.empty()) {
    for (const std::size_t member : members(group)) ++parts.missing[spec_.apart.part_of[member]];
  }
  const std::size_t part = spec_.apart.part_of[core];
  base::check(parts.missing[part] > 0, "a core comes once to a meeting");
  if (--parts.missing[part] == 0) parts.missing.erase(part);
  spec_.apart.parts->wait(part, parts);
}

MeetingPoint::Gathering MeetingPoint::remove_firsts(Waiting& waiting, GroupId group) {
  Gathering gathering{.group = group, .arrivals = {}};
  const Members& who = members(group);
  for (std::size_t k = 0; k < who.size(); ++k) {
    std::deque<Arrival>& line = waiting.arrivals[k];
    gathering.arrivals.push_back(std::move(line.front()));
    line.pop_front();
    if (line.empty()) --waiting.present;
    if (spec_.apart.parts != nullptr)
      spec_.apart.parts->met(spec_.apart.part_of[who[k]], waiting.parts);
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
  Waiting& waiting = state_.waiting[{occasion, channel, group}];
  arrival.attendant.who = spec_.seats.name(core);
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
    Heads& heads = state_.standing[channel];
    for (const std::size_t member : members) {
      const auto line = heads.find(member);
      line->second.pop_front();
      if (line->second.empty()) heads.erase(line);
    }
  }
  const auto under_way =
      occasion == Occasion::end ? state_.crossing.find({channel, group}) : state_.crossing.end();
  state_.meetings.push_back(std::move(gathering));
  const auto number = state_.first_meeting + static_cast<std::uint32_t>(state_.meetings.size() - 1);
  if (under_way != state_.crossing.end()) {
    const std::uint32_t crossing = under_way->second;
    state_.crossing.erase(under_way);
    if (!spec_.crossings.is_done(crossing)) {
      state_.held[crossing] = number;
      return;
    }
  }
  spec_.queue.after(delay, *this, {all_there, number}, events::Priority::early);
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
    for (const auto& [channel, of_channel] : point->state_.standing) {
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
  const auto held = state_.held.find(crossing);
  if (held == state_.held.end()) return;
  const std::uint32_t number = held->second;
  state_.held.erase(held);
  const Gathering& gathering = state_.meetings[number - state_.first_meeting];
  spec_.queue.after(gathering.arrivals.front().delay, *this, {all_there, number},
                    events::Priority::early);
}

void MeetingPoint::begin_crossing(const Gathering& met) {
  const Arrival& first = met.arrivals.front();
  if (!spec_.crossings.begin || first.occasion != Occasion::begin) return;
  if (const auto crossing = spec_.crossings.begin(members(met.group), first.attendant))
    state_.crossing[{first.channel, met.group}] = *crossing;
}

void MeetingPoint::handle(events::Message message) {
  switch (static_cast<What>(message.what)) {
    case all_there: return meet(message.index);
    case will_come: return announce(message.index);
    case comes: {
      Coming& coming = state_.coming[message.index];
      Arrival arrival = std::move(coming.arrivals.front());
      coming.arrivals.pop_front();
      --coming.announced;
      return take(message.index, std::move(arrival));
    }
  }
}

void MeetingPoint::meet(std::uint32_t number) {
  Gathering met = std::exchange(state_.meetings[number - state_.first_meeting], {});
  begin_crossing(met);
  std::vector<isa::Message> sent;
  for (Arrival& arrival : met.arrivals) sent.push_back(std::move(arrival.sent));
  isa::SharedSum sum;
  const Members& who = members(met.group);
  for (std::size_t k = 0; k < who.size(); ++k) {
    const Arrival& arrival = met.arrivals[k];
    if (spec_.apart.parts != nullptr) spec_.apart.parts->answer(spec_.apart.part_of[who[k]]);
    spec_.ports[who[k]]->send(
        {.occasion = arrival.occasion, .token = arrival.token, .received = sent, .sum = &sum});
  }
  // Meetings of different lengths end out of order.
  while (!state_.meetings.empty() && state_.meetings.front().arrivals.empty()) {
    state_.meetings.pop_front();
    ++state_.first_meeting;
  }
}

}  // namespace trainyard::engines
