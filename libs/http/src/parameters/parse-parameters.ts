import { InvalidRequestError, type MemberFault } from '@stratalog/domain';
import { isJsonObject, type JsonValue } from '@stratalog/json';
import type * as z from 'zod';
import { missingParameter } from './missing-parameter';
import type { ParameterFault } from './parameter-types';

/** The most names that are compared with a missing one: more than any call has. */
const MAX_COMPARED = 100;

/** Values of parameters as sent, by name. */
export type SentParameters = Readonly<Record<string, unknown>>;

/** The source of the parameters; it decides about the wording of rejections. */
export interface ParameterSource {
  readonly sent: SentParameters;
  /** The action whose body holds the parameters; `undefined` for parameters of a path and a query. */
  readonly action: string | undefined;
  /** The names in the request, for a missing parameter that may be misspelt. */
  readonly names: () => readonly string[];
}

/**
 * Parses the parameters of one call. Members outside the schema are ignored.
 *
 * **Errors**: `InvalidRequestError` for the first parameter that is missing or wrong, in the order of the schema. The
 * rejection of a missing parameter names all missing ones.
 */
export function parseParameters<Parameters>(
  schema: z.ZodType<Parameters>,
  required: readonly string[],
  source: ParameterSource,
): Parameters {
  const parsed = schema.safeParse(source.sent);
  if (parsed.success) return parsed.data;
  throw toRejection(parsed.error.issues[0], required, source);
}

/** Makes the rejection of values in a body; paths use slashes. */
export function rejectMembers(
  action: string | undefined,
  faults: readonly MemberFault[],
): InvalidRequestError {
  const lines = faults.map(({ path, reason }) => `/${path} :: ${reason}`);
  const of = action === undefined ? '' : ` of method '${action}'`;
  return new InvalidRequestError(`Parameters${of} failed validation with error '${lines.join('\n')}'`);
}

function toRejection(
  issue: z.core.$ZodIssue | undefined,
  required: readonly string[],
  { sent, action, names }: ParameterSource,
): InvalidRequestError {
  const path = (issue?.path ?? []).map(String);
  const [name = ''] = path;
  if (sent[name] === undefined) {
    const given = names()
      .slice(0, MAX_COMPARED)
      .filter((each) => each !== name);
    const others = required.filter((each) => each !== name && !given.includes(each));
    return missingParameter(name, { others, given });
  }
  const fault = toFault(issue);
  if ('message' in fault) return new InvalidRequestError(fault.message);
  const value = valueAt(sent, path);
  if (action !== undefined || path.length > 1 || typeof value === 'object') {
    return rejectMembers(action, [{ path: path.join('/'), reason: toReason(fault, value) }]);
  }
  const why = 'reason' in fault ? fault.reason : `it must be ${fault.wanted}`;
  return new InvalidRequestError(
    `Argument parameter '${name}' value '${value as string}' is invalid: ${why}`,
  );
}

/** The names of JSON's types in rejections. */
const EXPECTED: Readonly<Record<string, string>> = {
  string: 'a string',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function toFault(issue: z.core.$ZodIssue | undefined): ParameterFault {
  if (issue?.code === 'custom' && issue.params !== undefined) return issue.params as ParameterFault;
  const wanted = issue?.code === 'invalid_type' ? EXPECTED[issue.expected] : undefined;
  return wanted === undefined ? { reason: issue?.message ?? 'is invalid' } : { wanted };
}

function toReason(
  fault: Exclude<ParameterFault, { readonly message: string }>,
  value: JsonValue | undefined,
): string {
  if (value === undefined) return 'is required';
  return 'reason' in fault ? fault.reason : `${excerpt(value)} is not ${fault.wanted}`;
}

function valueAt(sent: unknown, path: readonly string[]): JsonValue | undefined {
  return path.reduce((value, step) => (value as SentParameters)[step], sent) as JsonValue | undefined;
}

/** The start of a wrong value, enough to recognise it; a body may be megabytes. */
function excerpt(value: JsonValue): string {
  if (Array.isArray(value)) return 'a list';
  if (isJsonObject(value)) return 'an object';
  const text = typeof value === 'string' ? value.slice(0, 100) : String(value);
  return typeof value === 'string' ? `"${text}"` : text;
}
