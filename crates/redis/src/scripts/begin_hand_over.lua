-- KEYS: mailbox, operation. ARGV: id, nonce, ttl_ms, lease, error, verdict, is_repetition
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
redis.call('HSET', m.meta, id .. ':last_error', ARGV[5], id .. ':verdict', ARGV[6])
local deadline = math.max(tonumber(redis.call('ZSCORE', m.invisible, id)), t + tonumber(ARGV[4]))
redis.call('ZADD', m.invisible, int(deadline), id)
remember(KEYS[9], int(deadline), ARGV[3])
return deadline
