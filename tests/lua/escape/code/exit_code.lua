-- expect: error
-- A code that does not exist is no way to look successful.
require("attempt").done()
error({ exit_code = 256, message = "as if done" })
