-- KEYS: a key for this script alone. Returns the commands that the user may not run, or not on this key.
local key = KEYS[1]
local denied = {}
local function try(command, ...)
  local reply = redis.pcall(command, ...)
  local error = type(reply) == 'table' and reply.err
  if error and (string.find(error, 'NOPERM') or string.find(error, "can't run") or string.find(error, "can't access")) then
    if denied[#denied] ~= command then
      denied[#denied + 1] = command
    end
  end
end
try('TIME')
try('SET', key, '1', 'PX', '60000')
try('GET', key)
try('EXISTS', key)
try('UNLINK', key)
try('HSET', key, 'a', '1')
try('HINCRBY', key, 'a', '1')
try('HGET', key, 'a')
try('HMGET', key, 'a')
try('HEXISTS', key, 'a')
try('HLEN', key)
try('HSCAN', key, '0')
try('HDEL', key, 'a')
try('RPUSH', key, '1')
try('LPUSH', key, '1')
try('LLEN', key)
try('LINDEX', key, '0')
try('LREM', key, '1', '2')
try('LPOP', key)
try('LPOP', key)
try('SADD', key, '1')
try('SCARD', key)
try('SMISMEMBER', key, '1')
try('SREM', key, '1')
try('ZADD', key, '1', '1')
try('ZSCORE', key, '1')
try('ZCARD', key)
try('ZCOUNT', key, '0', '1')
try('ZRANGE', key, '0', '0')
try('ZRANGEBYSCORE', key, '0', '1')
try('ZREM', key, '1')
redis.pcall('UNLINK', key)
return denied
