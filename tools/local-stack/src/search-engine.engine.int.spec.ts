import { describe, expect, it } from '@jest/globals';

describe('the search engines of a test run', () => {
  it.each(['STRATALOG_TEST_ELASTICSEARCH_URL', 'STRATALOG_TEST_ELASTICSEARCH_8_URL'])(
    'answer at %s',
    async (variable) => {
      const health = await fetch(`${process.env[variable] ?? ''}/_cluster/health`);
      expect(await health.json()).toMatchObject({ number_of_nodes: 1 });
    },
  );
});
