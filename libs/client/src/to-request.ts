import { stringifyJson, type JsonOutput } from '@stratalog/json';

/** A request as the wire has it. */
export interface CallRequest {
  readonly method: string;
  /** Path and query, below the address of the catalog. */
  readonly target: string;
  readonly body?: string;
}

/**
 * Puts each parameter of a call in its place: where the path names it, else in the body of an action, else in the query.
 * Omits `undefined` members.
 */
export function toRequest(address: string, parameters: object = {}): CallRequest {
  const [method = '', place = ''] = address.split(' ');
  const [path = '', action] = place.split('?action=');
  const others = new Map(Object.entries(parameters) as (readonly [string, JsonOutput | undefined])[]);
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = others.get(name);
    others.delete(name);
    return encoded(toText(value ?? ''));
  });
  if (action !== undefined) {
    const target = `${filled}?action=${action}`;
    return { method, target, body: stringifyJson(Object.fromEntries(others)) };
  }
  const query = [...others].flatMap(([name, value]) =>
    value === undefined ? [] : [`${encoded(name)}=${toQueryValue(value)}`],
  );
  return { method, target: query.length === 0 ? filled : `${filled}?${query.join('&')}` };
}

/** A list has the notation of Rest.li 2: a comma inside an element cannot end it. */
function toQueryValue(value: JsonOutput): string {
  return Array.isArray(value)
    ? `List(${(value as readonly JsonOutput[]).map((each) => encoded(toText(each))).join(',')})`
    : encoded(toText(value));
}

function toText(value: JsonOutput): string {
  return typeof value === 'string' ? value : stringifyJson(value);
}

/** Percent-encodes every character that a path or a `List(...)` reserves, parentheses and quotes included. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[()'!*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
