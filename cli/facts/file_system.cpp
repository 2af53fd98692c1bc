#include "cli/facts/file_system.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>

#include "cli/process/process.h"
#include "common/base/error.h"
#include "common/base/quantity.h"

namespace ethio {
namespace {

// mountinfo writes blanks in names as octal escapes, "\040".
std::string unescaped(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size()) {
      result += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 +
                                  (text[i + 3] - '0'));
      i += 3;
    } else {
      result += text[i];
    }
  }
  return result;
}

bool holds(std::string_view mount_point, std::string_view path) {
  if (path.substr(0, mount_point.size()) != mount_point) return false;
  return mount_point == "/" || path.size() == mount_point.size() || path[mount_point.size()] == '/';
}

// "ID PARENT MAJ:MIN ROOT POINT OPTIONS [TAGS...] - TYPE SOURCE SUPER_OPTIONS", see proc(5).
Mount parse_mount(const std::string& line) {
  std::istringstream words(line);
  std::string id, parent, device, root, tag;
  Mount mount;
  words >> id >> parent >> device >> root >> mount.point >> mount.options;
  while (words >> tag && tag != "-") {
  }
  std::string super_options;
  words >> mount.type >> mount.source >> super_options;
  mount.point = unescaped(mount.point);
  mount.source = unescaped(mount.source);
  if (!super_options.empty()) mount.options += "; " + super_options;
  return mount;
}

std::string percent(uint64_t part, uint64_t whole) {
  if (whole == 0) return "0 %";
  return fmt::format("{:.0f} %", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

// "recordsize\t128K" lines of `zfs get` and `zpool get`.
void add_properties(const std::vector<std::string>& command, FactGroup& group,
                    Interrupt& interrupt) {
  std::string output;
  try {
    output = run_process({command, "", {}, std::chrono::seconds(20)}, interrupt).out;
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    group.add_missing(command[0] + " properties", error.what());
    return;
  }
  std::istringstream lines(output);
  std::string property, value;
  while (lines >> property >> value) group.add(property, value);
}

void add_zfs_facts(const std::string& dataset, FactGroup& group, Interrupt& interrupt) {
  add_properties({"zfs", "get", "-H", "-o", "property,value",
                  "recordsize,compression,atime,sync,primarycache,dedup,logbias", dataset},
                 group, interrupt);
  const std::string pool = dataset.substr(0, dataset.find('/'));
  add_properties(
      {"zpool", "get", "-H", "-o", "property,value", "ashift,autotrim,fragmentation", pool}, group,
      interrupt);
}

}  // namespace

Mount find_mount(std::string_view mountinfo, std::string_view path) {
  Mount best;
  std::istringstream lines{std::string(mountinfo)};
  for (std::string line; std::getline(lines, line);) {
    Mount mount = parse_mount(line);
    if (holds(mount.point, path) && mount.point.size() >= best.point.size())
      best = std::move(mount);
  }
  return best;
}

Mount mount_of(const std::string& path) {
  std::ifstream file("/proc/self/mountinfo");
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  Mount mount = find_mount(text, std::filesystem::canonical(path).string());
  if (mount.type.empty())
    throw Error(ENOENT, fmt::format("{}: no mount in /proc/self/mountinfo holds it", path));
  return mount;
}

Space space_of(const std::string& path) {
  struct statvfs info;
  if (statvfs(path.c_str(), &info) != 0)
    throw Error(errno, fmt::format("{}: {}", path, errno_text(errno)));
  return {info.f_blocks * info.f_frsize, info.f_bfree * info.f_frsize,
          info.f_bavail * info.f_frsize};
}

bool supports_direct_io(const std::string& directory) {
  constexpr size_t kBytes = 65536;  // a multiple of every block size in use
  const int fd = open(directory.c_str(), O_TMPFILE | O_RDWR | O_DIRECT | O_CLOEXEC, 0600);
  if (fd < 0) return false;
  const std::unique_ptr<void, void (*)(void*)> buffer(std::aligned_alloc(kBytes, kBytes),
                                                      std::free);
  std::fill_n(static_cast<char*>(buffer.get()), kBytes, 'e');
  const bool works = pwrite(fd, buffer.get(), kBytes, 0) == static_cast<ssize_t>(kBytes) &&
                     pread(fd, buffer.get(), kBytes, 0) == static_cast<ssize_t>(kBytes);
  close(fd);
  return works;
}

FactGroup file_system_facts(const std::string& path, Interrupt& interrupt) {
  const Mount mount = mount_of(path);
  const Space space = space_of(path);
  FactGroup group{"file system", {}};
  group.add("type", mount.type);
  group.add("mount point", mount.point);
  group.add("source", mount.source);
  group.add("options", mount.options);
  group.add("size", format_bytes(space.total_bytes));
  group.add("available", format_bytes(space.available_bytes));
  group.add("fill level", percent(space.total_bytes - space.free_bytes, space.total_bytes));
  if (mount.type == "zfs") add_zfs_facts(mount.source, group, interrupt);
  return group;
}

}  // namespace ethio
