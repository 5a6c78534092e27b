#include "exec/native_cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <xxhash.h>

#include "base/files.h"

namespace spoor::exec {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMostBytes = std::uintmax_t{256} << 20;  // of all entries
constexpr std::string_view kSealMark = "spoor-seal-2";

// Nobody else can have written it.
bool is_ours(const struct stat& status) {
  return status.st_uid == ::geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

// Makes the folder if need be; false unless it is ours alone.
bool is_private_folder(const fs::path& path) {
  ::mkdir(path.c_str(), 0700);
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && is_ours(status);
}

std::string cache_folder() {
  const char* const xdg = std::getenv("XDG_CACHE_HOME");
  const char* const home = std::getenv("HOME");
  fs::path base;
  if (xdg != nullptr && xdg[0] == '/') {
    base = xdg;
  } else if (home != nullptr && home[0] == '/') {
    base = fs::path(home) / ".cache";
  } else {
    return {};
  }
  std::error_code error;
  if (!fs::exists(base, error)) {
    fs::create_directories(base.parent_path(), error);
    ::mkdir(base.c_str(), 0700);
  }
  const fs::path ours = base / "spoor", folder = ours / "native";
  return is_private_folder(ours) && is_private_folder(folder) ? folder.string() : std::string();
}

std::string seal_of(const std::string& name, std::string_view object) {
  const XXH128_hash_t hash = XXH3_128bits(object.data(), object.size());
  return fmt::format("{} {:016x}{:016x}{}", name, hash.high64, hash.low64, kSealMark);
}

bool is_private_file(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && is_ours(status);
}

bool is_right(const std::string& path, const std::string& name) {
  if (!is_private_file(path)) return false;
  std::string error;
  const std::optional<std::string> entry = read_file(path, error);
  const std::size_t seal_bytes = seal_of(name, "").size();
  if (!entry || entry->size() <= seal_bytes) return false;
  const std::string_view object = std::string_view(*entry).substr(0, entry->size() - seal_bytes);
  return entry->substr(object.size()) == seal_of(name, object);
}

}  // namespace

NativeCache::NativeCache() : folder_(cache_folder()) {}

std::string NativeCache::path_of(const std::string& name) const { return folder_ + '/' + name + ".so"; }

std::string NativeCache::find(const std::string& name) const {
  if (!is_open()) return {};
  const std::string path = path_of(name);
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return {};
  std::error_code error;
  if (!is_right(path, name)) {
    fs::remove_all(path, error);
    return {};
  }
  fs::last_write_time(path, fs::file_time_type::clock::now(), error);
  return path;
}

std::string NativeCache::add(const std::string& name, const std::string& object) const {
  if (!is_open()) return {};
  std::string error;
  const std::optional<std::string> bytes = read_file(object, error);
  if (!bytes) return {};
  const std::string path = path_of(name);
  std::error_code ignored;
  if (!is_private_file(path)) fs::remove_all(path, ignored);  // perhaps a link to somewhere else
  if (!write_file_atomically(path, *bytes + seal_of(name, *bytes), 0600).empty()) return {};
  trim();
  return path;
}

void NativeCache::trim() const {
  struct Entry {
    fs::file_time_type used;
    fs::path path;
    std::uintmax_t bytes;
  };
  std::vector<Entry> entries;
  std::uintmax_t total = 0;
  std::error_code error;
  for (fs::directory_iterator i(folder_, error), end; !error && i != end; i.increment(error)) {
    std::error_code of_file;
    const Entry entry{i->last_write_time(of_file), i->path(), i->file_size(of_file)};
    if (of_file) continue;
    total += entry.bytes;
    entries.push_back(entry);
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
  for (const Entry& entry : entries) {
    if (total <= kMostBytes) break;
    total -= entry.bytes;
    fs::remove(entry.path, error);
  }
}

}  // namespace spoor::exec
