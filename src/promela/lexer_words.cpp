// Keywords and operators, and the names of tokens in messages.
#include <unordered_map>

#include "promela/lexer.h"

namespace spoor::promela {

namespace {

struct Word {
  std::string_view text;
  Tok kind;
  BaseType type = BaseType::kInt;  // kType
  std::int32_t value = 0;          // kConst
};

// clang-format off
constexpr Word kWords[] = {
    {"active", Tok::kActive}, {"assert", Tok::kAssert}, {"atomic", Tok::kAtomic},
    {"bit", Tok::kType, BaseType::kBit}, {"bool", Tok::kType, BaseType::kBool},
    {"break", Tok::kBreak}, {"byte", Tok::kType, BaseType::kByte}, {"c_code", Tok::kCCode},
    {"c_decl", Tok::kCDecl}, {"c_expr", Tok::kCExpr}, {"c_state", Tok::kCState},
    {"c_track", Tok::kCTrack}, {"D_proctype", Tok::kDProctype}, {"do", Tok::kDo},
    {"chan", Tok::kType, BaseType::kChan}, {"else", Tok::kElse}, {"empty", Tok::kEmpty},
    {"enabled", Tok::kEnabled}, {"eval", Tok::kEval}, {"false", Tok::kConst}, {"fi", Tok::kFi},
    {"for", Tok::kFor}, {"full", Tok::kFull}, {"get_priority", Tok::kGetPriority},
    {"goto", Tok::kGoto}, {"hidden", Tok::kHidden}, {"if", Tok::kIf}, {"in", Tok::kIn},
    {"init", Tok::kInit}, {"inline", Tok::kInline}, {"int", Tok::kType, BaseType::kInt},
    {"len", Tok::kLen}, {"local", Tok::kLocal}, {"ltl", Tok::kLtl},
    {"mtype", Tok::kType, BaseType::kMtype}, {"nempty", Tok::kNempty}, {"never", Tok::kNever},
    {"nfull", Tok::kNfull}, {"notrace", Tok::kNotrace}, {"np_", Tok::kNonProgress},
    {"od", Tok::kOd}, {"of", Tok::kOf}, {"pc_value", Tok::kPcValue},
    {"pid", Tok::kType, BaseType::kPid}, {"printf", Tok::kPrintf}, {"printm", Tok::kPrintm},
    {"priority", Tok::kPriority}, {"proctype", Tok::kProctype}, {"provided", Tok::kProvided},
    {"return", Tok::kReturn}, {"run", Tok::kRun}, {"d_step", Tok::kDStep},
    {"select", Tok::kSelect}, {"set_priority", Tok::kSetPriority},
    {"short", Tok::kType, BaseType::kShort}, {"skip", Tok::kConst, BaseType::kInt, 1},
    {"timeout", Tok::kTimeout}, {"trace", Tok::kTrace},
    {"true", Tok::kConst, BaseType::kInt, 1}, {"show", Tok::kShow}, {"typedef", Tok::kTypedef},
    {"unless", Tok::kUnless}, {"unsigned", Tok::kType, BaseType::kUnsigned}, {"xr", Tok::kXr},
    {"xs", Tok::kXs},
};

// Only inside formulas, where they have priority.
constexpr Word kFormulaWords[] = {
    {"U", Tok::kUntil}, {"V", Tok::kRelease}, {"W", Tok::kWeakUntil}, {"X", Tok::kNext},
    {"always", Tok::kAlways}, {"eventually", Tok::kEventually}, {"until", Tok::kUntil},
    {"stronguntil", Tok::kUntil}, {"weakuntil", Tok::kWeakUntil}, {"release", Tok::kRelease},
    {"next", Tok::kNext}, {"implies", Tok::kImplies}, {"equivalent", Tok::kEquivalent},
};

constexpr Word kSymbols[] = {
    {"(", Tok::kLeftParen}, {")", Tok::kRightParen}, {"{", Tok::kLeftBrace},
    {"}", Tok::kRightBrace}, {"[", Tok::kLeftBracket}, {"]", Tok::kRightBracket},
    {",", Tok::kComma}, {".", Tok::kDot}, {"..", Tok::kDotDot}, {":", Tok::kColon},
    {"::", Tok::kSep}, {";", Tok::kSemi}, {"->", Tok::kArrow}, {"@", Tok::kAt},
    {"=", Tok::kAssign}, {"!", Tok::kSend}, {"!!", Tok::kSortedSend}, {"?", Tok::kReceive},
    {"??", Tok::kRandomReceive}, {"++", Tok::kIncrement}, {"--", Tok::kDecrement},
    {"+", Tok::kPlus}, {"-", Tok::kMinus}, {"*", Tok::kStar}, {"/", Tok::kSlash},
    {"%", Tok::kPercent}, {"&", Tok::kAmpersand}, {"^", Tok::kCaret}, {"|", Tok::kBar},
    {"~", Tok::kTilde}, {"<<", Tok::kShiftLeft}, {">>", Tok::kShiftRight}, {"<", Tok::kLess},
    {"<=", Tok::kLessEqual}, {">", Tok::kGreater}, {">=", Tok::kGreaterEqual},
    {"==", Tok::kEqual}, {"!=", Tok::kNotEqual}, {"&&", Tok::kAnd}, {"||", Tok::kOr},
};
// clang-format on

template <std::size_t kSize>
std::unordered_map<std::string_view, const Word*> index_of(const Word (&words)[kSize]) {
  std::unordered_map<std::string_view, const Word*> index;
  for (const Word& word : words) index.emplace(word.text, &word);
  return index;
}

}  // namespace

Tok Lexer::keyword(std::string_view text, Token& token) const {
  static const auto words = index_of(kWords);
  static const auto formula_words = index_of(kFormulaWords);
  if (mode.in_formula) {
    const auto found = formula_words.find(text);
    if (found != formula_words.end()) return found->second->kind;
  }
  const auto found = words.find(text);
  if (found == words.end()) return Tok::kName;
  const Word& word = *found->second;
  if (word.kind == Tok::kIn && !mode.in_for) return Tok::kName;
  token.type = word.type;
  token.value = word.value;
  return word.kind;
}

// [], <>, -> and <->; sets `found` when one of them was read.
Token Lexer::read_formula_operator(std::size_t begin, bool& found) {
  found = true;
  const auto rest = [this](std::size_t offset, std::string_view wanted) {
    return std::string_view(source_.text).substr(offset, wanted.size()) == wanted;
  };
  // Formulas are read from the preprocessed text itself: no expansion is running.
  const auto take = [&](Tok kind, std::string_view text) {
    position_ += text.size();
    return make(kind, begin, std::string(text));
  };
  if (frames_.empty() && inserted_.is_empty()) {
    if (rest(position_, "->")) return take(Tok::kImplies, "->");
    if (rest(position_, "<->")) return take(Tok::kEquivalent, "<->");
    if (rest(position_, "[]")) return take(Tok::kAlways, "[]");
    if (rest(position_, "<>")) return take(Tok::kEventually, "<>");
  }
  found = false;
  return {};
}

Token Lexer::read_operator(std::size_t begin) {
  static const auto symbols = index_of(kSymbols);
  if (mode.in_formula) {
    bool found = false;
    Token token = read_formula_operator(begin, found);
    if (found) return token;
  }
  std::string text(1, static_cast<char>(get_char()));
  auto symbol = symbols.find(text);
  if (symbol == symbols.end()) {
    Token token = make(Tok::kStray, begin, text);
    return token;
  }
  // No operator is longer than two characters, and each prefix of an operator is an operator. Reading more
  // characters than needed would end an inline too early: its last character is a brace.
  constexpr std::string_view kMayContinue = ".:-!?+<>=&|";
  const bool may_continue = kMayContinue.find(text[0]) != std::string_view::npos;
  const int second = may_continue ? peek_char() : kEndOfText;
  if (second != kEndOfText) {
    const std::string longer = text + static_cast<char>(second);
    const auto found = symbols.find(longer);
    if (found != symbols.end()) {
      get_char();
      symbol = found;
      text = longer;
    }
  }
  Token token = make(symbol->second->kind, begin, text);
  if (token.kind == Tok::kLeftBrace) names_.open_brace();
  if (token.kind == Tok::kRightBrace) names_.close_brace();
  return token;
}

std::string_view spelling(Tok kind) {
  if (kind == Tok::kConst || kind == Tok::kType) return "";
  for (const Word& word : kSymbols) {
    if (word.kind == kind) return word.text;
  }
  for (const Word& word : kWords) {
    if (word.kind == kind) return word.text;
  }
  for (const Word& word : kFormulaWords) {
    if (word.kind == kind) return word.text;
  }
  return "";
}

std::string describe(const Token& token) {
  switch (token.kind) {
    case Tok::kEnd: return "the end of the file";
    case Tok::kName: return "the name " + token.text;
    case Tok::kTypeName: return "the type name " + token.text;
    case Tok::kProcName: return "the proctype name " + token.text;
    case Tok::kInlineName: return "the inline name " + token.text;
    case Tok::kConst: return (token.is_mtype ? "the mtype constant " : "the constant ") + token.text;
    case Tok::kString: return "a string";
    case Tok::kSemi: return "the end of the statement";
    default: return "'" + token.text + "'";
  }
}

}  // namespace spoor::promela
