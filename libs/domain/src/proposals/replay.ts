import type { ProposalEntry } from './proposal';

/** The place of a dead letter in its log, which names it. The log is empty for the store's own. */
export interface DeadLetterPlace {
  readonly log: string;
  readonly partition: number;
  readonly offset: number;
}

/** The return of a dead letter to the log, at the request of `actor`; without one at that of the catalog. */
export interface Replay {
  readonly letter: DeadLetterPlace;
  readonly actor?: string;
}

/**
 * Carries the replay through any log. Proposals of clients cannot have it: the readers of their headers do not know the name.
 */
export const REPLAY_HEADER = 'Replays-Dead-Letter';

/** Formats the id of a dead letter: `0.17`, and in a log on another server `0.17.<log>`. */
export function formatDeadLetterId({ log, partition, offset }: DeadLetterPlace): string {
  const own = `${String(partition)}.${String(offset)}`;
  return log === '' ? own : `${own}.${log}`;
}

const ID = /^(\d{1,9})\.(\d{1,15})(?:\.([\w-]{1,200}))?$/;

/** Parses the text of {@link formatDeadLetterId}; `undefined` for any other text. */
export function parseDeadLetterId(id: string): DeadLetterPlace | undefined {
  const [, partition, offset, log = ''] = ID.exec(id) ?? [];
  return partition === undefined ? undefined : { log, partition: Number(partition), offset: Number(offset) };
}

/** Makes the record that applies an entry and settles the dead letter in one transaction, or does neither. */
export function asReplay<Entry extends ProposalEntry>(entry: Entry, { letter, actor }: Replay): Entry;
export function asReplay(entry: ProposalEntry, replay: Replay): ProposalEntry {
  if ('proposals' in entry) {
    const [first, ...others] = entry.proposals;
    return { ...entry, proposals: [asReplay(first, replay), ...others] };
  }
  const { letter, actor = '' } = replay;
  return {
    ...entry,
    headers: { ...entry.headers, [REPLAY_HEADER]: `${formatDeadLetterId(letter)} ${actor}`.trim() },
  };
}

/** Returns the replay that a record of the log is; `undefined` for any other record. */
export function replayIn(entry: ProposalEntry): Replay | undefined {
  const { headers } = 'proposals' in entry ? entry.proposals[0] : entry;
  const text = headers?.[REPLAY_HEADER];
  if (text === undefined) return undefined;
  const [id = '', ...actor] = text.split(' ');
  const letter = parseDeadLetterId(id);
  if (letter === undefined) return undefined;
  return { letter, ...(actor.length === 0 ? {} : { actor: actor.join(' ') }) };
}
