// The library that calls Open MPI for spoor: the only file that includes its header (see base/ranks.h).
//
// Messages are small and few. Errors are returned; most of the time, though, mpirun ends all ranks when one
// of them dies. Tested by: tests/suites/test_mpi.py
#define OMPI_SKIP_MPICXX 1  // its C++ classes are in another library
#include <mpi.h>

#include "base/ranks.h"

namespace {

constexpr int kTag = 7;

int begin(int* rank, int* size) {
  if (const int error = MPI_Init(nullptr, nullptr)) return error;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (const int error = MPI_Comm_rank(MPI_COMM_WORLD, rank)) return error;
  return MPI_Comm_size(MPI_COMM_WORLD, size);
}

int send(int to, const void* bytes, std::size_t size) {
  return MPI_Send(bytes, static_cast<int>(size), MPI_BYTE, to, kTag, MPI_COMM_WORLD);
}

int probe(int* has, int* from, std::size_t* size) {
  MPI_Status status;
  if (const int error = MPI_Iprobe(MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, has, &status)) return error;
  if (*has == 0) return 0;
  int count = 0;
  const int error = MPI_Get_count(&status, MPI_BYTE, &count);
  *from = status.MPI_SOURCE;
  *size = static_cast<std::size_t>(count);
  return error;
}

int receive(int from, void* bytes, std::size_t size) {
  return MPI_Recv(bytes, static_cast<int>(size), MPI_BYTE, from, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int end() { return MPI_Finalize(); }

void abort_all(int code) { MPI_Abort(MPI_COMM_WORLD, code); }

}  // namespace

extern "C" __attribute__((visibility("default"))) const SpoorRankFunctions* spoor_rank_functions() {
  static const SpoorRankFunctions functions = {1, begin, send, probe, receive, end, abort_all};
  return &functions;
}
