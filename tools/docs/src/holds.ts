import { isJsonObject, type JsonValue } from '@stratalog/json';

/** Stands in a page for any value that differs from run to run. */
const ANYTHING = '…';
/** Times in milliseconds differ from run to run too, but look better as times. */
const FIRST_TIME = 1_000_000_000_000;

/**
 * True when an answer matches the one in a page. The page may omit members, `…` matches any value, part of a
 * text or the rest of a list, and any time matches another.
 */
export function holds(shown: JsonValue, answer: JsonValue | undefined): boolean {
  if (shown === ANYTHING) return answer !== undefined;
  if (typeof shown === 'string') return typeof answer === 'string' && lineHolds(shown, answer);
  if (typeof shown === 'number' && typeof answer === 'number') {
    return shown === answer || (shown > FIRST_TIME && answer > FIRST_TIME);
  }
  if (Array.isArray(shown)) {
    if (!Array.isArray(answer)) return false;
    const isOpen = shown.at(-1) === ANYTHING;
    const elements = isOpen ? shown.slice(0, -1) : shown;
    return (
      (isOpen || elements.length === answer.length) && elements.every((each, at) => holds(each, answer[at]))
    );
  }
  if (isJsonObject(shown)) {
    return isJsonObject(answer) && Object.entries(shown).every(([name, value]) => holds(value, answer[name]));
  }
  return shown === answer;
}

/** True when the lines of a text occur in an output in this order; others may stand between. */
export function linesHold(shown: string, output: string): boolean {
  const lines = output.split(/\r?\n/);
  return shown.split('\n').every((line) => {
    const at = lines.findIndex((candidate) => lineHolds(line, candidate));
    if (at === -1) return false;
    lines.splice(0, at + 1);
    return true;
  });
}

function lineHolds(shown: string, line: string): boolean {
  const pattern = shown
    .trimEnd()
    .split(ANYTHING)
    .map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('.*');
  return new RegExp(`^${pattern}$`, 's').test(line.trimEnd());
}
