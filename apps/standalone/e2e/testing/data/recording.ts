import { isJsonObject, parseJson, stringifyJson, type JsonValue } from '@stratalog/json';
import type { Answer } from '../catalog/raw-http';

/** One request of a real client, with the members of the answer that it needs. */
export interface RecordedCall {
  readonly call: string;
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly expect: {
    readonly status: number | '4xx';
    readonly contains?: JsonValue;
    readonly firstOnly?: boolean;
    readonly eventually?: boolean;
  };
}

export function readRecording(text: string): readonly RecordedCall[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => parseJson(line) as unknown as RecordedCall);
}

/**
 * Describes in one sentence how an answer fails the client; `undefined` when it suffices.
 *
 * **Source**: `libs/testkit/connector-data/README.md`.
 */
export function findShortcoming({ expect }: RecordedCall, answer: Answer): string | undefined {
  const isStatus =
    expect.status === '4xx' ? answer.status >= 400 && answer.status < 500 : answer.status === expect.status;
  if (!isStatus) return `status ${String(answer.status)} instead of ${String(expect.status)}: ${answer.body}`;
  if (expect.contains === undefined) return undefined;
  return missing(expect.contains, answer.json, '', expect.firstOnly === true);
}

function missing(
  wanted: JsonValue,
  given: JsonValue | undefined,
  path: string,
  firstOnly: boolean,
): string | undefined {
  if (given === undefined) return `${path} is not there`;
  if (wanted === '$any') return undefined;
  if (wanted === '$string') return typeof given === 'string' ? undefined : `${path} is no string`;
  if (wanted === '$number') return typeof given === 'number' ? undefined : `${path} is no number`;
  if (Array.isArray(wanted)) return missingInList(wanted, given, path, firstOnly);
  if (!isJsonObject(wanted)) {
    return wanted === given ? undefined : `${path} is ${stringifyJson(given)}, not ${stringifyJson(wanted)}`;
  }
  if (wanted.$json !== undefined) {
    if (typeof given !== 'string') return `${path} is no text`;
    return missing(wanted.$json, parseJson(given), `${path}(JSON)`, firstOnly);
  }
  if (!isJsonObject(given)) return `${path} is no object`;
  for (const [name, inner] of Object.entries(wanted)) {
    const found = missing(inner, given[name], `${path}/${name}`, firstOnly);
    if (found !== undefined) return found;
  }
  return undefined;
}

function missingInList(
  wanted: readonly JsonValue[],
  given: JsonValue,
  path: string,
  firstOnly: boolean,
): string | undefined {
  if (!Array.isArray(given)) return `${path} is no list`;
  const onlyFirst = firstOnly && path.endsWith('/values');
  if (!onlyFirst && given.length !== wanted.length) {
    return `${path} has ${String(given.length)} elements, not ${String(wanted.length)}`;
  }
  for (const [index, inner] of (onlyFirst ? wanted.slice(0, 1) : wanted).entries()) {
    const found = missing(inner, given[index], `${path}/${String(index)}`, firstOnly);
    if (found !== undefined) return found;
  }
  return undefined;
}
