// Reading a model's file, with precise diagnostics where it cannot be used.
//
// Tested by: tests/unit/test_preprocess.cpp
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

#include "promela/preprocess.h"

namespace spoor::promela {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxModelBytes = std::size_t{64} << 20;
// A folder with more entries than this is not searched for near names.
constexpr std::size_t kMaxCandidates = 10'000;

void report_missing(const std::string& path, Diagnostics& diagnostics) {
  const std::string near = nearest_file(path);
  const fs::path folder = fs::path(path).parent_path();
  std::error_code error;
  std::string hint;
  if (!near.empty()) {
    hint = "did you mean '" + near + "'?";
  } else if (!folder.empty() && !fs::is_directory(folder, error)) {
    hint = "there is no folder '" + folder.string() + "' either";
  }
  diagnostics.error("P001", {}, "the file '" + path + "' does not exist", hint);
}

void report_folder(const std::string& path, Diagnostics& diagnostics) {
  std::error_code error;
  std::string model;
  for (fs::directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
    const fs::path entry = it->path();
    if (entry.extension() != ".pml" && entry.extension() != ".prom") continue;
    if (model.empty() || entry.string() < model) model = entry.string();
  }
  diagnostics.error("P002", {}, "'" + path + "' is a folder, not a model",
                    model.empty() ? "give the model's file" : "did you mean '" + model + "'?");
}

// Reads until the end or until the limit is passed: the path may be a pipe or an infinite device.
// Returns 0 or an errno value.
int read_bounded(const std::string& path, std::string& text) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) return errno;
  std::array<char, 65536> buffer;
  while (text.size() <= kMaxModelBytes) {
    const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), file.get());
    if (n == 0) break;
    text.append(buffer.data(), n);
  }
  return std::ferror(file.get()) != 0 ? EIO : 0;
}

}  // namespace

std::string nearest_file(const std::string& path) {
  const fs::path wanted(path);
  const fs::path folder = wanted.parent_path();
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator it(folder.empty() ? fs::path(".") : folder, error), end;
       !error && it != end && names.size() < kMaxCandidates; it.increment(error)) {
    std::error_code type_error;
    if (it->is_regular_file(type_error)) names.push_back(it->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  const std::string near = nearest_name(wanted.filename().string(), names);
  return near.empty() ? near : (folder / near).string();
}

std::optional<std::string> read_source(const std::string& path, Diagnostics& diagnostics) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    report_missing(path, diagnostics);
    return std::nullopt;
  }
  if (fs::is_directory(status)) {
    report_folder(path, diagnostics);
    return std::nullopt;
  }
  std::string text;
  if (const int reason = read_bounded(path, text); reason != 0) {
    diagnostics.error("P003", {}, "'" + path + "' cannot be read: " + std::generic_category().message(reason),
                      "check the permissions of the file and of its folder");
  } else if (text.size() > kMaxModelBytes) {
    diagnostics.error("P006", {}, "'" + path + "' is larger than 64 MB", "is it really a model?");
  } else if (text.find('\0') != std::string::npos) {
    diagnostics.error("P005", {}, "'" + path + "' is a binary file, not a model",
                      "a model is plain text; is it a compiled program or a UTF-16 file?");
  } else if (text.find_first_not_of(" \t\r\n\f\v") == std::string::npos) {
    diagnostics.error("P004", {}, "'" + path + "' is empty", "a model has at least one process");
  } else {
    return text;
  }
  return std::nullopt;
}

}  // namespace spoor::promela
