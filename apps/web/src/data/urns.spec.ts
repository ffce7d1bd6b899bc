import { describe, expect, it } from '@jest/globals';
import { isSystem, nameFromUrn } from './urns';

describe('a name from a urn', () => {
  it.each([
    ['urn:li:dataset:(urn:li:dataPlatform:hive,a.b,PROD)', 'a.b'],
    ['urn:li:corpuser:ada', 'ada'],
    ['urn:li:corpuser:__datahub_system', 'System'],
    ['urn:own:corpuser:__datahub_system', 'System'],
    ['urn:li:tag:__datahub_system', '__datahub_system'],
  ])('%s is %s', (urn, name) => {
    expect([nameFromUrn(urn), isSystem(urn)]).toEqual([name, name === 'System']);
  });
});
