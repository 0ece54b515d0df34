// What the machine tests share: the text of a shipped machine file, and broken copies of it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "machine/machine.h"

namespace trainyard::machine {

inline const std::string folder = TRAINYARD_SOURCE_DIR "/machines";

inline std::string file_text(std::string_view name) {
  return base::read_file(folder + "/" + std::string(name) + ".toml");
}

// `text` with its one occurrence of `from` replaced.
inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  EXPECT_EQ(text.find(from, at + 1), std::string::npos) << from << " is not unique";
  return text.replace(at, from.size(), to);
}

// The line, from 1, on which `what` first stands.
inline int line_of(std::string_view text, std::string_view what) {
  const std::string_view before = text.substr(0, text.find(what));
  return 1 + static_cast<int>(std::ranges::count(before, '\n'));
}

// The violations that loading `text` as "my.toml" gives; fails the test when there are none.
inline std::vector<base::Violation> violations_of(std::string_view text) {
  try {
    static_cast<void>(load_text(text, "my.toml", folder));
  } catch (const base::InputError& error) {
    return error.violations();
  }
  ADD_FAILURE() << "the file was accepted";
  return {};
}

}  // namespace trainyard::machine
