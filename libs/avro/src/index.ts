export { checkSchema } from './check-schema';
export { computeFingerprint } from './canonical-schema';
export { parseAvroSchema, type AvroType } from './parse-avro-schema';
export { readAvro } from './read-avro';
export { CHANGE_SCHEMA, PROPOSAL_SCHEMA } from './record-schemas';
