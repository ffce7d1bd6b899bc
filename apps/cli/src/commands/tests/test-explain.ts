import type { AnswerOf } from '@stratalog/client';
import { stringifyJson } from '@stratalog/json';
import type { ConnectionOptions } from '../../connection/connect';
import { withCatalog } from '../../connection/with-catalog';
import { EXIT, type ExitCode } from '../../exit-code';
import { prettyJson } from '../../output/pretty-json';
import { printable } from '../../output/printable';
import type { Terminal } from '../../terminal';

export interface ExplainOptions extends ConnectionOptions {
  readonly test: readonly string[];
  readonly json?: true;
}

type Detail = NonNullable<AnswerOf<'POST /test?action=evaluate'>['details']>[number];
type Failure = NonNullable<Detail['failures']>[number];

/** Outcomes with which the command fails. */
const FAILED: readonly Detail['outcome'][] = ['failing', 'error', 'unknown'];

export function testExplainCommand(
  urn: string,
  options: ExplainOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  return withCatalog(options, { terminal }, async (client) => {
    const tests = options.test.length === 0 ? {} : { tests: [...options.test] };
    const { answer } = await client.call('POST /test?action=evaluate', { urn, explain: true, ...tests });
    const { details = [] } = answer;
    terminal.stdout.write(
      options.json === true ? `${prettyJson(answer)}\n` : details.map(formatDetail).join(''),
    );
    const hasFailed = details.some(({ outcome }) => FAILED.includes(outcome));
    return hasFailed ? EXIT.rejected : EXIT.ok;
  });
}

/** One line for the test, and one for each rule that it breaks. */
function formatDetail({ test, name = '', outcome, reason, failures = [] }: Detail): string {
  const lines = [
    `${outcome}  ${test}  ${name}`.trimEnd(),
    ...(reason === undefined ? [] : [`    ${reason}`]),
    ...failures.map(formatFailure),
  ];
  return lines.map((line) => `${printable(line)}\n`).join('');
}

function formatFailure({ rule, property, operator, negated, expected, found }: Failure): string {
  const rightSide = expected.map((each) => stringifyJson(each)).join(', ');
  const comparison = [negated === true ? 'not' : '', property, operator, rightSide]
    .filter((part) => part !== '')
    .join(' ');
  const shown = found.length === 0 ? 'nothing' : found.map((each) => stringifyJson(each)).join(', ');
  return `    ${rule}: ${comparison}; found ${shown}`;
}
