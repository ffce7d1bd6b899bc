import { logLine } from '@stratalog/runtime';

/** A line of an app among those of others: prefixed with its name, and short where people read along. */
export function childLine(name: string, line: string, isTerminal: boolean): string {
  const text = isTerminal ? forPeople(line) : line;
  return text
    .split('\n')
    .map((part) => `${name} | ${part}\n`)
    .join('');
}

/** What an app says apart from its log lines (why it does not start) is no JSON. */
function forPeople(line: string): string {
  try {
    return logLine(line).trimEnd();
  } catch {
    return line;
  }
}
