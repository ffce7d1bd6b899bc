import { isJsonObject, type JsonValue } from '@stratalog/model';

/** Stands in a page for whatever differs from run to run. */
const ANYTHING = '…';
/** Times in milliseconds differ from run to run too, and look better as what they are. */
const FIRST_TIME = 1_000_000_000_000;

/**
 * Whether an answer holds what a page shows of it: members that the page leaves out may be there, `…` stands for anything, also
 * inside a text and for the rest of a list, and one time is as good as another.
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

/** Whether the lines of a text stand in an output in this order; others may stand between. */
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
