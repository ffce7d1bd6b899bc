/**
 * The Avro schemas of the records that the catalog writes, under the names that existing consumers know. Records of
 * other writers are read by their own schema.
 *
 * **Source**: the PDL records of the same name; in Avro `com.linkedin.` becomes `com.linkedin.pegasus2avro.`, but the
 * audit header is in `com.linkedin.events`.
 */
const MXE = 'com.linkedin.pegasus2avro.mxe';

const optional = <T>(type: T): { readonly type: readonly ['null', T]; readonly default: null } => ({
  type: ['null', type],
  default: null,
});
const TEXT = 'string';
const TEXTS = { type: 'map', values: TEXT } as const;

const UUID = { type: 'fixed', name: 'UUID', namespace: 'com.linkedin.events', size: 16 };
const AUDIT_HEADER = {
  type: 'record',
  name: 'KafkaAuditHeader',
  namespace: 'com.linkedin.events',
  fields: [
    { name: 'time', type: 'long' },
    { name: 'server', type: TEXT },
    { name: 'instance', ...optional(TEXT) },
    { name: 'appName', type: TEXT },
    { name: 'messageId', type: UUID },
    { name: 'auditVersion', ...optional('int') },
    { name: 'fabricUrn', ...optional(TEXT) },
    { name: 'clusterConnectionString', ...optional(TEXT) },
  ],
};
const CHANGE_TYPE = {
  type: 'enum',
  name: 'ChangeType',
  namespace: 'com.linkedin.pegasus2avro.events.metadata',
  symbols: ['UPSERT', 'CREATE', 'UPDATE', 'DELETE', 'PATCH', 'RESTATE', 'CREATE_ENTITY'],
};
const ASPECT = {
  type: 'record',
  name: 'GenericAspect',
  namespace: MXE,
  fields: [
    { name: 'value', type: 'bytes' },
    { name: 'contentType', type: TEXT },
  ],
};
const ASPECT_NAME = `${MXE}.GenericAspect`;
const SYSTEM_METADATA = {
  type: 'record',
  name: 'SystemMetadata',
  namespace: MXE,
  fields: [
    { name: 'lastObserved', type: ['long', 'null'], default: 0 },
    { name: 'runId', type: [TEXT, 'null'], default: 'no-run-id-provided' },
    { name: 'lastRunId', type: [TEXT, 'null'], default: 'no-run-id-provided' },
    { name: 'pipelineName', ...optional(TEXT) },
    { name: 'registryName', ...optional(TEXT) },
    { name: 'registryVersion', ...optional(TEXT) },
    { name: 'properties', ...optional(TEXTS) },
  ],
};
const AUDIT_STAMP = {
  type: 'record',
  name: 'AuditStamp',
  namespace: 'com.linkedin.pegasus2avro.common',
  fields: [
    { name: 'time', type: 'long' },
    { name: 'actor', type: TEXT },
    { name: 'impersonator', ...optional(TEXT) },
    { name: 'message', ...optional(TEXT) },
  ],
};
const PROPOSAL_FIELDS = [
  { name: 'auditHeader', ...optional(AUDIT_HEADER) },
  { name: 'entityType', type: TEXT },
  { name: 'entityUrn', ...optional(TEXT) },
  { name: 'entityKeyAspect', ...optional(ASPECT) },
  { name: 'changeType', type: CHANGE_TYPE },
  { name: 'aspectName', ...optional(TEXT) },
  { name: 'aspect', ...optional(ASPECT_NAME) },
  { name: 'systemMetadata', ...optional(SYSTEM_METADATA) },
  { name: 'headers', ...optional(TEXTS) },
];

/** Schema of a record of the proposal topic, as JSON text. */
export const PROPOSAL_SCHEMA = JSON.stringify({
  type: 'record',
  name: 'MetadataChangeProposal',
  namespace: MXE,
  fields: PROPOSAL_FIELDS,
});

/** Schema of a record of the change topics, as JSON text. */
export const CHANGE_SCHEMA = JSON.stringify({
  type: 'record',
  name: 'MetadataChangeLog',
  namespace: MXE,
  fields: [
    ...PROPOSAL_FIELDS,
    { name: 'previousAspectValue', ...optional(ASPECT_NAME) },
    { name: 'previousSystemMetadata', ...optional(`${MXE}.SystemMetadata`) },
    { name: 'created', ...optional(AUDIT_STAMP) },
  ],
});
