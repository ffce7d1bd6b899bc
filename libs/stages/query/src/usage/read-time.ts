import type { Clock } from '@stratalog/ports';

/** Reads the time of the catalog, in epoch ms. */
export function readTime({ clock }: { readonly clock: Clock }): number {
  return clock.now();
}
