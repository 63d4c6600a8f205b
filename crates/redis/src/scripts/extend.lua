-- KEYS: mailbox, operation. ARGV: id, nonce, ttl_ms, timeout, may_shorten, is_repetition
-- Returns the deadline, or -1 if the handle is stale.
local m, t = mailbox(1), now()
local id = ARGV[1]
local repeated = redis.call('GET', KEYS[9])
if repeated then
  return tonumber(repeated)
end
if not is_held(m, id, ARGV[2], t) then
  return -1
end
local before = tonumber(redis.call('ZSCORE', m.invisible, id))
local deadline = t + tonumber(ARGV[4])
if ARGV[5] == '0' and before > deadline then
  deadline = before
end
redis.call('ZADD', m.invisible, int(deadline), id)
remember(KEYS[9], int(deadline), ARGV[3])
return deadline
