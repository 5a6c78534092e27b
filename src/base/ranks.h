// Processes that work on one task, on several machines perhaps: each has a number, its rank, and they send
// each other messages.
//
// Open MPI's mpirun starts them. A spoor without MPI neither needs nor loads it: what calls MPI is a library
// of its own (mpi/open_mpi.cpp), which is opened with dlopen where mpirun has started the program, beside the
// program or in the folder of its libraries. The boundary is a table of C functions, so that the library can
// be built against another MPI than the program's machine has.
//
// Rivals: linking MPI, with which every spoor would begin with its libraries and need its package; sockets of
// our own, which would need a way to start processes on other machines.
//
// Thread safety: one thread per process. Tested by: tests/unit/test_certifier_ranks.cpp,
// tests/suites/test_mpi.py
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace spoor {

class Ranks {
 public:
  Ranks() = default;
  virtual ~Ranks() = default;
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  virtual unsigned rank() const = 0;
  virtual unsigned size() const = 0;
  virtual void send(unsigned to, std::string_view message) = 0;
  // False: no message has arrived.
  virtual bool receive(unsigned& from, std::string& message) = 0;
  // All have come to their end. Must be called by every rank.
  virtual void end() = 0;
  // Ends all ranks at once, with this exit code.
  [[noreturn]] virtual void abort(int code) = 0;
};

// The ranks that mpirun has started. Null: it has not, or (`error` is a sentence) they cannot be reached.
std::unique_ptr<Ranks> open_ranks(std::string& error);

}  // namespace spoor

extern "C" {
// What the library has. Functions return 0, or an error.
struct SpoorRankFunctions {
  int version;
  int (*begin)(int* rank, int* size);
  int (*send)(int to, const void* bytes, std::size_t size);
  // The size of the message that has arrived, and who has sent it; `has` is 0: none has.
  int (*probe)(int* has, int* from, std::size_t* size);
  int (*receive)(int from, void* bytes, std::size_t size);
  int (*end)(void);
  void (*abort)(int code);
};
using SpoorRankTable = const SpoorRankFunctions* (*)();
}
