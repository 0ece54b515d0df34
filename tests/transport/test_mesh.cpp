// Do processes meet, exchange what they have, and say who is missing, gone or somewhere else?
#include "transport/mesh.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <thread>

#include "base/error.h"
#include "transport/launch.h"

namespace trainyard::transport {
namespace {

using std::chrono::steady_clock;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Deadline in_seconds(int seconds) { return steady_clock::now() + std::chrono::seconds(seconds); }

// Runs `work` as each of `count` processes, which are threads here.
void as_processes(int count, const std::function<void(Mesh&)>& work) {
  std::vector<Door> doors;
  std::vector<Card> cards;
  for (int rank = 0; rank < count; ++rank) {
    doors.push_back(Door::opened("127.0.0.1"));
    cards.push_back(doors.back().card);
  }
  std::vector<std::thread> threads;
  for (int rank = 0; rank < count; ++rank) {
    threads.emplace_back([&, rank] {
      Mesh mesh(rank, doors[static_cast<std::size_t>(rank)], cards, in_seconds(20));
      work(mesh);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// The same message to all others; what each process has, by rank, this one too.
std::vector<std::string> gathered(Mesh& mesh, const std::string& mine, std::string_view about) {
  std::vector<int> others;
  for (int r = 0; r < mesh.size(); ++r)
    if (r != mesh.rank()) others.push_back(r);
  std::vector<std::string> all =
      mesh.exchange(others, std::vector<std::string>(others.size(), mine), about);
  all.insert(all.begin() + mesh.rank(), mine);
  return all;
}

std::string message_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Mesh, EachProcessHearsWhatAllHave) {
  as_processes(3, [](Mesh& mesh) {
    for (int turn = 0; turn < 3; ++turn) {
      const std::string mine(static_cast<std::size_t>(mesh.rank() + turn), 'x');
      EXPECT_THAT(gathered(mesh, mine, "a test"),
                  ElementsAre(std::string(static_cast<std::size_t>(turn), 'x'),
                              std::string(static_cast<std::size_t>(turn) + 1, 'x'),
                              std::string(static_cast<std::size_t>(turn) + 2, 'x')));
    }
  });
}

TEST(Mesh, LargeMessagesCross) {
  as_processes(2, [](Mesh& mesh) {
    const std::string mine(std::size_t{70} << 20, static_cast<char>('a' + mesh.rank()));
    const auto all = gathered(mesh, mine, "a test");
    EXPECT_EQ(all[1 - static_cast<std::size_t>(mesh.rank())],
              std::string(mine.size(), static_cast<char>('b' - mesh.rank())));
  });
}

TEST(Mesh, TwoOfThreeExchangeAlone) {
  as_processes(3, [](Mesh& mesh) {
    if (mesh.rank() == 1) return;
    const int other = 2 - mesh.rank();
    const std::vector<std::string> mine{std::to_string(mesh.rank())};
    EXPECT_THAT(mesh.exchange({&other, 1}, mine, "a test"), ElementsAre(std::to_string(other)));
  });
}

TEST(Mesh, OneThatIsGoneIsNamed) {
  as_processes(2, [](Mesh& mesh) {
    if (mesh.rank() == 1) return;
    const std::string said = message_of([&] { (void)gathered(mesh, "x", "all_reduce"); });
    EXPECT_THAT(said, HasSubstr("process 1 of 2 is gone"));
    EXPECT_THAT(said, HasSubstr("processes.gone"));
    EXPECT_THAT(said, HasSubstr("all_reduce"));
  });
}

TEST(Mesh, OneThatDoesSomethingElseIsNamed) {
  as_processes(2, [](Mesh& mesh) {
    const std::string said = message_of([&] {
      (void)gathered(mesh, "x", mesh.rank() == 0 ? "jit_f: all_reduce" : "jit_g: results");
    });
    EXPECT_THAT(said, HasSubstr("processes.order"));
    EXPECT_THAT(said, HasSubstr(mesh.rank() == 0 ? "process 1 is at jit_g: results"
                                                 : "process 0 is at jit_f: all_reduce"));
  });
}

TEST(Mesh, OneThatDoesNotComeIsNamed) {
  const Door door = Door::opened("127.0.0.1");
  const std::string said = message_of([&] {
    Mesh(0, door, {door.card, door.card}, in_seconds(0));
  });
  EXPECT_THAT(said, HasSubstr("processes.missing: process 1 did not come"));
}

TEST(Mesh, StrangersAreNotLetIn) {
  const Door first = Door::opened("127.0.0.1"), second = Door::opened("127.0.0.1");
  const Socket stranger = Socket::connected(first.card.address, in_seconds(5));
  EXPECT_TRUE(stranger.send_line("another word 1", in_seconds(5)));
  const Socket babbler = Socket::connected(first.card.address, in_seconds(5));
  EXPECT_TRUE(babbler.send_line(std::string(Socket::line_max + 1, 'x'), in_seconds(5)));
  const std::vector<Card> cards{first.card, second.card};
  std::thread other([&] {
    Mesh mesh(1, second, cards, in_seconds(20));
    EXPECT_THAT(gathered(mesh, "b", "a test"), ElementsAre("a", "b"));
  });
  Mesh mesh(0, first, cards, in_seconds(20));
  EXPECT_THAT(gathered(mesh, "a", "a test"), ElementsAre("a", "b"));
  other.join();
}

TEST(Address, OfThisHostTowardsAnotherOne) {
  EXPECT_EQ(host_towards({"127.0.0.1", 5000}), "127.0.0.1");
  EXPECT_EQ(host_towards({"no host of this name.invalid", 5000}), "127.0.0.1");
}

TEST(Card, IsReadAsItWasWritten) {
  const Card card{{"::1", 500}, "word", "host a, process 1"};
  const Card read = Card::read(card.text());
  EXPECT_EQ(read.address.text(), "[::1]:500");
  EXPECT_EQ(read.word, "word");
  EXPECT_EQ(read.name, "host a, process 1");
  EXPECT_THAT(message_of([&] { (void)Card::read("nonsense"); }), HasSubstr("processes.card"));
}

Variables variables(std::map<std::string, std::string> values) {
  return [values = std::move(values)](const char* name) -> std::optional<std::string> {
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  };
}

TEST(Launch, IsReadFromTheEnvironment) {
  EXPECT_FALSE(launched(variables({})));
  const auto ours = launched(variables({{"TRAINYARD_PROCESS_COUNT", "4"},
                                        {"TRAINYARD_PROCESS_ID", "3"},
                                        {"TRAINYARD_COORDINATOR", "10.0.0.1:5000"}}));
  ASSERT_TRUE(ours);
  EXPECT_EQ(ours->rank, 3);
  EXPECT_EQ(ours->size, 4);
  EXPECT_EQ(ours->meeting.text(), "10.0.0.1:5000");
}

std::map<std::string, std::string> open_mpi(std::string local_size) {
  return {{"OMPI_MCA_orte_hnp_uri", "1531576320.0;tcp://10.96.0.1,10.148.0.1:34911"},
          {"OMPI_COMM_WORLD_SIZE", "2"},
          {"OMPI_COMM_WORLD_LOCAL_SIZE", std::move(local_size)},
          {"OMPI_COMM_WORLD_RANK", "1"}};
}

TEST(Launch, OpenMpiSaysWhereTheFirstProcessIs) {
  const auto far = launched(variables(open_mpi("1")));
  ASSERT_TRUE(far);
  EXPECT_EQ(far->rank, 1);
  EXPECT_EQ(far->meeting.host, "10.96.0.1");
  EXPECT_EQ(launched(variables(open_mpi("2")))->meeting.host, "127.0.0.1");
}

TEST(Launch, TheCoordinatorMayBeElsewhere) {
  std::map<std::string, std::string> all = open_mpi("1");
  all["TRAINYARD_COORDINATOR"] = "worker-0.job:6000";
  EXPECT_EQ(launched(variables(all))->meeting.text(), "worker-0.job:6000");
  all.erase("OMPI_MCA_orte_hnp_uri");
  all.erase("TRAINYARD_COORDINATOR");
  EXPECT_THAT(message_of([&] { (void)launched(variables(all)); }),
              HasSubstr("set TRAINYARD_COORDINATOR"));
}

TEST(Launch, AProcessMayStayAlone) {
  std::map<std::string, std::string> all = open_mpi("2");
  all["TRAINYARD_PROCESS_COUNT"] = "1";
  EXPECT_FALSE(launched(variables(std::move(all))));
}

TEST(Launch, WrongSettingsAreNamed) {
  EXPECT_THAT(message_of([] {
                (void)launched(
                    variables({{"TRAINYARD_PROCESS_COUNT", "2"}, {"TRAINYARD_PROCESS_ID", "2"}}));
              }),
              HasSubstr("TRAINYARD_PROCESS_ID"));
  EXPECT_THAT(message_of([] {
                (void)launched(variables({{"TRAINYARD_PROCESS_COUNT", "2"},
                                          {"TRAINYARD_PROCESS_ID", "1"},
                                          {"TRAINYARD_COORDINATOR", "nowhere"}}));
              }),
              HasSubstr("processes.address"));
  EXPECT_THAT(message_of([] { (void)Address::read("host:70000"); }),
              HasSubstr("processes.address"));
}

TEST(Launch, AllOfAJobMeet) {
  const Address meeting = Door::opened("127.0.0.1").card.address;  // free again
  std::vector<std::thread> threads;
  for (int rank = 0; rank < 3; ++rank) {
    threads.emplace_back([&, rank] {
      const auto mesh = meet({rank, 3, meeting, "word"}, in_seconds(20));
      EXPECT_THAT(gathered(*mesh, std::to_string(rank), "a test"), ElementsAre("0", "1", "2"));
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace trainyard::transport
