// Checks of what comes before what.
#include <array>

#include "checks/registry.h"

namespace trainyard::checks {

namespace {

constexpr std::array order_table{
    Check{.id = "memory.race",
          .title = "Accesses that nothing orders",
          .rule = "accesses of the same bytes are ordered by semaphores",
          .why = "Engines and DMA queues run in parallel. Which access comes first depends on "
                 "timing: a write may happen before the previous reader has finished, or after the "
                 "next reader has started. Checked in timed runs. The compiler orders kernels, so "
                 "this check verifies the compiler, and programs from other sources.",
          .source = "NKI scheduling guide; vector clocks for each engine and queue",
          .fix = "make the second wait for the first (a semaphore, or depends_on)"},
    Check{.id = "run.deadlock",
          .title = "Engines that wait for each other",
          .rule = "every engine reaches the end of its stream",
          .why = "On the device the kernel hangs until a timeout.",
          .source = "nki.isa depends_on; NKI scheduling guide",
          .fix = "let the signal come before the wait, or remove the wait"},
    Check{.id = "run.endless",
          .title = "Loop that does not end",
          .rule = "a while loop ends; one that runs for 2^22 iterations counts as endless",
          .why = "On the device the kernel hangs until a timeout. A loop is found at once if an "
                 "iteration starts with the registers and the memory of an earlier one. Checked in "
                 "every run, even without checks.",
          .source = "nki.language.while_loop; the number is ours",
          .fix = "let the body make the condition 0, or use nl.fori_loop"},
    Check{.id = "order.semaphore",
          .title = "Semaphore that does not end at zero",
          .rule = "every signal is waited for: semaphores end as they began",
          .why =
              "The next run of the program starts with the count that is left, and its waits are "
              "satisfied too early.",
          .source = "profile schema, SemaphoreUpdate",
          .fix = "wait for every signal, or leave the signal out"},
    Check{.id = "grid.conflict",
          .stage = Stage::compile,
          .title = "Instances of a grid that touch the same bytes",
          .rule = "an instance of a grid reads HBM bytes that another one writes only after a "
                  "core_barrier on them",
          .why = "They run in parallel; without a barrier the reader may come first. Checked "
                 "before the run, and during it for addresses that are known only then.",
          .source = "NKI LNC guide, shared_hbm",
          .fix =
              "let every instance write a part of its own, chosen by nl.program_id(0), and put a "
              "core_barrier on the tensor before others read it"},
    Check{.id = "grid.overwrite",
          .severity = Severity::warning,
          .title = "Instances of a grid that leave different values",
          .rule = "HBM bytes that two instances of a grid write without a core_barrier on them in "
                  "between get the same values from both",
          .why = "They run in parallel: which value remains depends on timing.",
          .source = "NKI LNC guide, shared_hbm",
          .fix = "put a core_barrier on the tensor between the two, or let every instance write a "
                 "part of its own, chosen by nl.program_id(0)"},
    Check{.id = "grid.shared",
          .stage = Stage::compile,
          .title = "Instances of a grid with different shared tensors",
          .rule = "all instances of a grid create the same shared tensors in the same order",
          .why = "Shared tensors are matched by the order of their creation.",
          .source = "NKI LNC guide, shared_hbm",
          .fix = "create shared tensors before any code that depends on nl.program_id, or use "
                 "private_hbm"},
    Check{.id = "meeting.match",
          .title = "Operations of several cores that do not match",
          .rule = "operations that several cores take part in match: barriers on the same data, "
                  "exchanges of the same shape, collectives of the same kind and ranks",
          .why = "On the device each core waits for a counterpart that never comes, or takes data "
                 "that was meant for another one.",
          .source = "nki.isa core_barrier and sendrecv; nki.collectives",
          .fix = "let all instances, and all ranks of a group, run the same operations in the same "
                 "order",
          .example = R"(def kernel(x):
    out = nl.ndarray((128, 512), x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=x)
    nisa.core_barrier(out, (0, 1))
    return out
)"},
};

}  // namespace

std::span<const Check> order_checks() { return order_table; }

}  // namespace trainyard::checks
