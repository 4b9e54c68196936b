-- silences: every combination once, shares, what decides, and the class that follows; and what the pages say of it.

local lu = require "luaunit"
local page = require "vesicle.publish.silences"
local silences = require "vesicle.model.silences"

local a = { name = "a", levels = { "x", "y" } }
local b = { name = "b", levels = { 1, 2, 3 } }

TestSilences = {} -- luacheck: globals TestSilences

function TestSilences.test_cross_has_every_combination_once()
  local all, seen = silences.cross { a, b }, {}
  lu.assertEquals(#all, 6)
  for _, c in ipairs(all) do seen[c.a .. c.b] = (seen[c.a .. c.b] or 0) + 1 end
  for _, name in ipairs { "x1", "x2", "x3", "y1", "y2", "y3" } do lu.assertEquals(seen[name], 1) end
  lu.assertEquals({ all[1].a, all[1].b, all[2].a, all[2].b }, { "x", 1, "x", 2 })
  lu.assertEquals(#silences.cross {}, 1)
end

--- What silences.decide says if a statement holds where f(combination) says so.
local function decided(f, list)
  list = list or { a, b }
  local holds = {}
  for i, c in ipairs(silences.cross(list)) do holds[i] = f(c) end
  return silences.decide(list, holds)
end

function TestSilences.test_what_all_readings_agree_on_is_decided_by_none()
  local every, none = decided(function() return true end), decided(function() return false end)
  lu.assertEquals({ every.class, every.share, every.decides, every.weight }, { "every reading", 1, nil, 0 })
  lu.assertEquals({ none.class, none.share }, { "no reading", 0 })
  lu.assertEquals(decided(function() return true end, {}).class, "every reading")
end

function TestSilences.test_a_verdict_that_is_a_function_of_one_silence_depends_on_one()
  local found = decided(function(c) return c.b == 2 end)
  lu.assertEquals({ found.class, found.decides }, { "one silence", "b" })
  lu.assertAlmostEquals(found.weight, 1, 1e-12)
  lu.assertAlmostEquals(found.share, 1 / 3, 1e-12)
  lu.assertAlmostEquals(found.weights[1], 0, 1e-12)
  lu.assertEquals(found.levels[4], { silence = "b", level = 2, share = 1 })
end

function TestSilences.test_a_verdict_of_two_depends_on_several_and_names_the_heavier()
  local found = decided(function(c) return c.a == "x" and c.b ~= 3 end) -- 1/3; by a 2/3 and 0; by b 1/2, 1/2, 0
  lu.assertEquals({ found.class, found.decides }, { "several silences", "a" })
  lu.assertAlmostEquals(found.weights[1], (1 / 9) / (2 / 9), 1e-12)
  lu.assertAlmostEquals(found.weights[2], (2 * (1 / 6) ^ 2 + (1 / 3) ^ 2) / 3 / (2 / 9), 1e-12)
end

--- Neither of two decides anything by itself if a statement holds where they agree: still it is several.
function TestSilences.test_two_that_only_decide_together()
  local found = decided(function(c) return (c.a == "x") == (c.b == 1) end, { a, { name = "b", levels = { 1, 2 } } })
  lu.assertEquals({ found.class, found.weight, found.decides }, { "several silences", 0, nil })
end

function TestSilences.test_a_missing_verdict_is_an_error()
  lu.assertErrorMsgContains("5 verdicts, expected 6", silences.decide, { a, b }, { true, true, true, true, true })
end

local function row(survives, share, decides)
  return { says = "it rains", survives = survives, combinations = 6, share = share, decides = decides }
end

function TestSilences.test_a_share_is_never_rounded_to_all_or_none()
  lu.assertEquals({ page.percent(1), page.percent(0), page.percent(0.001), page.percent(0.999), page.percent(0.37) },
    { "100%", "0%", "<1%", ">99%", "37%" })
end

function TestSilences.test_the_headline_names_each_class_and_what_decides()
  local text = page.headline { row("every reading", 1, "nothing"), row("one silence", 0.5, "a"),
                               row("several silences", 0.25, "b"), row("several silences", 0.5, "nothing") }
  lu.assertStrContains(text, "4 central statements were judged")
  lu.assertStrContains(text, "what the text leaves open, 24 in all")
  lu.assertStrContains(text, "- **1 survives every reading**: it rains.")
  lu.assertStrContains(text, "- **1 depends on one choice**: it rains (the a).")
  lu.assertStrContains(text,
    "- **2 depend on several choices**: it rains (25%; above all the b); it rains (50%; no single choice).")
  lu.assertNotStrContains(text, "no reading")
  lu.assertStrContains(page.headline {}, "make record")
end

function TestSilences.test_what_became_of_one()
  lu.assertEquals(page.outcome(row("no reading", 0, "nothing")), "no reading (of 6)")
  lu.assertEquals(page.outcome(row("one silence", 0.5, "a")), "50% of 6 readings; decided by the a")
  lu.assertEquals(page.outcome(nil), "")
end

os.exit(lu.LuaUnit.run())
