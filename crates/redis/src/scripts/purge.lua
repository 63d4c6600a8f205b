-- KEYS: mailbox, operation. ARGV: ttl_ms, is_repetition
local m, t = mailbox(1), now()
local repeated = redis.call('GET', KEYS[9])
if repeated then
  return tonumber(repeated)
end
-- What has expired is not counted.
requeue(m, t)
expire(m, t)
local count = redis.call('HLEN', m.data)
redis.call('UNLINK', m.pending, m.invisible, m.data, m.meta, m.expires, m.wake, m.voided, m.delayed)
remember(KEYS[9], count, ARGV[1])
return count
