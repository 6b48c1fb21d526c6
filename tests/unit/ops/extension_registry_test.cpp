// The format of family ids and the registry, also with many threads at it.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "support/expect_error.hpp"
#include "support/test_extensions.hpp"

namespace tenferro { namespace {

/// A factory and a rule for any id.
class NamedFactory : public ExtensionFactory {
public:
    explicit NamedFactory(std::string id, std::uint32_t version = 1)
        : id_(std::move(id)), version_(version) {}
    [[nodiscard]] std::string_view family_id() const noexcept override { return id_; }
    [[nodiscard]] std::uint32_t version() const noexcept override { return version_; }

private:
    std::string id_;
    std::uint32_t version_;
};

std::shared_ptr<const ExtensionAdRule> rule(std::string_view id) {
    const auto none = [](const ExtensionOp&, FragmentBuilder&, LocalValId, ShapeGuardContext&) {
        return OptionalValues();
    };
    return std::make_shared<test::FunctionRule>(id, none, none);
}

constexpr std::string_view kMalformed[] = {
    "",        "a",        "a.b",     "a.b.1",     "a.b.v",         "a.b.vx",          "a.b.v1x",  "a.b.v01",
    "a.b.v-1", "a.b.V1",   ".b.v1",   "a..v1",     "a.b.c.v1",      "a b.c.v1",        "a.b c.v1", " a.b.v1",
    "a.b.v1 ", "a.b.v1\n", "a.b.v1.", "a.b.v1.v2", "\xC3\xA4.b.v1", "a.b.v9999999999", "a/b.c.v1", "a.b:c.v1",
    "..v1",    "a.b.v"};

TEST(ExtensionSection5, FamilyIdHasCrateOpAndMajor) {
    const FamilyId id = FamilyId::parse("tenferro-ext-tropical.fused_dot_general.v12");
    EXPECT_EQ(id.crate, "tenferro-ext-tropical");
    EXPECT_EQ(id.op, "fused_dot_general");
    EXPECT_EQ(id.major, 12u);
    EXPECT_EQ(FamilyId::parse("my-crate.fft.v1").op, "fft");
    EXPECT_EQ(FamilyId::parse("a.b.v0").major, 0u);
    EXPECT_EQ(FamilyId::parse("a.b.v999999999").major, 999999999u);
}

TEST(ExtensionSection5, OtherFormatsAreMalformed) {
    for (const std::string_view id : kMalformed)
        EXPECT_ERROR((void)FamilyId::parse(id), MalformedFamilyId, text("family_id '", id, "'"));
}

TEST(ExtensionSection9, RegistrationAndLookup) {
    const auto factory = std::make_shared<NamedFactory>("registry.round.v4", 4);
    EXPECT_EQ(lookup_extension_factory("registry.round.v4"), nullptr);
    EXPECT_EQ(lookup_extension_rule("registry.round.v4"), nullptr);
    EXPECT_EQ(lookup_extension_family("registry", "round"), nullptr);
    register_extension(factory);
    EXPECT_EQ(lookup_extension_factory("registry.round.v4"), factory);
    EXPECT_EQ(lookup_extension_family("registry", "round"), factory);
    EXPECT_EQ(require_extension("registry.round.v4"), factory);
    EXPECT_EQ(lookup_extension_factory("registry.round.v4")->version(), 4u);
    EXPECT_EQ(lookup_extension_rule("registry.round.v4"), nullptr);  // registered apart
    const auto derivative = rule("registry.round.v4");
    register_extension_rule(derivative);
    EXPECT_EQ(lookup_extension_rule("registry.round.v4"), derivative);
}

TEST(ExtensionSection9, LookupOfAnythingElseIsNull) {
    for (const std::string_view id : kMalformed) {
        EXPECT_EQ(lookup_extension_factory(id), nullptr);
        EXPECT_EQ(lookup_extension_rule(id), nullptr);
    }
    EXPECT_EQ(lookup_extension_factory("registry.never.v1"), nullptr);
    EXPECT_EQ(lookup_extension_family("registry", "never"), nullptr);
    EXPECT_EQ(lookup_extension_family("", ""), nullptr);
}

TEST(ExtensionSection9, SecondRegistrationIsADuplicate) {
    const auto first = std::make_shared<NamedFactory>("registry.twin.v1");
    register_extension(first);
    EXPECT_ERROR(register_extension(std::make_shared<NamedFactory>("registry.twin.v1")), DuplicateFamily,
                 "register_extension: family_id registry.twin.v1 is already registered");
    EXPECT_EQ(lookup_extension_factory("registry.twin.v1"), first);
    const auto derivative = rule("registry.twin.v1");
    register_extension_rule(derivative);
    EXPECT_ERROR(register_extension_rule(rule("registry.twin.v1")), DuplicateFamily,
                 "register_extension_rule: family_id registry.twin.v1 is already registered");
    EXPECT_EQ(lookup_extension_rule("registry.twin.v1"), derivative);
    register_extension(std::make_shared<NamedFactory>("registry.twin.v2", 2));  // another family
}

TEST(ExtensionSection9, MalformedIdsAreNotRegistered) {
    for (const std::string_view id : kMalformed) {
        EXPECT_ERROR(register_extension(std::make_shared<NamedFactory>(std::string(id))), MalformedFamilyId,
                     id);
        EXPECT_ERROR(register_extension_rule(rule(id)), MalformedFamilyId, id);
    }
    EXPECT_ERROR(register_extension(std::make_shared<NamedFactory>("registry.skewed.v3", 2)),
                 MalformedFamilyId, "family_id registry.skewed.v3 has major version 3 but the factory has 2");
    EXPECT_EQ(lookup_extension_factory("registry.skewed.v3"), nullptr);
    EXPECT_ERROR(register_extension(nullptr), InvalidArgument, "register_extension: nothing to register");
    EXPECT_ERROR(register_extension_rule(nullptr), InvalidArgument,
                 "register_extension_rule: nothing to register");
}

TEST(ExtensionSection9, RequireTellsMissingFromMismatched) {
    register_extension(std::make_shared<NamedFactory>("registry.versioned.v2", 2));
    EXPECT_ERROR((void)require_extension("registry.nobody.v1"), Unsupported,
                 "extension: registry.nobody.v1: not registered");
    for (const std::string_view major : {"1", "3"})
        EXPECT_ERROR((void)require_extension(text("registry.versioned.v", major)), Unsupported,
                     text("extension: registry.versioned.v", major, ": version mismatch, graph has v", major,
                          ", runtime has v2 (registry.versioned.v2)"));
    EXPECT_ERROR((void)require_extension("registry"), MalformedFamilyId, "registry");
}

TEST(ExtensionSection9, FactoriesMayLeaveOutWhatIsOptional) {
    const NamedFactory factory("registry.plain.v1");
    EXPECT_EQ(factory.instantiate_default(), nullptr);
    EXPECT_ERROR((void)factory.encode(test::PairOp(1)), Unsupported,
                 "registry.plain.v1: payloads cannot be encoded");
    EXPECT_ERROR((void)factory.decode("1"), Unsupported, "registry.plain.v1: payloads cannot be decoded");
    EXPECT_EQ(test::Factory<test::PairOp>().instantiate_default()->family_id(), test::PairOp::kFamilyId);
}

TEST(ExtensionSection9, ReadersAndWritersAtOnce) {
    constexpr int kFamilies = 60, kReaders = 3, kWriters = 3;
    const auto id = [](int i) { return text("registry-threads.f", i, ".v1"); };
    std::atomic<int> registered = 0, duplicates = 0, left = kWriters;
    std::atomic<bool> wrong = false;
    std::vector<std::thread> threads;
    for (int w = 0; w < kWriters; ++w)
        threads.emplace_back([&] {
            for (int i = 0; i < kFamilies; ++i) {
                try {
                    register_extension(std::make_shared<NamedFactory>(id(i)));
                    ++registered;
                } catch (const Error& error) {
                    if (error.kind() == ErrorKind::DuplicateFamily) ++duplicates;
                }
            }
            --left;
        });
    for (int r = 0; r < kReaders; ++r)
        threads.emplace_back([&] {
            do {
                for (int i = 0; i < kFamilies; ++i) {
                    const auto found = lookup_extension_factory(id(i));
                    if (found && found->family_id() != id(i)) wrong = true;
                    const auto any = lookup_extension_family("registry-threads", text("f", i));
                    if (found && any != found) wrong = true;
                    if (lookup_extension_rule(id(i))) wrong = true;
                }
            } while (left != 0);
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_FALSE(wrong);
    EXPECT_EQ(registered, kFamilies);
    EXPECT_EQ(duplicates, kFamilies * (kWriters - 1));
    for (int i = 0; i < kFamilies; ++i) EXPECT_NE(lookup_extension_factory(id(i)), nullptr);
}

}}  // namespace tenferro
