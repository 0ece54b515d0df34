// Collectives, runs and results of kernels.
#include <array>

#include "checks/labels.h"

namespace trainyard::checks {

namespace {

constexpr std::array table{
    Label{"kernel.output",
          "a kernel returns tensors in shared HBM, the same on all cores of a grid",
          "The host reads results from there.",
          "write the result to an nl.ndarray(..., buffer=nl.shared_hbm) and return that",
          "return sbuf_tile"},
    Label{"collective.tensors", "srcs and dsts are lists of tensors",
          "A collective moves them in pairs.",
          "pass srcs=[tensor], and call the collective once for each pair", "srcs=tensor"},
    Label{"collective.shape", "the destination has the size of the result",
          "Every rank's part has a place in it.", "give the destination the size of the result",
          "all_gather of 4 ranks into a tensor of 2 parts"},
    Label{"collective.dim", "collective_dim is 0, or 1 for all_gather in SBUF",
          "The ranks' parts lie one after the other in memory.",
          "rearrange the tensor so that the ranks' parts are along dimension 0",
          "collective_dim=2"},
    Label{"collective.group", "a group lists every rank once", "A rank takes part once.",
          "list every rank in one group", "[[0, 1], [1, 2]]"},
    Label{"collective.ranks", "the ranks of a group run the kernel", "Others would wait for ever.",
          "run the kernel on more ranks: kernel.run_ranks([inputs of rank 0, ...])",
          "a group of 4 in a run of 2 ranks"},
    Label{"collective.memory", "collective_permute works on HBM tensors",
          "Its bytes are moved by the ranks' DMA rings.",
          "use collective_permute_implicit, or copy the data to HBM first",
          "collective_permute of an SBUF tile"},
    Label{"collective.slot", "each prepare has one trigger of its kind, before the next prepare",
          "A prepared collective occupies a slot of the hardware.",
          "trigger what has been prepared first", "two prepares in a row"},
    Label{"collective.channels",
          "channels are 0, 1, ...: up to 4 in a group of all ranks, else up to 2",
          "Each is a stream of the collective cores.",
          "use fewer channels, and number them from 0 on", "channels=(0, 5)"},
    Label{"collective.supported", "the collective takes what AWS documents as supported",
          "Other forms have no defined result.", "use all_gather or all_to_all with padded parts",
          "all_gather_v of bfloat16 with odd parts"},
    Label{"collective.bounds", "the chunks of a collective lie inside its tensors",
          "The metadata tensor is read at run time.",
          "correct the counts and displacements in the metadata tensor",
          "a displacement beyond the tensor"},
    Label{"meeting.ranks", "every rank of a collective's group is there",
          "The others would wait for ever.",
          "run the kernel on as many ranks as its groups name: kernel.run_ranks([...])",
          "a group of 4 in a run of 2 ranks"},
    Label{"peek.loop", "values are known outside of hardware loops",
          "The body is traced once and runs many times.",
          "use nl.device_print, which prints after the run",
          "trainyard.peek(t) inside nl.dynamic_range"},
    Label{"peek.grid", "values are known before the cores of a grid, or ranks, meet",
          "What another core sends is not there while this one is traced.",
          "use nl.device_print, which prints after the run", "trainyard.peek(t) behind sendrecv"},
    Label{"run.binding", "every input and output is bound to a buffer of the device, large enough",
          "A loaded program reads and writes its caller's memory.",
          "bind every input and output to a buffer of the program's device that is large enough",
          "an output without a buffer"},
    Label{"run.timed", "time is known of a timed run", "Others have no clock.", "pass timed=True",
          "kernel.run(x)[1].report"},
    Label{"time.data", "a run without values knows every number that control flow depends on",
          "A loop's bound is loaded from memory that nothing has filled in.", "run with values",
          "trainyard time --no-values of a data-dependent loop"},
    Label{"schedule.name", "a schedule is 'author', 'list' or 'free'",
          "These are the ways in which the compiler orders a kernel.",
          "leave it out, or pass \"list\"", "kernel.run(x, schedule=\"fast\")"},
    Label{"schedule.cycle", "scheduling edges and data dependences form no cycle",
          "Instructions would wait for each other.",
          "remove one of the depends_on or with_schedule edges",
          "a.depends_on(b); b.depends_on(a)"},
    Label{"semaphores.capacity", "a program needs no more semaphores than the core has",
          "Engines and queues wait for each other by them.", "use fewer DMA queues",
          "transfers on 40 queues"},
    Label{"checks.severity", "a severity is 'note', 'warning' or 'error'",
          "Findings have one of these.", "pass stop_at=\"warning\"",
          "kernel.run(x, stop_at=\"fatal\")"},
    Label{"buffer.bounds", "a transfer lies inside its buffer",
          "Bytes outside belong to another one.", "check the offset and the number of bytes",
          "8 bytes at offset 12 of a buffer of 16"},
    Label{"system.cores", "a run has no more cores than the machine",
          "Cores of a rank share an HBM stack, ranks a chip.", "run on fewer cores",
          "kernel[9] on a chip of eight cores"},
    Label{"hbm.capacity", "the tensors fit into the HBM of their core", "HBM has a fixed size.",
          "use smaller tensors or a machine with more HBM",
          "nl.ndarray((1 << 20, 1 << 20), nl.float32, buffer=nl.shared_hbm)"},
    Label{"host.address_space", "the host grants address space for the simulated memory",
          "A stack's HBM is reserved as address space, as much as the host grants, and filled page "
          "by "
          "page.",
          "raise the limit on virtual memory (ulimit -v) or simulate a smaller memory "
          "(--set hbm.stack_size=4GiB)",
          "ulimit -v 4000000; trainyard run script.py"},
};

}  // namespace

std::span<const Label> run_labels() { return table; }

}  // namespace trainyard::checks
