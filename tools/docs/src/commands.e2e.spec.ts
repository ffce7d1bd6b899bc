import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isJsonObject, parseJson, type JsonValue } from '@stratalog/json';
import { until } from '@stratalog/testkit';
import { CatalogProgram, ROOT, buildBundles, plainEnvironment } from '@stratalog/harness';
import { holds, linesHold } from './holds';
import { splitBlocks, type Block } from './markdown';
import { pagePaths, readPage } from './pages';

/** The address in the pages; the catalog under test listens on a port of its own. */
const WRITTEN_URL = 'http://127.0.0.1:8080';
const START_LIMIT_MS = limitMs(180_000);
const run = promisify(execFile);

interface Command {
  readonly block: Block;
  /** The output in the page, if there is any. */
  readonly output: Block | undefined;
}

/** Extracts the blocks of a page that are marked as tested, each with the marked block that follows it. */
function extractCommands(page: string): readonly Command[] {
  const blocks = splitBlocks(page);
  return blocks.flatMap((block, at) => {
    if (block.language !== 'bash' || !block.marks.includes('test')) return [];
    const next = blocks[at + 1];
    const isOutput = next !== undefined && next.language !== 'bash' && next.marks.includes('test');
    return [{ block, output: isOutput ? next : undefined }];
  });
}

describe('the commands of the pages', () => {
  const folders: string[] = [];
  let catalog: CatalogProgram;
  let url: string;
  let dataDir: string;

  beforeAll(() => {
    buildBundles('apps/standalone/main', 'apps/cli/main');
  }, START_LIMIT_MS);
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  const start = async (args: readonly string[]): Promise<void> => {
    dataDir = mkdtempSync(join(tmpdir(), `stratalog-test-${process.pid}-docs-`));
    folders.push(dataDir);
    catalog = new CatalogProgram({ args, settings: { STRATALOG_DATA_DIR: dataDir } });
    url = await catalog.ready();
  };
  const stop = async (): Promise<void> => {
    expect((await catalog.stop('SIGINT')).code).toBe(0);
  };

  /** Runs a command of the page unchanged, except for the address and the path of the command line. */
  const outputOf = async (command: string): Promise<{ output: string; status: number }> => {
    const here = command
      .replaceAll(WRITTEN_URL, url)
      .replace(/npm run (?:-s |--silent )?cli --/g, `"${process.execPath}" dist/apps/cli/main.js`);
    // The command line finds the catalog as it does in a clone: by the data folder.
    const env = { ...plainEnvironment(), STRATALOG_DATA_DIR: dataDir };
    const { stdout, status } = await run('bash', ['-euo', 'pipefail', '-c', here], { cwd: ROOT, env }).then(
      (ended) => ({ stdout: ended.stdout, status: 0 }),
      (error: unknown) => {
        const { stdout, code } = error as { stdout: string; code: number };
        return { stdout, status: code };
      },
    );
    return { output: stdout.replaceAll(url, WRITTEN_URL), status };
  };

  const check = async ({ block, output: shown }: Command): Promise<void> => {
    const expectedStatus = Number(block.marks.find((mark) => mark.startsWith('exit='))?.slice(5) ?? 0);
    const { output, status } = await outputOf(block.text);
    expect([output, status]).toEqual([expect.any(String), expectedStatus]);
    if (shown === undefined) return;
    const isAsShown =
      shown.language === 'json'
        ? holds(parseJson(shown.text), parseJson(output))
        : linesHold(shown.text, output);
    if (!isAsShown) expect(output).toBe(shown.text);
  };

  describe('README.md', () => {
    const page = readPage('README.md');
    beforeAll(() => start([]), START_LIMIT_MS);
    afterAll(stop, START_LIMIT_MS);

    const ready = splitBlocks(page).find(({ marks }) => marks.includes('ready'));

    it('shows what npm start prints', () => {
      // The reader's catalog is in the default folder of commands.
      const asRead = catalog.stdout.replaceAll(url, WRITTEN_URL).replace(` --data-dir ${dataDir}`, '');
      expect(asRead.trim()).toBe(ready?.text);
    });

    it('prints three commands that work', async () => {
      const commands = catalog.stdout.split('\n').filter((line) => line.startsWith('  curl '));
      const toAnswer = async (at: number): Promise<JsonValue> =>
        parseJson((await outputOf(`curl -s ${(commands[at] ?? '').trim().slice('curl '.length)}`)).output);
      expect(commands).toHaveLength(3);
      const written = await toAnswer(0);
      const urn = isJsonObject(written) ? written.value : undefined;
      expect(await toAnswer(1)).toMatchObject({ urn, aspects: { datasetProperties: { version: 0 } } });
      await until(async () =>
        holds({ value: { numEntities: 1, entities: [urn ?? null] } }, await toAnswer(2)),
      );
    });

    it.each(extractCommands(page).map((command) => [command.block.line, command] as const))(
      'line %i',
      async (_line, command) => {
        await check(command);
      },
    );
  });

  describe('with the sample catalog,', () => {
    beforeAll(async () => {
      await start(['--demo']);
      await until(async () => (await outputOf('npm run -s cli -- status')).output.includes('up to date'));
    }, START_LIMIT_MS);
    afterAll(stop, START_LIMIT_MS);

    const commands = pagePaths()
      .filter((path) => path !== 'README.md')
      .flatMap((path) =>
        extractCommands(readPage(path)).map((command) => [path, command.block.line, command] as const),
      );

    it.each(commands)('%s, line %i', async (_path, _line, command) => {
      await check(command);
    });

    it('the tutorial works a second time', async () => {
      const tutorial = commands.filter(([path]) => path === 'docs/getting-started.md');
      expect(tutorial.length).toBeGreaterThan(5);
      for (const [, line, { block }] of tutorial) {
        expect([line, (await outputOf(block.text)).status]).toEqual([line, 0]);
      }
    });
  });
});
