import { describe, expect, it } from '@jest/globals';
import { referencedFieldsSuite } from './referenced-fields-suite';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

describe('fields of referenced entities', () => {
  referencedFieldsSuite({});
});

describe.each([
  [undefined, undefined],
  ['warn', '/proposal/aspect/value/valueType names urn:li:dataType:days, which does not exist'],
])('with STRATALOG_URN_EXISTENCE=%s', (setting, warning) => {
  const catalog = catalogForSuite({
    environment: setting === undefined ? {} : { STRATALOG_URN_EXISTENCE: setting },
  });

  it('a urn without an entity is written', async () => {
    const value = { qualifiedName: 'a', valueType: 'urn:li:dataType:days', entityTypes: [] };
    const answer = await catalog.http.ingest({
      urn: 'urn:li:structuredProperty:a',
      aspectName: 'propertyDefinition',
      value,
    });
    expect(answer.status).toBe(200);
    expect(answer.headers['x-stratalog-warnings']).toBe(
      warning === undefined ? undefined : JSON.stringify([warning]),
    );
  });
});
