// Reads one line of the text form from left to right. Errors name the line and the column.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace trainyard::isa {

class LineReader {
 public:
  // `place` says where the text comes from; both must outlive the reader. "#" starts a comment.
  LineReader(std::string_view line, std::string_view place, std::size_t number)
      : line_(line), place_(place), number_(number) {}

  // Each of these first skips blanks.
  [[nodiscard]] bool at_end();
  void expect_end();
  [[nodiscard]] bool next_is(std::string_view token);
  // Takes `token` when it comes next.
  [[nodiscard]] bool accept(std::string_view token);
  void expect(std::string_view token);
  // The letters, digits, "_" and "." that come next; at least one.
  [[nodiscard]] std::string_view word();
  [[nodiscard]] bool next_is_digit();
  // Text between double quotes, as quote() writes it.
  [[nodiscard]] std::string quoted();
  [[nodiscard]] double number();
  template <typename Integer>
  [[nodiscard]] Integer integer() {
    return static_cast<Integer>(integer_between(
        static_cast<std::int64_t>(std::numeric_limits<Integer>::min()),
        sizeof(Integer) == 8 ? std::numeric_limits<std::int64_t>::max()
                             : static_cast<std::int64_t>(std::numeric_limits<Integer>::max())));
  }
  [[nodiscard]] std::int64_t integer_between(std::int64_t low, std::int64_t high);

  // Throws InputError "program.text".
  [[noreturn]] void fail(std::string_view rule, std::string_view found) const;

 private:
  void skip_blanks();

  std::string_view line_, place_;
  std::size_t number_, at_ = 0;
};

// The text in double quotes, with quotes, backslashes and control characters escaped.
[[nodiscard]] std::string quote(std::string_view text);

}  // namespace trainyard::isa
