#include "cli/facts/machine.h"

#include <fmt/format.h>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "common/base/quantity.h"

namespace ethio {
namespace {

// The first "NAME : value" of /proc/cpuinfo whose name is one of those that architectures use.
std::optional<std::string> processor_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(": ");
    if (colon == std::string::npos) continue;
    for (const char* name : {"model name", "Model", "cpu model", "Hardware"}) {
      if (line.rfind(name, 0) == 0) return line.substr(colon + 2);
    }
  }
  return std::nullopt;
}

// Version 2 first, then version 1; "max" and absurdly large values mean no limit.
std::optional<uint64_t> control_group_limit() {
  for (const char* path :
       {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    const auto text = read_line_of(path);
    if (!text.has_value() || text->find_first_not_of("0123456789") != std::string::npos) continue;
    const uint64_t limit = std::stoull(*text);
    if (limit < (uint64_t{1} << 60)) return limit;
  }
  return std::nullopt;
}

uint64_t physical_memory() {
  return static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

uint64_t memory_bytes() {
  return std::min(physical_memory(), control_group_limit().value_or(~uint64_t{0}));
}

unsigned processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return static_cast<unsigned>(CPU_COUNT(&set));
  return static_cast<unsigned>(sysconf(_SC_NPROCESSORS_ONLN));
}

FactGroup machine_facts() {
  FactGroup group{"machine", {}};
  group.add_or("processor", processor_model(), "/proc/cpuinfo names none");
  group.add("cores", fmt::format("{}", processors()));
  group.add("memory", format_bytes(physical_memory()));
  if (const auto limit = control_group_limit()) group.add("memory limit", format_bytes(*limit));
  utsname system;
  if (uname(&system) == 0) {
    group.add("kernel", fmt::format("{} {} {}", system.sysname, system.release, system.machine));
  }
  const auto vendor = read_line_of("/sys/class/dmi/id/sys_vendor");
  const auto product = read_line_of("/sys/class/dmi/id/product_name");
  group.add_or("product",
               vendor.has_value() && product.has_value() ? std::optional(*vendor + " " + *product)
                                                         : std::nullopt,
               "the firmware gives none");
  return group;
}

}  // namespace ethio
