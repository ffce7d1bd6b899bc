import type { PartitionSequences, StoredEntity } from '@stratalog/domain';
import type { LoggedOutcome, LoggedPosition, LoggedProposal } from '@stratalog/ports';
import type { Statement } from '../database/database';
import { latestColumns, toStoredAspect, type LatestRow } from './aspect-rows';

export const READ_ENTITY: Statement = {
  name: 'read-entity',
  text: `select e.seq, e.deleted, l.aspect, ${latestColumns('l')}
           from entity e
           left join aspect_latest l on l.urn = e.urn and ($2::text[] is null or l.aspect = any($2::text[]))
          where e.urn = $1 order by l.aspect`,
};

/** Maximum bytes of values in a page; the next read returns the rest. */
export const MAX_PAGE_BYTES = 32 * 1024 * 1024;
/** That of a page which an index is written from, in one transaction: documents and tokens have several times as many bytes. */
export const MAX_STATE_BYTES = 2 * 1024 * 1024;

/**
 * Sums sizes before it fetches any value, in the order of the request: an entity whose predecessors fill the page comes without aspects.
 *
 * The limits keep each lookup an index probe. A join would be planned from statistics and could read the whole table
 * for a page.
 */
export const READ_ENTITIES: Statement = {
  name: 'read-entities',
  text: `with sized as materialized (
           select r.urn, e.seq, e.deleted, sum(s.bytes) over (order by r.at) - s.bytes >= $2::bigint as left_out
             from unnest($1::text[]) with ordinality r(urn, at)
            cross join lateral (select seq, deleted from entity where urn = r.urn limit 1) e
            cross join lateral (select coalesce(sum(octet_length(value)), 0) as bytes
                                  from (select value from aspect_latest
                                         where urn = r.urn and ($3::text[] is null or aspect = any($3::text[])) limit 10000) v) s
         )
         select s.urn, s.seq, s.deleted, s.left_out, l.aspect, ${latestColumns('l')}
           from sized s
           left join lateral (select * from aspect_latest
                               where urn = s.urn and not s.left_out and ($3::text[] is null or aspect = any($3::text[]))
                               limit 10000) l on true
          order by s.urn collate "C", l.aspect`,
};

/** One scan of the primary key for all urns: a scan for each would take three times as long. */
export const FILTER_SOFT_DELETED: Statement = {
  name: 'filter-soft-deleted',
  text: `select urn from aspect_latest
          where urn = any($1::text[]) and aspect = 'status' and value = '{"removed":true}'`,
};

export const READ_VERSION: Statement = {
  name: 'read-version',
  text: `select c.version, c.value, c.system_metadata, c.created_ms, c.actor
           from change c
          where c.urn = $1 and c.aspect = $2 and c.kind = 'upsert' and c.value is not null
            and c.version = case when $3::bigint > 0 then $3::bigint
                                 else $3::bigint + 1 + (select n.version from change n
                                                         where n.urn = $1 and n.aspect = $2 and n.kind <> 'timeseries'
                                                         order by n.version desc limit 1) end`,
};

export const PARTITION_SEQUENCES: Statement = {
  name: 'read-partition-sequences',
  text: 'select partition, seq from store_partition where seq > 0',
};

export const URNS_WITH: Statement = {
  name: 'urns-with',
  text: `select urn from entity where urn >= $1 and urn < $2 and not deleted order by urn limit $3 offset $4`,
};

export const COUNT_URNS: Statement = {
  name: 'count-urns',
  text: `select count(*) as total from entity where urn >= $1 and urn < $2 and not deleted`,
};

/** The bounds restrict a pattern with a literal prefix to that part of the index. */
export const COUNT_ASPECTS: Statement = {
  name: 'count-aspects',
  text: `select count(*) as total from aspect_latest
          where urn >= $3 and urn < $4 and aspect = $1 and ($2::text is null or urn like $2)`,
};

/** The size of a stored text is read without the text. */
export const READ_SIZES: Statement = {
  name: 'read-sizes',
  text: `select coalesce(l.size, 0) as size
           from unnest($1::text[], $2::text[]) with ordinality r(urn, aspect, n)
           left join lateral (select octet_length(value) as size from aspect_latest
                               where urn = r.urn and aspect = r.aspect limit 1) l on true
          order by r.n`,
};

export const OUTCOMES: Statement = {
  name: 'outcomes',
  text: `select l.committed_offset >= r.log_offset or r.log_offset = any(l.ahead) as decided,
                l.topic, l.topic_id, l.stop_reason, f.reason, greatest(e.seq, e.timeseries_seq) as seq
           from unnest($1::integer[], $2::bigint[], $3::text[]) with ordinality r(partition, log_offset, urn, n)
          cross join lateral (select committed_offset, ahead, topic, topic_id, stop_reason from log_partition where partition = r.partition limit 1) l
           left join lateral (select reason from dead_letter
                               where topic_id = l.topic_id and partition = r.partition and log_offset = r.log_offset limit 1) f on true
           left join lateral (select seq, timeseries_seq from entity where urn = r.urn limit 1) e on true
          order by r.n`,
};

/** A row of the entity statements. The aspect columns are null when the entity has none of the requested aspects. */
export interface EntityRow extends LatestRow {
  readonly seq: number;
  readonly deleted: boolean;
  readonly aspect: string | null;
}

export interface SequenceRow {
  readonly partition: number;
  readonly seq: number;
}

export interface OutcomeRow {
  readonly decided: boolean;
  readonly topic: string;
  readonly topic_id: string;
  readonly stop_reason: string | null;
  readonly reason: string | null;
  readonly seq: number | null;
}

export function toSequences(rows: readonly SequenceRow[]): PartitionSequences {
  return new Map(rows.map(({ partition, seq }) => [partition, seq]));
}

export function toOutcome({ position }: LoggedProposal, row: OutcomeRow | undefined): LoggedOutcome {
  // A partition without a log is bound to one before its first record is applied.
  if (row === undefined || (row.topic_id === '' && position.log !== '')) return { kind: 'pending' };
  if (row.topic_id !== position.log) return { kind: 'stopped', reason: describeOtherLog(position, row) };
  if (!row.decided)
    return row.stop_reason === null
      ? { kind: 'pending' }
      : { kind: 'stopped', reason: describeStop(row.topic, position, row.stop_reason) };
  if (row.reason !== null) return { kind: 'rejected', reason: row.reason };
  return { kind: 'applied', seq: row.seq ?? 0 };
}

function describeOtherLog({ partition, log }: LoggedPosition, { topic, topic_id: id }: OutcomeRow): string {
  return (
    `The proposal is in the log with id ${log}, but the store now applies partition ${String(partition)} of ${topic} with id ${id}: ` +
    `the log moved. The proposal may never be applied; repeat it`
  );
}

function describeStop(topic: string, { partition }: LoggedPosition, reason: string): string {
  return (
    `The proposal is not applied: the writer has stopped before it at partition ${String(partition)} of ${topic}: ${reason}. ` +
    `Repeat it when an operator has decided about the log`
  );
}

export function toStoredEntity(
  urn: string,
  { seq, deleted }: EntityRow,
  rows: readonly EntityRow[],
): StoredEntity {
  const aspects = rows.flatMap((row) => (row.aspect === null ? [] : [toStoredAspect(row.aspect, row)]));
  return { urn, seq, deleted, aspects };
}
