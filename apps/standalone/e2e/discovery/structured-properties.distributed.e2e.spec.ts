import { randomBytes } from 'node:crypto';
import { describe } from '@jest/globals';
import { structuredPropertiesSuite } from './structured-properties-suite';
import { distributedSettings } from '../testing/catalog/distributed-settings';

const name = `t${randomBytes(4).toString('hex')}`;

describe('structured properties, distributed', () => {
  structuredPropertiesSuite(distributedSettings(name));
});
