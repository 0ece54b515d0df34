#include "graph/text_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"

namespace trainyard::graph {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word_part(char c) { return is_letter(c) || is_digit(c) || c == '$' || c == '.'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
int hex_value(char c) { return is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10; }

}  // namespace

void TextCursor::skip() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '/' && text_.substr(at_).starts_with("//")) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
      ++at_;
    } else {
      return;
    }
  }
}

char TextCursor::peek() {
  skip();
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool TextCursor::sees(std::string_view what) {
  skip();
  const std::string_view rest = text_.substr(at_);
  if (!rest.starts_with(what)) return false;
  const bool is_word = is_word_part(what.back());
  return !is_word || rest.size() == what.size() || !is_word_part(rest[what.size()]);
}

bool TextCursor::accept(std::string_view what) {
  if (!sees(what)) return false;
  at_ += what.size();
  return true;
}

void TextCursor::expect(std::string_view what) {
  if (accept(what)) return;
  const std::string_view rest = text_.substr(at_, std::min<std::size_t>(20, text_.size() - at_));
  const std::string_view line = rest.substr(0, rest.find('\n'));
  malformed(line.empty() ? fmt::format("the end where `{}` is wanted", what)
                         : fmt::format("`{}` where `{}` is wanted", line, what));
}

std::string_view TextCursor::word() {
  skip();
  const std::size_t begin = at_;
  if (at_ < text_.size() && is_letter(text_[at_])) {
    while (at_ < text_.size() && is_word_part(text_[at_])) ++at_;
  }
  return text_.substr(begin, at_ - begin);
}

std::string TextCursor::name(char mark) {
  expect({&mark, 1});
  if (mark == '@' && at_ < text_.size() && text_[at_] == '"') return string();
  const std::size_t begin = at_;
  const auto belongs = [&](char c) { return is_word_part(c) || c == '-'; };
  while (at_ < text_.size() && belongs(text_[at_]) && !text_.substr(at_).starts_with("->")) ++at_;
  if (at_ == begin) malformed(fmt::format("`{}` without a name", mark));
  return std::string(text_.substr(begin, at_ - begin));
}

std::string TextCursor::string() {
  expect("\"");
  std::string value;
  while (true) {
    if (at_ >= text_.size() || text_[at_] == '\n') malformed("a string without an end");
    const char c = text_[at_++];
    if (c == '"') return value;
    if (c != '\\') {
      value += c;
      continue;
    }
    const char next = at_ < text_.size() ? text_[at_] : '\0';
    if (next == 'n' || next == 't' || next == '"' || next == '\\') {
      value += next == 'n' ? '\n' : next == 't' ? '\t' : next;
      ++at_;
    } else if (is_hex(next) && at_ + 1 < text_.size() && is_hex(text_[at_ + 1])) {
      value += static_cast<char>(16 * hex_value(next) + hex_value(text_[at_ + 1]));
      at_ += 2;
    } else {
      malformed("an unknown escape in a string");
    }
  }
}

std::string_view TextCursor::number() {
  skip();
  const std::size_t begin = at_;
  const auto take = [&](auto belongs) {
    while (at_ < text_.size() && belongs(text_[at_])) ++at_;
  };
  if (at_ < text_.size() && (text_[at_] == '-' || text_[at_] == '+')) ++at_;
  if (text_.substr(at_).starts_with("0x")) {
    at_ += 2;
    take(is_hex);
  } else {
    take(is_digit);
    if (at_ < text_.size() && text_[at_] == '.') {
      ++at_;
      take(is_digit);
    }
    const std::string_view rest = text_.substr(at_);
    const bool has_sign = rest.size() > 2 && (rest[1] == '-' || rest[1] == '+');
    const std::size_t digit = has_sign ? 2 : 1;
    if (rest.size() > digit && (rest[0] | 0x20) == 'e' && is_digit(rest[digit])) {
      at_ += digit;
      take(is_digit);
    }
  }
  if (at_ == begin || !is_hex(text_[at_ - 1])) {
    if (at_ == begin || text_[at_ - 1] != '.') {
      at_ = begin;
      malformed("no number where one is wanted");
    }
  }
  return text_.substr(begin, at_ - begin);
}

std::int64_t TextCursor::integer() {
  const std::size_t begin = offset();
  std::string_view text = number();
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  const bool is_in_hex = text.starts_with("0x");
  if (is_in_hex) text.remove_prefix(2);
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value, is_in_hex ? 16 : 10);
  if (error != std::errc() || rest != end) {
    move_to(begin);
    malformed("no integer of 64 bits where one is wanted");
  }
  return static_cast<std::int64_t>(is_negative ? ~value + 1 : value);
}

std::string_view TextCursor::angles() {
  skip();
  const std::size_t begin = at_;
  std::size_t depth = 0;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '"') {
      static_cast<void>(string());
      continue;
    }
    ++at_;
    const bool is_arrow = c == '>' && at_ >= 2 && text_[at_ - 2] == '-';
    if (c == '<') ++depth;
    if (c == '>' && !is_arrow && --depth == 0) return text_.substr(begin, at_ - begin);
    if (depth == 0) break;
  }
  at_ = begin;
  malformed("no `<...>` where one is wanted");
}

TextCursor::Place TextCursor::place(std::size_t offset) const {
  if (offset < counted_to_) {
    counted_to_ = 0;
    counted_ = {};
  }
  for (; counted_to_ < std::min(offset, text_.size()); ++counted_to_) {
    const bool ends_line = text_[counted_to_] == '\n';
    counted_.column = ends_line ? 1 : counted_.column + 1;
    counted_.line += ends_line ? 1 : 0;
  }
  return counted_;
}

void TextCursor::malformed(std::string_view found) const {
  const Place at = place(at_);
  throw base::InputError({"graph.text", "a text is StableHLO as MLIR prints it",
                          fmt::format("{}:{}:{}", file_, at.line, at.column), std::string(found),
                          "print the program again, with large constants in full "
                          "(`lowered.as_text()` of JAX does), or pass it as an artifact"});
}

}  // namespace trainyard::graph
