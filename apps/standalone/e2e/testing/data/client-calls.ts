import { parseJson } from '@stratalog/json';
import type { RecordedCall } from './recording';

/**
 * Parses calls that were written by hand: `### description`, the request as it goes over the wire, and after
 * `<` the status and the members that the client needs. `eventually` after the status: an index answers.
 */
export function readClientCalls(text: string): readonly RecordedCall[] {
  return text.split(/^### /m).slice(1).map(callIn);
}

const EXPECTED = /^< (\d{3}|4xx)( eventually)?\n/m;

function callIn(block: string): RecordedCall {
  const expected = EXPECTED.exec(block);
  if (expected === null) throw new Error(`there is no line "< status" in: ${block}`);
  const [head = '', ...body] = block.slice(0, expected.index).trimEnd().split('\n\n');
  const [call = '', request = '', ...headerLines] = head.split('\n');
  const [method = '', target = ''] = request.split(' ');
  const contains = block.slice(expected.index + expected[0].length).trim();
  return {
    call,
    method,
    target,
    headers: Object.fromEntries(headerLines.map(headerIn)),
    body: body.join('\n\n'),
    expect: {
      status: expected[1] === '4xx' ? '4xx' : Number(expected[1]),
      ...(contains === '' ? {} : { contains: parseJson(contains) }),
      eventually: expected[2] !== undefined,
    },
  };
}

function headerIn(line: string): readonly [string, string] {
  const colonAt = line.indexOf(': ');
  return [line.slice(0, colonAt), line.slice(colonAt + 2)];
}

const PREFIXES = ['/gms', '/api/gms'];
const PREFIX = /^\/(?:api\/)?gms(?=\/)/;
const LIST = /([?&])(\w+)=List\(([^&]*)\)/g;

/** Returns other spellings of the same call: prefixes, and the notations of lists. */
export function listSpellings(target: string): readonly string[] {
  const bare = target.replace(PREFIX, '');
  const prefixed = ['', ...PREFIXES].map((prefix) => `${prefix}${bare}`);
  const lists = [
    (_whole: string, before: string, name: string, list: string) =>
      `${before}${name}=${encodeURIComponent(`List(${decodeURIComponent(list)})`)}`,
    (_whole: string, before: string, name: string, list: string) =>
      before +
      list
        .split(',')
        .map((element) => `${name}=${element}`)
        .join('&'),
  ].map((spell) => bare.replace(LIST, spell));
  return [...new Set([...prefixed, ...lists])].filter((spelling) => spelling !== target);
}
