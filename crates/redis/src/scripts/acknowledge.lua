-- KEYS: mailbox, operation. ARGV: id, nonce, ttl_ms, is_repetition
local m, t = mailbox(1), now()
if redis.call('EXISTS', KEYS[9]) == 1 then
  return 'ok'
end
if not is_held(m, ARGV[1], ARGV[2], t) then
  return 'stale'
end
redis.call('ZREM', m.invisible, ARGV[1])
forget(m, ARGV[1])
remember(KEYS[9], '', ARGV[3])
return 'ok'
