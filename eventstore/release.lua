#!lua
-- Give one obligation back before its lease ends: to be handed out again at once, its attempts counted on, or as
-- due at a later time, as if it were new.
--
-- KEYS  1 due   2 tries   (one hash tag)      ARGV  1 member   2 token, as claim.lua gave it   3 "" or the time, ms
-- Reply 1 if given back, 0 if it was removed, replaced or claimed again since.

local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not score or tonumber(score) ~= tonumber(ARGV[2]) then return 0 end
if ARGV[3] ~= '' then
  redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
  redis.call('HDEL', KEYS[2], ARGV[1])
  return 1
end
local clock = redis.call('TIME')
redis.call('ZADD', KEYS[1], clock[1] * 1000 + math.floor(clock[2] / 1000), ARGV[1])
return 1
