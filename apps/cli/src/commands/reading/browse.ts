import type { Command } from 'commander';
import { integerFrom } from '../../arguments';
import type { CatalogClient } from '../../connection/catalog-client';
import { addConnectionOptions, type ConnectionOptions } from '../../connection/connect';
import { withCatalog } from '../../connection/with-catalog';
import { EXIT, type ExitCode, type SetExitCode } from '../../exit-code';
import { folderJson, toFolder, type Folder } from '../../output/browse-folder';
import { formatFolder } from '../../output/browse-tree';
import { prettyJson } from '../../output/pretty-json';
import { printable } from '../../output/printable';
import { PROGRAM } from '../../program';
import type { Terminal } from '../../terminal';

interface BrowseOptions extends ConnectionOptions {
  readonly entity: string;
  readonly depth: number;
  readonly count: number;
  readonly json?: true;
}

/** Adds `browse`. */
export function addBrowseCommand(program: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  addConnectionOptions(program.command('browse'))
    .description('print the folders below a path, and the entities in it, as a tree')
    .argument('[path]', 'such as /prod/snowflake; the root unless given')
    .option('--entity <type>', 'an entity type', 'dataset')
    .option('--depth <n>', 'levels of folders', integerFrom(1, 10), 2)
    .option('--count <n>', 'folders and entities of each folder', integerFrom(1, 1_000), 20)
    .option('--json', 'print the tree as JSON')
    .addHelpText(
      'after',
      `
Examples:
  ${PROGRAM} browse
  ${PROGRAM} browse /prod/snowflake --depth 3
  ${PROGRAM} browse --entity dashboard
`,
    )
    .action(async (path: string | undefined, options: BrowseOptions) => {
      setExitCode(await browseCommand(path ?? '', options, terminal));
    });
}

/** Prints a tree of folders; exit code 1 means an empty path. */
async function browseCommand(path: string, options: BrowseOptions, terminal: Terminal): Promise<ExitCode> {
  const root = await withCatalog(options, { terminal }, (client) =>
    readFolder(client, path, options, options.depth),
  );
  if (options.json === true) terminal.stdout.write(`${prettyJson(folderJson(root))}\n`);
  if (root.groups.length === 0 && root.entities.length === 0) {
    terminal.stderr.write(
      `nothing at ${path === '' ? 'the root' : printable(path)} for ${printable(options.entity)}\n`,
    );
    return EXIT.rejected;
  }
  if (options.json !== true) terminal.stdout.write(formatFolder(root));
  return EXIT.ok;
}

async function readFolder(
  client: CatalogClient,
  path: string,
  options: BrowseOptions,
  depth: number,
): Promise<Folder> {
  const { entity, count } = options;
  const query = { path, entity, start: 0, limit: count };
  const folder = toFolder((await client.call('POST /entities?action=browse', query)).answer);
  const groups = [];
  for (const group of folder.groups) {
    const inner =
      depth === 1 ? undefined : await readFolder(client, `${path}/${group.name}`, options, depth - 1);
    groups.push({ ...group, ...(inner === undefined ? {} : { inner }) });
  }
  return { ...folder, groups };
}
