import type { Command } from 'commander';
import { addConnectionOptions, type ConnectionOptions } from '../../connection/connect';
import { withCatalog } from '../../connection/with-catalog';
import { EXIT, type ExitCode, type SetExitCode } from '../../exit-code';
import { prettyJson } from '../../output/pretty-json';
import { textTable } from '../../output/text-table';
import { PROGRAM } from '../../program';
import type { Terminal } from '../../terminal';

interface SizesOptions extends ConnectionOptions {
  readonly json?: true;
}

/** Adds `sizes`. */
export function addSizesCommand(program: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  addConnectionOptions(program.command('sizes'))
    .description('list how much space the values of each timeseries aspect take, the largest first')
    .option('--json', "print the catalog's answer as it is, aspects without values included")
    .addHelpText(
      'after',
      `
Needs a token with the scope operate, such as the operator's ("${PROGRAM} token"). "${PROGRAM} truncate" deletes old values.
`,
    )
    .action(async (options: SizesOptions) => {
      setExitCode(await sizesCommand(options, terminal));
    });
}

function sizesCommand(options: SizesOptions, terminal: Terminal): Promise<ExitCode> {
  return withCatalog(options, { terminal }, async (client) => {
    const { answer } = await client.call('POST /operations?action=getIndexSizes');
    if (options.json === true) {
      terminal.stdout.write(`${prettyJson(answer)}\n`);
      return EXIT.ok;
    }
    const sizes = answer.indexSizes
      .filter(({ sizeInMb }) => sizeInMb > 0)
      .sort((one, other) => other.sizeInMb - one.sizeInMb);
    const total = sizes.reduce((sum, { sizeInMb }) => sum + sizeInMb, 0);
    terminal.stdout.write(
      textTable([
        ['entity', 'aspect', 'MB'],
        ...sizes.map(({ entityName, aspectName, sizeInMb }) => [entityName, aspectName, sizeInMb.toFixed(3)]),
        ['', 'together', total.toFixed(3)],
      ]),
    );
    return EXIT.ok;
  });
}
