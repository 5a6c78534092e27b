#include "cli/command_line.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/diagnostic.h"
#include "cli/exit_codes.h"
#include "cli/units.h"
#include "hunt/hunt.h"
#include "report/report.h"
#include "search/search.h"

namespace spoor::cli {

namespace {

std::string search_help() {
  std::string help;
  for (const OrderRow& row : orders()) {
    help +=
        fmt::format("{}{} ({}): {}", help.empty() ? "" : "; ", row.name,
                    row.order == Order() ? fmt::format("{}, the default", row.title) : row.title, row.help);
  }
  return help;
}

std::string store_help() {
  std::string help = "how the visited set keeps states: ";
  for (const StoreRow& row : stores()) help += fmt::format("{} keeps {}; ", row.name, row.help);
  return help + "auto (the default) is exact, and changes to tree when memory gets tight";
}

std::string method_help() {
  std::string help =
      "how to look: auto (the default) lets the methods take turns, then makes the trace shorter";
  for (const MethodRow& row : methods()) help += fmt::format("; {} is {}", row.name, row.help);
  return help;
}

std::string policy_help() {
  std::string help = "cache: the state to evict where another needs its place: ";
  for (const PolicyRow& row : policies()) {
    help += fmt::format("{}{}{} evicts {}", row.kind == PolicyKind() ? "" : "; ", row.name,
                        row.kind == PolicyKind() ? " (the default)" : "", row.help);
  }
  return help;
}

}  // namespace

std::vector<std::string> policy_names() {
  std::vector<std::string> names;
  for (const PolicyRow& row : policies()) names.emplace_back(row.name);
  return names;
}

std::vector<std::string> search_names() {
  std::vector<std::string> names;
  for (const OrderRow& row : orders()) names.emplace_back(row.name);
  return names;
}

std::vector<std::string> store_names() {
  std::vector<std::string> names = {to_string(StoreKind::kAuto)};
  for (const StoreRow& row : stores()) names.emplace_back(row.name);
  return names;
}

std::vector<std::string> hunt_method_names() {
  std::vector<std::string> names = {"auto"};
  for (const MethodRow& row : methods()) names.emplace_back(row.name);
  return names;
}

std::vector<std::string> heuristic_names() {
  std::vector<std::string> names;
  for (const HeuristicKind kind : kHeuristicKinds) names.emplace_back(to_string(kind));
  return names;
}

const std::vector<OptionRow>& option_table() {
  static const std::vector<OptionRow> kTable = {
      // Input.
      {"check hunt estimate simulate trace certify graph-export graph-control emit", "model", "FILE",
       "the model: Promela, or a graph when the name ends in .aut"},
      {"trace", "trace", "TRACE", "a trace written by spoor (JSON), or a trail of SPIN"},
      {"certify", "certificate", "CERTIFICATE",
       "what spoor check --certificate has written; or a trace, which confirms a violation"},
      {"keygen", "name", "NAME", "the files are NAME.key and NAME.pub; files that exist are not overwritten"},
      {"sign", "signed", "FILE", "what is signed; the signature is FILE.sig"},
      {"sign", "key", "KEY", "the secret key, a file that spoor keygen has made: NAME.key"},
      {"diff", "old", "OLD", "the model before the edit: Promela, or a graph when the name ends in .aut"},
      {"diff", "new", "NEW", "the model after the edit"},
      {"check hunt estimate simulate trace certify diff graph-export graph-control emit", "-D",
       "NAME[=VALUE]", "define a macro for the model; may be repeated"},
      {"check hunt estimate simulate trace certify diff graph-export emit", "--strict", "",
       "also report values that do not fit an `unsigned` and nondeterminism inside a d_step as errors"},
      {"check hunt estimate simulate trace certify diff graph-export emit", "--lose-messages", "",
       "a message to a full channel is lost, instead of blocking the sender (SPIN's -m)"},
      {"check hunt estimate simulate trace certify diff graph-export emit", "--allow-c", "",
       "compile and run the C code in the model (c_code, c_expr, ...), with your rights"},

      // Properties and searches.
      {"check", "--property", "PROPERTY",
       "the property to check: safety (assertions, end states, run-time errors), deadlock (end states only), ltl, "
       "ltl:NAME, never, never:NAME, accept or progress; without it safety, all ltl formulas and all never claims"},
      {"certify", "--property", "PROPERTY",
       "the property that the certificate must be about, as for check (default: the one that it names; of a trace, the "
       "only one that it can violate)"},
      {"check", "--ltl", "FORMULA", "check this formula as well; it may use the model's names and macros"},
      {"certify", "--ltl", "FORMULA",
       "the formula that the certificate must be about, where it was made with --ltl"},
      {"check hunt certify", "--invariant", "CONDITION",
       "check along with safety that this holds in every state, as in 'x < 3', or, with X, from each state to the next, "
       "as in 'x == 5 -> X (x == 8)'"},
      {"check hunt certify", "--fair", "",
       "consider only infinite runs that are weakly fair to every process"},
      {"check hunt certify", "--no-end-states", "", "do not report invalid end states"},
      {"check", "--search", fmt::format("{}", fmt::join(search_names(), "|")), search_help()},
      {"check", "--store", fmt::format("{}", fmt::join(store_names(), "|")), store_help()},
      {"check", "--policy", fmt::format("{}", fmt::join(policy_names(), "|")), policy_help()},
      {"check", "--cache-states", "N",
       "cache: at most N states (default: as many as fit into the memory, with the path of the search)"},
      {"check", "--bits", "M",
       "bitstate: the size of the filter, a power of two (default: 2^30, which is 128 MiB, or what "
       "fits into half of the memory)"},
      {"check", "--hashes", "K", "bitstate: bits per state, from 1 to 8 (default 3)"},
      {"check", "--filter", "classic|blocked",
       "bitstate: the bits of a state lie anywhere (the default; coverage can be estimated for it only), or "
       "in one cache line (a little faster)"},
      {"check", "--swarm", "N",
       "bitstate: N small depth-first searches instead of one, each in its own random order, over all threads"},
      {"check", "--repeat", "N",
       "bitstate: up to N searches, each with different hash functions, until they find no new states"},
      {"check", "--seed", "N",
       "bitstate: the seed of the hash functions; different seeds miss different states (default 1)"},
      {"check estimate diff emit", "--reduce", "none|default|LIST",
       "reductions (fewer states, same verdict): statement merging, dead variables, partial-order reduction; "
       "LIST is some of merge,dead,order,stubborn; default is all but the last"},
      {"check", "--check-reduction", "",
       "verify the assumptions of partial-order reduction at many states; slow"},
      {"check hunt estimate", "--exec", "auto|interp|native|both",
       "execute the model by the interpreter, by compiled C, or by both, comparing every state; "
       "auto (the default) starts with the interpreter and changes to compiled C when it is ready"},
      {"certify", "--exec", "auto|interp|native|both",
       "execute the model by the interpreter, by C that is compiled here, or by both; a secret one of a hundred states is "
       "always executed by the interpreter, too (default: auto)"},
      {"certify", "--jobs", "N",
       "certify N regions or chunks at once (default: one per core); the answer does not depend on N"},
      {"certify", "--tasks", "N",
       "cut a full or trustful script into N regions (default: one per job); of another form, tell how large the tasks of N "
       "workers would be; the answer does not depend on N"},
      {"certify", "--sample", "N",
       "examine N random states of a closed set instead of all: evidence, not proof (exit code 3 unless refuted)"},
      {"check", "--threads", "N",
       "search with N threads (default: one per core, with bitstate one); the result does not depend on N"},
      {"check", "--coverage", "quick|full|off",
       "if not all states were seen, find the share that was, by a count of all states or by two random searches: quick "
       "(the default) takes about twice the time of the search, at most three minutes, full is as exact as possible"},
      {"check", "--accept-coverage", "P",
       "a filter or a store of hashes misses states: probably-holds needs a chance of at most 5 % that one was missed, "
       "or an interval of the coverage that begins at P or above (default 0.95); otherwise unknown"},
      {"check", "--all-errors", "", "continue after the first error and report all errors"},

      // Limits.
      {"check estimate certify", "--time", "TIME", "stop after this time: 90, 90s, 5m, 1h"},
      {"check estimate certify", "--memory", "SIZE",
       "stop when the search needs more memory: 500M, 4G (default: most of what the machine has)"},
      {"check", "--depth", "N", "do not search deeper than N steps from the initial state"},

      // Long runs.
      {"check", "--checkpoint", "OUT",
       "save the search to this file, every few minutes and when a limit or a signal ends it"},
      {"certify", "--checkpoint", "OUT",
       "save what is certified to this file, every few minutes and when a limit or a signal ends it; keep it secret"},
      {"check certify", "--checkpoint-every", "TIME", "the time between two checkpoints (default 5m)"},
      {"check", "--resume", "CHECKPOINT", "continue the search that was saved in this file"},
      {"certify", "--resume", "CHECKPOINT", "continue the certification that was saved in this file"},
      {"check", "--certificate", "OUT",
       "write a certificate, with which spoor certify confirms that there is no error, faster than a check and without "
       "trust; of a violation the trace is written. Of "
       "infinite runs it is a closed set with ranks, and the search has no partial-order reduction"},
      {"check", "--certificate-kind", "compact|closed-set|full|trustful",
       "the form of the certificate: how the search has found its states (compact, the default), the states themselves, "
       "of any search, from which a random sample can be examined, or a search script as published, for comparison (full), or only its spanning tree, for invariants of states, if "
       "the producer is trusted (trustful)"},
      {"check", "--sign", "KEY",
       "sign the certificate with this secret key (spoor keygen); the signature is OUT.sig"},
      {"certify", "--signer", "PUB",
       "refuse a certificate that is not signed by the holder of this public key (NAME.pub); the signature is CERTIFICATE.sig"},
      {"check", "--ledger", "FOLDER",
       "record the check here, and use what the check before has recorded: after an edit only what the edit can "
       "influence is executed again; none: no ledger (default: what SPOOR_LEDGER names, or .spoor beside the model)"},
      {"check", "--ledger-size", "SIZE",
       "delete recordings, those not used for the longest time first, until the ledger has at most this size "
       "(default 2G)"},
      {"check", "--regression", "auto|closure|walk|prune",
       "after an edit, check the states that it touches and what is new behind them (closure: the number of states is "
       "then a bound); follow the recorded steps where the edit has no influence (walk: all figures are exact); do "
       "not search below recorded states that cannot reach the edit (prune: the published technique, for "
       "comparison); or closure where a full check takes long (auto, the default)"},
      {"check", "--fresh", "", "ignore what the ledger has: run in full, and record anew"},
      {"check", "--record", "",
       "record steps, too, so that the next check has exact figures where it would have bounds (--regression walk)"},
      {"check", "--no-record", "", "leave no recording; one that is there is used"},
      {"history", "model", "FILE", "the model whose runs are listed; without it, those of all models"},
      {"history", "--ledger", "FOLDER",
       "the ledger (default: what SPOOR_LEDGER names, or .spoor beside the model)"},
      {"history", "-n,--number", "N", "list at most N runs (default 20)"},

      // Hunting.
      {"hunt", "--property", "PROPERTY",
       "the property whose violation is hunted, as for check; without it safety, all ltl formulas and all never claims, "
       "one after the other"},
      {"hunt", "--ltl", "FORMULA", "hunt a violation of this formula as well"},
      {"hunt", "--method", fmt::format("{}", fmt::join(hunt_method_names(), "|")), method_help()},
      {"hunt", "--heuristic", fmt::format("{}", fmt::join(heuristic_names(), "|")),
       "what looks near an error: active, few processes that can move; enabled, few steps; assertions, little is missing "
       "until one fails; invariant, little until it is violated; claim, few steps until the claim can accept; auto (the "
       "default) is claim for infinite runs, invariant where there is one, otherwise active"},
      {"hunt", "--seed", "N",
       "the seed of the random choices; the same seed gives the same hunt (default 1)"},
      {"hunt", "--first", "", "end at the first error: do not make its trace shorter"},
      {"hunt", "--shorten", "TRACE",
       "make this trace shorter, of spoor (JSON) or of SPIN (a trail), instead of looking for one"},
      {"hunt", "--learn-from", "FILE",
       "try paths first that go like those of another hunt: of an earlier version, or of fewer processes"},
      {"hunt", "--save-model", "FILE", "write what this hunt learns, for --learn-from"},
      {"hunt", "--time", "TIME",
       "end the hunt after this time: 90, 90s, 5m, 1h (default 60s, with --expansions none)"},
      {"hunt", "--memory", "SIZE",
       "a method that needs more for its states is ended, the hunt goes on (default 60M)"},
      {"hunt", "--expansions", "N", "expand at most N states, repetitions included"},
      {"hunt", "--coverage", "quick|full|off",
       "without an error, find the share of the states that was seen, by two random searches: quick (the default) takes a tenth "
       "of the hunt's time, full is as exact as possible"},
      {"hunt", "--reduce", "none|default|LIST",
       "reductions, as for check; default here: dead, with which traces are as long as in the model"},

      // Output.
      {"check hunt estimate history", "--json", "", "print one JSON object (docs/json.md) instead of text"},
      {"certify", "--json", "", "print one JSON object (docs/json.md) instead of text"},
      {"diff", "--json", "", "print one JSON object (docs/cli.md) instead of text"},
      {"ltl", "--json", "", "print one JSON object (docs/ltl.md) instead of text"},
      {"check hunt", "--trace", "OUT", "write the trace of the first error, as JSON"},
      {"check hunt", "--trail", "OUT", "write the trace of the first error as a trail for SPIN"},
      {"check hunt", "--full-trace", "", "do not shorten long traces"},
      {"check hunt", "--no-final-state", "", "do not show the values of all variables at the end of a trace"},
      {"check", "--unreached", "", "list all statements that were never executed"},
      {"check", "--no-unreached", "", "do not list unreached statements"},
      {"check hunt estimate certify diff", "-q,--quiet", "",
       "print the first line only, no warnings, no progress"},
      {"check hunt estimate simulate trace", "--color", "auto|always|never", "colours; auto: on a terminal"},
      {"check hunt estimate trace", "--ascii", "", "no characters beyond ASCII"},
      {"trace", "--format", "table|msc|json|trail",
       "a table (the default), a message sequence chart, our JSON, or SPIN's trail"},
      {"trace graph-export graph-random graph-control emit ltl", "-o,--output", "OUT",
       "write to this file instead of the standard output"},

      // Simulation.
      {"estimate", "--seed", "N", "the seed of the hash functions (default 1)"},
      {"estimate", "--runs", "FILE",
       "estimate from earlier searches, without a model: a list of reports of check --store bitstate --json, or a report of estimate"},
      {"estimate", "--bits", "M",
       "make one search with a filter of this size, instead of as many as the time allows, and estimate its coverage"},
      {"estimate", "--hashes", "K",
       "bits per state in the filters, from 1 to 8 (default 1: estimates are best with one)"},
      {"estimate", "--svg", "OUT", "write a chart of the states seen by the size of the filter"},
      {"simulate", "--seed", "N", "the seed of the random choices (default 1)"},
      {"simulate", "--steps", "N", "stop after N steps (default 10000)"},
      {"simulate", "-i,--interactive", "", "choose each step yourself; ? explains how"},
      {"simulate", "--trace", "TRACE", "follow a trace written by spoor (JSON), or a trail of SPIN"},
      {"simulate", "-v,--verbose", "", "show each step, not only the output of the model"},

      // Graphs.
      {"graph-random", "--states", "N", "the number of states (default 100)"},
      {"graph-random", "--seed", "N", "the seed; equal seeds give equal graphs (default 1)"},
      {"graph-control", "--dot", "", "write a graph for Graphviz instead of a table"},
      {"graph-export", "--max-states", "N", "stop with an error if the graph is larger (default 10000000)"},

      // Formulas.
      {"ltl", "formula", "FORMULA", "the formula in SPIN's syntax, such as '[] (request -> <> answer)'"},
      {"ltl", "--from-hoa", "FILE",
       "read an automaton in the HOA format instead of a formula; - is the standard input"},
      {"ltl", "--negate", "",
       "translate the negation: a check of the formula searches for runs that this automaton accepts"},
      {"ltl", "--generalized", "",
       "allow several acceptance sets, on edges; the automaton is often smaller (default: one set, on states)"},
      {"ltl", "--never", "", "write a never claim for SPIN"},
      {"ltl", "--hoa", "", "write the automaton in the HOA format"},
      {"ltl", "--dot", "", "write a graph for Graphviz"},

      {"explain", "code", "CODE", "the code of a diagnostic, such as P101; without it, all codes are listed"},
  };
  return kTable;
}

namespace {

bool has_word(std::string_view words, std::string_view wanted, char separator) {
  while (!words.empty()) {
    const std::size_t end = words.find(separator);
    if (words.substr(0, end) == wanted) return true;
    words.remove_prefix(end == std::string_view::npos ? words.size() : end + 1);
  }
  return false;
}

// The forms of a macro that the preprocessor accepts: NAME, NAME=VALUE, NAME(X)=VALUE.
bool is_definition(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !text.empty() && is_letter(text[0]) && text.find('\n') == std::string_view::npos;
}

std::string without_dash(std::string_view command) {
  std::string text(command);
  std::replace(text.begin(), text.end(), '-', ' ');
  return text;
}

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// Shows the value names of the table, and none of CLI11's own annotations.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() {
    column_width(28);
    label("OPTIONS", "options");
    label("Positionals", "Arguments");
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    return option->get_type_size() == 0 ? "" : " " + option->get_type_name();
  }
  std::string make_option_usage(const CLI::Option* option) const override {
    const std::string name = option->get_type_name();
    return option->get_required() ? name : "[" + name + "]";
  }
};

}  // namespace

CommandLine::CommandLine(std::string_view command, std::string_view summary)
    : command_(command),
      shown_name_("spoor " + without_dash(command)),
      app_(std::string(summary), shown_name_) {
  app_.formatter(std::make_shared<HelpFormatter>());
  app_.set_help_flag("-h,--help", "print this help");
}

const OptionRow& CommandLine::row(std::string_view name) const {
  for (const OptionRow& row : option_table()) {
    if (has_word(row.commands, command_, ' ') && has_word(row.names, name, ',')) return row;
  }
  throw std::logic_error(fmt::format("no row {} for {} in the table of options", name, command_));
}

void CommandLine::flag(std::string_view name, bool& target) {
  const OptionRow& found = row(name);
  app_.add_flag(std::string(found.names), target, std::string(found.help))
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

CLI::Option* CommandLine::add_value(std::string_view name, std::function<bool(const std::string&)> accept,
                                    std::string expected) {
  const OptionRow& found = row(name);
  const std::string shown(name);
  return app_
      .add_option_function<std::string>(
          std::string(found.names),
          [accept = std::move(accept), expected = std::move(expected), shown](const std::string& text) {
            if (!accept(text)) {
              throw CLI::ValidationError(fmt::format("{}: expected {}, not '{}'", shown, expected, text));
            }
          },
          std::string(found.help))
      ->type_name(std::string(found.value));
}

void CommandLine::value(std::string_view name, std::string& target, std::vector<std::string> allowed) {
  std::string expected = allowed.empty() ? "a value" : "one of " + join(allowed);
  add_value(
      name,
      [&target, allowed = std::move(allowed)](const std::string& text) {
        target = text;
        return !text.empty() && (allowed.empty() || std::count(allowed.begin(), allowed.end(), text));
      },
      std::move(expected))
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

void CommandLine::value_once(std::string_view name, std::string& target, std::string instead) {
  const OptionRow& found = row(name);
  const auto take = [&target, shown = std::string(name),
                     instead = std::move(instead)](const std::vector<std::string>& texts) {
    if (texts.size() > 1) throw CLI::ValidationError(fmt::format("{} is given twice: {}", shown, instead));
    if (texts.front().empty()) throw CLI::ValidationError(shown + ": expected a value, not ''");
    target = texts.front();
  };
  app_.add_option_function<std::vector<std::string>>(std::string(found.names), take, std::string(found.help))
      ->type_name(std::string(found.value))
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void CommandLine::definitions(std::string_view name, std::vector<std::string>& target) {
  const OptionRow& found = row(name);
  app_.add_option(std::string(found.names), target, std::string(found.help))
      ->type_name(std::string(found.value))
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->check([](const std::string& text) {
        return is_definition(text) ? std::string()
                                   : fmt::format("expected NAME or NAME=VALUE, not '{}'", text);
      });
}

void CommandLine::model_options(ModelOptions& target) {
  definitions("-D", target.defines);
  flag("--strict", target.strict);
  flag("--lose-messages", target.lose_messages);
  flag("--allow-c", target.allow_c);
}

void CommandLine::execution(ExecutionChoice& target) {
  const auto convert = [&target](const std::string& text) {
    for (const auto choice : {ExecutionChoice::kAuto, ExecutionChoice::kInterpreter, ExecutionChoice::kNative,
                              ExecutionChoice::kBoth}) {
      if (text == to_string(choice)) target = choice;
    }
    return text == to_string(target);
  };
  converted("--exec", convert, "one of auto, interp, native, both");
}

void CommandLine::reductions(ModelOptions& target) {
  converted(
      "--reduce",
      [&target](const std::string& text) {
        target.reduce = text;
        return parse_reductions(text).has_value();
      },
      "none, default, or some of merge,dead,order,stubborn");
}

void CommandLine::converted(std::string_view name, std::function<bool(const std::string&)> convert,
                            std::string_view expected) {
  add_value(name, std::move(convert), std::string(expected))
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

void CommandLine::duration(std::string_view name, double& seconds) {
  const auto convert = [&seconds](const std::string& text) {
    seconds = parse_duration(text).value_or(0);
    return seconds > 0;
  };
  converted(name, convert, "a time such as 90, 90s, 5m or 1h");
}

void CommandLine::size(std::string_view name, std::uint64_t& bytes) {
  const auto convert = [&bytes](const std::string& text) {
    bytes = parse_size(text).value_or(0);
    return bytes > 0;
  };
  converted(name, convert, "a size such as 500M or 4G");
}

void CommandLine::count(std::string_view name, std::uint64_t& target, std::uint64_t least,
                        std::uint64_t most) {
  const auto convert = [&target, least, most](const std::string& text) {
    const std::optional<std::uint64_t> count = parse_count(text);
    if (count) target = *count;
    return count && *count >= least && *count <= most;
  };
  const std::string from = least == 0                         ? ""
                           : least == 1 && most == UINT64_MAX ? " above 0"
                                                              : fmt::format(" from {}", least);
  converted(name, convert, "a whole number" + from + (most == UINT64_MAX ? "" : fmt::format(" to {}", most)));
}

void CommandLine::argument(std::string_view name, std::string& target, bool required) {
  const OptionRow& found = row(name);
  app_.add_option(std::string(found.names), target, std::string(found.help))
      ->type_name(std::string(found.value))
      ->required(required);
}

std::optional<int> CommandLine::parse(std::vector<std::string> arguments) {
  const bool wants_json = std::count(arguments.begin(), arguments.end(), "--json") != 0;
  std::reverse(arguments.begin(), arguments.end());  // CLI11 expects them in reverse order
  try {
    app_.parse(arguments);
    return std::nullopt;
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app_.help());
    return kHolds;
  } catch (const CLI::ParseError& error) {
    if (wants_json) fmt::print("{}", json_error(error.what(), {}, SourceSet()));
    return usage_error(error);
  }
}

int CommandLine::usage_error(const CLI::ParseError& error) {
  if (dynamic_cast<const CLI::RequiredError*>(&error)) {
    return cli::usage_error(fmt::format("missing argument: {}", error.what()), shown_name_);
  }
  const std::vector<std::string> extras = app_.remaining();
  if (extras.empty()) return cli::usage_error(error.what(), shown_name_);
  const std::string& extra = extras.front();
  if (!extra.starts_with('-')) {
    return cli::usage_error(fmt::format("unexpected argument '{}'", extra), shown_name_);
  }
  std::vector<std::string> known;
  for (const CLI::Option* option : app_.get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  const std::string nearest = nearest_name(extra.substr(0, extra.find('=')), known);
  return cli::usage_error(
      fmt::format("unknown option '{}'{}", extra, nearest.empty() ? "" : "; did you mean " + nearest + "?"),
      shown_name_);
}

int usage_error(std::string_view message, std::string_view command) {
  fmt::print(stderr, "spoor: {}\ntry: {} --help\n", message, command);
  return kWrongInput;
}

}  // namespace spoor::cli
