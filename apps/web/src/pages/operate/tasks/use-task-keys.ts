import { useEffect } from 'react';
import { preferences } from '../../../data/preferences';
import { useDeed } from '../../../data/use-deed';
import type { ListedTask } from './tasks';

/** `p` pauses the selected task, or resumes it; the arrows move among the tasks. */
export function useTaskKeys(selected: ListedTask | undefined): void {
  const { mutate: pause } = useDeed('POST /operations?action=pauseTask', ['GET /operations/tasks']);
  const { mutate: resume } = useDeed('POST /operations?action=resumeTask', ['GET /operations/tasks']);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { key, target, metaKey, ctrlKey, altKey } = event;
      const isTyping = target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
      if (isTyping || metaKey || ctrlKey || altKey || document.querySelector('dialog[open]') !== null) return;
      if (key === 'ArrowDown' || key === 'ArrowUp') moveFocus(event, key === 'ArrowDown' ? 1 : -1);
      else if (key !== 'p' || !preferences.get().hasKeys || selected === undefined) return;
      else if (selected.state === 'paused') resume({ task: selected.task });
      else if (selected.state === 'running' || selected.state === 'queued') pause({ task: selected.task });
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [selected, pause, resume]);
}

function moveFocus(event: KeyboardEvent, by: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>('main tbody th a')];
  const at = links.indexOf(document.activeElement as HTMLElement);
  const isFree =
    at >= 0 || document.activeElement === document.body || document.activeElement?.tagName === 'H1';
  const next = links[at + by];
  if (!isFree || next === undefined) return;
  event.preventDefault();
  next.focus();
}
