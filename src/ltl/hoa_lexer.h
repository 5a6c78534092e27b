// The tokens of the HOA format; see hoa.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "base/source.h"

namespace spoor::ltl {

enum class HoaKind {
  kEnd,     // of the text
  kHeader,  // States:   (the text is without the colon)
  kName,    // an identifier; also t and f
  kAlias,   // @a
  kNumber,
  kString,     // the text is what is between the quotes, unescaped
  kSign,       // one of ! & | ( ) [ ] { }
  kBody,       // --BODY--
  kEndOfBody,  // --END--
  kAbort,      // --ABORT--
  kUnknown,
};

struct HoaToken {
  HoaKind kind = HoaKind::kEnd;
  std::string text;
  std::uint64_t number = 0;  // UINT64_MAX when it does not fit
  std::size_t offset = 0;
  std::size_t length = 0;
};

class HoaLexer {
 public:
  HoaLexer(const SourceSet& sources, std::uint32_t file);

  const HoaToken& peek() const { return token_; }
  HoaToken take();
  bool is_sign(char c) const { return token_.kind == HoaKind::kSign && token_.text[0] == c; }
  bool is_name(std::string_view name) const { return token_.kind == HoaKind::kName && token_.text == name; }
  Range range(const HoaToken& token) const;

 private:
  void advance();
  void skip_blanks();
  void read_word();
  void read_string();
  void read_dashes();

  const SourceFile& source_;
  std::string_view text_;
  std::uint32_t file_;
  std::size_t at_ = 0;
  HoaToken token_;
};

}  // namespace spoor::ltl
