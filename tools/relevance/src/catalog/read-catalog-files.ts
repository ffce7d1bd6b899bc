import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@stratalog/harness';
import { parse } from 'yaml';
import * as z from 'zod';

const FOLDER = join(ROOT, 'tools/relevance/catalog');

const names = z.array(z.string()).default([]);

const conceptSchema = z.strictObject({
  words: z.string(),
  about: z.string(),
  columns: z.string().transform((text) => text.split(' ')),
  /** `platform:name`. */
  tables: z.array(z.string().transform(splitTable)).min(1),
  dashboards: names,
  charts: names,
  jobs: names,
  tags: names,
  terms: names,
});

const subjectSchema = z.strictObject({
  subject: z.string(),
  domain: z.string(),
  schema: z.string(),
  /** User names. */
  team: z.array(z.string()).min(1),
  concepts: z.array(conceptSchema).min(1),
});

const textsSchema = z.record(z.string(), z.string());

/** A thing that the company keeps data about, with everything in the catalog that is named after it. */
export type Concept = z.output<typeof conceptSchema>;
/** A part of the business with its concepts. */
export type Subject = z.output<typeof subjectSchema>;

export interface CatalogFiles {
  readonly subjects: readonly Subject[];
  /** Descriptions by tag. */
  readonly tags: Readonly<Record<string, string>>;
  /** Definitions by glossary term. */
  readonly terms: Readonly<Record<string, string>>;
}

/** Reads the hand-written part of the catalog. **Errors**: throws for a file of another form. */
export function readCatalogFiles(): CatalogFiles {
  const files = readdirSync(join(FOLDER, 'subjects')).sort();
  return {
    subjects: files.map((file) => subjectSchema.parse(readYaml(join('subjects', file)))),
    tags: textsSchema.parse(readYaml('tags.yaml')),
    terms: textsSchema.parse(readYaml('terms.yaml')),
  };
}

function readYaml(file: string): unknown {
  return parse(readFileSync(join(FOLDER, file), 'utf8'));
}

function splitTable(text: string): { readonly platform: string; readonly name: string } {
  const [platform = '', name = ''] = text.split(':');
  return { platform, name };
}
