// The commands. Each takes the arguments after its name and returns the exit code.
#pragma once

#include <string>
#include <vector>

namespace spoor::cli {

using Arguments = std::vector<std::string>;

int run_check(Arguments arguments);
int run_hunt(Arguments arguments);
int run_estimate(Arguments arguments);
int run_simulate(Arguments arguments);
int run_trace(Arguments arguments);
int run_certify(Arguments arguments);
int run_keygen(Arguments arguments);
int run_sign(Arguments arguments);
int run_diff(Arguments arguments);
int run_history(Arguments arguments);
int run_graph(Arguments arguments);
int run_emit(Arguments arguments);
int run_ltl(Arguments arguments);
int run_explain(Arguments arguments);

}  // namespace spoor::cli
