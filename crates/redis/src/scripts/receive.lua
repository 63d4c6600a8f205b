-- KEYS: mailbox, operation. ARGV: max_messages, visibility, nonce, ttl_ms, is_repetition
-- Returns time, next due time or -1, expired, orphans, whether to call again at once, then 11 values for each message.
local m, t = mailbox(1), now()
local most, nonce = tonumber(ARGV[1]), ARGV[3]

local reply = { t, -1, 0, 0, 0 }
local function append(id, body, deadline, fields)
  reply[#reply + 1] = { id, body, deadline, unpack(fields, 1, 8) }
end

local repeated = redis.call('GET', KEYS[9])
if repeated then
  for _, id in ipairs(cjson.decode(repeated)) do
    if is_held(m, id, nonce, t) then
      append(id, redis.call('HGET', m.data, id), redis.call('ZSCORE', m.invisible, id), fields_of(m, id))
    end
  end
  return reply
end

local ended, has_more = requeue(m, t)
reply[3] = ended + expire(m, t)
local has_void = redis.call('SCARD', m.voided) > 0
local deadline = int(t + tonumber(ARGV[2]))
local ids, void = {}, 0
while #ids < most and void < VOID_MAX do
  local id = redis.call('LPOP', m.pending)
  if not id then
    break
  end
  local body = redis.call('HGET', m.data, id)
  local fields = fields_of(m, id)
  if has_void and redis.call('SREM', m.voided, id) == 1 then
    void = void + 1
  elseif not body then
    forget(m, id)
    reply[4] = reply[4] + 1
    void = void + 1
  elseif fields[9] and not fields[7] and tonumber(fields[9]) <= t then
    -- More messages have expired at once than `expire` removes.
    forget(m, id)
    reply[3] = reply[3] + 1
    void = void + 1
  else
    lease(m, id, fields, t, deadline, nonce)
    append(id, body, deadline, fields)
    ids[#ids + 1] = id
  end
end

local has_pending = redis.call('LLEN', m.pending) > 0
if #ids == 0 and (has_pending or has_more) then
  reply[5] = 1
end
if #ids > 0 or is_repetition then
  -- A call that finds nothing changes nothing, unless its first sending is still on its way and would lease a message
  -- that no receiver gets.
  remember(KEYS[9], #ids > 0 and cjson.encode(ids) or '[]', ARGV[4])
end
if not has_pending then
  -- Every token announces a message that another receiver has taken.
  redis.call('UNLINK', m.wake)
  if #ids == 0 then
    local next = redis.call('ZRANGE', m.invisible, 0, 0, 'WITHSCORES')
    reply[2] = tonumber(next[2] or -1)
  end
else
  -- A token may have been lost with the receiver that took it.
  if redis.call('LLEN', m.wake) == 0 then
    redis.call('RPUSH', m.wake, '1')
  end
end
return reply
