import { beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { FaultError, LogMovedError, UnavailableError, type Proposal } from '@stratalog/model';
import type { LogRange, WriteBatch } from '@stratalog/ports';
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

/** A store that fails each commit with the next of `failures`, and what it was asked to commit. */
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

async function causeOfRetry(...failures: readonly Error[]): Promise<unknown> {
  const { store } = failingStore(...failures);
  const verdict = await proposalHandler({ store, registry, onPoison: () => undefined })(BATCH);
  return verdict.kind === 'retry' ? verdict.cause : verdict;
}

describe('a commit that fails', () => {
  it('is a retry when the store is away or the log has moved', async () => {
    const [away, moved] = [new UnavailableError('away'), new LogMovedError('moved')];
    expect(await causeOfRetry(away)).toBe(away);
    expect(await causeOfRetry(moved)).toBe(moved);
  });

  it('may have been applied when the log has moved after a failure that does not say', async () => {
    const cause = await causeOfRetry(new FaultError('a strange one'), new LogMovedError('moved'));
    expect(cause).toBeInstanceOf(UnavailableError);
  });

  it('is cut into single records that are as unlogged as the whole', async () => {
    const { store, asked } = failingStore(new FaultError('a strange one'), new UnavailableError('away'));
    await proposalHandler({ store, registry, onPoison: () => undefined })(BATCH);
    expect(asked).toEqual([[RANGE], [{ ...RANGE, to: 8 }]]);
  });
});
