-- KEYS: mailbox, mailbox of letters, operation, accepted id of the letter.
-- ARGV: id, nonce, ttl_ms, letter id, letter, reply_to, retention, capacity, accepted_us, is_repetition
-- Returns 'ok', 'stale', 'full', or 'again' to call again at once; and how many letters have expired.
local m, letters, t = mailbox(1), mailbox(9), now()
local repeated = redis.call('GET', KEYS[17])
if repeated then
  return { repeated, 0 }
end
if not is_held(m, ARGV[1], ARGV[2], t) then
  return { 'stale', 0 }
end
local answer, expired = add(letters, t, ARGV[4], ARGV[5], ARGV[6], tonumber(ARGV[7]), tonumber(ARGV[8]), KEYS[18],
  tonumber(ARGV[9]))
if answer == 'ok' then
  redis.call('ZREM', m.invisible, ARGV[1])
  forget(m, ARGV[1])
end
if answer == 'ok' or (answer == 'full' and is_repetition) then
  remember(KEYS[17], answer, ARGV[3])
end
return { answer, expired }
