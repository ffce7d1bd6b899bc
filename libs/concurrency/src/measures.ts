import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel';

/** The measures of the catalog, by name. Metrics are one reader; a measure without a reader costs nothing. */
interface Measures {
  /** One transaction of the writer with the proposals that share it. */
  readonly commit: { readonly proposals: number; readonly seconds: number };
  /** One request that was answered, or failed. */
  readonly request: { readonly route: string; readonly status: number; readonly seconds: number };
  /** One call of the search engine. */
  readonly engine: { readonly operation: string; readonly isOk: boolean; readonly seconds: number };
  /** One call that was rejected because its caller called too often, or sent too many wrong tokens. */
  readonly limited: { readonly limit: 'reads' | 'writes' | 'lockout' };
  /** One record that became a dead letter: it was rejected, or could not be applied. */
  readonly deadLetter: { readonly cause: 'rejected' | 'failed' };
  /** One dead letter that an operator replayed or discarded. */
  readonly settledLetter: { readonly how: 'replayed' | 'discarded' };
  /** Units of work that a step of a task has done. */
  readonly task: { readonly kind: string; readonly units: number };
}

const PREFIX = 'stratalog:';

/** Reports a measure to its listeners. */
export function measure<Name extends keyof Measures>(name: Name, value: Measures[Name]): void {
  const to = channel(PREFIX + name);
  if (to.hasSubscribers) to.publish(value);
}

/** Calls `listener` for each measure of this process, until the returned function is called. */
export function onMeasure<Name extends keyof Measures>(
  name: Name,
  listener: (value: Measures[Name]) => void,
): () => void {
  const receive = (value: unknown): void => {
    listener(value as Measures[Name]);
  };
  subscribe(PREFIX + name, receive);
  return () => {
    unsubscribe(PREFIX + name, receive);
  };
}
