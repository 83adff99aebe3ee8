#include "processor/embedded/stack.h"

#include "processor/embedded/folder.h"
#include "processor/embedded/keeper.h"
#include "processor/embedded/postgres.h"
#include "processor/embedded/redis_server.h"

#include <thread>

namespace embedded {

struct Stack::State
{
    Folder folder; // first: its lock is the last thing to go
    Keeper postgres;
    Keeper redis;

    Keeper& of(Store store) { return store == Store::Postgres ? postgres : redis; }
};

Stack::Stack(std::unique_ptr<State> state) : m_state{std::move(state)} {}

Stack::~Stack()
{
    stop();
}

base::Result<std::unique_ptr<Stack>> Stack::start(StackOptions options)
{
    auto folder = Folder::open(options.folder);
    if (!folder) return folder.error();
    if (const auto secret = folder->ensureSecret(); !secret) return secret.error();
    auto postgres = planPostgres(*folder, {options.fsync, options.postgresSettings});
    if (!postgres) return postgres.error();
    auto redis = planRedis(*folder, options.redisSettings);
    if (!redis) return redis.error();
    if (const auto& hook = options.onRestarted) {
        postgres->onRestarted = [hook] { hook(Store::Postgres); };
        redis->onRestarted = [hook] { hook(Store::Redis); };
    }

    std::unique_ptr<State> state{
        new State{std::move(*folder), Keeper{std::move(*postgres)}, Keeper{std::move(*redis)}}};
    if (const auto up = state->redis.start(); !up) return up.error();
    if (const auto up = state->postgres.start(); !up) return up.error();
    return std::unique_ptr<Stack>{new Stack{std::move(state)}};
}

std::string Stack::databaseUrl(const std::string& database) const
{
    return postgresUrl(m_state->folder, database);
}

std::string Stack::redisUrl() const
{
    return "unix://" + redisSocket(m_state->folder);
}

std::string Stack::secretFile() const
{
    return m_state->folder.secretFile();
}

const std::string& Stack::folder() const
{
    return m_state->folder.path();
}

pid_t Stack::pid(Store store) const
{
    return m_state->of(store).pid();
}

bool Stack::isUp(Store store) const
{
    return m_state->of(store).isUp();
}

bool Stack::waitUp(Store store, std::chrono::milliseconds limit) const
{
    return m_state->of(store).waitUp(limit);
}

void Stack::hold(Store store)
{
    m_state->of(store).hold();
}

base::Status Stack::release(Store store)
{
    return m_state->of(store).release();
}

void Stack::stop()
{
    m_state->postgres.stop();
    m_state->redis.stop();
}

} // namespace embedded
