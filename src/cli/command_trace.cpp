// spoor trace MODEL TRACE
#include <cstdio>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/quantities.h"
#include "check/front_end.h"
#include "check/shown.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "report/ending.h"
#include "report/labels.h"
#include "report/msc.h"
#include "report/table.h"
#include "report/text_columns.h"
#include "report/trace_file.h"
#include "report/trace_input.h"
#include "report/trail.h"

namespace spoor::cli {
namespace {

struct TraceArguments {
  std::string model, trace;
  ModelOptions options;
  std::string format = "table";
  std::string output;
  bool ascii = false;
  std::string colour = "auto";
};

std::optional<int> parse(Arguments words, TraceArguments& a) {
  CommandLine line("trace", "Show a trace of a model, or convert it to another format.");
  line.argument("model", a.model);
  line.argument("trace", a.trace);
  line.model_options(a.options);
  line.value("--format", a.format, {"table", "msc", "json", "trail"});
  line.value("--output", a.output);
  line.flag("--ascii", a.ascii);
  line.value("--color", a.colour, {"auto", "always", "never"});
  return line.parse(std::move(words));
}

// How the trace ends, below the table and the chart.
std::string ending(const ShownTrace& trace, const SourceSet& sources) {
  std::string text = "\n" + counted(trace.actions.size(), "step");
  if (trace.loop) return text + fmt::format("; the cycle begins at {}\n", *trace.loop + 1);
  if (trace.findings.empty()) return text + "; no error at the end\n";
  text += "; at the end:\n";
  for (const ShownFinding& finding : trace.findings) {
    const std::string place = place_label(sources, finding.position);
    text += fmt::format("  {}: {}{}\n", to_string(finding.kind), escape_controls(finding.message),
                        place.empty() ? "" : " at " + place);
  }
  return text;
}

std::string render_trace(const TraceArguments& a, const ModelOptions& options, const LoadedModel& model,
                         const ShownTrace& trace) {
  const SourceSet& sources = model.system->sources();
  if (a.format == "json") return write_trace_file({a.model, model.sha256, options}, trace, sources);
  if (a.format == "trail") return write_trail(trace);
  if (a.format == "msc") return message_chart(trace, {a.ascii});
  TableOptions table;
  table.ascii = a.ascii;
  return trace_table(trace, sources, table) + ending(trace, sources) + waiting_table(trace, sources) +
         final_state_lines(trace, true);
}

}  // namespace

int run_trace(Arguments arguments) {
  TraceArguments a;
  if (const std::optional<int> done = parse(std::move(arguments), a)) return *done;
  InputError error;
  const bool colour = wants_colour(a.colour, stderr);
  const std::optional<TraceFile> file = load_trace_file(a.trace, error);
  if (!file) return report_input_error(error, colour, false);
  const ModelOptions options = options_for(*file, a.options);
  const std::optional<LoadedModel> model = load_model(a.model, options, ExecutionChoice::kInterpreter, error);
  if (!model) return report_input_error(error, colour, false);
  const auto followed = follow(*file, *model, error);
  if (!followed) return report_input_error(error, colour, false);

  ShownTrace trace = show_trace(*model->system, followed->steps);
  if (followed->loop) {
    if (!close_loop(*model->system, *followed->loop, trace)) {
      error.message = fmt::format(
          "'{}' has a cycle that begins at step {}, but the model does not return to the state there",
          a.trace, *followed->loop + 1);
      return report_input_error(error, colour, false);
    }
    trace.findings.clear();  // an infinite run has no final state
  }
  if (a.format == "trail" && !has_trail(trace)) {
    error.message = "a graph has no processes, so SPIN has no trail for it";
    return report_input_error(error, colour, false);
  }
  return write_output(a.output, render_trace(a, options, *model, trace));
}

}  // namespace spoor::cli
