import type { Statement } from '../database/database';

/** A process that has not renewed its lease for so long loses the task to another. */
const LEASE_MS = 15_000;

const RENEWED = `lease_until = clock_timestamp() + interval '${String(LEASE_MS)} milliseconds'`;
const HELD = `id = $1 and fence = $2 and state in ('running', 'pausing', 'cancelling')`;

/** Appends the texts of a parameter to the log, and keeps the newest hundred entries. */
function appendedLog(texts: string): string {
  return `jsonb_path_query_array(log || coalesce((
            select jsonb_agg(jsonb_build_object('time', floor(extract(epoch from clock_timestamp()) * 1000)::bigint, 'text', l.entry) order by l.n)
              from unnest(${texts}::text[]) with ordinality l(entry, n)), '[]'), '$[last-99 to last]')`;
}

/** The tasks before `task` that work on one of its subjects. */
function earlier(task: string): string {
  return `select from task e where e.ended is null and e.id < ${task}.id and e.subjects && ${task}.subjects`;
}

/** Creates a task unless one of the same kind and parameters has not ended. */
export const CREATE_TASK: Statement = {
  name: 'create-task',
  text: `insert into task (kind, parameters, parameters_digest, actor, subjects) values ($1, $2::jsonb, $3, $4, $5::text[])
         on conflict (kind, parameters_digest) where ended is null do nothing
         returning id`,
};

/**
 * Claims the oldest task without a process. A lease that ends hours from now was written under a wrong clock and counts as
 * expired; a task that was paused has none.
 */
export const CLAIM_TASK: Statement = {
  name: 'claim-task',
  text: `update task set state = case state when 'queued' then 'running' else state end, owner = $1, fence = fence + 1,
                started = coalesce(started, clock_timestamp()), ${RENEWED}
          where id = (select id from task t
                       where ended is null and kind = any($2::text[])
                         and (state = 'queued'
                              or state in ('running', 'pausing', 'cancelling')
                                 and (lease_until between clock_timestamp() and clock_timestamp() + interval '1 hour') is not true)
                         and (subjects = '{}' or not exists (${earlier('t')}))
                       order by id for update skip locked limit 1)
          returning id, fence`,
};

export const RENEW_LEASE: Statement = {
  name: 'renew-task-lease',
  text: `update task set ${RENEWED} where ${HELD} returning state`,
};

/** Ends the lease, at once or some time from now; the state keeps what operators have requested. */
export const RELEASE_LEASE: Statement = {
  name: 'release-task-lease',
  text: `update task set lease_until = clock_timestamp() + $3 * interval '1 millisecond' where ${HELD}`,
};

export const RECORD_STEP: Statement = {
  name: 'record-task-step',
  text: `update task set checkpoint = $3::jsonb, done = $4, total = $5, worked_ms = worked_ms + $6, ${RENEWED}, log = ${appendedLog('$7')}
          where ${HELD} returning state`,
};

export const DISCARD_TASK: Statement = {
  name: 'discard-task',
  text: `delete from task where ${HELD}`,
};

/** A request that came after a pause goes before the end of the pause. */
export const END_TASK: Statement = {
  name: 'end-task',
  text: `update task set state = $3, ended = case when $3 <> 'paused' then clock_timestamp() end, lease_until = null,
                outcome = coalesce($4::jsonb, outcome), reason = $5, failure = $11, checkpoint = coalesce($6::jsonb, checkpoint),
                done = coalesce($7, done), total = coalesce($8, total), worked_ms = worked_ms + $9, log = ${appendedLog('$10')}
          where ${HELD} and ($3 <> 'paused' or state = 'pausing')`,
};

export const FIND_BLOCKERS: Statement = {
  name: 'find-task-blockers',
  text: `select t.id, min(e.id) as blocker from task t join task e on e.ended is null and e.id < t.id and e.subjects && t.subjects
          where t.id = any($1::bigint[]) and t.ended is null group by t.id`,
};

/** Applies a request to a row that the transaction has locked. */
export const APPLY_REQUEST: Statement = {
  name: 'apply-task-request',
  text: `update task set state = $2, ended = case when $2 = 'cancelled' then clock_timestamp() end, log = ${appendedLog('$3')} where id = $1`,
};

export const COUNT_UNFINISHED: Statement = {
  name: 'count-unfinished-tasks',
  text: 'select kind, state, count(*) as count from task where ended is null group by kind, state',
};

/** The newest ended task of a kind stays: it says when recurring work was done last. */
export const PURGE_TASKS: Statement = {
  name: 'purge-tasks',
  text: `delete from task t where ended < clock_timestamp() - $1 * interval '1 millisecond'
            and exists (select from task n where n.kind = t.kind and n.id > t.id and n.ended is not null)`,
};
