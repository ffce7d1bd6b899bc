// Types alone: a program that calls the catalog holds no code of the server, and no schema.
import type { AddressOf, Output, Sent } from '@stratalog/http';
import type { ServerRoutes } from '@stratalog/runtime';
import type { AdminRoutes } from '@stratalog/stages-admin';
import type { GraphRoutes } from '@stratalog/stages-graph';
import type { IngestRoutes } from '@stratalog/stages-ingest';
import type { QueryRoutes } from '@stratalog/stages-query';

type Routes = AdminRoutes | GraphRoutes | IngestRoutes | QueryRoutes | ServerRoutes;
type Api = { readonly [Route in Routes as AddressOf<Route>]: Route };

/** The address of a call: `GET /entitiesV2/:urn`, `POST /entities?action=search`. */
export type Address = keyof Api;

/** What a call sends: the values in its path, and the members of its query or body. */
export type ParametersOf<To extends Address> = Sent<Api[To]>;

/** The answer of a call; for an action, the `value` inside. `undefined`: it has none, or one that is no JSON. */
export type AnswerOf<To extends Address> = Output<Api[To]>;
