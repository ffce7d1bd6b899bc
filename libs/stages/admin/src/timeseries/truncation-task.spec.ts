import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Proposal } from '@stratalog/domain';
import { systemClock } from '@stratalog/concurrency';
import type { TimeseriesStorage } from '@stratalog/ports';
import { loadModel } from '@stratalog/registry';
import { truncationTask, type TruncationDeps, type TruncationParameters } from './truncation-task';

const STORE = { identity: { storeId: '0123456789abcdef0123456789abcdef', epoch: 1, partitions: 4 } };
const PARAMETERS: TruncationParameters = {
  entityType: 'dataset',
  aspect: 'datasetProfile',
  urnPrefix: 'urn:li:dataset:',
  endTimeMillis: 1,
  batchSize: 0,
  timeoutSeconds: 1,
  forceDeleteByQuery: null,
  forceReindex: null,
};
const REACHED = {
  checkpoint: {
    position: { 2: 7 },
    matching: 9,
    total: 12,
    isPublished: false,
    batches: 3,
    batch: 100,
    after: null,
    stale: [],
  },
  progress: { done: 5, total: 9 },
};

/** Runs one step after so much work; the step may only ask whether the relay has published the position. */
const step = (workedMs: number, isPublished: TimeseriesStorage['isPublished']) =>
  truncationTask({ store: STORE, timeseries: { isPublished } as TimeseriesStorage } as TruncationDeps).step(
    {
      id: 1,
      parameters: PARAMETERS,
      actor: 'urn:li:corpuser:a',
      workedMs,
      signal: new AbortController().signal,
    },
    REACHED,
    {} as never,
  );

describe('a step of a truncation', () => {
  it('fails after the time limit, and says what is deleted', async () => {
    expect(await step(1_001, () => Promise.reject(new Error('not to be asked')))).toEqual({
      kind: 'failed',
      reason: 'Not complete after 1 seconds',
      outcome: { deleted: 5, batches: 3, position: expect.any(String) },
    });
  });

  it('waits until the relay has published the values', async () => {
    const asked: unknown[] = [];
    const waiting = await step(1_000, (position) => {
      asked.push([...position]);
      return Promise.resolve(false);
    });
    expect(waiting).toEqual({ kind: 'wait', pauseMs: expect.any(Number) });
    expect(asked).toEqual([[[2, 7]]]);
  });
});

describe('a truncation that took the latest value of entities', () => {
  const stale = ['a', 'b'].map((name) => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`);
  const context = {
    id: 1,
    parameters: PARAMETERS,
    actor: 'urn:li:corpuser:a',
    workedMs: 9_999,
    signal: new AbortController().signal,
  };
  const at = { ...REACHED, checkpoint: { ...REACHED.checkpoint, stale } };
  /** A truncation whose proposals are collected. */
  const open = async () => {
    const proposed: unknown[] = [];
    const submitAndWait = (proposal: Proposal) => {
      proposed.push([proposal.changeType, proposal.urn, proposal.aspectName]);
      return Promise.resolve({ kind: 'applied' });
    };
    const registry = await loadModel({ folders: [join(import.meta.dirname, '../../../../../models')] });
    const deps = { store: STORE, registry, clock: systemClock, submitter: { submitAndWait } };
    return { task: truncationTask(deps as unknown as TruncationDeps), proposed };
  };
  const restated = stale.map((urn) => ['RESTATE', urn, 'datasetKey']);

  it('restates them before anything else, even after its time limit', async () => {
    const { task, proposed } = await open();
    expect(task.isWithin(at.checkpoint)).toBe(false);
    expect(await task.step(context, at)).toEqual({ kind: 'next', ...REACHED });
    expect(proposed).toEqual(restated);
  });

  it('restates them when it is cancelled, and not when it pauses', async () => {
    const { task, proposed } = await open();
    await task.obey('pause', context, at);
    expect(proposed).toEqual([]);
    await task.obey('cancel', context, at);
    expect(proposed).toEqual(restated);
  });
});
