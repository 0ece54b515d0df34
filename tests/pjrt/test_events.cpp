// Do events wait, call back once, and carry their error?
#include <thread>
#include <vector>

#include "caller.h"

namespace trainyard::pjrt {
namespace {

struct Heard {
  std::vector<ErrorCode> codes;
  static void note(Error* error, void* self) {
    auto& heard = *static_cast<Heard*>(self);
    if (error == nullptr) {
      heard.codes.push_back(ErrorCode::ok);
      return;
    }
    heard.codes.push_back(done(ErrorGetCodeArgs{.header = {}, .error = error, .code = {}}).code);
    done(ErrorDestroyArgs{.header = {}, .error = error});
  }
};

Event* new_event() { return done(EventCreateArgs{}).event; }

TEST(Events, OneThatIsNotSetIsNotReady) {
  Event* const event = new_event();
  EXPECT_FALSE(done(EventIsReadyArgs{.header = {}, .event = event, .is_ready = true}).is_ready);
  EventErrorArgs error{.header = {}, .event = event};
  EXPECT_EQ(call(error).code, ErrorCode::failed_precondition);
  done(EventDestroyArgs{.header = {}, .event = event});
}

TEST(Events, ListenersHearBeforeAndAfterItIsSet) {
  Event* const event = new_event();
  Heard heard;
  done(EventOnReadyArgs{.header = {}, .event = event, .callback = Heard::note, .user_arg = &heard});
  EXPECT_TRUE(heard.codes.empty());
  done(EventSetArgs{.header = {},
                    .event = event,
                    .error_code = ErrorCode::data_loss,
                    .error_message = "lost",
                    .error_message_size = 4});
  done(EventOnReadyArgs{.header = {}, .event = event, .callback = Heard::note, .user_arg = &heard});
  EXPECT_EQ(heard.codes, std::vector(2, ErrorCode::data_loss));
  EventAwaitArgs wait{.header = {}, .event = event};
  const Answer answer = call(wait);
  EXPECT_EQ(answer.code, ErrorCode::data_loss);
  EXPECT_EQ(answer.message, "lost");
  done(EventDestroyArgs{.header = {}, .event = event});
}

TEST(Events, AnotherThreadWaits) {
  Event* const event = new_event();
  std::thread setter([&] { done(EventSetArgs{.header = {}, .event = event, .error_code = {}}); });
  done(EventAwaitArgs{.header = {}, .event = event});
  setter.join();
  done(EventDestroyArgs{.header = {}, .event = event});
}

TEST(Events, TheyAreSetOnce) {
  Event* const event = new_event();
  EventSetArgs set{.header = {}, .event = event, .error_code = {}};
  EXPECT_EQ(call(set).code, ErrorCode::ok);
  EXPECT_EQ(call(set).code, ErrorCode::failed_precondition);
  done(EventDestroyArgs{.header = {}, .event = event});
}

}  // namespace
}  // namespace trainyard::pjrt
