import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parseJson, stringifyJson, type JsonObject, type JsonOutputObject } from '@stratalog/json';
import { until } from '@stratalog/testkit';
import type { KafkaMessage } from 'kafkajs';
import { CatalogWithProducer } from './testing/apps/catalog-with-producer';
import { EMITTERS, avroRecord, registration } from './testing/apps/emitters';

const START_MS = limitMs(180_000);
const LIMIT_MS = limitMs(60_000);
const ASPECT = 'datasetProfile';

describe('producers of timeseries values', () => {
  let catalog: CatalogWithProducer;
  let count = 0;
  let urn: string;

  beforeAll(async () => {
    catalog = await CatalogWithProducer.start({
      apps: ['writer'],
      settings: () => ({ STRATALOG_AUTH: 'none' }),
    });
  }, START_MS);
  beforeEach(() => {
    urn = `urn:li:dataset:(urn:li:dataPlatform:postgres,shop.measured${String(++count)},PROD)`;
  });
  afterAll(() => catalog.end());

  const produce = (...values: readonly (string | Buffer)[]): Promise<void> =>
    catalog.produce('MetadataChangeProposal_v1', urn, ...values);
  const json = (members: JsonOutputObject): string =>
    stringifyJson({ entityType: 'dataset', entityUrn: urn, aspectName: ASPECT, ...members });
  const aspectOf = (value: JsonOutputObject): { readonly value: string; readonly contentType: string } => ({
    value: stringifyJson(value),
    contentType: 'application/json',
  });
  const moments = async (): Promise<readonly unknown[]> => {
    const answer = await fetch(`${catalog.url}/aspects?action=getTimeseriesAspectValues`, {
      method: 'POST',
      body: JSON.stringify({ urn, entity: 'dataset', aspect: ASPECT }),
    });
    const { value } = (await answer.json()) as { value: { values: { aspect: { value: string } }[] } };
    return value.values.map(({ aspect }) => (parseJson(aspect.value) as JsonObject).timestampMillis);
  };
  const comeTo = (...expected: readonly number[]): Promise<void> =>
    until(async () => JSON.stringify(await moments()) === JSON.stringify(expected), LIMIT_MS);
  const registered = async (schema: string): Promise<number> => {
    const target = `/schema-registry/api/subjects/${catalog.prefix}MetadataChangeProposal_v1-value/versions`;
    return ((await (await fetch(catalog.url + target, registration(schema))).json()) as { id: number }).id;
  };
  /** Reads the entity's records in the timeseries topic, up to a change of a kind and a version. */
  const published = async (changeType: string, version: number): Promise<readonly JsonObject[]> => {
    const versionOf = ({ headers }: KafkaMessage): number =>
      Number(headers?.['stratalog-version']?.toString());
    const isOurs = ({ key }: KafkaMessage): boolean => key?.toString() === urn;
    const messages = await catalog.read(
      'MetadataChangeLog_Timeseries_v1',
      `${changeType}-of-${String(count)}`,
      (message) =>
        isOurs(message) &&
        versionOf(message) === version &&
        (message.value ?? '').includes(`"${changeType}"`),
    );
    return messages.filter(isOurs).map((message) => ({
      ...(parseJson(String(message.value)) as JsonObject),
      version: versionOf(message),
    }));
  };
  const expectPublished = async (runId: string): Promise<void> => {
    const common = { entityType: 'dataset', entityUrn: urn, aspectName: ASPECT };
    const timeseriesValue = (timestampMillis: number) => ({
      ...common,
      changeType: 'UPSERT',
      aspect: aspectOf({ rowCount: timestampMillis * 2, timestampMillis }),
      systemMetadata: expect.objectContaining({ runId }),
      created: { time: expect.any(Number), actor: 'urn:li:corpuser:UNKNOWN' },
      version: timestampMillis,
    });
    expect(await published('DELETE', 1)).toEqual([
      timeseriesValue(1_000),
      timeseriesValue(2_000),
      expect.objectContaining({
        ...common,
        changeType: 'DELETE',
        headers: { 'Start-Time-Millis': '500', 'End-Time-Millis': '1000' },
        version: 1,
      }),
    ]);
  };
  const BOUNDS = { 'Start-Time-Millis': '500', 'End-Time-Millis': '1000' };
  const valueAt = (timestampMillis: number) => ({ timestampMillis, rowCount: timestampMillis * 2 });

  it(
    'write and delete them as JSON',
    async () => {
      const systemMetadata = { lastObserved: 7, runId: 'json-run' };
      const timeseriesValue = (timestampMillis: number): string =>
        json({ changeType: 'UPSERT', aspect: aspectOf(valueAt(timestampMillis)), systemMetadata });
      await produce(timeseriesValue(1_000), timeseriesValue(2_000));
      await comeTo(2_000, 1_000);
      // A value that is deleted before its publication is published without its content.
      await published('UPSERT', 2_000);
      await produce(json({ changeType: 'DELETE', headers: BOUNDS }));
      await comeTo(2_000);
      await expectPublished('json-run');
      await produce(timeseriesValue(1_000));
      await comeTo(2_000, 1_000);
    },
    3 * LIMIT_MS,
  );

  it.each(Object.keys(EMITTERS))(
    'write them as Avro as %s does',
    async (emitter) => {
      const schema = EMITTERS[emitter] ?? '';
      const id = await registered(schema);
      const record = (members: object): Buffer =>
        avroRecord(schema, id, { entityType: 'dataset', entityUrn: urn, aspectName: ASPECT, ...members });
      const timeseriesValue = (timestampMillis: number): Buffer => {
        const { value, contentType } = aspectOf(valueAt(timestampMillis));
        const systemMetadata = { lastObserved: 7, runId: 'avro-run' };
        const aspect = { value: Buffer.from(value), contentType };
        return record({ changeType: 'UPSERT', aspect, systemMetadata });
      };
      await produce(timeseriesValue(1_000), timeseriesValue(2_000));
      await comeTo(2_000, 1_000);
      await published('UPSERT', 2_000);
      // The oldest schema has no headers, so another emitter deletes.
      const hasHeaders = schema.includes('"headers"');
      const deletion = { changeType: 'DELETE', headers: BOUNDS };
      await produce(hasHeaders ? record(deletion) : json(deletion));
      await comeTo(2_000);
      await expectPublished('avro-run');
    },
    3 * LIMIT_MS,
  );

  it(
    'are not delayed by one without a timestamp',
    async () => {
      const [bad, good] = [{ rowCount: 1 }, valueAt(3_000)].map((value) =>
        json({ changeType: 'UPSERT', aspect: aspectOf(value) }),
      );
      await produce(bad ?? '', good ?? '');
      await comeTo(3_000);
      const deadLetters = await catalog.read('FailedMetadataChangeProposal_v1', 'failed', () => true);
      expect(parseJson(String(deadLetters[0]?.value))).toMatchObject({
        error: expect.stringContaining('/timestampMillis'),
        metadataChangeProposal: { aspectName: ASPECT },
      });
    },
    2 * LIMIT_MS,
  );
});
