-- KEYS: mailbox, mailbox of letters, operation, accepted id of the letter.
-- ARGV: id, nonce, ttl_ms, letter id, letter, retention, capacity, accepted_us
local m, letters, t = mailbox(1), mailbox(9), now()
if redis.call('EXISTS', KEYS[17]) == 1 then
  return 'ok'
end
if not is_held(m, ARGV[1], ARGV[2], t) then
  return 'stale'
end
local sent = add(letters, t, ARGV[4], ARGV[5], '', tonumber(ARGV[6]), tonumber(ARGV[7]), KEYS[18], tonumber(ARGV[8]))
if sent ~= 'ok' then
  return sent
end
redis.call('ZREM', m.invisible, ARGV[1])
forget(m, ARGV[1])
remember(KEYS[17], '', ARGV[3])
return 'ok'
