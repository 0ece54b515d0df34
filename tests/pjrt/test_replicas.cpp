// May one replica run without the others, as threads of torch_xla call them?
#include <array>
#include <string>
#include <vector>

#include "caller.h"

namespace trainyard::pjrt {
namespace {

class Replicas : public ClientTest {
 protected:
  // Of two replicas, each with two numbers for an argument and for a result.
  LoadedExecutable* compile(const std::string& line) {
    std::string code =
        "module @two {\n  func.func public @main(%x: tensor<2xi32>) -> tensor<2xi32> {\n    %r = " +
        line + "\n    return %r : tensor<2xi32>\n  }\n}\n";
    std::string format = "mlir";
    Program program{.header = {sizeof(Program), nullptr},
                    .code = code.data(),
                    .code_size = code.size(),
                    .format = format.data(),
                    .format_size = format.size()};
    const std::string options("\x1a\x04\x20\x02\x28\x01", 6);  // num_replicas, num_partitions
    return done(ClientCompileArgs{.header = {},
                                  .client = client(),
                                  .program = &program,
                                  .compile_options = options.data(),
                                  .compile_options_size = options.size(),
                                  .executable = nullptr})
        .executable;
  }
  Buffer* put(const std::array<std::int32_t, 2>& data, std::size_t at) {
    const std::int64_t size = 2;
    const auto args = done(ClientBufferFromHostBufferArgs{.header = {},
                                                          .client = client(),
                                                          .data = data.data(),
                                                          .type = BufferType::s32,
                                                          .dims = &size,
                                                          .num_dims = 1,
                                                          .host_buffer_semantics = {},
                                                          .device = device(at)});
    done(EventDestroyArgs{.header = {}, .event = args.done_with_host_buffer});
    return args.buffer;
  }
  static std::array<std::int32_t, 2> get(Buffer* buffer) {
    std::array<std::int32_t, 2> data{};
    const auto args = done(BufferToHostBufferArgs{.header = {},
                                                  .src = buffer,
                                                  .host_layout = nullptr,
                                                  .dst = data.data(),
                                                  .dst_size = sizeof data});
    done(EventDestroyArgs{.header = {}, .event = args.event});
    return data;
  }
  // What a call for one device answers; `result` is its buffer.
  Answer call_on(LoadedExecutable* executable, std::size_t at, Buffer* argument, Buffer*& result) {
    ExecuteOptions options{.header = {sizeof(ExecuteOptions), nullptr}};
    Buffer* const* const arguments = &argument;
    Buffer** const results = &result;
    LoadedExecutableExecuteArgs args{.header = {},
                                     .executable = executable,
                                     .options = &options,
                                     .argument_lists = &arguments,
                                     .num_devices = 1,
                                     .num_args = 1,
                                     .output_lists = &results,
                                     .execute_device = device(at)};
    return call(args);
  }
  static void destroy(Buffer* buffer) { done(BufferDestroyArgs{.header = {}, .buffer = buffer}); }
  static void destroy(LoadedExecutable* executable) {
    done(LoadedExecutableDestroyArgs{.header = {}, .executable = executable});
  }
};

TEST_F(Replicas, OneThatExchangesNothingRunsAlone) {
  LoadedExecutable* const executable = compile("stablehlo.add %x, %x : tensor<2xi32>");
  for (const std::size_t at : {1U, 0U}) {
    Buffer* const argument = put({3, -4}, at);
    Buffer* result = nullptr;
    const Answer answer = call_on(executable, at, argument, result);
    ASSERT_EQ(answer.code, ErrorCode::ok) << answer.message;
    EXPECT_EQ(get(result), (std::array<std::int32_t, 2>{6, -8}));
    EXPECT_EQ(done(BufferDeviceArgs{.header = {}, .buffer = result, .device = nullptr}).device,
              device(at));
    destroy(result);
    destroy(argument);
  }
  destroy(executable);
}

TEST_F(Replicas, OneThatWaitsForTheOthersIsRefusedWithTheirNumber) {
  for (const std::string line :
       {R"("stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1]]> : )"
        "tensor<1x2xi64>} : (tensor<2xi32>) -> tensor<2xi32>",
        R"("stablehlo.all_reduce"(%x) ({
          ^bb0(%a: tensor<i32>, %b: tensor<i32>):
            %c = stablehlo.add %a, %b : tensor<i32>
            stablehlo.return %c : tensor<i32>
          }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} )"
        ": (tensor<2xi32>) -> tensor<2xi32>"}) {
    LoadedExecutable* const executable = compile(line);
    Buffer* const argument = put({3, -4}, 0);
    Buffer* result = nullptr;
    const Answer answer = call_on(executable, 0, argument, result);
    EXPECT_EQ(answer.code, ErrorCode::invalid_argument);
    EXPECT_NE(answer.message.find("called for 1 devices, it was compiled for 2"), std::string::npos)
        << answer.message;
    destroy(argument);
    destroy(executable);
  }
}

}  // namespace
}  // namespace trainyard::pjrt
