#!lua
-- Remove one obligation if the caller still holds its lease.
--
-- KEYS  1 due   2 tries   (one hash tag)      ARGV  1 member   2 token, as claim.lua gave it
-- Reply 1 if removed, 0 if it was removed, replaced or claimed again since.

local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not score or tonumber(score) ~= tonumber(ARGV[2]) then return 0 end
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[2], ARGV[1])
return 1
