-- KEYS: mailbox, operation or accepted id. ARGV: id, body, reply_to, retention, capacity, ttl_ms, accepted_us (0: random id)
local m, t = mailbox(1), now()
local accepted_us = tonumber(ARGV[7])
if accepted_us > 0 then
  return add(m, t, ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5]), KEYS[9], accepted_us)
end
if redis.call('EXISTS', KEYS[9]) == 1 then
  return 'ok'
end
local answer = add(m, t, ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5]), false, 0)
if answer == 'ok' then
  remember(KEYS[9], '', ARGV[6])
end
return answer
