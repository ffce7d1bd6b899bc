import assert from 'node:assert/strict';
import { parseJson, type JsonObject, type JsonValue } from '@stratalog/json';
import { succeeded, type ClientSession } from './client-session';
import { eventually } from './eventually';
import type { Step } from './step';

const LOAVES = 'urn:li:dataset:(urn:li:dataPlatform:mysql,bakery.loaves,PROD)';
const NOTHING = 'urn:li:dataset:(urn:li:dataPlatform:mysql,bakery.nothing,PROD)';
const ODD = 'urn:li:dataset:(urn:li:dataPlatform:s3,ovens/50%2Fhot/öfen + a,PROD)';
const PROPERTIES = {
  name: 'loaves',
  description: 'Loaves — one row each',
  customProperties: { oven: '2' },
  tags: [],
};
const TAGS = { tags: [{ tag: 'urn:li:tag:daily' }] };
const KEY = { platform: 'urn:li:dataPlatform:mysql', name: 'bakery.loaves', origin: 'PROD' };

/** A client that retries an apparently transient fault needs half a minute, even on an idle machine. */
const REPEATED_MS = 28_000;

/** The command line on one entity after another. */
export const COMMAND_STEPS: readonly Step[] = [
  {
    name: 'datahub check server-config',
    isCurrentOnly: true,
    run: async (client) => {
      assert.match(succeeded(await client.command('check', 'server-config')).stdout, /noCode/);
    },
  },
  {
    name: 'datahub put of an aspect, twice, and of another',
    run: async (client) => {
      await put(client, LOAVES, 'datasetProperties', { ...PROPERTIES, description: 'first' });
      await put(client, LOAVES, 'datasetProperties', PROPERTIES);
      await put(client, LOAVES, 'globalTags', TAGS);
      assert.deepEqual(await client.valueOf(LOAVES, 'datasetProperties'), PROPERTIES);
      assert.deepEqual(await client.valueOf(LOAVES, 'globalTags'), TAGS);
    },
  },
  {
    name: 'datahub get of an aspect, of two, of all',
    run: async (client) => {
      assert.deepEqual(await get(client, LOAVES, '-a', 'datasetProperties'), {
        datasetProperties: PROPERTIES,
      });
      const two = await get(client, LOAVES, '-a', 'datasetProperties', '-a', 'globalTags');
      assert.deepEqual(two, { datasetProperties: PROPERTIES, globalTags: TAGS });
      const all = await get(client, LOAVES);
      const { datasetKey, datasetProperties } = all;
      assert.deepEqual({ datasetKey, datasetProperties }, { datasetKey: KEY, datasetProperties: PROPERTIES });
    },
  },
  {
    name: 'datahub get --details',
    isCurrentOnly: true,
    run: async (client) => {
      const { globalTags } = await get(client, LOAVES, '-a', 'globalTags', '--details');
      const { value, systemMetadata } = globalTags as JsonObject;
      assert.deepEqual([value, (systemMetadata as JsonObject).version], [TAGS, '1']);
    },
  },
  {
    name: 'datahub timeline',
    isCurrentOnly: true,
    run: async (client) => {
      const told = succeeded(
        await client.command('timeline', '--urn', LOAVES, '-c', 'tag', '-c', 'documentation'),
      ).stdout;
      assert.match(
        told,
        /1\.0\.0[^]*ADD DOCUMENTATION[^]*MODIFY DOCUMENTATION[^]*ADD TAG[^]*urn:li:tag:daily/,
      );
    },
  },
  {
    name: 'datahub exists, and does not',
    run: async (client) => {
      assert.match(succeeded(await client.command('exists', '--urn', LOAVES)).stdout, /true/i);
      assert.match(succeeded(await client.command('exists', '--urn', NOTHING)).stdout, /false/i);
    },
  },
  {
    name: 'datahub put of an odd name, and get',
    run: async (client) => {
      await put(client, ODD, 'datasetProperties', { description: 'odd' });
      assert.deepEqual(await get(client, ODD, '-a', 'datasetProperties'), {
        datasetProperties: { description: 'odd' },
      });
    },
  },
  {
    name: 'datahub put that is rejected: once, with the reason, and nothing is stored',
    run: async (client) => {
      const path = client.file({ a: 1 });
      const startedAt = Date.now();
      const { status, stdout, stderr } = await client.command(
        'put',
        '--urn',
        NOTHING,
        '-a',
        'crumbs',
        '-d',
        path,
      );
      assert.notEqual(status, 0);
      assert.match(`${stdout}${stderr}`, /crumbs/);
      assert.ok(Date.now() - startedAt < REPEATED_MS, 'the client sent it again and again');
      assert.deepEqual(Object.keys(await client.aspectsOf(NOTHING)), ['datasetKey']);
    },
  },
  {
    name: 'datahub put platform',
    run: async (client) => {
      const args = ['--name', 'rye', '--display_name', 'Rye Store', '--logo', 'https://rye.example/logo.png'];
      succeeded(await client.command('put', 'platform', ...args));
      const { displayName, logoUrl } = (await client.valueOf(
        'urn:li:dataPlatform:rye',
        'dataPlatformInfo',
      )) as JsonObject;
      assert.deepEqual(
        { displayName, logoUrl },
        { displayName: 'Rye Store', logoUrl: 'https://rye.example/logo.png' },
      );
    },
  },
  {
    name: 'datahub delete --soft leaves out of searches and keeps what is there',
    run: async (client) => {
      await eventually(async () => {
        assert.deepEqual(await client.find('dataset', 'loaves'), [LOAVES]);
      });
      succeeded(await client.command('delete', '--urn', LOAVES, '--soft', '--force'));
      assert.deepEqual(await get(client, LOAVES, '-a', 'status'), { status: { removed: true } });
      await eventually(async () => {
        assert.deepEqual(await client.find('dataset', 'loaves'), []);
      });
      assert.deepEqual(await client.valueOf(LOAVES, 'datasetProperties'), PROPERTIES);
    },
  },
  {
    name: 'datahub delete undo-by-filter --urn shows it again',
    isCurrentOnly: true,
    run: async (client) => {
      succeeded(await client.command('delete', 'undo-by-filter', '--urn', LOAVES, '--force'));
      assert.deepEqual(await client.valueOf(LOAVES, 'status'), { removed: false });
      await eventually(async () => {
        assert.deepEqual(await client.find('dataset', 'loaves'), [LOAVES]);
      });
    },
  },
  {
    name: 'datahub delete --hard takes the entity away',
    run: async (client) => {
      const { stdout, stderr } = succeeded(await client.command('delete', '--urn', ODD, '--hard', '--force'));
      assert.match(`${stdout}${stderr}`, /Hard deleted 1 entities \(impacts [1-9]/);
      assert.match(succeeded(await client.command('exists', '--urn', ODD)).stdout, /false/i);
      assert.deepEqual(Object.keys(await client.aspectsOf(ODD)), ['datasetKey']);
      await eventually(async () => {
        assert.deepEqual(await client.find('dataset', 'odd'), []);
      });
    },
  },
  {
    name: 'datahub delete --platform hides what it finds, and undo-by-filter shows it again',
    isCurrentOnly: true,
    run: async (client) => {
      const ofPlatform = ['--platform', 'mysql', '--force'] as const;
      const deleted = succeeded(await client.command('delete', ...ofPlatform, '--soft'));
      assert.match(`${deleted.stdout}${deleted.stderr}`, /Soft deleted 1 entities/);
      assert.deepEqual(await client.valueOf(LOAVES, 'status'), { removed: true });
      await eventually(async () => {
        assert.deepEqual(await client.find('dataset', 'loaves'), []);
      });
      succeeded(await client.command('delete', 'undo-by-filter', ...ofPlatform));
      assert.deepEqual(await client.valueOf(LOAVES, 'status'), { removed: false });
    },
  },
  {
    name: 'a text of GraphQL that is not served ends at once and says what serves',
    isCurrentOnly: true,
    run: async (client) => {
      const startedAt = Date.now();
      const text = 'mutation { createSecret(input: { name: "stale" }) }';
      const { status, stdout, stderr } = await client.command('graphql', '--query', text);
      assert.notEqual(status, 0);
      assert.match(`${stdout}${stderr}`, /Stratalog serves no createSecret/);
      assert.ok(Date.now() - startedAt < REPEATED_MS, 'the client sent it again and again');
    },
  },
];

async function put(client: ClientSession, urn: string, aspect: string, value: JsonObject): Promise<void> {
  const { stdout } = succeeded(
    await client.command('put', '--urn', urn, '-a', aspect, '-d', client.file(value)),
  );
  assert.match(stdout, /Update succeeded with status 200/);
}

async function get(client: ClientSession, urn: string, ...args: readonly string[]): Promise<JsonObject> {
  const { stdout } = succeeded(await client.command('get', '--urn', urn, ...args));
  const printed: JsonValue = parseJson(stdout.slice(stdout.indexOf('{')));
  return printed as JsonObject;
}
