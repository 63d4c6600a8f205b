-- KEYS: mailbox, operation, accepted id (of an explicit id).
-- ARGV: id, body, reply_to, retention, capacity, ttl_ms, accepted_us (0: random id), is_repetition
-- Returns 'ok', 'full', or 'again' to call again at once; and how many messages have expired.
local m, t = mailbox(1), now()
local repeated = redis.call('GET', KEYS[9])
if repeated then
  return { repeated, 0 }
end
local accepted_us = tonumber(ARGV[7])
local accepted_key = accepted_us > 0 and KEYS[10]
local answer, expired =
  add(m, t, ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5]), accepted_key, accepted_us)
-- An explicit id that was accepted is remembered as such. A rejection is final only if it may have been the answer to a
-- repetition: the first call may still be on its way.
if (answer == 'ok' and not accepted_key) or (answer == 'full' and is_repetition) then
  remember(KEYS[9], answer, ARGV[6])
end
return { answer, expired }
