import { randomBytes } from 'node:crypto';
import { describe } from '@jest/globals';
import { referencedFieldsSuite } from './referenced-fields-suite';
import { distributedSettings } from '../testing/catalog/distributed-settings';

const name = `t${randomBytes(4).toString('hex')}`;

describe('fields of referenced entities, distributed', () => {
  referencedFieldsSuite(distributedSettings(name), limitMs(60_000));
});
