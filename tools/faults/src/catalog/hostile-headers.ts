import { readFileSync } from 'node:fs';

/** From the sources and from the bundle alike: three folders below the root. */
const FILE = new URL('../../../libs/http/hostile-headers.json', import.meta.url);

/** Names of headers, each with values that some code may react to. */
export const HOSTILE_HEADERS = JSON.parse(readFileSync(FILE, 'utf8')) as [
  [name: string, values: [string, ...string[]]],
];
