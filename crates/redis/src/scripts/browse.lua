-- KEYS: mailbox. ARGV: cursor, count, bytes_max, is_repetition. Changes nothing.
-- Returns the next cursor ('0' at the end), then id, body, count, enqueued, reply_to, whether leased, for each message.
-- A part ends after `count` buckets of the hash, or when its bodies have `bytes_max`.
local m, t = mailbox(1), now()
local reply, bytes = { ARGV[1] }, 0
for _ = 1, tonumber(ARGV[2]) do
  local page = redis.call('HSCAN', m.data, reply[1], 'COUNT', 1)
  reply[1] = page[1]
  for index = 1, #page[2], 2 do
    local id, body = page[2][index], page[2][index + 1]
    bytes = bytes + #body
    local fields = redis.call('HMGET', m.meta, id .. ':count', id .. ':enqueued', id .. ':reply_to', id .. ':handle')
    if not has_expired(m, id, t) then
      local is_leased = fields[4] and is_held(m, id, fields[4], t)
      reply[#reply + 1] = { id, body, fields[1], fields[2], fields[3], is_leased and 1 or 0 }
    end
  end
  if reply[1] == '0' or bytes >= tonumber(ARGV[3]) then
    break
  end
end
return reply
