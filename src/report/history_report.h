// The runs of a ledger: what a check leaves in its catalogue, and the listing of `spoor history`.
//
// Texts of a catalogue are foreign bytes: control characters are escaped in the table, and JSON replaces what
// is not UTF-8.
//
// Tested by: tests/suites/test_ledger.py
#pragma once

#include <string>
#include <vector>

#include "check/check_report.h"
#include "evidence/run_catalogue.h"

namespace spoor {

// The options of a check that are not the defaults, as on a command line.
std::string options_as_words(const CheckOptions& options);

// One run per report; the time is now.
std::vector<CataloguedRun> runs_of_check(const std::vector<CheckReport>& reports);

// What was asked for, beside the listing.
struct HistoryQuery {
  std::string ledger;
  std::string model;  // as on the command line; empty: all models
};
std::string history_text(const CatalogueListing& listing, const HistoryQuery& query);
std::string history_json(const CatalogueListing& listing, const HistoryQuery& query);

}  // namespace spoor
