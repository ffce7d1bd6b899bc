import {
  FaultError,
  InvalidSettingError,
  StratalogError,
  TooLargeError,
  UnavailableError,
} from '@stratalog/domain';

/** Error types of the broker that no retry can mend. */
const SETTINGS = new Set([
  'TOPIC_AUTHORIZATION_FAILED',
  'GROUP_AUTHORIZATION_FAILED',
  'CLUSTER_AUTHORIZATION_FAILED',
  'TRANSACTIONAL_ID_AUTHORIZATION_FAILED',
  'SASL_AUTHENTICATION_FAILED',
  'UNSUPPORTED_SASL_MECHANISM',
  // A listener without SASL.
  'ILLEGAL_SASL_STATE',
  'INVALID_CONFIG',
  'INVALID_REPLICATION_FACTOR',
  'POLICY_VIOLATION',
]);
const TOO_LARGE = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE']);

/** Translates an error of the client into one of ours and keeps the cause; passes our own errors through. */
export function translateKafkaError(error: unknown): StratalogError {
  if (error instanceof StratalogError) return error;
  const { name, types, text } = describe(error);
  const options = { cause: error };
  if (name === 'KafkaJSSASLAuthenticationError' || types.some((type) => SETTINGS.has(type))) {
    return new InvalidSettingError(`Kafka rejected us: ${text}`, options);
  }
  if (types.some((type) => TOO_LARGE.has(type))) {
    return new TooLargeError('The proposal is larger than the topic takes (max.message.bytes)', options);
  }
  if (name.startsWith('KafkaJS') || isSocketError(error) || isUnanswered(error)) {
    return new UnavailableError(`Kafka did not answer: ${text}`, options);
  }
  return new FaultError(`Talking to Kafka failed: ${text}`, options);
}

interface Described {
  readonly name: string;
  /** The broker's types of the error and of its inner errors. */
  readonly types: readonly string[];
  readonly text: string;
}

function describe(error: unknown): Described {
  if (!(error instanceof Error)) return { name: '', types: [], text: String(error) };
  const { type, errors, cause } = error as Error & { type?: unknown; errors?: unknown; cause?: unknown };
  const inner = [...(Array.isArray(errors) ? (errors as unknown[]) : []), cause].filter(
    (part) => part instanceof Error,
  );
  const types = inner.flatMap((part) => describe(part).types);
  const innermost = inner.length === 0 ? error.message : describe(inner[0]).text;
  const isNamed = inner.some((part) => describe(part).name === 'KafkaJSSASLAuthenticationError');
  return {
    name: isNamed ? 'KafkaJSSASLAuthenticationError' : error.name,
    types: typeof type === 'string' ? [type, ...types] : types,
    text: innermost,
  };
}

function isSocketError(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && (code.startsWith('E') || code.startsWith('ERR_TLS'));
}

/** kafkajs takes the description of topics for null when no broker gave one, as while a topic is new, and reads it. */
function isUnanswered(error: unknown): boolean {
  return error instanceof TypeError && error.message.includes("null (reading 'topicMetadata')");
}
