import { findCompounds } from './compound';
import { joinToken } from './token';

/**
 * A marker of a path of a schema, as `[version=2.0]`, `[type=string]` or `[key=True]`, with the dot behind it. A type may end in brackets of
 * its own. The limits keep the time linear.
 */
const MARKER = /(?<=^|\.)\[(?:version|type|key)=[^\]]{0,200}\]{1,4}(?:\.|$)/g;

/**
 * Returns the path of a column as people write it: `[version=2.0].[type=Envelope].after.[type=string].id` is `after.id`. Any other text stays
 * as it is, and so does a path of markers alone.
 */
export function readablePath(text: string): string {
  if (!text.includes('[')) return text;
  const readable = text.replace(MARKER, '').replace(/\.$/, '');
  return readable === '' ? text : readable;
}

/** Number of values of a field that are always placed word by word. Schemas with more columns have some words in each of them. */
const PLACED_VALUES = 64;
/** Number of steps at the end of a later path that are placed. */
const PLACED_STEPS = 2;
/** Longest path that is also one token. */
const MAX_PATH_LENGTH = 1_000;

/** A name or path without blanks, which a query may write as a whole. */
const PATH = /^[^\s()"]*[\p{L}\p{N}][^\s()"]*$/u;

/**
 * Computes the token of all words of a path or name as one, so that it is found although its words are too frequent to keep all their positions:
 * of thousand columns `after.<name>`, an index has the position of 255 `after`. `undefined` for any other text, and for a single word.
 */
export function pathToken(text: string, words = listWords(text)): string | undefined {
  if (words.length < 2 || text.length > MAX_PATH_LENGTH || !PATH.test(text)) return undefined;
  return joinToken(words);
}

function listWords(text: string): readonly string[] {
  return findCompounds(text).flatMap(({ places }) => places);
}

/** One value as an index has it: a text that is placed word by word, and tokens of paths. */
export interface PlacedValue {
  readonly text: string;
  readonly paths: readonly string[];
}

/**
 * Decides what an index has of the values of a field with many values, in their order: of later paths the last steps word by word, and tokens of
 * the whole path, its last steps and its name. So thousand columns of a deep schema fit a document.
 */
export class PathShortener {
  private readonly steps = new Set<string>();
  private values = 0;

  shorten(value: string): PlacedValue {
    const isEarly = ++this.values <= PLACED_VALUES;
    if (value.length > MAX_PATH_LENGTH || !PATH.test(value)) return { text: value, paths: [] };
    const steps = value.split('.').filter((step) => step !== '');
    if (isEarly) {
      for (const step of steps) this.steps.add(step);
      return { text: value, paths: [] };
    }
    const last = Math.max(steps.length - PLACED_STEPS, 0);
    let from = 0;
    while (from < last && this.steps.has(steps[from] ?? '')) from++;
    for (const step of steps) this.steps.add(step);
    const written = [value, steps.slice(last).join('.'), steps.at(-1) ?? ''];
    const paths = [...new Set(written)].flatMap((each) => pathToken(each) ?? []);
    return { text: steps.slice(from).join('.'), paths };
  }
}
