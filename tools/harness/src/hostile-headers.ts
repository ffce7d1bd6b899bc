import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './program';

/** Names of headers, each with values that some code may react to. */
export function readHostileHeaders(): [[name: string, values: [string, ...string[]]]] {
  const text = readFileSync(join(ROOT, 'libs/http/hostile-headers.json'), 'utf8');
  return JSON.parse(text) as ReturnType<typeof readHostileHeaders>;
}
