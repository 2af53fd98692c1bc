#include <fmt/format.h>

#include <algorithm>

#include "cli/rank/ranking.h"
#include "cli/screen/text_table.h"
#include "common/base/quantity.h"
#include "common/base/text.h"

namespace ethio {
namespace {

std::string count_or_unknown(const std::optional<double>& count) {
  return count ? format_count(*count) : "unknown";
}

std::string profile_word(const Placement& placement) {
  if (!placement.comparable()) return "differs";
  return placement.unstated.empty() ? "same" : "same as far as stated";
}

// "randrw, 75 % reads, blocks of 4 KiB, depth 64, a file of 150 GiB, libaio, fio 3.28"
std::string setting_text(const fio::Result& result) {
  std::vector<std::string> parts;
  if (!result.rw.empty()) parts.push_back(result.rw);
  if (result.read.active() && result.write.active()) {
    parts.push_back(fmt::format("{:.0f} % reads", 100 * result.read_share()));
  }
  const uint64_t block = result.read.active() ? result.read.block_bytes : result.write.block_bytes;
  if (block != 0) parts.push_back(fmt::format("blocks of {}", format_bytes(block)));
  if (result.jobs != 1) parts.push_back(fmt::format("{} jobs", result.jobs));
  if (result.iodepth != 0) parts.push_back(fmt::format("depth {}", result.iodepth));
  if (result.size_bytes != 0)
    parts.push_back(fmt::format("a file of {}", format_bytes(result.size_bytes)));
  if (!result.ioengine.empty()) parts.push_back(result.ioengine);
  if (!result.fio_version.empty()) parts.push_back("fio " + result.fio_version);
  return joined(parts);
}

std::string mib(double bytes) {
  return fmt::format("{:.1f} MiB/s", bytes / 1048576);
}

std::string rates_text(const fio::Result& result) {
  std::string text;
  for (const auto& [direction, what] :
       {std::pair{&result.read, "reads"}, std::pair{&result.write, "writes"}}) {
    if (!direction->active()) continue;
    text += fmt::format("  {:>12} {}/s, {}",
                        direction->iops ? fmt::format("{:.0f}", *direction->iops) : "unknown", what,
                        mib(direction->bandwidth));
    if (const auto p99 = direction->completion.at(99)) {
      text += fmt::format(", p99 {}", format_duration_ns(*p99));
    }
    text += "\n";
  }
  return text;
}

void add_drive(TextTable& table, size_t place, const ReferenceDrive* drive) {
  if (drive == nullptr) return;
  const Rates rates = drive->figure();
  table.add_row({drive->name, fmt::format("{}", place), format_count(rates.read),
                 format_count(rates.write), drive->tier, drive->interface, drive->nand,
                 drive->dram});
}

std::string neighbours_text(const fio::Result& result, const Placement::Rank& rank) {
  TextTable table({"drive", "place", "reads/s", "writes/s", "tier", "interface", "NAND", "DRAM"});
  add_drive(table, rank.position - 1, rank.above);
  table.add_row({"this result", fmt::format("{}", rank.position),
                 count_or_unknown(result.read.iops), count_or_unknown(result.write.iops), "-", "-",
                 "-", "-"});
  // The result itself takes a place: the next drive comes one later.
  add_drive(table, rank.position + 1, rank.below);
  return table.text();
}

std::string tiers_text(const Placement::Rank& rank) {
  std::vector<std::string> alike;
  std::vector<std::string> tiers;
  for (const ReferenceDrive* drive : rank.alike) {
    alike.push_back(fmt::format("{} ({})", drive->name, drive->tier));
    if (std::find(tiers.begin(), tiers.end(), drive->tier) == tiers.end())
      tiers.push_back(drive->tier);
  }
  if (tiers.size() < 2) return "";
  return fmt::format("Within {:.0f} % of it stand drives of {} tiers: {}.\n", 100 * kAlike,
                     tiers.size(), joined(alike));
}

std::string bullet(std::string_view text) {
  return fmt::format("  - {}\n", text);
}

// What speaks against comparing, and what the reader had to work out.
std::string caveats_text(const RankedResult& ranked, const std::vector<RankedResult>& ranking) {
  const Placement& placement = ranked.placement;
  std::string text;
  if (ranked.repeats) {
    text += bullet("repeats the measurement of " + ranking[*ranked.repeats].where());
  }
  if (!placement.comparable()) {
    text += bullet("not the profile of the table: " + joined(placement.differences));
  }
  if (!placement.unstated.empty()) text += bullet("not stated: " + joined(placement.unstated));
  for (const std::string& remark : ranked.result.remarks) text += bullet(remark);
  if (const std::string why = fio::why_void(ranked.result); !why.empty()) {
    text += bullet(fmt::format("VOID: {}; it has no place", why));
  } else if (!placement.rank) {
    text += bullet("without IOPS it has no place; state the block size to get one");
  }
  return text;
}

std::string one_text(const RankedResult& ranked, const std::vector<RankedResult>& ranking) {
  const fio::Result& result = ranked.result;
  std::string text =
      fmt::format("{}: {}: {}\n", ranked.where(), result.job_name.empty() ? "fio" : result.job_name,
                  setting_text(result));
  text += rates_text(result);
  if (ranked.placement.rank) {
    const Placement::Rank& rank = *ranked.placement.rank;
    text += fmt::format(
        "\nPlace {} of {} by reads, faster than {:.0f} % of the drives that have figures{}.\n\n",
        rank.position, rank.drives + 1, 100 * rank.faster_than,
        ranked.placement.comparable() ? "" : ", but of another profile");
    text += neighbours_text(result, rank) + "\n" + tiers_text(rank);
  }
  const double in_flight = mean_time_in_flight_ns(result);
  if (in_flight > 0 && result.iodepth > 1) {
    text += fmt::format(
        "With {} in flight, each access took {} on average (depth / rate), waiting included.\n",
        result.iodepth * result.jobs, format_duration_ns(in_flight));
  }
  return text + caveats_text(ranked, ranking);
}

std::string table_text(const std::vector<RankedResult>& ranking) {
  TextTable table({"result", "reads/s", "writes/s", "place", "faster than", "next slower drive",
                   "tier", "profile"});
  for (const RankedResult& ranked : ranking) {
    const auto& rank = ranked.placement.rank;
    const ReferenceDrive* below = rank ? rank->below : nullptr;
    // In brackets where the place is one among unlike things.
    const auto place = [&](const std::string& text) {
      return ranked.placement.comparable() ? text : fmt::format("({})", text);
    };
    table.add_row({ranked.where(), count_or_unknown(ranked.result.read.iops),
                   count_or_unknown(ranked.result.write.iops),
                   rank ? place(fmt::format("{} of {}", rank->position, rank->drives + 1)) : "-",
                   rank ? place(fmt::format("{:.0f} %", 100 * rank->faster_than)) : "-",
                   below != nullptr ? below->name : "-", below != nullptr ? below->tier : "-",
                   profile_word(ranked.placement)});
  }
  std::string text = table.text();
  for (const RankedResult& ranked : ranking) {
    const std::string caveats = caveats_text(ranked, ranking);
    if (!caveats.empty()) text += fmt::format("{}\n{}", ranked.where(), caveats);
  }
  return text;
}

// Breaks a paragraph into lines of at most 100 columns.
std::string wrapped(const std::string& paragraph) {
  constexpr size_t kWidth = 98;
  std::string text, line;
  for (size_t from = 0; from < paragraph.size();) {
    const size_t end = std::min(paragraph.find(' ', from), paragraph.size());
    const std::string word = paragraph.substr(from, end - from);
    if (!line.empty() && line.size() + 1 + word.size() > kWidth) {
      text += "  " + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
    from = end + 1;
  }
  return text + "  " + line + "\n";
}

}  // namespace

std::string ranking_text(const std::vector<RankedResult>& ranking, const Reference& reference) {
  std::string text = ranking.size() == 1 ? one_text(ranking.front(), ranking) : table_text(ranking);
  text += fmt::format("\nThe table: {}, {}\nIts profile: {}\n\nWhat such a number tells\n",
                      reference.title, reference.url, reference.profile.command);
  for (const std::string& limit : limits_of_the_profile(reference)) text += wrapped(limit);
  return text;
}

}  // namespace ethio
