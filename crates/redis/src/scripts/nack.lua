-- KEYS: mailbox, operation. ARGV: id, nonce, ttl_ms, delay, charge, has_error, error, verdict, parts, is_repetition
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
-- Before its retention counts again: a message with a verdict does not expire.
if ARGV[8] ~= '' then
  redis.call('HSET', m.meta, id .. ':verdict', ARGV[8])
end
local answer = 'expired'
if unlease(m, id, t) then
  answer = 'ok'
  if ARGV[5] == '0' then
    redis.call('HINCRBY', m.meta, id .. ':uncharged', 1)
  end
  if ARGV[6] == '1' then
    redis.call('HSET', m.meta, id .. ':last_error', ARGV[7])
  end
  if ARGV[9] ~= '' then
    redis.call('HSET', m.meta, id .. ':parts', ARGV[9])
  end
  local delay = tonumber(ARGV[4])
  if delay > 0 then
    redis.call('ZADD', m.invisible, int(t + delay), id)
    redis.call('ZADD', m.delayed, int(t + delay), id)
  else
    redis.call('RPUSH', m.pending, id)
  end
  -- Also for a delay: a receiver that waits has to wait until its end.
  wake(m)
end
remember(KEYS[9], answer, ARGV[3])
return answer
