import type { RoutesIn } from '@stratalog/http';
import type * as assertions from './assertions/assertions.routes';
import type * as autocomplete from './autocomplete/autocomplete.routes';
import type * as browse from './browse/browse.routes';
import type * as changes from './changes/changes.routes';
import type * as entities from './entities/entities.routes';
import type * as existence from './existence/existence.routes';
import type * as explanation from './explanation/explanation.routes';
import type * as diff from './lineage/diff.routes';
import type * as lineageSearch from './lineage/lineage-search.routes';
import type * as lineage from './lineage/lineage.routes';
import type * as picture from './lineage/picture.routes';
import type * as models from './models/models.routes';
import type * as listing from './search/listing.routes';
import type * as search from './search/search.routes';
import type * as statistics from './statistics/statistics.routes';
import type * as testResults from './test-results/test-results.routes';
import type * as timeseries from './timeseries/timeseries.routes';
import type * as usage from './usage/usage.routes';
import type * as versions from './versions/versions.routes';

/** The routes of this stage by their types, for the typed client; without those of OpenAPI, which other clients call. */
export type QueryRoutes = RoutesIn<
  | typeof assertions
  | typeof autocomplete
  | typeof browse
  | typeof changes
  | typeof entities
  | typeof existence
  | typeof explanation
  | typeof diff
  | typeof lineageSearch
  | typeof lineage
  | typeof picture
  | typeof models
  | typeof listing
  | typeof search
  | typeof statistics
  | typeof testResults
  | typeof timeseries
  | typeof usage
  | typeof versions
>;
