import { readFileSync } from 'node:fs';

const LAST_LINES = 6;
const LINE_LENGTH = 500;

/** Returns the last lines of a log file, without warnings: every kill causes some. */
export function lastWordsIn(logFile: string): string {
  const lines = readFileSync(logFile, 'utf8').split('\n');
  const said = lines.filter((line) => line !== '' && !line.includes('"level":"warn"'));
  return said
    .slice(-LAST_LINES)
    .map((line) => line.slice(0, LINE_LENGTH))
    .join('\n');
}
