/** The number of instructions of a part of a pattern, and of the repeatable part at its end. */
interface Part {
  size: number;
  last: number;
}

/** Every group may cost two instructions, and so may every repetition or alternative. */
const GROUP = 2;
const BRANCH = 2;
/** Reading a range beyond ASCII costs as much as so many instructions, because each of its letters may have other cases. */
const WIDE_RANGE = 200;
const CATEGORY = 10;

const TOKEN =
  /\\Q(?<quoted>.*?)(?:\\E|$)|\\(?<escape>[pPx])(?:\{[^}]*\}|.)|\\.|\[\^?\]?(?<set>(?:\[:\^?\w*:\]|\\.|[^\\\]])*)\]|(?<open>\((?:\?(?:P?<[^>]*>|[a-zA-Z-]*:)?)?)|(?<close>\))|(?<repeat>\{(?<low>\d+)(?<range>,(?<high>\d*))?\})|(?<branch>[*+?|])|./gsu;

/**
 * Bounds what it costs to compile a pattern, without compiling it: the number of instructions, in which repetitions of
 * repetitions multiply, and the sets of characters. At most a few times the true number, and never below it.
 */
export function boundPatternCost(pattern: string): number {
  let sets = 0;
  const open: Part[] = [];
  let part: Part = { size: 0, last: 0 };
  const add = (size: number): void => {
    part.size += size;
    part.last = size;
  };
  for (const { groups = {} } of pattern.matchAll(TOKEN)) {
    const { quoted, escape, set, close, repeat, branch } = groups;
    if (quoted !== undefined) {
      part = quoted === '' ? part : { size: part.size + quoted.length, last: 1 };
    } else if (groups.open !== undefined) {
      open.push(part);
      part = { size: 0, last: 0 };
    } else if (close !== undefined) {
      const inner = Math.max(part.size, 1) + GROUP;
      part = open.pop() ?? { size: 0, last: 0 };
      add(inner);
    } else if (repeat !== undefined) {
      const { size, last } = part;
      const repeated = repeatSize(last, groups);
      part = { size: size - last + repeated, last: repeated };
    } else if (branch !== undefined) {
      part = { size: part.size + BRANCH, last: part.last + BRANCH };
    } else {
      if (set !== undefined) sets += boundSet(set);
      else if (escape !== undefined && escape !== 'x') sets += CATEGORY;
      add(1);
    }
  }
  return sets + [...open, part].reduce((total, { size }) => total + size, 0);
}

function repeatSize(
  size: number,
  { low, range, high }: Readonly<Record<string, string | undefined>>,
): number {
  const least = Number(low);
  if (range === undefined) return least * size;
  if (high === undefined || high === '') return Math.max(least, 1) * size + BRANCH;
  return Math.max(least, Number(high)) * (size + BRANCH);
}

function boundSet(set: string): number {
  const wide = set.match(/-(?:\\|[^ -~])/gu)?.length ?? 0;
  const categories = set.match(/\\[pP]/g)?.length ?? 0;
  return wide * WIDE_RANGE + categories * CATEGORY;
}
