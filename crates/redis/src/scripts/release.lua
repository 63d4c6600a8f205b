-- KEYS: mailbox, operation. ARGV: id, nonce, ttl_ms, is_repetition
-- Returns 'stale', 'ok', or 'expired' if the message has outlived its retention.
local m, t = mailbox(1), now()
local id = ARGV[1]
local repeated = redis.call('GET', KEYS[9])
if repeated then
  return repeated
end
if not is_held(m, id, ARGV[2], t) then
  return 'stale'
end
redis.call('ZREM', m.invisible, id)
local answer = 'expired'
if unlease(m, id, t) then
  answer = 'ok'
  if redis.call('HINCRBY', m.meta, id .. ':count', -1) == 0 then
    redis.call('HDEL', m.meta, id .. ':first_received')
  end
  -- A message that was taken by its id still has its entry, which is void while the message is leased.
  if redis.call('SREM', m.voided, id) == 0 then
    redis.call('LPUSH', m.pending, id)
  end
  wake(m)
end
remember(KEYS[9], answer, ARGV[3])
return answer
