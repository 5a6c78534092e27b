// Makes a certificate of a search while it runs: what the forms have in common.
#pragma once

#include <string>

#include "evidence/certificate.h"
#include "search/observer.h"

namespace spoor {

class CertificateRecorder : public Observer {
 public:
  // When the search is over: why there is no certificate; empty: save() may be called.
  virtual const std::string& why_not() const = 0;
  // `claim`: what it claims; the figures are filled in. Throws FramedFileError. To be called once.
  virtual void save(CertificateClaim claim) = 0;
};

}  // namespace spoor
