#include "transport/launch.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "base/hash.h"

namespace trainyard::transport {

namespace {

[[noreturn]] void refuse(std::string place, std::string found, std::string fix) {
  throw base::InputError({"processes.launch", "a job names its processes in the environment",
                          std::move(place), std::move(found), std::move(fix)});
}

int number(const Variables& variables, const char* name, int least, int most) {
  const std::string text = variables(name).value_or("");
  int value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || rest != text.data() + text.size() || value < least || value > most) {
    refuse(name, fmt::format("\"{}\"", text),
           fmt::format("set it to a number from {} to {}", least, most));
  }
  return value;
}

constexpr int processes_max = 4096;

std::optional<Launch> by_ourselves(const Variables& variables) {
  Launch launch;
  launch.size = number(variables, "TRAINYARD_PROCESS_COUNT", 1, processes_max);
  if (launch.size == 1) return std::nullopt;
  launch.rank = number(variables, "TRAINYARD_PROCESS_ID", 0, launch.size - 1);
  const auto coordinator = variables("TRAINYARD_COORDINATOR");
  if (!coordinator) {
    refuse("TRAINYARD_COORDINATOR", "nothing",
           "set it to an address of process 0's host and a free port: \"10.0.0.1:5000\"");
  }
  launch.meeting = Address::read(*coordinator);
  launch.word = variables("TRAINYARD_JOB_WORD").value_or("trainyard");
  return launch;
}

// The first address in "1531576320.0;tcp://10.96.0.1,10.148.0.1:34911", the launcher's. Source:
// Open MPI 4, the text of orte_hnp_uri.
std::string launcher_host(std::string_view uri) {
  const std::size_t at = uri.find("://");
  if (at == std::string_view::npos) return {};
  uri.remove_prefix(at + 3);
  if (uri.starts_with('[')) uri.remove_prefix(1);
  return std::string(uri.substr(0, uri.find_first_of(",:]")));
}

std::optional<Launch> by_open_mpi(const Variables& variables) {
  if (!variables("OMPI_COMM_WORLD_SIZE")) return std::nullopt;
  Launch launch;
  launch.size = number(variables, "OMPI_COMM_WORLD_SIZE", 1, processes_max);
  if (launch.size == 1) return std::nullopt;
  launch.rank = number(variables, "OMPI_COMM_WORLD_RANK", 0, launch.size - 1);
  const std::string uri = variables("OMPI_MCA_orte_hnp_uri").value_or("");
  const std::string job = uri + variables("PMIX_NAMESPACE").value_or("");
  const std::uint64_t hash = base::hash_bytes(std::as_bytes(std::span(job)));
  launch.word = fmt::format("{:016x}", hash);
  if (const auto coordinator = variables("TRAINYARD_COORDINATOR")) {
    launch.meeting = Address::read(*coordinator);
    return launch;
  }
  const bool is_one_host =
      variables("OMPI_COMM_WORLD_LOCAL_SIZE") == variables("OMPI_COMM_WORLD_SIZE");
  launch.meeting.host = is_one_host ? "127.0.0.1" : launcher_host(uri);
  constexpr std::uint64_t first_port = 57344, ports = 4096;  // below those that JAX's own way takes
  launch.meeting.port = static_cast<std::uint16_t>(first_port + hash % ports);
  if (job.empty() || launch.meeting.host.empty()) {
    refuse("OMPI_MCA_orte_hnp_uri", "no address of the first process's host",
           "set TRAINYARD_COORDINATOR to an address of process 0's host and a free port");
  }
  return launch;
}

using Cards = std::vector<Card>;

std::string in_one(const Cards& cards) {
  std::string out;
  for (const Card& card : cards) base::put_string(out, card.text());
  return out;
}

Cards of_all(std::string_view text, int size) {
  base::ByteReader reader(text, "what process 0 tells",
                          {.label = "processes.card",
                           .rule = "process 0 tells each process the cards of all",
                           .fix = "start all processes with the same version of this package"});
  Cards cards;
  for (int r = 0; r < size; ++r) cards.push_back(Card::read(reader.string()));
  reader.expect_end();
  return cards;
}

[[noreturn]] void miss(const Launch& launch, std::string found) {
  throw base::InputError(
      {"processes.missing", "all processes of a job meet before the first program",
       fmt::format("{}, process {} of {}", launch.meeting.text(), launch.rank, launch.size),
       std::move(found), "look at the other processes' messages; start all of them together"});
}

Socket listening(const Launch& launch) {
  try {
    return Socket::listening(launch.meeting);
  } catch (const base::InputError& error) {
    throw base::InputError(
        {"processes.launch",
         "process 0 of a job waits for the others at an address of its own host",
         launch.meeting.text(), error.violations().front().found,
         "set TRAINYARD_COORDINATOR to an address of process 0's host and a free port"});
  }
}

// Process 0 waits for the card of each, then tells all of them all cards.
Cards cards_at_first(const Launch& launch, const Card& mine, Deadline deadline) {
  const Socket waiting = listening(launch);
  const auto count = static_cast<std::size_t>(launch.size);
  std::vector<Socket> guests(count);
  Cards cards(count);
  cards[0] = mine;
  for (std::size_t met = 1; met < count;) {
    Socket guest = waiting.accepted(deadline);
    if (!guest.is_open()) miss(launch, fmt::format("{} of {} came", met, count));
    std::string line, word, rank;
    if (!guest.receive_line(line, deadline)) continue;
    const std::size_t space = line.find(' '), end = line.find('\n');
    if (end == std::string::npos || space > end || line.substr(0, space) != launch.word) continue;
    std::size_t r = 0;
    std::from_chars(line.data() + space + 1, line.data() + end, r);
    if (r == 0 || r >= count || guests[r].is_open()) continue;
    cards[r] = Card::read(std::string_view(line).substr(end + 1));
    guests[r] = std::move(guest);
    ++met;
  }
  const std::string all = in_one(cards);
  for (std::size_t r = 1; r < count; ++r)
    if (!guests[r].send_line(all, deadline)) miss(launch, fmt::format("process {} is gone", r));
  return cards;
}

}  // namespace

std::optional<Launch> launched(const Variables& variables) {
  return variables("TRAINYARD_PROCESS_COUNT") ? by_ourselves(variables) : by_open_mpi(variables);
}

std::unique_ptr<Mesh> meet(const Launch& launch, Deadline deadline) {
  if (launch.rank == 0) {
    const Door door = Door::opened(launch.meeting.host);
    return std::make_unique<Mesh>(0, door, cards_at_first(launch, door.card, deadline), deadline);
  }
  const Socket first = Socket::connected(launch.meeting, deadline);
  const Door door = Door::opened(first.address().host);  // by which the first one is reached
  std::string all;
  if (!first.send_line(fmt::format("{} {}\n{}", launch.word, launch.rank, door.card.text()),
                       deadline) ||
      !first.receive_line(all, deadline))
    miss(launch, "process 0 is gone");
  return std::make_unique<Mesh>(launch.rank, door, of_all(all, launch.size), deadline);
}

}  // namespace trainyard::transport
