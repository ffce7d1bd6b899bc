import { SeededRandom } from '@stratalog/harness';

const ONSETS = [
  'b',
  'br',
  'c',
  'd',
  'dr',
  'f',
  'g',
  'gl',
  'h',
  'k',
  'l',
  'm',
  'n',
  'p',
  'pr',
  'r',
  's',
  'st',
  't',
  'v',
];
const VOWELS = ['a', 'e', 'i', 'o', 'u', 'ai', 'ea', 'ou'];
const CODAS = ['', 'l', 'm', 'n', 'nd', 'r', 'rk', 'st', 't', 'x'];
const SEED = 4_711;

/**
 * Lists pronounceable words without meaning, each once, the frequent ones first because they are the
 * shortest.
 */
export function listVocabulary(size: number): readonly string[] {
  const random = new SeededRandom(SEED);
  const pick = (from: readonly string[]): string => from[random.below(from.length)] ?? '';
  const words = new Set<string>();
  while (words.size < size) {
    const syllables = words.size < size / 100 ? 1 : words.size < size / 4 ? 2 : 3;
    let word = '';
    for (let at = 0; at < syllables; at++) word += pick(ONSETS) + pick(VOWELS);
    words.add(word + pick(CODAS));
  }
  return [...words];
}
