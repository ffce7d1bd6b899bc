export const LOG_TRANSPORT = Symbol('stratalog:logs');

export type Log = 'proposals' | 'changes';

/** The pattern by which Nest knows the handler of a consumer: `changes as indexer`. */
export function toPattern(log: Log, consumer: string): string {
  return `${log} as ${consumer}`;
}
