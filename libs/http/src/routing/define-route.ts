import type { CallEffect, MemberFault, Touched } from '@stratalog/domain';
import type * as z from 'zod';
import type { Access } from '../access/authenticator';
import { parseParameters, rejectMembers, type ParameterSource } from '../parameters/parse-parameters';
import { describeSchema, type ValueSchema } from '../parameters/value-schema';
import type { ParameterDocs, RouteDocs, RouteProse } from './route-docs';
import type { Address } from './route-types';

/** The apps of the distributed profile that serve routes. */
type RouteApp = 'ingest' | 'query' | 'graph' | 'admin';

/** Facts that the transport, the proxy and the documentation need in addition to the parameters. */
interface Facts {
  /** `GET` by default, and `POST` for an action. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'ALL';
  /** Without a slash at either end; parameters as `:name`. */
  readonly path: string | readonly [string, ...string[]];
  /** Name of the action that the route serves; its answer is wrapped as `{"value": ...}`. */
  readonly action?: string;
  /** The app that serves the route in the distributed profile. */
  readonly app: RouteApp;
  /** True when the call may change the catalog; default: true unless the method is `GET`. */
  readonly writes?: boolean;
  /** The duration grows with the data that the call changes; it may take minutes. */
  readonly isLong?: boolean;
  /** `ordinary` by default: the settings decide about the token. */
  readonly access?: Access;
  /**
   * The effect of the call, which decides the scope that it needs. Default: `operates` for administrative routes, else `writes` or
   * `reads`. Calls that destroy are recorded for audits, as those of administrative routes that write are.
   */
  readonly effect?: CallEffect;
  /** The dialect of content type and error bodies, when it is not the contract's. */
  readonly dialect?: 'schema-registry';
  /** Path of the OAuth metadata (RFC 9728) to which a 401 of the route points. */
  readonly resourceMetadata?: string;
  /** Answers with server-sent events, whatever else the caller accepts. */
  readonly isStream?: boolean;
  /** A media type that the route answers in, besides JSON, when `Accept` names it. */
  readonly otherType?: string;
  /** The parameter whose value is the whole body: a list. */
  readonly listBody?: string;
  /** The parameters that are members of the body, an object, of a route that is no action. */
  readonly inBody?: readonly string[];
  /** Accepts bodies up to the configured limit; every other route accepts up to 1 MB. */
  readonly takesLargeBody?: boolean;
}

/** One route: its facts, its parameters, and its documentation with the schema of its answer. */
export interface RouteDefinition<
  Parameters,
  Answer,
  Sent,
  Path extends Facts['path'],
  Action extends string,
  Method extends NonNullable<Facts['method']>,
> extends Omit<Facts, 'path' | 'action' | 'method'> {
  readonly path: Path;
  readonly action?: Action;
  readonly method?: Method;
  /**
   * An object with one member for each parameter: those that the path names, and those of an action's body, or of the
   * query for all other routes.
   */
  readonly parameters?: z.ZodType<Parameters, Sent>;
  /**
   * The entities that a call touches, or `proposals` when the handler calls `authorizeCall` for each. Tokens that are limited to entity types or platforms
   * cannot make calls without it.
   */
  readonly touches?: ((parameters: Parameters) => Touched) | 'proposals';
  /** Parameters that the handler does not get: headers that it reads, and queries that only a browser reads. */
  readonly otherParameters?: readonly ParameterDocs[];
  /** A body that the handler reads and checks itself, for a route that is no action. */
  readonly body?: z.ZodType;
  /** Absent for a route that only rejects. */
  readonly docs?: RouteProse<z.ZodType<Answer>>;
}

/** For the compiler alone. */
export declare const ON_THE_WIRE: unique symbol;

/** A route that `@Route` mounts; see {@link defineRoute}. */
export interface DefinedRoute<
  Parameters = unknown,
  Answer = unknown,
  Sent = unknown,
  Address = string,
> extends Omit<Facts, 'path'> {
  readonly method: NonNullable<Facts['method']>;
  readonly paths: readonly [string, ...string[]];
  readonly writes: boolean;
  readonly effect: CallEffect;
  readonly docs?: RouteDocs;
  /** Known to the compiler alone: the types in `route-types.ts` read it. */
  readonly [ON_THE_WIRE]?: { readonly address: Address; readonly sent: Sent; readonly answer: Answer };
  /** The parameters that are read from the query. */
  readonly inQuery: readonly ParameterDocs[];
  /**
   * Absent for a route without parameters.
   *
   * **Errors**: `InvalidRequestError` that names the parameter that is missing or wrong.
   */
  readonly parse?: (source: ParameterSource) => Parameters;
  /** Computes the entities that a call with parsed parameters touches. */
  readonly touches?: ((parameters: unknown) => Touched) | 'proposals';
  /** Rejects a nested value for a reason that only the caller knows; `path` uses slashes. */
  readonly reject: (path: string, reason: string) => never;
  /** Rejects several nested values; their paths begin in the member `place`. */
  readonly rejectAll: (faults: readonly MemberFault[], place: string) => never;
}

/**
 * Defines a route in one place: the parsing of its parameters, its documentation, the bad input of the suite and the
 * proxy's table come from this value.
 */
export function defineRoute<
  const Path extends Facts['path'],
  Parameters = never,
  Answer = undefined,
  Sent = undefined,
  const Action extends string = never,
  const Method extends NonNullable<Facts['method']> = never,
>({
  path,
  parameters: schema,
  otherParameters = [],
  body,
  docs,
  touches,
  ...facts
}: RouteDefinition<Parameters, Answer, Sent, Path, Action, Method>): DefinedRoute<
  Parameters,
  Answer,
  Sent,
  Address<Path, Action, Method>
> {
  const {
    action,
    listBody,
    inBody = [],
    method = action === undefined ? 'GET' : 'POST',
    writes = method !== 'GET',
    effect = facts.access === 'administrative' ? 'operates' : writes ? 'writes' : 'reads',
  } = facts;
  const given: Facts['path'] = path;
  const paths = typeof given === 'string' ? ([given] as const) : given;
  const { inPath, others } = splitByPlace(schema === undefined ? {} : describeSchema(schema), paths);
  const inQuery =
    action === undefined
      ? toQueryParameters(others).filter(({ name }) => name !== listBody && !inBody.includes(name))
      : [];
  const members = body === undefined ? toBody({ action, listBody, inBody }, others) : describeSchema(body);
  const rejectAll = (faults: readonly MemberFault[]): never => {
    throw rejectMembers(action, faults);
  };
  return {
    ...facts,
    method,
    paths,
    writes,
    effect,
    inQuery,
    ...(touches === undefined ? {} : { touches: toTouches(touches) }),
    ...(docs === undefined
      ? {}
      : {
          docs: {
            ...describeAnswer(docs),
            parameters: [...inPath, ...inQuery, ...otherParameters],
            body: members,
          },
        }),
    ...(schema === undefined ? {} : { parse: (source) => parseParameters(schema, others.required, source) }),
    reject: (at, reason) => rejectAll([{ path: at, reason }]),
    rejectAll: (faults, place) =>
      rejectAll(faults.map(({ path: at, reason }) => ({ path: `${place}/${at}`, reason }))),
  };
}

/** The parameters are those that the route's own schema has parsed. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the body casts to it
function toTouches<Parameters>(
  touches: ((parameters: Parameters) => Touched) | 'proposals',
): NonNullable<DefinedRoute['touches']> {
  return touches === 'proposals' ? touches : (parameters) => touches(parameters as Parameters);
}

/** The members of a body, or the list that is a body; `undefined` without a body. */
function toBody(
  {
    action,
    listBody,
    inBody,
  }: {
    readonly action: string | undefined;
    readonly listBody: string | undefined;
    readonly inBody: readonly string[];
  },
  members: ParametersByPlace['others'],
): ValueSchema | undefined {
  if (listBody !== undefined) return members.properties[listBody];
  if (inBody.length > 0) {
    const own = Object.entries(members.properties).filter(([name]) => inBody.includes(name));
    const required = members.required.filter((name) => inBody.includes(name));
    return { type: 'object', properties: Object.fromEntries(own), required };
  }
  return action === undefined || Object.keys(members.properties).length === 0 ? undefined : members;
}

/** Describes the schema of the answer when documentation asks for it: at a start nothing does. */
function describeAnswer({ answer, ...docs }: RouteProse<z.ZodType>): RouteProse<ValueSchema> {
  if (answer === undefined) return docs;
  const { schema, ...prose } = answer;
  if (schema === undefined) return { ...docs, answer: prose };
  let described: ValueSchema | undefined;
  return {
    ...docs,
    answer: {
      ...prose,
      get schema() {
        return (described ??= describeSchema(schema));
      },
    },
  };
}

interface ParametersByPlace {
  readonly inPath: readonly ParameterDocs[];
  /** The members of the body, or the parameters of the query. */
  readonly others: Required<Pick<ValueSchema, 'type' | 'properties' | 'required'>>;
}

function splitByPlace(
  { properties = {}, required = [] }: ValueSchema,
  paths: readonly string[],
): ParametersByPlace {
  const inPath = new Set(paths.flatMap((path) => path.split('/')).filter((part) => part.startsWith(':')));
  const isOther = (name: string): boolean => !inPath.has(`:${name}`);
  const all = Object.entries(properties);
  return {
    inPath: all.flatMap(([name, { description = '', ...schema }]) =>
      isOther(name) ? [] : [{ in: 'path', name, description, schema }],
    ),
    others: {
      type: 'object',
      properties: Object.fromEntries(all.filter(([name]) => isOther(name))),
      required: required.filter(isOther),
    },
  };
}

function toQueryParameters({ properties, required }: ParametersByPlace['others']): readonly ParameterDocs[] {
  return Object.entries(properties).map(([name, { description = '', ...schema }]) => ({
    in: 'query',
    name,
    description,
    // A list has several notations, all of them texts.
    ...(schema.type === 'array' ? { schema: { type: 'string' }, isList: true } : { schema }),
    ...(required.includes(name) ? { isRequired: true } : {}),
  }));
}
