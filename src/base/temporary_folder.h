// A private folder that disappears with its contents.
//
// The owner holds a lock on the folder while it lives. A program that was killed leaves its folder
// behind, without the lock: whoever makes the next folder removes such remains. Folders of the last
// minute are left alone, because their owner may be about to lock them, and so are those of others.
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

  // Empty when none could be made.
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int lock_ = -1;
};

}  // namespace spoor
