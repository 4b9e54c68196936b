-- expect: done
-- Doors opened from coroutines, and errors thrown across them.
local a = require "attempt"
a.try("wrap", function() return coroutine.wrap(io.open)(a.secret) end)
a.try("create", function()
  local good, file = coroutine.resume(coroutine.create(function() return io.open(a.secret) end))
  return good and file
end)
a.try("a generator of generators", function()
  local f = function() return io.open(a.secret) end
  for _ = 1, 150 do f = coroutine.wrap(f) end
  return f()
end)
a.try("yield across dofile", function()
  local code = "coroutine.yield(1) return io.open('../outside/secret.txt')"
  assert(io.open(a.out .. "/yields.lua", "w")):write(code):close()
  local f = coroutine.wrap(dofile)
  f(a.out .. "/yields.lua")
  return f()
end)
os.remove(a.out .. "/yields.lua")
a.try("closed", function()
  local thread = coroutine.create(function()
    local _ <close> = setmetatable({}, { __close = function() a.write("../outside/escaped") end })
    coroutine.yield()
  end)
  coroutine.resume(thread)
  coroutine.close(thread)
  return io.open(a.out .. "/../outside/escaped")
end)
a.try("the running thread", function() return coroutine.resume(coroutine.running()) end)
a.done()
