import { logLine } from '@stratalog/runtime';

/** Formats a line of an app among those of others: prefixed with its name, and short on a terminal. */
export function childLine(name: string, line: string, isTerminal: boolean): string {
  const text = isTerminal ? forPeople(line) : line;
  return text
    .split('\n')
    .map((part) => `${name} | ${part}\n`)
    .join('');
}

/** Output of an app apart from its log lines, such as the reason of a failed start, is no JSON. */
function forPeople(line: string): string {
  try {
    return logLine(line).trimEnd();
  } catch {
    return line;
  }
}
