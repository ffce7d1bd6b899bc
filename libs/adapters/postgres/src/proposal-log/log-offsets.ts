import { UnavailableError } from '@stratalog/domain';
import type { LogBinding, LogOffset, LogOffsets, LogRestart, NewLogStop } from '@stratalog/ports';
import type { Database, Statement } from '../database/database';

interface OffsetRow {
  readonly partition: number;
  readonly committed_offset: number;
  readonly ahead: readonly (number | string)[];
  readonly topic: string;
  readonly topic_id: string;
  readonly stop_reason: string | null;
  readonly stop_ms: number | null;
  readonly new_from: number | null;
  readonly seen_end: number;
}

const READ: Statement = {
  name: 'read-log-offsets',
  text: `select partition, committed_offset, ahead, topic, topic_id, stop_reason, stop_ms, new_from, seen_end from log_partition`,
};

const BIND: Statement = {
  name: 'bind-log',
  text: `update log_partition set topic = $2, topic_id = $3, committed_offset = $4, end_offset = $4
          where partition = $1 and topic_id = '' and end_offset = 0`,
};

/** The lock of the row lets a commit in flight end first; a later one finds the stop. */
const STOP: Statement = {
  name: 'stop-log',
  text: `update log_partition l set stop_reason = s.reason, stop_ms = s.since_ms, new_from = s.new_from
           from unnest($1::integer[], $2::text[], $3::bigint[], $4::text[], $5::bigint[], $6::bigint[])
                s(partition, log, committed_offset, reason, since_ms, new_from)
          where l.partition = s.partition and l.stop_reason is null and l.topic_id = s.log and l.committed_offset >= s.committed_offset`,
};

const NOTE_ENDS: Statement = {
  name: 'note-log-ends',
  text: `update log_partition l set seen_end = s.seen_end
           from unnest($1::integer[], $2::bigint[]) s(partition, seen_end)
          where l.partition = s.partition and l.seen_end < s.seen_end and l.stop_reason is null
            and split_part(l.topic_id, '.', 1) = $3`,
};

const RESTART: Statement = {
  name: 'restart-log',
  text: `update log_partition l
            set topic = r.topic, topic_id = r.log, committed_offset = r.committed_offset, end_offset = r.committed_offset,
                ahead = r.ahead::bigint[],
                seen_end = case when r.log = r.former_log then l.seen_end else r.committed_offset end,
                stop_reason = null, stop_ms = null, new_from = null
           from unnest($1::integer[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::bigint[], $7::text[])
                r(partition, former_log, former_offset, topic, log, committed_offset, ahead)
          where l.partition = r.partition and l.topic_id = r.former_log and l.committed_offset = r.former_offset
          returning l.partition`,
};

/** Reads, binds and stops the offsets of a log outside the database; each commit locks and moves their rows. */
export class PostgresLogOffsets implements LogOffsets {
  constructor(private readonly database: Database) {}

  async read(): Promise<ReadonlyMap<number, LogOffset>> {
    const rows = await this.database.use(async (client) => (await client.query<OffsetRow>(READ)).rows);
    return new Map(rows.map((row) => [row.partition, toOffset(row)]));
  }

  async bind({ partition, topic, topicId, committedOffset }: LogBinding): Promise<void> {
    const values = [partition, topic, topicId, committedOffset];
    await this.database.use((client) => client.query({ ...BIND, values }));
  }

  async stop(stops: readonly NewLogStop[]): Promise<void> {
    const values = [
      stops.map(({ partition }) => partition),
      stops.map(({ log }) => log),
      stops.map(({ committedOffset }) => committedOffset),
      stops.map(({ reason }) => reason),
      stops.map(({ sinceMs }) => sinceMs),
      stops.map(({ newFrom }) => newFrom ?? null),
    ];
    await this.database.use((client) => client.query({ ...STOP, values }));
  }

  async noteEnds(topicId: string, ends: ReadonlyMap<number, number>): Promise<void> {
    const values = [[...ends.keys()], [...ends.values()], topicId];
    await this.database.use((client) => client.query({ ...NOTE_ENDS, values }));
  }

  async restart(moves: readonly LogRestart[]): Promise<void> {
    const values = [
      moves.map(({ partition }) => partition),
      moves.map(({ former }) => former.log),
      moves.map(({ former }) => former.committedOffset),
      moves.map(({ to }) => to.topic),
      moves.map(({ to }) => to.topicId),
      moves.map(({ to }) => to.committedOffset),
      moves.map(({ to }) => `{${to.ahead.join()}}`),
    ];
    await this.database.transaction(async (client) => {
      const { rows } = await client.query({ ...RESTART, values });
      if (rows.length !== moves.length)
        throw new UnavailableError('The log changed while it was judged; nothing was done, repeat the call');
    });
  }
}

function toOffset(row: OffsetRow): LogOffset {
  const { committed_offset: committedOffset, topic, topic_id: topicId, stop_reason: reason } = row;
  const ahead = row.ahead.map(Number).filter((offset) => offset > committedOffset);
  return {
    committedOffset,
    ahead,
    seenEnd: Math.max(committedOffset, row.seen_end, ahead.at(-1) ?? 0),
    ...(topicId === '' ? {} : { source: { topic, topicId } }),
    ...(reason === null
      ? {}
      : {
          stop: {
            reason,
            sinceMs: row.stop_ms ?? 0,
            ...(row.new_from === null ? {} : { newFrom: row.new_from }),
          },
        }),
  };
}
