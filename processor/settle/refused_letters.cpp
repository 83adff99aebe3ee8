#include "processor/settle/refused_letters.h"

#include "processor/base/limits.h"

namespace settle {

void RefusedLetters::recognise(Letter& letter) const
{
    const auto known = m_known.find(letter.no);
    if (known != m_known.end() && known->second.attempt == letter.attempt) {
        letter.uid = known->second.uid;
    }
}

void RefusedLetters::refused(const domain::Event& event, domain::Failure failure,
    const Letter& letter, const base::Error& error)
{
    if (!m_onRefused || error.kind == base::ErrorKind::Conflict) return;
    const auto before = m_known.find(letter.no);
    const bool isFirst = before == m_known.end() || before->second.uid != letter.uid;
    if (!isFirst && before->second.isSafe) return;
    const bool isSafe = m_onRefused({event, failure, letter, isFirst});
    m_known.insert_or_assign(letter.no, Known{letter.attempt, letter.uid, isSafe});
    if (m_known.size() > base::kRefusedLettersMax) m_known.erase(m_known.begin());
}

} // namespace settle
