#include "store/eviction.h"

#include <stdexcept>

#include "store/evict_age.h"
#include "store/evict_components.h"
#include "store/evict_cost.h"
#include "store/evict_depth.h"
#include "store/evict_hits.h"
#include "store/evict_nested.h"
#include "store/evict_random.h"
#include "store/evict_stratified.h"

namespace spoor {

std::span<const PolicyRow> policies() {
  static constexpr PolicyRow kRows[] = {
#define SPOOR_POLICY(Kind, name, help) {PolicyKind::k##Kind, #name, help},
#include "store/policies.inc"
#undef SPOOR_POLICY
  };
  return kRows;
}

const char* to_string(PolicyKind kind) { return policies()[static_cast<std::size_t>(kind)].name; }

std::unique_ptr<EvictionPolicy> make_policy(PolicyKind kind) {
  switch (kind) {
#define SPOOR_POLICY(Kind, name, help) \
  case PolicyKind::k##Kind:            \
    return std::make_unique<Evict##Kind>();
#include "store/policies.inc"
#undef SPOOR_POLICY
  }
  throw std::logic_error("unknown eviction policy");
}

}  // namespace spoor
