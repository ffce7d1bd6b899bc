import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT, plainEnvironment } from '@stratalog/harness';
import type { JsonObject } from '@stratalog/json';
import { entityPath, pagesForSuite } from '../testing/browser/pages-suite';
import {
  CONNECTOR_FOLDER,
  REAL_FILE_NAMES,
  connectorFiles,
  readConnectorRecords,
} from '../testing/data/connector-files';
import { faultsOn } from './screens';

/** Of the real files those that differ most; else all of our own. */
const CHOSEN = ['dbt.mixed.json', 'snowflake.proposals.json', 'tableau.mixed.json'];
const FILES = connectorFiles('mixed', 'timeseries', 'proposals')
  .map(({ file }) => file)
  .filter((file) => !REAL_FILE_NAMES.includes(file) || CHOSEN.includes(file));
const PROGRAM = join(ROOT, 'dist/apps/cli/main.js');

/** The entity of each type with the most records. */
function richestOfEachType(): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const { entityUrn, proposedSnapshot } of FILES.flatMap(readConnectorRecords)) {
    const [snapshot] = Object.values((proposedSnapshot ?? {}) as unknown as Record<string, JsonObject>);
    const urn = (entityUrn ?? snapshot?.urn) as string;
    counts.set(urn, (counts.get(urn) ?? 0) + 1);
  }
  const ordered = [...counts].sort(([, one], [, other]) => one - other).map(([urn]) => urn);
  return new Map(ordered.map((urn) => [urn.split(':')[2] ?? '', urn]));
}

describe('the pages of what connectors wrote', () => {
  const suite = pagesForSuite();
  const richest = richestOfEachType();

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stratalog-rejects-'));
    for (const file of FILES) {
      const options = ['--server', suite.catalog.url, '--rejects', join(folder, file)];
      const args = [PROGRAM, 'load', join(CONNECTOR_FOLDER, file), ...options];
      // The program ends with 1 when the model rejects some of a file.
      await promisify(execFile)(process.execPath, args, { env: plainEnvironment() }).catch(() => undefined);
    }
    rmSync(folder, { recursive: true, force: true });
    await suite.catalog.http.caughtUp();
  });

  it.each([...richest])('a page of the type %s is readable and accessible', async (_type, urn) => {
    await suite.open(entityPath(urn));
    await suite.settled();
    expect(
      await faultsOn(suite, [
        [1440, 'light'],
        [390, 'dark'],
      ]),
    ).toEqual([]);
  });

  it.each(['/columns', '/history', '/relations', '/json'])('a dataset opens at %s', async (tab) => {
    await suite.open(entityPath(richest.get('dataset') ?? '', tab));
    await suite.settled();
    expect(await faultsOn(suite, [[900, 'light']])).toEqual([]);
  });

  it('a search leads to them, and the lineage of one opens', async () => {
    const page = await suite.open('/ui/search?q=*');
    await page
      .locator('main')
      .getByText(/^\d+ results/)
      .waitFor();
    await page.goto(`/ui/lineage/${encodeURIComponent(richest.get('dataset') ?? '')}`);
    await suite.settled();
    expect(await faultsOn(suite, [[1440, 'dark']])).toEqual([]);
  });
});
