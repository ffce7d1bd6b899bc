import fc from 'fast-check';

const WORDS = [
  'orders',
  'customers',
  'daily',
  'raw',
  'Revenue',
  'größe',
  'id_42',
  'payments.v2',
  'OrderLines',
];
export const INT64 = '9223372036854775807';

export const word = fc.constantFrom(...WORDS);
export const words = fc.array(word, { minLength: 1, maxLength: 5 }).map((all) => all.join(' '));
/** Few values, so that requests meet the writes of others. */
export const number = fc.integer({ min: 0, max: 3 });
export const prefix = fc.constantFrom('', '', '/gms', '/api/gms');

export const dataset = fc
  .tuple(fc.constantFrom('hive', 'postgres'), word, number)
  .map(
    ([platform, name, n]) => `urn:li:dataset:(urn:li:dataPlatform:${platform},shop.${name}${String(n)},PROD)`,
  );
export const tag = fc
  .tuple(word, number)
  .map(([name, n]) => `urn:li:tag:${encodeURIComponent(name)}${String(n)}`);
export const user = number.map((n) => `urn:li:corpuser:user${String(n)}`);
export const chart = number.map((n) => `urn:li:chart:(looker,board.${String(n)})`);
export const flow = number.map((n) => `urn:li:dataFlow:(airflow,nightly${String(n)},prod)`);
export const job = fc.tuple(flow, word).map(([inside, name]) => `urn:li:dataJob:(${inside},${name})`);
export const term = fc.tuple(word, number).map(([name, n]) => `urn:li:glossaryTerm:${name}${String(n)}`);

export const stamp = { time: 1_700_000_000_000, actor: 'urn:li:corpuser:ada' };

/** Timestamps of timeseries values. */
export const timestampMs = number.map((n) => 1_700_000_000_000 + n * 1_000_000_000);

export const anyUrn = fc.oneof(
  dataset,
  tag,
  user,
  chart,
  job,
  term,
  fc.constantFrom('urn:li:dataset:x', 'urn:li:noSuchType:a'),
);
