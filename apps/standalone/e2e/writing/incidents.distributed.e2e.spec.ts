import { randomBytes } from 'node:crypto';
import { describe } from '@jest/globals';
import { distributedSettings } from '../testing/catalog/distributed-settings';
import { incidentsSuite } from './incidents-suite';

describe('incidents, distributed', () => {
  const settings = distributedSettings(`t${randomBytes(4).toString('hex')}`);
  incidentsSuite({ ...settings, STRATALOG_TOKEN: 'the-token-of-the-operator' }, limitMs(60_000));
});
