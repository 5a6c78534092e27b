#include "check/certification.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/digest.h"
#include "check/claim_search.h"
#include "check/invariant.h"
#include "check/run_certification.h"
#include "evidence/certifier_checkpoint.h"
#include "evidence/certifier_ranks.h"
#include "evidence/closed_set_certifier.h"
#include "evidence/full_script_certifier.h"
#include "evidence/full_script_trustful.h"
#include "version.h"

namespace spoor {
namespace {

// Larger claims are no claims.
constexpr std::size_t kMostClaimBytes = std::size_t{1} << 20;

const char* yes_or_no(bool value) { return value ? "yes" : "no"; }

std::string tool() { return fmt::format("spoor {}", kVersion); }

constexpr std::string_view kReductions = "reductions ";

constexpr std::string_view kInvariant = "invariant ";

// `of_runs`: run_options_text, where the property is about runs.
std::string options_text(const ModelOptions& model, bool end_states, const Reductions& reductions,
                         const std::string& invariant, const std::string& of_runs) {
  std::string text =
      fmt::format("{}{}\nstrict {}\nlose-messages {}\nend-states {}\ndefines {}\n", kReductions,
                  to_text(reductions), yes_or_no(model.strict), yes_or_no(model.lose_messages),
                  yes_or_no(end_states), fmt::join(model.defines, " "));
  if (!invariant.empty()) text += fmt::format("{}{}\n", kInvariant, invariant);
  return text + of_runs;
}

// Is it a regular file that begins as a trace of ours does (report/trace_file.h)?
bool is_old_trace(const std::string& path) {
  constexpr std::string_view kBegin = "{\n  \"format\": \"spoor-trace\"";
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  std::ifstream file(path, std::ios::binary);
  std::string begin(kBegin.size(), '\0');
  return file.read(begin.data(), static_cast<std::streamsize>(begin.size())) && begin == kBegin;
}

// The lines of a text, without the ends of lines.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// The reductions that a claim names.
std::optional<Reductions> reductions_of(const CertificateClaim& claim) {
  const std::vector<std::string_view> lines = lines_of(claim.options);
  if (lines.empty() || !lines.front().starts_with(kReductions)) return std::nullopt;
  return parse_reductions(lines.front().substr(kReductions.size()));
}

std::string run_options_of(const Property& property, const ModelOptions& model, const std::string& formula) {
  return property.is_about_runs() ? run_options_text(model.is_fair, property.is_given, formula) : "";
}

// Why the property of the claim cannot be, or is not the one that is asked for, as a sentence; empty: it is.
std::string why_other_property(const CertificateClaim& claim, const std::optional<Property>& property,
                               CertificateKind kind, const SourceModel& model,
                               const CertifyOptions& options) {
  const std::string& name = claim.property;
  if (!options.property.empty() && name != options.property) {
    const std::optional<Property> wanted = only_property(model, options.property);
    if (!wanted || !property || wanted->name == "safety" || wanted->name == "deadlock" ||
        wanted->claim.kind != property->claim.kind || wanted->claim.index != property->claim.index)
      return fmt::format("it is about the property {}, not {}", name, options.property);
  }
  const bool is_known = name == "safety" || name == "deadlock" || (property && property->is_about_runs());
  if (!is_known)
    return fmt::format(
        "it is about a property that is not known: {}{}", name,
        name.starts_with("ltl:") ? " (a formula of the command line is given with --ltl)" : "");
  if ((kind == CertificateKind::kRankedSet) != property->is_about_runs())
    return fmt::format("it has another form than certificates of {} have", name);
  return {};
}

// Why the claim is not about what is asked for, as a sentence; empty: it is.
std::string why_refused(const CertificateClaim& claim, const LoadedModel& model,
                        const CertifyOptions& options, const Property& property,
                        const Reductions& reductions) {
  // The states of a search without reductions do not depend on what is asked of them.
  const bool is_further =
      !options.invariant.empty() && claim.options.find(fmt::format("\n{}", kInvariant)) == std::string::npos;
  if (is_further && reductions != Reductions())
    return "its states depend on its reductions, and these on the invariant; one that was made with "
           "--invariant, or with --reduce none, can confirm it";
  const std::string expected =
      options_text(options.model, options.end_states, reductions, is_further ? "" : options.invariant,
                   run_options_of(property, options.model, options.formula));
  const std::vector<std::string_view> theirs = lines_of(claim.options), ours = lines_of(expected);
  for (std::size_t i = 0; i < std::max(theirs.size(), ours.size()); ++i) {
    const std::string_view has = i < theirs.size() ? theirs[i] : "", wanted = i < ours.size() ? ours[i] : "";
    if (has != wanted)
      return fmt::format("its options are not those asked for: it has '{}', not '{}'", has, wanted);
  }
  if (model.reductions != reductions) return "its reductions are not sound for the property";
  return {};
}

CertifierOptions certifier_options(const CertificateClaim& claim, const CertifyOptions& options,
                                   const LoadedModel& model) {
  CertifierOptions how;
  how.reduces = model.reductions.order;
  if (claim.property == "deadlock") how.counted = FindingKinds::none().with(FindingKind::kDeadlock);
  if (!options.end_states) how.counted = how.counted.without(FindingKind::kDeadlock);
  how.workers = model.has_embedded_code ? 1 : std::max(1u, options.jobs);
  how.tasks = options.tasks;
  how.examiner = model.examiner;
  how.limits = options.limits;
  return how;
}

// A claim of any form.
struct ReadClaim {
  CertificateKind kind = CertificateKind::kCompact;
  ClosedSetClaim claim;    // of other forms only the common part
  FullScriptClaim script;  // of scripts as published

  const CertificateClaim& common() const { return claim.common; }
};

// The identity of a checkpoint: what the sums of a region depend on, or the text of an error.
std::string checkpoint_identity(const CertificateClaim& claim, const std::string& certificate,
                                const CertifyOptions& options, InputError& error) {
  std::string reason;
  const std::optional<std::string> digest = sha256_of_file(certificate, reason);
  if (!digest) error.message = fmt::format("the certificate '{}' cannot be read: {}", certificate, reason);
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}", claim.tool, claim.model, digest.value_or(""), claim.property,
                     yes_or_no(options.end_states), options.invariant);
}

// Nothing: none is asked for, or there is an error.
std::unique_ptr<CertifierCheckpoint> open_checkpoint(const ReadClaim& read, const std::string& certificate,
                                                     const CertifyOptions& options, InputError& error) {
  CheckpointOptions checkpoint = options.checkpoint;
  const bool has_ranks = options.processes != nullptr;
  // What is done must not be lost where a rank dies.
  if (has_ranks && checkpoint.save.empty()) checkpoint.save = certificate + ".checkpoint";
  if (has_ranks && options.processes->rank() != 0) checkpoint = {};
  if (has_ranks && read.kind != CertificateKind::kCompact)
    error.message =
        fmt::format("several processes need a compact certificate, and '{}' is none", certificate);
  if ((checkpoint.save.empty() && checkpoint.resume.empty()) || !error.message.empty()) return nullptr;
  if (read.kind != CertificateKind::kCompact) {
    error.message = fmt::format(
        "a certification with a checkpoint needs a compact certificate, and '{}' is none", certificate);
    return nullptr;
  }
  if (!checkpoint.save.empty()) {
    const std::string reason = why_not_written(checkpoint.save, kRegionsFormat);
    if (!reason.empty()) error.message = fmt::format("the checkpoint '{}' {}", checkpoint.save, reason);
  }
  checkpoint.identity = checkpoint_identity(read.common(), certificate, options, error);
  if (!error.message.empty()) return nullptr;
  try {
    return std::make_unique<CertifierCheckpoint>(checkpoint, read.common().regions);
  } catch (const FramedFileError& reason) {
    error.message = fmt::format("the checkpoint '{}' {}", checkpoint.resume, reason.what());
    return nullptr;
  }
}

ReadClaim decoded_claim_of(const FileRecord& record) {
  if (record.kind == kClaimRecord)
    return {CertificateKind::kCompact, {decoded_claim(record.content), {}}, {}};
  if (record.kind == kClosedSetRecord)
    return {CertificateKind::kClosedSet, decoded_closed_set_claim(record.content), {}};
  if (record.kind == kScriptClaimRecord) {
    FullScriptClaim script = decoded_script_claim(record.content);
    const auto kind = script.is_trustful ? CertificateKind::kTrustful : CertificateKind::kFull;
    return {kind, {script.common, {}}, script};
  }
  if (record.kind == kRankedSetRecord)
    return {CertificateKind::kRankedSet, decoded_closed_set_claim(record.content, true), {}};
  throw_damaged();
}

CertifierResult certify_claim(const TransitionSystem& system, const ReadClaim& read, FramedReader& file,
                              const CertifierOptions& how, std::uint64_t sample) {
  switch (read.kind) {
    case CertificateKind::kCompact: return certify(system, read.common(), file, how);
    case CertificateKind::kClosedSet:
    case CertificateKind::kRankedSet:
      return sample == 0 ? certify_closed_set(system, read.claim, file, how)
                         : sample_closed_set(system, read.claim, file, how, sample);
    case CertificateKind::kFull: break;
    case CertificateKind::kTrustful: return certify_trustful_script(system, read.script, file, how);
  }
  return certify_full_script(system, read.script, file, how);
}

std::optional<ReadClaim> read_claim(const std::string& path, std::optional<FramedReader>& file,
                                    InputError& error) {
  try {
    file.emplace(path, kCertificateFormat);
    FileRecord record;
    if (!file->read(record, kMostClaimBytes)) throw_damaged();
    ReadClaim claim = decoded_claim_of(record);
    if (claim.common().tool == tool()) return claim;
    error.message =
        fmt::format("the certificate '{}' is one of {}, and this is {}: states may be laid out otherwise",
                    path, claim.common().tool, tool());
  } catch (const FramedFileError& reason) {
    error.message = fmt::format("the certificate '{}' {}", path, reason.what());
  }
  return std::nullopt;
}

// `interpreted`: null, if it is not wanted.
CertifierResult certify_runs(const LoadedModel& model, const LoadedModel* interpreted, const ReadClaim& read,
                             FramedReader& file, const CertifyOptions& options, CertifierOptions how) {
  const auto runs_in = [&](const LoadedModel& loaded) {
    return runs_of(*loaded.system, *loaded.propositions, loaded.claim, options.model.is_fair);
  };
  const std::unique_ptr<OmegaSystem> runs = runs_in(model);
  const std::unique_ptr<OmegaSystem> second = interpreted != nullptr ? runs_in(*interpreted) : nullptr;
  const RankRule rule(*runs);
  how.second = second.get();
  how.ranks = &rule;
  return certify_claim(*runs, read, file, how, options.sample);
}

}  // namespace

bool is_certificate(const std::string& path) { return has_magic(path, kCertificateFormat); }

std::string why_not_left_at(const std::string& path) {
  const bool makes_way = is_old_trace(path) && ::access(path.c_str(), W_OK) == 0;
  return makes_way ? std::string() : why_not_written(path, kCertificateFormat);
}

void remove_old_trace(const std::string& path) {
  std::error_code ignored;
  if (is_old_trace(path)) std::filesystem::remove(std::filesystem::canonical(path, ignored), ignored);
}

CertificateClaim claim_of(const LoadedModel& model, const CheckOptions& options, const Property& property) {
  CertificateClaim claim;
  claim.tool = tool();
  claim.model = model.sha256;
  claim.property = property.name;
  claim.options = options_text(options.model, options.end_states, model.reductions, options.invariant,
                               run_options_of(property, options.model, options.formula));
  return claim;
}

std::string why_no_certificate(const LoadedModel& model, const CheckOptions& options, CertificateKind kind) {
  if (model.has_unmatched_data)
    return "a model with unmatched C data has no certificate: they are part of no state";
  if (model.reductions.stubborn)
    return "a check with stubborn sets has no certificate; leave them out of --reduce";
  if (options.limits.depth != 0) return "a check with --depth has no certificate";
  if (kind == CertificateKind::kTrustful) {
    if (options.property == "deadlock")
      return "a trustful script confirms invariants of states, and nothing of deadlocks; --certificate-kind full";
    if (model.claim.invariant && model.claim.invariant->looks_ahead())
      return "a trustful script has no steps to known states, so it cannot confirm an invariant over two "
             "consecutive states; --certificate-kind full";
  }
  if (!lists_states(kind)) return {};
  if (kind == CertificateKind::kRankedSet && traits_of(options.store).forgets_states)
    return "a certificate of infinite runs needs a --store that keeps all states";
  if (model.reductions.order)
    return "partial-order reduction has no closed set, from which nobody could see that no step is left out for "
           "ever; leave order out of --reduce";
  if (model.has_embedded_code)
    return "a model with embedded C has no closed set: nothing can tell which bytes C code expects; "
           "--certificate-kind compact";
  return {};
}

CertifyAnswer certify_model(const std::string& path, const std::string& certificate,
                            const CertifyOptions& wanted, FrontEnds languages) {
  InputError error;
  std::optional<FramedReader> file;
  const std::optional<ReadClaim> read = read_claim(certificate, file, error);
  if (!read) return error;
  const CertificateClaim* const claim = &read->common();
  if (wanted.sample != 0 && !lists_states(read->kind)) {
    error.message = fmt::format("'{}' is a {} certificate, and members can be drawn from a closed set only",
                                certificate, to_string(read->kind));
    return error;
  }
  if (wanted.processes != nullptr && wanted.tasks != 0) {
    error.message = "--tasks needs one process, which times all regions or cuts the script";
    return error;
  }
  if (!wanted.invariant.empty() && read->kind == CertificateKind::kRankedSet) {
    error.message =
        fmt::format("'{}' is about infinite runs, and an invariant is checked with safety", certificate);
    return error;
  }
  CertifyReport report;
  report.model = path;
  report.certificate = certificate;
  report.kind = read->kind;
  report.claim = *claim;
  std::error_code ignored;
  report.bytes = std::filesystem::file_size(certificate, ignored);
  report.result.answer = CertifierResult::Answer::kRefuted;

  const std::optional<Reductions> reductions = reductions_of(*claim);
  CertifyOptions options = wanted;
  options.model.reduce = reductions ? to_text(*reductions) : "none";
  options.model.deadlocks_only = claim->property == "deadlock";
  options.model.has_labels = read->kind == CertificateKind::kFull;
  const std::unique_ptr<SourceModel> source =
      read_model(path, options.model, given_formula(options.formula, options.invariant), error, languages);
  if (source == nullptr) return error;
  const std::optional<Property> property = only_property(*source, claim->property);
  const bool is_about_runs = property && property->is_about_runs();
  const auto load = [&](ExecutionChoice exec) {
    return is_about_runs ? source->load(options.model, exec, property->claim, error)
                         : load_for_safety(*source, options.model, exec, options.invariant, error);
  };
  const std::optional<LoadedModel> model = load(options.exec);
  if (!model) return error;
  report.model_sha256 = model->sha256;
  report.sources = model->system->sources();
  report.result.reason = claim->model != model->sha256
                             ? "it is about another model: the digests of the files differ"
                             : why_other_property(*claim, property, read->kind, *source, options);
  if (!report.result.reason.empty()) return report;
  if (!reductions) {
    report.result.reason = "it does not say which reductions were used";
    return report;
  }
  report.result.reason = why_refused(*claim, *model, options, *property, *reductions);
  if (!report.result.reason.empty()) return report;
  CheckOptions asked;
  asked.property = claim->property;
  error.message = why_no_certificate(*model, asked, read->kind);
  if (!error.message.empty()) return error;
  if (is_about_runs && model->claim.kind == ClaimKind::kFormula && model->claim.automaton.is_empty()) {
    report.result.reason = "the formula holds of every run, of any model, and has no certificate";
    return report;
  }

  CertifierOptions how = certifier_options(*claim, options, *model);
  const std::unique_ptr<CertifierCheckpoint> checkpoint = open_checkpoint(*read, certificate, options, error);
  if (!error.message.empty()) return error;
  how.checkpoint = checkpoint.get();
  std::optional<LoadedModel> interpreted;
  if (options.exec != ExecutionChoice::kInterpreter) {
    interpreted = load(ExecutionChoice::kInterpreter);
    if (!interpreted) return error;
    how.second = interpreted->system.get();
  }
  try {
    if (options.processes != nullptr) {
      const std::string identity = checkpoint_identity(*claim, certificate, options, error);
      if (!error.message.empty()) return error;
      report.result = certify_with_ranks(*model->system, *claim, *file, how, *options.processes, identity);
    } else {
      report.result = is_about_runs ? certify_runs(*model, interpreted ? &*interpreted : nullptr, *read,
                                                   *file, options, how)
                                    : certify_claim(*model->system, *read, *file, how, options.sample);
    }
  } catch (const FramedFileError& reason) {
    error.message = fmt::format("the certificate '{}' {}", certificate, reason.what());
    return error;
  } catch (const NotSupported& reason) {
    error.message = reason.what();
    return error;
  } catch (const RegionError& reason) {
    error.message = reason.what();
    return error;
  }
  report.execution = model->execution();
  if (checkpoint != nullptr) {
    report.checkpoint = checkpoint->is_saved() ? checkpoint->file() : "";
    report.checkpoint_error = checkpoint->error();
  }
  return report;
}

}  // namespace spoor
