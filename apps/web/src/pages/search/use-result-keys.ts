import { useNavigate } from '@tanstack/react-router';
import { useEffect, type RefObject } from 'react';
import { preferences } from '../../data/preferences';

/** The arrows move among the results unless something else has the keys; `l` opens the lineage of the focused one. */
export function useResultKeys(list: RefObject<HTMLElement | null>, urns: readonly string[]): void {
  const navigate = useNavigate();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { key, metaKey, ctrlKey, altKey } = event;
      if (metaKey || ctrlKey || altKey) return;
      const { activeElement } = document;
      const rows = [...(list.current?.children ?? [])];
      const at = rows.findIndex((row) => row.contains(activeElement));
      if (key === 'l' && preferences.get().hasKeys) {
        const urn = urns[at];
        if (urn !== undefined) void navigate({ to: '/lineage/$urn', params: { urn } });
      }
      if (key !== 'ArrowDown' && key !== 'ArrowUp') return;
      const isFree = at >= 0 || activeElement === document.body || activeElement?.tagName === 'H1';
      const next = rows[key === 'ArrowDown' ? at + 1 : at - 1];
      if (!isFree || next === undefined) return;
      event.preventDefault();
      next.querySelector('a')?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [list, urns, navigate]);
}
