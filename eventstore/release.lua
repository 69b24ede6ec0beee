#!lua
-- Give one obligation back before its lease ends, so that it may be handed out again; its attempts stay counted.
--
-- KEYS  1 due   (one hash tag)      ARGV  1 member   2 token, as claim.lua gave it
-- Reply 1 if given back, 0 if it was removed, replaced or claimed again since.

local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not score or tonumber(score) ~= tonumber(ARGV[2]) then return 0 end
local clock = redis.call('TIME')
redis.call('ZADD', KEYS[1], clock[1] * 1000 + math.floor(clock[2] / 1000), ARGV[1])
return 1
