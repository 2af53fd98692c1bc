// A row of `ethio describe --fidelity`: a fact that somebody has measured, what the model gives,
// and how far apart the two may be. Rows are computed, never stored; a test asserts that each is
// met or says why it cannot be.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ethio {

struct FidelityRow {
  std::string what;
  std::string unit;  // "" for a count or a ratio
  double low = 0;    // the fact with its tolerance: both ends belong to it
  double high = 0;
  double model = 0;
  std::string_view source;  // URL of the fact
  std::string_view gap;     // why the model cannot meet it; "" if it must

  bool met() const { return model >= low && model <= high; }
};

// A fact given as one number.
FidelityRow near_fact(std::string what, std::string unit, double fact, double relative_tolerance,
                      double model, std::string_view source);
// A fact given as a range.
FidelityRow in_range(std::string what, std::string unit, double low, double high, double model,
                     std::string_view source);

// By subject; each takes a second or less.
std::vector<FidelityRow> trie_rows();
std::vector<FidelityRow> state_rows();
std::vector<FidelityRow> store_rows();
std::vector<FidelityRow> block_rows();

// All of them, as a table for a person or as JSON.
std::string fidelity_table();
std::string fidelity_json();

}  // namespace ethio
