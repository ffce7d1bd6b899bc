import { randomBytes } from 'node:crypto';
import { describe } from '@jest/globals';
import { distributedSettings } from '../testing/catalog/distributed-settings';
import { largePatchesSuite } from './large-patches-suite';

describe('in Kafka,', () => {
  const settings = distributedSettings(`t${randomBytes(4).toString('hex')}`);
  const environment = { ...settings, STRATALOG_AUTH: 'none', STRATALOG_TOKEN: 'a-token-of-this-suite' };
  // The relay and the indexer, which read each value of 7 MB, share the process with the writer.
  largePatchesSuite({ environment, patches: 25, minOthers: 8, maxWriteMs: 6_000, passesPatches: false });
});
