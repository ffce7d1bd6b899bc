import type { Command } from 'commander';
import { accepted } from '../../connection/accepted';
import { objectIn } from '../../connection/answer-json';
import { addConnectionOptions, type ConnectionOptions } from '../../connection/connect';
import { withCatalog } from '../../connection/with-catalog';
import { EXIT, type ExitCode, type SetExitCode } from '../../exit-code';
import { numberOf, objectOf, toList, toText } from '../../output/json-parts';
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
    const answer = accepted(await client.action('operations', 'getIndexSizes', {}), client.address);
    const value = objectOf(objectIn(answer, client.address).value);
    if (options.json === true) {
      terminal.stdout.write(`${prettyJson(value)}\n`);
      return EXIT.ok;
    }
    const sizes = toList(value.indexSizes)
      .map(objectOf)
      .filter(({ sizeInMb }) => numberOf(sizeInMb) > 0)
      .sort((one, other) => numberOf(other.sizeInMb) - numberOf(one.sizeInMb));
    const total = sizes.reduce((sum, { sizeInMb }) => sum + numberOf(sizeInMb), 0);
    terminal.stdout.write(
      textTable([
        ['entity', 'aspect', 'MB'],
        ...sizes.map((size) => [
          toText(size.entityName),
          toText(size.aspectName),
          numberOf(size.sizeInMb).toFixed(3),
        ]),
        ['', 'together', total.toFixed(3)],
      ]),
    );
    return EXIT.ok;
  });
}
