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

/** The parameters of the call that completes a text. */
export function autocompleteOf(text: string) {
  return { query: text, limit: MOST } as const;
}

/** The entities that a typed text may mean, each once. Those of the text before stay until the next answer comes. */
export function useSuggestions(text: string): readonly string[] {
  const settled = useSettled(text.trim());
  const { data } = useCall('POST /entities?action=autocomplete', autocompleteOf(settled), {
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
