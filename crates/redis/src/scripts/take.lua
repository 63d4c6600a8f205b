-- KEYS: mailbox, operation. ARGV: id, visibility, nonce, ttl_ms, is_repetition
-- Returns the time and the 11 values of a message as `receive` does, or nil if there is none or a receiver has it.
local m, t = mailbox(1), now()
local id, nonce = ARGV[1], ARGV[3]
local function taken(deadline, fields)
  return { t, { id, redis.call('HGET', m.data, id), deadline, unpack(fields, 1, 8) } }
end
if redis.call('GET', KEYS[9]) then
  return is_held(m, id, nonce, t) and taken(redis.call('ZSCORE', m.invisible, id), fields_of(m, id)) or nil
end
local fields = fields_of(m, id)
local holder = redis.call('HGET', m.meta, id .. ':handle')
if redis.call('HEXISTS', m.data, id) == 0 or (holder and is_held(m, id, holder, t)) or has_expired(m, id, t) then
  if is_repetition then
    -- The first sending may still be on its way, and would lease a message that no receiver gets.
    remember(KEYS[9], '0', ARGV[4])
  end
  return nil
end
if redis.call('ZREM', m.invisible, id) == 0 then
  void(m, id)
  sweep(m)
end
redis.call('ZREM', m.delayed, id)
local deadline = int(t + tonumber(ARGV[2]))
lease(m, id, fields, t, deadline, nonce)
remember(KEYS[9], '1', ARGV[4])
return taken(deadline, fields)
