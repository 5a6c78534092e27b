// A private folder that disappears with its contents.
//
// The owner holds a lock on the folder while it lives. A killed program leaves its folder without the
// lock; making the next folder removes such folders. Folders of the last minute are kept, because
// their owner may be about to lock them, and so are folders of other users.
#pragma once

#include <string>

namespace spoor {

class TemporaryFolder {
 public:
  // In $TMPDIR, or /tmp.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  // Empty when the folder could not be made.
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int lock_ = -1;
};

}  // namespace spoor
