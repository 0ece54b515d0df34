#include "isa/forms/line_reader.h"

#include <fmt/format.h>

#include <charconv>

#include "base/error.h"
#include "base/utf8.h"

namespace trainyard::isa {

namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.';
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

}  // namespace

void LineReader::skip_blanks() {
  while (at_ < line_.size() && (line_[at_] == ' ' || line_[at_] == '\t' || line_[at_] == '\r'))
    ++at_;
}

bool LineReader::at_end() {
  skip_blanks();
  return at_ == line_.size() || line_[at_] == '#';
}

void LineReader::expect_end() {
  if (!at_end()) fail("the line ends here", line_.substr(at_, 20));
}

bool LineReader::next_is(std::string_view token) {
  if (at_end() || !line_.substr(at_).starts_with(token)) return false;
  // A keyword is a whole word: "loc" does not match "location".
  const std::size_t end = at_ + token.size();
  return !is_word(token.back()) || end >= line_.size() || !is_word(line_[end]);
}

bool LineReader::accept(std::string_view token) {
  const bool found = next_is(token);
  if (found) at_ += token.size();
  return found;
}

void LineReader::expect(std::string_view token) {
  if (!accept(token))
    fail(fmt::format("\"{}\" comes next", token),
         at_end() ? "the end of the line" : line_.substr(at_, 20));
}

std::string_view LineReader::word() {
  skip_blanks();
  const std::size_t start = at_;
  while (at_ < line_.size() && is_word(line_[at_])) ++at_;
  if (at_ == start) fail("a name comes next", line_.substr(at_, 20));
  return line_.substr(start, at_ - start);
}

bool LineReader::next_is_digit() {
  skip_blanks();
  return at_ < line_.size() && line_[at_] >= '0' && line_[at_] <= '9';
}

std::string LineReader::quoted() {
  expect("\"");
  std::string text;
  while (at_ < line_.size() && line_[at_] != '"') {
    const char c = line_[at_++];
    if (c != '\\') {
      text += c;
      continue;
    }
    if (at_ >= line_.size()) break;
    const char escape = line_[at_++];
    if (escape == 'x' && at_ + 2 <= line_.size()) {
      const int high = hex_digit(line_[at_]), low = hex_digit(line_[at_ + 1]);
      if (high < 0 || low < 0) fail("\\x is followed by two digits", line_.substr(at_, 2));
      text += static_cast<char>(high * 16 + low);
      at_ += 2;
    } else {
      text += escape;
    }
  }
  if (at_ >= line_.size()) fail("a quoted text ends on its line", text);
  if (!base::is_utf8(text)) fail("a quoted text is UTF-8", text);
  ++at_;
  return text;
}

double LineReader::number() {
  skip_blanks();
  double value = 0;
  const char* end = line_.data() + line_.size();
  const auto [stop, error] = std::from_chars(line_.data() + at_, end, value);
  if (error != std::errc{}) fail("a number comes next", line_.substr(at_, 20));
  at_ = static_cast<std::size_t>(stop - line_.data());
  return value;
}

std::int64_t LineReader::integer_between(std::int64_t low, std::int64_t high) {
  skip_blanks();
  std::int64_t value = 0;
  const char* end = line_.data() + line_.size();
  const auto [stop, error] = std::from_chars(line_.data() + at_, end, value);
  if (error != std::errc{} || value < low || value > high)
    fail(fmt::format("an integer from {} to {} comes next", low, high), line_.substr(at_, 20));
  at_ = static_cast<std::size_t>(stop - line_.data());
  return value;
}

void LineReader::fail(std::string_view rule, std::string_view found) const {
  throw base::InputError({"program.text", std::string(rule),
                          fmt::format("{}, line {}, column {}", place_, number_, at_ + 1),
                          std::string(found), "see docs/formats/program.md"});
}

std::string quote(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      quoted += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

}  // namespace trainyard::isa
