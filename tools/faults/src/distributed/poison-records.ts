import type { SeededRandom } from '@stratalog/harness';

/** A record of the proposal topic that cannot be applied. */
export interface PoisonRecord {
  readonly key: string;
  readonly value: Buffer | null;
}

const URN = 'urn:li:dataset:(urn:li:dataPlatform:faults,poison,PROD)';

/** Kinds of records that are no proposals, or violate the model. */
const KINDS: Readonly<Record<string, (random: SeededRandom) => Buffer | null>> = {
  nothing: () => null,
  noise: (random) => Buffer.from(Array.from({ length: 200 }, () => random.integer(1, 255))),
  'broken JSON': () => Buffer.from('{"entityType":"dataset","entityUrn":'),
  'no object': () => Buffer.from('[1,2,3]'),
  'another object': () => Buffer.from('{"greeting":"hello"}'),
  'Avro of an unknown schema': () => Buffer.from([0, 0x7f, 0, 0, 1, 2, 3, 4]),
  'bad urn': () => proposal('urn:li:dataset:x', 'status', '{"removed":false}'),
  'bad value': () => proposal(URN, 'status', '{"removed":"perhaps"}'),
  'broken value': () => proposal(URN, 'datasetProperties', '{"description":'),
};

/** Yields one of each kind in turn, endlessly, each with its own random bytes. */
export function* poisonRecords(random: SeededRandom): Generator<PoisonRecord, never> {
  for (;;) for (const make of Object.values(KINDS)) yield { key: URN, value: make(random) };
}

function proposal(entityUrn: string, aspectName: string, value: string): Buffer {
  const aspect = { value, contentType: 'application/json' };
  const members = { entityType: 'dataset', entityUrn, changeType: 'UPSERT', aspectName, aspect };
  return Buffer.from(JSON.stringify(members));
}
