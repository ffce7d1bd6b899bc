import type { Steps } from '@stratalog/json';
import type { OutgoingRecord } from './record-sender';

/** Passes records on after one step, which lasts `ms`. */
export function* encoded(records: readonly OutgoingRecord[], ms = 0): Steps<readonly OutgoingRecord[]> {
  const end = performance.now() + ms;
  while (performance.now() < end);
  yield;
  return records;
}
