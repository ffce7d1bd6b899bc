import { parseJson } from '@stratalog/json';

/** Where a value stands in a text. **Units**: UTF-16 code units; lines from 1. */
export interface Place {
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

interface OpenValue {
  readonly path: string;
  readonly start: number;
  readonly isList: boolean;
  key: string | undefined;
  index: number;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
const POSITION = /at position (\d+)/;

/** Finds where a fault of a JSON text is: the value at its path, else the nearest around it. */
export function findPlace(
  text: string,
  { path, reason }: { readonly path: string; readonly reason: string },
): Place {
  const position = POSITION.exec(reason)?.[1];
  if (path === '' && position !== undefined) return toPlace(text, Number(position), Number(position) + 1);
  const found = findValues(text);
  for (let at = path; ; at = at.slice(0, at.lastIndexOf('/'))) {
    const range = found.get(at);
    if (range !== undefined) return toPlace(text, ...range);
    if (at === '') return toPlace(text, 0, 0);
  }
}

function toPlace(text: string, start: number, end: number): Place {
  return { start, end, line: text.slice(0, start).split('\n').length };
}

/** Puts each member of a JSON text that is one line on a line of its own. Values stay as they are, numbers to their last digit. */
export function layOut(text: string): string {
  if (text.includes('\n')) return text;
  let laidOut = '';
  let depth = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    const closes = token === '}' || token === ']';
    if (closes) depth -= 1;
    const isEmpty = closes && /[{[]$/.test(laidOut);
    if (!isEmpty && (closes || /[{[,]$/.test(laidOut))) laidOut += `\n${'  '.repeat(depth)}`;
    laidOut += token === ':' ? ': ' : token;
    if (token === '{' || token === '[') depth += 1;
  }
  return laidOut;
}

/** The range of each value of a JSON text by its pointer. */
function findValues(text: string): ReadonlyMap<string, readonly [start: number, end: number]> {
  const ranges = new Map<string, readonly [number, number]>();
  const open: OpenValue[] = [];
  for (const { 0: token, index: start } of text.matchAll(TOKEN)) {
    const end = start + token.length;
    const inside = open.at(-1);
    if (token === ',') {
      if (inside !== undefined) Object.assign(inside, { key: undefined, index: inside.index + 1 });
    } else if (token === '}' || token === ']') {
      const closed = open.pop();
      if (closed !== undefined) ranges.set(closed.path, [closed.start, end]);
    } else if (token !== ':') {
      if (inside !== undefined && !inside.isList && inside.key === undefined) inside.key = toKey(token);
      else {
        const path = inside === undefined ? '' : `${inside.path}/${inside.key ?? String(inside.index)}`;
        const isList = token === '[';
        if (isList || token === '{') open.push({ path, start, isList, key: undefined, index: 0 });
        else ranges.set(path, [start, end]);
      }
    }
  }
  return ranges;
}

/** A name as it stands in a pointer. */
function toKey(token: string): string {
  const name = parseJson(token);
  return typeof name === 'string' ? name.replaceAll('~', '~0').replaceAll('/', '~1') : token;
}
