import { describe, expect, it } from '@jest/globals';
import { InvalidProposalError, InvalidRequestError, type Proposal } from '@stratalog/domain';
import type { JsonObject } from '@stratalog/json';
import { parseProposal } from './parse-proposal';

const CONTEXT = {
  actor: 'urn:li:corpuser:x',
  nowMs: 1_000,
  urnOfKey: (entityType: string, key: string) =>
    key === '{}' ? { fault: 'no key' } : { urn: `${entityType} ${key}` },
};
const PROPOSAL = {
  entityType: 'tag',
  entityUrn: 'urn:li:tag:a',
  changeType: 'UPSERT',
  aspectName: 'tagProperties',
  aspect: { value: '{"name":"a"}', contentType: 'application/json' },
} satisfies JsonObject;

function parse(members: JsonObject = {}): Proposal {
  return parseProposal({ ...PROPOSAL, ...members }, CONTEXT, () => undefined);
}

describe('parseProposal', () => {
  it('reads the members of a proposal and its actor', () => {
    expect(parse()).toEqual({
      entityType: 'tag',
      urn: 'urn:li:tag:a',
      aspectName: 'tagProperties',
      changeType: 'UPSERT',
      value: '{"name":"a"}',
      systemMetadata: { lastObserved: 1_000, runId: 'no-run-id-provided' },
      actor: 'urn:li:corpuser:x',
    });
  });

  it('ignores unknown members and nulls', () => {
    const nulls = { headers: null, systemMetadata: null, auditHeader: null, entityDescription: 'x' };
    expect(parse(nulls)).toEqual(parse());
  });

  it('reads the time range of a timeseries deletion from its headers', () => {
    const removal = (headers: JsonObject, changeType = 'DELETE') =>
      parse({ changeType, aspect: null, headers });
    expect(
      removal({ 'start-time-millis': '0', 'End-Time-Millis': '1700000000000', other: 'x' }),
    ).toMatchObject({ timestamps: { startMs: 0, endMs: 1_700_000_000_000 } });
    expect(removal({ 'End-Time-Millis': '7' }).timestamps).toEqual({ endMs: 7 });
    expect(removal({ other: 'x' })).not.toHaveProperty('timestamps');
    for (const text of ['', 'today', '-1', '1e3', '9'.repeat(16)]) {
      expect(() => removal({ 'End-Time-Millis': text })).toThrow(
        `/proposal/headers/End-Time-Millis :: "${text}" is not a time in epoch milliseconds`,
      );
    }
    expect(() => removal({ 'Start-Time-Millis': '1', 'start-time-millis': '2' })).toThrow('is there twice');
    expect(() => removal({ 'Start-Time-Millis': '1' }, 'UPSERT')).toThrow(
      '/proposal/headers/Start-Time-Millis :: means nothing with UPSERT; it bounds the timeseries values that DELETE removes',
    );
  });

  it('computes the urn from the key, unless there is a urn', () => {
    const entityKeyAspect = { value: '{"name":"\u00c3\u00a9"}', contentType: 'application/json' };
    expect(parse({ entityUrn: null, entityKeyAspect }).urn).toBe('tag {"name":"é"}');
    expect(parse({ entityKeyAspect }).urn).toBe('urn:li:tag:a');
    expect(() => parse({ entityUrn: null, entityKeyAspect: { value: '{}' } })).toThrow(
      new InvalidProposalError('proposal.entityKeyAspect: no key'),
    );
    expect(() => parse({ entityUrn: null })).toThrow('/proposal/entityUrn :: is required');
    expect(() => parse({ entityUrn: null, entityKeyAspect: {} })).toThrow(
      '/proposal/entityKeyAspect/value :: is required',
    );
    const avro = { ...entityKeyAspect, contentType: 'application/avro' };
    expect(() => parse({ entityUrn: null, entityKeyAspect: avro })).toThrow('application/avro');
  });

  it('needs no aspect for a deletion', () => {
    expect(parse({ aspect: null, changeType: 'DELETE' })).not.toHaveProperty('value');
  });

  it.each(['application/json', 'Application/JSON', 'application/json; charset=utf-8'])(
    'accepts %s',
    (contentType) => {
      expect(parse({ aspect: { value: '{}', contentType } }).value).toBe('{}');
    },
  );

  it('reads an aspect without content type as JSON', () => {
    expect(parse({ aspect: { value: '{}' } }).value).toBe('{}');
  });

  it.each(['application/avro', 'application/json-patch+json', ''])(
    'rejects the content type "%s"',
    (contentType) => {
      expect(() => parse({ aspect: { value: '{}', contentType } })).toThrow(
        new InvalidProposalError(
          `proposal.aspect.contentType ${contentType} is not supported; send application/json`,
        ),
      );
    },
  );

  it('keeps the text of the value unchanged', () => {
    for (const value of ['', 'no JSON', '{"a":\u0000}', '日本']) {
      expect(parse({ aspect: { value } }).value).toBe(value);
    }
  });

  it('decodes a value of bytes to its text', () => {
    const value = Buffer.from('{"name":"é—日"}').toString('latin1');
    expect(parse({ aspect: { value } }).value).toBe('{"name":"é—日"}');
  });

  it.each([
    ['urn:li:tag:\\u65e5\\u672c', 'urn:li:tag:日本'],
    ['urn:li:tag:\\uD83D\\ude00', 'urn:li:tag:😀'],
    ['urn:li:tag:\\u65e', 'urn:li:tag:\\u65e'],
    ['urn:li:tag:a\\b', 'urn:li:tag:a\\b'],
  ])('reads the urn %s with its escapes', (entityUrn, urn) => {
    expect(parse({ entityUrn }).urn).toBe(urn);
  });

  it('keeps the known members of the system metadata', () => {
    const known = {
      lastObserved: 5,
      runId: 'r',
      lastRunId: 'l',
      pipelineName: 'p',
      registryName: 'n',
      registryVersion: 'v',
      properties: { clientId: 'c', empty: null },
    };
    expect(
      parse({ systemMetadata: { ...known, version: '7', aspectCreated: {}, schema: null } }).systemMetadata,
    ).toEqual({
      ...known,
      properties: { clientId: 'c' },
    });
  });

  it('accepts system metadata as JSON text', () => {
    expect(parse({ systemMetadata: '{"runId":"r","lastObserved":5}' }).systemMetadata).toEqual({
      runId: 'r',
      lastObserved: 5,
    });
  });

  it('reads a last observation of 0 as absent', () => {
    expect(parse({ systemMetadata: { lastObserved: 0 } }).systemMetadata).toMatchObject({
      lastObserved: 1_000,
    });
  });

  it.each([
    [{ entityType: null }, '/proposal/entityType :: is required'],
    [{ entityUrn: ['x'] }, '/proposal/entityUrn :: is not a string'],
    [{ aspectName: null }, '/proposal/aspectName :: is required'],
    [{ changeType: null }, '/proposal/changeType :: is required'],
    [{ changeType: 'upsert' }, '/proposal/changeType :: "upsert" is not one of UPSERT, CREATE'],
    [{ aspect: 'x' }, '/proposal/aspect :: is not an object'],
    [{ aspect: {} }, '/proposal/aspect/value :: is required'],
    [{ aspect: { value: { a: 1 } } }, '/proposal/aspect/value :: is not a string'],
    [{ systemMetadata: 1 }, '/proposal/systemMetadata :: is not an object'],
    [{ systemMetadata: '[]' }, '/proposal/systemMetadata :: is neither an object nor the JSON text of one'],
    [{ systemMetadata: '{' }, '/proposal/systemMetadata :: is neither an object nor the JSON text of one'],
    [
      { systemMetadata: `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}` },
      '/proposal/systemMetadata :: is neither an object nor the JSON text of one',
    ],
    [{ systemMetadata: { lastObserved: '5' } }, '/proposal/systemMetadata/lastObserved :: is not a time'],
    [{ systemMetadata: { lastObserved: -1 } }, '/proposal/systemMetadata/lastObserved :: is not a time'],
    [
      { systemMetadata: { lastObserved: 10n ** 20n } },
      '/proposal/systemMetadata/lastObserved :: is not a time',
    ],
    [{ systemMetadata: { runId: {} } }, '/proposal/systemMetadata/runId :: is not a string'],
    [
      { systemMetadata: { properties: { a: 1 } } },
      '/proposal/systemMetadata/properties/a :: is not a string',
    ],
  ])('rejects %j by its path', (members, message) => {
    expect(() => parse(members)).toThrow(InvalidRequestError);
    expect(() => parse(members)).toThrow(
      `Parameters of method 'ingestProposal' failed validation with error '${message}`,
    );
  });
});
