-- ledger: every statement of every experiment below a data directory, with its cells and what came of it.
--
-- The file of an experiment, claims.tsv, has one line for each cell. Here they are put together: a statement with all
-- its cells, those that other experiments measured included, and its outcome:
--
--     proved, as printed        the printed reading is proved, or holds, with every spacing of the curves tried
--     under a stated reading    it is not so, but some other cell holds; they are named
--     refuted, in none          no cell holds; refuted where the printed one has a counterexample
--     by definition             there is nothing to measure, and it is not counted
--     not claimed               it was measured, but the original assumes, quotes or disclaims it: not counted either
--
-- Statements of ours stand apart and are not counted among the original's. So do the cells of the repaired model, which
-- is no reading of the original: an outcome is what it would be without them, and `repaired` says what they say.
--
-- A verdict is close if a value that moved by less than two of its standard errors would turn it (criterion.slack), and
-- so is a statement if another verdict in one of its close cells would change its outcome. What is proved or refuted
-- does not hang on a measurement.

local criterion = require "vesicle.criterion"
local host = require "vesicle.base.host"
local statement = require "vesicle.experiment.statement"
local tsv = require "vesicle.table"

local ledger = {}

ledger.outcomes = { "proved", "as printed", "under a stated reading", "refuted", "in none", "by definition",
                    "not claimed" }

local function stop(code, message) error({ exit_code = code, message = message }, 0) end

local positive = { holds = true, proved = true }

--- Whether a cell has a say in what comes of a statement: one that a user's experiment adds to a published one has not.
local function counts(one, cell) return not cell.yours or one.whose ~= "original" and one.whose ~= "ours" end

--- What came of a statement: one of ledger.outcomes (of ours: holds, proved, fails, refuted, or `in part`), and the
--- names of the cells that hold.
local function outcome_of(one)
  if one.kind == "definition" then return "by definition", {} end
  if one.kind == "unclaimed" then return "not claimed", {} end
  if one.whose == "repaired" then return "NA", {} end -- its statement is not here
  local holding, judged, proved, refuted, printed = {}, 0, 0, 0, { all = 0, good = 0, proved = 0, refuted = 0 }
  for _, cell in ipairs(one.cells) do
    local asked = counts(one, cell) and (one.whose == "ours" or not statement.is_repaired(cell.reading))
    if asked and cell.verdict ~= "NA" then
      judged = judged + 1
      if positive[cell.verdict] then holding[#holding + 1] = cell.reading end
      if cell.verdict == "proved" then proved = proved + 1 end
      if cell.verdict == "refuted" then refuted = refuted + 1 end
      if statement.is_printed(cell.reading) then
        printed.all = printed.all + 1
        if positive[cell.verdict] then printed.good = printed.good + 1 end
        if cell.verdict == "proved" then printed.proved = printed.proved + 1 end
        if cell.verdict == "refuted" then printed.refuted = printed.refuted + 1 end
      end
    end
  end
  one.refuted_as_printed = printed.refuted > 0
  if one.whose == "ours" or one.whose == "yours" then
    if #holding == judged then return proved == judged and "proved" or "holds", holding end
    if #holding == 0 then return refuted > 0 and "refuted" or "fails", holding end
    return "in part", holding
  end
  if printed.all > 0 and printed.good == printed.all then
    return printed.proved == printed.all and "proved" or "as printed", holding
  end
  if #holding > 0 then return "under a stated reading", holding end
  return printed.refuted > 0 and "refuted" or "in none", holding
end

--- Whether a statement holds in every cell of the repaired model: holds or fails, or nil if it was not asked.
local function repaired_of(one)
  local verdict
  for _, cell in ipairs(one.cells) do
    local asked = one.whose == "original" and statement.is_repaired(cell.reading) and counts(one, cell)
    if asked and cell.verdict ~= "NA" then
      verdict = positive[cell.verdict] and verdict ~= "fails" and "holds" or "fails"
    end
  end
  return verdict
end

local function numbers(text)
  local found = {}
  for word in text:gmatch("%S+") do found[#found + 1] = tonumber(word) or 0 / 0 end
  return found
end

local turned = { holds = "fails", fails = "holds" }

--- How close a cell's verdict is: the number of standard errors by which a value has to move to turn it, if it is less
--- than two, else nil. A line that no experiment wrote may have a criterion that nobody can read; it is not close.
local function close_of(cell)
  if not turned[cell.verdict] or cell.criterion == "NA" or cell.se == "NA" then return nil end
  local good, slack = pcall(function()
    return criterion.slack(criterion.parse(cell.criterion), numbers(cell.value), numbers(cell.se))
  end)
  return good and slack or nil
end

--- The readings of a statement whose verdicts are close, and on each of which alone its outcome hangs.
local function hanging(one)
  local outcome, found = outcome_of(one), {}
  for _, cell in ipairs(one.cells) do
    if cell.close then
      local verdict = cell.verdict
      cell.verdict = turned[verdict]
      if outcome_of(one) ~= outcome then found[#found + 1] = cell.reading end
      cell.verdict = verdict
    end
  end
  return found
end

--- Lines among `rows` whose statement another experiment makes get from it what it says and where, and those of the
--- repaired model their criteria and verdicts too. One whose statement is not among them stays as it is: the experiment
--- that makes it may not have been run.
function ledger.complete(rows)
  local own = {}
  for _, row in ipairs(rows) do
    if row.whose == "original" or row.whose == "ours" then
      local better = not own[row.id] or own[row.id].criterion == "NA"
      if better and (statement.is_reading(row.reading) or row.whose == "ours") then own[row.id] = row end
    end
  end
  for _, row in ipairs(rows) do
    if (row.whose == "repaired" or row.whose == "further") and own[row.id] then
      local good, why = true, nil
      if row.whose == "repaired" then good, why = pcall(statement.complete, row, own[row.id]) end
      if not good then stop(1, why) end
      row.says, row.where = own[row.id].says, own[row.id].where
    end
  end
end

local shared = { "kind", "whose", "looked", "breaks", "fact", "unasked", "says", "where", "note", "experiment",
                 "quantity", "criterion", "at", "proof" }

--- Whether a margin half or twice as wide would turn a cell's verdict: "halved", "doubled", or nothing. A proof does
--- not hang on a margin.
local function margin_turns(cell)
  if cell.verdict == "NA" or cell.verdict == "proved" or cell.criterion == "NA" then return nil end
  local good, found = pcall(function()
    local c, values, ses = criterion.parse(cell.criterion), numbers(cell.value), numbers(cell.se)
    local now = criterion.judge(c, values, ses)
    for _, way in ipairs { { 0.5, "halved" }, { 2, "doubled" } } do
      if criterion.judge(criterion.scaled(c, way[1]), values, ses) ~= now then return way[2] end
    end
  end)
  return good and found or nil
end

--- Cells whose verdict changes with the spacing of the curves, which the original leaves open and we chose, or with our
--- margins, say so where they do not name a choice of their own.
local function name_choices(cells)
  local by_spacing = {}
  for _, base in ipairs { "printed", "corrected", "repaired" } do
    local some, verdicts = {}, {}
    for _, cell in ipairs(cells) do
      if cell.verdict ~= "NA" and statement.is_reading(cell.reading) and cell.reading:match("^%a+") == base then
        some[#some + 1], verdicts[positive[cell.verdict] or false] = cell, true
      end
    end
    for _, cell in ipairs(verdicts[true] and verdicts[false] and some or {}) do by_spacing[cell] = true end
  end
  for _, cell in ipairs(cells) do
    local choices, turns = {}, margin_turns(cell)
    if by_spacing[cell] then choices[1] = "the spacing of the centres: ends, bins or open" end
    if turns then choices[#choices + 1] = "our margin: " .. turns .. ", it would turn the verdict" end
    if cell.drives == "NA" and #choices > 0 then cell.drives = table.concat(choices, "; ") end
  end
end

--- Statements of lines, in the order of the lines; also by id.
function ledger.group(rows)
  local all = {}
  local function add(row)
    local one = { id = row.id, cells = {} }
    for _, key in ipairs(shared) do one[key] = row[key] end
    all[#all + 1], all[row.id] = one, one
    return one
  end
  ledger.complete(rows)
  for _, row in ipairs(rows) do
    if row.whose ~= "further" and row.whose ~= "repaired" and not all[row.id] then add(row) end
  end
  for _, row in ipairs(rows) do
    if row.whose ~= "repaired" then
      local one = all[row.id] or add(row) -- the experiment that makes the statement may not have been run
      for _, key in ipairs { "quantity", "criterion", "at", "proof" } do
        if one[key] == "NA" and counts(one, row) then one[key] = row[key] end
      end
      one.cells[#one.cells + 1] = row
    end
  end
  for _, row in ipairs(rows) do
    if row.whose == "repaired" then -- behind the other readings, before cells of other names
      local one = all[row.id] or add(row)
      local at = #one.cells + 1
      while at > 1 and not statement.is_reading(one.cells[at - 1].reading) do at = at - 1 end
      table.insert(one.cells, at, row)
    end
  end
  for _, one in ipairs(all) do
    for k, row in ipairs(one.cells) do -- of copies, as the lines may still be on their way to a file
      local cell = { close = close_of(row) }
      for key, value in pairs(row) do cell[key] = value end
      one.cells[k] = cell
    end
    name_choices(one.cells)
    one.hangs_on = hanging(one)
    one.outcome, one.holding = outcome_of(one)
    one.repaired = repaired_of(one)
  end
  return all
end

--- Raises if a line, which need not be by an experiment's hand, has more than plain words where documents take them as
--- they are.
local function check_line(path, row)
  for _, key in ipairs { "id", "verdict", "reading", "experiment", "kind", "whose" } do
    if row[key]:find("[\\{}$&#%%^~<>`\"]") or key == "experiment" and not row[key]:find("^[%w_-]+$") then
      stop(1, path .. ": no experiment writes this: " .. key .. " `" .. row[key] .. "`")
    end
  end
end

--- The lines of one file, texts throughout.
function ledger.file(path)
  local lines, columns = tsv.texts(path)
  if not lines then stop(1, columns) end
  local place, rows = {}, {}
  for c, column in ipairs(columns) do place[column] = c end
  for _, column in ipairs(statement.columns) do
    if not place[column] then stop(1, path .. ": the column `" .. column .. "` is missing") end
  end
  for i, line in ipairs(lines) do
    rows[i] = {}
    for _, column in ipairs(statement.columns) do rows[i][column] = line[place[column]] end
    check_line(path, rows[i])
  end
  return rows
end

ledger.is_published = statement.is_published

local function is_file(path)
  local probe = io.open(path, "rb")
  if probe then probe:close() end
  return probe ~= nil
end

--- The lines of DIR/*/claims.tsv, experiments in the order of their names. One id, one statement. Beside published
--- experiments those of a user are left out or, with `yours`, are told apart by that word. DIR may also be the folder
--- of one experiment, which has none within; the second result says so. Any script may write DIR/claims.tsv: where
--- there are experiments it is not read.
local function all_files(dir, yours)
  local names, why = host.list(dir)
  if not names then stop(1, why .. " (run an experiment first, or name its directory)") end
  local all, owner, published, within = {}, {}, false, false
  for _, name in ipairs(names) do
    published, within = published or ledger.is_published(name), within or is_file(dir .. "/" .. name .. "/claims.tsv")
  end
  if not within and is_file(dir .. "/claims.tsv") then return ledger.file(dir .. "/claims.tsv"), true end
  --- Nobody else may have it.
  local function own(what, name, path)
    if owner[what .. name] then
      stop(1, string.format("the %s `%s` stands in %s and in %s", what, name, owner[what .. name], path))
    end
    owner[what .. name] = path
  end
  for _, name in ipairs(names) do
    local path = dir .. "/" .. name .. "/claims.tsv"
    local beside = published and not ledger.is_published(name)
    if name:find("^%w[%w_-]*$") and (yours or not beside) and is_file(path) then
      local here = {}
      for _, row in ipairs(ledger.file(path)) do
        if row.whose ~= "further" and row.whose ~= "repaired" and not here[row.id] then
          own("statement", row.id, path)
          here[row.id] = true
        end
        own("cell", row.id .. "/" .. row.reading, path)
        row.yours = beside
        if beside and row.whose ~= "further" and row.whose ~= "repaired" then row.whose = "yours" end
        all[#all + 1] = row
      end
    end
  end
  return all
end

--- The statements below DIR; beside published ones those of a user only if asked for.
function ledger.read(dir, yours)
  local rows, alone = all_files(dir, yours)
  return ledger.group(rows), alone
end

--- Whether a choice of ours drives a verdict of a statement, those of the repaired model left out.
local function is_driven(one)
  for _, cell in ipairs(one.cells) do
    if cell.drives ~= "NA" and not statement.is_repaired(cell.reading) then return true end
  end
  return false
end

--- Whether a statement of the original counts: one that can be checked and that the original makes.
function ledger.is_counted(one)
  return one.whose == "original" and one.kind ~= "definition" and one.kind ~= "unclaimed"
end

--- How many statements of the original there are (`counted`: ledger.is_counted), by outcome, and of them how many are
--- refuted as printed, how many were settled after a first look, how many are close and in how many a choice of ours
--- drives a verdict (`driven`); how many are ours. Apart from these, of the facts that the repaired model was asked
--- (statements that say the same are one, which holds if all of them do): how many do not hold as printed
--- (`repaired_failing`) and how many of them hold now (`repaired_gained`); how many do (`repaired_holding`) and how
--- many of them fail now (`repaired_lost`). About `repaired_unasked` statements it was not asked, for a reason that
--- they name.
function ledger.tally(all)
  local tally = { counted = 0, looked = 0, close = 0, driven = 0, refuted_as_printed = 0, ours = 0,
                  repaired_failing = 0, repaired_gained = 0, repaired_holding = 0, repaired_lost = 0,
                  repaired_unasked = 0 }
  local facts = {}
  for _, name in ipairs(ledger.outcomes) do tally[name] = 0 end
  for _, one in ipairs(all) do
    if one.whose == "ours" then
      tally.ours = tally.ours + 1
    elseif one.whose == "original" then
      tally[one.outcome] = tally[one.outcome] + 1
      if ledger.is_counted(one) then
        tally.counted = tally.counted + 1
        if one.looked == "yes" then tally.looked = tally.looked + 1 end
        if #one.hangs_on > 0 then tally.close = tally.close + 1 end
        if is_driven(one) then tally.driven = tally.driven + 1 end
        if one.refuted_as_printed then tally.refuted_as_printed = tally.refuted_as_printed + 1 end
        if one.unasked ~= "NA" then tally.repaired_unasked = tally.repaired_unasked + 1 end
        if one.repaired then
          local name = one.fact == "NA" and one.id or one.fact
          if not facts[name] then
            facts[name] = { held = true, holds = true }
            facts[#facts + 1] = facts[name]
          end
          local fact = facts[name]
          fact.held = fact.held and (one.outcome == "proved" or one.outcome == "as printed")
          fact.holds = fact.holds and one.repaired == "holds"
        end
      end
    end
  end
  for _, fact in ipairs(facts) do
    local asked, moved = fact.held and "repaired_holding" or "repaired_failing", fact.held and "lost" or "gained"
    tally[asked] = tally[asked] + 1
    if fact.held ~= fact.holds then tally["repaired_" .. moved] = tally["repaired_" .. moved] + 1 end
  end
  tally.printed = tally.proved + tally["as printed"]
  tally.none = tally.refuted + tally["in none"]
  return tally
end

--- What the repaired model makes of the statements it was asked, in a sentence; none if it was asked none.
function ledger.repaired_sentence(all)
  local t = ledger.tally(all)
  if t.repaired_failing + t.repaired_holding == 0 then return "" end
  return string.format(" Apart from these counts, the repaired model was asked %d facts that do not hold as printed, "
    .. "of which %d hold in it, and %d that do, of which %d fail in it; statements that restate a fact count once, and "
    .. "%d that have no meaning in it, or describe an error of the original's, were not asked.", t.repaired_failing,
    t.repaired_gained, t.repaired_holding, t.repaired_lost, t.repaired_unasked)
end

--- The tally in a sentence or two.
function ledger.sentence(all)
  local t = ledger.tally(all)
  local function s(n, one, many) return string.format("%d %s", n, n == 1 and one or many) end
  return string.format("Of %s of the original %s as printed, %d of them proved; %s only under a stated reading; %s in "
    .. "none. %s refuted as printed, by a counterexample; %s settled after a first look; %s close: one value moved by "
    .. "two of its standard errors could change what came of %s. %s so by definition, %s not claimed by it, and %s "
      .. "our own.",
    s(t.counted, "statement", "statements"), s(t.printed, "holds", "hold"), t.proved,
    s(t["under a stated reading"], "holds", "hold"), s(t.none, "holds", "hold"), s(t.refuted_as_printed, "is", "are"),
    s(t.looked, "was", "were"), s(t.close, "is", "are"), t.close == 1 and "it" or "each",
    s(t["by definition"], "more is", "more are"), s(t["not claimed"], "is", "are"), s(t.ours, "is", "are"))
    .. ledger.repaired_sentence(all)
end

--- What came of a statement, in words: "under a stated reading: corrected; at rest".
function ledger.outcome_text(one)
  if one.outcome == "under a stated reading" or one.outcome == "in part" then
    return one.outcome .. ": " .. table.concat(one.holding, "; ")
  end
  return one.outcome == "NA" and "not judged" or one.outcome
end

--- What the repaired model says, in words: "holds", "not asked: it has no exponent"; or nothing.
function ledger.repaired_text(one)
  return one.repaired or one.unasked ~= "NA" and "not asked: " .. one.unasked or ""
end

--- The outcome with the repaired model's word behind it: "in none. Repaired: holds".
function ledger.whole_outcome(one)
  local repaired = ledger.repaired_text(one)
  return ledger.outcome_text(one) .. (repaired ~= "" and ". Repaired: " .. repaired or "")
end

--- How close a verdict is, in words: ", close (1.2 se)", rounded up; nothing if it is not.
function ledger.close_text(cell)
  return cell.close and string.format(", close (%.1f se)", math.ceil(cell.close * 10) / 10) or ""
end

--- `vesicle claims`.
function ledger.main(dir, format, id)
  local all, alone = ledger.read(dir, true)
  if id then
    local names = {}
    for i, one in ipairs(all) do names[i] = one.id end
    if not all[id] then
      stop(1, string.format("no statement `%s` below %s%s", id, dir,
        require("vesicle.base.check").suggestion(id, names)))
    end
    all = { all[id], [id] = all[id] }
  end
  if #all == 0 and alone then return io.stdout:write("It makes no statements.\n") end
  if #all == 0 then stop(1, "no statements below " .. dir .. " (run an experiment first)") end
  local forms = require "vesicle.experiment.ledger_text"
  io.stdout:write(id and format == "text" and forms.whole(all[1]) or forms[format](all, alone))
end

return ledger
