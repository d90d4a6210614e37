// Keys and values that the JSON Schema of scenario files allows at a position.

/** The subset of JSON Schema that `atl schema` writes. */
export interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  description?: string;
  default?: unknown;
  type?: string | string[];
}

/** A completion. */
export interface Option {
  label: string;
  detail: string;
  info: string;
}

/** Resolves a schema: follows references, and opens alternatives and items of lists. */
function* shapes(root: Schema, schema: Schema, depth = 0): Generator<Schema> {
  if (depth > 8) return;
  if (schema.$ref !== undefined) {
    const target = root.$defs?.[schema.$ref.replace("#/$defs/", "")];
    if (target) yield* shapes(root, target, depth + 1);
  }
  for (const one of schema.anyOf ?? []) yield* shapes(root, one, depth + 1);
  if (schema.items) yield* shapes(root, schema.items, depth + 1);
  yield schema;
}

/** Schemas at a path. */
function at(root: Schema, path: string[]): Schema[] {
  let here: Schema[] = [...shapes(root, root)];
  for (const key of path) {
    here = here.flatMap((schema) => {
      const found = schema.properties?.[key];
      if (found) return [...shapes(root, found)];
      return typeof schema.additionalProperties === "object" ? [...shapes(root, schema.additionalProperties)] : [];
    });
  }
  return here;
}

/** Keys allowed in the table at a path. */
export function keysAt(root: Schema, path: string[]): Option[] {
  const options = new Map<string, Option>();
  for (const schema of at(root, path)) {
    for (const [label, property] of Object.entries(schema.properties ?? {})) {
      const preset = property.default === undefined ? "" : `default ${JSON.stringify(property.default)}`;
      options.set(label, { label, detail: preset, info: property.description ?? "" });
    }
  }
  return [...options.values()];
}

/** Words and other fixed values allowed at a path. */
export function valuesAt(root: Schema, path: string[]): Option[] {
  const options = new Map<string, Option>();
  for (const schema of at(root, path)) {
    const fixed = [...(schema.enum ?? []), ...("const" in schema ? [schema.const] : [])];
    for (const value of fixed) {
      options.set(JSON.stringify(value), { label: JSON.stringify(value), detail: "", info: schema.description ?? "" });
    }
    if (schema.type === "boolean") {
      for (const label of ["true", "false"]) options.set(label, { label, detail: "", info: "" });
    }
  }
  return [...options.values()];
}

/** Description of the key at a path. */
export function describe(root: Schema, path: string[]): string {
  const key = path.at(-1);
  if (key === undefined) return "";
  const found = at(root, path.slice(0, -1)).find((schema) => schema.properties?.[key]?.description);
  return found?.properties?.[key]?.description ?? "";
}
