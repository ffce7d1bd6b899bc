import { expectRelevance } from './testing/expect-relevance';

expectRelevance('opensearch', () => ({
  databaseUrl: process.env.STRATALOG_TEST_DATABASE_URL ?? '',
  engineUrl: process.env.STRATALOG_TEST_ELASTICSEARCH_URL ?? '',
}));
