import type {
  Clock,
  DeadLetterCount,
  DeadLetterPage,
  DeadLetterQuery,
  DeadLetterRecord,
  DeadLetterSelection,
  DeadLetters,
  LoggedPosition,
  MarkedDeadLetter,
  OpenDeadLetter,
  WholeDeadLetter,
} from '@stratalog/ports';
import { proposalsIn, type DeadLetterCause, type DeadLetterState } from '@stratalog/domain';
import { toPlaceArrays } from './commit-letters';
import type { Database } from '../database/database';
import {
  COUNT,
  COUNT_OPEN,
  COUNT_REASONS,
  DISCARD,
  DISCARD_SELECTED,
  FIND_EARLIER,
  IS_REPLAY_STAMP,
  LIST,
  LIST_MARKED,
  MARK_LOGGED,
  PURGE,
  READ,
  READ_OPEN,
  memberText,
  toParameters,
} from './dead-letter-statements';
import { decodeProposal } from './proposal-table';

/** Largest entry that a list decodes: many of them must not hold the process. */
const MAX_DECODED_BYTES = 16_384;
/** Bytes that a list shows of a larger entry, and of a record that could not be decoded. */
const MAX_SHOWN = 1_000;
/** Most bytes of entries that are read at once. */
const MAX_READ_BYTES = 32 * 1024 * 1024;

interface Place {
  readonly topic_id: string;
  readonly partition: number;
  readonly log_offset: number;
}

interface FactsRow extends Place {
  readonly topic: string;
  readonly cause: DeadLetterCause;
  readonly reason: string;
  readonly rejected_ms: number;
  readonly last_ms: number;
  readonly times: number;
  readonly state: DeadLetterState;
  readonly settled_ms: number | null;
  readonly settled_by: string | null;
  readonly waits: boolean;
}

interface ListedRow extends FactsRow {
  readonly length: number;
  readonly proposal: string | null;
  readonly beginning: Buffer | null;
}

/** An arbitrary number that every process of this product shares. */
const REPLAY_LOCK = 7_305_410_203;

/** The dead letters of one database. Those that have a code and are open wait for a model. Commits write and replay them. */
export class PostgresDeadLetters implements DeadLetters {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.database.transaction(async (client) => {
      // The work runs on other sessions; this one only holds the lock.
      await client.query('set local idle_in_transaction_session_timeout = 0');
      await client.query('select pg_advisory_xact_lock($1)', [REPLAY_LOCK]);
      return work();
    });
  }

  async readOpen(
    selection: DeadLetterSelection,
    after: LoggedPosition | undefined,
    limit: number,
  ): Promise<readonly OpenDeadLetter[]> {
    const { log, partition, offset } = after ?? { log: '', partition: -1, offset: 0 };
    const values = [...toParameters(selection), log, partition, offset, limit, MAX_READ_BYTES];
    const { rows } = await this.database.use((client) =>
      client.query<
        Place & {
          readonly rejected_ms: number;
          readonly logged_ms: number | null;
          readonly proposal: string | null;
        }
      >({
        ...READ_OPEN,
        values,
      }),
    );
    return rows.map((row) => ({
      position: toPosition(row),
      rejectedMs: row.rejected_ms,
      isLogged: row.logged_ms !== null,
      ...(row.proposal === null ? {} : { entry: decodeProposal(row.proposal) }),
    }));
  }

  async markLogged(positions: readonly LoggedPosition[]): Promise<void> {
    const values = [...toPlaceArrays(positions), this.clock.now()];
    await this.database.use((client) => client.query({ ...MARK_LOGGED, values }));
  }

  list({ after, start, limit, ...selection }: DeadLetterQuery): Promise<DeadLetterPage> {
    return this.database.read(async (client) => {
      const selected = toParameters(selection);
      const counted = await client.query<{ readonly total: number }>({ ...COUNT, values: [...selected] });
      const total = counted.rows[0]?.total ?? 0;
      if (limit === 0) return { total, records: [] };
      const { log, partition, offset } = after?.position ?? {};
      const mark = [after?.rejectedMs ?? null, log ?? null, partition ?? null, offset ?? null];
      const values = [...selected, start, limit, MAX_DECODED_BYTES, MAX_SHOWN, ...mark];
      const { rows } = await client.query<ListedRow>({ ...LIST, values });
      return { total, records: rows.map(toRecord) };
    });
  }

  read({ log, partition, offset }: LoggedPosition): Promise<WholeDeadLetter | undefined> {
    return this.database.read(async (client) => {
      const values = [log, partition, offset];
      const { rows } = await client.query<
        FactsRow & { readonly proposal: string | null; readonly bytes: Buffer | null }
      >({ ...READ, values });
      return rows.map((row) => ({
        ...toFacts(row),
        bytes: row.bytes ?? Buffer.from(row.proposal ?? ''),
        ...(row.proposal === null ? {} : { entry: decodeProposal(row.proposal) }),
      }))[0];
    });
  }

  countReasons(selection: DeadLetterSelection): Promise<readonly DeadLetterCount[]> {
    return this.database.read(async (client) => {
      const { rows } = await client.query<
        Omit<DeadLetterCount, 'oldestMs' | 'newestMs'> & {
          readonly oldest_ms: number;
          readonly newest_ms: number;
        }
      >({ ...COUNT_REASONS, values: [...toParameters(selection)] });
      return rows.map(({ oldest_ms: oldestMs, newest_ms: newestMs, ...row }) => ({
        ...row,
        oldestMs,
        newestMs,
      }));
    });
  }

  countOpen(): Promise<ReadonlyMap<DeadLetterCause, number>> {
    return this.database.read(async (client) => {
      const { rows } = await client.query<{ readonly cause: DeadLetterCause; readonly count: number }>(
        COUNT_OPEN,
      );
      return new Map(rows.map(({ cause, count }) => [cause, count]));
    });
  }

  findEarlier(
    { log, partition, offset }: LoggedPosition,
    urns: readonly string[],
  ): Promise<LoggedPosition | undefined> {
    return this.database.read(async (client) => {
      const values = [log, partition, offset, urns.map((urn) => memberText('urn', urn))];
      const { rows } = await client.query<Pick<Place, 'log_offset'>>({ ...FIND_EARLIER, values });
      return rows.map((row) => ({ log, partition, offset: row.log_offset }))[0];
    });
  }

  isReplayStamp({ log, partition, offset }: LoggedPosition, urn: string, stampMs: number): Promise<boolean> {
    return this.database.read(async (client) => {
      const values = [log, partition, offset, stampMs, memberText('urn', urn)];
      return (await client.query({ ...IS_REPLAY_STAMP, values })).rows.length > 0;
    });
  }

  listMarked(mark: string, sinceMs: number): Promise<readonly MarkedDeadLetter[]> {
    return this.database.read(async (client) => {
      const { rows } = await client.query<{ readonly reason: string; readonly proposal: string }>({
        ...LIST_MARKED,
        values: [mark, sinceMs],
      });
      return rows.map(({ reason, proposal }) => ({
        reason,
        proposals: proposalsIn(decodeProposal(proposal)),
      }));
    });
  }

  async discard(
    letters:
      | { readonly position: LoggedPosition }
      | { readonly selection: DeadLetterSelection; readonly limit: number },
    actor: string,
  ): Promise<number> {
    const settled = [this.clock.now(), actor];
    const { rowCount } = await this.database.use((client) => {
      if ('selection' in letters) {
        const values = [...toParameters(letters.selection), letters.limit, ...settled];
        return client.query({ ...DISCARD_SELECTED, values });
      }
      const { log, partition, offset } = letters.position;
      return client.query({ ...DISCARD, values: [log, partition, offset, ...settled] });
    });
    return rowCount ?? 0;
  }

  async purge(ageMs: number): Promise<void> {
    const values = [this.clock.now() - ageMs];
    await this.database.use((client) => client.query({ ...PURGE, values }));
  }
}

function toPosition({ topic_id: log, partition, log_offset: offset }: Place): LoggedPosition {
  return { log, partition, offset };
}

function toFacts(row: FactsRow): Omit<WholeDeadLetter, 'bytes' | 'entry'> {
  const { topic, cause, reason, times, state } = row;
  return {
    position: toPosition(row),
    topic,
    cause,
    reason,
    rejectedMs: row.rejected_ms,
    lastRejectedMs: row.last_ms,
    times,
    state,
    isWaiting: row.waits,
    ...(row.settled_ms === null ? {} : { settledMs: row.settled_ms }),
    ...(row.settled_by === null ? {} : { settledBy: row.settled_by }),
  };
}

function toRecord(row: ListedRow): DeadLetterRecord {
  const { length, proposal, beginning } = row;
  return {
    ...toFacts(row),
    bytes: length,
    ...(proposal === null ? {} : { entry: decodeProposal(proposal) }),
    ...(beginning === null ? {} : { beginning }),
  };
}
