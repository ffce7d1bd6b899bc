import { UnavailableError, decideRequest, type Task, type TaskRequest } from '@stratalog/domain';
import { stringifyJson, type JsonObject, withoutNul } from '@stratalog/json';
import type {
  ClaimedTask,
  LeaseState,
  NewTask,
  StoreTransaction,
  TaskCount,
  TaskEnd,
  TaskLease,
  TaskQuery,
  TaskStepRecord,
  TaskStore,
} from '@stratalog/ports';
import type { PoolClient } from 'pg';
import { In, IsNull, LessThan, type EntityManager } from 'typeorm';
import type { Database } from '../database/database';
import { hashSha256 } from '../database/hash-sha256';
import { TaskRow } from '../rows/task.row';
import {
  APPLY_REQUEST,
  CLAIM_TASK,
  COUNT_UNFINISHED,
  CREATE_TASK,
  DISCARD_TASK,
  END_TASK,
  FIND_BLOCKERS,
  PURGE_TASKS,
  RECORD_STEP,
  RELEASE_LEASE,
  RENEW_LEASE,
} from './task-statements';

/** An arbitrary number that every process of this product shares. */
const CREATE_LOCK = 7_305_410_214;

/** Keeps tasks in one table. The fence of a lease is part of the condition of every write. */
export class PostgresTaskStore implements TaskStore {
  constructor(private readonly database: Database) {}

  create(task: NewTask): Promise<{ readonly task: Task; readonly isNew: boolean }> {
    if ((task.subjects ?? []).length === 0) {
      return this.database.use((client, rows) => createTask(client, rows, task));
    }
    return this.database.transaction(async (client, rows) => {
      // One at a time, so that a task is never committed before one with a lower number, whose turn comes first.
      await client.query('select pg_advisory_xact_lock($1)', [CREATE_LOCK]);
      return createTask(client, rows, task);
    });
  }

  read(id: number): Promise<Task | undefined> {
    return this.database.read((_, rows) => readTask(rows, id));
  }

  list({ states, kind, before, limit }: TaskQuery): Promise<readonly Task[]> {
    return this.database.read(async (_, rows) => {
      const where = {
        ...(states === undefined ? {} : { state: In(states) }),
        ...(kind === undefined ? {} : { kind }),
        ...(before === undefined ? {} : { id: LessThan(before) }),
      };
      return (await rows.find(TaskRow, { where, order: { id: 'desc' }, take: limit })).map(toTask);
    });
  }

  claim(owner: string, kinds: readonly string[]): Promise<ClaimedTask | undefined> {
    return this.database.use(async (client, rows) => {
      const { rows: claimed } = await client.query<TaskLease>({ ...CLAIM_TASK, values: [owner, kinds] });
      const [lease] = claimed;
      const task = lease === undefined ? undefined : await readTask(rows, lease.id);
      return lease === undefined || task === undefined ? undefined : { lease, task };
    });
  }

  renew(lease: TaskLease): Promise<LeaseState> {
    return this.database.use((client) => write(client, RENEW_LEASE, lease));
  }

  record(lease: TaskLease, step: TaskStepRecord): Promise<LeaseState> {
    return this.database.use((client) => recordStep(client, lease, step));
  }

  async recordWithin<Step extends TaskStepRecord>(
    lease: TaskLease,
    work: (transaction: StoreTransaction) => Promise<Step>,
  ): Promise<{ readonly state: LeaseState; readonly step?: Step }> {
    try {
      return await this.database.transaction(async (client) => {
        const step = await work(client as unknown as StoreTransaction);
        const state = await recordStep(client, lease, step);
        if (state === 'lost') throw new LostLease('The lease of the task is lost');
        return { state, step };
      });
    } catch (error) {
      if (error instanceof LostLease) return { state: 'lost' };
      throw error;
    }
  }

  async end(
    lease: TaskLease,
    { state, outcome, reason, failure, checkpoint, progress, ...rest }: TaskEnd,
  ): Promise<boolean> {
    const values = [
      state,
      toText(outcome),
      reason === undefined ? null : withoutNul(reason),
      toText(checkpoint),
      progress?.done ?? null,
      progress?.total ?? null,
      Math.round(rest.workedMs ?? 0),
      rest.log ?? [],
      failure ?? null,
    ];
    const { rowCount } = await this.database.use((client) =>
      client.query({ ...END_TASK, values: [lease.id, lease.fence, ...values] }),
    );
    return rowCount === 1;
  }

  async discard({ id, fence }: TaskLease): Promise<boolean> {
    const { rowCount } = await this.database.use((client) =>
      client.query({ ...DISCARD_TASK, values: [id, fence] }),
    );
    return rowCount === 1;
  }

  async release({ id, fence }: TaskLease, forMs = 0): Promise<void> {
    await this.database.use((client) => client.query({ ...RELEASE_LEASE, values: [id, fence, forMs] }));
  }

  request(id: number, request: TaskRequest, actor: string): Promise<Task | undefined> {
    return this.database.transaction(async (client, rows) => {
      const row = await rows.findOne(TaskRow, { where: { id }, lock: { mode: 'pessimistic_write' } });
      if (row === null) return undefined;
      const state = decideRequest({ state: row.state, hasStarted: row.checkpoint !== null }, request);
      if (state === row.state) return toTask(row);
      await client.query({ ...APPLY_REQUEST, values: [id, state, [`${request} by ${actor}`]] });
      return readTask(rows, id);
    });
  }

  async findBlockers(ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const { rows } = await this.database.use((client) =>
      client.query<{ id: number; blocker: number }>({ ...FIND_BLOCKERS, values: [ids] }),
    );
    return new Map(rows.map(({ id, blocker }) => [id, blocker]));
  }

  countUnfinished(): Promise<readonly TaskCount[]> {
    return this.database.use(async (client) => (await client.query<TaskCount>(COUNT_UNFINISHED)).rows);
  }

  async purge(ageMs: number): Promise<number> {
    const { rowCount } = await this.database.use((client) =>
      client.query({ ...PURGE_TASKS, values: [ageMs] }),
    );
    return rowCount ?? 0;
  }
}

async function createTask(
  client: PoolClient,
  rows: EntityManager,
  { kind, parameters, actor, subjects = [] }: NewTask,
): Promise<{ readonly task: Task; readonly isNew: boolean }> {
  const text = stringifyJson(parameters);
  const parametersDigest = hashSha256(text);
  // Twice, because the other task may end between the two statements.
  for (let attempt = 1; attempt <= 2; attempt++) {
    const values = [kind, text, parametersDigest, actor, subjects];
    const created = await client.query<{ id: number }>({ ...CREATE_TASK, values });
    const where = created.rows[0] ?? { kind, parametersDigest, ended: IsNull() };
    const row = await rows.findOneBy(TaskRow, where);
    if (row !== null) return { task: toTask(row), isNew: created.rowCount === 1 };
  }
  throw new UnavailableError('The task could not be created');
}

/** Rolls a transaction back whose lease another process has taken over. */
class LostLease extends UnavailableError {}

function recordStep(client: PoolClient, lease: TaskLease, step: TaskStepRecord): Promise<LeaseState> {
  const { checkpoint, progress, workedMs, log = [] } = step;
  const values = [
    stringifyJson(checkpoint),
    progress.done,
    progress.total ?? null,
    Math.round(workedMs),
    log,
  ];
  return write(client, RECORD_STEP, lease, values);
}

async function write(
  client: PoolClient,
  statement: typeof RENEW_LEASE,
  { id, fence }: TaskLease,
  values: readonly unknown[] = [],
): Promise<LeaseState> {
  const { rows } = await client.query<{ state: LeaseState }>({
    ...statement,
    values: [id, fence, ...values],
  });
  return rows[0]?.state ?? 'lost';
}

async function readTask(rows: EntityManager, id: number): Promise<Task | undefined> {
  const row = await rows.findOneBy(TaskRow, { id });
  return row === null ? undefined : toTask(row);
}

function toText(value: JsonObject | undefined): string | null {
  return value === undefined ? null : stringifyJson(value);
}

function toTask(row: TaskRow): Task {
  const { id, kind, parameters, subjects, actor, state, done, workedMs, log } = row;
  return {
    id,
    kind,
    parameters,
    subjects,
    actor,
    state,
    progress: { done, ...(row.total === null ? {} : { total: row.total }) },
    workedMs,
    log,
    createdMs: row.created.getTime(),
    ...(row.checkpoint === null ? {} : { checkpoint: row.checkpoint }),
    ...(row.owner === null ? {} : { owner: row.owner }),
    ...(row.started === null ? {} : { startedMs: row.started.getTime() }),
    ...(row.ended === null ? {} : { endedMs: row.ended.getTime() }),
    ...(row.outcome === null ? {} : { outcome: row.outcome }),
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(row.failure === null ? {} : { failure: row.failure }),
  };
}
