import assert from 'node:assert/strict';
import type { JsonOutputObject } from '@stratalog/json';
import { succeeded, type ClientSession } from './client-session';
import { eventually } from './eventually';
import type { Step } from './step';

const ROLLS = 'urn:li:dataset:(urn:li:dataPlatform:mysql,bakery.rolls,PROD)';
const BUNS = 'urn:li:dataset:(urn:li:dataPlatform:mysql,bakery.buns,PROD)';
const FIRST = 'bakery-first';
const SECOND = 'bakery-second';
const PROPERTIES = 'datasetProperties';

/** Two runs of `datahub ingest`, and the commands about them. */
export const RUN_STEPS: readonly Step[] = [
  {
    name: 'datahub ingest list-runs and show of two runs',
    run: async (client) => {
      await ingest(client, FIRST, [described(ROLLS, 'first')]);
      await ingest(client, SECOND, [described(ROLLS, 'second'), described(BUNS, 'second')]);
      const listed = await saidBy(client, 'list-runs', '0', '50');
      for (const runId of [FIRST, SECOND]) assert.match(listed, new RegExp(`\\| ${runId} +\\| +[1-9]`));
      assert.ok(listed.indexOf(SECOND) < listed.indexOf(FIRST), 'the last to write comes first');
      const shown = await saidBy(client, 'show', '--run-id', SECOND);
      for (const text of [ROLLS, BUNS, PROPERTIES]) assert.ok(shown.includes(text), `${text} is shown`);
      assert.match(await saidBy(client, 'show', '--run-id', SECOND, '-a'), /"description": "second"/);
    },
  },
  {
    name: 'datahub ingest rollback --dry-run tells and changes nothing',
    run: async (client) => {
      const said = await saidBy(client, 'rollback', '--run-id', SECOND, '--dry-run');
      assert.match(said, /This rollback will delete 2 entities and will roll back [1-9]\d* aspects/);
      assert.ok(said.includes(BUNS), said);
      assert.deepEqual(await client.valueOf(ROLLS, PROPERTIES), { ...NAMED, description: 'second' });
    },
  },
  {
    name: 'datahub ingest rollback gives back what was changed and soft-deletes what was created',
    run: async (client) => {
      const said = await saidBy(client, 'rollback', '--run-id', SECOND, '--force');
      assert.match(said, /This rollback {2}deleted 2 entities and rolled back [1-9]\d* aspects/);
      assert.deepEqual(await client.valueOf(ROLLS, PROPERTIES), { ...NAMED, description: 'first' });
      assert.deepEqual(await client.valueOf(BUNS, 'status'), { removed: true });
      assert.equal(await client.valueOf(BUNS, PROPERTIES), undefined);
      assert.ok(!(await saidBy(client, 'list-runs', '0', '50')).includes(SECOND));
      assert.ok((await saidBy(client, 'list-runs', '0', '50', '--include-soft-deletes')).includes(SECOND));
      assert.match(await saidBy(client, 'rollback', '--run-id', SECOND, '--force'), /No entities found/);
    },
  },
  {
    name: 'datahub ingest rollback --nuke deletes what was created',
    run: async (client) => {
      const said = await saidBy(client, 'rollback', '--run-id', FIRST, '--nuke', '--force');
      assert.match(said, /This rollback {2}deleted 1 entities/);
      assert.deepEqual(Object.keys(await client.aspectsOf(ROLLS)), ['datasetKey']);
      assert.match(succeeded(await client.command('exists', '--urn', ROLLS)).stdout, /false/i);
    },
  },
];

const NAMED = { name: 'rolls', customProperties: {}, tags: [] };

function described(urn: string, description: string): JsonOutputObject {
  return {
    entityType: 'dataset',
    entityUrn: urn,
    changeType: 'UPSERT',
    aspectName: PROPERTIES,
    aspect: { json: { ...NAMED, description } },
  };
}

/** Sends one by one, so that the command ends when all is stored. */
async function ingest(
  client: ClientSession,
  runId: string,
  proposals: readonly JsonOutputObject[],
): Promise<void> {
  const recipe = client.file({
    run_id: runId,
    source: { type: 'file', config: { filename: client.file(proposals) } },
    sink: { type: 'datahub-rest', config: { server: client.url, mode: 'SYNC' } },
  });
  const { stdout, stderr } = succeeded(await client.command('ingest', '-c', recipe));
  assert.match(`${stdout}${stderr}`, /Pipeline finished successfully/);
  const [first] = proposals;
  await eventually(async () => {
    assert.deepEqual(
      await client.valueOf(first?.entityUrn as string, PROPERTIES),
      (first?.aspect as JsonOutputObject).json,
    );
  });
}

/** Returns the output of a subcommand of `datahub ingest`; its tables may be wider than any terminal. */
async function saidBy(client: ClientSession, ...args: readonly string[]): Promise<string> {
  const { stdout } = succeeded(await client.command('ingest', ...args));
  return stdout;
}
