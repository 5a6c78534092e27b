// A formula as text that SPIN reads. SPIN has no strong release; it is written with weak until
// (which SPIN reads in `ltl` blocks, but not with `spin -f`). Operands of a binary operator that are
// binary themselves always get parentheses, because SPIN has two precedences for them
// (parse_formula.h).
//
// Tested by: tests/unit/test_ltl.cpp (what is printed is read back as the same formula)
#include <fmt/format.h>

#include <cctype>

#include "ltl/formula.h"

namespace spoor::ltl {
namespace {

bool is_name_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

class Printer {
 public:
  explicit Printer(const Formulas& formulas) : formulas_(formulas) {}

  std::string operand(Formula f) const {
    const Op op = formulas_.op(f);
    const bool is_tight =
        op <= Op::kNot || op == Op::kNext || formulas_.is_finally(f) || formulas_.is_globally(f);
    return is_tight ? whole(f) : fmt::format("({})", whole(f));
  }

  std::string whole(Formula f) const {
    switch (formulas_.op(f)) {
      case Op::kFalse: return "false";
      case Op::kTrue: return "true";
      case Op::kAtom: return atom_text(formulas_.atoms()[formulas_.atom_index(f)]);
      case Op::kNot: return fmt::format("!{}", operand(formulas_.left(f)));
      case Op::kAnd: return joined(f, " && ");
      case Op::kOr: return joined(f, " || ");
      case Op::kNext: return "X " + operand(formulas_.left(f));
      case Op::kUntil:
        if (formulas_.is_finally(f)) return "<> " + operand(formulas_.right(f));
        return binary(f, " U ");
      case Op::kRelease:
        if (formulas_.is_globally(f)) return "[] " + operand(formulas_.right(f));
        return binary(f, " V ");
      case Op::kWeakUntil: return binary(f, " W ");
      case Op::kStrongRelease:  // f M g = !(!f W !g); repeating an operand could grow exponentially
        return "!(!" + operand(formulas_.left(f)) + " W !" + operand(formulas_.right(f)) + ")";
    }
    return {};
  }

 private:
  std::string binary(Formula f, const char* op) const {
    return operand(formulas_.left(f)) + op + operand(formulas_.right(f));
  }
  std::string joined(Formula f, const char* op) const {
    std::string text;
    for (const Formula part : formulas_.operands(f)) {
      text += (text.empty() ? "" : op) + operand(part);
    }
    return text;
  }

  const Formulas& formulas_;
};

}  // namespace

std::string atom_text(std::string_view atom) {
  // A name, perhaps with arguments or an index at its end, needs no parentheses.
  std::size_t at = 0;
  while (at < atom.size() && is_name_char(atom[at])) ++at;
  bool is_tight = at > 0 && std::isdigit(static_cast<unsigned char>(atom[0])) == 0;
  if (is_tight && at < atom.size()) {
    const char open = atom[at];
    const char close = open == '(' ? ')' : ']';
    is_tight = (open == '(' || open == '[') && atom.back() == close && atom.find(close) == atom.size() - 1 &&
               atom.rfind(open) == at;
  }
  return is_tight ? std::string(atom) : fmt::format("({})", atom);
}

std::string to_text(const Formulas& formulas, Formula f) { return Printer(formulas).whole(f); }

}  // namespace spoor::ltl
