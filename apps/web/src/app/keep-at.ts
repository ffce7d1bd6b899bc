import { one } from './search-parameters';

/** For links among pages of entities: the time of the address stays, and nothing else. */
export function keepAt(search: { readonly at?: unknown }): { at?: string } {
  const at = one(search.at);
  return at === undefined ? {} : { at };
}
