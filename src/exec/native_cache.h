// Compiled models on disk: written once, verified whenever they are used.
//
// A folder of shared objects (`$XDG_CACHE_HOME/spoor/native`, or under ~/.cache), each named after the digest
// of everything that it depends on. Whatever is found there runs with the user's rights, and decides
// verdicts. So an entry is used only if
//
//   - no other user can have planted it: the folder, the folder above it that belongs to Spoor, and the file
//     itself belong to the user and can be written by that user alone;
//   - it is what was written: behind the object stands a seal, its name and a hash of it. A damaged file
//     that is loaded unseen ends in SIGBUS, or in a wrong number of states. The loader of the system does
//     not mind what follows an object. The hash (XXH3, 128 bits) is for accidents; who could forge one can
//     as well write the object, and is kept out by the rule above.
//
// An entry that is not right is removed, and made anew by the compiler. Where the folder cannot be trusted
// there is no cache. Entries are written under another name, synced and renamed, so that neither two
// processes at once nor a crash of the machine leaves half of one. The oldest go when the cache exceeds its
// limit; use renews an entry.
//
// Cost: an entry is read whole, and its digest computed, once per run.
// Tested by: tests/suites/test_native.py
#pragma once

#include <string>

namespace spoor::exec {

class NativeCache {
 public:
  // Makes the folder if need be.
  NativeCache();

  // Is there a folder that can be trusted?
  bool is_open() const { return !folder_.empty(); }
  // The file of an entry that is right; empty: there is none.
  std::string find(const std::string& name) const;
  // Adds a copy of an object. Returns its file; empty: it could not be written.
  std::string add(const std::string& name, const std::string& object) const;

 private:
  std::string path_of(const std::string& name) const;
  void trim() const;

  std::string folder_;  // empty: none
};

}  // namespace spoor::exec
