#!lua
-- Let one player use an invitation, if it is still good.
--
-- KEYS  1 invitation   2 its guests   (one hash tag)      ARGV  1 player   2 now, ms
-- Reply 1 if the player is one of its guests now, or was; 0 if it is none, withdrawn, expired or used up.

local invitation, guests = KEYS[1], KEYS[2]
local player, now = ARGV[1], tonumber(ARGV[2])

local held = redis.call('HMGET', invitation, 'uses', 'expires', 'withdrawn')
if not held[1] or held[3] or tonumber(held[2]) <= now then return 0 end
if redis.call('HEXISTS', guests, player) == 1 then return 1 end
if redis.call('HLEN', guests) >= tonumber(held[1]) then return 0 end
redis.call('HSET', guests, player, now)
return 1
