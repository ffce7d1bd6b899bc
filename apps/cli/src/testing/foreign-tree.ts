import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The written tree: its number of files, and of nested types. */
export interface ForeignTree {
  readonly pdlFiles: number;
  readonly inlineTypes: number;
}

interface PdlFile {
  readonly namespace: string;
  readonly name: string;
  /** Without namespace and imports. */
  readonly body: string;
  readonly imports: string;
}

const PEGASUS = 'metadata-models/src/main/pegasus';
const REGISTRY = 'metadata-models/src/main/resources/entity-registry.yml';

/**
 * Writes a model again in the layout of the DataHub project: folders by package, nested types, optional
 * commas, annotations for other tools, and a registry file with events and plug-ins. Its meaning is that of
 * the original.
 */
export function writeForeignTree(models: string, folder: string): ForeignTree {
  const files = makePdlFiles(models);
  const merged = withInlineTypes(files);
  for (const file of merged) {
    const path = join(folder, PEGASUS, file.namespace.replaceAll('.', '/'), `${file.name}.pdl`);
    write(path, makeForeignText(file));
  }
  write(
    join(folder, REGISTRY),
    makeForeignRegistry(readFileSync(join(models, 'entity-registry.yml'), 'utf8')),
  );
  return { pdlFiles: merged.length, inlineTypes: files.length - merged.length };
}

function makePdlFiles(models: string): readonly PdlFile[] {
  return readdirSync(models, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.pdl'))
    .map((name) => readFileSync(join(models, name), 'utf8'))
    .map((text) => {
      const [, namespace = '', imports = '', body = ''] =
        /^namespace (\S+)\n((?:\s*import \S+\n)*)([^]*)$/.exec(text) ?? [];
      return { namespace, name: nameIn(body), imports, body };
    });
}

function nameIn(body: string): string {
  return /^(?:record|enum|typeref|fixed) (\w+)/m.exec(body)?.[1] ?? '';
}

/** Moves an enum that one field of one neighbour uses into that field. */
function withInlineTypes(files: readonly PdlFile[]): readonly PdlFile[] {
  const bodies = new Map(files.map((file) => [file, file.body]));
  for (const file of files) {
    if (!/^enum /m.test(file.body)) continue;
    const mention = new RegExp(`\\b${file.name}\\b`, 'g');
    const users = files.filter((other) => other !== file && mention.test(`${other.imports}${other.body}`));
    const [user] = users;
    if (user === undefined || users.length > 1 || user.namespace !== file.namespace) continue;
    const field = new RegExp(`^(  \\w+: (?:optional )?)${file.name}(?= *(?:=|$))`, 'm');
    const body = bodies.get(user);
    if (body === undefined || !field.test(body) || (body.match(mention) ?? []).length > 1) continue;
    bodies.set(
      user,
      body.replace(field, (_, before: string) => `${before}${file.body.trim()}`),
    );
    bodies.delete(file);
  }
  return [...bodies].map(([file, body]) => ({ ...file, body }));
}

function makeForeignText({ namespace, name, imports, body }: PdlFile): string {
  const sloppy = body
    .replace(/^typeref (\w*Urn) = string/m, '@java.class = "com.linkedin.common.urn.$1"\ntyperef $1 = string')
    .replace(/^@Urn = \{ ?"entityType": "(\w+)" ?\}\n/m, typedUrnValidator)
    .replace(/^@Urn\n/m, '')
    // A comma after the last of several, and two in a row.
    .replace(/([\w"\]}])\n(\s*\})/g, '$1,\n$2')
    .replace(/^( {2}\w+: (?:optional )?[\w.]+)$/gm, '$1,,')
    .replace(
      /^ {2}(\w+: optional string),,$/m,
      '  @compliance = "NONE"\n  @validate.strlen = { "max": 5000, }\n  $1',
    )
    .replace(
      /^ {2}(\w+: string),,$/m,
      '  @compliance = [{"policy": "NONE"}]\n  @deprecated = "Ask the owners."\n  $1,',
    );
  return `namespace ${namespace}\n\n${imports}\n// ${name}\n/* Generated. */\n${sloppy}`;
}

function typedUrnValidator(_: string, entityType: string): string {
  return `@validate.\`com.linkedin.common.validator.TypedUrnValidator\` = {
  "accessible" : true,
  "owningTeam" : "urn:li:internalTeam:x",
  "entityType" : "${entityType}",
  "constructable" : true,
  "namespace" : "li",
  "fields" : [ { "name" : "id", "doc" : "", "type" : "string", "maxLength" : 284, } ],
}
`;
}

function makeForeignRegistry(text: string): string {
  return `id: theirs
${text.trimEnd()}
events:
  - name: platformEvent
  - name: entityChangeEvent
plugins:
  aspectPayloadValidators:
    - className: 'org.example.validators.FieldPathValidator'
      packageScan:
        - org.example.gms.factory.plugins
      enabled: true
      supportedOperations:
        - CREATE
        - UPSERT
      supportedEntityAspectNames:
        - entityName: '*'
          aspectName: 'schemaMetadata'
  mutationHooks:
    - className: 'org.example.hooks.OwnerTypeMap'
      enabled: true
      spring:
        enabled: false
  mcpSideEffects: []
`;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
