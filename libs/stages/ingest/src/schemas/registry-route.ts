import { JSON_OBJECT, touchNothing, type ExampleDocs } from '@stratalog/http';
import * as z from 'zod';

export const GROUP = 'Schema registry';
export const EXAMPLE_SUBJECT = 'docs-example-value';

export const subject = z.string().describe('Name of the subject: by convention the topic and `-value`.');

/** The paths of a route, with the prefix that is documented and the shorter one. */
export function at(...paths: readonly [string, ...string[]]): readonly [string, ...string[]] {
  const [first, ...others] = paths.flatMap((path) => [
    `schema-registry/api/${path}`,
    `schema-registry/${path}`,
  ]);
  return [first ?? '', ...others];
}

/** Members that all routes of the registry share. */
export const ROUTE = {
  app: 'ingest',
  dialect: 'schema-registry',
  writes: false,
  // Schemas describe the form of proposals, and no entity.
  touches: touchNothing,
} as const;

export const NUMBER = z.int();
export const TEXT = z.string();
export const TEXTS = z.array(TEXT);
export const AVRO = JSON_OBJECT.describe('The Avro schema.');

export const ofSubject: ExampleDocs = { title: 'The example', parameters: { subject: EXAMPLE_SUBJECT } };

export function answer<Schema extends z.ZodType>(description: string, schema: Schema) {
  return { description, schema };
}
