-- KEYS: mailbox. ARGV: is_repetition. Returns pending, leased, delayed, expired, whether to call again because more may be due.
local m, t = mailbox(1), now()
local ended, has_more_leases = requeue(m, t)
local removed, has_more = expire(m, t)
local later = '(' .. int(t)
local invisible = redis.call('ZCOUNT', m.invisible, later, '+inf')
local delayed = redis.call('ZCOUNT', m.delayed, later, '+inf')
return {
  redis.call('HLEN', m.data) - invisible, invisible - delayed, delayed, ended + removed,
  (has_more or has_more_leases) and 1 or 0,
}
