import { Store } from '../../../data/store';

export interface Saved {
  readonly urn: string;
  readonly aspectName: string;
  readonly text: string;
  /** Writes back what was there before, unless it has changed again. */
  readonly undo?: () => Promise<void>;
}

/** The last change that was saved on this page. */
export const saved = new Store<Saved | undefined>(undefined);
