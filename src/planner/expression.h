// Arithmetic over the keys of a configuration, as the records of families write it
// (models/families): "hidden_size // num_attention_heads",
// "if(layer_types[i] == 'sliding_attention', 'sliding', 'full')".
//
// Operators, weakest first: or, and, not, == != < <= > >= in, + -, * / // %, unary -, [index].
// Functions: if(condition, then, else), min, max, ceil, floor, sqrt, power, len, sum, product,
// count(list, value), round_up(value, multiple), has(key), first(list, entries), numbers("3,4")
// or numbers("3/4"), which is the list. A dictionary is indexed by text, or by a number that its
// key reads as; an entry that it has not, and one of null, is null. A number that is indexed stands
// for every entry. Values are those of JSON; null counts as 0 and as false.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string_view>

namespace trainyard::planner {

// The value of a name; throws for one that is not known.
using Lookup = std::function<nlohmann::json(std::string_view)>;

// Throws std::invalid_argument, with the text, for one that is not an expression or mixes kinds of
// values.
[[nodiscard]] nlohmann::json evaluate(std::string_view text, const Lookup& lookup);

// Whether a condition holds: a number that is not 0, text or a list that is not empty, true.
[[nodiscard]] bool is_true(const nlohmann::json& value);

}  // namespace trainyard::planner
