import { Argument, type Command } from 'commander';
import { loadModel } from '@stratalog/registry';
import { completeUrn, isBeforeType, startUrns } from '../../completion/complete-urn';
import { KINDS, type Kind } from '../../completion/list-places';
import { addConnectionOptions, type ConnectionOptions } from '../../connection/connect';
import { withCatalog } from '../../connection/with-catalog';
import { EXIT, type SetExitCode } from '../../exit-code';
import { parseModelFolders } from '../../model-folders';
import { printable } from '../../output/printable';
import type { Terminal } from '../../terminal';

/** Longest wait after the Tab key. */
const TIMEOUT_MS = 2_000;

/**
 * Adds the hidden `complete`, which the scripts of `completion` call at each Tab. It prints an offer a line, and nothing when
 * it cannot: an error would be written into the line that is being typed.
 */
export function addCompleteCommand(program: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  addConnectionOptions(program.command('complete', { hidden: true }))
    .description('print what a partial word may become, a line each')
    .addArgument(new Argument('<kind>').choices(KINDS))
    .argument('[prefix]')
    .action(async (kind: Kind, prefix: string | undefined, options: ConnectionOptions) => {
      const offered = await offer(kind, prefix ?? '', options, terminal).catch(() => []);
      // A line that a terminal would obey is no word of a command.
      for (const word of offered.filter((each) => printable(each) === each))
        terminal.stdout.write(`${word}\n`);
      setExitCode(EXIT.ok);
    });
}

async function offer(
  kind: Kind,
  prefix: string,
  options: ConnectionOptions,
  terminal: Terminal,
): Promise<readonly string[]> {
  if (kind === 'type') return (await listTypes(terminal)).filter((type) => type.startsWith(prefix));
  if (isBeforeType(prefix)) return startUrns(await listTypes(terminal), prefix);
  const connection = { terminal, timeoutMs: TIMEOUT_MS, onAnswer: () => undefined };
  return withCatalog(options, connection, (client) => completeUrn(client, prefix));
}

async function listTypes(terminal: Terminal): Promise<readonly string[]> {
  const { entityTypes } = await loadModel({ folders: parseModelFolders(terminal) });
  return entityTypes.map(({ name }) => name).sort();
}
