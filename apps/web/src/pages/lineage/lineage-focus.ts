import { Store, useStore } from '../../data/store';

/** The entity that a person last chose in the canvas; the comparison tells about it. */
export const lineageFocus = new Store<string | undefined>(undefined);

export function useLineageFocus(): string | undefined {
  return useStore(lineageFocus);
}
