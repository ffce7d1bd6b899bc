import type {
  Clock,
  DeadLetter,
  DeadLetterPage,
  LoggedPosition,
  DeadLetterQuery,
  DeadLetterRecord,
  DeadLetters,
  MarkedDeadLetter,
} from '@stratalog/ports';
import { proposalsIn, type Proposal } from '@stratalog/domain';
import type { Database, Statement } from '../database/database';
import { DeadLetterRow } from '../rows/dead-letter.row';
import { decodeProposal } from './proposal-table';

/** The condition of a dead letter that waits for a model. */
const WAITS = 'code is not null and replayed_ms is null and proposal is not null';

/** Largest entry that a list decodes: many of them must not hold the process. */
const MAX_DECODED_BYTES = 16_384;
/** Bytes that a list shows of a larger entry, and of a record that could not be decoded. */
const MAX_SHOWN = 1_000;

const SELECTED = `from dead_letter where ($1::text is null or topic = $1) and ($2::boolean is null or (${WAITS}) = $2)`;

const COUNT: Statement = {
  name: 'count-dead-letters',
  text: `select count(*)::integer as total ${SELECTED}`,
};

/** Lengths and beginnings are read without the rest, which may be megabytes. */
const LIST: Statement = {
  name: 'list-dead-letters',
  text: `select topic, topic_id, partition, log_offset, reason, rejected_ms, replayed_ms, ${WAITS} as waits,
                coalesce(octet_length(proposal), octet_length(bytes), 0) as length,
                case when octet_length(proposal) <= $5 then proposal end as proposal,
                case when octet_length(proposal) > $5 then convert_to(left(proposal, $6), 'UTF8')
                     when proposal is null then substring(bytes for $6) end as beginning
           ${SELECTED}
          order by rejected_ms desc, topic_id desc, partition desc, log_offset desc offset $3 limit $4`,
};

/** The time bounds what is searched for the text. */
const LIST_MARKED: Statement = {
  name: 'list-marked-dead-letters',
  text: `select reason, proposal from dead_letter
          where rejected_ms >= $2 and replayed_ms is null and position($1 in proposal) > 0
          order by rejected_ms, topic_id, partition, log_offset
          limit 1000`,
};

interface MarkedRow {
  readonly reason: string;
  readonly proposal: string;
}

interface ListedRow {
  readonly topic: string;
  readonly topic_id: string;
  readonly partition: number;
  readonly log_offset: number;
  readonly reason: string;
  readonly rejected_ms: number;
  readonly replayed_ms: number | null;
  readonly waits: boolean;
  readonly length: number;
  readonly proposal: string | null;
  readonly beginning: Buffer | null;
}

/** An arbitrary number that every process of this product shares. */
const REPLAY_LOCK = 7_305_410_203;

/** The dead letters of one database. Those that have a code and were not replayed wait for a model. */
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

  async readWaiting(after: LoggedPosition | undefined, limit: number): Promise<readonly DeadLetter[]> {
    const { log, partition, offset } = after ?? { log: '', partition: -1, offset: 0 };
    const letters = await this.database.use((_, rows) =>
      rows
        .createQueryBuilder(DeadLetterRow, 'letter')
        .where(WAITS)
        .andWhere('(topic_id, partition, log_offset) > (:log, :partition, :offset)', {
          log,
          partition,
          offset,
        })
        .orderBy({ 'letter.topicId': 'ASC', 'letter.partition': 'ASC', 'letter.logOffset': 'ASC' })
        .limit(limit)
        .getMany(),
    );
    return letters.map(({ topicId, partition: ownPartition, logOffset, proposal }) => ({
      position: { log: topicId, partition: ownPartition, offset: logOffset },
      // Only single proposals, not batches, are rejected with a code.
      proposal: decodeProposal(proposal ?? '') as Proposal,
    }));
  }

  list({ topic, isWaiting, start, limit }: DeadLetterQuery): Promise<DeadLetterPage> {
    return this.database.read(async (client) => {
      const selection = [topic ?? null, isWaiting ?? null];
      const counted = await client.query<{ readonly total: number }>({ ...COUNT, values: selection });
      const total = counted.rows[0]?.total ?? 0;
      if (limit === 0) return { total, records: [] };
      const values = [...selection, start, limit, MAX_DECODED_BYTES, MAX_SHOWN];
      const { rows } = await client.query<ListedRow>({ ...LIST, values });
      return { total, records: rows.map(toRecord) };
    });
  }

  listMarked(mark: string, sinceMs: number): Promise<readonly MarkedDeadLetter[]> {
    return this.database.read(async (client) => {
      const { rows } = await client.query<MarkedRow>({ ...LIST_MARKED, values: [mark, sinceMs] });
      return rows.map(({ reason, proposal }) => ({
        reason,
        proposals: proposalsIn(decodeProposal(proposal)),
      }));
    });
  }

  async markReplayed(positions: readonly LoggedPosition[]): Promise<void> {
    const keys = positions.map(({ log, partition, offset }) => ({
      topicId: log,
      partition,
      logOffset: offset,
    }));
    const replayedMs = this.clock.now();
    await this.database.use((_, rows) => rows.update(DeadLetterRow, keys, { replayedMs }));
  }
}

function toRecord({
  topic,
  topic_id: log,
  partition,
  log_offset: offset,
  reason,
  rejected_ms: rejectedMs,
  replayed_ms: replayedMs,
  waits,
  length,
  proposal,
  beginning,
}: ListedRow): DeadLetterRecord {
  return {
    position: { log, partition, offset },
    topic,
    reason,
    rejectedMs,
    isWaiting: waits,
    bytes: length,
    ...(replayedMs === null ? {} : { replayedMs }),
    ...(proposal === null ? {} : { entry: decodeProposal(proposal) }),
    ...(beginning === null ? {} : { beginning }),
  };
}
