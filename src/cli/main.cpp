// The entry point of the program `spoor`: finds the command and runs it.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/source.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "report/report.h"
#include "version.h"

namespace spoor::cli {
namespace {

struct Command {
  std::string_view name;
  int (*run)(Arguments);
  std::string_view summary;
};

constexpr std::array<Command, 14> kCommands = {{
    {"check", run_check, "check a model for errors: assertions, deadlocks, run-time errors, formulas"},
    {"hunt", run_hunt, "look for one error, soon, and for a short trace to it, where a check takes too long"},
    {"estimate", run_estimate, "estimate how many states a model has, and what a complete check needs"},
    {"simulate", run_simulate, "run a model: at random, step by step, or along a trace"},
    {"trace", run_trace, "show a trace as a table or a chart; read and write SPIN's trails"},
    {"certify", run_certify,
     "confirm a certificate: execute the model anew, believe nothing, need no visited set"},
    {"keygen", run_keygen, "make a pair of keys, with which certificates and traces are signed"},
    {"sign", run_sign, "sign a certificate or a trace"},
    {"diff", run_diff, "show what an edit of a model can influence: two versions, compared by their meaning"},
    {"history", run_history, "list the checks of a model: when, verdict, figures, and what was reused"},
    {"graph", run_graph, "write the states of a model as a graph; generate random graphs"},
    {"emit", run_emit, "show the C code that a check of the model compiles and runs"},
    {"ltl", run_ltl, "translate a temporal formula to an automaton: listing, never claim, HOA"},
    {"explain", run_explain, "explain the code of an error or a warning"},
}};

std::string overview() {
  std::string text = "usage: spoor COMMAND [ARGUMENTS]\n\ncommands:\n";
  for (const Command& command : kCommands) {
    text += fmt::format("  {:<9} {}\n", command.name, command.summary);
  }
  text +=
      "  help      this list, or the options of a command\n"
      "\noptions:\n"
      "  --version  print the version\n"
      "  --help     this list\n"
      "\nexit codes: 0 holds, 1 violated, 2 wrong input or usage, 3 undecided\n";
  return text;
}

const Command* find_command(std::string_view name) {
  for (const Command& command : kCommands) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

int unknown_command(const std::string& name) {
  std::vector<std::string> known = {"help"};
  for (const Command& command : kCommands) known.emplace_back(command.name);
  const std::string nearest = nearest_name(name, known);
  std::string message = fmt::format("unknown {} '{}'", name.starts_with('-') ? "option" : "command", name);
  if (!nearest.empty()) {
    message += fmt::format("; did you mean {}?", nearest);
  } else if (name.find('.') != std::string::npos) {
    message += fmt::format("; to check a model: spoor check {}", name);
  }
  return usage_error(message, "spoor");
}

int run(Arguments arguments) {
  if (arguments.empty()) {
    fmt::print(stderr, "{}", overview());
    return kWrongInput;
  }
  std::string name = arguments.front();
  arguments.erase(arguments.begin());
  if (name == "--version" || name == "-V" || name == "version") {
    fmt::print("spoor {}\n", kVersion);
    return kHolds;
  }
  if (name == "--help" || name == "-h" || name == "help") {
    if (arguments.empty()) {
      fmt::print("{}", overview());
      return kHolds;
    }
    name = arguments.front();
    arguments.front() = "--help";
  }
  const Command* command = find_command(name);
  return command ? command->run(std::move(arguments)) : unknown_command(name);
}

std::string quoted(const std::string& argument) {
  if (!argument.empty() && argument.find_first_not_of("abcdefghijklmnopqrstuvwxyz"
                                                      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                      "0123456789_-+=./:,") == std::string::npos) {
    return argument;
  }
  std::string text = "'";
  for (const char c : argument) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

// An error of the program, not of the user: the message shows how to reproduce it.
int internal_error(const char* what, const Arguments& arguments) {
  std::string command = "spoor";
  for (const std::string& argument : arguments) command += " " + quoted(argument);
  fmt::print(stderr,
             "spoor: internal error: {}\nThis is a bug in spoor {}; please report it with the model "
             "and this command:\n  {}\n",
             what, kVersion, command);
  return kInternalError;
}

// A state must always have the same successors. Where C code runs, a difference may come from the model:
// C data that no c_state or c_track names are part of no state.
int unstable_model(const char* what, const Arguments& arguments) {
  const std::string message = fmt::format(
      "{}\nIf the model has C code, it may depend on data that no c_state or c_track names: then "
      "there is no "
      "answer. Otherwise this is a bug in spoor {}",
      what, kVersion);
  if (std::count(arguments.begin(), arguments.end(), "--json") != 0) {
    fmt::print("{}", json_error(message, {}, SourceSet()));
  }
  fmt::print(stderr, "spoor: {}\n", message);
  return kWrongInput;
}

bool may_run_c(const Arguments& arguments) {
  return std::count(arguments.begin(), arguments.end(), "--allow-c") != 0;
}

}  // namespace
}  // namespace spoor::cli

int main(int argc, char** argv) {
  const spoor::cli::Arguments arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  try {
    const int code = spoor::cli::run(arguments);
    // An answer that could not be written (a full disk) is a failure.
    if (std::fflush(stdout) == 0) return code;
    fmt::print(stderr, "spoor: cannot write to the standard output: {}\n", std::strerror(errno));
    return spoor::cli::kWrongInput;
  } catch (const std::system_error& error) {  // fmt throws this too, when writing to a stream fails
    fmt::print(stderr, "spoor: {}\n", error.what());
    return spoor::cli::kWrongInput;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "spoor: out of memory\n");
    return spoor::cli::kUndecided;
  } catch (const std::logic_error& error) {
    return spoor::cli::may_run_c(arguments) ? spoor::cli::unstable_model(error.what(), arguments)
                                            : spoor::cli::internal_error(error.what(), arguments);
  } catch (const std::exception& error) {
    return spoor::cli::internal_error(error.what(), arguments);
  }
}
