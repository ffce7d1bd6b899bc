import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Proposal } from '@stratalog/domain';
import { systemClock } from '@stratalog/concurrency';
import type { SubmitOutcome } from '@stratalog/ports';
import { loadModel, type EntityRegistry } from '@stratalog/registry';
import { rollbackTask, type RollbackParameters, type RollbackTaskDeps } from './rollback-task';

let registry: EntityRegistry;
beforeAll(async () => {
  registry = await loadModel({ folders: [join(import.meta.dirname, '../../../../../models')] });
});

const PARAMETERS: RollbackParameters = { runId: 'run', isHard: true };
const STALE = ['a', 'b'].map((name) => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`);
const NOWHERE = {
  plan: {
    aspects: 0,
    keys: 0,
    entities: 0,
    lastMs: 0,
    first: [],
    unsafe: { count: 0, aspects: 0, urns: [] },
  },
  half: 0,
  after: null,
  left: { count: 0, keys: 0, named: [] },
};
const VALUES = { count: 9, position: { 2: 7 }, deleted: 5, after: { seq: 7, urn: 'last' }, isDone: false };
const AT = {
  checkpoint: { ...NOWHERE, values: { ...VALUES, stale: STALE } },
  progress: { done: 5, total: 9 },
};

describe('a rollback that took the latest value of entities', () => {
  const context = {
    id: 1,
    parameters: PARAMETERS,
    actor: 'urn:li:corpuser:a',
    workedMs: 0,
    signal: new AbortController().signal,
  };
  /** A rollback whose proposals are collected, and all end with one outcome. */
  const open = (outcome: Pick<SubmitOutcome, 'kind'>) => {
    const proposed: unknown[] = [];
    const submitAndWait = (proposal: Proposal) => {
      proposed.push([proposal.changeType, proposal.urn, proposal.aspectName]);
      return Promise.resolve(outcome);
    };
    const deps = { registry, clock: systemClock, submitter: { submitAndWait } };
    return { task: rollbackTask(deps as unknown as RollbackTaskDeps), proposed };
  };
  const restated = STALE.map((urn) => ['RESTATE', urn, 'datasetKey']);

  it('restates them before the next page', async () => {
    const { task, proposed } = open({ kind: 'applied' });
    expect(task.isWithin(AT.checkpoint)).toBe(false);
    const next = await task.step(context, AT);
    expect(next).toMatchObject({ kind: 'next', checkpoint: { values: { ...VALUES, stale: [] } } });
    expect(proposed).toEqual(restated);
  });

  it('passes over those that were deleted meanwhile', async () => {
    const { task } = open({ kind: 'rejected' });
    expect(await task.step(context, AT)).toMatchObject({ kind: 'next' });
  });

  it('keeps the list and repeats the step when the writer fails', async () => {
    const { task } = open({ kind: 'failed' });
    const unavailable = { code: 'unavailable', retryable: true };
    await expect(task.step(context, AT)).rejects.toMatchObject(unavailable);
    await expect(task.obey('cancel', context, AT)).rejects.toMatchObject(unavailable);
  });
});
