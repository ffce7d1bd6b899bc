import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { stringifyJson } from '@stratalog/json';
import { toBody } from '../testing/catalog/catalog-client';
import { get, post, type WireCase } from '../testing/catalog/wire-case';
import { SEED } from './addresses';

/** The setting of the rows. */
export const MAX_BODY_BYTES = 60_000;

const INGEST = '/aspects?action=ingestProposal';
const EXISTS = '/entities?action=exists';
const seedExists = { status: 200, json: { value: true } };

/** A write of text that is not ASCII, and the same text read back. */
function written(
  name: string,
  sent: { readonly headers?: Readonly<Record<string, string>>; readonly pack?: (body: string) => Buffer },
): WireCase {
  const urn = `urn:li:tag:body-${name.replaceAll(/\W+/g, '-')}`;
  const body = toBody({ urn, aspectName: 'tagProperties', value: { name: 'größer 日本' } });
  return {
    name: `a body, ${name}`,
    request: post(INGEST, sent.pack?.(body) ?? body, sent.headers ?? {}),
    status: 200,
    json: { value: urn },
    headers: { 'content-type': 'application/json' },
    then: {
      target: `/aspects/${urn}?aspect=tagProperties`,
      json: { version: 0, aspect: { 'com.linkedin.tag.TagProperties': { name: 'größer 日本' } } },
    },
  };
}

const typed = (contentType: string) => ({ headers: { 'Content-Type': contentType } });
const packed = (encoding: string, pack: (body: string) => Buffer) => ({
  headers: { 'Content-Encoding': encoding },
  pack,
});

export const CONTENT_TYPES: readonly WireCase[] = [
  written('no content type', {}),
  written('JSON', typed('application/json')),
  written('JSON with a charset', typed('application/json; charset=UTF-8')),
  written('a form, as curl --data sends', typed('application/x-www-form-urlencoded')),
  written('plain text', typed('text/plain; charset=iso-8859-1')),
  written('a type that is none', typed('nonsense')),
  written('a byte order mark in front', { pack: (body) => Buffer.from(`\ufeff${body}`) }),
  {
    name: 'a read with the content type of a body that it has not',
    request: get(`/entitiesV2/${SEED}`, {
      'Content-Type': 'application/json',
      'Content-Length': '0',
      Upgrade: 'h2c',
    }),
    status: 200,
  },
  ...['', ' \n'].map((body) => ({
    name: `an action with the body ${JSON.stringify(body)}`,
    request: post('/entities?action=applyRetention', body),
    status: 200,
  })),
  ...['*/*', 'application/*', 'application/json;q=0.5, text/html', 'text/html, */*;q=0.1', ' '].map(
    (accept) => ({
      name: `an answer for who takes ${accept}`,
      request: get(`/entitiesV2/${SEED}`, { Accept: accept }),
      status: 200,
    }),
  ),
  ...['text/html', 'application/x-pson', 'application/json;q=0', 'image/*, text/*'].map((accept) => ({
    name: `an answer for who takes only ${accept}`,
    request: get(`/entitiesV2/${SEED}`, { Accept: accept }),
    status: 406,
    message: 'The header Accept names no type that is answered here: application/json',
  })),
  {
    name: 'health for a probe that takes only text',
    request: get('/health', { Accept: 'text/plain' }),
    status: 200,
  },
];

export const ENCODED: readonly WireCase[] = [
  written('gzip', packed('gzip', gzipSync)),
  written('x-gzip', packed('x-gzip', gzipSync)),
  written('GZIP in capitals', packed('GZIP', gzipSync)),
  written('deflate', packed('deflate', deflateSync)),
  written('br', packed('br', brotliCompressSync)),
  written(
    'identity',
    packed('identity', (body) => Buffer.from(body)),
  ),
  ...(
    [
      ['gzip', Buffer.from('{"input":"x"}')],
      ['br', Buffer.from([255, 255, 255, 255, 255])],
      ['gzip', gzipSync('{"urn":"urn:li:tag:seed"}').subarray(0, 20)],
    ] as const
  ).map(([encoding, bytes], at) => ({
    name: `bytes that are not ${encoding} (${String(at)})`,
    request: post(EXISTS, bytes, { 'Content-Encoding': encoding }),
    status: 400,
    message: 'not packed as its Content-Encoding says',
  })),
  {
    name: 'an unknown content encoding',
    request: post(EXISTS, '{}', { 'Content-Encoding': 'zstd' }),
    status: 415,
    message: 'Content-Encoding zstd is not supported; supported: gzip, x-gzip, deflate, br',
  },
  {
    name: 'a small body that unpacks to a large one',
    request: post(EXISTS, gzipSync(Buffer.alloc(50_000_000, 32)), { 'Content-Encoding': 'gzip' }),
    status: 413,
    message: 'larger than the limit',
  },
  {
    name: 'a large answer for who takes gzip',
    request: get('/models/entities', { 'Accept-Encoding': 'gzip, deflate' }),
    status: 200,
    headers: { 'content-encoding': 'gzip' },
  },
  ...['identity', 'gzip;q=0', 'br'].map((encoding) => ({
    name: `a large answer for who takes ${encoding}`,
    request: get('/models/entities', { 'Accept-Encoding': encoding }),
    status: 200,
    headers: { 'content-encoding': undefined },
  })),
  {
    name: 'a small answer for who takes gzip',
    request: get(`/aspects/${SEED}?aspect=status`, { 'Accept-Encoding': 'gzip' }),
    status: 200,
    headers: { 'content-encoding': undefined },
  },
];

/** Exactly this many bytes of JSON. */
const sized = (bytes: number): string => {
  const body = `{"urn":"${SEED}","padding":"?"}`;
  return body.replace('?', 'x'.repeat(bytes - body.length + 1));
};
const tooLarge = { status: 413, message: 'The body of the request is larger than the limit' };

export const LENGTHS: readonly WireCase[] = [
  { name: 'a body of the limit', request: post(EXISTS, sized(MAX_BODY_BYTES)), ...seedExists },
  { name: 'a body one byte larger', request: post(EXISTS, sized(MAX_BODY_BYTES + 1)), ...tooLarge },
  {
    name: 'a chunked body',
    request: { ...post(EXISTS, sized(1_000)), isChunked: true },
    ...seedExists,
  },
  {
    name: 'a chunked body that is too large',
    request: { ...post(EXISTS, sized(MAX_BODY_BYTES + 1)), isChunked: true },
    ...tooLarge,
  },
  {
    name: 'a body that says it is 100 GB, before it comes',
    request: { method: 'POST', target: EXISTS, headers: { 'Content-Length': '107374182400' } },
    ...tooLarge,
  },
  {
    name: 'a length that is no number',
    request: { method: 'POST', target: EXISTS, headers: { 'Content-Length': 'x' } },
    status: 400,
    message: 'The request is not valid HTTP',
  },
  {
    name: 'no body and no length',
    request: { method: 'POST', target: EXISTS },
    status: 400,
    message: "Parameter 'urn' is required",
  },
  {
    name: 'headers of 20 KB',
    request: get('/health', { 'X-Long': 'x'.repeat(20_000) }),
    status: 431,
    message: 'The headers of the request are larger than the limit',
  },
  {
    name: 'a target of 20 KB',
    request: get(`/entitiesV2/urn:li:tag:${'x'.repeat(20_000)}`),
    status: 431,
    message: 'The headers of the request are larger than the limit',
  },
  {
    name: 'a urn of 12 KB in the path',
    request: get(`/entitiesV2/urn:li:tag:${'x'.repeat(12_000)}`),
    status: 400,
    message: 'longer than 512 bytes',
  },
];

const bytesOf = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
const PROPERTIES = 'com.linkedin.dataset.DatasetProperties';
const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:s3,exact,PROD)';
const TALK = 'dash — quote " backslash \\ nul \u0000 line \u2028 face 😀 日本 é';

/** A value of an aspect as sent, and the description that is read back. */
function carried(name: string, value: string, description: string): WireCase {
  const urn = DATASET.replace('exact', name.replaceAll(/\W+/g, '-'));
  return {
    name: `a value ${name}`,
    request: post(INGEST, toBody({ urn, aspectName: 'datasetProperties', value })),
    status: 200,
    then: {
      target: `/aspects/${encodeURIComponent(urn)}?aspect=datasetProperties`,
      json: { aspect: { [PROPERTIES]: { description } } },
    },
  };
}

export const BYTES: readonly WireCase[] = [
  carried('as text', stringifyJson({ description: TALK }), TALK),
  carried('as the bytes of its UTF-8', bytesOf('{"description":"dash — and é"}'), 'dash — and é'),
  carried('in ASCII with escapes', '{"description":"\\u65e5\\u672c \\ud83d\\ude00"}', '日本 😀'),
  carried('of Latin letters that are no UTF-8', '{"description":"é"}', 'é'),
  {
    name: 'a point whose text is not ASCII',
    request: post(
      INGEST,
      toBody({
        urn: DATASET,
        aspectName: 'datasetProfile',
        value:
          '{"timestampMillis":1700000000000,"rowCount":9223372036854775807,"partitionSpec":{"partition":"größe 😀"}}',
      }),
    ),
    status: 200,
  },
  {
    name: 'and what comes back of it: one character for each byte',
    request: post(
      '/aspects?action=getTimeseriesAspectValues',
      stringifyJson({ urn: DATASET, entity: 'dataset', aspect: 'datasetProfile' }),
    ),
    status: 200,
    json: {
      value: {
        values: [
          {
            aspect: {
              value:
                '{"partitionSpec":{"partition":"gr\\u00f6\\u00dfe \\ud83d\\ude00"},"rowCount":9223372036854775807,"timestampMillis":1700000000000}',
              contentType: 'application/json',
            },
          },
        ],
      },
    },
  },
];

const LONGS = [9_007_199_254_740_993n, 2n ** 63n - 1n, -(2n ** 63n)];
const SEED_ASPECT = `/aspects/${SEED}?aspect=status`;
const timeseriesValues = (start: string): string =>
  `{"urn":"${DATASET}","entity":"dataset","aspect":"datasetProfile","startTimeMillis":${start}}`;

export const INTEGERS: readonly WireCase[] = [
  ...LONGS.map((long, at) => {
    const urn = DATASET.replace('exact', `long-${String(at)}`);
    return {
      name: `${String(long)} in a value`,
      request: post(
        INGEST,
        toBody({ urn, aspectName: 'datasetProperties', value: `{"created":{"time":${String(long)}}}` }),
      ),
      status: 200,
      then: {
        target: `/entitiesV2/${encodeURIComponent(urn)}`,
        json: { aspects: { datasetProperties: { value: { created: { time: long } } } } },
      },
    };
  }),
  ...[2n ** 63n, -(2n ** 63n) - 1n].map((long) => ({
    name: `${String(long)} in a value`,
    request: post(
      INGEST,
      toBody({
        urn: DATASET,
        aspectName: 'datasetProperties',
        value: `{"created":{"time":${String(long)}}}`,
      }),
    ),
    status: 422,
    message: `/created/time :: must be a 64-bit integer, not ${String(long)}`,
  })),
  ...['9223372036854775807', '"9223372036854775807"', '"1700000000000"'].map((start) => ({
    name: `a moment ${start} in a body`,
    request: post('/aspects?action=getTimeseriesAspectValues', timeseriesValues(start)),
    status: 200,
    json: { value: { values: start.includes('17000') ? [{}] : [] } },
  })),
  {
    name: 'a moment beyond 64 bits in a body',
    request: post('/aspects?action=getTimeseriesAspectValues', timeseriesValues('9223372036854775808')),
    status: 400,
    message: '/startTimeMillis :: 9223372036854775808 is not an integer',
  },
  {
    name: 'the largest moment in a query',
    request: get(`/entitiesV2/${SEED}?aspects=status&asOf=9223372036854775807`),
    status: 200,
    json: { aspects: { status: { value: { removed: false } } } },
  },
  {
    name: 'the largest version',
    request: get(`${SEED_ASPECT}&version=9223372036854775807`),
    status: 404,
    message: 'Did not find urn: urn:li:tag:seed aspect: status version: 9007199254740991',
  },
  ...['9223372036854775808', '99999999999999999999', '1.0', '1e3', '0x1'].map((version) => ({
    name: `the version ${version}`,
    request: get(`${SEED_ASPECT}&version=${version}`),
    status: 400,
    message: `Argument parameter 'version' value '${version}' is invalid: it must be an integer`,
  })),
];
