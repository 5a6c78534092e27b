// Source text and positions in it.
//
// A Position always refers to a file that the user wrote: preprocessing maps every token back to
// its original line and column, so that a diagnostic, a trace step or an unreached statement can be
// shown with the user's own text. Lines and columns count from 1; 0 means "unknown".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace spoor {

struct Position {
  std::uint32_t file = 0;  // index into SourceSet
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  bool is_known() const { return line != 0; }
  friend bool operator==(const Position&, const Position&) = default;
};

// A half-open stretch of one line: `length` characters from `begin`.
struct Range {
  Position begin;
  std::uint32_t length = 1;
};

struct SourceFile {
  std::string name;  // as the user would name it on the command line
  std::string text;
  std::vector<std::uint32_t> line_starts;  // byte offset of each line; derived from text
};

// All files of a model: the model first, its includes after it.
class SourceSet {
 public:
  // Returns the index of the file; a name that is already present keeps its index and its text.
  std::uint32_t add(std::string name, std::string text);
  std::size_t size() const { return files_.size(); }
  const SourceFile& file(std::uint32_t index) const { return files_[index]; }
  // The line without its newline; empty where there is none.
  std::string_view line(std::uint32_t file, std::uint32_t line) const;
  // "leader.pml:12" or "leader.pml:12:7".
  std::string place(Position position, bool with_column = true) const;

 private:
  std::vector<SourceFile> files_;
};

}  // namespace spoor
