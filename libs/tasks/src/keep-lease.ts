import type { LeaseState, TaskLease, TaskStore } from '@stratalog/ports';

/** A third of the time after which a silent process loses its lease. */
const RENEW_MS = 5_000;

/** Renews a lease until the returned function is called. A failed renewal is tried again at the next. */
export function keepLease(
  store: Pick<TaskStore, 'renew'>,
  lease: TaskLease,
  onState: (state: LeaseState) => void,
): () => void {
  const timer = setInterval(() => {
    void store.renew(lease).then(onState, () => undefined);
  }, RENEW_MS);
  return () => {
    clearInterval(timer);
  };
}
