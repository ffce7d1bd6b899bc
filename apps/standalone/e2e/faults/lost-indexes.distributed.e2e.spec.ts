import { randomBytes } from 'node:crypto';
import { describe } from '@jest/globals';
import { lostIndexesSuite } from '../testing/catalog/lost-indexes';
import { distributedSettings } from '../testing/catalog/distributed-settings';

const engine = process.env.STRATALOG_TEST_ELASTICSEARCH_URL ?? '';
const name = `t${randomBytes(4).toString('hex')}`;

async function tell(method: string, path: string, body?: object): Promise<void> {
  const answer = await fetch(`${engine}/${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

/** The one Elasticsearch index of an index version. */
const indexOf = (indexVersion: string): string => indexVersion.replace('*', 'all');
const forget = (indexVersion: string, query: object): Promise<void> =>
  tell('POST', `${indexOf(indexVersion)}/_delete_by_query?refresh=true&conflicts=proceed`, { query });

describe('the search index in an engine', () => {
  lostIndexesSuite(distributedSettings(name), {
    remove: (_site, indexVersion) => tell('DELETE', indexOf(indexVersion)),
    empty: (_site, indexVersion) => forget(indexVersion, { match_all: {} }),
    forget: (_site, indexVersion, urn) => forget(indexVersion, { term: { urn } }),
  });
});
