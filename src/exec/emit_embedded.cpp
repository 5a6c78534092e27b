// The C text of a model's embedded code; embedded.h tells what it is for.
//
// The order is that of SPIN's pan.c: the user's declarations (c_decl), the structs of the model, the
// state `now`, the user's functions (c_code at top level), the fragments. Only our own names, which
// begin with spoor_, are added. #line directives make the compiler speak of the model's lines.
#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "exec/embedded.h"

namespace spoor::exec {
namespace {

using promela::BodyKind;
using promela::ForeignData;
using promela::ForeignVariable;
using promela::Fragment;
using promela::kNone;
using promela::ScalarType;
using promela::VariableInfo;

constexpr const char* kHead = R"(/* Written by spoor: the embedded C of a Promela model. */
#include <stdio.h>
#include <signal.h>
#include <setjmp.h>
#include <sched.h>
#include <stdlib.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <ctype.h>
#include <errno.h>
#include <unistd.h>
#include <sys/types.h>
#include <sys/stat.h>
#include <limits.h>
#include <fcntl.h>
int Printf(const char *format, ...);
int spoor_puts(const char *text);
int spoor_putchar(int c);
void spoor_exit(int code);
#define printf Printf
#define puts spoor_puts
#define putchar spoor_putchar
#define exit spoor_exit
)";

constexpr const char* kEmbeddedRuntime =
#include "exec/embedded_runtime.inc"
    ;

// A directive for the C preprocessor is written \#include, so that Promela's leaves it alone.
std::string unescaped(std::string_view code) {
  std::string out;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code[i] != '\\' || i + 1 == code.size() || code[i + 1] != '#') out += code[i];
  }
  return out;
}

std::string root_of(const std::string& name) { return name.substr(0, name.find_first_of("[.")); }

// Elements of a plain array that lie in C as they lie in a state: from `first`, how many?
std::size_t plain_run(const std::vector<VariableInfo>& variables, std::size_t first) {
  const VariableInfo& start = variables[first];
  const bool is_plain =
      start.type.bits == 8 * start.type.bytes && start.type.base != promela::BaseType::kUnsigned;
  if (!is_plain || !start.name.ends_with("[0]")) return 1;
  const std::string stem = start.name.substr(0, start.name.size() - 2);
  std::size_t n = 1;
  while (first + n < variables.size() && variables[first + n].name == fmt::format("{}{}]", stem, n)) ++n;
  return n;
}

class EmbeddedEmitter {
 public:
  explicit EmbeddedEmitter(const promela::Program& program) : program_(program), foreign_(program.foreign) {}

  std::string emit() {
    out_ = kHead;
    for (const auto& text : foreign_.before) user_text(text.code, text.position);
    line("typedef unsigned char uchar;\ntypedef unsigned int uint;\ntypedef unsigned long ulong;");
    for (const std::string& record : foreign_.records) line(record);
    for (std::size_t i = 0; i < program_.processes.size(); ++i) process_struct(i);
    state_struct();
    for (const auto& text : foreign_.after) user_text(text.code, text.position);
    out_ += kEmbeddedRuntime;
    sizes();
    load_functions();
    save_function();
    for (std::size_t i = 0; i < foreign_.fragments.size(); ++i) fragment(i);
    run_function();
    return std::move(out_);
  }

 private:
  void line(const std::string& text) {
    out_ += text;
    out_ += '\n';
  }

  void user_text(const std::string& code, Position position) {
    if (position.is_known()) {
      std::string name;
      for (const char c : program_.sources.file(position.file).name)
        name += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
      line(fmt::format("#line {} \"{}\"", position.line, name));
    }
    line(unescaped(code));
    line("#line 1 \"(written by spoor)\"");
  }

  // Members for C data, with a mark of no size before each of them and behind the last.
  void members(ForeignData::Kind kind, std::uint32_t process) {
    for (std::size_t i = 0; i < foreign_.data.size(); ++i) {
      const ForeignData& data = foreign_.data[i];
      if (data.kind == kind && data.process == process)
        line(fmt::format("  uchar spoor_begin{0}[0]; {1}; uchar spoor_end{0}[0];", i, data.text));
    }
  }

  void process_struct(std::size_t index) {
    const promela::ProcessType& type = program_.processes[index];
    line(fmt::format("typedef struct P{} {{ /* {} */", index, type.name));
    line("  unsigned _pid : 8; unsigned _t : 8; unsigned _p : 16;");
    if (program_.uses_priority) line("  unsigned _priority : 8;");
    for (const ForeignVariable& variable : foreign_.locals[index])
      line(fmt::format("  {};", variable.declaration));
    members(ForeignData::Kind::kLocal, static_cast<std::uint32_t>(index));
    line(fmt::format("}} P{};", index));
    if (type.kind == BodyKind::kProctype) line(fmt::format("#define P{} ((P{} *)_this)", type.name, index));
    if (type.kind == BodyKind::kInit) line(fmt::format("#define Pinit ((P{} *)_this)", index));
  }

  void state_struct() {
    line("typedef struct State {\n  uchar _nr_pr;");
    if (program_.last_offset != kNone) line("  uchar _last;");
    for (const ForeignVariable& variable : foreign_.globals) {
      if (!variable.is_hidden) line(fmt::format("  {};", variable.declaration));
    }
    members(ForeignData::Kind::kGlobal, kNone);
    line("} State;\nState now;\nuchar *_this;");
    for (const ForeignVariable& variable : foreign_.globals) {
      if (!variable.is_hidden) continue;
      const std::size_t width = variable.declaration.find(" : ");  // a bit-field is one in a struct only
      line(variable.declaration.substr(0, width) + ";");
    }
    std::string all;
    for (std::size_t i = 0; i < program_.processes.size(); ++i) all += fmt::format("P{0} p{0}; ", i);
    line(fmt::format("static union {{ {}uchar none; }} spoor_process;", all));
  }

  // Where the data begin, and how many bytes they are: constants to the C compiler.
  void sizes() {
    std::string places, table;
    std::string globals = std::to_string(program_.globals_size);
    std::vector<std::string> locals;
    for (const promela::ProcessType& type : program_.processes) locals.push_back(std::to_string(type.size));
    for (std::size_t i = 0; i < foreign_.data.size(); ++i) {
      const ForeignData& data = foreign_.data[i];
      const bool is_local = data.kind == ForeignData::Kind::kLocal;
      const std::string owner = is_local ? fmt::format("P{}", data.process) : "State";
      const bool is_member = is_local || data.kind == ForeignData::Kind::kGlobal;
      const std::string size =
          is_member ? fmt::format("offsetof({0}, spoor_end{1}) - offsetof({0}, spoor_begin{1})", owner, i)
                    : data.size;
      std::string& end = is_local ? locals[data.process] : globals;
      const std::string place = data.offset != kNone ? std::to_string(data.offset) : end;
      places += fmt::format("  spoor_bytes{0} = ({1}), spoor_at{0} = {2},\n", i, size, place);
      end = fmt::format("spoor_at{0} + spoor_bytes{0}", i);
      table += fmt::format("spoor_bytes{}, ", i);
    }
    line(fmt::format("enum {{\n{}  spoor_no_more\n}};", places));
    line(fmt::format("const unsigned spoor_data_bytes[] = {{ {}0 }};", table));
    line(fmt::format("const unsigned spoor_native_version = {};", kNativeVersion));
  }

  static std::string get(const ScalarType& type, const std::string& address) {
    if (type.bytes == 1) return fmt::format("*({})", address);
    return fmt::format("{}({})",
                       type.bytes == 4  ? "spoor_get4"
                       : type.is_signed ? "spoor_get2s"
                                        : "spoor_get2",
                       address);
  }
  static std::string put(const ScalarType& type, const std::string& address, const std::string& value) {
    const std::string mask = type.bits < 8 * type.bytes ? fmt::format(" & {}", (1U << type.bits) - 1) : "";
    return fmt::format("spoor_put{}({}, {}{});", type.bytes, address, value, mask);
  }

  enum class Way : std::uint8_t { kLoad, kSave };
  // Copies Promela variables between the bytes from `base` on and C.
  void copy_variables(Way way, const std::vector<VariableInfo>& variables,
                      const std::vector<ForeignVariable>& known, const std::string& prefix,
                      const std::string& base) {
    for (std::size_t i = 0; i < variables.size();) {
      const VariableInfo& v = variables[i];
      const std::size_t n = plain_run(variables, i);
      i += n;
      const std::string root = root_of(v.name);
      const auto found =
          std::find_if(known.begin(), known.end(), [&](const ForeignVariable& f) { return f.name == root; });
      if (found == known.end()) continue;
      const std::string name = (found->is_hidden ? "" : prefix) + v.name;
      const std::string address = fmt::format("{} + {}", base, v.offset);
      if (n > 1) {
        const std::string there = fmt::format("&{}", name);
        line(fmt::format("  memcpy({}, {}, {});", way == Way::kLoad ? there : address,
                         way == Way::kLoad ? address : there, n * v.type.bytes));
      } else {
        line("  " + (way == Way::kLoad ? fmt::format("{} = {};", name, get(v.type, address))
                                       : put(v.type, address, name)));
      }
    }
  }

  // Copies the data of one owner, where the copy is between `base` and C.
  void copy_data(Way way, std::uint32_t process, const std::string& prefix, const std::string& base) {
    for (std::size_t i = 0; i < foreign_.data.size(); ++i) {
      const ForeignData& data = foreign_.data[i];
      if (data.process != process) continue;
      const bool is_tracked =
          data.kind == ForeignData::Kind::kMatched || data.kind == ForeignData::Kind::kUnmatched;
      const std::string there = is_tracked ? "a" : fmt::format("{}spoor_begin{}", prefix, i);
      const std::string address = fmt::format("{} + spoor_at{}", base, i);
      std::string copy = fmt::format("memcpy({}, {}, spoor_bytes{});", way == Way::kLoad ? there : address,
                                     way == Way::kLoad ? address : there, i);
      // As in SPIN, memory that is not there yet is zero, and a mere address is no reason to warn.
      const std::string without =
          way == Way::kLoad ? "" : fmt::format(" else memset({}, 0, spoor_bytes{});", address, i);
      if (is_tracked)
        copy = fmt::format("{{ void *a = (void *)({}); if (a) {}{} }}", data.text, copy, without);
      line("  " + copy);
    }
  }

  bool is_startable(std::size_t index) const {
    const BodyKind kind = program_.processes[index].kind;
    return kind == BodyKind::kProctype || kind == BodyKind::kInit;
  }

  void copy_process(Way way, std::size_t index) {
    const std::string prefix = fmt::format("spoor_process.p{}.", index);
    line(fmt::format("  case {}:", index));
    if (way == Way::kLoad) {
      const char* const location = program_.location_bytes == 1 ? "p[1]" : "spoor_get2(p + 1)";
      line(fmt::format("  {0}_pid = call->pid; {0}_t = p[0]; {0}_p = {1};", prefix, location));
      if (program_.uses_priority)
        line(fmt::format("  {}_priority = p[{}];", prefix, program_.process_header - 1));
    }
    copy_variables(way, program_.processes[index].variables, foreign_.locals[index], prefix, "p");
    copy_data(way, static_cast<std::uint32_t>(index), prefix, "p");
    line("  break;");
  }

  void copy_processes(Way way) {
    line("  if (!p) return;\n  switch (p[0]) {");
    for (std::size_t i = 0; i < program_.processes.size(); ++i) {
      if (is_startable(i)) copy_process(way, i);
    }
    line("  }");
  }

  void load_functions() {
    line("static void spoor_load_variables(struct spoor_call *call) {");
    line("  unsigned char *s = call->state, *p = call->process;");
    line("  _this = p ? (uchar *)&spoor_process : 0;");
    line("  now._nr_pr = s[0];");
    if (program_.last_offset != kNone) line(fmt::format("  now._last = s[{}];", program_.last_offset));
    copy_variables(Way::kLoad, program_.variables, foreign_.globals, "now.", "s");
    copy_processes(Way::kLoad);
    line("}");
    line(
        "static void spoor_load_data(struct spoor_call *call) {\n  unsigned char *s = call->state; (void)s;");
    copy_data(Way::kLoad, kNone, "now.", "s");
    line("}");
  }

  void save_function() {
    line("static void spoor_save(struct spoor_call *call) {");
    line("  unsigned char *s = call->state, *p = call->process;");
    copy_variables(Way::kSave, program_.variables, foreign_.globals, "now.", "s");
    copy_data(Way::kSave, kNone, "now.", "s");
    copy_processes(Way::kSave);
    line("}");
  }

  void fragment(std::size_t index) {
    const Fragment& f = foreign_.fragments[index];
    const bool is_expression = f.kind == Fragment::Kind::kExpression;
    line(fmt::format("static {} spoor_fragment{}(void) {{", is_expression ? "int" : "void", index));
    // Whatever its type: the choice makes a number of a bit-field and leaves a pointer a pointer.
    if (is_expression) line("__auto_type spoor_value = 0 ? 0 : (");
    user_text(f.code, f.position);
    if (is_expression) line(");\nreturn (int)spoor_value ? (int)spoor_value : spoor_value != 0;");
    line("}");
  }

  void run_function() {
    line(
        "static void spoor_run(struct spoor_call *call) {\n  spoor_load_variables(call);\n  switch (call->fragment) {");
    for (std::size_t i = 0; i < foreign_.fragments.size(); ++i) {
      switch (foreign_.fragments[i].kind) {
        case Fragment::Kind::kExpression:
          line(
              fmt::format("  case {0}: spoor_load_data(call); call->value = spoor_fragment{0}(); break;", i));
          break;
        case Fragment::Kind::kStatements:
          line(fmt::format("  case {0}: spoor_load_data(call); spoor_fragment{0}(); spoor_save(call); break;",
                           i));
          break;
        case Fragment::Kind::kInitial:
          line(fmt::format("  case {0}: spoor_fragment{0}(); spoor_save(call); break;", i));
          break;
      }
    }
    line("  }\n}");
  }

  const promela::Program& program_;
  const promela::ForeignCode& foreign_;
  std::string out_;
};

}  // namespace

std::string emit_embedded(const promela::Program& program) { return EmbeddedEmitter(program).emit(); }

}  // namespace spoor::exec
