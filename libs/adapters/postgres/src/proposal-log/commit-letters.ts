import { formatDeadLetterId, type DeadLetterPlace } from '@stratalog/domain';
import type { Rejection, WriteSet } from '@stratalog/ports';
import type { PoolClient } from 'pg';
import type { Statement } from '../database/database';
import { encodeProposal } from './proposal-table';

const WRITE_REJECTIONS: Statement = {
  name: 'write-rejections',
  text: `insert into dead_letter (topic, topic_id, partition, log_offset, reason, proposal, bytes, rejected_ms, code, cause)
         select l.topic, l.topic_id, r.*
           from unnest($1::integer[], $2::bigint[], $3::text[], $4::text[], $5::bytea[], $6::bigint[], $7::text[], $8::text[])
                r(partition, log_offset, reason, proposal, bytes, rejected_ms, code, cause)
           join log_partition l on l.partition = r.partition`,
};

/** Locks the open ones of the dead letters that a batch replays, so that each is settled once. */
const LOCK_LETTERS: Statement = {
  name: 'lock-letters',
  text: `select d.topic_id as log, d.partition, d.log_offset as "offset"
           from unnest($1::text[], $2::integer[], $3::bigint[]) r(topic_id, partition, log_offset)
           join dead_letter d using (topic_id, partition, log_offset)
          where d.replayed_ms is null and d.discarded_ms is null
          order by d.topic_id, d.partition, d.log_offset for update of d`,
};

const WRITE_REPLAYS: Statement = {
  name: 'write-replays',
  text: `update dead_letter d set replayed_ms = r.replayed_ms, settled_by = r.actor
           from unnest($1::text[], $2::integer[], $3::bigint[], $4::bigint[], $5::text[])
                r(topic_id, partition, log_offset, replayed_ms, actor)
          where d.topic_id = r.topic_id and d.partition = r.partition and d.log_offset = r.log_offset`,
};

/** A replay that was rejected again keeps its letter, with the newer reason. */
const WRITE_REPEATED_REJECTIONS: Statement = {
  name: 'write-repeated-rejections',
  text: `update dead_letter d set reason = r.reason, last_ms = r.last_ms, times = d.times + 1, code = r.code, cause = r.cause,
                logged_ms = null
           from unnest($1::text[], $2::integer[], $3::bigint[], $4::text[], $5::bigint[], $6::text[], $7::text[])
                r(topic_id, partition, log_offset, reason, last_ms, code, cause)
          where d.topic_id = r.topic_id and d.partition = r.partition and d.log_offset = r.log_offset`,
};

/** Returns the ids of the open ones, under their locks. */
export async function lockLetters(
  client: PoolClient,
  letters: readonly DeadLetterPlace[],
): Promise<ReadonlySet<string>> {
  if (letters.length === 0) return new Set();
  const { rows } = await client.query<DeadLetterPlace>({ ...LOCK_LETTERS, values: toPlaceArrays(letters) });
  return new Set(rows.map(formatDeadLetterId));
}

/** The columns of the key of dead letters. */
export function toPlaceArrays(letters: readonly DeadLetterPlace[]): unknown[] {
  return [
    letters.map(({ log }) => log),
    letters.map(({ partition }) => partition),
    letters.map(({ offset }) => offset),
  ];
}

/** Makes dead letters of rejected records, and keeps the new reason of those that were rejected again. */
export function writeRejections(
  client: PoolClient,
  rejections: readonly Rejection[],
  now: number,
): Promise<unknown>[] {
  if (rejections.length === 0) return [];
  const first = rejections.filter(({ replay }) => replay === undefined);
  const repeated = rejections.flatMap((each) =>
    each.replay === undefined ? [] : [{ ...each, letter: each.replay.letter }],
  );
  return [
    ...(first.length === 0 ? [] : [insertLetters(client, first, now)]),
    ...(repeated.length === 0
      ? []
      : [
          client.query({
            ...WRITE_REPEATED_REJECTIONS,
            values: [
              ...toPlaceArrays(repeated.map(({ letter }) => letter)),
              repeated.map(toReason),
              repeated.map(() => now),
              repeated.map(({ code }) => code ?? null),
              repeated.map(({ cause }) => cause ?? null),
            ],
          }),
        ]),
  ];
}

function insertLetters(client: PoolClient, rejections: readonly Rejection[], now: number): Promise<unknown> {
  return client.query({
    ...WRITE_REJECTIONS,
    values: [
      rejections.map((rejection) => rejection.position.partition),
      rejections.map((rejection) => rejection.position.offset),
      rejections.map(toReason),
      rejections.map(({ content }) => ('proposal' in content ? encodeProposal(content.proposal) : null)),
      rejections.map(({ content }) => ('bytes' in content ? Buffer.from(content.bytes) : null)),
      rejections.map(() => now),
      rejections.map(({ code }) => code ?? null),
      rejections.map(({ cause }) => cause ?? null),
    ],
  });
}

function toReason({ reason }: Rejection): string {
  return reason.replaceAll('\u0000', '\ufffd');
}

/** Settles the dead letters that the batch has applied. */
export function writeReplays(client: PoolClient, replays: WriteSet['replays'] = []): Promise<unknown>[] {
  if (replays.length === 0) return [];
  return [
    client.query({
      ...WRITE_REPLAYS,
      values: [
        ...toPlaceArrays(replays.map(({ letter }) => letter)),
        replays.map(({ stampMs }) => stampMs),
        replays.map(({ actor }) => actor ?? null),
      ],
    }),
  ];
}
