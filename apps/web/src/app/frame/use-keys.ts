import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { preferences } from '../../data/preferences';

const SEQUENCE_MS = 1_000;

/** Text fields take every key themselves. */
function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** The keys that act on every page. */
export function useKeys(open: (dialog: 'commands' | 'shortcuts') => void, collapse: () => void): void {
  const navigate = useNavigate();
  const onCollapse = useEffectEvent(collapse);
  useEffect(() => {
    let goAtMs = -Infinity;
    const onKey = (event: KeyboardEvent): void => {
      const { key, metaKey, ctrlKey, altKey } = event;
      if (key.toLowerCase() === 'k' && (metaKey || ctrlKey)) {
        event.preventDefault();
        open('commands');
        return;
      }
      const isFree =
        preferences.get().hasKeys && !isTyping(event) && document.querySelector('dialog[open]') === null;
      if (!isFree || metaKey || ctrlKey || altKey) return;
      const isGoing = event.timeStamp - goAtMs < SEQUENCE_MS;
      if (key === 'g') goAtMs = event.timeStamp;
      else if (isGoing && key === 'h') void navigate({ to: '/' });
      else if (isGoing && key === 't') void navigate({ to: '/operate/tasks' });
      else if (key === '/') {
        event.preventDefault();
        const field = document.querySelector<HTMLInputElement>('[data-search-field]');
        if (field?.checkVisibility() === true) field.select();
        else open('commands');
      } else if (key === '?') open('shortcuts');
      else if (key === '[') onCollapse();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [navigate, open]);
}
