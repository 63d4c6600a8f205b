-- Microseconds since 1970, by the server's clock.
local function now()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end
