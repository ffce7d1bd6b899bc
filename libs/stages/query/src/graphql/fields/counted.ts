import {
  TypeNameMetaFieldDef,
  getNamedType,
  getNullableType,
  introspectionTypes,
  isLeafType,
  isListType,
  isObjectType,
  type GraphQLField,
  type GraphQLFieldResolver,
} from 'graphql';
import { InvalidRequestError } from '@stratalog/domain';
import type { CallScope } from '../call-scope';
import type { Resolver } from './field-resolvers';

/** Counts a field, and lets others have their turn before one that leads to further fields. */
export function counted(
  resolve: Resolver,
  { type, args }: Pick<GraphQLField<unknown, CallScope>, 'type' | 'args'>,
): GraphQLFieldResolver<unknown, CallScope> {
  const leadsOn = !isLeafType(getNamedType(type));
  const isList = isListType(getNullableType(type));
  const takesArguments = args.length > 0;
  const run: GraphQLFieldResolver<unknown, CallScope> = (source, given, scope, info) => {
    if (takesArguments) rejectNul(given, info.fieldName);
    const found = resolve(source as never, given as never, scope, info);
    if (!leadsOn || !isList) return found;
    return found instanceof Promise
      ? found.then((each: unknown) => inParts(each, scope))
      : inParts(found, scope);
  };
  return (source, given, scope, info) => {
    if (!scope.costs.countField()) return scope.costs.never;
    if (!leadsOn || !scope.turns.isOver) return run(source, given, scope, info);
    return scope.turns
      .next()
      .then(() => (scope.costs.ended.aborted ? scope.costs.never : run(source, given, scope, info)));
  };
}

/** Elements of a list whose fields are resolved in one stretch. */
const PART = 10;

/** Lets go of the process between the elements of a long list, whose fields would be resolved one after the other. */
function inParts(found: unknown, { turns, costs }: CallScope): unknown {
  if (!Array.isArray(found) || found.length <= PART) return found;
  // What fits into one turn stays together, so that its reads are one.
  let turn = Promise.resolve();
  return found.map((element: unknown, at) => {
    if (at < PART) return element;
    if (at % PART === 0) turn = turn.then(() => (turns.isOver ? turns.next() : undefined));
    return turn.then(() => (costs.ended.aborted ? costs.never : element));
  });
}

/** No name and no value has one, and not all stores can look one up. **Errors**: `InvalidRequestError` that names the place. */
function rejectNul(given: unknown, path: string): void {
  if (typeof given === 'string' && given.includes('\0')) {
    throw new InvalidRequestError(`${path}: must not hold a NUL character`);
  }
  if (typeof given !== 'object' || given === null) return;
  for (const [name, value] of Object.entries(given)) rejectNul(value, `${path}/${name}`);
}

// Fields of introspection are the same in all schemas, and answer thousands of values to a short text.
for (const type of introspectionTypes.filter(isObjectType)) {
  for (const field of Object.values(type.getFields())) {
    field.resolve = counted(field.resolve as Resolver, field) as GraphQLFieldResolver<unknown, unknown>;
  }
}
// Also of each element of a list.
TypeNameMetaFieldDef.resolve = counted(
  TypeNameMetaFieldDef.resolve as Resolver,
  TypeNameMetaFieldDef,
) as GraphQLFieldResolver<unknown, unknown>;
