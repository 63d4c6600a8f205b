-- What all scripts share. A mailbox is 8 keys of one hash tag, in this order.
local function mailbox(first)
  return {
    pending = KEYS[first], invisible = KEYS[first + 1], data = KEYS[first + 2], meta = KEYS[first + 3],
    expires = KEYS[first + 4], wake = KEYS[first + 5], voided = KEYS[first + 6], delayed = KEYS[first + 7],
  }
end

-- How many messages one call moves or expires.
local BATCH = 100
-- The most void entries that one call removes.
local VOID_MAX = 1000
-- The most wake tokens that wait for a receiver.
local WAKE_MAX = 64

-- The last argument of every call: whether the client may have sent it before.
local is_repetition = ARGV[#ARGV] == '1'

-- Lua prints large numbers in scientific notation.
local function int(number)
  return string.format('%.0f', number)
end

-- Remembers the answer to an operation, for its repetition after a lost reply.
local function remember(key, answer, ttl_ms)
  redis.call('SET', key, answer, 'PX', ttl_ms)
end

local function wake(m)
  if redis.call('LLEN', m.wake) < WAKE_MAX then
    redis.call('RPUSH', m.wake, '1')
  end
end

-- Removes a message that is in neither `pending` nor `invisible`.
local function forget(m, id)
  redis.call('HDEL', m.data, id)
  redis.call('HDEL', m.meta, id .. ':count', id .. ':enqueued', id .. ':handle', id .. ':reply_to',
    id .. ':first_received', id .. ':uncharged', id .. ':last_error', id .. ':verdict', id .. ':parts', id .. ':expires')
  redis.call('ZREM', m.expires, id)
end

-- The end of a message's retention, or false if it has none. A message with a verdict waits for its hand-over: until its
-- letter exists, it is the only trace of the failure.
local function expires_at(m, id)
  local fields = redis.call('HMGET', m.meta, id .. ':expires', id .. ':verdict')
  return not fields[2] and fields[1]
end

-- Lets the retention of a message count again after its lease. Returns false if it is over, and the message is gone.
local function unlease(m, id, t)
  redis.call('HDEL', m.meta, id .. ':handle')
  local expires = expires_at(m, id)
  if not expires then
    return true
  end
  if tonumber(expires) <= t then
    forget(m, id)
    return false
  end
  redis.call('ZADD', m.expires, expires, id)
  return true
end

-- Moves messages whose lease or delay has ended to the tail. Returns how many have outlived their retention, and whether
-- there may be more.
local function requeue(m, t)
  local expired = 0
  local due = redis.call('ZRANGEBYSCORE', m.invisible, '-inf', int(t), 'LIMIT', 0, BATCH)
  for _, id in ipairs(due) do
    redis.call('ZREM', m.invisible, id)
    redis.call('ZREM', m.delayed, id)
    if unlease(m, id, t) then
      redis.call('RPUSH', m.pending, id)
    else
      expired = expired + 1
    end
  end
  if #due > expired then
    wake(m)
  end
  return expired, #due == BATCH
end

-- Makes the entry of a pending message void. It stays in the list: removing it from the middle would take time in
-- proportion to the list. Of the entries of one id, only the first can be void.
local function void(m, id)
  if redis.call('SADD', m.voided, id) == 0 then
    redis.call('LREM', m.pending, 1, id)
  end
end

-- Removes all void entries. Every entry moves once around the list, so that the order stays.
local function compact(m)
  local left = redis.call('LLEN', m.pending)
  while left > 0 do
    local ids = redis.call('LPOP', m.pending, math.min(left, VOID_MAX))
    left = left - #ids
    local kept = {}
    for index, is_void in ipairs(redis.call('SMISMEMBER', m.voided, unpack(ids))) do
      if is_void == 0 or redis.call('SREM', m.voided, ids[index]) == 0 then
        kept[#kept + 1] = ids[index]
      end
    end
    if #kept > 0 then
      redis.call('RPUSH', m.pending, unpack(kept))
    end
  end
end

-- Removes void entries: those at the head, and all when they are more than half of the list, so that each one costs a
-- constant time, and a message that stays at the head forever does not keep those behind it.
local function sweep(m)
  for _ = 1, VOID_MAX do
    local head = redis.call('LINDEX', m.pending, 0)
    if not head or redis.call('SREM', m.voided, head) == 0 then
      break
    end
    redis.call('LPOP', m.pending)
  end
  local count = redis.call('SCARD', m.voided)
  if count > VOID_MAX and 2 * count > redis.call('LLEN', m.pending) then
    compact(m)
  end
end

-- Removes a message beyond its retention.
local function remove_expired(m, id)
  redis.call('ZREM', m.delayed, id)
  if redis.call('ZREM', m.invisible, id) == 0 then
    void(m, id)
  end
  forget(m, id)
end

-- Removes messages beyond their retention, and void entries. Returns how many messages, and whether there may be more.
local function expire(m, t)
  local due = redis.call('ZRANGEBYSCORE', m.expires, '-inf', int(t), 'LIMIT', 0, BATCH)
  for _, id in ipairs(due) do
    remove_expired(m, id)
  end
  if #due > 0 then
    sweep(m)
  end
  return #due, #due == BATCH
end

-- Whether this is the handle of a lease that has not ended.
local function is_held(m, id, nonce, t)
  if redis.call('HGET', m.meta, id .. ':handle') ~= nonce then
    return false
  end
  local deadline = redis.call('ZSCORE', m.invisible, id)
  return deadline and tonumber(deadline) > t
end

-- Whether the retention of a message is over, and no lease keeps it.
local function has_expired(m, id, t)
  local expires, holder = expires_at(m, id), redis.call('HGET', m.meta, id .. ':handle')
  return expires and tonumber(expires) <= t and not (holder and is_held(m, id, holder, t))
end

-- Adds a message. Returns 'ok', also for an id that was accepted before, 'full', or 'again' if a repeated call may find
-- space; and how many messages have expired. `accepted_key` remembers an explicit id; it is false for a random one.
local function add(m, t, id, body, reply_to, retention, capacity, accepted_key, accepted_us)
  local expired = expire(m, t)
  if redis.call('HEXISTS', m.data, id) == 1 then
    if not has_expired(m, id, t) then
      return 'ok', expired
    end
    remove_expired(m, id)
    expired = expired + 1
  end
  if accepted_key then
    local accepted_until = redis.call('GET', accepted_key)
    if accepted_until and tonumber(accepted_until) > t then
      return 'ok', expired
    end
  end
  if capacity > 0 and redis.call('HLEN', m.data) >= capacity then
    local ended, has_more = requeue(m, t)
    expired = expired + ended
    if redis.call('HLEN', m.data) >= capacity then
      return has_more and 'again' or 'full', expired
    end
  end
  redis.call('HSET', m.data, id, body)
  redis.call('HSET', m.meta, id .. ':count', '0', id .. ':enqueued', int(t))
  if reply_to ~= '' then
    redis.call('HSET', m.meta, id .. ':reply_to', reply_to)
  end
  if retention > 0 then
    redis.call('HSET', m.meta, id .. ':expires', int(t + retention))
    redis.call('ZADD', m.expires, int(t + retention), id)
  end
  -- An expired message with this id may have left a void entry, which is not the place of the new one.
  if redis.call('SREM', m.voided, id) == 1 then
    redis.call('LREM', m.pending, 1, id)
  end
  redis.call('RPUSH', m.pending, id)
  if accepted_key then
    redis.call('SET', accepted_key, int(t + accepted_us), 'PX', int(math.ceil(accepted_us / 1000)))
  end
  wake(m)
  return 'ok', expired
end

-- What a delivery has besides its id, body and deadline; the last one is the end of its retention.
local function fields_of(m, id)
  return redis.call('HMGET', m.meta, id .. ':count', id .. ':uncharged', id .. ':enqueued', id .. ':first_received',
    id .. ':reply_to', id .. ':last_error', id .. ':verdict', id .. ':parts', id .. ':expires')
end

-- Leases a message that is in neither `pending` nor `invisible`, and changes its fields accordingly.
local function lease(m, id, fields, t, deadline, nonce)
  fields[1] = fields[1] + 1
  fields[4] = fields[4] or int(t)
  redis.call('HSET', m.meta, id .. ':count', fields[1], id .. ':first_received', fields[4], id .. ':handle', nonce)
  redis.call('ZADD', m.invisible, deadline, id)
  redis.call('ZREM', m.expires, id)
end
