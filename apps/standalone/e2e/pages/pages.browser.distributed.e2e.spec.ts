import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pagesForSuite } from '../testing/browser/pages-suite';
import { distributedSettings } from '../testing/catalog/distributed-settings';
import { SENSOR_MODEL, modelFolder } from '../testing/data/sensor-model';
import { aConcurrentWriteLosesNothing, anEditedDescriptionStays } from './checks/editing';
import {
  aTypeOfAUsersOwnHasAPage,
  columnsNarrow,
  historyShowsTwoWrites,
  theHeaderAnswers,
} from './checks/entity';
import {
  aFacetNarrowsASearch,
  aSearchSaysWhatItCouldNotFind,
  halfANameOpensTheTable,
  marksAreThoseOfTheAnswer,
  theMarkerTellsTheLag,
} from './checks/finding';
import {
  aColumnSaysWhatItReaches,
  openingANodeMovesNone,
  theKeyboardReachesAFarTable,
} from './checks/lineage';
import { Operating, TOKEN } from './checks/operating';
import { EXPLORING_PAGES, OPERATING_PLACES, READING_PAGES, faultsOn } from './screens';

const DESK = [[1440, 'light']] as const;
const PHONE = [[390, 'dark']] as const;

describe('the web pages of a distributed catalog, through its proxy', () => {
  const folders = mkdtempSync(join(tmpdir(), 'stratalog-own-model-'));
  const suite = pagesForSuite({
    hasDemo: true,
    isProxied: true,
    environment: {
      ...distributedSettings(`t${randomBytes(4).toString('hex')}`),
      STRATALOG_TOKEN: TOKEN,
      STRATALOG_MODELS: modelFolder(folders, 'own', SENSOR_MODEL),
    },
  });
  const operating = new Operating(suite);

  beforeAll(() => operating.measure());
  afterAll(() => {
    rmSync(folders, { recursive: true });
  });

  it.each([
    ['half a name and Enter open the table', halfANameOpensTheTable],
    ['a search narrows by a facet, and its address keeps the choice', aFacetNarrowsASearch],
    ['the marks of a result are those of the answer', marksAreThoseOfTheAnswer],
    ['another spelling, fewer words and no result each say so', aSearchSaysWhatItCouldNotFind],
    ['the marker tells the lag, and an entity opens without search', theMarkerTellsTheLag],
    ['the header says whose a table is and where it belongs', theHeaderAnswers],
    ['columns narrow by a chip and by words', columnsNarrow],
    ['two writes in History, and the page as of between them', historyShowsTwoWrites],
    ["a type of a user's own has a page", aTypeOfAUsersOwnHasAPage],
    ['a column says what it reaches, and whom to ask', aColumnSaysWhatItReaches],
    ['opening a node moves none that was there', openingANodeMovesNone],
    ['the keyboard reaches a far table', theKeyboardReachesAFarTable],
    ['an edited description stays, and a search finds it at once', anEditedDescriptionStays],
    ['a concurrent write leads to both texts', aConcurrentWriteLosesNothing],
  ])('%s', (_name, check) => check(suite));

  it('without the scope the places of operators are absent', () => operating.placesNeedTheirScope());

  it('an internal error shows its reference', () => operating.anInternalErrorShowsItsReference());

  it('a token that is made shows once', () => operating.aTokenShowsOnce());

  it('a truncation needs its dry run and the typed name', () => operating.aTruncationNeedsItsDryRun());

  it('a task shows its progress, pauses, resumes and completes', () => operating.aTaskIsFollowed());

  it('operators see the health of each app', async () => {
    const page = await operating.openAs(TOKEN, 'health');
    await page.getByRole('heading', { level: 1, name: 'Health' }).waitFor();
    for (const app of ['ingest', 'query', 'graph', 'admin'])
      await page.getByRole('main').getByText(app, { exact: true }).first().waitFor();
  });

  it.each([
    ['on which one finds and understands', READING_PAGES],
    ['of lineage, folders, domains and terms', EXPLORING_PAGES],
    ['of operators', OPERATING_PLACES.map((place) => `/ui/operate/${place}`)],
  ])('axe finds nothing, and nothing overflows, on a desk or a phone, on pages %s', async (_name, paths) => {
    const page = await operating.openAs(TOKEN, 'health');
    const found: unknown[] = [];
    for (const [at, path] of paths.entries()) {
      await page.goto(path);
      const faults = await faultsOn(suite, at % 2 === 0 ? DESK : PHONE);
      if (faults.length > 0) found.push([path, ...faults]);
    }
    expect(found).toEqual([]);
  });
});
