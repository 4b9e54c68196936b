-- The RO-Crate of an unpacked archive, --set root=DIR, against its specification.
local host = require "vesicle.base.host"
local files = require "vesicle.publish.files"

local root = host.set[1]:match("^root=(.*)$")
local problems = files.problems()
require("vesicle.artifact.spec").crate(problems, files.read(root .. "/ro-crate-metadata.json"), root)
problems:raise("the crate of " .. root)
print("the crate of the archive is as its specification wants it")
