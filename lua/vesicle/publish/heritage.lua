-- heritage: Software Heritage identifiers (SWHID 1.2, ISO/IEC 18670) of files and of lines in them.
--
-- An identifier says what something is, not where: swh:1:cnt: and the SHA-1 that git gives the file's bytes. Whoever
-- has the bytes can compute it, and the archive at softwareheritage.org, which keeps what public repositories held,
-- finds them by it, whatever became of the address. Computed here from the file alone, so that a tree without git has
-- the same ones.

local files = require "vesicle.publish.files"

local heritage = {}

local function rotate(x, n) return (x << n | x >> (32 - n)) & 0xffffffff end

--- SHA-1 of a text (FIPS 180-4), as 40 digits.
function heritage.sha1(text)
  local message = text .. "\x80" .. ("\0"):rep((55 - #text) % 64) .. string.pack(">I8", #text * 8)
  local h0, h1, h2, h3, h4 = 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0
  local w = {}
  for at = 1, #message, 64 do
    for i = 0, 15 do w[i] = string.unpack(">I4", message, at + 4 * i) end
    for i = 16, 79 do w[i] = rotate(w[i - 3] ~ w[i - 8] ~ w[i - 14] ~ w[i - 16], 1) end
    local a, b, c, d, e = h0, h1, h2, h3, h4
    for i = 0, 79 do
      local f, k
      if i < 20 then f, k = d ~ (b & (c ~ d)), 0x5a827999
      elseif i < 40 then f, k = b ~ c ~ d, 0x6ed9eba1
      elseif i < 60 then f, k = b & c | b & d | c & d, 0x8f1bbcdc
      else f, k = b ~ c ~ d, 0xca62c1d6 end
      a, b, c, d, e = (rotate(a, 5) + f + e + k + w[i]) & 0xffffffff, a, rotate(b, 30), c, d
    end
    h0, h1, h2 = (h0 + a) & 0xffffffff, (h1 + b) & 0xffffffff, (h2 + c) & 0xffffffff
    h3, h4 = (h3 + d) & 0xffffffff, (h4 + e) & 0xffffffff
  end
  return string.format("%08x%08x%08x%08x%08x", h0, h1, h2, h3, h4)
end

--- The identifier of a file with these bytes: git's hash of a blob.
function heritage.content(text)
  return "swh:1:cnt:" .. heritage.sha1(string.format("blob %d\0", #text) .. text)
end

--- The identifier of a file of the tree.
function heritage.file(path) return heritage.content(files.read(path)) end

--- The identifier of a file, qualified by its place in the tree and by lines of it.
function heritage.lines(identifier, path, first, last)
  return string.format("%s;path=/%s;lines=%d%s", identifier, path, first, last > first and "-" .. last or "")
end

return heritage
