import type { AnswerOf } from '@stratalog/client';
import type { Command } from 'commander';
import { confirm } from '../../confirm';
import { addConnectionOptions, type ConnectionOptions } from '../../connection/connect';
import { withCatalog } from '../../connection/with-catalog';
import { EXIT, type ExitCode, type SetExitCode } from '../../exit-code';
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
    const { answer } = await client.call('POST /operations?action=describeLog');
    const { partitions } = answer;
    const rows = partitions.map(({ partition, state, committedOffset, endOffset, reason = '' }) =>
      [partition, state, committedOffset, endOffset, reason].map(String),
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
    const { answer: plan } = await client.call('POST /operations?action=adoptLog', { dryRun: true });
    if (options.json !== true) terminal.stdout.write(describePartitions(plan));
    if (options.dryRun === true) {
      terminal.stdout.write(
        options.json === true ? `${prettyJson(plan)}\n` : `would lose ${countLost(plan)}\n`,
      );
      return EXIT.ok;
    }
    const what = `The former log of ${plan.topic} is given up, with ${countLost(plan)}`;
    await confirm({ what, isConfirmed: options.yes === true }, terminal);
    const { answer: adopted } = await client.call('POST /operations?action=adoptLog', { dryRun: false });
    terminal.stdout.write(
      options.json === true ? `${prettyJson(adopted)}\n` : `adopted; lost ${countLost(adopted)}\n`,
    );
    return EXIT.ok;
  });
}

function resumeLog(options: LogOptions, terminal: Terminal): Promise<ExitCode> {
  return withCatalog(options, { terminal }, async (client) => {
    const { answer } = await client.call('POST /operations?action=resumeLog');
    const partitions = answer.partitions.join(', ');
    terminal.stdout.write(
      options.json === true
        ? `${prettyJson(answer)}\n`
        : `partitions ${partitions} continue; nothing is lost\n`,
    );
    return EXIT.ok;
  });
}

type Plan = AnswerOf<'POST /operations?action=adoptLog'>;

function countLost({ lost }: Pick<Plan, 'lost'>): string {
  return `at least ${String(lost)} proposals that were in it and not applied`;
}

function describePartitions({ partitions }: Plan): string {
  return partitions
    .map(
      ({ partition, reason, lost, continuesAfter }) =>
        `partition ${String(partition)}: ${reason}; ${String(lost)} lost, continues after ${String(continuesAfter)}\n`,
    )
    .join('');
}
