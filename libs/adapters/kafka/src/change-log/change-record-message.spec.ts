import { describe, expect, it } from '@jest/globals';
import type { ChangeRecord } from '@stratalog/domain';
import { JSON_ENCODINGS, parseChangeKey, toChangeMessages } from './change-record-message';

const identity = { storeId: 'a'.repeat(32), epoch: 1, partitions: 4 };
const purged: ChangeRecord = {
  partition: 2,
  seq: 41,
  urn: 'urn:li:tag:reviewed',
  aspectName: 'tagProperties',
  kind: 'upsert',
  version: 3,
  systemMetadata: { runId: 'nightly-42' },
  created: { time: 7, actor: 'urn:li:corpuser:x' },
};
const upsert: ChangeRecord = { ...purged, value: '{"name":"reviewed"}' };

async function published(change: ChangeRecord) {
  const { change: message } = await toChangeMessages(change, identity, JSON_ENCODINGS);
  return {
    headers: message.headers,
    body: JSON.parse(String(message.value)) as Record<string, unknown>,
    key: parseChangeKey(2, { ...message, key: Buffer.from(change.urn) } as never, identity),
  };
}

const removal: ChangeRecord = {
  ...purged,
  aspectName: 'tagUsage',
  kind: 'delete',
  timestamps: { startMs: 5, endMs: 9 },
};

describe('toChangeMessages', () => {
  it('publishes a deletion of timeseries values in both topics, with its time range', async () => {
    const { change, timeseriesValue } = await toChangeMessages(removal, identity, JSON_ENCODINGS);
    expect(timeseriesValue).toEqual(change);
    expect(JSON.parse(String(change.value))).toMatchObject({
      changeType: 'DELETE',
      aspectName: 'tagUsage',
      headers: { 'Start-Time-Millis': '5', 'End-Time-Millis': '9' },
    });
    const whole = await toChangeMessages({ ...removal, timestamps: {} }, identity, JSON_ENCODINGS);
    expect(JSON.parse(String(whole.timeseriesValue?.value))).not.toHaveProperty('headers');
    const none = await toChangeMessages({ ...purged, kind: 'delete' }, identity, JSON_ENCODINGS);
    expect(none).not.toHaveProperty('timeseriesValue');
  });

  it('tells readers of the log the time range of deleted timeseries values', async () => {
    for (const timestamps of [{ startMs: -5, endMs: 9 }, { startMs: 0 }, { endMs: 0 }, {}]) {
      expect((await published({ ...removal, timestamps })).key?.timestamps).toEqual(timestamps);
    }
    expect((await published({ ...purged, kind: 'delete' })).key).not.toHaveProperty('timestamps');
  });

  it.each<[ChangeRecord, string, string | undefined]>([
    [{ ...purged, kind: 'delete' }, 'DELETE', undefined],
    [{ ...upsert, kind: 'restate' }, 'RESTATE', undefined],
    [upsert, 'UPSERT', undefined],
    [purged, 'UPSERT', 'erased'],
  ])('encodes the change type of %j, and why a value is missing', async (change, changeType, missing) => {
    const { headers, body, key } = await published(change);
    expect(body).toMatchObject({ changeType, entityUrn: upsert.urn, aspectName: 'tagProperties' });
    expect(body.aspect !== undefined).toBe(change.value !== undefined);
    expect(headers?.['stratalog-value']).toBe(missing);
    expect(key).toMatchObject({ partition: 2, seq: 41, version: 3 });
  });
});
