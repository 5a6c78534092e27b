// The keys of states, whichever way their store computes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "store/visited_set.h"

namespace spoor {

template <VisitedSet Store>
void keys_of(Store& store, typename Store::Writer& writer, std::span<const std::span<const std::byte>> states,
             const typename Store::DecodeBuffer& room, std::uint64_t* keys) {
  if constexpr (requires { Store::key(states.front()); }) {
    for (const std::span<const std::byte> state : states) *keys++ = Store::key(state);
  } else {
    store.keys(writer, states, room, keys);
  }
}

}  // namespace spoor
