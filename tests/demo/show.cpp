#include "tests/demo/show.h"

#include "processor/base/uuid.h"
#include "tests/demo/audit.h"
#include "tests/demo/interrupt.h"
#include "tests/demo/latency.h"
#include "tests/demo/programs.h"
#include "tests/demo/report.h"
#include "tests/demo/sender.h"
#include "tests/demo/traffic.h"
#include "tests/support/temp_folder.h"
#include "tests/support/wait.h"

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <utility>

namespace demo {
namespace {

using namespace std::chrono_literals;

constexpr auto kSettledWithin = 60s;
constexpr auto kTrafficWithin = 300s;

void say(const std::string& text)
{
    std::fprintf(stderr, "%s\n", text.c_str());
}

base::Error stopped()
{
    return {base::ErrorKind::Unavailable, "interrupted"};
}

class Run
{
public:
    Run(const Options& options, std::string folder, Interrupt& interrupt)
        : m_options{options}
        , m_folder{std::move(folder)}
        , m_prefix{base::randomUuid().substr(0, 8) + "-"}
        , m_interrupt{interrupt}
    {}

    base::Result<Report> go()
    {
        if (const auto up = start(); !up) return up.error();
        Report report;
        if (const auto busy = beBusy(report); !busy) return busy.error();
        say("Measuring how long one payment takes, at 50 a second ...");
        auto secret = m_programs->secret();
        if (!secret) return secret.error();
        const auto latency = measureLatency({.address = m_programs->endpoints().http,
                                                .secret = *secret,
                                                .databaseUrl = m_programs->endpoints().databaseUrl,
                                                .prefix = m_prefix},
            m_tally);
        if (!latency) return latency.error();
        report.latency = *latency;
        if (const auto settled = waitSettled(); !settled) return settled.error();
        say("Reading the books from outside ...");
        report.answers = m_tally.answers();
        auto findings = m_audit->run(report.answers);
        if (!findings) return findings.error();
        report.findings = std::move(*findings);
        if (const std::string ended = m_programs->whoEnded(); !ended.empty()) {
            report.findings.complaints.push_back(ended);
        }
        return report;
    }

    void playUntilInterrupted()
    {
        explain();
        while (!m_interrupt.hasCome(500ms)) {
            if (const std::string ended = m_programs->whoEnded(); !ended.empty()) return say(ended);
        }
    }

    base::Status stop() { return m_programs ? m_programs->stop() : base::Done{}; }

private:
    base::Status start()
    {
        say("Starting PostgreSQL, Redis and the processor in " + m_folder + " ...");
        auto programs = Programs::start(m_folder);
        if (!programs) return programs.error();
        m_programs.emplace(std::move(*programs));

        auto audit
            = Audit::begin(m_programs->endpoints().databaseUrl, m_programs->endpoints().redisUrl);
        if (!audit) return audit.error();
        m_audit.emplace(std::move(*audit));
        if (auto imported = importUsers(); !imported) return imported;
        return m_programs->startWorker();
    }

    base::Status importUsers()
    {
        const std::string file = m_folder + "/users.csv";
        if (std::filesystem::exists(file)) return base::Done{}; // a kept folder: imported already
        {
            std::ofstream out{file + ".new"};
            out << usersFile();
            if (!out.flush()) {
                return base::Error{base::ErrorKind::Unavailable, "cannot write " + file};
            }
        }
        if (auto imported = m_programs->importUsers(file + ".new"); !imported) return imported;
        std::filesystem::rename(file + ".new", file);
        return base::Done{};
    }

    base::Status beBusy(Report& report)
    {
        const auto secret = m_programs->secret();
        if (!secret) return secret.error();
        const auto messages
            = makeTraffic({.prefix = m_prefix, .count = m_options.events, .seed = m_options.seed});
        say("Sending " + std::to_string(messages.size()) + " webhooks over 8 connections ...");
        const auto began = std::chrono::steady_clock::now();
        Sender sender{
            {.address = m_programs->endpoints().http, .secret = *secret}, messages, m_tally};

        if (auto sent = waitTaken(sender, messages.size() / 3); !sent) return sent;
        say("Killing the settling process (SIGKILL) and starting another ...");
        m_programs->killWorker();
        if (auto started = m_programs->startWorker(); !started) return started;

        if (auto sent = waitTaken(sender, messages.size() * 2 / 3); !sent) return sent;
        const auto pid = m_audit->redisPid();
        if (!pid) return pid.error();
        say("Killing Redis (SIGKILL) ...");
        ::kill(static_cast<pid_t>(*pid), SIGKILL);

        if (auto sent = waitTaken(sender, messages.size()); !sent) return sent;
        sender.finish();
        if (auto settled = waitSettled(); !settled) return settled;
        report.duration = std::chrono::duration_cast<std::chrono::milliseconds>(
            std::chrono::steady_clock::now() - began);
        return base::Done{};
    }

    base::Status waitTaken(const Sender& sender, std::size_t count)
    {
        const bool reached = support::waitUntil(
            [&] { return sender.taken() >= count || m_interrupt.hasCome(); }, kTrafficWithin);
        if (m_interrupt.hasCome()) return stopped();
        if (reached) return base::Done{};
        return base::Error{base::ErrorKind::Unavailable,
            "only " + std::to_string(sender.taken()) + " webhooks were taken within five minutes"};
    }

    base::Status waitSettled()
    {
        const auto settled = m_audit->waitSettled(kSettledWithin);
        if (!settled) return settled.error();
        if (!*settled) say("NOT everything was settled within 60 s");
        const auto relayed = m_audit->waitRelayed(kSettledWithin);
        if (!relayed) return relayed.error();
        if (!*relayed) say("NOT everything was in the stream within 60 s");
        return base::Done{};
    }

    void explain() const
    {
        const Endpoints& at = m_programs->endpoints();
        say("\nStill running; Ctrl-C ends it. A webhook of your own:\n"
            "\n  body='{\"event_id\":\"mine-1\",\"event_type\":\"deposit\",\"user_id\":1,"
            "\"amount\":\"1.5\"}'"
            "\n  signature=$(printf %s \"$body\" | openssl dgst -sha256 -hmac \"$(cat "
            + at.secretFile + ")\" | sed 's/.* //')" + "\n  curl -s http://" + at.http
            + "/webhook/payments -H \"X-Alchemy-Signature: $signature\" --data-binary \"$body\""
            + "\n\nHow it stands, and the books:\n\n  curl -s http://" + at.admin + "/status"
            + "\n  psql '" + at.databaseUrl
            + "' -c \"select * from payment_status where user_id = 1\"\n");
    }

    const Options& m_options;
    const std::string m_folder;
    const std::string m_prefix;
    Interrupt& m_interrupt;
    Tally m_tally;
    std::optional<Programs> m_programs;
    std::optional<Audit> m_audit;
};

} // namespace

int show(const Options& options)
{
    Interrupt interrupt;
    const bool isKept = !options.folder.empty();
    if (isKept) std::filesystem::create_directories(options.folder);
    const std::string folder = isKept ? options.folder : support::makeTempFolder();
    Run run{options, folder, interrupt};

    bool isRight = false;
    if (const auto report = run.go()) {
        isRight = report->isRight();
        std::fputs(tableOf(*report).c_str(), stdout);
        if (options.isJson) std::printf("%s\n", jsonOf(*report).c_str());
        std::fflush(stdout);
        if (!options.isHeadless) run.playUntilInterrupted();
    } else {
        say("countersign-demo: " + report.error().message);
    }
    if (const auto ended = run.stop(); !ended) {
        say("countersign-demo: " + ended.error().message);
        isRight = false;
    }
    if (isKept || !isRight) {
        say("Data and logs are in " + folder);
    } else {
        std::error_code ignored;
        std::filesystem::remove_all(folder, ignored);
    }
    return isRight ? 0 : 1;
}

} // namespace demo
