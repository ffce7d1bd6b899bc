import { describe } from '@jest/globals';
import { lostIndexesSuite } from '../testing/catalog/lost-indexes';

describe('indices in PostgreSQL', () => {
  lostIndexesSuite(
    {},
    {
      remove: (site, name) => site.execute(`drop table ${name}`),
      empty: (site, name) => site.execute(`truncate ${name}`),
      forget: (site, name, urn) => site.execute(`delete from ${name} where urn = '${urn}'`),
    },
  );
});
