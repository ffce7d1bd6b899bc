import type { ClientSession } from './client-session';

/** A user's action with the client, and its expected result. */
export interface Step {
  readonly name: string;
  /** Older releases have no such command or method. */
  readonly isCurrentOnly?: boolean;
  /** **Errors**: rejects with the difference from the expected result. */
  run(client: ClientSession): Promise<void>;
}

/** The result of a step. */
export interface Result {
  readonly name: string;
  readonly seconds: number;
  /** The reason of its failure, with the client's output. */
  readonly failure?: string;
}
