// A search that is recorded, and its recording as the next check reads it.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "base/temporary_folder.h"
#include "evidence/recorder.h"
#include "evidence/recording.h"
#include "search/search.h"

namespace spoor {

inline Recording load_from(const std::string& path) {
  FramedReader file(path, kRecordingFormat);
  return load_recording(file);
}

// What a search that was observed has recorded.
inline Recording recording_of(Recorder& recorder) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/r";
  EXPECT_EQ(recorder.why_not(), "");
  recorder.save({}, path);
  return load_from(path);
}

inline Recording record(const TransitionSystem& system, SearchOptions options,
                        SearchResult* result = nullptr) {
  const TemporaryFolder folder;
  Recorder recorder(system, folder.path(), true);
  options.observer = &recorder;
  const SearchResult found = search(system, options);
  if (result != nullptr) *result = found;
  return recording_of(recorder);
}

// The recording itself is written to this file.
inline void record_to(const std::string& path, const TransitionSystem& system, SearchOptions options) {
  const TemporaryFolder folder;
  Recorder recorder(system, folder.path(), true);
  options.observer = &recorder;
  search(system, options);
  recorder.save({}, path);
}

}  // namespace spoor
