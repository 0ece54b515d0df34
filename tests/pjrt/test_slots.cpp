// Is every slot filled, and does none of them let an exception or a bad record through?
#include "caller.h"
#include "pjrt/entry.h"

namespace trainyard::pjrt {
namespace {

TEST(Slots, EveryOneIsFilled) {
  for (const auto function : api().functions) EXPECT_NE(function, nullptr);
  EXPECT_EQ(api().struct_size, sizeof(Api));
}

TEST(Slots, OneThatIsNotRealNamesItself) {
  ClientDmaMapArgs args{};
  const Answer answer = call(args);
  EXPECT_EQ(answer.code, ErrorCode::unimplemented);
  EXPECT_EQ(answer.message, "PJRT_Client_DmaMap is not implemented by the plugin `neuron`");
}

// A record that holds nothing but its size must be refused, whichever slot it is for.
TEST(Slots, AnEmptyRecordIsAnErrorOrHarmless) {
  for (const auto function : api().functions) {
    alignas(8) std::byte record[512]{};
    const std::size_t size = sizeof(Header);
    std::memcpy(record, &size, sizeof size);
    Error* const error = function(record);
    if (error != nullptr) done(ErrorDestroyArgs{.header = {}, .error = error});
  }
}

TEST(Slots, ARecordShorterThanItsHeadIsRefused) {
  std::size_t size = 8;
  Error* const error = api().functions[slot_of<ClientDestroyArgs>()](&size);
  ASSERT_NE(error, nullptr);
  const ErrorMessageArgs message = done(ErrorMessageArgs{.header = {}, .error = error});
  EXPECT_NE(std::string(message.message, message.message_size).find("struct_size is 8"),
            std::string::npos);
  done(ErrorDestroyArgs{.header = {}, .error = error});
}

// Callers built for an older interface have shorter records; what lies behind them is not ours.
TEST(Slots, NothingIsWrittenBehindAShorterRecord) {
  struct {
    PluginAttributesArgs args;
    std::uint64_t behind = 0x1234;
  } record{.args = {}};
  record.args.header = {sizeof(Header), nullptr};
  EXPECT_EQ(api().functions[slot_of<PluginAttributesArgs>()](&record), nullptr);
  EXPECT_EQ(record.args.attributes, nullptr);
  EXPECT_EQ(record.args.num_attributes, 0U);
  EXPECT_EQ(record.behind, 0x1234U);
}

// Its owner would never learn of what was made.
TEST(Slots, ARecordWithoutRoomForWhatIsMadeIsRefused) {
  EventCreateArgs args;
  args.header = {sizeof(Header), nullptr};
  Error* const error = api().functions[slot_of<EventCreateArgs>()](&args);
  ASSERT_NE(error, nullptr);
  done(ErrorDestroyArgs{.header = {}, .error = error});
}

TEST(Errors, ATableOfFunctionsStandsFirst) {
  ClientDmaMapArgs args{};
  args.header = {sizeof args, nullptr};
  Error* const error = api().functions[slot_of<ClientDmaMapArgs>()](&args);
  const ErrorFunctions* functions = nullptr;
  std::memcpy(&functions, error, sizeof functions);
  const char* message = nullptr;
  std::size_t size = 0;
  functions->message(error, &message, &size);
  EXPECT_EQ(std::string(message, size),
            "PJRT_Client_DmaMap is not implemented by the plugin `neuron`");
  EXPECT_EQ(functions->get_code(error), ErrorCode::unimplemented);
  functions->destroy(error);
}

}  // namespace
}  // namespace trainyard::pjrt
