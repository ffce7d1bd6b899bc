import { isJsonObject, parseJson, stringifyJson, type JsonObject, type JsonValue } from '@stratalog/json';

export interface Parameter {
  readonly in: string;
  readonly name: string;
  /** The permitted values, where they are listed. */
  readonly allowed: readonly string[];
}

/** One call of the catalog; each action of a path is one. */
export interface Operation {
  readonly method: string;
  /** With `{name}` for each parameter in it. */
  readonly path: string;
  readonly action?: string;
  readonly parameters: readonly Parameter[];
  /** Bodies in the documentation. */
  readonly bodies: readonly JsonValue[];
}

/** Reads the operations from the catalog's own `/openapi.json`. **Errors**: `TypeError` when it has none. */
export function operationsIn(text: string): [Operation, ...Operation[]] {
  const found = Object.entries(objectAt(parseJson(text), 'paths')).flatMap(([path, calls]) =>
    Object.entries(isJsonObject(calls) ? calls : {}).flatMap(([method, call]) => callsOf(method, path, call)),
  );
  const [first, ...others] = found;
  if (first === undefined) throw new TypeError('the document names no call');
  return [first, ...others];
}

function callsOf(method: string, path: string, call: JsonValue): readonly Operation[] {
  const all = toParameters(call);
  const parameters = all.filter(({ name }) => name !== 'action');
  const actions = all.find(({ name }) => name === 'action')?.allowed ?? [];
  const common = { method: method.toUpperCase(), path, parameters };
  const examples = makeExamples(call);
  if (actions.length === 0) return [{ ...common, bodies: examples.map(([, body]) => body) }];
  return actions.map((action) => ({
    ...common,
    action,
    bodies: examples.filter(([name]) => name.startsWith(`${action}-`)).map(([, body]) => body),
  }));
}

function toParameters(call: JsonValue): readonly Parameter[] {
  const listed = isJsonObject(call) ? call.parameters : undefined;
  return (Array.isArray(listed) ? listed : []).filter(isJsonObject).map((parameter) => {
    const { enum: allowed } = objectAt(parameter, 'schema');
    const texts = Array.isArray(allowed) ? allowed.map((value) => toText(value)) : [];
    return { in: toText(parameter.in), name: toText(parameter.name), allowed: texts };
  });
}

function makeExamples(call: JsonValue): readonly [string, JsonValue][] {
  const content = objectAt(objectAt(objectAt(call, 'requestBody'), 'content'), 'application/json');
  return Object.entries(objectAt(content, 'examples')).flatMap(([name, example]) =>
    isJsonObject(example) && example.value !== undefined
      ? [[name, example.value] as [string, JsonValue]]
      : [],
  );
}

function toText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : stringifyJson(value ?? null);
}

function objectAt(value: JsonValue, name: string): JsonObject {
  const member = isJsonObject(value) ? value[name] : undefined;
  return isJsonObject(member) ? member : {};
}
