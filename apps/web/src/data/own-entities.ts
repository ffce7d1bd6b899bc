import { keep, readKept } from './browser-storage';
import { Store } from './store';

const MOST_RECENT = 20;

function readUrns(name: string): readonly string[] {
  const kept = readKept(name);
  return Array.isArray(kept) ? kept.filter((each): each is string => typeof each === 'string') : [];
}

/** The entities that a person looked at, the last one first; kept in the browser. */
export const recent = new Store(readUrns('recent'));
/** The entities that a person starred; kept in the browser. */
export const starred = new Store(readUrns('starred'));

export function noteVisit(urn: string): void {
  const next = [urn, ...recent.get().filter((each) => each !== urn)].slice(0, MOST_RECENT);
  keep('recent', next);
  recent.set(next);
}

export function toggleStar(urn: string): void {
  const now = starred.get();
  const next = now.includes(urn) ? now.filter((each) => each !== urn) : [urn, ...now];
  keep('starred', next);
  starred.set(next);
}
