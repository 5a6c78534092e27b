#include "base/source.h"

namespace spoor {

std::uint32_t SourceSet::add(std::string name, std::string text) {
  for (std::size_t i = 0; i < files_.size(); ++i) {
    if (files_[i].name == name) return static_cast<std::uint32_t>(i);
  }
  SourceFile file{std::move(name), std::move(text), {0}};
  for (std::size_t i = 0; i < file.text.size(); ++i) {
    if (file.text[i] == '\n') file.line_starts.push_back(static_cast<std::uint32_t>(i + 1));
  }
  files_.push_back(std::move(file));
  return static_cast<std::uint32_t>(files_.size() - 1);
}

std::string_view SourceSet::line(std::uint32_t file, std::uint32_t line) const {
  if (file >= files_.size() || line == 0 || line > files_[file].line_starts.size()) return {};
  const SourceFile& f = files_[file];
  const std::size_t begin = f.line_starts[line - 1];
  std::size_t end = f.text.find('\n', begin);
  if (end == std::string::npos) end = f.text.size();
  if (end > begin && f.text[end - 1] == '\r') --end;
  return std::string_view(f.text).substr(begin, end - begin);
}

std::string SourceSet::place(Position position, bool with_column) const {
  std::string out = position.file < files_.size() ? files_[position.file].name : "?";
  if (!position.is_known()) return out;
  out += ":" + std::to_string(position.line);
  if (with_column && position.column != 0) out += ":" + std::to_string(position.column);
  return out;
}

}  // namespace spoor
