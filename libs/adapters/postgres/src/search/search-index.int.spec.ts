import { describe } from '@jest/globals';
import { searchIndexContract, searchIndexesContract } from '@stratalog/testkit';
import { useSuiteDatabase } from '../testing/suite-database';
import { PostgresSearchIndexVersionStore } from './search-index-version-store';

describe('PostgresSearchIndex', () => {
  const suite = useSuiteDatabase({ poolSize: 8 });
  const forgetVersions = () =>
    suite.database.use((client) => client.query('delete from search_index_version'));
  const lose = async ({ name }: { readonly name: string }): Promise<void> => {
    await suite.database.use((client) => client.query(`drop table ${name}`));
  };

  searchIndexesContract(async () => {
    await forgetVersions();
    // Each test opens its own indexes, so that no cached live index outlives its table.
    return { versions: new PostgresSearchIndexVersionStore(suite.database), lose };
  });

  // The contract's indexes are small. With these limits they too are walked, and walks often end too soon.
  describe('with walks through few documents', () => {
    searchIndexContract(async () => {
      await forgetVersions();
      const limits = { fewMatches: 1, fewByKeys: 3, maxPlace: 12, walked: 6 };
      return { versions: new PostgresSearchIndexVersionStore(suite.database, limits), lose };
    });
  });
});
