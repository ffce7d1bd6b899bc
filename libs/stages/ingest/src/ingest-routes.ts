import type { RoutesIn } from '@stratalog/http';
import type * as deletion from './deletion/deletion.routes';
import type * as rights from './policies/rights.routes';
import type * as aspects from './proposals/aspects.routes';
import type * as retention from './retention/retention.routes';
import type * as runs from './runs/runs.routes';
import type * as snapshots from './snapshots/snapshots.routes';
import type * as usage from './usage/usage.routes';

/** The routes of this stage by their types, for the typed client; without the schema registry and OpenAPI, which other clients call. */
export type IngestRoutes = RoutesIn<
  | typeof deletion
  | typeof rights
  | typeof aspects
  | typeof retention
  | typeof runs
  | typeof snapshots
  | typeof usage
>;
