import { parseJson } from '@stratalog/json';
import { useEffect, useState } from 'react';
import { openStream } from '../../../data/catalog';
import { queryClient } from '../../../data/use-call';
import { isActive, type ListedTask, type Task } from './tasks';

const LIST = 'GET /operations/tasks';
const AGAIN_AFTER_MS = 5_000;

/** The task as the events of the catalog tell it; the one that was read until the first comes, and where no stream can be had. */
export function useFollowed(read: Task | undefined): Task | undefined {
  const [told, setTold] = useState<Task>();
  const name = read?.task;
  const isFollowed = read !== undefined && isActive(read);
  useEffect(() => {
    if (name === undefined || !isFollowed) return undefined;
    const leaving = new AbortController();
    const path = `/operations/tasks/${encodeURIComponent(name)}/events`;
    // Without a stream the page goes on with what it reads every few seconds.
    follow<Task>(path, leaving.signal, { tell: setTold }).catch(() => undefined);
    return () => leaving.abort();
  }, [name, isFollowed]);
  if (read === undefined || told?.task !== read.task) return read;
  return isActive(read) ? told : read;
}

/** Keeps the list of the newest tasks as the events of the catalog tell it. Returns whether they do: otherwise it must be read again and again. */
export function useTaskStream(count: number): boolean {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onOpen = (): void => {
      setOpen(true);
      // What happened between the last reading and the stream.
      void queryClient.invalidateQueries({ queryKey: [LIST] });
    };
    const again = (): void => {
      if (leaving.signal.aborted) return;
      setOpen(false);
      timer = setTimeout(open, AGAIN_AFTER_MS);
    };
    const open = (): void =>
      void follow<ListedTask>('/operations/tasks/events', leaving.signal, {
        tell: (task) => note(count, task),
        onOpen,
      }).then(again, again);
    open();
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [count]);
  return isOpen;
}

function note(count: number, told: ListedTask): void {
  queryClient.setQueryData<{ readonly tasks: readonly ListedTask[] }>([LIST, { count }], (listed) => {
    if (listed === undefined) return listed;
    const isListed = listed.tasks.some(({ task }) => task === told.task);
    const tasks = isListed
      ? listed.tasks.map((each) => (each.task === told.task ? told : each))
      : [told, ...listed.tasks];
    return { ...listed, tasks };
  });
}

interface Listener<Told> {
  readonly tell: (task: Told) => void;
  readonly onOpen?: () => void;
}

/** Reads the stream by hand: an `EventSource` cannot send a token. Resolves when it ends. */
async function follow<Told>(
  path: string,
  signal: AbortSignal,
  { tell, onOpen }: Listener<Told>,
): Promise<void> {
  const answer = await openStream(path, signal);
  if (!answer.ok || answer.body === null) return;
  onOpen?.();
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data !== undefined) tell(parseJson(data) as unknown as Told);
    }
  }
}
