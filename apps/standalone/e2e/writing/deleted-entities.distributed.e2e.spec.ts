import { randomBytes } from 'node:crypto';
import { describe } from '@jest/globals';
import { distributedSettings } from '../testing/catalog/distributed-settings';
import { deletedEntitiesSuite } from './deleted-entities-suite';

describe('distributed,', () => {
  const name = `t${randomBytes(4).toString('hex')}`;
  deletedEntitiesSuite({ ...distributedSettings(name), STRATALOG_TOKEN: 'a-token-of-this-suite' });
});
