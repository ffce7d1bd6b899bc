import { describe, expect, it } from '@jest/globals';
import { stringifyJson } from '@stratalog/json';
import { expectRejection } from '../testing/catalog/wire-case';
import { DESCRIBED, type TestCalls } from './test-calls';

/** Definitions that are rejected. */
export function wrongTestsSuite({
  catalog,
  newDataset,
  toInfo,
  newTest,
  evaluate,
  nextNumber,
}: TestCalls): void {
  describe('that are wrong', () => {
    it.each([
      [
        'an unknown path',
        {
          on: { types: ['dataset'] },
          rules: [{ property: 'datasetProperties.descripton', operator: 'exists' }],
        },
        '/definition/json/rules/0/property :: unknown field descripton of com.linkedin.dataset.DatasetProperties; did you mean description?',
      ],
      [
        'an operator that does not fit',
        {
          on: { types: ['dataset'] },
          rules: [{ property: 'datasetProperties.name', operator: 'less_than', value: 1 }],
        },
        '/definition/json/rules/0/operator :: less_than does not fit datasetProperties.name, which is a text',
      ],
      [
        'a regular expression that could take for ever',
        {
          on: { types: ['dataset'] },
          rules: [{ property: 'datasetProperties.name', operator: 'matches', value: '(a+)\\1' }],
        },
        '/definition/json/rules/0/value :: is no regular expression of RE2',
      ],
      ['no JSON', 'rules', '/definition/json :: is not JSON'],
    ])(
      'metadata tests that are wrong by %s are rejected when they are saved',
      async (_, definition, message) => {
        const urn = `urn:li:test:wrong${String(nextNumber())}`;
        const answer = await catalog.http.ingest({ urn, aspectName: 'testInfo', value: toInfo(definition) });
        expectRejection(answer, 422, message);
        const exists = await catalog.http.post('/entities?action=exists', stringifyJson({ urn }));
        expect(exists.json).toEqual({ value: false });
      },
    );

    it('metadata tests that are wrong by a patch are rejected, and the stored definition stays', async () => {
      const urn = await newTest(DESCRIBED);
      const stored = (await catalog.http.entity(urn)).json;
      const json = '{"on":{"types":["datset"]},"rules":[]}';
      const patch = [{ op: 'replace', path: '/definition/json', value: json }];
      const answer = await catalog.http.ingest({
        urn,
        aspectName: 'testInfo',
        value: stringifyJson({ patch, arrayPrimaryKeys: {}, forceGenericPatch: true }),
        members: { changeType: 'PATCH' },
      });
      expectRejection(answer, 422, 'is no entity type: datset; did you mean dataset?');
      expect((await catalog.http.entity(urn)).json).toEqual(stored);
    });

    it.each([
      ['a draft', '{}'],
      ['no text', ''],
    ])('metadata tests that are wrong but %s is saved, and tests nothing', async (_, text) => {
      const urn = await newDataset('Orders');
      const test = `urn:li:test:draft${String(nextNumber())}`;
      await catalog.http.write(test, 'testInfo', toInfo(text));
      const { json } = await evaluate({ urn, tests: [test] });
      expect(json).toEqual({ value: { passing: [], failing: [] } });
    });
  });
}
