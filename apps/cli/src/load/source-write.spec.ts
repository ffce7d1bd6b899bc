import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readWrite, requestFor, type SourceWrite } from '../connection/source-write';

interface Sent {
  readonly proposal: Record<string, unknown> & { readonly aspect: { value: string; contentType: string } };
}

function written(text: string): SourceWrite {
  const reading = readWrite(text);
  if (reading.kind === 'rejected') throw new Error(reading.reason);
  return reading.write;
}

function sent(text: string): Sent {
  return JSON.parse(requestFor([written(text)]).body) as Sent;
}

describe('a record', () => {
  it('becomes a proposal with its aspect as JSON text, and keeps everything else', () => {
    const { proposal } = sent(
      JSON.stringify({
        entityType: 'tag',
        entityUrn: 'urn:li:tag:pii',
        changeType: 'UPSERT',
        aspectName: 'tagProperties',
        aspect: { json: { name: 'pii' } },
        systemMetadata: { runId: 'r1' },
      }),
    );
    expect(proposal).toEqual({
      entityType: 'tag',
      entityUrn: 'urn:li:tag:pii',
      changeType: 'UPSERT',
      aspectName: 'tagProperties',
      aspect: { value: '{"name":"pii"}', contentType: 'application/json' },
      systemMetadata: { runId: 'r1' },
    });
  });

  it('keeps 64-bit integers digit by digit', () => {
    const write = written(
      '{"entityUrn":"u","aspect":{"json":{"n":9223372036854775807}},"x":9007199254740993}',
    );
    expect(requestFor([write])).toEqual({
      target: '/aspects?action=ingestProposal',
      body: '{"proposal":{"entityUrn":"u","aspect":{"value":"{\\"n\\":9223372036854775807}","contentType":"application/json"},"x":9007199254740993}}',
    });
  });

  it('sends any text in ASCII, and it reads back as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const { value } = sent(JSON.stringify({ aspect: { json: { text } } })).proposal.aspect;
        expect(value).toMatch(/^[\0-\u007f]*$/);
        expect(JSON.parse(value)).toEqual({ text });
      }),
    );
  });

  it('a record that has the form of the wire passes unchanged', () => {
    const aspect = { value: '{"name":"é"}', contentType: 'application/json' };
    expect(sent(JSON.stringify({ aspect })).proposal.aspect).toEqual(aspect);
  });

  it('a record that is a patch is marked as one', () => {
    const record = { changeType: 'PATCH', aspect: { json: [{ op: 'add', path: '/x', value: 1 }] } };
    expect(sent(JSON.stringify(record)).proposal.aspect).toEqual({
      value: '[{"op":"add","path":"/x","value":1}]',
      contentType: 'application/json-patch+json',
    });
  });

  it('a record that is a snapshot is sent whole, digit by digit', () => {
    const snapshot =
      '{"com.example.DatasetSnapshot":{"urn":"urn:li:dataset:x","aspects":[{"a.B":{"n":9223372036854775807}}]}}';
    const text = `{"auditHeader":null,"proposedSnapshot":${snapshot},"systemMetadata":{"runId":"r"}}`;
    const write = written(text);
    expect(write).toMatchObject({ urn: 'urn:li:dataset:x', aspectName: 'DatasetSnapshot' });
    expect(requestFor([write])).toEqual({
      target: '/entities?action=ingest',
      body: `{"entity":{"value":${snapshot}},"systemMetadata":{"runId":"r"}}`,
    });
    expect(requestFor([write, { ...write, systemMetadata: 'null' }])).toEqual({
      target: '/entities?action=batchIngest',
      body: `{"entities":[{"value":${snapshot}},{"value":${snapshot}}],"systemMetadata":[{"runId":"r"},null]}`,
    });
  });

  it('a record that is a malformed snapshot is for the catalog to reject', () => {
    for (const proposedSnapshot of [7, {}, { 'a.B': 7 }, { 'a.B': { urn: 7 } }]) {
      expect(written(JSON.stringify({ proposedSnapshot }))).toMatchObject({ kind: 'snapshot', urn: '' });
    }
  });

  it('normalizes the urn of its entity', () => {
    expect(written('{"entityUrn":"urn:li:tag:caf\\\\u00e9"}').urn).toBe('urn:li:tag:café');
  });

  it('shares a request with others of its kind', () => {
    const [one, other] = [written('{"entityUrn":"a"}'), written('{"entityUrn":"b"}')];
    expect(requestFor([one, other])).toEqual({
      target: '/aspects?action=ingestProposalBatch',
      body: '{"proposals":[{"entityUrn":"a"},{"entityUrn":"b"}]}',
    });
  });

  it('a record that is no JSON object is rejected', () => {
    expect(readWrite('{"a":')).toMatchObject({ kind: 'rejected', isJson: false });
    expect(readWrite('7')).toMatchObject({ kind: 'rejected', reason: 'the record is not a JSON object' });
  });
});
