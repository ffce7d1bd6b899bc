import { describe, expect, it } from '@jest/globals';
import { VALUE_BYTES, WriteWorkload } from './write-workload';

describe('WriteWorkload', () => {
  it('numbers the values of each entity and never repeats one', () => {
    const workload = new WriteWorkload(1);
    const writes = Array.from({ length: 5_000 }, () => workload.next(0.2));
    const latest = new Map<string, number>();
    for (const { urn, version } of writes) {
      expect(version).toBe((latest.get(urn) ?? 0) + 1);
      latest.set(urn, version);
    }
    expect(new Set(writes.map(({ urn, value }) => urn + value)).size).toBe(writes.length);
    expect(latest.size).toBe(workload.entityCount);
  });

  it('keeps the share of new entities', () => {
    const workload = new WriteWorkload(2);
    const writes = Array.from({ length: 5_000 }, () => workload.next(0.2));
    const share = writes.filter(({ version }) => version === 1).length / writes.length;
    expect(share).toBeGreaterThan(0.17);
    expect(share).toBeLessThan(0.23);
  });

  it('writes JSON of the stated length, with the word that makes it findable', () => {
    const { value } = new WriteWorkload(3).newEntity('needle');
    expect(value).toHaveLength(VALUE_BYTES);
    expect(JSON.parse(value)).toMatchObject({
      name: 'fct_orders_daily_000000',
      description: expect.stringMatching(/ needle$/) as unknown,
    });
  });

  it('divides the entities among users, and has each entity once in a batch', () => {
    const workload = new WriteWorkload(5);
    const batch = workload.nextDistinct(50, 0.2);
    expect(new Set(batch.map(({ urn }) => urn)).size).toBe(50);
    const users = new Map<string, number>();
    for (let at = 0; at < 2_000; at++) {
      const urn = workload.urnAt(workload.ownEntity(at % 8, 8));
      expect(users.get(urn) ?? at % 8).toBe(at % 8);
      users.set(urn, at % 8);
    }
    expect(users.size).toBe(50);
    expect(workload.entityCount).toBe(50);
  });

  it('reads only versions that were written', () => {
    const workload = new WriteWorkload(4);
    const written = new Set<string>();
    for (let at = 0; at < 500; at++) {
      const { urn, version } = workload.next(0.1);
      written.add(`${urn} ${String(version)}`);
    }
    for (let at = 0; at < 500; at++) {
      const { urn, version } = workload.anyVersion();
      expect(written).toContain(`${urn} ${String(version)}`);
    }
  });
});
