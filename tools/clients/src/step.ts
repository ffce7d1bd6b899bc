import type { ClientSession } from './client-session';

/** Something that people do with the client, and what has to come of it. */
export interface Step {
  readonly name: string;
  /** Older releases have no such command or method. */
  readonly isCurrentOnly?: boolean;
  /** **Errors**: rejects with what differs from what has to be. */
  run(client: ClientSession): Promise<void>;
}

/** What came of a step. */
export interface Result {
  readonly name: string;
  readonly seconds: number;
  /** Why it failed, with what the client said. */
  readonly failure?: string;
}
