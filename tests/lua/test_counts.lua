-- The counts of the original, and the least of our own: no experiment may declare fewer.
--
-- The first list has the numbers that the original states and the parameters that repeat them; a parameter may be above
-- such a number, not below it. The second has the networks and runs of our own questions, of which a verdict depends on
-- at least forty. The third has counts that no verdict depends on, and why. A line is an experiment and its parameters.
-- What is read is what a script declares at full scale; nothing is computed.

local lu = require "luaunit"
local declared = require "vesicle.publish.declared"
local results = require "vesicle.publish.results"

local original = {
  { least = 200, of = "repetitions of the simulation", where = "Network Simulations, Models",
    "01_population_code: replicates spaced_replicates",
    "03_release_mapping: replicates",
    "04_epistemic_release: replicates networks",
    "06_variance_components: replicates spaced_replicates",
    "06_variance_of_map: replicates spaced_replicates",
    "06_variance_sources: replicates spaced_replicates",
    "07_simulated_data: replicates learned_replicates",
    "10_several_inputs: replicates spaced_replicates",
    "11_combined_uncertainty: replicates",
    "12_modulation: repeated_replicates",
    "19_release_sites: replicates",
    "22_hidden_layer: replicates spaced_replicates",
    "26_spikes_network: replicates spaced_replicates" },
  { least = 1000, of = "samples per x value", where = "Network Simulations, Models",
    "02_sampling_diagram: draws",
    "03_release_mapping: draws",
    "04_epistemic_release: draws",
    "06_variance_components: draws",
    "06_variance_of_map: draws",
    "06_variance_sources: draws",
    "10_solutions: draws",
    "12_evidence: draws beta_draws",
    "12_modulation: draws",
    "18_changing_weights: draws",
    "19_release_sites: draws",
    "21_repaired_map: draws",
    "21_repaired_network: draws",
    "25_spikes: draws",
    "26_spikes_network: input_spikes",
    "27_silences: draws" },
  { least = 4000, of = "rows of data", where = "Network Simulations, Data",
    "01_population_code: rows", "03_release_mapping: rows", "04_epistemic_release: rows",
    "06_variance_components: rows", "06_variance_of_map: rows", "06_variance_sources: rows",
    "07_simulated_data: rows", "08_release_matrices: rows", "10_several_inputs: rows", "10_solutions: rows",
    "12_evidence: rows", "12_modulation: rows", "12_second_layer: rows", "15_errata: rows",
    "17_amplitude_theory: rows", "19_release_sites: rows", "21_repaired_map: rows", "21_repaired_network: rows",
    "21_rehearsal: rows", "22_hidden_layer: rows", "23_search: rows", "26_spikes_network: rows",
    "27_silences: rows" },
  { least = 10000, of = "iterations of learning a vector", where = "Local learning rules, Learning rule simulations",
    "05_learning_rules: iterations",
    "05_power_rules: iterations",
    "05_two_algorithms: iterations race_iterations",
    "13_learning_details: floor_iterations dead_iterations",
    "17_amplitude_rule: iterations",
    "17_amplitude_theory: iterations",
    "18_changing_weights: before after",
    "21_repaired_rules: iterations race_iterations",
    "26_spikes_network: iterations",
    "27_silences: rule_iterations" },
  { least = 5000, of = "iterations of learning a network", where = "Network Simulations, Models",
    "06_variance_components: iterations",
    "06_variance_sources: iterations slow_iterations",
    "07_simulated_data: iterations",
    "08_release_matrices: iterations",
    "11_combined_uncertainty: iterations",
    "13_trained_networks: network_iterations bias_iterations",
    "14_real_data: iterations",
    "21_repaired_rules: network_iterations",
    "27_silences: iterations" },
}

local own = { least = 40, of = "networks or runs behind a verdict", where = "our own questions",
  "04_epistemic_release: spaced_networks",
  "05_learning_rules: replicates",
  "05_power_rules: replicates other_replicates",
  "05_two_algorithms: race_replicates",
  "06_variance_sources: slow_replicates",
  "07_simulated_data: spaced_replicates",
  "08_release_matrices: networks replicates",
  "11_combined_uncertainty: shown_replicates spaced_replicates",
  "12_evidence: replicates spaced_replicates beta_replicates",
  "12_modulation: replicates spaced_replicates",
  "12_second_layer: replicates spaced_replicates",
  "13_learning_details: floor_replicates",
  "13_learning_noise: mean_replicates",
  "13_trained_networks: bias_replicates share_replicates",
  "17_amplitude_rule: runs",
  "17_amplitude_theory: replicates",
  "18_changing_weights: runs sampling_runs",
  "19_release_sites: some mean_replicates cut_replicates",
  "20_held_masks: replicates linear_replicates",
  "21_repaired_map: replicates central_replicates",
  "21_repaired_network: replicates few_replicates",
  "21_repaired_rules: replicates race_replicates networks",
  "21_rehearsal: replicates",
  "23_search: replicates",
  "26_spikes_network: whole_replicates learners",
  "27_silences: runs",
}

local free = {
  "05_two_algorithms: sweep_replicates",      -- a table beside the verdicts
  "14_predictive_bands: draws",               -- a picture
  "14_real_data: draws",                      -- samples of each prediction of real data, 10 folds of each set
  "18_changing_weights: replicates",          -- times `runs`
  "21_rehearsal: axis_replicates",            -- the axes of a figure
  "25_spikes: replicates strength_draws",     -- batches of `draws` of one row of synapses, for standard errors
  "26_spikes_network: shown_learners",        -- delays beside the one that is judged
  "27_silences: networks",                    -- behind each of thousands of combinations, of which shares are counted
}

--- f(experiment, parameter) for each parameter of a list.
local function each(list, f)
  for _, line in ipairs(list) do
    local experiment, names = line:match("^([%w_]+): (.+)$")
    for name in names:gmatch("%S+") do f(experiment, name) end
  end
end

local known = {} -- by experiment: its parameters, in their order and by name
for _, experiment in ipairs((results.experiments())) do
  known[experiment] = declared("lua/experiments/" .. experiment .. ".lua")
  for _, p in ipairs(known[experiment]) do known[experiment][p.name] = p end
end

--- Adds a sentence to `found` for each parameter of a list that is too small, or is not there.
local function too_few(list, found)
  each(list, function(experiment, name)
    local p = (known[experiment] or {})[name]
    if not p then
      found[#found + 1] = string.format("%s has no parameter `%s`, which is to be at least %d (%s)", experiment, name,
        list.least, list.of)
    elseif not tonumber(p.full) or tonumber(p.full) < list.least then
      found[#found + 1] = string.format("%s declares `%s` = %s, and %s are at least %d (%s)", experiment, name, p.full,
        list.of, list.least, list.where)
    end
  end)
  return found
end

TestCounts = {} -- luacheck: globals TestCounts

function TestCounts.test_no_count_is_below_the_originals()
  local found = {}
  for _, list in ipairs(original) do too_few(list, found) end
  lu.assertEquals(found, {})
end

function TestCounts.test_a_verdict_of_ours_rests_on_forty_networks()
  lu.assertEquals(too_few(own, {}), {})
end

--- A new experiment, or a count with a new name, has to be put into one of the lists.
function TestCounts.test_every_count_is_in_a_list()
  local listed, missing = {}, {}
  for _, list in ipairs { own, free, table.unpack(original) } do
    each(list, function(experiment, name) listed[experiment .. " " .. name] = true end)
  end
  for _, experiment in ipairs((results.experiments())) do
    for _, p in ipairs(known[experiment]) do
      local count = p.name:find "replicates$" or p.name:find "networks$" or p.name:find "runs$" or p.name == "rows"
        or p.name == "draws" or p.name == "iterations"
      if count and p.kind == "integer" and not listed[experiment .. " " .. p.name] then
        missing[#missing + 1] = experiment .. ": " .. p.name
      end
    end
  end
  lu.assertEquals(missing, {})
end

os.exit(lu.LuaUnit.run())
