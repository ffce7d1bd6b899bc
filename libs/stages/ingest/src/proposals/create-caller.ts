import type { Clock } from '@stratalog/ports';
import { urnOfKeyIn, type EntityRegistry } from '@stratalog/registry';

/** The actor of a request, and its time. */
export interface Caller {
  readonly actor: string;
  readonly nowMs: number;
}

/** Stamps a request of `actor` with the time of the catalog. */
export function createCaller({ clock }: { readonly clock: Clock }, actor: string): Caller {
  return { actor, nowMs: clock.now() };
}

/** Creates the caller, with the model that the proposals of its request are parsed by. */
export function createProposer(
  { clock, registry }: { readonly clock: Clock; readonly registry: EntityRegistry },
  actor: string,
) {
  const { nowMs } = createCaller({ clock }, actor);
  return { actor, nowMs, registry, urnOfKey: urnOfKeyIn(registry) };
}
