import { readFileSync } from 'node:fs';

/** From the sources and from the bundle alike: three folders below the root. */
const FILE = new URL('../../../libs/testkit/hostile-texts.json', import.meta.url);

/** Texts that a parser might stumble over. */
export const HOSTILE_TEXTS = JSON.parse(readFileSync(FILE, 'utf8')) as readonly string[];
