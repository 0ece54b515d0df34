// Files and programs in every form.
#include <array>

#include "checks/labels.h"

namespace trainyard::checks {

namespace {

constexpr std::array table{
    Label{"file.read", "the path names a readable file", "It is read whole.",
          "check the path and its permissions", "trainyard isa disassemble missing.typrog"},
    Label{"file.write", "the file can be written", "No half-written file is left.",
          "check the folder, its permissions and the free space", "--out /readonly/report.json"},
    Label{"trace.file", "a .tytrace file follows docs/formats/trace.md",
          "It was cut off, or written by another version.", "write the trace again",
          "trainyard report of a damaged file"},
    Label{"program.binary", "a binary program follows docs/formats/program.md",
          "It was cut off, or written by another version.", "write the program again",
          "trainyard isa disassemble of a damaged file"},
    Label{"program.text", "a program's text follows docs/formats/program.md",
          "Each line is one tensor, instruction or wait.", "see docs/formats/program.md",
          "a line \"nc_matmul dst=\""},
    Label{"program.form", "what a program names exists and fits into a machine",
          "A damaged program must not crash anything.",
          "make the program by its builder, or read it from a file",
          "an instruction on tensor 9 of 3"},
    Label{"program.loops", "every loop_begin has one loop_end that names it, properly nested",
          "Sequencers go back by it.", "close the innermost open loop", "a loop_end too many"},
    Label{"program.branches", "a branch goes forward to an instruction of the same loop body",
          "Going back is what loops are for.", "use a loop to go back",
          "a branch to an earlier line"},
    Label{"program.references", "a stream names instructions, waits and signals of the program",
          "A damaged program must not crash anything.", "compile the program again",
          "a stream item 99 of 10"},
    Label{"program.engines", "a stream holds instructions of its engine, and control instructions",
          "Each sequencer runs one stream.", "compile the program again",
          "a matmul in the stream of Vector"},
    Label{"program.stream_loops", "a stream runs loops as the program does",
          "All engines take the same turns.", "compile the program again",
          "a stream without the loop_end"},
    Label{"program.semaphores",
          "waits and signals use the program's semaphores, which the core has",
          "Others do not exist.", "compile the program again", "a wait for semaphore 999"},
    Label{"program.compiled", "a program is compiled once", "Its addresses are chosen already.",
          "compile the kernel that it was made from",
          "compiling a .typrog that was saved compiled"},
    Label{"graph.artifact", "a StableHLO artifact is well-formed MLIR bytecode",
          "It is read byte by byte; nothing is guessed.", "export the program again",
          "trainyard graph of a text file"},
    Label{"graph.attribute", "an operation has the attributes that StableHLO gives it",
          "Its meaning depends on them.", "write the program with a current StableHLO",
          "a convolution without dimension numbers"},
    Label{"graph.call", "a called function is part of the module and takes as many arguments",
          "Programs are compiled whole.", "export the module whole", "call @missing()"},
    Label{"graph.entry", "a module has a function main", "It is where a run begins.",
          "export the function to run as main", "a module with @forward only"},
    Label{"graph.input", "main gets as many inputs as it takes, of their types",
          "Values are read by position.", "pass one array for each argument",
          "two arrays for three arguments"},
    Label{"lower.dynamic", "shapes are known when a program is compiled", "Memory is planned then.",
          "give every dimension a size, as jax.jit does", "tensor<?x4xf32>"},
    Label{"model.input", "a model gets one input of the right size for each argument of main",
          "Values are read by position.", "pass the arguments that the function was traced with",
          "model.run(x) of f(x, y)"},
    Label{"model.control",
          "how often a loop turns, and which branch is taken, is known only with values",
          "A run of time only computes nothing.", "run it with values, or unroll the loop",
          "a timed run without values of jax.lax.while_loop"},
    Label{"model.endless", "a loop ends", "It ran for more turns than any real program needs.",
          "look at the condition", "jax.lax.while_loop(lambda x: True, ...)"},
    Label{"model.schedule", "a schedule is author, list or free",
          "These are the ways in which the compiler orders instructions.", "leave it out",
          "compile(f, schedule=\"fast\")"},
    Label{"pjrt.compile_options", "compile options are a serialised CompileOptionsProto",
          "JAX hands them over in that form.",
          "pass what jaxlib's CompileOptions.SerializeAsString gives", "options of random bytes"},
    Label{"pjrt.serialized_executable",
          "a serialised executable begins with its mark and holds options and program",
          "It was written by another version, or cut off.", "clear the compilation cache",
          "a damaged entry of JAX's compilation cache"},
};

}  // namespace

std::span<const Label> program_labels() { return table; }

}  // namespace trainyard::checks
