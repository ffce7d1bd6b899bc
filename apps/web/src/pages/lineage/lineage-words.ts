import { count } from '../../data/words';
import type { ChangeKind } from './graph/lineage-graph';

export const CHANGE_WORDS: Readonly<Record<ChangeKind, string>> = { added: 'came', removed: 'went' };

/** "2 hops", "1 hop before" */
export function hopsInWords(degree: number): string {
  if (degree === 0) return 'Source';
  return `${count(Math.abs(degree), 'hop')}${degree < 0 ? ' before' : ''}`;
}
