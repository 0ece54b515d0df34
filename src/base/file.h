// Whole-file reading and atomic writing, with errors that name the file and the reason.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace trainyard::base {

// The bytes of a file. Throws InputError "file.read" when it cannot be read.
[[nodiscard]] std::string read_file(const std::filesystem::path& path);

// Replaces a file in one step: a full disk, an interrupt or a crash leaves the old content whole,
// and what was written lasts. The partial file beside it has a random name and is never an existing
// link. A link at `path` stays, and what it names is replaced; a file that exists keeps its
// permissions. Throws InputError "file.write" when it cannot be written.
void write_file(const std::filesystem::path& path, std::string_view content);

}  // namespace trainyard::base
