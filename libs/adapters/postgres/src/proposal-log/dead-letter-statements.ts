import { stringifyJson } from '@stratalog/json';
import type { DeadLetterSelection } from '@stratalog/ports';
import type { Statement } from '../database/database';

/** The condition of a dead letter that waits for a model. */
const WAITS = 'code is not null and replayed_ms is null and discarded_ms is null and proposal is not null';

const OPEN = 'replayed_ms is null and discarded_ms is null';
const STATE = `case when discarded_ms is not null then 'discarded' when replayed_ms is not null then 'replayed' else 'open' end`;

/** Former releases kept a code and the content alone. */
const CAUSE = `coalesce(code, cause, case when proposal is null then 'undecodable' else 'other' end)`;

/**
 * Entries are JSON texts without spaces, so a member is found as text. Within a value, which is a text itself, its quotes are escaped.
 *
 * The parameters are those of {@link toParameters}.
 */
const SELECTED = `($1::text is null or topic = $1) and ($2::boolean is null or (${WAITS}) = $2)
  and ($3::text is null or ${STATE} = $3) and ($4::text is null or ${CAUSE} = $4)
  and ($5::text is null or position($5 in reason) > 0)
  and ($6::text is null or position($6 in proposal) > 0) and ($7::text is null or position($7 in proposal) > 0)
  and ($8::bigint is null or rejected_ms >= $8) and ($9::bigint is null or rejected_ms < $9)`;

export function toParameters({
  topic,
  isWaiting,
  state,
  cause,
  reason,
  entityType,
  urn,
  fromMs,
  toMs,
}: DeadLetterSelection): readonly unknown[] {
  return [
    topic ?? null,
    isWaiting ?? null,
    state ?? null,
    cause ?? null,
    reason ?? null,
    entityType === undefined ? null : memberText('entityType', entityType),
    urn === undefined ? null : memberText('urn', urn),
    fromMs ?? null,
    toMs ?? null,
  ];
}

/** Returns how the text of an entry has a member. */
export function memberText(name: string, value: string): string {
  return stringifyJson({ [name]: value }).slice(1, -1);
}

export const COUNT: Statement = {
  name: 'count-dead-letters',
  text: `select count(*)::integer as total from dead_letter where ${SELECTED}`,
};

const FACTS = `topic, topic_id, partition, log_offset, ${CAUSE} as cause, reason, rejected_ms,
  coalesce(last_ms, rejected_ms) as last_ms, times, ${STATE} as state,
  coalesce(discarded_ms, replayed_ms) as settled_ms, settled_by, ${WAITS} as waits`;

/** Lengths and beginnings are read without the rest, which may be megabytes. */
export const LIST: Statement = {
  name: 'list-dead-letters',
  text: `select ${FACTS}, coalesce(octet_length(proposal), octet_length(bytes), 0) as length,
                case when octet_length(proposal) <= $12 then proposal end as proposal,
                case when octet_length(proposal) > $12 then convert_to(left(proposal, $13), 'UTF8')
                     when proposal is null then substring(bytes for $13) end as beginning
           from dead_letter
          where ${SELECTED}
            and ($14::bigint is null or (rejected_ms, topic_id, partition, log_offset) < ($14, $15::text, $16::integer, $17::bigint))
          order by rejected_ms desc, topic_id desc, partition desc, log_offset desc offset $10 limit $11`,
};

export const READ: Statement = {
  name: 'read-dead-letter',
  text: `select ${FACTS}, proposal, bytes from dead_letter
          where topic_id = $1 and partition = $2 and log_offset = $3`,
};

/** The size limit cuts off a tail, but never the first one. */
export const READ_OPEN: Statement = {
  name: 'read-open-dead-letters',
  text: `select topic_id, partition, log_offset, rejected_ms, logged_ms, proposal
           from (select *, sum(octet_length(proposal)) over (order by topic_id, partition, log_offset)
                           - octet_length(proposal) as before
                   from (select topic_id, partition, log_offset, rejected_ms, logged_ms, proposal from dead_letter
                          where ${OPEN} and ${SELECTED} and (topic_id, partition, log_offset) > ($10, $11::integer, $12::bigint)
                          order by topic_id, partition, log_offset limit $13) page) sized
          where before is null or before < $14::bigint
          order by topic_id, partition, log_offset`,
};

export const MARK_LOGGED: Statement = {
  name: 'mark-logged-dead-letters',
  text: `update dead_letter d set logged_ms = $4
           from unnest($1::text[], $2::integer[], $3::bigint[]) r(topic_id, partition, log_offset)
          where d.topic_id = r.topic_id and d.partition = r.partition and d.log_offset = r.log_offset`,
};

/** The time bounds what is searched for the text. */
export const LIST_MARKED: Statement = {
  name: 'list-marked-dead-letters',
  text: `select reason, proposal from dead_letter
          where rejected_ms >= $2 and replayed_ms is null and position($1 in proposal) > 0
          order by rejected_ms, topic_id, partition, log_offset
          limit 1000`,
};

/** Most characters of a reason that tell it from others. */
const COMPARED = 500;

/** What differs between reasons of one kind: urns, quoted texts and numbers. */
export const COUNT_REASONS: Statement = {
  name: 'count-dead-letter-reasons',
  text: `select cause, pattern, count(*)::integer as count, min(rejected_ms) as oldest_ms, max(rejected_ms) as newest_ms
           from (select ${CAUSE} as cause, rejected_ms,
                        regexp_replace(left(reason, ${String(COMPARED)}), '"[^"]*"|urn:\\S+|\\d+', '…', 'g') as pattern
                   from dead_letter where ${SELECTED}) r
          group by cause, pattern order by count(*) desc, cause, pattern limit 100`,
};

export const COUNT_OPEN: Statement = {
  name: 'count-open-dead-letters',
  text: `select ${CAUSE} as cause, count(*)::integer as count from dead_letter where ${OPEN} group by 1`,
};

export const FIND_EARLIER: Statement = {
  name: 'find-earlier-dead-letter',
  text: `select log_offset from dead_letter
          where ${OPEN} and topic_id = $1 and partition = $2 and log_offset < $3
            and exists (select from unnest($4::text[]) u(member) where position(u.member in proposal) > 0)
          order by log_offset limit 1`,
};

export const IS_REPLAY_STAMP: Statement = {
  name: 'is-replay-stamp',
  text: `select 1 from dead_letter
          where replayed_ms = $4 and topic_id = $1 and partition = $2 and log_offset < $3 and position($5 in proposal) > 0
          limit 1`,
};

export const DISCARD: Statement = {
  name: 'discard-dead-letter',
  text: `update dead_letter set discarded_ms = $4, settled_by = $5
          where ${OPEN} and topic_id = $1 and partition = $2 and log_offset = $3`,
};

export const DISCARD_SELECTED: Statement = {
  name: 'discard-dead-letters',
  text: `update dead_letter set discarded_ms = $11, settled_by = $12
          where ctid = any(array(select ctid from dead_letter where ${OPEN} and ${SELECTED} limit $10 for update))`,
};

export const PURGE: Statement = {
  name: 'purge-dead-letters',
  text: `delete from dead_letter where coalesce(discarded_ms, replayed_ms) < $1`,
};
