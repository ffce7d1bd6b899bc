import type { RoutesIn } from '@stratalog/http';
import type * as audit from './audit/audit.routes';
import type * as deadLetters from './dead-letters/dead-letters.routes';
import type * as indexes from './indexes/indexes.routes';
import type * as log from './log/log.routes';
import type * as metadataTests from './metadata-tests/metadata-tests.routes';
import type * as restore from './restore/restore.routes';
import type * as sessions from './sessions/sessions.routes';
import type * as store from './store/store.routes';
import type * as tasks from './tasks/tasks.routes';
import type * as timeseries from './timeseries/timeseries.routes';
import type * as tokens from './tokens/tokens.routes';

/** The routes of this stage by their types, for the typed client; without those of OpenAPI, which other clients call. */
export type AdminRoutes = RoutesIn<
  | typeof audit
  | typeof deadLetters
  | typeof indexes
  | typeof log
  | typeof metadataTests
  | typeof restore
  | typeof sessions
  | typeof store
  | typeof tasks
  | typeof timeseries
  | typeof tokens
>;
