#!lua
-- Hand out what is due in one shard, each for the length of a lease, and keep the shard's mark of being alive.
--
-- KEYS  1 due   2 tries   3 alive   (one hash tag)
-- ARGV  1 most to hand out   2 lease, ms   3 "" for a sweep, or the one member wanted
-- Reply {now, gaps, claims, next}: gaps = {since, ms, ...}; claims = {member, attempt, due, token, ...}, flat.
--   `due` is the time at which it fell due first; `token` its score while leased. While a gap is pending, members
--   whose kind is `clock` are passed over. Only a sweep writes the mark, and finds gaps. `next` is the time at which
--   something falls due next or a lease ends, -1 if nothing will.

local GAP_MS = 5000    -- as in append.lua
local MARK_MS = 1000   -- the mark is written at most this often: every write goes to disk

local due, tries, alive = KEYS[1], KEYS[2], KEYS[3]
local most, lease, wanted = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3]

local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)

local mark = tonumber(redis.call('HGET', alive, 'at') or now - MARK_MS)
local unnoticed = now - mark > GAP_MS
if wanted == '' and unnoticed then redis.call('HSET', alive, mark, now - mark) end
-- Also when the clock stepped back, or the mark would stay in the future and hide a real gap.
if wanted == '' and (now - mark >= MARK_MS or now < mark) then redis.call('HSET', alive, 'at', now) end

local gaps = {}
local fields = redis.call('HGETALL', alive)
for i = 1, #fields, 2 do
  if fields[i] ~= 'at' then
    gaps[#gaps + 1] = fields[i]
    gaps[#gaps + 1] = fields[i + 1]
  end
end
local held = #gaps > 0 or unnoticed

local claims = {}
local function hand_out(member, score)
  if held and string.sub(member, 1, 6) == 'clock:' then return end
  local tried = redis.call('HGET', tries, member) or '0 ' .. score
  local count, first_due = string.match(tried, '^(%d+) (%d+)$')
  local attempt, token = count + 1, now + lease
  redis.call('ZADD', due, token, member)
  redis.call('HSET', tries, member, attempt .. ' ' .. first_due)
  for _, part in ipairs({member, attempt, first_due, token}) do claims[#claims + 1] = part end
end

if wanted ~= '' then
  local score = redis.call('ZSCORE', due, wanted)
  if score and tonumber(score) <= now then hand_out(wanted, score) end
  return {now, gaps, claims, -1}
end

-- Read page by page, and all before the first is handed out, which moves it within the set. Without a gap one page does.
local found = {}
for offset = 0, redis.call('ZCARD', due), math.max(most, 1) do
  local page = redis.call('ZRANGEBYSCORE', due, '-inf', now, 'WITHSCORES', 'LIMIT', offset, most)
  for i = 1, #page, 2 do
    if #found < 2 * most and not (held and string.sub(page[i], 1, 6) == 'clock:') then
      found[#found + 1] = page[i]
      found[#found + 1] = page[i + 1]
    end
  end
  if #page < 2 * most or #found >= 2 * most then break end
end
for i = 1, #found, 2 do hand_out(found[i], found[i + 1]) end
local coming = redis.call('ZRANGEBYSCORE', due, '(' .. now, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
return {now, gaps, claims, tonumber(coming[2] or '-1')}
