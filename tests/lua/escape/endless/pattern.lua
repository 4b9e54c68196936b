-- expect: timeout
-- No hook is called while a pattern is matched.
print((("a"):rep(60)):find(("a-"):rep(60) .. "b"))
