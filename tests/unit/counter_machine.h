// A toy language: threads that count. It shows what a language must bring along, and uses nothing of another.
//
//     thread P            a thread, and its instructions, one per line
//     again:              a label
//     inc a               counters begin at 0; the 256th increment is an error
//     dec a               waits while a is 0
//     jz a again          jumps if a is 0
//     goto again
//     assert a < 3
//     claim NAME FORMULA  of linear temporal logic, whose atoms are like `a < 3`, `a == 3` or `a > 3`
//
// A thread ends behind its last instruction. A state in which no thread can move is a deadlock unless all
// have ended. Its bytes are the counters, in the order in which the text names them, and where each thread
// is.
#pragma once

#include <memory>
#include <string>

#include "check/front_end.h"

namespace spoor {

class CounterMachineFrontEnd : public FrontEnd {
 public:
  bool recognises(const std::string& path) const override { return path.ends_with(".count"); }
  std::unique_ptr<SourceModel> read(const std::string& path, const ModelOptions& options,
                                    const std::string& formula, InputError& error) const override;
};

}  // namespace spoor
