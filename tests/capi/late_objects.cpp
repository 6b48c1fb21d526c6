// The C++ objects of the test of late calls. The static object is made before main and destroyed last, so it
// counts the others.
#include <unistd.h>

#include <cstdio>

#include "late.h"

namespace {

struct OfThread {
    ~OfThread() { late_use("a thread-local object"); }
    bool made = false;
};

struct OfProcess {
    ~OfProcess() {
        late_use("a static object");
        // two threads' objects, three keys, two handlers, and this
        if (late_uses == 8) return;
        std::fprintf(stderr, "%d late uses, 8 expected\n", late_uses);
        ::_exit(1);
    }
} of_process;

}  // namespace

void late_construct_in_thread() {
    thread_local OfThread object;
    object.made = true;
}
