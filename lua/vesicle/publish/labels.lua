-- labels: the registry of every label, and the tags found in sources.
--
-- paper/labels.tsv lists all labels: what a label names, where it comes from, and which columns of the
-- trace matrix it needs. A tag is a label in square brackets; it stands on the function that implements
-- it, on the step of the experiment that uses it and on the test that checks it.

local files = require "vesicle.publish.files"

local labels = {}

labels.path = "paper/labels.tsv"

--- The registry: an array in the order of the file, also keyed by label.
function labels.read()
  local registry = {}
  for i, row in ipairs(files.rows(labels.path)) do
    if registry[row.label] then files.stop(1, labels.path .. ": " .. row.label .. " occurs twice") end
    registry[i], registry[row.label] = row, row
  end
  return registry
end

--- Calls visit(label) for every tag in a line: "[eq:mapping]", "[eq:betamean, eq:betavar]".
function labels.each(line, visit)
  for inner in line:gmatch("%[(%l+:[%w_, :-]+)%]") do
    for label in inner:gmatch("[^, ]+") do visit(label) end
  end
end

return labels
