import type { JsonObject } from '@stratalog/model';
import type { Command } from 'commander';
import { confirm } from '../../confirm';
import { accepted } from '../../connection/accepted';
import { objectIn } from '../../connection/answer-json';
import type { CatalogClient } from '../../connection/catalog-client';
import { addConnectionOptions, type ConnectionOptions } from '../../connection/connect';
import { withCatalog } from '../../connection/with-catalog';
import { EXIT, type ExitCode, type SetExitCode } from '../../exit-code';
import { numberOf, objectOf, toList, toText } from '../../output/json-parts';
import { prettyJson } from '../../output/pretty-json';
import { textTable } from '../../output/text-table';
import { PROGRAM } from '../../program';
import type { Terminal } from '../../terminal';

interface LogOptions extends ConnectionOptions {
  readonly json?: true;
}

interface AdoptOptions extends LogOptions {
  readonly dryRun?: true;
  readonly yes?: true;
}

/** Adds `log` with its commands. */
export function addLogCommands(program: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  const log = program
    .command('log')
    .description('decide about a proposal log on Kafka that moved: its topic was made again, or lost records')
    .addHelpText(
      'after',
      `\nNeeds a token with the scope operate, such as the operator's: "${PROGRAM} token" prints that of a catalog on this machine.\n`,
    );
  addConnectionOptions(log.command('status'))
    .description('list the partitions of the log; exit code 1 when one is stopped')
    .option('--json', "print the catalog's answer as it is")
    .action(async (options: LogOptions) => {
      setExitCode(await showLog(options, terminal));
    });
  addConnectionOptions(log.command('adopt'))
    .description('the former log is gone: say what is lost with it, and continue in the present one')
    .option('--dry-run', 'only say what would be lost')
    .option('--yes', 'do not ask')
    .option('--json', "print the catalog's answer as it is")
    .action(async (options: AdoptOptions) => {
      setExitCode(await adoptLog(options, terminal));
    });
  addConnectionOptions(log.command('resume'))
    .description('the former log was put back: check it, and continue in it')
    .option('--json', "print the catalog's answer as it is")
    .action(async (options: LogOptions) => {
      setExitCode(await resumeLog(options, terminal));
    });
}

function showLog(options: LogOptions, terminal: Terminal): Promise<ExitCode> {
  return withCatalog(options, { terminal }, async (client) => {
    const answer = await call(client, 'describeLog', {});
    const partitions = toList(answer.partitions).map(objectOf);
    const rows = partitions.map(({ partition, state, committedOffset, endOffset, reason = '' }) =>
      [partition, state, committedOffset, endOffset, reason].map(toText),
    );
    terminal.stdout.write(
      options.json === true
        ? `${prettyJson(answer)}\n`
        : textTable([['partition', 'state', 'applied', 'end', 'reason'], ...rows]),
    );
    return partitions.every(({ state }) => state === 'applied') ? EXIT.ok : EXIT.rejected;
  });
}

function adoptLog(options: AdoptOptions, terminal: Terminal): Promise<ExitCode> {
  return withCatalog(options, { terminal }, async (client) => {
    const plan = await call(client, 'adoptLog', { dryRun: true });
    if (options.json !== true) terminal.stdout.write(describePartitions(plan));
    if (options.dryRun === true) {
      terminal.stdout.write(
        options.json === true ? `${prettyJson(plan)}\n` : `would lose ${countLost(plan)}\n`,
      );
      return EXIT.ok;
    }
    const what = `The former log of ${toText(plan.topic)} is given up, with ${countLost(plan)}`;
    await confirm({ what, isConfirmed: options.yes === true }, terminal);
    const adopted = await call(client, 'adoptLog', { dryRun: false });
    terminal.stdout.write(
      options.json === true ? `${prettyJson(adopted)}\n` : `adopted; lost ${countLost(adopted)}\n`,
    );
    return EXIT.ok;
  });
}

function resumeLog(options: LogOptions, terminal: Terminal): Promise<ExitCode> {
  return withCatalog(options, { terminal }, async (client) => {
    const answer = await call(client, 'resumeLog', {});
    const partitions = toList(answer.partitions).map(toText).join(', ');
    terminal.stdout.write(
      options.json === true
        ? `${prettyJson(answer)}\n`
        : `partitions ${partitions} continue; nothing is lost\n`,
    );
    return EXIT.ok;
  });
}

function countLost({ lost }: JsonObject): string {
  return `at least ${String(numberOf(lost))} proposals that were in it and not applied`;
}

function describePartitions({ partitions }: JsonObject): string {
  return toList(partitions)
    .map(objectOf)
    .map(
      ({ partition, reason, lost, continuesAfter }) =>
        `partition ${toText(partition)}: ${toText(reason)}; ${toText(lost)} lost, continues after ${toText(continuesAfter)}\n`,
    )
    .join('');
}

async function call(client: CatalogClient, action: string, parameters: JsonObject): Promise<JsonObject> {
  const answer = accepted(await client.action('operations', action, parameters), client.address);
  return objectOf(objectIn(answer, client.address).value);
}
