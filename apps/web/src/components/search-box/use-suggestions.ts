import { useEffect, useState } from 'react';
import { useCall } from '../../data/use-call';

const PAUSE_MS = 120;
const MOST = 6;

/** The text after a short pause in typing. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** The parameters of the call that completes a text, to entities of some types or of all. */
export function autocompleteOf(text: string, types: readonly string[] = []) {
  return { query: text, limit: MOST, ...(types.length === 0 ? {} : { entities: [...types] }) };
}

/** The entities that a typed text may mean, each once. Those of the text before stay until the next answer comes. */
export function useSuggestions(text: string, types?: readonly string[]): readonly string[] {
  const settled = useSettled(text.trim());
  const { data } = useCall('POST /entities?action=autocomplete', autocompleteOf(settled, types), {
    isWanted: settled !== '',
    keepsFormer: true,
  });
  if (text.trim() === '' || data === undefined) return [];
  return distinctUrns(data);
}

export function distinctUrns(answer: {
  readonly entities: readonly { readonly urn: string }[];
}): readonly string[] {
  return [...new Set(answer.entities.map(({ urn }) => urn))];
}
