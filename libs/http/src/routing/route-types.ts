import type { DefinedRoute, ON_THE_WIRE } from './define-route';

// Known to the compiler alone: what the two sides of a call agree on.

/** The parameters of a route as its handler gets them. */
export type Input<Route> = Route extends DefinedRoute<infer Parameters> ? Parameters : never;

/** The parameters of a route as its callers send them. */
export type Sent<Route> = OnTheWire<Route>['sent'];

/** The answer of a route as its callers read it. */
export type Output<Route> = OnTheWire<Route>['answer'];

/** The address by which a client calls a route: `GET /entitiesV2/:urn`, `POST /entities?action=search`. */
export type AddressOf<Route> = OnTheWire<Route>['address'];

/** The routes that a module defines. */
export type RoutesIn<Module> = Module extends unknown ? RouteOf<Module[keyof Module]> : never;

type RouteOf<Export> = Export extends { readonly paths: unknown; readonly effect: unknown } ? Export : never;
type OnTheWire<Route> = Route extends { readonly [ON_THE_WIRE]?: infer Wire extends Agreed | undefined }
  ? NonNullable<Wire>
  : never;
interface Agreed {
  readonly address: string;
  readonly sent: unknown;
  readonly answer: unknown;
}

/** Makes the type of an address from the facts of a route; `never` stands for an absent one. */
export type Address<Path, Action extends string, Method extends string> = [Action] extends [never]
  ? `${Or<Method, 'GET'>} /${PathIn<Path>}`
  : `${Or<Method, 'POST'>} /${PathIn<Path>}?action=${Action}`;

type Or<Method extends string, Default extends string> = [Method] extends [never] ? Default : Method;
type PathIn<Path> = Path extends string ? Path : Path extends readonly string[] ? Path[number] : never;
