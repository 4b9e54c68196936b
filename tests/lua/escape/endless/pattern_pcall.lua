-- expect: timeout
-- The same, again and again.
while true do
  pcall(string.gsub, ("a"):rep(200), ("a*"):rep(30) .. "b", "")
end
