<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="ru_RU" sourcelanguage="en">
<context>
    <name>ui::Chip</name>
    <message>
        <source>Delete removes it</source>
        <translation>Delete убирает его</translation>
    </message>
</context>
<context>
    <name>ui::ChoicePopup</name>
    <message>
        <source>Type a value</source>
        <translation>Введите значение</translation>
    </message>
    <message>
        <source>Type to narrow</source>
        <translation>Введите часть слова</translation>
    </message>
</context>
<context>
    <name>ui::DialogFrame</name>
    <message>
        <source>Cancel</source>
        <translation>Отмена</translation>
    </message>
    <message>
        <source>The reason is missing</source>
        <translation>Не указана причина</translation>
    </message>
    <message>
        <source>The number is not typed</source>
        <translation>Число не введено</translation>
    </message>
</context>
<context>
    <name>ui::ExplainerView</name>
    <message>
        <source>Look again (F5 in here)</source>
        <translation>Проверить заново (F5 здесь)</translation>
    </message>
    <message>
        <source>Close the explainer</source>
        <translation>Закрыть разбор</translation>
    </message>
    <message>
        <source>Sentence for the customer</source>
        <translation>Ответ клиенту</translation>
    </message>
    <message>
        <source>Language of the sentence</source>
        <translation>Язык ответа</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Копировать</translation>
    </message>
    <message>
        <source>Copy the sentence for the customer</source>
        <translation>Скопировать ответ клиенту</translation>
    </message>
</context>
<context>
    <name>ui::FilterChips</name>
    <message>
        <source>Filter as one line</source>
        <translation>Фильтр одной строкой</translation>
    </message>
    <message>
        <source>+ Filter</source>
        <translation>+ Фильтр</translation>
    </message>
    <message>
        <source>any</source>
        <translation>любое</translation>
    </message>
</context>
<context>
    <name>ui::LoadingLine</name>
    <message>
        <source>Cancel</source>
        <translation>Отменить</translation>
    </message>
    <message>
        <source>Cancel the question</source>
        <translation>Отменить запрос</translation>
    </message>
    <message>
        <source>Asking %1, %2 ·</source>
        <translation>Запрос к %1, %2 ·</translation>
    </message>
</context>
<context>
    <name>ui::MessageBar</name>
    <message>
        <source>Show all messages</source>
        <translation>Показать все сообщения</translation>
    </message>
    <message>
        <source>Close all messages</source>
        <translation>Закрыть все сообщения</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>и ещё %n</numerusform>
            <numerusform>и ещё %n</numerusform>
            <numerusform>и ещё %n</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::MessageLine</name>
    <message>
        <source>Copy the error id %1</source>
        <translation>Скопировать номер ошибки %1</translation>
    </message>
    <message>
        <source>Copy the error id</source>
        <translation>Скопировать номер ошибки</translation>
    </message>
    <message>
        <source>Close this message</source>
        <translation>Закрыть сообщение</translation>
    </message>
</context>
<context>
    <name>ui::NewRowsStrip</name>
    <message>
        <source>Take in the new rows (Home at the top of the table)</source>
        <translation>Показать новые строки (Home в начале таблицы)</translation>
    </message>
    <message>
        <source>No new rows</source>
        <translation>Новых строк нет</translation>
    </message>
</context>
<context>
    <name>ui::PageHeader</name>
    <message>
        <source>More</source>
        <translation>Ещё</translation>
    </message>
    <message>
        <source>More commands of this page</source>
        <translation>Другие команды страницы</translation>
    </message>
</context>
<context>
    <name>ui::StatTile</name>
    <message>
        <source>%1, %2, %3, as of %4</source>
        <extracomment>A tile for screen readers: name, state, value, time</extracomment>
        <translation>%1, %2, %3, на %4</translation>
    </message>
    <message>
        <source>Not known</source>
        <translation>Не известно</translation>
    </message>
</context>
<context>
    <name>ui::StateView</name>
    <message>
        <source>Copy the error id</source>
        <translation>Скопировать номер ошибки</translation>
    </message>
    <message>
        <source>Copy the error id %1</source>
        <translation>Скопировать номер ошибки %1</translation>
    </message>
</context>
<context>
    <name>ui::StepRow</name>
    <message>
        <source>not looked at yet</source>
        <translation>ещё не проверялось</translation>
    </message>
</context>
<context>
    <name>ui::TimelineModel</name>
    <message>
        <source>%1 without an entry</source>
        <translation>%1 без записей</translation>
    </message>
</context>
<context>
    <name>ui::TimelineView</name>
    <message>
        <source>Timeline, oldest first</source>
        <translation>Хронология, сначала старые</translation>
    </message>
</context>
<context>
    <name>ui::bound</name>
    <message>
        <source>No rows</source>
        <translation>Строк нет</translation>
    </message>
    <message>
        <source>Rows 1–%1 loaded, more below</source>
        <translation>Загружены строки 1–%1, ниже есть ещё</translation>
    </message>
    <message>
        <source>Rows 1–%1 of %1</source>
        <translation>Строки 1–%1 из %1</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 мс</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 с</translation>
    </message>
    <message>
        <source>complete</source>
        <translation>полностью</translation>
    </message>
    <message>
        <source>stopped, older rows not searched</source>
        <translation>остановлено, более старые строки не просмотрены</translation>
    </message>
    <message>
        <source>no answer, the rows are the last known</source>
        <translation>нет ответа, строки – последние известные</translation>
    </message>
</context>
<context>
    <name>ui::filter</name>
    <message>
        <source>A quotation mark is open.</source>
        <translation>Кавычка не закрыта.</translation>
    </message>
    <message>
        <source>“%1” is no filter of this page.</source>
        <translation>«%1» – не фильтр этой страницы.</translation>
    </message>
    <message>
        <source>“%1” has no greater or less.</source>
        <translation>У «%1» нет «больше» и «меньше».</translation>
    </message>
    <message>
        <source>“%1” has no value.</source>
        <translation>У «%1» нет значения.</translation>
    </message>
    <message>
        <source>“%1” is no value of “%2”.</source>
        <translation>«%1» – не значение «%2».</translation>
    </message>
</context>
<context>
    <name>ui::freshness</name>
    <message>
        <source>No answer yet</source>
        <translation>Ответа ещё нет</translation>
    </message>
    <message>
        <source>Not asked yet</source>
        <translation>Ещё не запрошено</translation>
    </message>
    <message>
        <source>%1 old</source>
        <translation>давность %1</translation>
    </message>
    <message>
        <source>As of %1</source>
        <translation>На %1</translation>
    </message>
</context>
<context>
    <name>ui::pages</name>
    <message>
        <source>Overview</source>
        <translation>Обзор</translation>
    </message>
    <message>
        <source>Lookup</source>
        <translation>Поиск</translation>
    </message>
    <message>
        <source>Dead letters</source>
        <translation>Отказы (DLQ)</translation>
    </message>
    <message>
        <source>Approvals</source>
        <translation>Согласования</translation>
    </message>
    <message>
        <source>Zombies</source>
        <translation>Зависшие</translation>
    </message>
    <message>
        <source>Breaker</source>
        <translation>Предохранитель</translation>
    </message>
    <message>
        <source>Reconciliation</source>
        <translation>Сверка</translation>
    </message>
    <message>
        <source>Streams</source>
        <translation>Потоки</translation>
    </message>
    <message>
        <source>Quarantine</source>
        <translation>Карантин</translation>
    </message>
    <message>
        <source>Alerts</source>
        <translation>Тревоги</translation>
    </message>
    <message>
        <source>Audit</source>
        <translation>Аудит</translation>
    </message>
</context>
<context>
    <name>ui::phrases</name>
    <message>
        <source>Needs the role %1. You are %2.</source>
        <translation>Нужна роль «%1». Ваша роль: %2.</translation>
    </message>
    <message>
        <source>%1 is yours. Someone else must decide.</source>
        <translation>%1 – ваш запрос. Решает другой человек.</translation>
    </message>
    <message>
        <source>No answer since %1</source>
        <translation>Нет ответа с %1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln new – show them</source>
        <translation>
            <numerusform>Новых: %Ln – показать</numerusform>
            <numerusform>Новых: %Ln – показать</numerusform>
            <numerusform>Новых: %Ln – показать</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Request replay: selected (%Ln)…</source>
        <translation>
            <numerusform>Запросить повтор: выбранные (%Ln)…</numerusform>
            <numerusform>Запросить повтор: выбранные (%Ln)…</numerusform>
            <numerusform>Запросить повтор: выбранные (%Ln)…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Request replay: all matching (%Ln)…</source>
        <translation>
            <numerusform>Запросить повтор: все подходящие (%Ln)…</numerusform>
            <numerusform>Запросить повтор: все подходящие (%Ln)…</numerusform>
            <numerusform>Запросить повтор: все подходящие (%Ln)…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Unlocks in %n s</source>
        <translation>
            <numerusform>Доступно через %n с</numerusform>
            <numerusform>Доступно через %n с</numerusform>
            <numerusform>Доступно через %n с</numerusform>
        </translation>
    </message>
    <message>
        <source>Proved: posting %1, balance equal</source>
        <translation>Подтверждено: проводка %1, баланс сходится</translation>
    </message>
    <message>
        <source>No-op, already posted as %1</source>
        <translation>Без изменений, уже проведено как %1</translation>
    </message>
    <message numerus="yes">
        <source>probe in %n s</source>
        <translation>
            <numerusform>проба через %n с</numerusform>
            <numerusform>проба через %n с</numerusform>
            <numerusform>проба через %n с</numerusform>
        </translation>
    </message>
    <message>
        <source>Searched everything, %1 rows, complete</source>
        <translation>Просмотрено всё, строк: %1, полностью</translation>
    </message>
    <message>
        <source>Searched everything, %1 rows, not complete</source>
        <translation>Просмотрено всё, строк: %1, не полностью</translation>
    </message>
    <message numerus="yes">
        <source>Searched the last %n days, %1 rows, complete</source>
        <translation>
            <numerusform>Просмотрен последний %n день, строк: %1, полностью</numerusform>
            <numerusform>Просмотрены последние %n дня, строк: %1, полностью</numerusform>
            <numerusform>Просмотрены последние %n дней, строк: %1, полностью</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Searched the last %n days, %1 rows, not complete</source>
        <translation>
            <numerusform>Просмотрен последний %n день, строк: %1, не полностью</numerusform>
            <numerusform>Просмотрены последние %n дня, строк: %1, не полностью</numerusform>
            <numerusform>Просмотрены последние %n дней, строк: %1, не полностью</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::time_text</name>
    <message>
        <source>not known</source>
        <translation>не известно</translation>
    </message>
    <message>
        <source>MMM d</source>
        <extracomment>Day of this year, in the notation of QLocale</extracomment>
        <translation>d MMM</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 с</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 мин %2 с</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 ч %2 мин</translation>
    </message>
    <message>
        <source>%1 d %2 h</source>
        <translation>%1 д %2 ч</translation>
    </message>
</context>
<context>
    <name>ui::words</name>
    <message>
        <source>%1, %2</source>
        <comment>state, detail</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Pending</source>
        <comment>event</comment>
        <translation>Ожидает</translation>
    </message>
    <message>
        <source>Enqueued</source>
        <comment>event</comment>
        <translation>В очереди</translation>
    </message>
    <message>
        <source>Processing</source>
        <comment>event</comment>
        <translation>Обрабатывается</translation>
    </message>
    <message>
        <source>Confirmed</source>
        <comment>event</comment>
        <translation>Проведено</translation>
    </message>
    <message>
        <source>Failed</source>
        <comment>event</comment>
        <translation>Не проведено</translation>
    </message>
    <message>
        <source>Unknown</source>
        <comment>event</comment>
        <translation>Неизвестно</translation>
    </message>
    <message>
        <source>deposit</source>
        <comment>event type</comment>
        <translation>депозит</translation>
    </message>
    <message>
        <source>airdrop</source>
        <comment>event type</comment>
        <translation>аирдроп</translation>
    </message>
    <message>
        <source>withdrawal</source>
        <comment>event type</comment>
        <translation>вывод</translation>
    </message>
    <message>
        <source>withdrawal fee</source>
        <comment>event type</comment>
        <translation>комиссия за вывод</translation>
    </message>
    <message>
        <source>refund</source>
        <comment>event type</comment>
        <translation>возврат</translation>
    </message>
    <message>
        <source>reorg reversal</source>
        <comment>event type</comment>
        <translation>отмена при реорганизации</translation>
    </message>
    <message>
        <source>reorg credit</source>
        <comment>event type</comment>
        <translation>зачисление при реорганизации</translation>
    </message>
    <message>
        <source>Insufficient funds</source>
        <comment>failure</comment>
        <translation>Недостаточно средств</translation>
    </message>
    <message>
        <source>Duplicate payment</source>
        <comment>failure</comment>
        <translation>Повтор платежа</translation>
    </message>
    <message>
        <source>Orphaned</source>
        <comment>failure</comment>
        <translation>Блок отброшен сетью</translation>
    </message>
    <message>
        <source>Not on chain</source>
        <comment>failure</comment>
        <translation>Нет в сети</translation>
    </message>
    <message>
        <source>Attempts used up</source>
        <comment>failure</comment>
        <translation>Попытки исчерпаны</translation>
    </message>
    <message>
        <source>Poison</source>
        <comment>failure</comment>
        <translation>Останавливает обработчик</translation>
    </message>
    <message>
        <source>Data refused</source>
        <comment>failure</comment>
        <translation>Данные отвергнуты</translation>
    </message>
    <message>
        <source>Unknown event type</source>
        <comment>failure</comment>
        <translation>Неизвестный тип события</translation>
    </message>
    <message>
        <source>Balance overflow</source>
        <comment>failure</comment>
        <translation>Переполнение баланса</translation>
    </message>
    <message>
        <source>Original deposit missing</source>
        <comment>failure</comment>
        <translation>Нет исходного депозита</translation>
    </message>
    <message>
        <source>Refund exceeds the deposit</source>
        <comment>failure</comment>
        <translation>Возврат больше депозита</translation>
    </message>
    <message>
        <source>User is gone</source>
        <comment>failure</comment>
        <translation>Пользователя больше нет</translation>
    </message>
    <message>
        <source>State contradicts itself</source>
        <comment>failure</comment>
        <translation>Состояние противоречиво</translation>
    </message>
    <message>
        <source>Waits for finality</source>
        <comment>wait</comment>
        <translation>Ждёт финальности</translation>
    </message>
    <message>
        <source>Waits for the next attempt</source>
        <comment>wait</comment>
        <translation>Ждёт следующей попытки</translation>
    </message>
    <message>
        <source>Waits for its deposit</source>
        <comment>wait</comment>
        <translation>Ждёт исходного депозита</translation>
    </message>
    <message>
        <source>Waits for its replay</source>
        <comment>wait</comment>
        <translation>Ждёт повтора</translation>
    </message>
    <message>
        <source>Accepted</source>
        <comment>delivery</comment>
        <translation>Принята</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <comment>delivery</comment>
        <translation>Повтор</translation>
    </message>
    <message>
        <source>Conflict</source>
        <comment>delivery</comment>
        <translation>Противоречит</translation>
    </message>
    <message>
        <source>Quarantined</source>
        <comment>delivery</comment>
        <translation>В карантине</translation>
    </message>
    <message>
        <source>Refused</source>
        <comment>delivery</comment>
        <translation>Отклонена</translation>
    </message>
    <message>
        <source>Preparing</source>
        <comment>replay request</comment>
        <translation>Готовится</translation>
    </message>
    <message>
        <source>Waits for approval</source>
        <comment>replay request</comment>
        <translation>Ждёт согласования</translation>
    </message>
    <message>
        <source>Approved</source>
        <comment>replay request</comment>
        <translation>Одобрено</translation>
    </message>
    <message>
        <source>Rejected</source>
        <comment>replay request</comment>
        <translation>Отклонено</translation>
    </message>
    <message>
        <source>Expired</source>
        <comment>replay request</comment>
        <translation>Срок истёк</translation>
    </message>
    <message>
        <source>Void: the snapshot changed</source>
        <comment>replay request</comment>
        <translation>Недействительно: снимок изменился</translation>
    </message>
    <message>
        <source>Running</source>
        <comment>replay request</comment>
        <translation>Выполняется</translation>
    </message>
    <message>
        <source>Held: breaker open</source>
        <comment>replay request</comment>
        <translation>Приостановлено: предохранитель сработал</translation>
    </message>
    <message>
        <source>Stopped after 3 failures of one cause</source>
        <comment>replay request</comment>
        <translation>Остановлено: 3 сбоя по одной причине</translation>
    </message>
    <message>
        <source>Done</source>
        <comment>replay request</comment>
        <translation>Завершено</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <comment>replay request</comment>
        <translation>Отозвано</translation>
    </message>
    <message>
        <source>Waits</source>
        <comment>replay item</comment>
        <translation>Ждёт</translation>
    </message>
    <message>
        <source>Sent, not read back yet</source>
        <comment>replay item</comment>
        <translation>Отправлено, ещё не сверено</translation>
    </message>
    <message>
        <source>Proved</source>
        <comment>replay item</comment>
        <translation>Подтверждено</translation>
    </message>
    <message>
        <source>Failed</source>
        <comment>replay item</comment>
        <translation>Не удалось</translation>
    </message>
    <message>
        <source>Unknown, the key is looked up again</source>
        <comment>replay item</comment>
        <translation>Неизвестно, ключ проверяется снова</translation>
    </message>
    <message>
        <source>Skipped</source>
        <comment>replay item</comment>
        <translation>Пропущено</translation>
    </message>
    <message>
        <source>No-op, already posted</source>
        <comment>replay item</comment>
        <translation>Без изменений, уже проведено</translation>
    </message>
    <message>
        <source>Open</source>
        <comment>dead letter</comment>
        <translation>Открыто</translation>
    </message>
    <message>
        <source>Replaying</source>
        <comment>dead letter</comment>
        <translation>Повторяется</translation>
    </message>
    <message>
        <source>Resolved</source>
        <comment>dead letter</comment>
        <translation>Решено</translation>
    </message>
    <message>
        <source>Discarded</source>
        <comment>dead letter</comment>
        <translation>Отброшено</translation>
    </message>
    <message>
        <source>Closed</source>
        <comment>breaker</comment>
        <translation>Норма</translation>
    </message>
    <message>
        <source>Open</source>
        <comment>breaker</comment>
        <translation>Сработал</translation>
    </message>
    <message>
        <source>Half-open</source>
        <comment>breaker</comment>
        <translation>Проба</translation>
    </message>
    <message>
        <source>Zombie</source>
        <comment>zombie verdict</comment>
        <translation>Зависло</translation>
    </message>
    <message>
        <source>Slow, alive</source>
        <comment>zombie verdict</comment>
        <translation>Медленно, работает</translation>
    </message>
    <message>
        <source>Waits for finality</source>
        <comment>zombie verdict</comment>
        <translation>Ждёт финальности</translation>
    </message>
    <message>
        <source>Unknown</source>
        <comment>zombie verdict</comment>
        <translation>Неизвестно</translation>
    </message>
    <message>
        <source>Held back</source>
        <comment>quarantine</comment>
        <translation>Удержано</translation>
    </message>
    <message>
        <source>Released</source>
        <comment>quarantine</comment>
        <translation>Выпущено</translation>
    </message>
    <message>
        <source>Discarded</source>
        <comment>quarantine</comment>
        <translation>Отброшено</translation>
    </message>
    <message>
        <source>Waits</source>
        <comment>notification</comment>
        <translation>Ждёт</translation>
    </message>
    <message>
        <source>Sent, no answer yet</source>
        <comment>notification</comment>
        <translation>Отправлено, ответа ещё нет</translation>
    </message>
    <message>
        <source>Delivered</source>
        <comment>notification</comment>
        <translation>Доставлено</translation>
    </message>
    <message>
        <source>Paused</source>
        <comment>notification</comment>
        <translation>Приостановлено</translation>
    </message>
    <message>
        <source>Given up</source>
        <comment>notification</comment>
        <translation>Отправка прекращена</translation>
    </message>
    <message>
        <source>Critical</source>
        <comment>severity</comment>
        <translation>Критично</translation>
    </message>
    <message>
        <source>Warning</source>
        <comment>severity</comment>
        <translation>Внимание</translation>
    </message>
    <message>
        <source>Info</source>
        <comment>severity</comment>
        <translation>Сведения</translation>
    </message>
    <message>
        <source>Open</source>
        <comment>alert</comment>
        <translation>Открыта</translation>
    </message>
    <message>
        <source>Acknowledged</source>
        <comment>alert</comment>
        <translation>Принята к сведению</translation>
    </message>
    <message>
        <source>Silenced</source>
        <comment>alert</comment>
        <translation>Заглушена</translation>
    </message>
    <message>
        <source>Resolved</source>
        <comment>alert</comment>
        <translation>Закрыта</translation>
    </message>
    <message>
        <source>Open</source>
        <comment>finding</comment>
        <translation>Открыто</translation>
    </message>
    <message>
        <source>Assigned</source>
        <comment>finding</comment>
        <translation>Назначено</translation>
    </message>
    <message>
        <source>Closed</source>
        <comment>finding</comment>
        <translation>Закрыто</translation>
    </message>
    <message>
        <source>No longer found</source>
        <comment>finding</comment>
        <translation>Больше не найдено</translation>
    </message>
    <message>
        <source>Balance differs</source>
        <comment>finding kind</comment>
        <translation>Баланс расходится</translation>
    </message>
    <message>
        <source>Credit missing</source>
        <comment>finding kind</comment>
        <translation>Нет зачисления</translation>
    </message>
    <message>
        <source>Amount differs</source>
        <comment>finding kind</comment>
        <translation>Сумма расходится</translation>
    </message>
    <message>
        <source>Posted twice</source>
        <comment>finding kind</comment>
        <translation>Проведено дважды</translation>
    </message>
    <message>
        <source>Journal forks</source>
        <comment>finding kind</comment>
        <translation>Журнал раздваивается</translation>
    </message>
    <message>
        <source>Posting without a transfer</source>
        <comment>finding kind</comment>
        <translation>Проводка без перевода</translation>
    </message>
    <message>
        <source>Running</source>
        <comment>reconciliation run</comment>
        <translation>Выполняется</translation>
    </message>
    <message>
        <source>Equal</source>
        <comment>reconciliation run</comment>
        <translation>Сходится</translation>
    </message>
    <message>
        <source>Done</source>
        <comment>reconciliation run</comment>
        <translation>Завершена</translation>
    </message>
    <message>
        <source>Differs</source>
        <comment>reconciliation run</comment>
        <translation>Расходится</translation>
    </message>
    <message>
        <source>Failed</source>
        <comment>reconciliation run</comment>
        <translation>Не удалась</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <comment>reconciliation run</comment>
        <translation>Отозвана</translation>
    </message>
    <message>
        <source>Not run</source>
        <comment>reconciliation run</comment>
        <translation>Не запускалась</translation>
    </message>
    <message>
        <source>Preparing</source>
        <comment>request</comment>
        <translation>Готовится</translation>
    </message>
    <message>
        <source>Waits for approval</source>
        <comment>request</comment>
        <translation>Ждёт согласования</translation>
    </message>
    <message>
        <source>Approved</source>
        <comment>request</comment>
        <translation>Одобрено</translation>
    </message>
    <message>
        <source>Rejected</source>
        <comment>request</comment>
        <translation>Отклонено</translation>
    </message>
    <message>
        <source>Running</source>
        <comment>request</comment>
        <translation>Выполняется</translation>
    </message>
    <message>
        <source>Done</source>
        <comment>request</comment>
        <translation>Завершено</translation>
    </message>
    <message>
        <source>Failed</source>
        <comment>request</comment>
        <translation>Не удалось</translation>
    </message>
    <message>
        <source>Expired</source>
        <comment>request</comment>
        <translation>Срок истёк</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <comment>request</comment>
        <translation>Отозвано</translation>
    </message>
    <message>
        <source>OK</source>
        <comment>health</comment>
        <translation>Норма</translation>
    </message>
    <message>
        <source>Waiting</source>
        <comment>health</comment>
        <translation>Ожидание</translation>
    </message>
    <message>
        <source>Warning</source>
        <comment>health</comment>
        <translation>Внимание</translation>
    </message>
    <message>
        <source>Critical</source>
        <comment>health</comment>
        <translation>Критично</translation>
    </message>
    <message>
        <source>Unknown</source>
        <comment>health</comment>
        <translation>Неизвестно</translation>
    </message>
    <message>
        <source>Production</source>
        <comment>environment</comment>
        <translation>Рабочая среда</translation>
    </message>
    <message>
        <source>Staging</source>
        <comment>environment</comment>
        <translation>Проверочная среда</translation>
    </message>
    <message>
        <source>Test</source>
        <comment>environment</comment>
        <translation>Тестовая среда</translation>
    </message>
    <message>
        <source>Demo</source>
        <comment>environment</comment>
        <translation>Демонстрация</translation>
    </message>
    <message>
        <source>support</source>
        <comment>role</comment>
        <translation>поддержка</translation>
    </message>
    <message>
        <source>operator</source>
        <comment>role</comment>
        <translation>оператор</translation>
    </message>
    <message>
        <source>approver</source>
        <comment>role</comment>
        <translation>согласующий</translation>
    </message>
    <message>
        <source>admin</source>
        <comment>role</comment>
        <translation>администратор</translation>
    </message>
</context>
</TS>
