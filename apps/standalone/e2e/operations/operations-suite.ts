import { beforeAll, describe, expect, it } from '@jest/globals';
import { actionsSuite } from '../metadata-tests/actions-suite';
import { catalogForSuite } from '../testing/catalog/suite-catalog';
import { auditSuite } from './audit-suite';
import { deadLettersSuite } from './dead-letters-suite';
import { openApiSuite } from './open-api-suite';
import { healthSuite } from './health-suite';
import { DAY_MS, START_MS, TOKEN, URNS, WITH_TOKEN, callAsOperator, truncation } from './operator-calls';
import { restoreSuite } from './restore-suite';
import { restoredStoreSuite } from './restored-store-suite';
import { searchedValues } from './searched-values';
import { tasksSuite } from './tasks-suite';
import { expirySuite, timeseriesSuite } from './timeseries-suite';

/** The calls of operators on timeseries values and tasks, on a catalog with these settings. */
export function operationsSuite(environment: Readonly<Record<string, string>>): void {
  const catalog = catalogForSuite({
    environment: {
      STRATALOG_TOKEN: TOKEN,
      STRATALOG_RETENTION_EVERY_SECONDS: '1',
      STRATALOG_TRUSTED_PROXIES: 'loopback',
      ...environment,
    },
  });
  const operator = callAsOperator(catalog);
  const { ask } = operator;

  beforeAll(async () => {
    for (const urn of URNS) {
      for (let day = 0; day < 5; day++) {
        await catalog.http.write(urn, 'datasetProfile', {
          timestampMillis: START_MS + day * DAY_MS,
          rowCount: day,
        });
      }
    }
  });

  describe.each([
    ['getIndexSizes', {}],
    ['truncateTimeseriesAspect', truncation()],
    ['getEsTaskStatus', { task: 'node:1' }],
    ['restoreIndices', {}],
    ['startRestore', {}],
    ['pauseTask', { task: '1' }],
    ['resumeTask', { task: '1' }],
    ['cancelTask', { task: '1' }],
    ['restartTask', { task: '1' }],
  ])('%s', (action, body) => {
    it('needs the token of the operator', async () => {
      expect((await ask(action, body, {})).status).toBe(401);
    });
  });

  timeseriesSuite(operator);
  openApiSuite(operator);
  auditSuite(operator);
  deadLettersSuite(operator);
  restoreSuite(operator);
  tasksSuite(operator);
  healthSuite(operator);
  searchedValues(catalog, WITH_TOKEN);

  describe('actions of metadata tests', () => {
    actionsSuite(catalog, WITH_TOKEN);
  });

  expirySuite(operator);
  restoredStoreSuite(operator);
}
