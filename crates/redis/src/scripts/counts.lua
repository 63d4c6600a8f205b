-- KEYS: mailbox. Returns pending, leased, delayed, expired, whether to call again because more may have expired.
local m, t = mailbox(1), now()
local expired = requeue(m, t)
local removed, has_more = expire(m, t)
drop_void_list(m)
local later = '(' .. int(t)
local invisible = redis.call('ZCOUNT', m.invisible, later, '+inf')
local delayed = redis.call('ZCOUNT', m.delayed, later, '+inf')
return { redis.call('HLEN', m.data) - invisible, invisible - delayed, delayed, expired + removed, has_more and 1 or 0 }
