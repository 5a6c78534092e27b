#include "promela/foreign.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>

namespace spoor::promela {
namespace {

bool is_bit(const Type& type) { return type.base == BaseType::kBit || type.base == BaseType::kBool; }

std::string c_type(const Model& model, const Type& type) {
  switch (type.base) {
    case BaseType::kShort: return "short";
    case BaseType::kInt: return "int";
    case BaseType::kUnsigned: return "unsigned";
    case BaseType::kRecord: return "struct " + model.records[type.record].name;
    default: return "uchar";
  }
}

std::string c_declaration(const Model& model, const VarDecl& decl) {
  if (decl.array_size > 0)
    return c_type(model, decl.type) + " " + decl.name + "[" + std::to_string(decl.array_size) + "]";
  if (is_bit(decl.type)) return "unsigned " + decl.name + " : 1";
  const std::string width = decl.type.base == BaseType::kUnsigned && decl.type.bits != 0
                                ? " : " + std::to_string(decl.type.bits)
                                : "";
  return c_type(model, decl.type) + " " + decl.name + width;
}

ForeignVariable variable(const Model& model, SymbolId symbol) {
  const VarDecl& decl = model.symbols[symbol].decl;
  return {decl.name, c_declaration(model, decl), decl.visibility == Visibility::kHidden};
}

std::vector<ForeignVariable> locals_of(const Model& model, const Proctype& proctype) {
  std::map<std::string, int> uses;
  std::vector<ForeignVariable> all, visible;
  for (const auto* symbols : {&proctype.parameters, &proctype.locals}) {
    for (SymbolId symbol : *symbols) {
      all.push_back(variable(model, symbol));
      all.back().is_hidden = false;  // SPIN hides globals only
      ++uses[all.back().name];
    }
  }
  std::copy_if(all.begin(), all.end(), std::back_inserter(visible),
               [&](const ForeignVariable& v) { return uses[v.name] == 1; });
  return visible;
}

std::string record_text(const Model& model, const Record& record) {
  std::string text = "struct " + record.name + " {";
  for (const VarDecl& field : record.fields) text += " " + c_declaration(model, field) + ";";
  return text + " };";
}

// The name in a declaration such as "unsigned char *x[3]".
std::string declared_name(std::string_view text) {
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::size_t end = std::min(text.find('['), text.size());
  while (end > 0 && !is_letter(text[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && is_letter(text[begin - 1])) --begin;
  return std::string(text.substr(begin, end - begin));
}

class ForeignBuilder {
 public:
  ForeignBuilder(const Model& model, Program& program, Diagnostics& diagnostics)
      : model_(model),
        foreign_(program.foreign),
        diagnostics_(diagnostics),
        starts_(model.proctypes.size()) {}

  void run() {
    for (const Record& record : model_.records) foreign_.records.push_back(record_text(model_, record));
    for (SymbolId symbol : model_.globals) foreign_.globals.push_back(variable(model_, symbol));
    for (const Proctype& proctype : model_.proctypes) foreign_.locals.push_back(locals_of(model_, proctype));
    for (const EmbeddedDecl& decl : model_.embedded) add(decl);
    std::stable_sort(foreign_.data.begin(), foreign_.data.end(),
                     [](const ForeignData& a, const ForeignData& b) { return a.kind < b.kind; });
    foreign_.initial = add_fragment({Fragment::Kind::kInitial, initial_, {}});
    for (std::uint32_t i = 0; i < starts_.size(); ++i) {
      foreign_.at_start.push_back(
          starts_[i].empty() ? kNone : add_fragment({Fragment::Kind::kStatements, starts_[i], {}}));
    }
  }

 private:
  std::uint32_t add_fragment(Fragment fragment) {
    foreign_.fragments.push_back(std::move(fragment));
    return static_cast<std::uint32_t>(foreign_.fragments.size() - 1);
  }

  void add(const EmbeddedDecl& decl) {
    switch (decl.kind) {
      case EmbeddedDecl::Kind::kDecl: foreign_.before.push_back({decl.parts[0], decl.range.begin}); break;
      case EmbeddedDecl::Kind::kCode: foreign_.after.push_back({decl.parts[0], decl.range.begin}); break;
      case EmbeddedDecl::Kind::kState: add_state(decl); break;
      case EmbeddedDecl::Kind::kTrack: {
        const bool is_matched = decl.parts.size() < 3 || decl.parts[2] == "Matched";
        const auto kind = is_matched ? ForeignData::Kind::kMatched : ForeignData::Kind::kUnmatched;
        foreign_.data.push_back({kind, decl.parts[0], decl.parts[1], kNone, decl.range.begin});
        break;
      }
    }
  }

  // c_state "type name" "Global", "Hidden" or "Local proctype", with or without a value.
  void add_state(const EmbeddedDecl& decl) {
    const std::string& text = decl.parts[0];
    std::string_view scope = decl.parts[1];
    while (!scope.empty() && scope.back() == ' ') scope.remove_suffix(1);
    while (!scope.empty() && scope.front() == ' ') scope.remove_prefix(1);
    const std::string value = decl.parts.size() > 2 ? declared_name(text) + " = " + decl.parts[2] + "; " : "";
    if (scope == "Global") {
      foreign_.data.push_back({ForeignData::Kind::kGlobal, text, "", kNone, decl.range.begin});
      if (!value.empty()) initial_ += "now." + value;
    } else if (scope == "Hidden") {
      foreign_.after.insert(foreign_.after.begin() + hidden_++, {text + ";", decl.range.begin});
      initial_ += value;
    } else {
      add_local_state(decl, scope, value);
    }
  }

  void add_local_state(const EmbeddedDecl& decl, std::string_view scope, const std::string& value) {
    const bool is_local = scope.starts_with("Local");
    if (is_local) scope.remove_prefix(5);
    while (!scope.empty() && scope.front() == ' ') scope.remove_prefix(1);
    const auto found = std::find_if(model_.proctypes.begin(), model_.proctypes.end(), [&](const Proctype& p) {
      return p.name == scope || (p.kind == BodyKind::kInit && (scope == "init" || scope == ":init:"));
    });
    if (!is_local || found == model_.proctypes.end()) {
      diagnostics_.error("P432", decl.range, "'" + decl.parts[1] + "' is no scope of a c_state",
                         "write \"Global\", \"Hidden\", or \"Local\" and the name of a proctype");
      return;
    }
    const auto index = static_cast<std::uint32_t>(found - model_.proctypes.begin());
    foreign_.data.push_back({ForeignData::Kind::kLocal, decl.parts[0], "", index, decl.range.begin});
    if (!value.empty()) starts_[index] += "((P" + std::to_string(index) + " *)_this)->" + value;
  }

  const Model& model_;
  ForeignCode& foreign_;
  Diagnostics& diagnostics_;
  std::string initial_;              // assignments
  std::vector<std::string> starts_;  // per process type: assignments
  std::ptrdiff_t hidden_ = 0;        // variables of scope "Hidden" so far
};

}  // namespace

void describe_foreign_code(const Model& model, Program& program, Diagnostics& diagnostics) {
  ForeignBuilder(model, program, diagnostics).run();
}

}  // namespace spoor::promela
