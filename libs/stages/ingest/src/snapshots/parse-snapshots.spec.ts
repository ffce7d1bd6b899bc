import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { DefinedRoute } from '@stratalog/http';
import { InvalidProposalError, InvalidRequestError, MismatchedRequestError } from '@stratalog/domain';
import { allSteps, type JsonObject, type JsonValue } from '@stratalog/json';
import { loadModel, type EntityRegistry } from '@stratalog/registry';
import { BATCH_INGEST, INGEST } from './snapshots.routes';
import { parseSnapshot, parseSnapshots, type SnapshotProposals } from './parse-snapshots';

const URN = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';
const DATASET = 'com.linkedin.metadata.snapshot.DatasetSnapshot';
const OWNERSHIP = 'com.linkedin.common.Ownership';
const AVRO = 'com.linkedin.pegasus2avro.';
const stamp = { time: 0, actor: 'urn:li:corpuser:unknown' };
const ownership = {
  owners: [{ owner: 'urn:li:corpuser:jane', type: 'DATAOWNER' }],
  lastModified: stamp,
} satisfies JsonObject;
const DEFAULTS = { lastObserved: 1_000, runId: 'no-run-id-provided' };

let registry: EntityRegistry;
beforeAll(async () => {
  registry = await loadModel({ folders: [join(import.meta.dirname, '../../../../../models')] });
});

const context = () => ({
  registry,
  actor: 'urn:li:corpuser:x',
  nowMs: 1_000,
  large: new Set<JsonValue>(),
  report: () => undefined,
});
const parse = <Parameters>({ parse: read, action }: DefinedRoute<Parameters>, sent: JsonObject) =>
  read?.({ sent, action, names: () => Object.keys(sent) }) as Parameters;
const one = (body: JsonObject): SnapshotProposals => allSteps(parseSnapshot(parse(INGEST, body), context()));
const several = (body: JsonObject): readonly SnapshotProposals[] =>
  allSteps(parseSnapshots(parse(BATCH_INGEST, body), context()));

function entityWith(
  aspects: JsonValue,
  { name = DATASET, urn = URN }: { readonly name?: string; readonly urn?: JsonValue } = {},
): JsonObject {
  return { value: { [name]: { urn, aspects } } };
}

describe('A snapshot', () => {
  it('becomes one checked upsert for each of its aspects, in order', () => {
    const status = { 'com.linkedin.common.Status': { removed: null } };
    const proposals = one({ entity: entityWith([status, { [OWNERSHIP]: { ...ownership, unknown: 1 } }]) });
    const common = {
      entityType: 'dataset',
      urn: URN,
      changeType: 'UPSERT',
      systemMetadata: DEFAULTS,
      actor: 'urn:li:corpuser:x',
      checkedBy: registry.fingerprint,
    };
    const owners = '[{"owner":"urn:li:corpuser:jane","type":"DATAOWNER"}]';
    expect(proposals).toEqual([
      { ...common, aspectName: 'status', value: '{}' },
      {
        ...common,
        aspectName: 'ownership',
        value: `{"lastModified":{"actor":"urn:li:corpuser:unknown","time":0},"owners":${owners}}`,
      },
    ]);
  });

  it('a snapshot and its aspects accept the full, the short and the Avro-style names of their records', () => {
    const named = (name: string, aspect: string) =>
      one({ entity: entityWith([{ [aspect]: ownership }], { name }) });
    const usual = named(DATASET, OWNERSHIP);
    expect(named('DatasetSnapshot', 'Ownership')).toEqual(usual);
    expect(named(`${AVRO}metadata.snapshot.DatasetSnapshot`, `${AVRO}common.Ownership`)).toEqual(usual);
  });

  it('a snapshot of every type is accepted, with the key aspect of its urn', () => {
    const tag = { 'com.linkedin.metadata.key.TagKey': { name: 'another' } };
    const [proposal] = one({ entity: entityWith([tag], { name: 'TagSnapshot', urn: 'urn:li:tag:pii' }) });
    expect(proposal).toMatchObject({ entityType: 'tag', aspectName: 'tagKey', value: '{"name":"pii"}' });
    for (const { recordName, entityType, aspects } of registry.snapshots.values()) {
      expect(registry.snapshotNamed(recordName)?.entityType).toBe(entityType);
      expect([...aspects.values()].every(({ kind }) => kind === 'versioned')).toBe(true);
    }
  });

  it('a snapshot without aspects becomes its key aspect', () => {
    expect(one({ entity: entityWith([]) })).toEqual([
      expect.objectContaining({
        aspectName: 'datasetKey',
        value: '{"name":"shop.orders","origin":"PROD","platform":"urn:li:dataPlatform:hive"}',
      }),
    ]);
  });

  it('carries its system metadata, completed with defaults', () => {
    const metadata = { runId: 'r', lastObserved: 0, properties: { clientId: 'c' }, other: 1 };
    const [proposal] = one({ entity: entityWith([]), systemMetadata: metadata });
    const { systemMetadata } = proposal;
    expect(systemMetadata).toEqual({ runId: 'r', lastObserved: 1_000, properties: { clientId: 'c' } });
  });

  const FORM = "Parameters of method 'ingest' failed validation with error '/";
  const PLACE = `entity/value/${DATASET}`;
  it.each<[string, JsonObject, string]>([
    ['no entity', {}, "Parameter 'entity' is required"],
    ['entity of another type', { entity: [] }, `${FORM}entity :: a list is not an object'`],
    ['no value', { entity: {} }, `${FORM}entity/value :: is required'`],
    ['a null value', { entity: { value: null } }, `${FORM}entity/value :: is required'`],
    ['a value of another type', { entity: { value: 'x' } }, `${FORM}entity/value :: is not an object'`],
    [
      'an empty union',
      { entity: { value: {} } },
      `${FORM}entity/value :: must have exactly one member, the name of a record, not 0'`,
    ],
    [
      'two snapshots',
      { entity: { value: { [DATASET]: {}, TagSnapshot: {} } } },
      `${FORM}entity/value :: must have exactly one member, the name of a record, not 2'`,
    ],
    ['a null snapshot', { entity: { value: { [DATASET]: null } } }, `${FORM}${PLACE} :: is required'`],
    ['no urn', { entity: entityWith([], { urn: null }) }, `${FORM}${PLACE}/urn :: is required'`],
    [
      'a urn of another type',
      { entity: entityWith([], { urn: 7 }) },
      `${FORM}${PLACE}/urn :: is not a string'`,
    ],
    ['no aspects', { entity: entityWith(null) }, `${FORM}${PLACE}/aspects :: is required'`],
    ['aspects of another type', { entity: entityWith({}) }, `${FORM}${PLACE}/aspects :: is not a list'`],
    ['a null aspect', { entity: entityWith([null]) }, `${FORM}${PLACE}/aspects/0 :: is required'`],
    ['a text as aspect', { entity: entityWith(['x']) }, `${FORM}${PLACE}/aspects/0 :: is not an object'`],
    [
      'two aspects in one',
      { entity: entityWith([{ [OWNERSHIP]: ownership, 'com.linkedin.common.Status': {} }]) },
      `${FORM}${PLACE}/aspects/0 :: must have exactly one member, the name of a record, not 2'`,
    ],
    [
      'an aspect without fields',
      { entity: entityWith([{ [OWNERSHIP]: null }]) },
      `${FORM}${PLACE}/aspects/0/${OWNERSHIP} :: is required'`,
    ],
    [
      'system metadata of another type',
      { entity: entityWith([]), systemMetadata: { runId: 7 } },
      `${FORM}systemMetadata/runId :: is not a string'`,
    ],
  ])('a snapshot with %s is malformed', (_what, body, message) => {
    expect(() => one(body)).toThrow(new InvalidRequestError(message));
  });

  const UNFIT = `Failed to validate record with class ${DATASET}: ERROR :: /${PLACE}`;
  it.each<[string, JsonObject, string]>([
    [
      'of an unknown type',
      entityWith([], { name: 'com.linkedin.metadata.snapshot.NoSuchSnapshot' }),
      'Failed to validate record with class Entity: ERROR :: /entity/value/com.linkedin.metadata.snapshot.NoSuchSnapshot :: is no snapshot of the model',
    ],
    [
      'with no urn at all',
      entityWith([], { urn: 'nonsense' }),
      `${UNFIT}/urn :: Invalid urn nonsense: must start with "urn:"`,
    ],
    [
      'with the urn of another type',
      entityWith([], { urn: 'urn:li:tag:a' }),
      `${UNFIT}/urn :: is the urn of a tag, not of a dataset`,
    ],
    [
      'with an aspect of another type',
      entityWith([{ [OWNERSHIP]: ownership }, { 'com.linkedin.tag.TagProperties': {} }]),
      `${UNFIT}/aspects/1/com.linkedin.tag.TagProperties :: is no aspect of the snapshot`,
    ],
    [
      'with a field that is missing',
      entityWith([{ Ownership: { owners: [{ type: 'DATAOWNER' }], lastModified: stamp } }]),
      `${UNFIT}/aspects/0/Ownership/owners/0/owner :: is required`,
    ],
  ])('%s is rejected with its path', (_what, entity, message) => {
    expect(() => one({ entity })).toThrow(InvalidProposalError);
    expect(() => one({ entity })).toThrow(message);
  });
});

describe('Several snapshots', () => {
  it('are parsed one by one, each with its own system metadata', () => {
    const read = several({
      entities: [entityWith([]), entityWith([], { name: 'TagSnapshot', urn: 'urn:li:tag:a' })],
      systemMetadata: [{ runId: 'one' }, { runId: 'two' }],
    });
    expect(read.map(([{ urn, systemMetadata }]) => [urn, systemMetadata?.runId])).toEqual([
      [URN, 'one'],
      ['urn:li:tag:a', 'two'],
    ]);
    const [[bare] = []] = several({ entities: [entityWith([])] });
    expect(bare?.systemMetadata).toEqual(DEFAULTS);
  });

  it('need as many system metadata as entities', () => {
    const mismatch = () => several({ entities: [entityWith([])], systemMetadata: [] });
    expect(mismatch).toThrow(new MismatchedRequestError('entities and systemMetadata length must match'));
  });

  it('are rejected with the path of the faulty one', () => {
    const FORM = "Parameters of method 'batchIngest' failed validation with error '/";
    expect(() => several({})).toThrow("Parameter 'entities' is required");
    expect(() => several({ entities: {} })).toThrow(`${FORM}entities :: an object is not a list'`);
    expect(() => several({ entities: [entityWith([]), 7] })).toThrow(
      `${FORM}entities/1 :: is not an object'`,
    );
    expect(() => several({ entities: [entityWith([])], systemMetadata: ['x'] })).toThrow(
      `${FORM}systemMetadata/0 :: is not an object'`,
    );
    const unfit = entityWith([{ x: {} }]);
    expect(() => several({ entities: [entityWith([]), unfit] })).toThrow(
      `/entities/1/value/${DATASET}/aspects/0/x :: is no aspect of the snapshot`,
    );
  });
});
