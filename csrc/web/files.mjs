// files: text files as one JSON object, path -> text, for a page that has no other file system.
//
//     node csrc/web/files.mjs PREFIX FILE... > files.json
//
// PREFIX is taken off the front of each path.
import fs from "node:fs";

const [prefix, ...files] = process.argv.slice(2);
const entries = files.map((file) => {
  if (!file.startsWith(prefix)) throw new Error(`${file}: expected a path that begins with ${prefix}`);
  return [file.slice(prefix.length), fs.readFileSync(file, "utf8")];
});
process.stdout.write(JSON.stringify(Object.fromEntries(entries), null, 1) + "\n");
