// Makes a certificate of a search while it runs: what the forms have in common.
#pragma once

#include <new>
#include <string>
#include <utility>

#include "base/framed_file.h"
#include "evidence/certificate.h"
#include "evidence/memory_share.h"
#include "search/observer.h"

namespace spoor {

class CertificateRecorder : public Observer {
 public:
  // `path`: of the certificate.
  explicit CertificateRecorder(std::string path) : path_(std::move(path)) {}

  // When the search is over: why there is no certificate; empty: save() may be called.
  const std::string& why_not() const { return why_not_; }
  // `claim`: what it claims; the figures are filled in. Throws FramedFileError. To be called once.
  virtual void save(CertificateClaim claim) = 0;

 protected:
  // Does something, unless it is known already why there will be no certificate; where it fails, it is known
  // afterwards.
  template <class Action>
  static void attempt(std::string& why_not, const Action& action) {
    if (!why_not.empty()) return;
    try {
      action();
    } catch (const std::bad_alloc&) {
      why_not = "there is not enough memory for it";
    } catch (const MemoryShare::Exceeded& error) {
      why_not = error.what();
    } catch (const FramedFileError& error) {
      why_not = error.what();
    }
  }

  const std::string path_;
  std::string lacking_;  // why a worker has not written down all that it has seen
  std::string why_not_ = "the search has not seen all states";
};

}  // namespace spoor
