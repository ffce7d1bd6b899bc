import type { JsonObject } from '@stratalog/json';
import type { Task } from '../operations/watch-task';
import type { ConnectionOptions } from '../../connection/connect';
import { withCatalog } from '../../connection/with-catalog';
import { confirm } from '../../confirm';
import { EXIT, type ExitCode } from '../../exit-code';
import { numberOf, objectOf, toList, toText } from '../../output/json-parts';
import { prettyJson } from '../../output/pretty-json';
import { printable } from '../../output/printable';
import { textTable } from '../../output/text-table';
import type { Terminal } from '../../terminal';
import { runTask } from '../operations/watch-task';

export interface RunOptions extends ConnectionOptions {
  readonly test: readonly string[];
  readonly type: readonly string[];
  readonly urn: readonly string[];
  readonly query?: string;
  /** False: starts the task, and returns. */
  readonly wait: boolean;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly json?: true;
}

const HEADINGS = ['test', 'passing', 'failing', 'errors'];

/** Evaluates tests and writes their results. Before actions of tests write, it says what they would and asks. */
export function testRunCommand(options: RunOptions, terminal: Terminal): Promise<ExitCode> {
  return withCatalog(options, { terminal }, async (client) => {
    const parameters = {
      tests: given(options.test),
      entityTypes: given(options.type),
      urns: given(options.urn),
      query: options.query,
    };
    const run = async (dryRun: boolean): Promise<Task | undefined> => {
      const sent = { ...parameters, ...(dryRun ? { dryRun } : {}) };
      const { answer } = await client.call('POST /test?action=evaluateAll', sent);
      return runTask(client, answer, dryRun ? { wait: true } : options, terminal);
    };
    if (options.dryRun !== true && options.yes !== true) {
      const what = describePatches(objectOf((await run(true))?.outcome));
      if (what !== '') await confirm({ what, isConfirmed: false }, terminal);
    }
    const task = await run(options.dryRun === true);
    if (task === undefined) return EXIT.ok;
    const outcome = objectOf(task.outcome);
    terminal.stdout.write(
      options.json === true ? `${prettyJson(task)}\n` : formatOutcome(outcome, options.dryRun === true),
    );
    const notFound = describeNotFound(outcome, options);
    terminal.stderr.write(notFound);
    const failed = numberOf(outcome.failing) + numberOf(outcome.error);
    return failed === 0 && notFound === '' ? EXIT.ok : EXIT.rejected;
  });
}

/** Describes the writes of actions of tests; empty when there are none. */
function describePatches({ patches }: JsonObject): string {
  const each = toList(patches)
    .map(objectOf)
    .map(({ test, count }) => `${String(numberOf(count))} patches by ${printable(toText(test))}`);
  return each.length === 0 ? '' : `write to entities by actions of tests: ${each.join(', ')}`;
}

function given(values: readonly string[]): string[] | undefined {
  return values.length === 0 ? undefined : [...values];
}

/** The tests and entities that were named and are not there: a misspelt name must not look as if it passed. */
function describeNotFound(outcome: JsonObject, { test, urn }: RunOptions): string {
  const evaluated = toList(outcome.tests).map((each) => toText(objectOf(each).test));
  const left = new Set(urn).size - numberOf(outcome.evaluated);
  return [
    ...test
      .filter((name) => !evaluated.includes(name))
      .map((name) => `there is no test ${printable(name)}\n`),
    ...(left > 0 ? [`${String(left)} of the named entities do not exist\n`] : []),
  ].join('');
}

function formatOutcome(outcome: JsonObject, isDryRun: boolean): string {
  const rows = toList(outcome.tests)
    .map(objectOf)
    .map(({ test, passing, failing, error }) => [
      toText(test),
      ...[passing, failing, error].map((count) => String(numberOf(count))),
    ]);
  const [evaluated, written] = [numberOf(outcome.evaluated), numberOf(outcome.written)];
  const patches = describePatches(outcome);
  return [
    `${textTable([HEADINGS, ...rows])}${String(evaluated)} entities evaluated, ${String(written)} with other results\n`,
    ...(isDryRun ? [`nothing is written${patches === '' ? '' : `; it would ${patches}`}\n`] : []),
  ].join('');
}
