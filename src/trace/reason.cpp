#include "trace/reason.h"

#include "base/error.h"

namespace trainyard::trace {
namespace {

struct Words {
  std::string_view name;
  std::string_view prose;
};

constexpr std::array<Words, reason_count> words = {{
    {"working", "doing the work of an instruction or moving its bytes"},
    {"waiting_semaphore",
     "the instruction waits for a semaphore that another engine or a DMA has yet to raise"},
    {"waiting_operand", "an earlier result of the same engine is not yet committed"},
    {"waiting_bank", "another engine holds the memory port or bank it needs"},
    {"waiting_queue", "the queue ahead is full: DMA ring or descriptor back pressure"},
    {"waiting_dma", "the bytes it needs are still on their way by DMA"},
    {"waiting_link", "the link it needs carries other traffic"},
    {"waiting_peer", "another rank has not yet arrived"},
    {"throttle", "held back by the power or current limit"},
    {"overhead", "fetching, issuing, branching or another fixed cost of the sequencer"},
    {"idle", "it has no instruction left, or none yet"},
}};

}  // namespace

std::string_view name(Reason reason) {
  base::check(index(reason) < reason_count, "a reason is out of range");
  return words[index(reason)].name;
}

std::string_view prose(Reason reason) {
  base::check(index(reason) < reason_count, "a reason is out of range");
  return words[index(reason)].prose;
}

}  // namespace trainyard::trace
