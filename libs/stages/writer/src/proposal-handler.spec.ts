import { beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import {
  FaultError,
  OffsetConflictError,
  TimeLimitError,
  UnavailableError,
  type Proposal,
} from '@stratalog/domain';
import type { LogRange, WriteBatch, WriteSnapshot } from '@stratalog/ports';
import { loadModel, type EntityRegistry } from '@stratalog/registry';
import { proposalHandler, type ProposalHandlerOptions } from './proposal-handler';

let registry: EntityRegistry;

beforeAll(async () => {
  const folders = [join(import.meta.dirname, '../../../../models')];
  registry = await loadModel({ folders, vendor: 'linkedin', urnNamespace: 'li' });
});

const PROPOSAL: Proposal = {
  entityType: 'tag',
  urn: 'urn:li:tag:Legacy',
  aspectName: 'tagProperties',
  changeType: 'UPSERT',
  value: '{"name":"Legacy"}',
  actor: 'urn:li:corpuser:tester',
};
const RANGE: LogRange = { partition: 3, from: 7, to: 9, unlogged: true };
const BATCH = {
  ranges: [RANGE],
  records: [8, 9].map((offset) => ({
    partition: 3,
    offset,
    content: { kind: 'decoded', value: PROPOSAL } as const,
  })),
};

/** A store that fails each commit with the next of `failures`, and records the commits. */
function failingStore(...failures: readonly Error[]): {
  readonly store: ProposalHandlerOptions['store'];
  readonly asked: (readonly LogRange[])[];
} {
  const asked: (readonly LogRange[])[] = [];
  const commit = (batch: WriteBatch): Promise<never> => {
    asked.push(batch.ranges);
    return Promise.reject(failures[asked.length - 1] ?? new UnavailableError('no more failures'));
  };
  return { store: { commit }, asked };
}

const EMPTY: WriteSnapshot = {
  stamps: new Map(),
  seqs: new Map(),
  partitionOf: () => 0,
  entity: () => undefined,
  aspect: () => undefined,
  lastVersion: () => 0,
  isMissing: () => true,
  aspectNames: () => [],
  timeseriesValue: () => undefined,
  nonEmptyRanges: [],
  referenceValue: () => undefined,
};

/** Retention that truncates nothing. */
const POLICIES: ProposalHandlerOptions['policies'] = {
  current: () => Promise.resolve({ stored: new Map(), fallback: {} }),
  written: () => undefined,
};

/** A store that accepts everything. */
const TAKING: ProposalHandlerOptions['store'] = {
  commit: () => Promise.resolve([]),
};

function batchOf(members: Partial<Proposal>) {
  const value = { ...PROPOSAL, ...members };
  return {
    ranges: [RANGE],
    records: [{ partition: 3, offset: 8, content: { kind: 'decoded', value } as const }],
  };
}

async function causeOfRetry(...failures: readonly Error[]): Promise<unknown> {
  const { store } = failingStore(...failures);
  const verdict = await proposalHandler({
    store,
    registry,
    policies: POLICIES,
    onDeadLetter: () => undefined,
  })(BATCH);
  return verdict.kind === 'retry' ? verdict.cause : verdict;
}

describe('a commit that fails', () => {
  it('is retried when the store is unavailable or the offset moved', async () => {
    const [away, moved] = [new UnavailableError('away'), new OffsetConflictError('moved')];
    expect(await causeOfRetry(away)).toBe(away);
    expect(await causeOfRetry(moved)).toBe(moved);
  });

  it('may have been applied when the offset moved after an unclear failure', async () => {
    const cause = await causeOfRetry(new FaultError('a strange one'), new OffsetConflictError('moved'));
    expect(cause).toBeInstanceOf(UnavailableError);
  });

  it('is split into single records that are as unlogged as the batch', async () => {
    const { store, asked } = failingStore(new FaultError('a strange one'), new UnavailableError('away'));
    await proposalHandler({ store, registry, policies: POLICIES, onDeadLetter: () => undefined })(BATCH);
    expect(asked).toEqual([[RANGE], [{ ...RANGE, to: 8 }]]);
  });
});

describe('statements that take too long', () => {
  const slow = { ...PROPOSAL, urn: 'urn:li:tag:Slow' };
  const batchFrom = (from: number) => ({
    ranges: [{ partition: 3, from, to: 12 }],
    records: [8, 9, 10, 11, 12].slice(from - 7).map((offset) => ({
      partition: 3,
      offset,
      content: { kind: 'decoded', value: offset === 10 ? slow : PROPOSAL } as const,
    })),
  });
  /** A store that ends each commit with the slow proposal at its time limit, and records the commits. */
  const limited = (commits: number[]): ProposalHandlerOptions['store'] => ({
    commit: async ({ ranges: [{ from, to } = { from: 0, to: 0 }], reads, decide }) => {
      commits.push(to - from);
      if (reads.some(({ urn }) => urn === slow.urn)) throw new TimeLimitError('too long');
      return (await decide(EMPTY)).outcomes;
    },
  });

  it('make one dead letter after three attempts alone, and no other record waits for these', async () => {
    const commits: number[] = [];
    const deadLetters: number[] = [];
    const handle = proposalHandler({
      store: limited(commits),
      registry,
      policies: POLICIES,
      onDeadLetter: ({ position }) => deadLetters.push(position.offset),
    });
    const delivered: string[] = [];
    for (let from = 7; from < 12 && delivered.length < 20;) {
      const verdict = await handle(batchFrom(from));
      delivered.push(verdict.kind);
      if (verdict.kind === 'done') from = verdict.rest?.ranges[0]?.from ?? 12;
    }
    expect(deadLetters).toEqual([10]);
    // All, then fewer, until the slow one is alone three times; then its dead letter, which reads nothing, and the others.
    expect(commits).toEqual([5, 1, 2, 1, 2, 1, 1, 1, 1, 1, 1]);
    expect(delivered.filter((kind) => kind === 'retry')).toHaveLength(2);
  });

  it('statements that take too long of different records are no reason to give one up', async () => {
    const commits: number[] = [];
    const onDeadLetter = (): never => {
      throw new Error('nothing may be given up');
    };
    const handle = proposalHandler({ store: limited(commits), registry, policies: POLICIES, onDeadLetter });
    const alone = (offset: number) => ({
      ranges: [{ partition: 3, from: offset - 1, to: offset }],
      records: [{ partition: 3, offset, content: { kind: 'decoded', value: slow } as const }],
    });
    for (const offset of [8, 9, 8, 9, 8, 9]) expect((await handle(alone(offset))).kind).toBe('retry');
  });
});

describe('a batch that exceeds one commit', () => {
  const value = '[{"op":"add","path":"/customProperties/a","value":"b"}]';
  const patch: Proposal = {
    ...PROPOSAL,
    entityType: 'dataset',
    urn: 'urn:li:dataset:(urn:li:dataPlatform:hive,large,PROD)',
    aspectName: 'datasetProperties',
    changeType: 'PATCH',
    value,
  };
  const recordAt = (partition: number, offset: number) => ({
    partition,
    offset,
    content: { kind: 'decoded', value: patch } as const,
  });
  const batch = {
    ranges: [
      { partition: 3, from: 7, to: 9 },
      { partition: 4, from: 1, to: 5 },
    ],
    records: [recordAt(3, 8), recordAt(4, 2), recordAt(3, 9)],
  };
  const latest = {
    version: 1,
    value: JSON.stringify({ description: 'x'.repeat(9_000_000) }),
    isValue: () => false,
    created: { time: 1, actor: PROPOSAL.actor },
    aspectCreated: { time: 1, actor: PROPOSAL.actor },
    systemMetadata: {},
    observed: {},
  };
  const snapshot: WriteSnapshot = {
    ...EMPTY,
    entity: () => ({ seq: 1, deleted: false }),
    aspect: () => latest,
    lastVersion: () => 1,
  };

  /** Decides each commit and records its ranges; fails after a number of commits. */
  function workingStore(failAt: number, failure: Error) {
    const went: string[] = [];
    const commit: ProposalHandlerOptions['store']['commit'] = async ({ ranges, decide }) => {
      if (went.length === failAt) throw failure;
      const writes = await decide(snapshot);
      const ends = (writes.ranges ?? ranges).map(({ partition, from, to }) => `${partition}:${from}-${to}`);
      went.push(ends.join(' '));
      return writes.outcomes;
    };
    return { store: { commit }, went };
  }

  it('is applied in part, and leaves the rest from the end of that part on', async () => {
    const { store, went } = workingStore(9, new Error('never'));
    const handle = proposalHandler({ store, registry, policies: POLICIES, onDeadLetter: () => undefined });
    const verdicts = [await handle(batch)];
    const restOf = (verdict: (typeof verdicts)[0] | undefined) =>
      verdict?.kind === 'done' ? verdict.rest : undefined;
    for (let rest = restOf(verdicts[0]); rest !== undefined; rest = restOf(verdicts.at(-1)))
      verdicts.push(await handle(rest));
    expect(went).toEqual(['3:7-8 4:1-1', '3:8-8 4:1-5', '3:8-9']);
    expect(verdicts).toMatchObject(verdicts.map(() => ({ kind: 'done', results: [{ kind: 'written' }] })));
  });
});

describe('a process whose model is older than the stored one', () => {
  const older = {
    store: TAKING,
    onDeadLetter: () => undefined,
    isModelCurrent: () => Promise.resolve(false),
  };
  const kindOf = async (members: Partial<Proposal>, options: Partial<ProposalHandlerOptions> = {}) =>
    (await proposalHandler({ ...older, registry, policies: POLICIES, ...options })(batchOf(members))).kind;
  const cut = { value: '{"name":"a","newer":1}', checkedBy: 'the newer model' };

  it('retries a record that a newer model might accept or keep whole', async () => {
    expect(await kindOf({ aspectName: 'newer' })).toBe('retry');
    expect(await kindOf({ aspectName: 'newer' }, { unknownAspects: 'drop' })).toBe('retry');
    expect(await kindOf({ value: '{"name":7}' })).toBe('retry');
    expect(await kindOf(cut)).toBe('retry');
  });

  it('applies records that both models accept alike', async () => {
    expect(await kindOf({})).toBe('done');
    expect(await kindOf({ checkedBy: 'the newer model' })).toBe('done');
    expect(await kindOf({ ...cut, checkedBy: registry.fingerprint })).toBe('done');
  });

  it('decides as usual without a newer model, and retries when the model is unknown', async () => {
    expect(await kindOf(cut, { isModelCurrent: () => Promise.resolve(true) })).toBe('done');
    const away = () => Promise.reject(new UnavailableError('away'));
    expect(await kindOf(cut, { isModelCurrent: away })).toBe('retry');
    expect(await kindOf({}, { isModelCurrent: away })).toBe('done');
  });
});
