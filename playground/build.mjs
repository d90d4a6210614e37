// Builds the page: `node build.mjs MODULE FOLDER` with the WebAssembly module that cargo made. Nothing of it loads anything
// from another host.

import { build } from "esbuild";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [wasm, out] = process.argv.slice(2);
if (!wasm || !out) throw new Error("usage: node build.mjs MODULE FOLDER");

const bytes = readFileSync(wasm);
const module = new WebAssembly.Module(bytes);
const imports = WebAssembly.Module.imports(module);
if (imports.length > 0) throw new Error(`the module imports ${imports.map((one) => one.name).join(", ")}`);

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const result = await build({
  absWorkingDir: here,
  entryPoints: ["src/main.ts", "src/worker.ts"],
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  legalComments: "none",
  metafile: true,
  outdir: out,
});
for (const name of ["index.html", "style.css"]) copyFileSync(join(here, "src", name), join(out, name));
writeFileSync(join(out, "atl_web.wasm"), bytes);

// What the module itself would say at each start.
const exports = new WebAssembly.Instance(module, {}).exports;
for (const name of ["catalogue", "schema"]) {
  exports.input(0);
  if (exports[name]() !== 0) throw new Error(`${name} failed`);
  writeFileSync(join(out, `${name}.json`), Buffer.from(exports.memory.buffer, exports.output(), exports.output_length()));
}

// The licences of what is bundled.
const packages = new Set(
  Object.keys(result.metafile.inputs)
    .map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1])
    .filter((name) => name !== undefined),
);
const licences = [...packages].sort().map((name) => {
  const { version } = JSON.parse(readFileSync(join(here, "node_modules", name, "package.json"), "utf8"));
  return `${name} ${version}\n\n${readFileSync(join(here, "node_modules", name, "LICENSE"), "utf8").trim()}\n`;
});
writeFileSync(join(out, "licences.txt"), licences.join(`\n${"-".repeat(80)}\n\n`));
