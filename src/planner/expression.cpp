#include "planner/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace trainyard::planner {

namespace {

using nlohmann::json;
using Arguments = std::vector<json>;

constexpr char quote = 39;
constexpr std::string_view opening = "(", closing = ")";
constexpr std::string_view smaller = "min", larger = "max";

class Parser {
 public:
  Parser(std::string_view text, const Lookup& lookup) : text_(text), lookup_(lookup) {}

  json parse() {
    json value = alternative();
    skip_spaces();
    if (at_ != text_.size()) fail("an operator");
    return value;
  }

 private:
  [[noreturn]] void fail(std::string_view expected) const {
    throw std::invalid_argument(
        fmt::format("in \"{}\", {} is expected at character {}", text_, expected, at_ + 1));
  }

  void skip_spaces() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }

  static bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
  }

  bool take(std::string_view token) {
    skip_spaces();
    if (!text_.substr(at_).starts_with(token)) return false;
    const std::size_t end = at_ + token.size();
    if (is_word(token.back()) && end < text_.size() && is_word(text_[end])) return false;
    at_ = end;
    return true;
  }

  void expect(std::string_view token) {
    if (!take(token)) fail(token);
  }

  [[nodiscard]] double number(const json& value) const {
    if (value.is_null() || !is_live_) return 0;
    if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
    if (!value.is_number())
      throw std::invalid_argument(
          fmt::format("in \"{}\", a {} is no number", text_, value.type_name()));
    return value.get<double>();
  }

  json alternative() {
    json left = conjunction();
    while (take("or")) {
      const bool was_live = is_live_, known = is_true(left);
      is_live_ = was_live && !known;
      const json right = conjunction();
      is_live_ = was_live;
      left = known || is_true(right);
    }
    return left;
  }

  json conjunction() {
    json left = negation();
    while (take("and")) {
      const bool was_live = is_live_, known = is_true(left);
      is_live_ = was_live && known;
      const json right = negation();
      is_live_ = was_live;
      left = known && is_true(right);
    }
    return left;
  }

  json negation() { return take("not") ? json(!is_true(negation())) : comparison(); }

  json comparison() {
    const json left = sum();
    if (take("==")) return is_equal(left, sum());
    if (take("!=")) return !is_equal(left, sum());
    if (take("<=")) return number(left) <= number(sum());
    if (take(">=")) return number(left) >= number(sum());
    if (take("<")) return number(left) < number(sum());
    if (take(">")) return number(left) > number(sum());
    if (take("in")) return contains(sum(), left);
    return left;
  }

  json sum() {
    json left = product();
    while (true) {
      if (take("+"))
        left = number(left) + number(product());
      else if (take("-"))
        left = number(left) - number(product());
      else
        return left;
    }
  }

  json product() {
    json left = factor();
    while (true) {
      if (take("//"))
        left = std::floor(number(left) / divisor(factor()));
      else if (take("*"))
        left = number(left) * number(factor());
      else if (take("/"))
        left = number(left) / divisor(factor());
      else if (take("%"))
        left = std::fmod(number(left), divisor(factor()));
      else
        return left;
    }
  }

  [[nodiscard]] double divisor(const json& value) const {
    if (!is_live_) return 1;
    const double found = number(value);
    if (found == 0) throw std::invalid_argument(fmt::format("\"{}\" divides by 0", text_));
    return found;
  }

  json factor() {
    if (take("-")) return -number(factor());
    json value = primary();
    while (take("[")) {
      const json entry = alternative();
      expect("]");
      if (!is_live_) continue;
      if (value.is_null() || value.is_number()) continue;  // the same for all entries
      if (value.is_object()) {
        value = entry_of(value, entry);
        continue;
      }
      const double index = number(entry);
      if (value.is_number()) continue;  // one figure stands for every entry
      if (!value.is_array() && !value.is_string()) fail("a list before [");
      const bool is_inside = index >= 0 && index < static_cast<double>(length(value));
      if (!is_inside)
        throw std::invalid_argument(
            fmt::format("in \"{}\", entry {} of {} is asked for", text_, index, length(value)));
      const auto place = static_cast<std::size_t>(index);
      value = value.is_array() ? json(value[place])
                               : json(value.get_ref<const std::string&>().substr(place, 1));
    }
    return value;
  }

  // Of a dictionary: by text, or by a number that the key reads as, "05" as 5.
  [[nodiscard]] json entry_of(const json& dictionary, const json& entry) const {
    if (entry.is_string()) return dictionary.value(entry.get<std::string>(), json());
    const double index = number(entry);
    for (const auto& [key, value] : dictionary.items()) {
      double read = -1;
      const auto [rest, error] = std::from_chars(key.data(), key.data() + key.size(), read);
      if (error == std::errc{} && rest == key.data() + key.size() && read == index) return value;
    }
    return {};
  }

  static std::size_t length(const json& value) {
    if (value.is_string()) return value.get_ref<const std::string&>().size();
    return value.size();
  }

  json primary() {
    skip_spaces();
    if (take(opening)) {
      json value = alternative();
      expect(closing);
      return value;
    }
    if (at_ >= text_.size()) fail("a value");
    const char first = text_[at_];
    if (first == quote) {
      const std::size_t end = text_.find(quote, at_ + 1);
      if (end == std::string_view::npos) fail("a closing quote");
      const std::string word(text_.substr(at_ + 1, end - at_ - 1));
      at_ = end + 1;
      return word;
    }
    std::size_t end = at_;
    while (end < text_.size() && is_word(text_[end])) ++end;
    const std::string_view word = text_.substr(at_, end - at_);
    if (word.empty()) fail("a value");
    at_ = end;
    if (std::isdigit(static_cast<unsigned char>(first)) != 0) {
      double value = 0;
      const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), value);
      if (error != std::errc{} || rest != word.data() + word.size()) fail("a number");
      return value;
    }
    if (take(opening)) return call(word);
    return is_live_ ? lookup_(word) : json();
  }

  // Of the two values only the one that counts is computed.
  json choice() {
    const json condition = alternative();
    const bool was_live = is_live_;
    const bool holds = is_true(condition);
    expect(",");
    is_live_ = was_live && holds;
    const json first = alternative();
    expect(",");
    is_live_ = was_live && !holds;
    const json second = alternative();
    is_live_ = was_live;
    expect(closing);
    return holds ? first : second;
  }

  json call(std::string_view name) {
    if (name == "if") return choice();
    if (name == "has") {
      skip_spaces();
      std::size_t end = at_;
      while (end < text_.size() && is_word(text_[end])) ++end;
      const std::string_view key = text_.substr(at_, end - at_);
      at_ = end;
      expect(closing);
      return is_live_ && !lookup_(key).is_null();
    }
    Arguments arguments;
    if (!take(closing)) {
      do arguments.push_back(alternative());
      while (take(","));
      expect(closing);
    }
    return applied(name, arguments);
  }

  [[nodiscard]] json applied(std::string_view name, const Arguments& of) const {
    if (!is_live_) return {};
    if (name == smaller && of.size() == 2) return std::min(number(of[0]), number(of[1]));
    if (name == larger && of.size() == 2) return std::max(number(of[0]), number(of[1]));
    if (name == "ceil" && of.size() == 1) return std::ceil(number(of[0]));
    if (name == "floor" && of.size() == 1) return std::floor(number(of[0]));
    if (name == "sqrt" && of.size() == 1) return std::sqrt(number(of[0]));
    if (name == "round_up" && of.size() == 2)
      return std::ceil(number(of[0]) / divisor(of[1])) * number(of[1]);
    if (name == "len" && of.size() == 1) return static_cast<double>(length(of[0]));
    if (name == "sum" && of.size() == 1) {
      double total = 0;
      for (const json& entry : of[0]) total += number(entry);
      return total;
    }
    if (name == "product" && of.size() == 1) {
      double total = 1;
      for (const json& entry : of[0]) total *= number(entry);
      return total;
    }
    if (name == "power" && of.size() == 2) return std::pow(number(of[0]), number(of[1]));
    if (name == "first" && of.size() == 2) return first(of[0], number(of[1]));
    if (name == "numbers" && of.size() == 1) return numbers(of[0]);
    if (name == "count" && of.size() == 2) {
      double found = 0;
      for (const json& entry : of[0]) found += is_equal(entry, of[1]) ? 1 : 0;
      return found;
    }
    throw std::invalid_argument(
        fmt::format("in \"{}\", no function is called {} with {} values", text_, name, of.size()));
  }

  // The first entries of a list, or all where it has fewer; a number that stands for every entry is
  // each of them.
  [[nodiscard]] json first(const json& list, double count) const {
    constexpr double entries_max = 10'000;
    if (!list.is_array() && !list.is_number()) fail("a list");
    const double most = list.is_array() ? static_cast<double>(list.size()) : entries_max;
    const auto many = static_cast<std::ptrdiff_t>(count > 0 ? std::min(count, most) : 0);
    if (list.is_number()) return json::array_t(static_cast<std::size_t>(many), list);
    return json::array_t(list.begin(), list.begin() + many);
  }

  // "3,4,5" as a list; a list stays what it is.
  static json numbers(const json& text) {
    if (!text.is_string()) return text;
    json found = json::array();
    std::string written = text.get<std::string>();
    std::ranges::replace(written, '/', ',');  // "4/8" is two numbers, too
    std::istringstream in(written);
    for (std::string entry; std::getline(in, entry, ',');) {
      std::istringstream digits(entry);
      std::int64_t number = 0;
      if (!(digits >> number) || !(digits >> std::ws).eof())
        throw std::invalid_argument(fmt::format("\"{}\" is not a number", entry.substr(0, 20)));
      found.push_back(number);
    }
    return found;
  }

  static bool is_equal(const json& left, const json& right) {
    const auto is_numeric = [](const json& value) {
      return value.is_number() || value.is_boolean();
    };
    if (is_numeric(left) && is_numeric(right)) {
      const auto real = [](const json& value) {
        return value.is_boolean() ? (value.get<bool>() ? 1.0 : 0.0) : value.get<double>();
      };
      return real(left) == real(right);
    }
    return left == right;
  }

  static bool contains(const json& in, const json& what) {
    if (in.is_string() && what.is_string())
      return in.get_ref<const std::string&>().find(what.get_ref<const std::string&>()) !=
             std::string::npos;
    return std::any_of(in.begin(), in.end(), [&](const json& one) { return is_equal(one, what); });
  }

  std::string_view text_;
  const Lookup& lookup_;
  std::size_t at_ = 0;
  bool is_live_ = true;  // false in a branch that does not count
};

}  // namespace

bool is_true(const json& value) {
  if (value.is_null()) return false;
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number()) return value.get<double>() != 0;
  if (value.is_string()) return !value.get_ref<const std::string&>().empty();
  return !value.empty();
}

json evaluate(std::string_view text, const Lookup& lookup) { return Parser(text, lookup).parse(); }

}  // namespace trainyard::planner
