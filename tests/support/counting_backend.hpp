// A backend of reference sessions that counts those it opens, at any place.
#pragma once

#include "reference/reference_session.hpp"
#include "support/marked_memory.hpp"

namespace tenferro::test {

class CountingBackend final : public TensorBackend {
public:
    explicit CountingBackend(const BackendInfo& info = kInfo) : TensorBackend(info), info_(info) {}
    int sessions = 0;

    static constexpr BackendInfo kInfo{"counting", kMainMemory, {}};
    static constexpr BackendInfo kElsewhere{"elsewhere", {MemorySpace::GpuMemory, 3}, {}};

private:
    class Session final : public reference::ReferenceSession {
    public:
        explicit Session(const BackendInfo& info) : ReferenceSession(info) {}

    private:
        Buffer do_allocate(std::size_t bytes) override {
            return marked(allocate_buffer(bytes), backend_info().placement);
        }
    };
    void open_session(FunctionRef<void(BackendSession&)> body) override {
        ++sessions;
        Session session(info_);
        body(session);
    }
    const BackendInfo& info_;
};

}  // namespace tenferro::test
