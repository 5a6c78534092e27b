// Compiled code written down so that it can be compared with that of another version of the model.
//
// The indices of a Program (of expressions, places, statements, locations, process types) and the offsets in
// a state shift when something is inserted elsewhere. Here they are replaced by what they stand for:
//   a variable        its name, type and array bounds
//   a process type    its name
//   a location        its turn in a list of locations, which is kept beside the bytes
//   a channel         the expression that names it, and a list of the channels that this can be
// Left out is what no successor depends on: positions, the text of statements, the format of a printf.
//
// Everything is tagged or preceded by its length, so that different code never has equal bytes.
//
// Tested by: tests/unit/test_elements.cpp, tests/suites/test_elements.py
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "promela/program.h"

namespace spoor::exec {

// The names of variables, each once: blocks of a process may declare the same name, and the second "x" of a
// process is "x#1". Versions of a model are compared, and states translated, by these names.
std::vector<std::string> distinct_names(const std::vector<promela::VariableInfo>& variables);

// The owner of what is global.
inline constexpr std::uint32_t kNoOwner = promela::kNone;

// A channel by the process type that declares it, and its index among those of the owner.
using ChannelName = std::pair<std::uint32_t, std::uint32_t>;
using LocationName = std::pair<std::uint32_t, std::uint32_t>;  // process type, location

// What is known about a program before its code is written.
class CodeNames {
 public:
  explicit CodeNames(const promela::Program& program);

  // What is at this place of the globals, or of the block of a process of type `owner`.
  std::string variable(std::uint32_t owner, std::uint32_t offset) const;
  // The names of the variables in these bytes.
  std::vector<std::string> variables(std::uint32_t owner, const std::vector<promela::Scratch>& bytes) const;
  // The channels that the expression can name in a process of type `owner`: one, where it is a variable that
  // is declared with its channel and never assigned to; otherwise all there are.
  std::set<ChannelName> channels(promela::ExprId expr, std::uint32_t owner) const;

 private:
  struct Variable {
    std::string name;
    std::uint32_t end = 0;
    std::uint32_t channel = promela::kNone;  // the one it was declared with, as long as nothing writes to it
  };
  using Block = std::map<std::uint32_t, Variable>;  // by offset

  const Block& block(std::uint32_t owner) const { return owner == kNoOwner ? globals_ : locals_[owner]; }
  Block& block(std::uint32_t owner) { return owner == kNoOwner ? globals_ : locals_[owner]; }
  void add_block(std::uint32_t owner, const std::vector<promela::VariableInfo>& variables,
                 const std::vector<promela::Initializer>& initializers,
                 const std::vector<promela::ChannelInfo>& channels);
  void note_writes(const promela::Statement& statement, std::uint32_t owner);
  void note_write(promela::PlaceId place, std::uint32_t owner);

  const promela::Program& program_;
  Block globals_;
  std::vector<Block> locals_;
  std::set<ChannelName> all_channels_;
};

class CanonicalCode {
 public:
  // `owner`: the process type whose code is written, for the names of its variables.
  CanonicalCode(const promela::Program& program, const CodeNames& names, std::uint32_t owner)
      : program_(program), names_(names), owner_(owner) {}

  // What follows, up to the next call, is this part of the meaning (Element::parts).
  void part(const char* name) { parts_.push_back({name, bytes_.size()}); }
  void number(std::uint64_t value);
  void text(const std::string& value);
  void type(const promela::ScalarType& value);
  void location(std::uint32_t process, std::uint32_t location);
  void expression(promela::ExprId expr);
  // `owner`: the process type whose block it is in, where it is local.
  void place(promela::PlaceId place, std::uint32_t owner);
  void statement(promela::StatementId statement);
  // The initial values of a block.
  void initializers(const std::vector<promela::Initializer>& values);

  const std::string& bytes() const { return bytes_; }
  struct Part {
    const char* name = "";
    std::size_t begin = 0;  // in the bytes; it ends where the next one begins
  };
  const std::vector<Part>& parts() const { return parts_; }
  const std::vector<LocationName>& locations() const { return locations_; }  // in the order of the bytes
  // What the code looks at beside the variables: channels, and process types that it starts.
  const std::set<ChannelName>& channels() const { return channels_; }
  const std::set<std::uint32_t>& started() const { return started_; }

 private:
  void fields(const std::vector<promela::FieldPattern>& fields);
  void expressions(const std::vector<promela::ExprId>& exprs);
  void channel(promela::ExprId expr);
  void dstep(const promela::DStepCode& code);
  void fragment(std::uint32_t fragment);

  const promela::Program& program_;
  const CodeNames& names_;
  const std::uint32_t owner_;
  std::string bytes_;
  std::vector<Part> parts_;
  std::vector<LocationName> locations_;
  std::set<ChannelName> channels_;
  std::set<std::uint32_t> started_;
};

}  // namespace spoor::exec
