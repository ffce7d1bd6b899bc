import { readFile } from 'node:fs/promises';
import { compileDefinition, readTestFile } from '@stratalog/metadata-tests';
import { InvalidRequestError } from '@stratalog/domain';
import { loadModel, type EntityRegistry } from '@stratalog/registry';
import { CommandFailure, EXIT, type ExitCode } from '../../exit-code';
import { parseModelFolders } from '../../model-folders';
import { prettyJson } from '../../output/pretty-json';
import { printable } from '../../output/printable';
import type { Terminal } from '../../terminal';

interface FileFault {
  readonly file: string;
  /** Place in the definition; empty for a file that is no test. */
  readonly path: string;
  readonly reason: string;
}

/** Prints the faults of definitions; exit code 1 when there are some. */
export async function testCheckCommand(
  files: readonly string[],
  { isJson }: { readonly isJson: boolean },
  terminal: Terminal,
): Promise<ExitCode> {
  const registry = await loadModel({ folders: parseModelFolders(terminal) });
  const faults: FileFault[] = [];
  for (const file of files) {
    for (const fault of findFaults(registry, await readText(file))) faults.push({ file, ...fault });
  }
  if (isJson)
    terminal.stdout.write(
      `${prettyJson({ files: files.length, faults: faults.map((fault) => ({ ...fault })) })}\n`,
    );
  else {
    for (const { file, path, reason } of faults) {
      terminal.stdout.write(`${printable(`${file}: ${path === '' ? '' : `${path} `}${reason}`)}\n`);
    }
    terminal.stdout.write(`${String(files.length)} checked, ${String(faults.length)} faults\n`);
  }
  return faults.length === 0 ? EXIT.ok : EXIT.rejected;
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandFailure(`cannot read ${file} (${code ?? String(error)})`, EXIT.usage);
  }
}

function findFaults(registry: EntityRegistry, text: string): readonly Omit<FileFault, 'file'>[] {
  let definition;
  try {
    ({ definition } = readTestFile(text));
  } catch (error) {
    if (error instanceof InvalidRequestError) return [{ path: '', reason: error.message }];
    throw error;
  }
  const compiled = compileDefinition(registry, definition);
  switch (compiled.kind) {
    case 'faulty':
      return compiled.faults.map(({ path, reason }) => ({ path, reason }));
    case 'draft':
      return [{ path: '', reason: 'the definition is empty, and tests nothing' }];
    case 'test':
      return [];
  }
}
