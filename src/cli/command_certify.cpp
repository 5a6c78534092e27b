// spoor certify FILE CERTIFICATE
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/process_memory.h"
#include "base/ranks.h"
#include "base/signature.h"
#include "check/certification.h"
#include "check/front_end.h"
#include "check/invariant.h"
#include "check/property.h"
#include "check/run_certification.h"
#include "check/shown.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "report/certify_report.h"
#include "report/trace_file.h"
#include "report/trace_input.h"

namespace spoor::cli {
namespace {

constexpr unsigned kMaxJobs = 64;
constexpr std::uint64_t kMostTasks = 1000;
constexpr std::uint64_t kMostDraws = 10'000'000;

struct CertifyArguments {
  std::string model, certificate;
  CertifyOptions options;
  std::string signer_file;  // of the public key that must have signed it; empty: none
  std::string signed_by;    // this key, when that is known to be so
  bool json = false, quiet = false;
};

bool uses_checkpoint(const CertifyArguments& a) {
  return !a.options.checkpoint.save.empty() || !a.options.checkpoint.resume.empty();
}

std::optional<int> parse(Arguments words, CertifyArguments& a) {
  CommandLine line("certify",
                   "Confirm a certificate: execute the model anew, and believe nothing of the file.");
  line.argument("model", a.model);
  line.argument("certificate", a.certificate);
  line.model_options(a.options.model);
  line.value("--property", a.options.property);
  line.value_once("--ltl", a.options.formula, "a certificate is about one formula");
  line.value_once("--invariant", a.options.invariant, "join the conditions with &&");
  line.flag("--fair", a.options.model.is_fair);
  bool no_end_states = false;
  line.flag("--no-end-states", no_end_states);
  line.execution(a.options.exec);
  std::uint64_t jobs = std::clamp(std::thread::hardware_concurrency(), 1u, kMaxJobs);
  line.count("--jobs", jobs, 1, kMaxJobs);
  std::uint64_t tasks = 0;
  line.count("--tasks", tasks, 1, kMostTasks);
  line.duration("--time", a.options.limits.seconds);
  line.size("--memory", a.options.limits.memory_bytes);
  line.count("--sample", a.options.sample, 1, kMostDraws);
  line.value("--checkpoint", a.options.checkpoint.save);
  double checkpoint_every_s = 0;  // 0: not given
  line.duration("--checkpoint-every", checkpoint_every_s);
  line.value("--resume", a.options.checkpoint.resume);
  line.value("--signer", a.signer_file);
  line.flag("--json", a.json);
  line.flag("--quiet", a.quiet);
  if (const std::optional<int> done = line.parse(std::move(words))) return *done;
  if (const std::string mistake = property_mistake(a.options.property); !mistake.empty())
    return usage_error(mistake, "spoor certify");
  if (!a.options.invariant.empty() && !a.options.formula.empty())
    return usage_error("only one of --invariant and --ltl: a certificate is about one of them",
                       "spoor certify");
  a.options.end_states = !no_end_states;
  a.options.jobs = static_cast<unsigned>(jobs);
  a.options.tasks = static_cast<unsigned>(tasks);
  if (a.options.checkpoint.save.empty() && checkpoint_every_s != 0)
    return usage_error("--checkpoint-every needs --checkpoint, the file to write", "spoor certify");
  if (checkpoint_every_s != 0) a.options.checkpoint.interval_s = checkpoint_every_s;
  if (uses_checkpoint(a) && a.options.sample != 0)
    return usage_error("a sample of a certificate has no checkpoint", "spoor certify");
  if (tasks != 0 && (a.options.sample != 0 || !a.options.checkpoint.resume.empty()))
    return usage_error("--tasks is about a whole certification: without --sample and --resume",
                       "spoor certify");
  if (a.options.limits.memory_bytes == 0) a.options.limits.memory_bytes = available_memory();
  return std::nullopt;
}

int exit_code(CertifierResult::Answer answer) {
  switch (answer) {
    case CertifierResult::Answer::kConfirmed: return kHolds;
    case CertifierResult::Answer::kRefuted:
    case CertifierResult::Answer::kNotConfirmed: return kViolated;
    case CertifierResult::Answer::kNotRefuted:
    case CertifierResult::Answer::kLimit: return kUndecided;
  }
  return kInternalError;
}

// Keeps the errors that are of the property that was asked for. Empty: there are some.
std::string why_no_error(const CertifyArguments& a, std::vector<ShownFinding>& findings) {
  if (findings.empty()) return "the trace can be followed, and there is no error at its end";
  std::erase_if(findings, [&](const ShownFinding& finding) {
    return finding.kind == FindingKind::kDeadlock ? !a.options.end_states : a.options.property == "deadlock";
  });
  if (!findings.empty()) return {};
  return "the error at the end of the trace is none of the property that was asked for";
}

// Before anything else is read. Returns the exit code where there is nothing more to do.
std::optional<int> check_signature(CertifyArguments& a, bool colour) {
  if (a.signer_file.empty()) return std::nullopt;
  InputError error;
  std::string subject = a.signer_file;  // of the sentence that an error completes
  try {
    const PublicKey signer = read_public_key(a.signer_file);
    subject = a.certificate;
    const std::string reason = why_not_signed(a.certificate, signer);
    if (reason.empty()) {
      a.signed_by = to_text(signer);
      return std::nullopt;
    }
    const UnsignedFile answer = {a.model, a.certificate, a.options.property, reason};
    fmt::print("{}", a.json ? certify_json(answer) : certify_text(answer));
    return kViolated;
  } catch (const SignatureError& wrong) {
    error.message = fmt::format("'{}' {}", subject, wrong.what());
    return report_input_error(error, colour, a.json);
  }
}

// A trace is followed with the options that were given: with those in the file it would be one of another
// model. Empty: they are the same, or the file has none.
std::string why_other_options(const TraceFile& file, const ModelOptions& given) {
  if (!file.record) return {};
  const auto text = [](const ModelOptions& options) {
    std::string words = fmt::format("{}", fmt::join(options.defines, " "));
    if (options.strict) words += " --strict";
    if (options.lose_messages) words += " --lose-messages";
    return words;
  };
  const ModelOptions& has = file.record->options;
  if (has.defines == given.defines && has.strict == given.strict && has.lose_messages == given.lose_messages)
    return {};
  return fmt::format("its options are not those asked for: it has '{}', not '{}'", text(has), text(given));
}

// The trace of a violation of a property of infinite runs. False: the trace, or the model, cannot be read.
bool certify_run(const TraceFile& file, const SourceModel& source, const ModelOptions& options,
                 const Property& property, CertifiedTrace& answer, InputError& error) {
  const std::optional<LoadedModel> model =
      source.load(options, ExecutionChoice::kInterpreter, property.claim, error);
  if (!model) return false;
  answer.property = property.name;
  answer.sources = model->system->sources();
  const auto followed = follow(file, *model, error, true);
  if (!followed) {
    answer.reason = error.message;
    return true;
  }
  answer.trace = show_trace(*model->system, followed->steps);
  answer.trace.findings = findings_at_end(*model->system, followed->steps);
  std::erase_if(answer.trace.findings,
                [](const ShownFinding& finding) { return finding.kind == FindingKind::kDeadlock; });
  const bool has_error = !followed->loop && !answer.trace.findings.empty();
  if (!has_error)
    answer.reason = why_no_violation(*model, {followed->steps, followed->loop}, options.is_fair);
  answer.is_confirmed = answer.reason.empty();
  if (answer.is_confirmed && !has_error) {
    const RunViolation violation = run_violation(*model, options.is_fair);
    answer.trace.findings = {{violation.finding.kind, violation.message, violation.position}};
  }
  return true;
}

// The properties about infinite runs whose violation the trace can be certified to be.
std::vector<Property> run_properties_of(const CertifyArguments& a, const SourceModel& source) {
  if (!a.options.invariant.empty()) return {};
  return properties_of_runs(source, a.options.property,
                            !a.options.formula.empty() && a.options.property.empty());
}

// The same as certify_run, for the first of these properties that is violated. REQUIRES: there is one at
// least.
bool certify_run_of_any(const TraceFile& file, const SourceModel& source, const ModelOptions& options,
                        const std::vector<Property>& properties, CertifiedTrace& answer, InputError& error) {
  if (properties.size() == 1) return certify_run(file, source, options, properties.front(), answer, error);
  std::string reasons;
  for (const Property& property : properties) {
    CertifiedTrace one = answer;
    InputError why_not_read;
    const bool can_be_read = certify_run(file, source, options, property, one, why_not_read);
    if (one.is_confirmed) {
      answer = std::move(one);
      return true;
    }
    reasons += fmt::format("; {}: {}", property.name, can_be_read ? one.reason : "it cannot be checked");
  }
  answer.reason = "it violates none of the properties of the model about infinite runs" + reasons;
  return true;
}

// The end of a finite trace. False: the trace, or the model, cannot be read.
bool certify_end(const CertifyArguments& a, const TraceFile& file, const SourceModel& source,
                 const ModelOptions& options, CertifiedTrace& answer, InputError& error) {
  const std::optional<LoadedModel> model =
      load_for_safety(source, options, ExecutionChoice::kInterpreter, a.options.invariant, error);
  if (!model) return false;
  answer.property = a.options.property;
  answer.sources = model->system->sources();
  if (const auto followed = follow(file, *model, error); !followed) {
    answer.reason = error.message;
  } else if (followed->loop) {
    answer.reason = "it is an infinite run, and the property that was asked for is about single states";
    if (a.options.property.empty())
      answer.reason =
          "it is an infinite run, and the model has no property that it could violate; name one with "
          "--property or --ltl";
  } else {
    answer.trace = show_trace(*model->system, followed->steps);
    answer.trace.findings = findings_at_end(*model->system, followed->steps);
    answer.reason = why_no_error(a, answer.trace.findings);
    answer.is_confirmed = answer.reason.empty();
  }
  return true;
}

int certify_trace(const CertifyArguments& a, const TraceFile& file, bool colour) {
  InputError error;
  const std::string other_options = why_other_options(file, a.options.model);
  const ModelOptions options = other_options.empty() ? options_for(file, a.options.model) : a.options.model;
  const auto source =
      read_model(a.model, options, given_formula(a.options.formula, a.options.invariant), error);
  if (source == nullptr) return report_input_error(error, colour, a.json);
  CertifiedTrace answer;
  answer.model = a.model;
  answer.certificate = a.certificate;
  answer.model_sha256 = source->sha256();
  answer.property = a.options.property;
  answer.signed_by = a.signed_by;
  const std::vector<Property> properties = run_properties_of(a, *source);
  // A trace without an end can only be about runs; of any other, what is asked for decides.
  const bool has_loop = has_cycle(file);
  const bool is_about_runs =
      !properties.empty() && (has_loop || !a.options.property.empty() || !a.options.formula.empty());
  bool can_be_read = true;
  if (!other_options.empty()) {
    answer.reason = other_options;
  } else if (is_about_runs) {
    can_be_read = certify_run_of_any(file, *source, options, properties, answer, error);
  } else {
    can_be_read = certify_end(a, file, *source, options, answer, error);
    // Without a word about the property: a finite trace may violate one about runs, too.
    if (can_be_read && !answer.is_confirmed && !properties.empty() && a.options.property.empty()) {
      CertifiedTrace other = answer;
      if (certify_run_of_any(file, *source, options, properties, other, error) && other.is_confirmed)
        answer = other;
    }
  }
  if (!can_be_read) return report_input_error(error, colour, a.json);
  fmt::print("{}", a.json ? certify_json(answer) : certify_text(answer, a.quiet));
  return answer.is_confirmed ? kHolds : kViolated;
}

int run_alone(CertifyArguments& a) {
  const bool colour = wants_colour("auto", stderr);
  if (const std::optional<int> done = check_signature(a, colour)) return *done;
  InputError error;
  if (!is_certificate(a.certificate)) {
    if (a.options.sample != 0)
      return usage_error("--sample needs a closed set, and this is no certificate", "spoor certify");
    if (uses_checkpoint(a))
      return usage_error("a checkpoint needs a compact certificate, and this is no certificate",
                         "spoor certify");
    const std::optional<TraceFile> trace = load_trace_file(a.certificate, error);
    if (!trace) return report_input_error(error, colour, a.json);
    return certify_trace(a, *trace, colour);
  }
  catch_interrupts();
  a.options.limits.interrupt = &interrupt_flag();
  CertifyAnswer answer = certify_model(a.model, a.certificate, a.options);
  if (const auto* mistake = std::get_if<InputError>(&answer))
    return report_input_error(*mistake, colour, a.json);
  auto& report = std::get<CertifyReport>(answer);
  report.signed_by = a.signed_by;
  fmt::print("{}", a.json ? certify_json(report) : certify_text(report, a.quiet));
  if (!report.checkpoint_error.empty()) {
    fmt::print(stderr, "spoor: the checkpoint '{}' {}\n", a.options.checkpoint.save, report.checkpoint_error);
  } else if (!report.checkpoint.empty()) {
    fmt::print(stderr, "spoor: what was certified is in '{0}'; --resume {0} continues\n", report.checkpoint);
  }
  return exit_code(report.result.answer);
}

// As one of the processes that mpirun has started. Rank 0 prints; a rank that cannot begin, or an answer that
// needs no further work, ends all.
int run_as_rank(CertifyArguments& a, Ranks& ranks) {
  a.options.processes = &ranks;
  int code = kInternalError;
  if (ranks.rank() == 0) {
    if (!is_certificate(a.certificate)) {
      fmt::print(stderr, "spoor: several processes need a compact certificate, and '{}' is no certificate\n",
                 a.certificate);
      code = kWrongInput;
    } else {
      code = run_alone(a);
      if (interrupt_flag())
        fmt::print(stderr, "spoor: a signal has ended the run; if a rank has died, mpirun says which one\n");
    }
  } else {
    catch_interrupts();
    a.options.limits.interrupt = &interrupt_flag();
    const CertifyAnswer answer = certify_model(a.model, a.certificate, a.options);
    const auto* mistake = std::get_if<InputError>(&answer);
    code = mistake == nullptr ? kHolds : kWrongInput;
    if (mistake != nullptr) {
      fmt::print(stderr, "spoor: rank {}: {}\n", ranks.rank(),
                 mistake->message.empty() ? "the model has errors" : mistake->message);
    }
  }
  std::fflush(stdout);
  std::fflush(stderr);
  if (code != kHolds) ranks.abort(code);
  ranks.end();
  return code;
}

}  // namespace

int run_certify(Arguments arguments) {
  CertifyArguments a;
  if (const std::optional<int> done = parse(std::move(arguments), a)) return *done;
  InputError error;
  const std::unique_ptr<Ranks> ranks = open_ranks(error.message);
  if (!error.message.empty()) return report_input_error(error, wants_colour("auto", stderr), a.json);
  return ranks == nullptr ? run_alone(a) : run_as_rank(a, *ranks);
}

}  // namespace spoor::cli
