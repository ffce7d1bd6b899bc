import { expectRelevance } from './testing/expect-relevance';

expectRelevance('postgres', () => ({ databaseUrl: process.env.STRATALOG_TEST_DATABASE_URL ?? '' }));
