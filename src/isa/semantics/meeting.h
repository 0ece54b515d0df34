// Instructions that need other cores: who meets whom, what they send, and whether those that meet
// fit together. Who waits, and for how long, is the runners' affair.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "isa/core/program.h"
#include "isa/semantics/execution.h"

namespace trainyard::isa {

// What is the same for all ranks; and as `rank` takes part, with its group and its edges.
[[nodiscard]] Meeting meeting_of(const Program& program, std::uint32_t instruction);
[[nodiscard]] Meeting meeting_of(const Program& program, std::uint32_t instruction,
                                 std::int32_t rank);

// Whom a rank sends to in a permute, and who sends to it; -1: nobody.
struct Edges {
  std::int32_t to = -1, from = -1;
};
// By the pairs; where there are none, along the ring of its group.
[[nodiscard]] Edges edges_of(const Program& program, RankGroups groups, RankGroups pairs,
                             std::int32_t rank);

// Which core of which rank: a rank is a logical core, a grid of one or two cores.
struct Seat {
  std::int32_t rank = 0, core = 0;
  friend bool operator==(const Seat&, const Seat&) = default;
};

// The cores of one run.
class Seats {
 public:
  explicit Seats(std::vector<Seat> list);
  // `cores` cores of one rank.
  [[nodiscard]] static Seats grid(std::size_t cores);

  [[nodiscard]] std::size_t size() const { return list_.size(); }
  [[nodiscard]] const Seat& operator[](std::size_t core) const { return list_[core]; }
  // "core 1", where there are several ranks "rank 3", or "rank 3 core 1".
  [[nodiscard]] const std::string& name(std::size_t core) const { return names_[core]; }
  [[nodiscard]] bool has_ranks() const { return has_ranks_; }

  // Those that meet at an instruction of `core`, which is one of them: all cores of its grid; of a
  // collective, by rank in the order of its group, all cores where its data is shared by them, else
  // those with the same number. Throws Fault "meeting.ranks" for a rank that is not in the run, and
  // for one of the run that is in no group.
  [[nodiscard]] std::vector<std::size_t> members(const Program& program, std::uint32_t instruction,
                                                 std::size_t core) const;
  // Of a collective: how many cores of each rank take part.
  [[nodiscard]] std::size_t cores_of(const Program& program, std::uint32_t instruction,
                                     std::size_t core) const;

 private:
  std::vector<Seat> list_;
  std::unordered_map<std::int32_t, std::vector<std::size_t>> of_rank_;
  std::vector<std::string> names_;
  bool has_ranks_ = false;
};

// A collective on data that the cores of a logical core share is one for all of them.
[[nodiscard]] bool is_of_whole_rank(const Program& program, std::uint32_t instruction);

// An instruction that stands at a meeting: one core's side of it.
struct Attendant {
  Execution* execution = nullptr;  // of its core, with its program
  std::uint32_t instruction = 0;
  const void* record = nullptr;  // with its run-time addresses resolved
  std::string_view who{};        // Seats::name
};

// Throws Fault "meeting.match" unless the attendants, in the order of Seats::members, can meet:
// they are the same kind of instruction, barriers name the same shared data, what each core sends
// is what another one receives, and ranks name the same group and do the same to it.
void check_match(std::span<const Attendant> attendants);

// Both stand at the head of one channel. Throws Fault "meeting.match" where each waits for the
// other one at a collective that the other one does not come to: another group, order of ranks,
// operation, size or element type. Nothing that comes later can mend it.
void check_companions(const Attendant& mine, const Attendant& other);

// Both wait for ever, each for the other one. Throws Fault "meeting.match" where they stand at
// collectives of one group, but on different streams.
void check_streams(const Attendant& mine, const Attendant& other);

// What a core sends: the elements of its tile in their order, or what its Definition says.
[[nodiscard]] std::vector<std::byte> outgoing(const Attendant& attendant);

// "core_barrier at kernel.py:12 in kernel", for messages.
[[nodiscard]] std::string describe(const Program& program, std::uint32_t instruction,
                                   std::int32_t rank);

}  // namespace trainyard::isa
