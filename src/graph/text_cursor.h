// Reads MLIR text from front to back: words, numbers, strings, punctuation; comments and white
// space are skipped. Every error is an InputError "graph.text" with file, line and column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace trainyard::graph {

class TextCursor {
 public:
  TextCursor(std::string_view text, std::string_view file) : text_(text), file_(file) {}

  // Whether `what` comes next; a word only whole. accept() takes it too, expect() must find it.
  [[nodiscard]] bool sees(std::string_view what);
  bool accept(std::string_view what);
  void expect(std::string_view what);

  [[nodiscard]] char peek();  // the next character that counts, or 0 at the end
  // Letters, digits, "_", "$" and "."; empty when none comes next.
  [[nodiscard]] std::string_view word();
  // A name behind "@", "%", "#" or "!", which must come next; "@" takes a string too.
  [[nodiscard]] std::string name(char mark);
  [[nodiscard]] std::string string();  // in quotes, with its escapes undone
  // A number as it stands: "-1", "0x7F800000", "1.5e-3".
  [[nodiscard]] std::string_view number();
  [[nodiscard]] std::int64_t integer();
  // From "<" to the ">" that closes it, both included; strings in it may hold either.
  [[nodiscard]] std::string_view angles();

  [[nodiscard]] bool at_end() { return peek() == 0; }
  [[nodiscard]] std::size_t offset() const { return at_; }
  void move_to(std::size_t offset) { at_ = offset; }
  [[nodiscard]] std::string_view all() const { return text_; }
  [[nodiscard]] const std::string& file() const { return file_; }

  struct Place {
    std::int32_t line = 1, column = 1;
  };
  [[nodiscard]] Place place(std::size_t offset) const;
  [[noreturn]] void malformed(std::string_view found) const;

 private:
  void skip();
  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0;
  // Lines are counted from the last place that was asked for.
  mutable std::size_t counted_to_ = 0;
  mutable Place counted_{};
};

}  // namespace trainyard::graph
