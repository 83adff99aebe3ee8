#include "tests/processor/domain/batch_generator.h"

#include <algorithm>
#include <array>
#include <random>

namespace model {
namespace {

using domain::Amount;
using domain::EventNo;
using domain::UserId;

/** Weights of event types and chances in percent; a theme stresses some of them. */
struct Theme
{
    int deposit, airdrop, withdrawal, fee, refund, reversal, recredit, unknown;
    int users;
    int notLocked, held, ended, vanished;
    int claims; // events that need one
    int huge; // amounts near 10^20
};

constexpr std::array kThemes{
    //    dep air wit fee ref rev rec unk users not held end van claims huge
    Theme{25, 10, 25, 8, 12, 10, 6, 4, 3, 5, 5, 5, 3, 15, 5}, // a bit of everything
    Theme{40, 5, 40, 10, 0, 5, 0, 0, 1, 0, 2, 5, 0, 0, 0}, // one hot account
    Theme{10, 0, 80, 10, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0}, // withdrawals race
    Theme{45, 15, 10, 0, 5, 15, 10, 0, 2, 0, 0, 0, 0, 0, 75}, // at the limit
    Theme{25, 0, 8, 0, 55, 8, 4, 0, 2, 0, 3, 5, 0, 10, 0}, // refunds
    Theme{30, 5, 20, 0, 5, 30, 10, 0, 2, 0, 0, 5, 0, 10, 5}, // reorganisations
    Theme{30, 5, 30, 5, 15, 5, 5, 5, 3, 35, 30, 10, 5, 10, 0}, // held back
    Theme{50, 0, 30, 0, 10, 5, 5, 0, 2, 3, 3, 10, 0, 85, 0}, // duplicates
};

constexpr std::array kTypes{"deposit", "airdrop", "withdrawal", "withdrawal_fee", "refund",
    "reorg_reversal", "reorg_credit", "staking_reward"};

class Generator
{
public:
    explicit Generator(std::uint64_t seed) : m_random{seed}, m_theme{kThemes[below(kThemes.size())]}
    {}

    domain::Batch generate()
    {
        m_batch.unknownTypes
            = chance(50) ? domain::UnknownTypes::Fail : domain::UnknownTypes::LeaveAlone;
        addAccounts();
        addOriginals();
        const std::size_t claims = m_theme.claims > 0 ? below(5) : 0;
        for (std::size_t i = 0; i < claims; ++i) {
            m_batch.claims.push_back({});
            if (chance(25)) {
                m_batch.claims.back().holder = EventNo{std::int64_t(below(60)) + 1};
            }
        }
        const std::size_t events = below(9) + 1;
        for (std::size_t i = 0; i < events; ++i) {
            addEvent();
        }
        return std::move(m_batch);
    }

private:
    std::size_t below(std::size_t bound) { return m_random() % bound; }
    bool chance(int percent) { return int(below(100)) < percent; }

    UserId someUser() { return UserId{std::int64_t(below(std::size_t(m_theme.users))) + 1}; }
    std::string someAsset() { return chance(80) ? "ETH" : "USDC"; }

    std::optional<std::string> someMerchant()
    {
        if (chance(60)) {
            return std::nullopt;
        }
        return chance(70) ? "shop" : "";
    }

    /** Small so that sums meet, fine so that nothing may round, or at the edge of what may be. */
    Amount someAmount()
    {
        std::string text;
        if (chance(m_theme.huge)) {
            const std::array huge{"99999999999999999999.999999999999999999", "99999999999999999990",
                "50000000000000000000", "49999999999999999999.5"};
            text = huge[below(huge.size())];
        } else if (chance(70)) {
            text = std::to_string(below(9) + 1);
        } else {
            text = std::to_string(below(20)) + "." + std::to_string(100'000 + below(900'000))
                + (chance(50) ? "000000000001" : "");
        }
        return *Amount::fromNumeric(text);
    }

    void addAccounts()
    {
        for (int user = 1; user <= m_theme.users; ++user) {
            for (const char* asset : {"ETH", "USDC"}) {
                const domain::AccountId id{UserId{user}, asset};
                for (int i = 0; i < 2 && chance(m_theme.held); ++i) {
                    m_batch.holds.push_back({id, EventNo{std::int64_t(below(40)) + 1}});
                }
                if (chance(m_theme.notLocked)) {
                    continue;
                }
                domain::Account account{id, {}, {}, std::int64_t(below(100))};
                const std::size_t state = below(4);
                if (state >= 2) {
                    account.balance = someAmount();
                } else if (state == 1 && chance(40)) {
                    account.debt = someAmount();
                }
                m_batch.accounts.push_back(account);
            }
        }
        // The caller may hand them over in any order.
        std::shuffle(m_batch.accounts.begin(), m_batch.accounts.end(), m_random);
    }

    void addOriginals()
    {
        const std::size_t count = m_theme.refund > 0 ? below(4) : 0;
        for (std::size_t i = 0; i < count; ++i) {
            domain::Original original{
                "d" + std::to_string(i), someUser(), someAsset(), someAmount(), someMerchant()};
            original.state
                = std::array{domain::OriginalState::Unsettled, domain::OriginalState::Confirmed,
                    domain::OriginalState::Confirmed, domain::OriginalState::Gone}[below(4)];
            if (original.state == domain::OriginalState::Confirmed && chance(30)) {
                original.refunded = chance(30) ? original.amount : *Amount::fromNumeric("1");
            }
            m_batch.originals.push_back(original);
        }
    }

    std::string someType()
    {
        const std::array weights{m_theme.deposit, m_theme.airdrop, m_theme.withdrawal, m_theme.fee,
            m_theme.refund, m_theme.reversal, m_theme.recredit, m_theme.unknown};
        int left = int(below(100));
        for (std::size_t i = 0; i < weights.size(); ++i) {
            left -= weights[i];
            if (left < 0) {
                return kTypes[i];
            }
        }
        return kTypes[0];
    }

    void addEvent()
    {
        m_no += std::int64_t(below(5)) + 1;
        const std::string id = "e" + std::to_string(m_no);
        domain::Candidate candidate{{.no = EventNo{m_no},
            .eventId = id,
            .typeText = someType(),
            .user = someUser(),
            .asset = someAsset(),
            .amount = someAmount(),
            .merchant = someMerchant()}};
        domain::Event& event = candidate.event;
        if (event.typeText == "deposit") {
            becomeOriginal(event);
        } else if (event.typeText == "refund" || event.typeText.starts_with("reorg")) {
            nameOriginal(event);
        }
        candidate.ended = chance(m_theme.ended);
        candidate.userVanished = chance(m_theme.vanished);
        candidate.originalOverdue = chance(30);
        if (!m_batch.claims.empty() && chance(m_theme.claims)) {
            for (std::size_t i = 0; i < m_batch.claims.size(); ++i) {
                candidate.claims.push_back(i);
            }
            std::shuffle(candidate.claims.begin(), candidate.claims.end(), m_random);
            candidate.claims.resize(below(2) + 1 < candidate.claims.size() ? 1 + below(2) : 1);
        }
        m_batch.candidates.push_back(std::move(candidate));
    }

    /** Some deposits are the unsettled original of the input, some one that nobody read yet. */
    void becomeOriginal(domain::Event& event)
    {
        const auto unused = [this](const std::string& id) {
            return std::none_of(m_batch.candidates.begin(), m_batch.candidates.end(),
                [&](const auto& other) { return other.event.eventId == id; });
        };
        for (const domain::Original& original : m_batch.originals) {
            if (original.state == domain::OriginalState::Unsettled && unused(original.eventId)) {
                event.eventId = original.eventId;
                event.user = original.user;
                event.asset = original.asset;
                event.amount = original.amount;
                event.merchant = original.merchant;
                return;
            }
        }
        if (m_theme.refund > 0 && chance(40) && unused("new")) {
            event.eventId = "new";
        }
    }

    void nameOriginal(domain::Event& event)
    {
        if (chance(5)) {
            return;
        }
        if (m_batch.originals.empty() || chance(30)) {
            event.originalEventId = chance(80) ? "new" : "never";
            for (const domain::Candidate& other : m_batch.candidates) {
                if (other.event.eventId == "new" && chance(85)) {
                    event.user = other.event.user;
                    event.asset = other.event.asset;
                    event.merchant = other.event.merchant;
                }
            }
            return;
        }
        const domain::Original& original = m_batch.originals[below(m_batch.originals.size())];
        event.originalEventId = original.eventId;
        if (chance(85)) {
            event.user = original.user;
            event.asset = original.asset;
            event.merchant = original.merchant;
            event.amount = chance(20) ? original.amount : event.amount;
        }
    }

    std::mt19937_64 m_random;
    Theme m_theme;
    domain::Batch m_batch;
    std::int64_t m_no = 0;
};

} // namespace

domain::Batch generateBatch(std::uint64_t seed)
{
    return Generator{seed}.generate();
}

} // namespace model
