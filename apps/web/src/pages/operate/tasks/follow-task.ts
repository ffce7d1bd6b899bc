import { parseJson } from '@stratalog/json';
import { useEffect, useState } from 'react';
import { token } from '../../../data/catalog';
import { API } from '../../../data/place';
import { isActive, type Task } from './tasks';

/** The task as the events of the catalog tell it; the one that was read until the first comes, and where no stream can be had. */
export function useFollowed(read: Task | undefined): Task | undefined {
  const [told, setTold] = useState<Task>();
  const name = read?.task;
  const isFollowed = read !== undefined && isActive(read);
  useEffect(() => {
    if (name === undefined || !isFollowed) return undefined;
    const leaving = new AbortController();
    // Without a stream the page goes on with what it reads every few seconds.
    follow(name, leaving.signal, setTold).catch(() => undefined);
    return () => leaving.abort();
  }, [name, isFollowed]);
  if (read === undefined || told?.task !== read.task) return read;
  return isActive(read) ? told : read;
}

/** Reads the stream by hand: an `EventSource` cannot send a token. */
async function follow(name: string, signal: AbortSignal, tell: (task: Task) => void): Promise<void> {
  const secret = token.get();
  const answer = await fetch(`${API}/operations/tasks/${encodeURIComponent(name)}/events`, {
    headers: secret === undefined ? {} : { Authorization: `Bearer ${secret}` },
    signal,
  });
  if (!answer.ok || answer.body === null) return;
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
      if (data !== undefined) tell(parseJson(data) as unknown as Task);
    }
  }
}
