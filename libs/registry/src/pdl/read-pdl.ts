import { SourceFile } from './source-file';
import { PdlCursor } from './pdl-cursor';
import type { ImportSyntax, PdlDocument } from './pdl-syntax';
import { readAnnotations } from './read-annotations';
import { readDeclaration } from './read-types';

/**
 * Parses one PDL file: `namespace`, `package`, imports and one declaration.
 *
 * **Errors**: `InvalidModelError` with file, line, column and the expected token; no other error, whatever the text.
 *
 * **Source**: the PDL grammar of the Rest.li project; `libs/registry/README.md` lists the deviations.
 */
export function readPdl(text: string, file: string): PdlDocument {
  const source = new SourceFile(file, text);
  const cursor = new PdlCursor(source);
  const namespace = cursor.skip('namespace') ? cursor.qualifiedName('a namespace') : '';
  const packageName = cursor.skip('package') ? cursor.qualifiedName('a package') : undefined;
  const imports: ImportSyntax[] = [];
  while (cursor.skip('import')) {
    const { at } = cursor.here;
    imports.push({ name: cursor.qualifiedName('the full name of a type'), at });
  }
  const declaration = readDeclaration(cursor, readAnnotations(cursor));
  if (cursor.here.kind !== 'end') throw cursor.unexpected('the end of the file');
  return {
    source,
    namespace,
    ...(packageName === undefined ? {} : { package: packageName }),
    imports,
    declaration,
  };
}
