-- expect: memory
-- Ever more threads, each with a stack.
local t = {} -- luacheck: ignore
while true do
  local thread = coroutine.create(function(...)
    coroutine.yield(select("#", ...))
  end)
  coroutine.resume(thread, table.unpack({}, 1, 5000))
  t[#t + 1] = thread
end
