//! The scripts that the server runs. Each sees and changes only one hash.
//!
//! The hash of a namespace has a field `k` + key for each entry. The field contains 16 hexadecimal digits of version,
//! 16 digits of expiry (in milliseconds since 1970; 0 for never), and the value. The other fields are `n` (the encoded
//! namespace), `q` (its quota), `u` (the bytes used), `c` (the number of keys) and `e` (the time before which no entry
//! expires; 0 if none ever does).

use redis::Script;
use std::sync::LazyLock;

/// The beginning of all scripts.
const COMMON: &str = r"
local hash = KEYS[1]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function parse(raw)
  local expires = tonumber(string.sub(raw, 17, 32))
  if #raw < 32 or not expires then error('WRONGTYPE a field of the hash is damaged') end
  return {
    version = string.sub(raw, 1, 16), expires = expires, value = string.sub(raw, 33),
    dead = expires > 0 and expires <= now,
  }
end

local function cost(field, entry)
  return #field - 1 + #entry.value + 64
end
";

/// The common part of scripts that write. Changes are collected, and made only at the end, so none is partial. ARGV:
/// the encoded namespace, quota, number of keys, milliseconds to live (empty: forever).
const WRITER: &str = r"
local quota, most = tonumber(ARGV[2]), tonumber(ARGV[3])
local meta = redis.call('HMGET', hash, 'u', 'c', 'e')
local used, count, earliest = tonumber(meta[1] or '0'), tonumber(meta[2] or '0'), tonumber(meta[3] or '0')
local life = redis.call('PTTL', hash)
local known, changed, swept = {}, {}, false

local function find(field)
  if known[field] == nil then
    local raw = redis.call('HGET', hash, field)
    known[field] = raw and parse(raw) or false
  end
  return known[field]
end

local function live(field)
  local entry = find(field)
  return entry and not entry.dead and entry or nil
end

local function remove(field)
  local entry = find(field)
  if not entry then return false end
  used, count = used - cost(field, entry), count - 1
  known[field], changed[field] = false, true
  return not entry.dead
end

local function sweep()
  if swept or earliest == 0 or earliest > now then return false end
  swept, earliest = true, 0
  local all = redis.call('HGETALL', hash)
  for i = 1, #all, 2 do
    if string.sub(all[i], 1, 1) == 'k' and not changed[all[i]] then known[all[i]] = parse(all[i + 1]) end
  end
  for field, entry in pairs(known) do
    if entry and entry.dead then
      remove(field)
    elseif entry and entry.expires > 0 and (earliest == 0 or entry.expires < earliest) then
      earliest = entry.expires
    end
  end
  return true
end

local function put(field, version, expires, value)
  local entry = { version = version, expires = expires, value = value, dead = false }
  local old = find(field)
  local bytes = used + cost(field, entry) - (old and cost(field, old) or 0)
  local keys = count + (old and 0 or 1)
  if (bytes > quota and bytes > used) or (keys > most and keys > count) then
    return sweep() and put(field, version, expires, value)
  end
  used, count, known[field], changed[field] = bytes, keys, entry, true
  if expires > 0 and (earliest == 0 or expires < earliest) then earliest = expires end
  return true
end

local function birth()
  if ARGV[4] == '' then return 0 end
  return math.min(now + tonumber(ARGV[4]), 9007199254740991)
end

local function commit()
  local set, gone, last, lasting = {}, {}, 0, false
  for field in pairs(changed) do
    local entry = known[field]
    if entry then
      set[#set + 1] = field
      set[#set + 1] = entry.version .. string.format('%016.0f', entry.expires) .. entry.value
      last, lasting = math.max(last, entry.expires), lasting or entry.expires == 0
    else
      gone[#gone + 1] = field
    end
  end
  if #set + #gone == 0 then return end
  if count == 0 then redis.call('DEL', hash) return end
  -- Before anything is set: a server without memory refuses that, unless the script has changed something before.
  for i = 1, #gone, 1000 do redis.call('HDEL', hash, unpack(gone, i, math.min(i + 999, #gone))) end
  for name, value in pairs({ n = ARGV[1], q = ARGV[2], u = string.format('%.0f', used),
      c = string.format('%.0f', count), e = string.format('%.0f', earliest) }) do
    set[#set + 1] = name
    set[#set + 1] = value
  end
  redis.call('HSET', hash, unpack(set))
  if lasting then
    redis.call('PERSIST', hash)
  elseif last > 0 and (life == -2 or (life >= 0 and now + life < last)) then
    redis.call('PEXPIREAT', hash, string.format('%.0f', last))
  end
end
";

/// ARGV: fields. Answers with the version and the value of each, or with nothing for a field without an entry.
const GET: &str = r"
local found, dead, used, count = {}, {}, 0, 0
for i, field in ipairs(ARGV) do
  local raw = redis.call('HGET', hash, field)
  local entry = raw and parse(raw)
  if entry and entry.dead and not dead[field] then
    dead[field], used, count = true, used + cost(field, entry), count + 1
    dead[#dead + 1] = field
  end
  found[i] = entry and not entry.dead and { entry.version, entry.value } or false
end
-- Lest they come back when the clock is set back. A server that takes no writes keeps them.
if count > 0 and type(redis.pcall('HINCRBY', hash, 'u', -used)) == 'number' then
  redis.call('HINCRBY', hash, 'c', -count)
  redis.call('HDEL', hash, unpack(dead))
end
return found
";

/// ARGV: three arguments for each entry: field, version, value.
const SET: &str = r"
local expires = birth()
for i = 5, #ARGV, 3 do
  if not put(ARGV[i], ARGV[i + 1], expires, ARGV[i + 2]) then return { 'full' } end
end
commit()
return { 'ok' }
";

/// ARGV: fields. Answers with the number of fields that had a value.
const DELETE: &str = r"
local deleted = 0
for i = 5, #ARGV do
  if remove(ARGV[i]) then deleted = deleted + 1 end
end
commit()
return { 'ok', deleted }
";

/// ARGV: field, version, number. The addition is done by a command of the server, since numbers in scripts have 53
/// bits.
const INCREMENT: &str = r"
local field, version, by = ARGV[5], ARGV[6], ARGV[7]
local old = live(field)
redis.call('HSET', hash, 't', old and old.value or '0')
local added = redis.pcall('HINCRBY', hash, 't', by)
local sum = redis.call('HGET', hash, 't')
redis.call('HDEL', hash, 't')
if type(added) == 'table' and added['err'] then
  return { string.find(added['err'], 'overflow') and 'overflow' or 'nan' }
end
if not put(field, version, old and old.expires or birth(), sum) then return { 'full' } end
commit()
return { 'ok', sum }
";

/// ARGV: field, expected version (empty: no value), version, value.
const SWAP: &str = r"
local field, expected, version, value = ARGV[5], ARGV[6], ARGV[7], ARGV[8]
local old = live(field)
if (old and old.version or '') ~= expected then
  return old and { 'changed', old.version, old.value } or { 'changed' }
end
if not put(field, version, old and old.expires or birth(), value) then return { 'full' } end
commit()
return { 'ok' }
";

/// ARGV: the server's cursor. Answers with the next cursor and keys.
const LIST: &str = r"
local page = redis.call('HSCAN', hash, ARGV[1], 'COUNT', 256)
local answer = { page[1] }
for i = 1, #page[2], 2 do
  local field = page[2][i]
  if string.sub(field, 1, 1) == 'k' and not parse(page[2][i + 1]).dead then
    answer[#answer + 1] = string.sub(field, 2)
  end
end
return answer
";

/// Answers with the encoded namespace and its quota, and with the number, the bytes and the first expiry of its live
/// entries, all as text.
const USAGE: &str = r"
local all = redis.call('HGETALL', hash)
local name, quota, count, used, first = '', '0', 0, 0, 0
for i = 1, #all, 2 do
  local field = all[i]
  if field == 'n' then name = all[i + 1] elseif field == 'q' then quota = all[i + 1] end
  if string.sub(field, 1, 1) == 'k' then
    local entry = parse(all[i + 1])
    if not entry.dead then
      count, used = count + 1, used + cost(field, entry)
      if entry.expires > 0 and (first == 0 or entry.expires < first) then first = entry.expires end
    end
  end
end
return { name, quota, tostring(count), string.format('%.0f', used), string.format('%.0f', first) }
";

/// Answers with three values for each live entry: key, value, expiry.
const ENTRIES: &str = r"
local all, answer = redis.call('HGETALL', hash), {}
for i = 1, #all, 2 do
  if string.sub(all[i], 1, 1) == 'k' then
    local entry = parse(all[i + 1])
    if not entry.dead then
      answer[#answer + 1] = string.sub(all[i], 2)
      answer[#answer + 1] = entry.value
      answer[#answer + 1] = string.format('%.0f', entry.expires)
    end
  end
end
return answer
";

/// Answers with the number of live entries that were deleted.
const CLEAR: &str = r"
local all, count = redis.call('HGETALL', hash), 0
for i = 1, #all, 2 do
  if string.sub(all[i], 1, 1) == 'k' and not parse(all[i + 1]).dead then count = count + 1 end
end
redis.call('DEL', hash)
return { 'ok', count }
";

fn reader(body: &str) -> Script {
    Script::new(&format!("{COMMON}{body}"))
}

fn writer(body: &str) -> Script {
    Script::new(&format!("{COMMON}{WRITER}{body}"))
}

pub(super) static GETTING: LazyLock<Script> = LazyLock::new(|| reader(GET));
pub(super) static SETTING: LazyLock<Script> = LazyLock::new(|| writer(SET));
pub(super) static DELETING: LazyLock<Script> = LazyLock::new(|| writer(DELETE));
pub(super) static INCREMENTING: LazyLock<Script> = LazyLock::new(|| writer(INCREMENT));
pub(super) static SWAPPING: LazyLock<Script> = LazyLock::new(|| writer(SWAP));
pub(super) static LISTING: LazyLock<Script> = LazyLock::new(|| reader(LIST));
pub(super) static USING: LazyLock<Script> = LazyLock::new(|| reader(USAGE));
pub(super) static READING: LazyLock<Script> = LazyLock::new(|| reader(ENTRIES));
pub(super) static CLEARING: LazyLock<Script> = LazyLock::new(|| reader(CLEAR));
