// Three lines of /proc/self/status.
#include "bench/worker/memory.hpp"

#include <fstream>
#include <string>

namespace tenferro::bench {
namespace {

std::int64_t status_bytes(const std::string& key) {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (word == key) {
            std::int64_t kibibytes = 0;
            status >> kibibytes;
            return kibibytes * 1024;
        }
    return 0;
}

}  // namespace

std::int64_t resident_bytes() { return status_bytes("VmRSS:"); }
std::int64_t file_bytes() { return status_bytes("RssFile:"); }
std::int64_t peak_resident_bytes() { return status_bytes("VmHWM:"); }

}  // namespace tenferro::bench
