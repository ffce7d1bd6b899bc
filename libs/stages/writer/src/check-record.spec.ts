import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Proposal, ProposalEntry } from '@stratalog/domain';
import { allSteps } from '@stratalog/json';
import type { LogContent, LogRecord } from '@stratalog/ports';
import { loadModel, type EntityRegistry } from '@stratalog/registry';
import { checkRecord } from './check-record';

const PROPOSAL: Proposal = {
  entityType: 'tag',
  urn: 'urn:li:tag:a',
  aspectName: 'tagProperties',
  changeType: 'UPSERT',
  value: '{"unknown":1, "name":"a", "description":null}',
  actor: 'urn:li:corpuser:x',
};

let registry: EntityRegistry;
beforeAll(async () => {
  registry = await loadModel({ folders: [join(import.meta.dirname, '../../../../models')] });
});

const toRecord = (content: LogContent<ProposalEntry>): LogRecord<ProposalEntry> => ({
  partition: 3,
  offset: 9,
  content,
});
const proposalWith = (members: Partial<Proposal>): LogRecord<ProposalEntry> =>
  toRecord({ kind: 'decoded', value: { ...PROPOSAL, ...members } });

const checked = (...given: Parameters<typeof checkRecord>) => allSteps(checkRecord(...given));

describe('checkRecord', () => {
  it('accepts a valid proposal, in canonical form and with the key of its urn', () => {
    expect(checked(proposalWith({}), registry)).toMatchObject({
      kind: 'accepted',
      urn: 'urn:li:tag:a',
      aspectName: 'tagProperties',
      changeType: 'UPSERT',
      value: '{"name":"a"}',
      systemMetadata: {},
      actor: 'urn:li:corpuser:x',
      neighbours: expect.any(Function),
      defaultNames: expect.any(Function),
      defaults: expect.any(Function),
      key: { aspectName: 'tagKey', value: '{"name":"a"}' },
    });
  });

  it('rejects with the reason, the proposal and its position', () => {
    expect(checked(proposalWith({ aspectName: 'nothing' }), registry)).toEqual({
      kind: 'rejected',
      reason: 'Unknown aspect nothing for entity tag',
      position: { partition: 3, offset: 9 },
      content: { proposal: { ...PROPOSAL, aspectName: 'nothing' } },
      code: 'unknown-aspect',
    });
  });

  it('marks an unknown entity type for a later model, but not a contradiction', () => {
    const unknown = { entityType: 'sensor', urn: 'urn:li:sensor:a' };
    expect(checked(proposalWith(unknown), registry)).toMatchObject({
      kind: 'rejected',
      reason: 'Failed to find entity with name sensor in EntityRegistry',
      code: 'unknown-entity-type',
    });
    for (const odd of [{ entityType: 'tag' }, { urn: 'urn:xx:sensor:a' }, { urn: 'sensor' }]) {
      expect(checked(proposalWith({ ...unknown, ...odd }), registry)).not.toHaveProperty('code');
    }
  });

  it('drops unknown aspects when the setting says so', () => {
    const unknown = proposalWith({ aspectName: 'nothing' });
    expect(checked(unknown, registry, { unknownAspects: 'drop' })).toMatchObject({
      kind: 'rejected',
      isDropped: true,
    });
    expect(checked(unknown, registry, { unknownAspects: 'drop' })).not.toHaveProperty('code');
    expect(checked(proposalWith({ value: '7' }), registry, { unknownAspects: 'drop' })).not.toHaveProperty(
      'isDropped',
    );
  });

  it('keeps bytes that are no proposal', () => {
    const bytes = new Uint8Array([1, 2]);
    expect(checked(toRecord({ kind: 'undecodable', bytes, reason: 'no Avro' }), registry)).toEqual({
      kind: 'rejected',
      reason: 'no Avro',
      position: { partition: 3, offset: 9 },
      content: { bytes },
    });
  });

  it('trusts only a check by its own model', () => {
    const trusted = { value: '{"name":7}', checkedBy: registry.fingerprint };
    expect(checked(proposalWith(trusted), registry)).toMatchObject({ value: '{"name":7}' });
    expect(checked(proposalWith({ ...trusted, checkedBy: 'older' }), registry).kind).toBe('rejected');
  });
});
