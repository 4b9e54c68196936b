-- expect: timeout
-- A hook belongs to one thread: loops in ever new ones.
while true do
  local thread = coroutine.wrap(function()
    for _ = 1, 1e6 do pcall(error) end
  end)
  thread()
end
