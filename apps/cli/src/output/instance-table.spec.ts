import { describe, expect, it } from '@jest/globals';
import { parseJson, type JsonObject } from '@stratalog/json';
import { instanceTable } from './instance-table';

const toHealth = (instances: readonly object[]): JsonObject =>
  parseJson(JSON.stringify({ status: 'ready', instances })) as JsonObject;
const writer = {
  app: 'writer',
  roles: ['writer'],
  status: 'ready',
  lag: { writer: 12 },
  address: 'http://a:1',
  host: 'a',
  pid: 7,
  seenMsAgo: 1_400,
};

describe('instanceTable', () => {
  it('shows every instance with role, address and lag', () => {
    const all = [
      writer,
      { ...writer, app: 'query', roles: ['query', 'docs'], lag: {}, address: 'http://b:22', seenMsAgo: 400 },
      { ...writer, app: 'standalone', status: 'lost', lag: { writer: 1, indexer: 2 }, seenMsAgo: 61_000 },
    ];
    expect(instanceTable(toHealth(all))).toBe(`
app         roles       status  lag                  address      host  pid  seen
writer      writer      ready   12                   http://a:1   a     7    1 s ago
query       query docs  ready   -                    http://b:22  a     7    0 s ago
standalone  writer      lost    writer 1, indexer 2  http://a:1   a     7    61 s ago
`);
  });

  it('is empty without instances', () => {
    expect([instanceTable(undefined), instanceTable({}), instanceTable(toHealth([]))]).toEqual(['', '', '']);
  });
});
