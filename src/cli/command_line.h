// The options of all commands: one table that the parser, --help and the documentation share.
//
// A command declares which rows of the table fill which of its variables. The name of an option, the
// form of its value and its meaning are in the table in command_line.cpp only.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "check/execution.h"
#include "check/model_options.h"

namespace spoor::cli {

struct OptionRow {
  std::string_view commands;  // the commands with this option, separated by spaces
  std::string_view names;     // "-o,--output"; without dashes: an argument
  std::string value;          // what --help calls the value; empty for a flag
  std::string help;
};

const std::vector<OptionRow>& option_table();

// The values of --search and --store.
std::vector<std::string> search_names();
std::vector<std::string> store_names();
std::vector<std::string> policy_names();
// The values of --method and --heuristic.
std::vector<std::string> hunt_method_names();
std::vector<std::string> heuristic_names();

// One command line under construction and, after `parse`, its result.
class CommandLine {
 public:
  // `command` as in the table, "graph-export"; shown with a space instead of the dash.
  CommandLine(std::string_view command, std::string_view summary);

  // `name` is any one of the names in the row.
  void flag(std::string_view name, bool& target);
  // Fails with usage errors for values outside `allowed`, when that is not empty.
  void value(std::string_view name, std::string& target, std::vector<std::string> allowed = {});
  // An option that changes the answer: giving it twice is an error, and no value is ignored silently.
  void value_once(std::string_view name, std::string& target, std::string instead);
  // Macros for the preprocessor, any number of them.
  void definitions(std::string_view name, std::vector<std::string>& target);
  // How the model is read and run: the options that every command with a model has.
  void model_options(ModelOptions& target);
  // Interpreter or native code.
  void execution(ExecutionChoice& target);
  // Which reductions to use, in `target.reduce`.
  void reductions(ModelOptions& target);
  // A value that `convert` accepts or refuses; `expected` completes "expected ...".
  void converted(std::string_view name, std::function<bool(const std::string&)> convert,
                 std::string_view expected);
  // "90", "5m": seconds, more than 0.
  void duration(std::string_view name, double& seconds);
  // "500M": bytes, more than 0.
  void size(std::string_view name, std::uint64_t& bytes);
  void count(std::string_view name, std::uint64_t& target, std::uint64_t least, std::uint64_t most);
  void argument(std::string_view name, std::string& target, bool required = true);

  // Returns an exit code when the command is finished: help was shown, or the usage is wrong (the error
  // is then on stderr).
  std::optional<int> parse(std::vector<std::string> arguments);

 private:
  const OptionRow& row(std::string_view name) const;
  CLI::Option* add_value(std::string_view name, std::function<bool(const std::string&)> accept,
                         std::string expected);
  int usage_error(const CLI::ParseError& error);

  std::string command_;
  std::string shown_name_;
  CLI::App app_;
};

// Prints on stderr the error of the command line and where help is; returns the exit code.
int usage_error(std::string_view message, std::string_view command);

}  // namespace spoor::cli
