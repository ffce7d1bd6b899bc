import type { AuthMode, DocumentedRoute } from '@stratalog/http';
import type { EntityRegistry } from '@stratalog/registry';

/** The sources of the documentation. */
export interface DocsDeps {
  readonly registry: EntityRegistry;
  readonly routes: readonly DocumentedRoute[];
  readonly about: { readonly version: string; readonly auth: AuthMode };
}
