// Tokens of Promela for the parser: after inline expansion, with missing semicolons inserted, and with
// every name classified.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/source.h"
#include "promela/syntax.h"

namespace spoor::promela {

enum class Tok : std::uint8_t {
  kEnd,
  // Names, by their meaning at this point of the text.
  kName,        // a variable, a label, or not declared yet
  kTypeName,    // of a typedef
  kProcName,    // of a proctype that has been declared before
  kInlineName,  // of an inline
  kConst,       // number, character, true, false, skip, or the name of an mtype constant
  kString,
  kType,  // bit, bool, byte, ..., mtype, chan, unsigned
  // Keywords.
  // clang-format off
  kActive, kAssert, kAtomic, kBreak, kCCode, kCDecl, kCExpr, kCState, kCTrack, kDProctype, kDo,
  kElse, kEmpty, kEnabled, kEval, kFi, kFor, kFull, kGetPriority, kGoto, kHidden, kIf, kIn, kInit,
  kInline, kLen, kLocal, kLtl, kNever, kNempty, kNfull, kNotrace, kNonProgress, kOd, kOf, kPcValue,
  kPrintf, kPrintm, kPriority, kProctype, kProvided, kReturn, kRun, kDStep, kSelect, kSetPriority,
  kShow, kTimeout, kTrace, kTypedef, kUnless, kXr, kXs,
  // Operators of formulas; recognised inside ltl { } only.
  kAlways, kEventually, kUntil, kWeakUntil, kRelease, kNext, kImplies, kEquivalent,
  // Punctuation.
  kLeftParen, kRightParen, kLeftBrace, kRightBrace, kLeftBracket, kRightBracket,
  kComma, kDot, kDotDot, kColon, kSep /* :: */, kSemi, kArrow, kAt, kAssign,
  kSend /* ! */, kSortedSend /* !! */, kReceive /* ? */, kRandomReceive /* ?? */,
  kIncrement, kDecrement, kPlus, kMinus, kStar, kSlash, kPercent, kAmpersand, kCaret, kBar, kTilde,
  kShiftLeft, kShiftRight, kLess, kLessEqual, kGreater, kGreaterEqual, kEqual, kNotEqual, kAnd, kOr,
  // clang-format on
  kStray,  // a character that has no meaning in Promela
};

// Index of an entry of the symbol table; see symbols.h.
using EntryId = std::uint32_t;
inline constexpr EntryId kNoEntry = UINT32_MAX;

struct Token {
  Tok kind = Tok::kEnd;
  std::int32_t value = 0;          // kConst
  bool is_mtype = false;           // kConst: written as the name of an mtype constant
  BaseType type = BaseType::kInt;  // kType
  EntryId entry = kNoEntry;        // kName
  std::string text;                // as in the source; without the quotes for kString
  std::size_t offset = 0;          // in the preprocessed text
  Range range;
};

// The name of a token in messages: "'od'", "a constant", "the end of the file".
std::string describe(const Token& token);

// The keyword or operator as written, or "" for tokens whose text varies.
std::string_view spelling(Tok kind);

}  // namespace spoor::promela
