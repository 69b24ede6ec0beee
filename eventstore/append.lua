#!lua
-- Append one batch of records to one game's log, or say why not.
--
-- KEYS  1 stream   2 meta   3 commands   4 due   5 tries   6 open   7 bell   8 alive   (one hash tag)
-- ARGV  1 game id             2 command digest      3 fingerprint (FP_BYTES)   4 expected version
--       5 expected head       6 at, ms              7 not_before, ms or ""     8 not_after, ms or ""
--       9 "1" to close or ""  10 new head           11 most unseen records to return
--       12 length the bell is trimmed to            13 records   14 dues added   15 dues removed
--       then 4 a record: type, schema version, record, secret; 2 a due added: member, ms; 1 a due removed: member
--
-- Replies, `now` always the store's time in ms, `entries` as XRANGE gives them; in the order of the checks:
--   DUP     now first last entries            this command was appended before, as versions first..last
--   REUSED  now                               this command id came before with another fingerprint
--   CLOSED  now version head                  nothing is appended to this game any more
--   STALE   now version head at more entries  the caller has not seen `entries`; more = 1 if there are others
--   AHEAD   now version head                  the caller has seen more than there is
--   FORK    now version head                  same version, other history
--   CLOCK   now use                           `at` is not acceptable, `use` is
--   EARLY   now gap                           before not_before, or (gap = 1) downtime is still to be credited
--   LATE    now                               after not_after
--   OK      now version
-- An argument that could make a write fail is an error reply, before the first write. The shebang lets the server
-- refuse the whole script when memory is full; no flag may be added that changes that.

local FP_BYTES = 16      -- a commands value is the fingerprint, then "first-last"
local SKEW_MS = 1000     -- how far `at` may be from the store's clock
local GAP_MS = 5000      -- an `alive` mark older than this means that nobody swept; as in claim.lua
local BATCH_CAP = 64

local stream, meta, commands = KEYS[1], KEYS[2], KEYS[3]
local due, tries, open, bell, alive = KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8]
local game, command, fingerprint = ARGV[1], ARGV[2], ARGV[3]
local expected, at = tonumber(ARGV[4]), tonumber(ARGV[6])
local records, added, removed = tonumber(ARGV[13]), tonumber(ARGV[14]), tonumber(ARGV[15])
local add_from = 16 + 4 * records
local remove_from = add_from + 2 * added

if #ARGV ~= remove_from + removed - 1 then return redis.error_reply('ERR append: wrong number of arguments') end
if records < 1 or records > BATCH_CAP then return redis.error_reply('ERR append: a batch has 1 to 64 records') end
if #fingerprint ~= FP_BYTES then return redis.error_reply('ERR append: a fingerprint has 16 bytes') end
for i = add_from, remove_from - 1, 2 do
  if not string.find(ARGV[i + 1], '^%d+$') then return redis.error_reply('ERR append: a due time is not in ms') end
end

local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)

local seen = redis.call('HGET', commands, command)
if seen then
  if string.sub(seen, 1, FP_BYTES) ~= fingerprint then return {'REUSED', now} end
  local first, last = string.match(string.sub(seen, FP_BYTES + 1), '^(%d+)-(%d+)$')
  return {'DUP', now, tonumber(first), tonumber(last), redis.call('XRANGE', stream, first .. '-0', last .. '-0')}
end

local m = redis.call('HMGET', meta, 'v', 'h', 'a', 'c')
local version, head, last_at = tonumber(m[1] or '0'), m[2] or '', tonumber(m[3] or '0')
if m[4] then return {'CLOSED', now, version, head} end
if expected < version then
  local most = tonumber(ARGV[11])
  local more = version - expected > most and 1 or 0
  local unseen = redis.call('XRANGE', stream, '(' .. expected .. '-0', '+', 'COUNT', most)
  return {'STALE', now, version, head, last_at, more, unseen}
end
if expected > version then return {'AHEAD', now, version, head} end
-- An empty log has no head of its own: the first record's `prev` follows from the game id, which the caller checks.
if version > 0 and head ~= ARGV[5] then return {'FORK', now, version, head} end

local in_step = at >= last_at and math.abs(at - now) <= SKEW_MS
local stepped_back = at == last_at and now < last_at
if not in_step and not stepped_back then return {'CLOCK', now, math.max(now, last_at)} end

if ARGV[7] ~= '' or ARGV[8] ~= '' then
  local mark = tonumber(redis.call('HGET', alive, 'at') or now)
  local gap = redis.call('HLEN', alive) > 1 or now - mark > GAP_MS
  if ARGV[7] ~= '' and gap then return {'EARLY', now, 1} end
  if ARGV[7] ~= '' and math.min(at, now) < tonumber(ARGV[7]) then return {'EARLY', now, 0} end
  if ARGV[8] ~= '' and not gap and at > tonumber(ARGV[8]) then return {'LATE', now} end
end

for i = 0, records - 1 do
  local r = 16 + 4 * i
  local id = (version + i + 1) .. '-0'
  redis.call('XADD', stream, id, 't', ARGV[r], 'n', ARGV[r + 1], 'r', ARGV[r + 2], 's', ARGV[r + 3])
end
local new = version + records
redis.call('HSET', meta, 'v', new, 'h', ARGV[10], 'a', ARGV[6])
redis.call('HSET', commands, command, fingerprint .. (version + 1) .. '-' .. new)
-- Removed before added: one that is in both is replaced (new time, no lease, no attempts); one only added that is
-- there already keeps its time, lease and attempts, since the same member is the same decision.
for i = remove_from, #ARGV do
  redis.call('ZREM', due, ARGV[i])
  redis.call('HDEL', tries, ARGV[i])
end
for i = add_from, remove_from - 1, 2 do
  redis.call('ZADD', due, 'NX', ARGV[i + 1], ARGV[i])
end
if version == 0 then redis.call('SADD', open, game) end
if ARGV[9] == '1' then
  redis.call('HSET', meta, 'c', '1')
  redis.call('SREM', open, game)
end
redis.call('XADD', bell, 'MAXLEN', '~', ARGV[12], '*', 'g', game, 'v', new)
return {'OK', now, new}
