#!lua
-- Make a game's obligations what they should be at one version; nothing if the game has gone on since.
--
-- KEYS  1 meta   2 due   3 tries   (one hash tag)
-- ARGV  1 version   2 dues to be there   then 2 a due to be there: member, ms; 1 a due not to be there: member
-- Reply {version, added, removed}: the game's version; if it is the one given, the members that were missing and
--   those that were there without reason.
-- Only appends change what a game owes, and each makes a new version: so what follows from a version is right as
-- long as the game is at it, whatever is claimed or completed meanwhile.

local meta, due, tries = KEYS[1], KEYS[2], KEYS[3]
local version = tonumber(redis.call('HGET', meta, 'v') or '0')
local added, removed = {}, {}
if version ~= tonumber(ARGV[1]) then return {version, added, removed} end
local remove_from = 3 + 2 * tonumber(ARGV[2])
for i = remove_from, #ARGV do
  if redis.call('ZREM', due, ARGV[i]) == 1 then removed[#removed + 1] = ARGV[i] end
  redis.call('HDEL', tries, ARGV[i])
end
for i = 3, remove_from - 1, 2 do
  if redis.call('ZADD', due, 'NX', ARGV[i + 1], ARGV[i]) == 1 then added[#added + 1] = ARGV[i] end
end
return {version, added, removed}
